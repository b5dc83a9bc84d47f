//! Trial runs: what they ask, and the copy of the state on which they run. `legal/attempt.rs` begins them and searches through the answers.

use super::Run;
use crate::steps::{Observer, Silent};
use crate::value::Player;

/// The question that a trial run answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Whether the attempt that is open can succeed.
    Attempt,
    /// Whether the call above `frames` frames is carried out.
    Call {
        /// The number of frames without the call.
        frames: usize,
    },
    /// Whether anything at all can be done before the top frame ends.
    Anything {
        /// The number of frames without the one on top.
        frames: usize,
    },
}

/// A trial run.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The question.
    pub goal: Goal,
    /// The player for whom it is answered.
    pub player: Player,
    /// The answer, if it has been found.
    pub found: Option<bool>,
    /// How things count that cannot be known beforehand (chance, another's choice, hidden cards, a verdict). If true, they count as
    /// impossible; otherwise as possible.
    pub certain: bool,
    /// How many trial runs this one lies in, itself included.
    pub depth: u8,
}

impl<O: Observer> Run<'_, O> {
    /// Does some work on a copy of the state, in memory that is used again. No observer is told.
    pub(crate) fn on_a_copy<T>(&mut self, work: impl FnOnce(&mut Run<'_, Silent>) -> T) -> T {
        let mut state = self.scratch.copy_of(self.state);
        state.nobody_was_here();
        let mut scratch = self.scratch.trial.take().unwrap_or_default();
        let mut nobody = Silent;
        let mut run = Run::new((self.program, self.plan), &mut state, &mut scratch, &mut nobody);
        run.budget = self.budget;
        let found = work(&mut run);
        let worked = usize::try_from(run.work).unwrap_or(usize::MAX);
        let before = self.state.control.spent.units();
        self.state.control.spent.add(state.control.spent.units().saturating_sub(before));
        self.scratch.spare_state(state);
        self.scratch.tried.add(&mut scratch);
        self.scratch.trial = Some(scratch);
        self.state.effects.asked.work.add(worked);
        found
    }
}
