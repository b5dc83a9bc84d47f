//! Where a scenario's run is to stop: a `play` without answers may name a place that lies before the next decision, so these places are known
//! before the run goes on.

use crate::syntax::ast::{Plays, Scenario, Step, Until};
use std::collections::VecDeque;

/// The places, in the order of the plays.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// At the beginning, then behind each `play`: its own place and those of the plays without answers that follow it.
    rows: VecDeque<Vec<Until>>,
    /// So many of the places where the run stops now are those of plays that are still to come.
    left: usize,
    /// The run stands at the first of them.
    is_there: bool,
}

/// What a `play` without answers finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The run stands where it is to stop, if it came so far.
    Here,
    /// It is to stop at the next place, if it comes so far.
    Next,
    /// It has gone on before.
    GoneOn,
}

impl Stops {
    /// Those of a scenario.
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
                // What is expected of the position is looked at where it asks something.
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

    /// A `play` with answers is over.
    pub fn played(&mut self) {
        let row = self.rows.pop_front().unwrap_or_default();
        (self.left, self.is_there) = (row.len().saturating_sub(1), false);
    }

    /// A `play` that only stops.
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

/// Whether a `play` has no answers, and says where the run stops.
#[must_use]
pub fn only_stops(plays: &Plays) -> bool {
    plays.lines.is_empty() && plays.passing.is_empty() && plays.until.is_some()
}
