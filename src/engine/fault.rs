//! Faults: what the engine holds to be impossible, and finds nevertheless.
//!
//! A fault is an error of the program, or a save that somebody has changed; the rules are not to blame. The place that finds a fault goes on
//! with an empty value, and the run ends at the next question with an error that names the fault ([`crate::state::FailureKind::Broken`]).

use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// An invariant of the engine that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Fault {
    /// A branch that runs has a frame.
    Frame,
    /// The members of a list lie among the listed values.
    List,
    /// The registers of a frame lie among the registers of its branch.
    Registers,
    /// A number of the program names a row of a table.
    Row,
    /// A card that moves is an object of the board.
    Object,
    /// What ends has begun: an attempt, a question, a decision about an action.
    Begun,
}

impl Fault {
    /// The broken invariant in words, for the message.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Frame => "a branch without a frame",
            Self::List => "a list outside of its values",
            Self::Registers => "a frame outside of its registers",
            Self::Row => "a number that names no row",
            Self::Object => "a card that is no object",
            Self::Begun => "an end without a beginning",
        }
    }
}

thread_local! {
    /// The first fault that was found on this thread since the run began.
    static FOUND: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Notes a fault, and gives an empty value to go on with.
#[cold]
pub(crate) fn broken<T: Default>(fault: Fault) -> T {
    FOUND.set(FOUND.get().or(Some(fault)));
    T::default()
}

/// The first fault since the last call, on this thread.
pub(crate) fn take() -> Option<Fault> {
    FOUND.take()
}

/// The members of a list, among all listed values.
pub(crate) fn listed<T>(values: &[T], start: u32, len: impl Into<u16>) -> &[T] {
    let start = start as usize;
    values.get(start..start + usize::from(len.into())).unwrap_or_else(|| broken(Fault::List))
}
