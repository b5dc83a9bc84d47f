//! Finds what led to an event. An onlooker of the run keeps each step, with the step that contains it and the step that caused it.
//!
//! A step has a depth of calls and a branch. The container of a step is the step that opened the innermost open call there. An ability
//! began to wait because of an event: the event that was told just before, or a move of the batch that has just been told. A rule ran
//! because of the change by which its condition became true. If that is not known, because the condition cannot be read from outside: because
//! of the last event that changed something in the condition.
//!
//! | file | does |
//! | --- | --- |
//! | `calls.rs` | the statements of the rules that called a step |
//! | `ending.rs` | what led to the end of a game |
//! | `grounds.rs` | the conditions and values because of which a statement did something, and what changed them last |
//! | `payments.rs` | the ability whose cost an action paid |
//! | `recording.rs` | keeps each step as it is told, with the step that contains it |
//! | `rounds.rs` | folds causes that repeat, as in a forced loop |
//! | `since.rs` | since when the conditions of rules are true, and for which members |
//! | `turning.rs` | the change by which the condition of a rule became true |

mod calls;
mod ending;
mod grounds;
mod payments;
mod recording;
mod rounds;
mod since;
mod turning;

pub use ending::Done;

use crate::bits::StateSet;
use crate::fault::listed;
use grounds::Ground;

use super::{Answer, Fact, Influence};
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{CitesId, Pc, PhaseId, RuleId, StateId};
use crate::plan::Reads;
use crate::program::{Builtin, ClauseKind, Op, Program};
use crate::state::board::zone_of;
use crate::state::{Effect, Pending, Waits};
use crate::steps::{Step, Traced, Unfit, View, Why};
use crate::value::{Player, Value};
use std::sync::Arc;

/// The longest chain of causes that is followed.
const LONGEST: usize = 40;

/// The greatest distance between events of one batch.
const TOGETHER: usize = 8;

/// The most steps that are looked through for the event of a rule.
const FAR: usize = 2_000;

/// Everything that happened, with its causes.
#[derive(Clone, Debug, Default)]
pub struct History {
    kept: Vec<Kept>,
    /// The members of lists among the arguments.
    lists: Vec<Value>,
    /// For each branch, the open calls: the depth inside the call, and its step.
    open: Open,
    /// For each branch, the step in which its flow was forked.
    forked: Vec<Option<usize>>,
    /// Rules that run together and whose branches have not been seen yet.
    rules: Vec<usize>,
    /// The waiting abilities: their numbers, and the steps in which they began to wait.
    waiting: Vec<(u32, usize)>,
    /// Actions that the end of the game interrupted.
    cut: Vec<usize>,
    /// Since when the conditions of rules are true.
    truths: since::Truths,
    /// For rules without an event: the step of the rule, a member for which its condition was true, and the change that made it true.
    turned: Vec<(usize, Value, Option<usize>)>,
    /// For rules without an event: the step of the rule, a member, and the effects whose beginning or end made its condition true.
    by_effects: Vec<(usize, Value, Vec<usize>)>,
    /// What statements read.
    grounds: Vec<Ground>,
    /// A rule that runs in the middle of a branch, until it is known in which.
    unsettled: Option<usize>,
    /// The state that is about to be set.
    setting: Option<(Value, StateId)>,
    /// The effects that have been in force, as they were when they were seen first.
    effects: Vec<Arc<Effect>>,
}

/// For each branch, its open calls: the depth inside the call, and its step.
type Open = Vec<Vec<(u16, usize)>>;

/// A place in a history.
#[derive(Clone, Debug)]
pub struct Mark {
    kept: usize,
    lists: usize,
    open: (Open, Vec<Option<usize>>),
    rules: Vec<usize>,
    waiting: Vec<(u32, usize)>,
    truths: since::Truths,
    turned: usize,
    by_effects: usize,
    grounds: usize,
    effects: Vec<Arc<Effect>>,
}

#[derive(Clone, Debug)]
struct Kept {
    traced: Traced,
    /// The step that contains this one.
    within: Option<usize>,
    /// The step that caused this one.
    for_it: Option<usize>,
    turn: u32,
    phase: Option<PhaseId>,
    /// For an ability that begins to wait: the rules of its kind.
    kind: Option<CitesId>,
    /// Whether a state was set, which is told as no step.
    set: bool,
    /// If a state was set: of what, and which state.
    state: Option<(Value, StateId)>,
    /// For an action that pays a cost: the step in which the ability of this cost began to wait.
    pays: Option<usize>,
    /// For an ability that another effect has given to its card: this effect.
    giver: Option<u32>,
}

impl Kept {
    /// A step of which nothing else is known yet.
    fn new(view: &View<'_>, traced: Traced, within: Option<usize>) -> Self {
        let (turn, phase) = (view.state.board.turn, view.state.board.phase);
        Self { traced, within, for_it: None, turn, phase, kind: None, set: false, state: None, pays: None, giver: None }
    }
}

/// What the condition of a rule reads, if this is known. It reads only cards and states, and no history.
fn known_reads(program: &Program, rule: RuleId) -> Option<&Reads> {
    let set = program.rule_set.as_ref()?;
    set.order.iter().zip(&set.reads).find(|(of, _)| **of == rule)?.1.as_ref()
}

/// For an ability about a state: the number of its effect.
fn state_trigger(view: &View<'_>, pending: &Pending) -> Option<u32> {
    let Waits::Triggered(_, clause) = pending.waits else { return None };
    let ClauseKind::Whenever { .. } = view.program.clauses.get(clause)?.kind else { return None };
    let mut of_card = view.state.effects.in_force.iter().filter(|effect| effect.clause == clause && effect.source == pending.source);
    let number = of_card.next()?.number;
    of_card.next().is_none().then_some(number)
}

/// Whether a step set a state that is read.
fn sets(program: &Program, kept: &Kept, reads: &Reads) -> bool {
    let state = match program.code.get(kept.traced.at) {
        Some(Op::SetState { state, .. }) if kept.set => StateSet::of(*state),
        _ => StateSet::NONE,
    };
    reads.states.meets(state)
}

/// How far after the first fitting step a closer one is looked for. Long histories are searched for each step, so the search has an end.
const LOOKED_BEHIND: usize = 1000;

/// The place of the closest step, from the back. The search ends at a step that is as close as can be.
fn closest<C: PartialOrd + Copy>(steps: &[Kept], closeness: impl Fn(&Kept) -> Option<C>, most: C) -> Option<usize> {
    let mut best: Option<(C, usize)> = None;
    for (at, kept) in steps.iter().enumerate().rev() {
        if best.is_some_and(|(close, found)| close >= most || found - at > LOOKED_BEHIND) {
            break;
        }
        if let Some(close) = closeness(kept)
            && best.is_none_or(|(before, _)| close > before)
        {
            best = Some((close, at));
        }
    }
    best.map(|(_, at)| at)
}

/// The rules in the head of the body that contains a statement.
fn body_of(program: &Program, at: Pc) -> Option<CitesId> {
    // Steps that happen by themselves belong to no statement.
    program.code.get(at)?;
    let begun = program.routines.rows().iter().filter(|routine| routine.start.0 <= at.0);
    begun.max_by_key(|routine| routine.start.0).map(|routine| routine.name.cites)
}

impl History {
    /// The event for which a rule with an event runs: the oldest one that fits and for which the rule has not run yet.
    fn heard_by(&self, view: &View<'_>, rule: RuleId, player: Player) -> Option<usize> {
        let def = view.program.rules.get(rule)?;
        let pattern = def.event?;
        let local = [Value::Player(player)];
        let locals = if def.each_player { local.as_slice() } else { &[] };
        let is_it = |step: &Step| matches!(step, Step::Rule(of, whose) if *of == rule && (*whose == player || !def.each_player));
        let oldest = self.kept.len().saturating_sub(FAR);
        let ran = self.kept.iter().rev().take(FAR).find(|kept| is_it(&kept.traced.step)).and_then(|kept| kept.for_it);
        let from = ran.map_or(oldest, |ran| ran + 1).max(oldest);
        self.kept
            .get(from..)?
            .iter()
            .position(|kept| match &kept.traced.step {
                Step::Performed(verb, args, cause) => {
                    let mut eval = Eval::new(view.program, view.state, locals, &self.lists, player, Value::Undefined);
                    eval.bound(pattern, Happening { verb: *verb, args, lists: &self.lists, cause: *cause }).is_some()
                }
                _ => false,
            })
            .map(|at| from + at)
    }

    /// The step that caused a step.
    fn called_for(&mut self, view: &View<'_>, traced: &Traced, instead: bool) -> Option<usize> {
        match &traced.step {
            Step::Rule(rule, player) => {
                if let Some(heard) = self.heard_by(view, *rule, *player) {
                    return Some(heard);
                }
                if let Some(turned) = self.turned_by(view, (*rule, *player)) {
                    return turned;
                }
                let event = self.event_before(view.program, Some(*player));
                // A state that was set since the event is no event itself, but rules with a condition may react to it.
                let (event, set) = match known_reads(view.program, *rule) {
                    Some(reads) => (event.map(|event| self.change_up_to(view.program, event, reads)), self.set_before(view.program, reads)),
                    None => (event, self.kept.iter().rposition(|kept| kept.set)),
                };
                set.filter(|set| event.is_none_or(|event| event < *set)).or(event)
            }
            Step::Waits(number, later) => {
                let pending = view.state.events.waiting(*number)?;
                if let Waits::PutBy(_) | Waits::Announced(_) = pending.waits {
                    return None;
                }
                if let Some(number) = state_trigger(view, pending) {
                    // The change before need not have to do with the state.
                    return self.turned_by_state(view, number);
                }
                let heard = if *later > 0 { self.move_before(usize::from(*later)) } else { None };
                heard.or_else(|| self.event_before(view.program, None))
            }
            Step::Ability { ability: None, .. } if instead => {
                self.kept.iter().rposition(|kept| matches!(kept.traced.step, Step::NotPerformed(_, _, Why::Replaced(_))))
            }
            Step::Ability { number: Some(number), .. } => {
                let at = self.waiting.iter().position(|(waiting, _)| waiting == number)?;
                Some(self.waiting.remove(at).1)
            }
            _ => None,
        }
    }

    /// The move after which `later` other moves were told.
    fn move_before(&self, later: usize) -> Option<usize> {
        let moves = |step: &Step| matches!(step, Step::Performed(verb, ..) if *verb == Builtin::Move.verb());
        self.kept.iter().enumerate().rev().filter(|(_, kept)| moves(&kept.traced.step)).nth(later).map(|(at, _)| at)
    }

    /// The last event. If several happened together, one that is about this player.
    fn event_before(&self, program: &Program, player: Option<Player>) -> Option<usize> {
        let events = || self.kept.iter().enumerate().rev().filter(|(_, kept)| matches!(kept.traced.step, Step::Performed(..)));
        let about = |kept: &Kept| {
            let Step::Performed(_, args, _) = &kept.traced.step else { return false };
            let of = |arg: &Value| match arg {
                Value::Player(player) => Some(*player),
                Value::Zone(place) => zone_of(program, *place).1,
                _ => None,
            };
            player.is_some() && args.iter().any(|arg| of(arg) == player)
        };
        let last = events().next()?;
        let near = events().take_while(|(at, _)| at + TOGETHER > last.0).find(|(_, kept)| about(kept));
        Some(near.unwrap_or(last).0)
    }

    /// The last event, up to this one, that moved a card or set a state that a condition reads. An action with an empty body changes
    /// nothing, so it cannot have made the condition true.
    fn change_up_to(&self, program: &Program, event: usize, reads: &Reads) -> usize {
        let moved = |step: &Step| matches!(step, Step::Performed(verb, ..) if Builtin::ALL.iter().any(|builtin| builtin.verb() == *verb));
        let changes = |at: &usize| {
            let Some(step @ Step::Performed(..)) = self.kept.get(*at).map(|kept| &kept.traced.step) else { return false };
            let inside = self.begun(*at).and_then(|begun| self.kept.get(begun + 1..*at)).unwrap_or_default();
            moved(step) || inside.iter().any(|kept| sets(program, kept, reads) || moved(&kept.traced.step))
        };
        (0..=event).rev().find(changes).unwrap_or(event)
    }

    /// The last statement that set a state or pool that a condition reads.
    fn set_before(&self, program: &Program, reads: &Reads) -> Option<usize> {
        self.kept.iter().rposition(|kept| sets(program, kept, reads))
    }

    /// The events with their places, the oldest first.
    pub fn events(&self) -> impl Iterator<Item = (usize, &Step)> {
        self.kept.iter().enumerate().map(|(at, kept)| (at, &kept.traced.step)).filter(|(_, step)| matches!(step, Step::Performed(..)))
    }

    /// The members of lists among the arguments.
    #[must_use]
    pub fn lists(&self) -> &[Value] {
        &self.lists
    }

    /// The present place in the history, to return to it later.
    #[must_use]
    pub fn mark(&self) -> Mark {
        let Self { kept, lists, open, forked, rules, waiting, truths, turned, by_effects, grounds, effects, .. } = self;
        let (open, truths) = ((open.clone(), forked.clone()), truths.clone());
        let (rules, waiting, effects) = (rules.clone(), waiting.clone(), effects.clone());
        let (kept, lists, turned, by_effects, grounds) = (kept.len(), lists.len(), turned.len(), by_effects.len(), grounds.len());
        Mark { kept, lists, open, rules, waiting, truths, turned, by_effects, grounds, effects }
    }

    /// Forgets everything after a mark, because a player takes back.
    pub fn take_back(&mut self, mark: Mark) {
        // Nothing goes on after the end of a game, so no action was interrupted before the mark.
        self.cut.clear();
        self.kept.truncate(mark.kept);
        self.lists.truncate(mark.lists);
        (self.open, self.forked) = mark.open;
        self.rules = mark.rules;
        self.waiting = mark.waiting;
        self.truths = mark.truths;
        self.turned.truncate(mark.turned);
        self.by_effects.truncate(mark.by_effects);
        self.grounds.truncate(mark.grounds);
        self.effects = mark.effects;
        (self.setting, self.unsettled) = (None, None);
    }

    /// The chain of causes of an event, up to the flow. Secret decisions of players other than the reader stay secret.
    #[must_use]
    pub fn chain(&self, program: &Program, event: usize, reader: Option<Player>) -> Answer {
        let mut answer = Answer { lists: self.lists.clone(), ..Answer::default() };
        let mut at = event;
        let mut depth = 0;
        let performed = self.kept.get(at).and_then(|kept| match &kept.traced.step {
            Step::Performed(verb, args, _) => Some((*verb, args)),
            _ => None,
        });
        if let Some((verb, args)) = performed.or_else(|| self.action(at).map(|(verb, args, _)| (verb, args))) {
            answer.say(depth, Fact::Event(verb, *args), self.cites(program, at));
        }
        // The steps on the way, the last one first: a rule acts for the cards that they name.
        let mut below = Vec::new();
        for _ in 0..LONGEST {
            depth += 1;
            self.decision(program, at, depth, reader, &mut answer);
            below.insert(0, at);
            self.grounds_of(program, (&below, reader), depth, &mut answer);
            let Some(next) = self.link(program, (&below, reader), &mut depth, &mut answer) else { break };
            at = next;
        }
        rounds::fold(&mut answer);
        self.ending(program, event, &mut answer);
        answer
    }

    /// Adds a verdict, and how the game ended by it.
    fn ending(&self, program: &Program, event: usize, answer: &mut Answer) {
        let Some(Step::Performed(verb, ..)) = self.kept.get(event).map(|kept| &kept.traced.step) else { return };
        if ![Builtin::Lose.verb(), Builtin::Win.verb()].contains(verb) {
            return self.loop_without_end(program, event, answer);
        }
        let over = self.kept.iter().skip(event).position(|kept| matches!(kept.traced.step, Step::Over(_)));
        if let Some(at) = over.map(|after| event + after)
            && let Some(Step::Over(outcome)) = self.kept.get(at).map(|kept| &kept.traced.step)
        {
            let before = (0..at).rev().find(|at| self.kept.get(*at).is_some_and(|kept| !kept.set && !kept.traced.step.is_aside()));
            let before = before.filter(|at| matches!(self.kept.get(*at).map(|kept| &kept.traced.step), Some(Step::Statement(_))));
            let cites = self.cites(program, at).into_iter().chain(before.into_iter().flat_map(|at| self.cites(program, at)));
            answer.say(0, Fact::Over(*outcome), cites);
        }
    }

    /// Adds that an event was part of the loop by which the game ended: nobody has decided anything between the event and the end.
    fn loop_without_end(&self, program: &Program, event: usize, answer: &mut Answer) {
        let after = self.kept.iter().enumerate().skip(event);
        for (at, kept) in after {
            match &kept.traced.step {
                Step::Decides { forced: false, .. } => return,
                Step::Circle => answer.say(0, Fact::Circle, self.cites(program, at)),
                Step::Over(outcome) if answer.lines.iter().any(|line| line.fact == Fact::Circle) => {
                    answer.say(0, Fact::Over(*outcome), self.cites(program, at));
                }
                _ => {}
            }
        }
    }

    /// The chosen members that were no longer legal when their ability was performed or dropped, with the reasons and the rules.
    pub fn unfit(&self, program: &Program) -> impl Iterator<Item = (Value, Unfit, Vec<CitesId>)> {
        self.kept.iter().enumerate().filter_map(|(at, kept)| match &kept.traced.step {
            Step::Unfit { what, why, .. } => Some((*what, *why, self.cites(program, at))),
            _ => None,
        })
    }

    fn cites(&self, program: &Program, at: usize) -> Vec<CitesId> {
        let Some(kept) = self.kept.get(at) else { return Vec::new() };
        let bare = program.code_cites.get(kept.traced.at).is_some_and(|cites| *cites == CitesId::default());
        let around = if bare { self.condition_of(at) } else { None };
        let also = match &kept.traced.step {
            Step::Began(verb, ..) | Step::Processes(verb, _) | Step::Performed(verb, ..) => {
                program.verbs.get(*verb).map(|verb| verb.name.cites)
            }
            Step::Waits(..) => kept.kind,
            Step::Ability { ability: Some(ability), .. } => return super::rules_of_ability(program, *ability),
            Step::Decides { choice, .. } => program.choices.get(*choice).map(|choice| choice.declared_cites),
            _ => None,
        };
        std::iter::once(kept.traced.cites).chain(around).chain(also).chain(self.rules_of_calls(program, at)).collect()
    }

    /// The rules of the control-flow statement directly before a statement without rules.
    fn condition_of(&self, at: usize) -> Option<CitesId> {
        let kept = self.kept.get(at)?;
        let beside = self.kept.get(..at)?.iter().rev().take_while(|before| before.traced.branch == kept.traced.branch);
        let silent = |step: &Step| step.is_aside() || matches!(step, Step::Verdict(..));
        let mut beside = beside.filter(|before| !before.set && before.within == kept.within && !silent(&before.traced.step));
        beside.next().filter(|before| matches!(before.traced.step, Step::Statement(_))).map(|before| before.traced.cites)
    }

    /// Adds the cause of a step. Gives the step to go on with.
    fn link(&self, program: &Program, (below, reader): (&[usize], Option<Player>), depth: &mut u8, answer: &mut Answer) -> Option<usize> {
        let at = *below.first()?;
        let kept = self.kept.get(at)?;
        let Some(within) = kept.within else {
            answer.say(*depth, Fact::Flow(kept.turn, kept.phase), self.of_flow(program, kept));
            return None;
        };
        let outer = self.kept.get(within)?;
        if let Some((card, you)) = self.begins_payment(at) {
            let heard = kept.pays.and_then(|waits| self.kept.get(waits)).and_then(|waits| waits.for_it);
            answer.say(*depth, Fact::Pays(card, you, heard.is_some()), []);
            if let Some(heard) = heard {
                return self.called_by_event(program, Some(heard), depth, answer).or(Some(within));
            }
            *depth += 1;
        }
        let cites = self.cites(program, within);
        match &outer.traced.step {
            Step::Began(verb, args, _) | Step::Processes(verb, args) => {
                answer.say(*depth, Fact::PartOf(*verb, *args), cites);
                if let Some(cause) = self.declared_cause(within) {
                    answer.say(*depth + 1, cause, []);
                }
            }
            Step::Rule(rule, player) => {
                let cause = self.turned_for(within, below).unwrap_or(outer.for_it);
                let line = answer.lines.len();
                answer.say(*depth, Fact::Rule(*rule, *player, cause.is_some()), cites);
                self.grounds_of_rule(program, within, (below, reader), *depth + 1, answer);
                self.say_effects(program, self.effects_for(within, below), *depth + 1, answer);
                let follows = answer.lines.len() > line + 1;
                if let Some(Fact::Rule(.., known)) = answer.lines.get_mut(line).map(|line| &mut line.fact) {
                    *known |= follows;
                }
                let event = self.called_by_event(program, cause, depth, answer);
                return event.or_else(|| self.outside_of_branch(program, within, depth, answer));
            }
            Step::Ability { card, ability: ability @ Some(_), you, .. } => {
                answer.say(*depth, Fact::Ability(*card, *ability, *you), cites);
                self.say_giver(program, within, *depth + 1, answer);
            }
            Step::Ability { card, ability: None, you, waited, .. } => {
                let caller = outer.for_it.and_then(|step| self.kept.get(step).map(|kept| (step, kept)));
                let Some((step, caller)) = caller else {
                    answer.say(*depth, Fact::Ability(*card, None, *you), cites);
                    return Some(within);
                };
                match &caller.traced.step {
                    Step::NotPerformed(verb, args, _) => {
                        // The rules of the effect, and those of the statement that would have been carried out.
                        let replaced = program.code_cites.get(caller.traced.at).copied();
                        answer.say(*depth, Fact::Instead(*verb, *args, *card), cites.into_iter().chain(replaced));
                    }
                    _ if caller.for_it.is_some() => {
                        // The rules of the place where waiting abilities are performed, including those of this ability's kind.
                        let waking = outer.within.and_then(|step| self.kept.get(step)).and_then(|kept| body_of(program, kept.traced.at));
                        let cites = cites.into_iter().chain(self.cites(program, step)).chain(waking);
                        answer.say(*depth, Fact::Triggered(*card, *you), cites);
                        self.say_giver(program, step, *depth + 1, answer);
                        self.say_effects(program, self.effects_for(step, &[]), *depth + 1, answer);
                        return self.called_by_event(program, caller.for_it, depth, answer);
                    }
                    _ => match waited {
                        Some(kind) => answer.say(*depth, Fact::Waited(*card, *kind, *you), cites),
                        None => answer.say(*depth, Fact::PutBy(*card, *you), cites),
                    },
                }
                return Some(step);
            }
            _ => {}
        }
        Some(within)
    }

    /// The step to go on with, for a rule whose cause is not known. If the rule runs in a branch beside others, the rule need not have to do
    /// with this branch: then the action around all branches is told.
    fn outside_of_branch(&self, program: &Program, rule: usize, depth: &mut u8, answer: &mut Answer) -> Option<usize> {
        let branch = |at: &usize| self.kept.get(*at).map_or(0, |kept| kept.traced.branch);
        let own = branch(&rule);
        if own == 0 {
            return Some(rule);
        }
        let outer = std::iter::successors(Some(rule), |at| self.parent(*at)).find(|at| branch(at) != own)?;
        if let Some((verb, args, _)) = self.action(outer) {
            *depth += 1;
            answer.say(*depth, Fact::PartOf(verb, *args), self.cites(program, outer));
        }
        Some(outer)
    }

    /// Adds the effect that has given a card the ability of a step.
    fn say_giver(&self, program: &Program, step: usize, depth: u8, answer: &mut Answer) {
        let giver = self.kept.get(step).and_then(|kept| kept.giver).and_then(|number| self.effect(number));
        if let Some(effect) = giver {
            answer.say(depth, Fact::GivenBy(Influence::of(effect)), super::rules_of_effect(program, effect));
        }
    }

    /// Adds the effects whose beginning or end turned a condition.
    fn say_effects(&self, program: &Program, steps: &[usize], depth: u8, answer: &mut Answer) {
        for kept in steps.iter().filter_map(|step| self.kept.get(*step)) {
            let (Step::EffectBegins(number) | Step::EffectEnds(number)) = kept.traced.step else { continue };
            let Some(effect) = self.effect(number) else { continue };
            let by = Influence::of(effect);
            let fact = if matches!(kept.traced.step, Step::EffectEnds(_)) { Fact::Ended(by) } else { Fact::Began(by) };
            answer.say(depth, fact, std::iter::once(kept.traced.cites).chain(super::rules_of_effect(program, effect)));
        }
    }

    fn called_by_event(&self, program: &Program, cause: Option<usize>, depth: &mut u8, answer: &mut Answer) -> Option<usize> {
        let step = cause?;
        let of_effect = |step: &Step| matches!(step, Step::EffectBegins(_) | Step::EffectEnds(_));
        if self.kept.get(step).is_some_and(|kept| kept.set || of_effect(&kept.traced.step)) {
            return Some(step);
        }
        let Some(Step::Performed(verb, args, _)) = self.kept.get(step).map(|kept| &kept.traced.step) else { return None };
        *depth += 1;
        answer.say(*depth, Fact::Event(*verb, *args), self.cites(program, step));
        Some(step)
    }

    /// Whether a yes was asked for what a step did: the step stands in the block of the question, or the step was replaced.
    fn is_agreed(&self, program: &Program, asked: &Kept, at: usize) -> bool {
        match program.code.get(asked.traced.at) {
            Some(Op::May { otherwise, .. } | Op::Try { otherwise, .. }) => {
                let inside = |(_, pc): (usize, Pc)| asked.traced.at.0 < pc.0 && pc.0 < otherwise.0;
                self.calls_to(program, at).any(inside)
            }
            _ => matches!(self.kept.get(at).map(|kept| &kept.traced.step), Some(Step::NotPerformed(..))),
        }
    }

    /// The rules of the phase and of the statement.
    fn of_flow(&self, program: &Program, kept: &Kept) -> Vec<CitesId> {
        kept.phase.and_then(|phase| program.phases.get(phase)).map(|phase| phase.name.cites).into_iter().collect()
    }

    /// Adds the decision in which a card of the step was chosen, or in which the step itself was chosen.
    fn decision(&self, program: &Program, at: usize, depth: u8, reader: Option<Player>, answer: &mut Answer) {
        let Some(kept) = self.kept.get(at) else { return };
        let (Step::Performed(_, args, _) | Step::Began(_, args, _) | Step::Processes(_, args) | Step::NotPerformed(_, args, _)) =
            &kept.traced.step
        else {
            return;
        };
        let named = |pick: &Value| {
            let Value::Object { id, .. } = pick else { return false };
            let is = |value: &Value| matches!(value, Value::Object { id: of, .. } if of == id);
            args.iter().any(|arg| match arg {
                Value::List { start, len } => {
                    let members = listed(&self.lists, *start, *len);
                    members.iter().any(is)
                }
                arg => is(arg),
            })
        };
        // A decision inside of the action came after its beginning. So it has not chosen the action.
        for (step, before) in self.kept.iter().enumerate().take(self.begun(at).unwrap_or(at)).rev() {
            if kept.within.is_some_and(|within| step < within) || before.turn != kept.turn {
                return;
            }
            let Step::Decides { player, choice, picks, secret, forced, .. } = &before.traced.step else { continue };
            // A yes is a reason for what stands in its block, and for a replacement. A card that was picked inside of another action was
            // picked for that action.
            let beside = before.within == kept.within;
            let agreed = beside && picks.as_slice() == [Value::Bool(true)] && self.is_agreed(program, before, at);
            if !forced && before.traced.branch == kept.traced.branch && (agreed || beside && picks.iter().any(named)) {
                let told = !*secret || reader.is_none_or(|reader| reader == *player);
                let picks = if told { picks.clone() } else { Vec::new() };
                return answer.say(depth, Fact::Decided(*player, *choice, picks, !told), self.cites(program, step));
            }
        }
    }
}
