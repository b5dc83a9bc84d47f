//! Where a scenario's run stops. A `play` without answers may name a place before the next decision, so these places are collected before
//! the run goes on.

use crate::syntax::ast::{Plays, Scenario, Step, Until};
use std::collections::VecDeque;

/// The places, in the order of the plays.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// The places at the beginning, then behind each `play` with answers: its own, and those of the following plays without answers.
    rows: VecDeque<Vec<Until>>,
    /// How many of the present places belong to plays still to come.
    left: usize,
    /// Whether the run stands at the first of them.
    is_there: bool,
}

/// What a `play` without answers finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The run stands at its place, if it got so far.
    Here,
    /// Its place is the next one, if the run gets so far.
    Next,
    /// The run has already gone on.
    GoneOn,
}

impl Stops {
    /// The places of a scenario.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
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
                // Expectations on the position are checked at its first decision.
                Step::Expect(_) if rows.len() == 1 => anchor = None,
                _ => {}
            }
        }
        Self { rows: rows.into(), left: 0, is_there: false }
    }

    /// The places at the beginning.
    pub fn begin(&mut self) -> Vec<Until> {
        let row = self.rows.pop_front().unwrap_or_default();
        (self.left, self.is_there) = (row.len(), true);
        row
    }

    /// The places behind the next `play`, its own first.
    #[must_use]
    pub fn next(&self) -> &[Until] {
        self.rows.front().map_or(&[], Vec::as_slice)
    }

    /// To be called after a `play` with answers.
    pub fn played(&mut self) {
        let row = self.rows.pop_front().unwrap_or_default();
        (self.left, self.is_there) = (row.len().saturating_sub(1), false);
    }

    /// To be called for a `play` that only stops.
    pub fn stopped(&mut self) -> Found {
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
pub fn only_stops(plays: &Plays) -> bool {
    plays.lines.is_empty() && plays.passing.is_empty() && plays.until.is_some()
}
