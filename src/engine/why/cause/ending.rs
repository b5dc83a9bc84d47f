//! Finds what the end of a game interrupted, what led to the end, and which action contained an event.

use super::{History, Kept, closest};
use crate::ids::VerbId;
use crate::state::{Cause, MOST_ARGUMENTS};
use crate::steps::Step;
use crate::value::Value;
use std::collections::BTreeSet;

/// An action, its arguments, and its cause if this is known.
pub type Done<'a> = (VerbId, &'a [Value; MOST_ARGUMENTS], Cause);

impl History {
    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.kept.len()
    }

    /// The step that contains a step.
    #[must_use]
    pub fn parent(&self, at: usize) -> Option<usize> {
        self.kept.get(at)?.within
    }

    /// The step that caused a step.
    #[must_use]
    pub fn caller(&self, at: usize) -> Option<usize> {
        self.kept.get(at)?.for_it
    }

    /// The step in which an action began, for an action that has just happened: the last beginning of this action with the same container.
    /// Branches that run together have one container, so a beginning in the branch of the event comes first, and there one with the same
    /// arguments.
    #[must_use]
    pub fn begun(&self, at: usize) -> Option<usize> {
        let happened = self.kept.get(at)?;
        let Step::Performed(verb, args, _) = &happened.traced.step else { return None };
        let from = happened.within.unwrap_or(0);
        let closeness = |kept: &Kept| match &kept.traced.step {
            Step::Began(of, with, _) | Step::Processes(of, with) if of == verb && kept.within == happened.within => {
                Some((kept.traced.branch == happened.traced.branch, self.are_alike(with, args)))
            }
            _ => None,
        };
        closest(self.kept.get(from..at)?, closeness, (true, true)).map(|found| found + from)
    }

    /// Whether two actions have the same arguments.
    fn are_alike(&self, some: &[Value], other: &[Value]) -> bool {
        let members = |start: u32, len: u16| self.lists.get(start as usize..start as usize + usize::from(len));
        let alike = |(one, other): (&Value, &Value)| match (*one, *other) {
            (Value::List { start, len }, Value::List { start: from, len: count }) => members(start, len) == members(from, count),
            (one, other) => one == other,
        };
        some.len() == other.len() && some.iter().zip(other).all(alike)
    }

    /// The innermost action that contains a step.
    #[must_use]
    pub fn part_of(&self, at: usize) -> Option<Done<'_>> {
        let around = std::iter::successors(self.parent(at), |outer| self.parent(*outer));
        around.into_iter().find_map(|outer| self.action(outer))
    }

    /// The actions that the end of the game interrupted, each with its step, the outer ones first. They count as having happened so far.
    pub fn cut_off(&self) -> impl Iterator<Item = (usize, Done<'_>)> {
        self.cut.iter().filter_map(|at| Some((*at, self.action(*at)?)))
    }

    pub(super) fn action(&self, at: usize) -> Option<Done<'_>> {
        match &self.kept.get(at)?.traced.step {
            Step::Began(verb, args, cause) => Some((*verb, args, *cause)),
            Step::Processes(verb, args) => Some((*verb, args, Cause::Rule)),
            _ => None,
        }
    }

    /// Notes the open actions as interrupted, because the game is judged or over. Then no call is open any more.
    pub(super) fn cut(&mut self) {
        let open = self.open.iter().flatten().map(|(_, step)| *step);
        let begun: BTreeSet<usize> = open.filter(|step| self.action(*step).is_some()).collect();
        self.cut.extend(begun);
        self.open.clear();
        self.forked.clear();
        self.rules.clear();
    }

    /// The statements before a step in the same body. Conditions of the step are among them.
    fn conditions(&self, at: usize) -> impl Iterator<Item = usize> {
        let (within, branch) = self.kept.get(at).map_or((None, 0), |kept| (kept.within, kept.traced.branch));
        let beside = self.kept.iter().enumerate().take(at).skip(within.unwrap_or(at));
        let condition = |step: &Step| matches!(step, Step::Statement(_) | Step::Operand(..));
        let is = move |kept: &Kept| kept.within == within && kept.traced.branch == branch && condition(&kept.traced.step);
        beside.filter(move |(_, kept)| is(kept)).map(|(at, _)| at)
    }

    /// The steps by which the game ended: the steps of the judgement, and each verdict. With each verdict come the steps that contain it,
    /// the conditions before it, and the steps that caused these, up to the flow.
    #[must_use]
    pub fn of_the_end(&self) -> BTreeSet<usize> {
        let Some(over) = self.kept.iter().rposition(|kept| matches!(kept.traced.step, Step::Over(_))) else { return BTreeSet::new() };
        let judged = self.kept.iter().take(over).rposition(|kept| matches!(kept.traced.step, Step::Judged)).unwrap_or(over);
        // If the flow itself ends the game, the step before is the statement that does so.
        let mut left: Vec<usize> = (judged.saturating_sub(1)..=over).collect();
        left.extend(
            (0..judged)
                .filter(|at| matches!(self.kept.get(*at).map(|kept| &kept.traced.step), Some(Step::Verdict(..) | Step::Concedes(_)))),
        );
        let mut found = BTreeSet::new();
        while let Some(at) = left.pop() {
            if found.insert(at) {
                left.extend([self.parent(at), self.caller(at)].into_iter().flatten());
                left.extend(self.conditions(at));
            }
        }
        found
    }
}
