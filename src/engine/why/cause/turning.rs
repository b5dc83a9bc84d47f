//! Finds the change by which the condition of a rule without an event became true, for each member of the condition (see `since.rs`).
//!
//! A state is told before it is set, everything else after it has happened. The moves of a batch are told one after the other, when all are
//! done: so the change may also be told shortly after the first step at which the condition was true.

use super::since::Truth;
use super::{History, Kept};
use crate::eval::Eval;
use crate::fault::listed;
use crate::ids::{Pc, RuleId};
use crate::program::{Builtin, ClauseKind, Program};
use crate::state::Effect;
use crate::state::board::zone_of;
use crate::steps::{Step, View};
use crate::value::{Player, Value};

impl History {
    /// The cause of a rule without an event that is about to be noted: the change by which its condition became true for the member that came
    /// last. The changes for all members are noted. None if it is not known when the condition became true.
    pub(super) fn turned_by(&mut self, view: &View<'_>, (rule, player): (RuleId, Player)) -> Option<Option<usize>> {
        let program = view.program;
        let def = program.rules.get(rule).filter(|def| def.event.is_none())?;
        let truths: Vec<Truth> = self.truths.of(rule, player, def.each_player).copied().collect();
        let last = truths.iter().max_by_key(|truth| truth.from)?.from;
        let now = self.kept.len();
        let mut cause = None;
        for truth in truths {
            let found = self.turning_change(program, &truth, def.each_player.then_some(player));
            let turned = found.map(|found| self.led_to(found));
            let effects = found.map(|found| self.effects_that_turned(view, found, truth.member)).unwrap_or_default();
            if !effects.is_empty() {
                self.by_effects.push((now, truth.member, effects));
            }
            self.turned.push((now, truth.member, turned));
            if truth.from == last {
                cause = cause.or(turned);
            }
        }
        Some(cause.or_else(|| self.turned_in_part(program, (rule, player), def.each_player)))
    }

    /// For a condition that became true as a whole by something that is no change: the last change by which an operand of its `and` became
    /// true.
    fn turned_in_part(&self, program: &Program, (rule, player): (RuleId, Player), each_player: bool) -> Option<usize> {
        let mut parts: Vec<Truth> = self.truths.operands_of(rule, player, each_player).copied().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.from));
        parts.iter().find_map(|part| self.turning(program, part, each_player.then_some(player)))
    }

    /// The cause of a rule for the cards that the steps `below` it name, the nearest step first. None if the rule noted none for them.
    pub(super) fn turned_for(&self, rule: usize, below: &[usize]) -> Option<Option<usize>> {
        let of_rule = || self.turned.iter().filter(|(step, ..)| *step == rule);
        let named = |step: &usize| {
            let args = args_of(&self.kept.get(*step)?.traced.step)?;
            of_rule().find(|(_, member, _)| self.names(args, *member)).map(|(.., turned)| *turned)
        };
        let inside = below.iter().take_while(|step| **step > rule);
        if let Some(turned) = inside.into_iter().find_map(named) {
            return Some(turned);
        }
        // The rule acts for something else. If its members have several causes, it is not known which one counts.
        let first = of_rule().next()?.2;
        if of_rule().all(|(.., turned)| *turned == first) { None } else { Some(None) }
    }

    /// The cause of an ability about a state that is about to wait: the change by which its condition became true for the member that came
    /// last. The effects that turned the condition are noted.
    pub(super) fn turned_by_state(&mut self, view: &View<'_>, effect: u32) -> Option<usize> {
        let last = self.truths.of_effect(effect).max_by_key(|truth| truth.from).copied()?;
        let found = self.turning_change(view.program, &last, None)?;
        let effects = self.effects_that_turned(view, found, last.member);
        if !effects.is_empty() {
            self.by_effects.push((self.kept.len(), last.member, effects));
        }
        Some(self.led_to(found))
    }

    /// The effects whose beginning or end turned the condition of a step for the cards that the steps `below` it name.
    pub(super) fn effects_for(&self, step: usize, below: &[usize]) -> &[usize] {
        let of_step = || self.by_effects.iter().filter(|(of, ..)| *of == step);
        let named = |at: &usize| {
            let args = args_of(&self.kept.get(*at)?.traced.step)?;
            of_step().find(|(_, member, _)| self.names(args, *member))
        };
        let mut inside = below.iter().take_while(|at| **at > step);
        let only = || of_step().next().filter(|(_, member, _)| of_step().count() == 1 && *member == Value::Undefined);
        inside.find_map(named).or_else(only).map(|(.., effects)| effects.as_slice()).unwrap_or_default()
    }

    /// The effects that began or ended with a change. Of several effects only those that change the member are given.
    fn effects_that_turned(&self, view: &View<'_>, change: usize, member: Value) -> Vec<usize> {
        let is_end = |kept: &Kept| match kept.traced.step {
            Step::EffectBegins(number) => Some((number, false)),
            Step::EffectEnds(number) => Some((number, true)),
            _ => None,
        };
        let Some((kept, (_, ends))) = self.kept.get(change).and_then(|kept| Some((kept, is_end(kept)?))) else { return Vec::new() };
        let beside = |at: &usize| {
            self.kept.get(*at).is_some_and(|other| is_end(other).is_some_and(|(_, end)| end == ends) && other.traced.at == kept.traced.at)
        };
        let before = (0..change).rev().take_while(beside);
        let after = (change + 1..self.kept.len()).take_while(beside);
        let mut all: Vec<usize> = before.chain([change]).chain(after).collect();
        all.sort_unstable();
        let affects = |at: &usize| {
            let (number, _) = self.kept.get(*at).and_then(is_end)?;
            let effect = self.effect(number)?;
            let clause = view.program.clauses.get(effect.clause)?;
            let ClauseKind::Modify { what, .. } = clause.kind else { return None };
            let mut eval = Eval::new(view.program, view.state, &[], &[], effect.you, effect.source);
            Some(eval.applies(effect, clause.condition, what, member))
        };
        if all.len() > 1 {
            all.retain(|at| affects(at) == Some(true));
        }
        all
    }

    /// An effect that is or was in force.
    pub(super) fn effect(&self, number: u32) -> Option<&Effect> {
        let at = self.effects.binary_search_by_key(&number, |known| known.number).ok()?;
        self.effects.get(at).map(AsRef::as_ref)
    }

    /// The change by which a condition became true, or what led to it.
    fn turning(&self, program: &Program, truth: &Truth, player: Option<Player>) -> Option<usize> {
        self.turning_change(program, truth, player).map(|found| self.led_to(found))
    }

    /// The event that led to a change, if the change came by itself.
    fn led_to(&self, found: usize) -> usize {
        self.turned_with(found).unwrap_or_else(|| self.before_effect(found))
    }

    /// The change by which a condition became true.
    fn turning_change(&self, program: &Program, truth: &Truth, player: Option<Player>) -> Option<usize> {
        let falsely = truth.falsely?;
        // The rest of the batch.
        let later = self.kept.get(truth.from..).unwrap_or_default().iter().take_while(|kept| is_change(kept)).count();
        let in_time = |at: usize, kept: &Kept| if kept.set { at < truth.from } else { at > falsely };
        let changes = |at: &usize| self.kept.get(*at).is_some_and(|kept| is_change(kept) && in_time(*at, kept));
        let window: Vec<usize> = (falsely..truth.from + later).filter(changes).collect();
        // An effect that begins or ends by itself does so because of another change. A declared action that is told as done is no change by
        // itself: its parts have been told.
        let is = |test: fn(&Kept) -> bool| move |at: &usize| self.kept.get(*at).is_some_and(test);
        let only = |test: fn(&Kept) -> bool| window.iter().copied().filter(is(test)).collect::<Vec<usize>>();
        let part: fn(&Kept) -> bool = |kept| !by_itself(kept) && (kept.set || is_built_in(&kept.traced.step));
        let parts = only(part);
        if parts.is_empty()
            && let Some(change) = self.before_condition((falsely, truth.from))
        {
            return Some(change);
        }
        let sorts = [parts, only(|kept| !by_itself(kept)), window.clone()];
        let events = sorts.into_iter().find(|sort| !sort.is_empty()).unwrap_or_default();
        let args = |at: &usize| self.kept.get(*at).and_then(|kept| args_of(&kept.traced.step));
        let of_member = events.iter().rfind(|at| args(at).is_some_and(|args| self.names(args, truth.member)));
        let found = match (of_member, events.as_slice()) {
            (Some(own), _) => *own,
            (None, []) => return None,
            (None, [only]) => *only,
            // The condition is about no member, so each of these changes is a part of the cause: the last one that is about the player.
            (None, several @ [.., last]) if truth.member == Value::Undefined => {
                let about = |args: &[Value]| args.iter().any(|arg| owner(program, *arg) == player);
                *several.iter().rfind(|at| player.is_some() && args(at).is_some_and(about)).unwrap_or(last)
            }
            // Several changes that do not name the member: it is not known which one it was, unless all are of one action.
            (None, [first, rest @ ..]) => {
                let around = |at: &usize| self.parent(*at);
                let statement = |at: &usize| self.kept.get(*at).filter(|kept| is_of_effect(kept)).map(|kept| kept.traced.at);
                let of_one = statement(first).is_some() && rest.iter().all(|at| statement(at) == statement(first));
                let together = of_one || around(first).is_some() && rest.iter().all(|at| around(at) == around(first));
                together.then_some(*first)?
            }
        };
        Some(found)
    }

    /// For a state that an action set: the end of this action, if the action has been told as done.
    fn turned_with(&self, set: usize) -> Option<usize> {
        let kept = self.kept.get(set).filter(|kept| kept.set)?;
        let after = self.kept.iter().enumerate().skip(set + 1);
        let mut done = after.filter(|(_, kept)| matches!(kept.traced.step, Step::Performed(..))).map(|(at, _)| at);
        done.find(|at| kept.within.is_some() && self.begun(*at) == kept.within)
    }

    /// For an effect whose condition turned between two steps: the change directly before it, by which the condition turned. Of a batch only
    /// the last change of one action is given, because it is not known which of several actions it was.
    fn before_condition(&self, (after, until): (usize, usize)) -> Option<usize> {
        let turned =
            (after + 1..=until).find(|at| self.kept.get(*at).is_some_and(|kept| matches!(kept.traced.step, Step::Condition { .. })))?;
        let before = self.kept.get(..turned).unwrap_or_default().iter().enumerate().rev();
        let told = before.filter(|(_, kept)| !kept.traced.step.is_aside());
        let changes = told.take_while(|(_, kept)| is_change(kept)).filter(|(_, kept)| !by_itself(kept));
        let mut parts = changes.filter(|(_, kept)| kept.set || is_built_in(&kept.traced.step));
        let (last, kept) = parts.next()?;
        parts.all(|(_, other)| other.within.is_some() && other.within == kept.within).then_some(last)
    }

    /// For an effect that begins or ends by itself: the event directly before it, by which it did so.
    fn before_effect(&self, at: usize) -> usize {
        if !self.kept.get(at).is_some_and(by_itself) {
            return at;
        }
        let before = self.kept.get(..at).unwrap_or_default();
        let aside = |kept: &Kept| by_itself(kept) || kept.traced.step.is_aside();
        let Some(event) = before.iter().rposition(|kept| !aside(kept)) else { return at };
        let is_event = |kept: &Kept| matches!(kept.traced.step, Step::Performed(..));
        let (last, other) = (self.kept.get(event), event.checked_sub(1).and_then(|other| self.kept.get(other)));
        // If several events happened together, it is not known which one it was.
        if last.is_some_and(is_event) && !other.is_some_and(is_event) { event } else { at }
    }

    /// Whether a card or another member is among arguments.
    pub(super) fn names(&self, args: &[Value], member: Value) -> bool {
        let same = |value: &Value| match (value, member) {
            (Value::Object { id, .. }, Value::Object { id: of, .. }) => *id == of,
            (value, member) => *value == member && member != Value::Undefined,
        };
        args.iter().any(|arg| match arg {
            Value::List { start, len } => listed(&self.lists, *start, *len).iter().any(same),
            arg => same(arg),
        })
    }
}

/// Whether a step tells that an effect begins or ends, and no statement says so: its card has come or gone.
fn by_itself(kept: &Kept) -> bool {
    kept.traced.at == Pc::NOWHERE && kept.within.is_none() && is_of_effect(kept)
}

/// Whether a step tells that an effect begins or ends.
fn is_of_effect(kept: &Kept) -> bool {
    matches!(kept.traced.step, Step::EffectBegins(_) | Step::EffectEnds(_))
}

/// Whether a step is told for something that changed.
fn is_change(kept: &Kept) -> bool {
    kept.set || matches!(kept.traced.step, Step::Performed(..) | Step::EffectBegins(_) | Step::EffectEnds(_))
}

fn is_built_in(step: &Step) -> bool {
    match step {
        Step::Performed(verb, ..) => Builtin::ALL.iter().any(|builtin| builtin.verb() == *verb),
        step => matches!(step, Step::EffectBegins(_) | Step::EffectEnds(_)),
    }
}

pub(super) fn args_of(step: &Step) -> Option<&[Value]> {
    match step {
        Step::Performed(_, args, _) | Step::Began(_, args, _) | Step::Processes(_, args) => Some(args),
        _ => None,
    }
}

/// The player whom an argument is about.
fn owner(program: &Program, arg: Value) -> Option<Player> {
    match arg {
        Value::Player(player) => Some(player),
        Value::Zone(place) => zone_of(program, place).1,
        _ => None,
    }
}
