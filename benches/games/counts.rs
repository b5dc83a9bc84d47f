//! The costs of a decision besides time: trial runs, statements, memory blocks. These numbers are the same on every machine.

use crate::counting::taken;
use crate::entrant::{Entrant, How};

/// The number of games played before the count, and during the count.
const LONG: (u64, u64) = (2, 4);
const SHORT: (u64, u64) = (300, 500);

/// The costs of one decision, on average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// Trial runs.
    pub trials: f64,
    /// Statements of the game itself.
    pub statements: f64,
    /// Statements of trial runs.
    pub tried: f64,
    /// Memory blocks.
    pub blocks: f64,
}

/// Counts over some games, on a machine that has played games before.
#[must_use]
pub(crate) fn count(entrant: &Entrant, how: How) -> Counts {
    let (before, games) = if entrant.long { LONG } else { SHORT };
    let mut player = entrant.player(how);
    for number in 0..before {
        player.play(crate::WARM_UP_RUN, number);
    }
    let begun = (player.machine.tried(), player.machine.statements());
    let mut decisions = 0;
    let blocks = taken(|| decisions = (0..games).map(|number| player.play(crate::RUN, number)).sum());
    let (tried, statements) = (player.machine.tried(), player.machine.statements());
    let each = |count: u64| count as f64 / decisions as f64;
    Counts {
        trials: each(tried.runs - begun.0.runs),
        statements: each(statements - begun.1),
        tried: each(tried.statements - begun.0.statements),
        blocks: each(blocks),
    }
}
