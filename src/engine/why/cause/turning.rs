//! Finds the change by which the condition of a rule without an event became true, for each member of the condition (see `since.rs`).
//!
//! A state is told before it is set, everything else after it has happened. The moves of a batch are told one after the other, when all are
//! done: so the change may also be told shortly after the first step at which the condition was true.

use super::since::Truth;
use super::{History, Kept};
use crate::engine::ids::RuleId;
use crate::engine::observe::Step;
use crate::engine::program::{Builtin, Program};
use crate::engine::state::board::zone_of;
use crate::engine::value::{Player, Value};

impl History {
    /// The cause of a rule without an event that is about to be noted: the change by which its condition became true for the member that came
    /// last. The changes for all members are noted. None if it is not known when the condition became true.
    pub(super) fn turned_by(&mut self, program: &Program, (rule, player): (RuleId, Player)) -> Option<Option<usize>> {
        let def = program.rules.get(rule).filter(|def| def.event.is_none())?;
        let truths: Vec<Truth> = self.truths.of(rule, player, def.each_player).copied().collect();
        let last = truths.iter().max_by_key(|truth| truth.from)?.from;
        let now = self.kept.len();
        let mut cause = None;
        for truth in truths {
            let turned = self.turning(program, &truth, def.each_player.then_some(player));
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

    /// The change by which a condition became true.
    fn turning(&self, program: &Program, truth: &Truth, player: Option<Player>) -> Option<usize> {
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
            return Some(self.turned_with(change).unwrap_or(change));
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
                let together = around(first).is_some() && rest.iter().all(|at| around(at) == around(first));
                together.then_some(*first)?
            }
        };
        Some(self.turned_with(found).unwrap_or_else(|| self.before_effect(found)))
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
    fn names(&self, args: &[Value], member: Value) -> bool {
        let same = |value: &Value| match (value, member) {
            (Value::Object { id, .. }, Value::Object { id: of, .. }) => *id == of,
            (value, member) => *value == member && member != Value::Undefined,
        };
        args.iter().any(|arg| match arg {
            Value::List { start, len } => {
                self.lists.get(*start as usize..*start as usize + usize::from(*len)).unwrap_or(&[]).iter().any(same)
            }
            arg => same(arg),
        })
    }
}

/// Whether a step tells that an effect begins or ends, outside of every action.
fn by_itself(kept: &Kept) -> bool {
    kept.within.is_none() && matches!(kept.traced.step, Step::EffectBegins(_) | Step::EffectEnds(_))
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

fn args_of(step: &Step) -> Option<&[Value]> {
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
