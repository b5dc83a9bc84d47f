//! Where a scenario's run stops. A `play` without answers may name a place before the next decision, so these places are collected before
//! the run goes on.

use lang::syntax::ast::{Plays, Scenario, Step, Until};
use std::collections::VecDeque;

/// The places, in the order of the plays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    /// The first row holds the places at the beginning. Each further row belongs to one `play`: its own place, and the places of the plays
    /// without answers that follow. Rows of plays without answers are empty.
    rows: VecDeque<Vec<Until>>,
    /// How many places of the present row belong to plays that have not come yet.
    left: usize,
    /// Whether the run stands at the first of these places.
    is_there: bool,
}

/// What a `play` without answers finds when its turn comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The run stands at the place of the `play`, provided that it got so far.
    Here,
    /// The place of the `play` is the next place of the run, provided that the run gets so far.
    Next,
    /// The run has already passed the place.
    GoneOn,
}

impl Stops {
    /// The places of a scenario.
    #[must_use]
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let mut rows: Vec<Vec<Until>> = vec![Vec::new()];
        let mut anchor = Some(0);
        for step in &scenario.steps {
            match step {
                Step::Play(plays) => {
                    if !only_stops(plays) {
                        anchor = plays.until.map(|_| rows.len());
                    }
                    rows.push(Vec::new());
                    let row = anchor.and_then(|anchor| rows.get_mut(anchor));
                    if let (Some(row), Some((until, _))) = (row, plays.until) {
                        row.push(until);
                    }
                }
                // An expectation about the position is checked at the first decision, so later plays have no place before it.
                Step::Expect(_) if rows.len() == 1 => anchor = None,
                _ => {}
            }
        }
        Self { rows: rows.into(), left: 0, is_there: false }
    }

    /// The places at the beginning.
    pub(crate) fn begin(&mut self) -> Vec<Until> {
        let row = self.rows.pop_front().unwrap_or_default();
        (self.left, self.is_there) = (row.len(), true);
        row
    }

    /// The places after the next `play`, its own first.
    #[must_use]
    pub(crate) fn next(&self) -> &[Until] {
        self.rows.front().map_or(&[], Vec::as_slice)
    }

    /// To be called after a `play` with answers.
    pub(crate) fn played(&mut self) {
        let row = self.rows.pop_front().unwrap_or_default();
        (self.left, self.is_there) = (row.len().saturating_sub(1), false);
    }

    /// To be called for a `play` that only stops.
    pub(crate) fn stopped(&mut self) -> Found {
        self.rows.pop_front();
        let found = match self.left {
            0 => Found::GoneOn,
            _ if self.is_there => Found::Here,
            _ => Found::Next,
        };
        (self.left, self.is_there) = (self.left.saturating_sub(1), false);
        found
    }
}

/// Whether a `play` has no answers and names a stop.
#[must_use]
pub(crate) fn only_stops(plays: &Plays) -> bool {
    plays.lines.is_empty() && plays.passing.is_empty() && plays.until.is_some()
}
