//! The words of a game: values, steps, refused answers and rules errors, for one reader, in both languages.
//!
//! Input: a program, a state, and steps. Output: words, and the same things as JSON values. Traces, scenarios, the table and `why` use these
//! words, so that one thing has one name everywhere.
//!
//! | file | tells |
//! | --- | --- |
//! | `value.rs` | values, and names of things |
//! | `gone.rs` | the cards of abilities and effects that are over |
//! | `trace/` | the steps of a game |
//! | `circles.rs` | circles of effects |
//! | `failure.rs` | refused answers and rules errors |
//! | `words.rs` | the texts of the interface |

pub mod circles;
mod failure;
mod gone;
pub mod trace;
mod value;
mod words;

#[cfg(test)]
#[path = "../../tests/suite/asked_texts.rs"]
mod asked_texts;

pub use failure::{failure_code, range_of, refused, rules_error};
pub use gone::Gone;
pub use trace::{Detail, Sight, Statements, Tracer};
pub use value::{Names, choice_of, label_of, places_of, player_of, question_of, reads, reason, seat, with_arguments};
pub use words::Words;
