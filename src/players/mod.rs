//! Who answers questions: chance, or a script. One trait; the person at a terminal lives in `cli/`.
//!
//! Takes open questions, gives positions in their domains. Deliberately absent: running the machine on, printing, and any
//! knowledge of what an answer means.

mod random;
pub mod record;
mod script;

pub use random::Random;
pub use script::{Entry, RecordedWay, Script};

use crate::engine::machine::Asked;

/// What a player says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The picks were written into the buffer.
    Picks,
    /// A number of the range that is asked for.
    Number(i64),
    /// The player concedes.
    Concede,
    /// The player has nothing to say: the script is at its end, or does not fit.
    Silent,
}

/// Somebody who answers questions.
pub trait Answers {
    /// Answers one question by writing positions of its domain into `picks`, which comes empty.
    fn answer(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) -> Reply;
}
