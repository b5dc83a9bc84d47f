//! Makes the line of a program: the flow of a whole turn as one list of instructions, from question to question.
//!
//! The line also contains the end of the set-up, after its last question and its last random result. Before each statement that may
//! not fit there is a milestone. At a milestone everything before is done for good. If the statement does not fit, the line is left at the
//! milestone; it is entered again at a later one. The flow's frame (lists, registers, `done`) is then exactly as the long way would leave
//! it.

use super::dead_settings::sunk;
use super::emit::emit;
use super::fold::{Env, Sym};
use super::track::{Act, Due, Line, Milestone, Residual};
use super::unfold::{NoTrack, Unfolder, dead};
use crate::engine::actions::change::bit;
use crate::engine::ids::{Id, Pc, Reg};
use crate::engine::plan::Plan;
use crate::engine::program::{Builtin, Node, Op, Program};
use crate::engine::value::{Place, Value};

/// The line of a program's turn. It has no milestones if there is no line. `textless`: for games in which no card has abilities.
#[must_use]
pub fn line(program: &Program, plan: &Plan, textless: bool) -> Line {
    let mut unfold = Unfolder::new(program, plan);
    (unfold.textless, unfold.fold.textless) = (textless, textless);
    let mut builder = Builder { unfold, line: Line::default(), acts: Vec::new(), judging: 0, open: true };
    builder.line.entries.resize(program.code.len(), None);
    let built = program.turn.and_then(|turn| builder.turn(program, plan.routine(turn).start));
    // A turn without questions may be an endless loop. Loops are found by counting statements (`run/circles.rs`), and the line counts none.
    built.map(|()| builder.line).filter(|line| !line.forms.is_empty()).unwrap_or_default()
}

/// Whether one of these acts may raise a verdict that waits.
fn raises(acts: &[Act]) -> bool {
    acts.iter().any(|act| match act {
        Act::Raise(..) => true,
        Act::Either(_, yes, no) => raises(yes) || raises(no),
        Act::Repeat(_, body) | Act::EachCard(_, _, body) | Act::Call(body) | Act::Done(body) | Act::Perform { body, .. } => raises(body),
        Act::Together(members) => members.iter().any(|member| raises(member)),
        _ => false,
    })
}

struct Builder<'p> {
    unfold: Unfolder<'p>,
    line: Line,
    acts: Vec<Act>,
    judging: u16,
    /// Whether something that cannot be undone was done since the last milestone.
    open: bool,
}

/// Whether the turn's routine reads `done`.
fn asks_done(unfold: &Unfolder<'_>) -> bool {
    let program = unfold.fold.program;
    program.turn.is_none_or(|turn| program.asks_done(turn))
}

impl Builder<'_> {
    /// Whether an act fits whenever the line runs.
    fn always_fits(&self, act: &Act) -> bool {
        match act {
            Act::Phase(_) | Act::Expire | Act::TurnEnds | Act::Listed(_) | Act::Judge | Act::JudgeEnd => true,
            Act::Done(body) => body.is_empty(),
            Act::Together(members) => members.iter().all(Vec::is_empty),
            Act::EachCardKept(_, slot, body, _) => match body.as_slice() {
                [Act::Set(Residual::Slot(of), state, Residual::Const(value), none)] => {
                    let on_cards = self.unfold.plan.states.get(state.index()).is_some_and(|state| !state.on_players);
                    of == slot && on_cards && (*none || *value != Value::Undefined) && self.unfold.plan.ruled != u64::MAX
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an act nearly always fits in a game without abilities. Then a milestone before it is not worth its cost.
    fn hardly_fails(&self, act: &Act) -> bool {
        let all = |acts: &[Act]| acts.iter().all(|act| self.hardly_fails(act));
        let plan = self.unfold.plan;
        let quiet = |place: Place| bit(place) & plan.ruled == 0;
        match act {
            Act::Let(..) | Act::Listed(_) | Act::NotDone | Act::Phase(_) | Act::Expire => true,
            Act::Verdict(..) | Act::Raise(..) | Act::Judge | Act::JudgeEnd => true,
            Act::Set(..) | Act::EachCardKept(..) => plan.ruled != u64::MAX,
            Act::Either(_, yes, no) => all(yes) && all(no),
            Act::Repeat(_, body) | Act::EachCard(_, _, body) | Act::Call(body) | Act::Done(body) | Act::Perform { body, .. } => all(body),
            Act::Together(members) => members.iter().all(|member| all(member)),
            Act::TurnAll(places, ..) => places.iter().all(|place| quiet(*place)),
            Act::MoveTop(from, to) | Act::MoveHome(_, _, from, to, _) => quiet(*from) && quiet(*to),
            Act::Move(what, Residual::Const(Value::Zone(to)), _) => quiet(*to) && what.known().and_then(Value::place).is_none_or(quiet),
            Act::Move(_, Residual::ZoneOf { first, row, .. }, _) => {
                (0..u16::from(self.unfold.fold.program.players)).all(|player| quiet(Place(first + row * player)))
            }
            _ => false,
        }
    }

    fn turn(&mut self, program: &Program, start: Pc) -> Option<()> {
        let mut pc = start;
        loop {
            let op = *program.code.get(pc)?;
            self.unfold.begin_again();
            (self.unfold.judges, self.unfold.held, self.unfold.withheld) = (true, self.judging, self.judging > 0);
            let (mut acts, judging) = (Vec::new(), self.judging);
            let next = self.statement(&mut acts, pc, op).ok().filter(|_| !dead(&acts) && self.unfold.is_short());
            if !(next.is_some() && acts.iter().all(|act| self.always_fits(act))) {
                let hardly_fails = self.unfold.textless && next.is_some() && acts.iter().all(|act| self.hardly_fails(act));
                // The end of a turn has already checked that the next turn may begin.
                let begins = pc == start && matches!(op, Op::TurnBegins);
                if begins || hardly_fails && !self.open {
                    self.entry(pc, judging)?;
                } else {
                    self.milestone(pc, judging, next.is_some())?;
                }
            }
            let plan = self.unfold.plan;
            acts = sunk(acts, &|from, to| (bit(from) | bit(to)) & plan.ruled == 0);
            self.open |= acts.iter().any(|act| matches!(act, Act::Station(_) | Act::TurnBegins));
            if next.is_some() {
                self.acts.append(&mut acts);
            } else {
                self.acts.push(Act::Dead);
            }
            if matches!(op, Op::End) {
                self.set_up(program);
                break;
            }
            pc = next.unwrap_or(match (op, program.code.get(Pc(pc.0 + 1))) {
                (Op::ForkFor { join, .. }, _) => join,
                (Op::Iterate { .. }, Some(Op::Next { end, .. })) => *end,
                _ => Pc(pc.0 + 1),
            });
        }
        let origins: Vec<_> = self.line.forms.iter().map(|form| (form.answer, form.place)).collect();
        let rules = self.rules(program);
        self.line.code = emit(self.unfold.context(&rules), &self.acts, self.unfold.fold.slots, (true, false), &origins).ok()?;
        Some(())
    }

    /// The immediate rules that the line can carry out: they wait for a place to be empty, and their bodies nearly always fit.
    fn rules(&mut self, program: &Program) -> Vec<Due> {
        let mut found = Vec::new();
        for rule in self.unfold.plan.rules.iter().filter(|rule| rule.becomes && rule.immediately) {
            let (Some(place), Ok(truth), Some(def)) = (rule.empty, u16::try_from(rule.truth), program.rules.get(rule.rule)) else {
                continue;
            };
            self.unfold.begin_again();
            // On the line, a rule that raises a verdict runs only while verdicts wait.
            (self.unfold.held, self.unfold.withheld) = (1, true);
            self.unfold.fold.you = Some(rule.player);
            let acts = self.unfold.body(def.body, vec![Sym::Known(Value::Player(rule.player))], 0);
            self.unfold.fold.you = None;
            if self.unfold.is_short() && !dead(&acts) {
                found.push(Due { place, truth, raises: raises(&acts), acts });
            }
        }
        found
    }

    /// The end of the set-up: from the first statement after which nothing is asked. The first turn follows.
    fn set_up(&mut self, program: &Program) -> Option<()> {
        let mut pc = self.unfold.plan.routine(program.setup?).start;
        while !matches!(program.code.get(pc)?, Op::End) {
            self.unfold.begin_again();
            let mut acts = self.unfold.walk(pc, Env::default(), 0, None).acts;
            if self.unfold.is_short() && !acts.is_empty() && acts.iter().all(|act| matches!(act, Act::MoveTop(..) | Act::Shuffle(_))) {
                self.milestone(pc, 0, true)?;
                self.acts.append(&mut acts);
                self.acts.push(Act::TurnEnds);
                return Some(());
            }
            pc.0 += 1;
        }
        None
    }

    fn milestone(&mut self, pc: Pc, judging: u16, enter: bool) -> Option<()> {
        let number = self.stop(pc, judging, enter)?;
        self.acts.push(Act::Milestone(number));
        self.open = false;
        Some(())
    }

    fn entry(&mut self, pc: Pc, judging: u16) -> Option<()> {
        self.stop(pc, judging, true)?;
        self.acts.push(Act::Entry);
        Some(())
    }

    fn stop(&mut self, pc: Pc, judging: u16, enter: bool) -> Option<u16> {
        let number = u16::try_from(self.line.milestones.len()).ok()?;
        self.line.milestones.push(Milestone { pc, judging });
        if enter && let Some(entry) = self.line.entries.get_mut(pc.index()) {
            *entry = Some(number);
        }
        Some(number)
    }

    /// The acts of a statement of the flow. The result: the next statement.
    fn statement(&mut self, acts: &mut Vec<Act>, pc: Pc, op: Op) -> Result<Pc, NoTrack> {
        let next = Pc(pc.0 + 1);
        let unfold = &mut self.unfold;
        match op {
            Op::TurnBegins => acts.push(Act::TurnBegins),
            Op::End => acts.push(Act::TurnEnds),
            Op::Phase(phase) => acts.push(Act::Phase(phase)),
            Op::JumpUnless { condition, to } => {
                let Some(Residual::Const(value)) = unfold.fold.residual(&Env::default(), condition) else { return Err(NoTrack) };
                return Ok(if value.is_true() { next } else { to });
            }
            Op::Judge => {
                self.judging += 1;
                acts.push(Act::Judge);
            }
            Op::JudgeEnd => {
                self.judging = self.judging.checked_sub(1).ok_or(NoTrack)?;
                if self.judging == 0 {
                    acts.push(Act::JudgeEnd);
                }
            }
            Op::Expire(_) => acts.push(Act::Expire),
            Op::Drop(set) if unfold.fold.is_pending(set) => {}
            Op::Emit { verb, .. } if !unfold.plan.is_asked_for(verb) && !unfold.plan.hears => {}
            Op::Mark(name) | Op::MarkFrom(name, _) if !unfold.plan.reads_mark(name) => {}
            Op::Call { routine, result: Reg::NONE, .. } if unfold.is_idle(routine) => acts.push(Act::Done(Vec::new())),
            Op::Call { routine, args, result: Reg::NONE } if unfold.fold.program.args_of(args).is_empty() => {
                let body = unfold.body(routine, Vec::new(), 0);
                acts.push(Act::Done(body));
            }
            // If the turn asks how a lockstep went, the long way is taken.
            Op::ForkFor { set, item, join, in_order: false } if unfold.is_players(set) && !asks_done(unfold) => {
                acts.push(Act::Listed(unfold.players()));
                acts.push(self.lockstep(pc, item, join)?);
                return Ok(join);
            }
            Op::Builtin { verb: verb @ (Builtin::TurnUp | Builtin::TurnDown), args, result } => {
                let [what] = unfold.fold.program.args_of(args) else { return Err(NoTrack) };
                let Some(Node::ZoneOfAll(zone)) = unfold.fold.program.nodes.get(*what) else { return Err(NoTrack) };
                if unfold.plan.is_recorded(verb.verb()) {
                    return Err(NoTrack);
                }
                acts.push(Act::TurnAll(unfold.fold.places(*zone), verb == Builtin::TurnUp, result));
            }
            Op::Iterate { list, set } => {
                let Some(&Op::Next { item, end, .. }) = unfold.fold.program.code.get(next) else { return Err(NoTrack) };
                let Some(Node::ZoneOfAll(zone)) = unfold.fold.program.nodes.get(set) else { return Err(NoTrack) };
                let (zone, slot) = (*zone, unfold.fold.slot());
                let mut own = Env::default();
                own.set(item, Sym::Found(slot));
                let body = unfold.walk(Pc(next.0 + 1), own, 0, Some(next)).acts;
                unfold.leaves_registers_alone(next, end)?;
                if dead(&body) || !body.iter().all(|act| matches!(act, Act::Set(..))) {
                    return Err(NoTrack);
                }
                acts.push(Act::EachCardKept(unfold.fold.places(zone), slot, body, [list, item]));
                return Ok(end);
            }
            _ => return Err(NoTrack),
        }
        Ok(next)
    }

    /// A lockstep over the players: its members one after the other, or as a station if all members ask.
    fn lockstep(&mut self, fork: Pc, item: Reg, join: Pc) -> Result<Act, NoTrack> {
        let members = self.unfold.members(&Env::default(), fork, item, 0);
        if let Act::Together(bodies) = &members
            && !bodies.iter().any(|body| dead(body))
        {
            return Ok(members);
        }
        let first = self.line.forms.len();
        let Some(members) = self.unfold.station(fork, item, join, &mut self.line.forms) else {
            self.line.forms.truncate(first);
            return Err(NoTrack);
        };
        Ok(Act::Station(members))
    }
}
