//! Which conditions of a program were looked at, and which were not met, in whatever was run of it: games, their copies, trials.
//!
//! For whoever asks what a game would be like if a condition were always met. A program that nobody asks so about has none of it: its
//! conditions are plain nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module. Copies of a program share one.
#[derive(Clone, Debug, Default)]
pub struct Tally(Arc<[Row]>);

#[derive(Debug, Default)]
struct Row {
    looked_at: AtomicBool,
    failed: AtomicBool,
}

impl Tally {
    /// Of so many conditions.
    #[must_use]
    pub fn of(count: usize) -> Self {
        Self((0..count).map(|_| Row::default()).collect())
    }

    /// A condition was looked at.
    pub(in crate::engine) fn note(&self, condition: u32, met: bool) {
        if let Some(row) = self.0.get(condition as usize) {
            row.looked_at.store(true, Ordering::Relaxed);
            row.failed.fetch_or(!met, Ordering::Relaxed);
        }
    }

    /// Whether somebody looked at a condition.
    #[must_use]
    pub fn looked_at(&self, condition: u32) -> bool {
        self.0.get(condition as usize).is_some_and(|row| row.looked_at.load(Ordering::Relaxed))
    }

    /// Whether a condition was not met once.
    #[must_use]
    pub fn failed(&self, condition: u32) -> bool {
        self.0.get(condition as usize).is_some_and(|row| row.failed.load(Ordering::Relaxed))
    }
}
