//! Finds the statements of the rules that called a step: the call of the action, the statement around it, and the calls of the procedures
//! in between, up to the body of the action, ability or rule that contains the step.
//!
//! A history keeps only statements with citations, so a call without citations is found by looking at the program: it must be the only
//! call of its procedure.

use super::History;
use crate::ids::{CitesId, Id, Pc, RoutineId};
use crate::program::{Builtin, Op, Program};
use crate::steps::Step;

/// The most procedures that are followed.
const LONGEST: usize = 8;

impl History {
    /// The rules of the statements that called an action, the innermost first.
    pub(super) fn rules_of_calls(&self, program: &Program, at: usize) -> Vec<CitesId> {
        let rules =
            self.calls_to(program, at).map(|(_, pc)| [program.code_cites.get(pc).copied().unwrap_or_default(), program.rules_around(pc)]);
        rules.flatten().collect()
    }

    /// The statements that called an action, each with its step, the innermost first.
    pub(super) fn calls_to<'a>(&'a self, program: &'a Program, at: usize) -> impl Iterator<Item = (usize, Pc)> + 'a {
        let caller = move |(step, pc): &(usize, Pc)| self.call_of(program, routine_of(program, *pc)?, *step);
        std::iter::successors(self.called_in(at), caller).take(LONGEST)
    }

    /// The step in which an action began, and the statement that called it. None for other steps.
    fn called_in(&self, at: usize) -> Option<(usize, Pc)> {
        let step = match self.kept.get(at)?.traced.step {
            Step::Performed(verb, ..) if !Builtin::ALL.iter().any(|builtin| builtin.verb() == verb) => self.begun(at)?,
            Step::Performed(..) | Step::Began(..) => at,
            _ => return None,
        };
        Some((step, self.kept.get(step)?.traced.at))
    }

    /// The call of a procedure that led to a step: the last one that was told, or the only one of the program. None if the routine is no
    /// procedure.
    fn call_of(&self, program: &Program, routine: RoutineId, step: usize) -> Option<(usize, Pc)> {
        let is_call = |pc: Pc| matches!(program.code.get(pc), Some(Op::Call { routine: of, .. }) if *of == routine);
        let kept = self.kept.get(step)?;
        // In a branch that runs together with others, a call of the branch itself comes before the calls of other branches.
        let closeness = |before: &super::Kept| {
            let own = before.traced.branch == kept.traced.branch;
            let is_outside = !own || before.traced.depth < kept.traced.depth;
            let calls = before.within == kept.within && matches!(before.traced.step, Step::Statement(_)) && is_call(before.traced.at);
            (is_outside && calls).then_some(own)
        };
        let told = super::closest(self.kept.get(kept.within.unwrap_or(0)..step)?, closeness, true);
        if let Some(told) = told.map(|told| told + kept.within.unwrap_or(0)) {
            return self.kept.get(told).map(|kept| (told, kept.traced.at));
        }
        let mut calls = (0..program.code.len()).map(Pc::from_index).filter(|pc| is_call(*pc));
        let only = calls.next()?;
        calls.next().is_none().then_some((step, only))
    }
}

/// The routine that contains a statement.
pub(super) fn routine_of(program: &Program, at: Pc) -> Option<RoutineId> {
    let begun = program.routines.iter().filter(|(_, routine)| routine.start.0 <= at.0);
    begun.max_by_key(|(_, routine)| routine.start.0).map(|(id, _)| id)
}
