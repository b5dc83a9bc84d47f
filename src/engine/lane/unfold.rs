//! Makes tracks: walks through statements with everything filled in that is known, and writes down the acts that remain.
//!
//! Each lockstep over the players, and each call of a procedure without arguments, gets a track if possible. An `if` with an unknown
//! condition becomes two lists of acts, each up to the end of the call. A loop over something unknown stays a loop. At a statement that a
//! track cannot carry out (a choice, a verdict, an effect, an expression without a residual) the track ends.

use super::emit::{Context, emit};
use super::fold::{Env, Folder, Sym};
use super::track::{Act, Due, Residual, Track};
use crate::engine::ids::{ArgsId, Id, NodeId, Pc, Reg, RoutineId, VerbId};
use crate::engine::plan::Plan;
use crate::engine::program::{Builtin, FaceWord, Node, Op, Program};
use crate::engine::state::FaceChange;
use crate::engine::value::{Player, Value};

/// The greatest number of acts of a track. A longer track is not worth its memory.
const LONGEST: usize = 600;

/// The greatest depth of calls that are replaced by their bodies.
pub(super) const DEEPEST: usize = 12;

/// The greatest number of statements in one walk, because some walks are endless.
const STATEMENTS: usize = 4_000;

/// The tracks of a program, by the statement where they begin.
#[must_use]
pub fn tracks(program: &Program, plan: &Plan) -> Vec<Option<Track>> {
    let statements = program.code.iter();
    statements.map(|(pc, op)| Unfolder::new(program, plan).track(pc, *op)).collect()
}

/// For each statement: whether it is a call that returns at once if no ability waits.
#[must_use]
pub fn idle_calls(program: &Program, plan: &Plan) -> Vec<bool> {
    let idle = |op: &Op| match op {
        Op::Call { routine, result: Reg::NONE, .. } => Unfolder::new(program, plan).is_idle(*routine),
        _ => false,
    };
    program.code.rows().iter().map(idle).collect()
}

/// Whether a track ends before it does anything. Such a track is useless.
pub(super) fn dead(acts: &[Act]) -> bool {
    match acts.first() {
        Some(Act::Dead) => true,
        Some(Act::Check(_) | Act::Let(..) | Act::Listed(_)) => acts.get(1..).is_some_and(dead),
        Some(Act::Either(_, yes, no)) => dead(yes) && dead(no),
        Some(Act::Call(body) | Act::Perform { body, .. } | Act::Done(body)) => dead(body),
        Some(Act::Together(members) | Act::Station(members)) => members.iter().any(|member| dead(member)),
        _ => false,
    }
}

/// Whether an act is always carried out in full when the track fits.
fn goes_well(act: &Act) -> bool {
    match act {
        Act::Let(..) | Act::Check(_) | Act::Call(_) | Act::Expire | Act::Verdict(..) | Act::Raise(..) | Act::Dead => true,
        Act::Judge | Act::JudgeEnd => true,
        Act::Together(members) => members.iter().flatten().all(goes_well),
        Act::Either(_, yes, no) => yes.iter().chain(no).all(goes_well),
        Act::Repeat(_, body) | Act::EachCard(_, _, body) => body.iter().all(goes_well),
        _ => false,
    }
}

/// Whether a statement may set states without a `SetState` that the walk sees: a move may make a rule due.
fn may_change_states(op: &Op) -> bool {
    match op {
        Op::Builtin { verb, .. } => !matches!(verb, Builtin::Lose | Builtin::Win),
        Op::MoveTop { .. } => true,
        _ => false,
    }
}

/// A track cannot express this statement, so the long way is taken.
pub(super) struct NoTrack;

pub(super) struct Unfolder<'p> {
    pub(super) fold: Folder<'p>,
    pub(super) plan: &'p Plan,
    acts: usize,
    statements: usize,
    /// Whether the acts are for games in which no card has abilities.
    pub(super) textless: bool,
    /// Whether the acts are for the line. Then verdicts can be judged, if nothing holds them back.
    pub(super) judges: bool,
    /// How many `judge together` blocks and locksteps are around the walk.
    pub(super) held: u16,
    /// The value of `held` at the beginning of the present call or branch.
    held_around: u16,
    /// Whether a `judge together` of the flow is around the walk. Verdicts wait for its end.
    pub(super) withheld: bool,
}

/// The result of a walk through statements.
pub(super) struct Walk {
    pub(super) acts: Vec<Act>,
}

impl<'p> Unfolder<'p> {
    pub(super) fn new(program: &'p Program, plan: &'p Plan) -> Self {
        Unfolder {
            fold: Folder {
                program,
                shapes: &plan.shapes,
                slots: 0,
                you: None,
                textless: false,
                ends: Vec::new(),
                derived: Vec::new(),
                facts: Vec::new(),
                done: None,
                lost: None,
            },
            plan,
            acts: 0,
            statements: 0,
            textless: false,
            judges: false,
            held: 0,
            held_around: 0,
            withheld: false,
        }
    }

    /// The things for which code is made.
    pub(super) fn context<'r>(&self, rules: &'r [Due]) -> Context<'r>
    where
        'p: 'r,
    {
        Context { program: self.fold.program, plan: self.plan, rules, textless: self.textless }
    }

    /// Begins a new walk: no acts and statements are counted.
    pub(super) fn begin_again(&mut self) {
        (self.acts, self.statements) = (0, 0);
        self.fold.facts.clear();
    }

    /// Whether the acts of this walk are few enough to be worth their memory.
    pub(super) fn is_short(&self) -> bool {
        self.acts <= LONGEST
    }

    fn track(mut self, pc: Pc, op: Op) -> Option<Track> {
        let env = Env::default();
        let (acts, lockstep) = match op {
            Op::ForkFor { set, item, in_order: false, .. } if self.is_players(set) => (vec![self.members(&env, pc, item, 0)], true),
            Op::Call { routine, args, result: Reg::NONE } if self.fold.program.args_of(args).is_empty() => {
                if self.is_idle(routine) {
                    return None;
                }
                (self.body(routine, Vec::new(), 0), false)
            }
            _ => return None,
        };
        if dead(&acts) || self.acts > LONGEST {
            return None;
        }
        let code = emit(self.context(&[]), &acts, self.fold.slots, (lockstep, true), &[]).ok()?;
        Some(Track { code, lockstep })
    }

    /// Whether a call of a routine returns at once if no ability waits.
    pub(super) fn is_idle(&mut self, routine: RoutineId) -> bool {
        let guard = self.plan.routine(routine).guard;
        guard != NodeId::NONE && self.fold.residual(&Env::default(), guard).and_then(|residual| residual.known()) == Some(Value::Bool(true))
    }

    /// Whether a set is all players, and players of a lockstep are asked at the same time.
    pub(super) fn is_players(&self, set: NodeId) -> bool {
        self.fold.program.policies.asked_order == NodeId::NONE && matches!(self.fold.program.nodes.get(set), Some(Node::Players))
    }

    pub(super) fn players(&self) -> Vec<Value> {
        (0..self.fold.program.players).map(|player| Value::Player(Player(player))).collect()
    }

    /// The acts of a lockstep over the players whose body begins after the statement `fork`.
    pub(super) fn members(&mut self, env: &Env, fork: Pc, item: Reg, depth: usize) -> Act {
        let held = self.held;
        self.held += 1;
        let bodies = self.players().into_iter().map(|player| {
            let mut own = env.clone();
            own.set(item, Sym::Known(player));
            self.fold.facts.clear();
            self.walk(Pc(fork.0 + 1), own, depth, None).acts
        });
        let members = Act::Together(bodies.collect());
        self.fold.facts.clear();
        self.held = held;
        members
    }

    /// The acts of a routine with these parameters.
    pub(super) fn body(&mut self, routine: RoutineId, parameters: Vec<Sym>, depth: usize) -> Vec<Act> {
        if depth > DEEPEST {
            return vec![Act::Dead];
        }
        let mut env = Env { registers: parameters, ..Env::default() };
        let plan = self.plan.routine(routine);
        env.registers.resize(usize::from(plan.registers).max(env.registers.len()), Sym::Known(Value::Undefined));
        let held = self.held;
        let acts = self.walk(plan.start, env, depth + 1, None).acts;
        self.held = held;
        acts
    }

    /// The acts from a statement to the end of the call, or to `head`, where the round of a loop ends.
    pub(super) fn walk(&mut self, pc: Pc, env: Env, depth: usize, head: Option<Pc>) -> Walk {
        let around = std::mem::replace(&mut self.held_around, self.held);
        let walk = self.follow(pc, env, depth, head);
        self.held_around = around;
        walk
    }

    /// Like `walk`, but inside a call that is already being walked through.
    pub(super) fn follow(&mut self, mut pc: Pc, mut env: Env, depth: usize, head: Option<Pc>) -> Walk {
        let mut acts = Vec::new();
        loop {
            self.statements += 1;
            self.acts += 1;
            let op = self.fold.program.code.get(pc).copied();
            let (Some(op), true) = (op, self.acts <= LONGEST && self.statements <= STATEMENTS) else {
                return self.given_up(acts);
            };
            if may_change_states(&op) {
                self.fold.facts.clear();
            }
            if !matches!(op, Op::JumpUnless { .. } | Op::Jump(_)) {
                (self.fold.done, self.fold.lost) = (None, None);
            }
            match self.step(&mut acts, &mut env, pc, op, depth, head) {
                Ok(Some(next)) if head == Some(next) => return Walk { acts },
                Ok(Some(next)) => pc = next,
                Ok(None) => return Walk { acts },
                Err(NoTrack) => return self.given_up(acts),
            }
        }
    }

    /// Ends a walk at a statement that a track cannot express.
    fn given_up(&mut self, mut acts: Vec<Act>) -> Walk {
        acts.push(Act::Dead);
        // No code runs after this point. But the acts that follow must be made as if the `judge together` of this walk had ended.
        if self.judges && self.held_around == 0 && self.held > 0 {
            (self.held, self.withheld) = (0, false);
            acts.push(Act::JudgeEnd);
        }
        Walk { acts }
    }

    /// Adds the acts of one statement. The result: the statement where the walk continues; `None` at the end.
    fn step(&mut self, acts: &mut Vec<Act>, env: &mut Env, pc: Pc, op: Op, depth: usize, head: Option<Pc>) -> Result<Option<Pc>, NoTrack> {
        let next = Pc(pc.0 + 1);
        match op {
            // A rule with a loop does not fit the line.
            Op::Jump(to) if self.fold.you.is_some() && to <= pc => return Err(NoTrack),
            Op::Jump(to) => return Ok(Some(to)),
            Op::JumpUnless { condition, to } => match self.residual(env, condition)? {
                Residual::Const(value) => return Ok(Some(if value.is_true() { next } else { to })),
                condition => {
                    let (held, withheld, facts) = (self.held, self.withheld, self.fold.facts.clone());
                    let yes = self.follow(next, env.clone(), depth, head).acts;
                    (self.held, self.withheld) = (held, withheld);
                    let after = std::mem::replace(&mut self.fold.facts, facts);
                    let no = self.follow(to, env.clone(), depth, head).acts;
                    self.fold.facts.retain(|fact| after.contains(fact));
                    acts.push(Act::Either(condition, yes, no));
                    return Ok(None);
                }
            },
            Op::Let { to, value } => {
                let residual = self.residual(env, value)?;
                let sym = self.kept(acts, residual);
                env.set(to, sym);
            }
            Op::Iterate { list, set } => return self.iterate(acts, env, pc, (list, set), depth),
            Op::Next { list, item, end } => return Ok(Some(self.next(env, list, item)?.map_or(end, |()| next))),
            Op::CountDown { counter, end } => return self.count_down(acts, env, pc, (counter, end), depth),
            Op::MoveTop { .. } if self.plan.moves_are_recorded => return Err(NoTrack),
            Op::MoveTop { from, to, face: FaceWord::AsZone, result: Reg::NONE } => match (self.zone(env, from)?, self.residual(env, to)?) {
                (from, Residual::Const(Value::Zone(to))) if from != to => acts.push(Act::MoveTop(from, to)),
                _ => return Err(NoTrack),
            },
            Op::Builtin { verb: verb @ (Builtin::Lose | Builtin::Win), args, result: Reg::NONE } => {
                // A verdict that is judged at once, whatever holds verdicts back, takes the long way.
                let (player, judged) = match self.fold.program.args_of(args) {
                    [player] => (*player, NodeId::NONE),
                    [player, judged, ..] => (*player, *judged),
                    [] => return Err(NoTrack),
                };
                if judged != NodeId::NONE {
                    return Err(NoTrack);
                }
                let Some(Value::Player(player)) = self.residual(env, player)?.known() else { return Err(NoTrack) };
                let (judges, wins) = (self.judges && !self.plan.is_recorded(verb.verb()), verb == Builtin::Win);
                if judges && self.held == 0 {
                    acts.push(Act::Verdict(player, wins));
                    return Ok(None);
                }
                if !judges || !self.withheld || self.plan.is_asked_for(verb.verb()) {
                    return Err(NoTrack);
                }
                acts.push(Act::Raise(player, wins));
                (self.fold.done, self.fold.lost) = (Some(true), (!wins).then_some(player));
            }
            Op::Builtin { verb: Builtin::Shuffle, args, result: Reg::NONE }
                if self.judges && !self.plan.is_asked_for(Builtin::Shuffle.verb()) =>
            {
                let [zone] = self.fold.program.args_of(args) else { return Err(NoTrack) };
                acts.push(Act::Shuffle(self.zone(env, *zone)?));
            }
            Op::Builtin { verb, args, result: Reg::NONE } => acts.push(self.builtin(env, verb, args)?),
            Op::SetState { subject, state, value } => {
                let none = self.fold.program.nodes.get(value) == Some(&Node::Const(Value::Undefined));
                let (subject, value) = (self.residual(env, subject)?, self.residual(env, value)?);
                self.fold.given_state(&subject, state, value.known().filter(|_| !none));
                acts.push(Act::Set(subject, state, value, none));
            }
            Op::Call { routine, args, result: Reg::NONE } => self.call(acts, env, routine, args, depth)?,
            Op::Perform { verb, args, result: Reg::NONE } => self.perform(acts, env, verb, args, depth)?,
            Op::ForkFor { set, item, join, in_order: false } if self.is_players(set) && self.fold.you.is_none() => {
                let members = self.members(env, pc, item, depth);
                acts.push(members);
                return Ok(Some(join));
            }
            Op::Judge => {
                if self.judges && self.held == 0 {
                    self.withheld = true;
                    acts.push(Act::Judge);
                }
                self.held += 1;
            }
            Op::JudgeEnd => {
                self.held = self.held.checked_sub(1).ok_or(NoTrack)?;
                if self.judges && self.held == 0 {
                    self.withheld = false;
                    acts.push(Act::JudgeEnd);
                }
            }
            Op::Expire(_) => acts.push(Act::Expire),
            Op::Drop(set) if self.fold.is_pending(set) => {}
            // An event that is not recorded and for which nobody waits changes nothing.
            Op::Emit { verb, .. } if !self.plan.is_asked_for(verb) && !self.plan.hears => {}
            Op::Mark(name) | Op::MarkFrom(name, _) if !self.plan.reads_mark(name) => {}
            // Leaving a call from inside a `judge together` takes the long way.
            Op::BranchEnd | Op::End | Op::Return(NodeId::NONE) if head.is_none() && self.held == self.held_around => return Ok(None),
            _ => return Err(NoTrack),
        }
        Ok(Some(next))
    }

    pub(super) fn residual(&mut self, env: &Env, node: NodeId) -> Result<Residual, NoTrack> {
        self.fold.residual(env, node).ok_or(NoTrack)
    }

    /// The zone of `top of Z`.
    fn zone(&mut self, env: &Env, zone: NodeId) -> Result<crate::engine::value::Place, NoTrack> {
        match self.residual(env, zone)?.known() {
            Some(Value::Zone(place)) => Ok(place),
            _ => Err(NoTrack),
        }
    }

    /// The contents of a register after a residual is assigned to the register. If the residual is computed, an act puts it into a slot.
    pub(super) fn kept(&mut self, acts: &mut Vec<Act>, residual: Residual) -> Sym {
        match residual {
            Residual::Const(value) => Sym::Known(value),
            Residual::Slot(slot) => Sym::Found(slot),
            residual => {
                let slot = self.fold.slot();
                self.fold.keeps(slot, &residual);
                acts.push(Act::Let(slot, residual));
                Sym::Found(slot)
            }
        }
    }

    pub(super) fn builtin(&mut self, env: &Env, verb: Builtin, args: ArgsId) -> Result<Act, NoTrack> {
        let nodes = self.fold.program.args_of(args);
        let what = nodes.first().copied().ok_or(NoTrack)?;
        let what = self.plan.single(what).unwrap_or(what);
        match (verb, nodes) {
            (Builtin::Move, [_, to, rest @ ..]) => {
                if self.plan.moves_are_recorded || rest.iter().skip(1).any(|node| *node != NodeId::NONE) {
                    return Err(NoTrack);
                }
                let face = match rest.first() {
                    Some(face) if *face != NodeId::NONE => {
                        crate::engine::actions::perform::face_of(self.residual(env, *face)?.known().ok_or(NoTrack)?)
                    }
                    _ => FaceChange::AsZone,
                };
                let (what, to) = (self.residual(env, what)?, self.residual(env, *to)?);
                Ok(self.moves(what, to, face))
            }
            (Builtin::TurnUp | Builtin::TurnDown, _) => Ok(Act::Turn(self.residual(env, what)?, verb == Builtin::TurnUp)),
            _ => Err(NoTrack),
        }
    }

    /// The act of a move. In games without abilities the cards in a player's place belong to that player. So if the card goes to a zone of
    /// its owner, that place is known.
    fn moves(&self, what: Residual, to: Residual, face: FaceChange) -> Act {
        if let (true, Residual::Slot(slot), Residual::ZoneOf { first, row, player }) = (self.textless, &what, &to)
            && **player == Residual::Owner(Box::new(what.clone()))
            && let Some((_, from, owner)) = self.fold.ends.iter().find(|(of, ..)| of == slot)
        {
            let to = crate::engine::value::Place(first + row * u16::from(owner.0));
            return Act::MoveHome(*slot, *owner, *from, to, face);
        }
        Act::Move(what, to, face)
    }

    /// The values of arguments.
    pub(super) fn given(&mut self, acts: &mut Vec<Act>, env: &Env, args: ArgsId) -> Result<Vec<Sym>, NoTrack> {
        let mut given = Vec::new();
        for node in self.fold.program.args_of(args) {
            if *node == NodeId::NONE {
                given.push(Sym::Known(Value::Undefined));
            } else if self.plan.shapes.sets.get(*node) == Some(&true) {
                return Err(NoTrack);
            } else {
                let residual = self.residual(env, *node)?;
                given.push(self.kept(acts, residual));
            }
        }
        Ok(given)
    }

    fn call(&mut self, acts: &mut Vec<Act>, env: &Env, routine: RoutineId, args: ArgsId, depth: usize) -> Result<(), NoTrack> {
        if self.is_idle(routine) {
            return Ok(());
        }
        let given = self.given(acts, env, args)?;
        let mut body = self.body(routine, given, depth);
        // If a call is always carried out in full, nobody needs to know how it went.
        if body.iter().all(goes_well) {
            acts.append(&mut body);
        } else {
            acts.push(Act::Call(body));
        }
        Ok(())
    }

    fn perform(&mut self, acts: &mut Vec<Act>, env: &Env, verb: VerbId, args: ArgsId, depth: usize) -> Result<(), NoTrack> {
        let def = self.fold.program.verbs.get(verb).filter(|def| !def.once_in_a_step).ok_or(NoTrack)?;
        let routine = def.body.ok_or(NoTrack)?;
        let parameters = def.parameters.len();
        let given = self.given(acts, env, args)?;
        let mut needed = Vec::new();
        let mut arguments = Vec::new();
        for sym in &given {
            match sym {
                Sym::Known(value) if crate::engine::actions::perform::nothing_in(*value).is_some() => {
                    acts.push(Act::NotDone);
                    return Ok(());
                }
                Sym::Known(value) => arguments.push(Residual::Const(*value)),
                Sym::Found(slot) => {
                    needed.push(Residual::Slot(*slot));
                    arguments.push(Residual::Slot(*slot));
                }
                Sym::List(_) | Sym::Unknown => return Err(NoTrack),
            }
        }
        if self.plan.is_recorded(verb) && self.sets_parameters(routine, parameters) {
            return Err(NoTrack);
        }
        arguments.truncate(parameters);
        let witnessed = self.fold.program.verbs.get(verb).is_some_and(|verb| verb.witnessed);
        if witnessed || self.fold.you.is_some() && self.plan.is_recorded(verb) {
            return Err(NoTrack);
        }
        let event = self.plan.is_recorded(verb).then_some((verb, arguments));
        let mut body = self.body(routine, given, depth);
        if needed.is_empty() && event.is_none() {
            acts.append(&mut body);
        } else {
            acts.push(Act::Perform { given: needed, body, event });
        }
        Ok(())
    }

    /// Whether a body changes one of its parameters: the event would tell the changed value.
    fn sets_parameters(&self, routine: RoutineId, parameters: usize) -> bool {
        let start = self.plan.routine(routine).start;
        let code = self.fold.program.code.iter().skip(start.index()).map(|(_, op)| op);
        let body = code.take_while(|op| !matches!(op, Op::End));
        let is_one = |reg: &Reg| reg.index() < parameters;
        body.into_iter().any(|op| match op {
            Op::Let { to, .. } | Op::LetSet { to, .. } => is_one(to),
            Op::Next { item, .. } | Op::ForkFor { item, .. } => is_one(item),
            Op::CountDown { counter, .. } => is_one(counter),
            _ => false,
        })
    }
}
