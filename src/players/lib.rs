//! Players that answer questions: at random, or from a script. The person at a terminal is in `cli/`.
//!
//! Input: an open question. Output: positions in its domain. Players do not run the machine, do not print, and do not know what an answer
//! means.
//!
//! | file | holds |
//! | --- | --- |
//! | `lib.rs` | `Answers`, the trait of all players |
//! | `random.rs` | the random player |
//! | `script.rs` | the player that repeats recorded decisions |
//! | `record.rs` | recorded and saved games as text |

mod random;
pub mod record;
mod script;

pub use random::Random;
pub use script::{Entry, RecordedWay, Script};

use engine::machine::Asked;

/// A player's reply to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The picks were written into the buffer.
    Picks,
    /// A number of the range that is asked for.
    Number(i64),
    /// The player concedes.
    Concede,
    /// The player has no answer: the script is at its end, or does not fit.
    Silent,
}

/// A player.
pub trait Answers {
    /// Answers one question: writes positions of its domain into `picks`, which is empty before.
    fn answer(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) -> Reply;
}
