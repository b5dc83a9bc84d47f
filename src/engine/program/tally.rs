//! Which conditions of a program were looked at, and which were false at least once. Everything that runs the program counts: games, their
//! copies, trial runs.
//!
//! The audit asks with this what a game would be like if a condition were always true. Only a program that is compiled for the audit has
//! conditions that are counted; in other programs conditions are plain nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The counts of one program. Copies of the program share them.
#[derive(Clone, Debug, Default)]
pub struct Tally(Arc<[Row]>);

#[derive(Debug, Default)]
struct Row {
    looked_at: AtomicBool,
    failed: AtomicBool,
}

impl Tally {
    /// A tally for `count` conditions.
    #[must_use]
    pub fn of(count: usize) -> Self {
        Self((0..count).map(|_| Row::default()).collect())
    }

    /// Notes that a condition was looked at, and whether it was true (`met`).
    pub(crate) fn note(&self, condition: u32, met: bool) {
        if let Some(row) = self.0.get(condition as usize) {
            row.looked_at.store(true, Ordering::Relaxed);
            row.failed.fetch_or(!met, Ordering::Relaxed);
        }
    }

    /// Whether a condition was looked at.
    #[must_use]
    pub fn looked_at(&self, condition: u32) -> bool {
        self.0.get(condition as usize).is_some_and(|row| row.looked_at.load(Ordering::Relaxed))
    }

    /// Whether a condition was false at least once.
    #[must_use]
    pub fn failed(&self, condition: u32) -> bool {
        self.0.get(condition as usize).is_some_and(|row| row.failed.load(Ordering::Relaxed))
    }
}
