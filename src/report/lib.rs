//! Output for people and programs: diagnostics, traces, the table, as text or JSON.
//!
//! Input: values of other crates. Output: strings. Only this crate knows formats and column widths. The commands in `cli/` do the
//! printing. Nothing is judged here.
//!
//! | file | shows |
//! | --- | --- |
//! | `graphical.rs` | a diagnostic with its source underlined |
//! | `concise.rs` | a diagnostic in one line |
//! | `json.rs` | a diagnostic as JSON |
//! | `circles.rs` | words about circles of effects |
//! | `excerpt.rs` | the part of a source around a place |
//! | `trace/` | the steps of a game |
//! | `table.rs`, `table/rows.rs` | the table as one seat sees it |
//! | `value.rs` | values, and names of things |
//! | `why.rs` | answers to `why` questions |
//! | `obstacle.rs` | why a way to act is not offered, in one short reason |
//! | `coverage_page.rs` | coverage as an HTML page |
//! | `width.rs` | column widths of texts |
//! | `wrap.rs` | breaks lines between words |
//! | `words.rs` | the texts of the interface |

mod circles;
mod concise;
mod coverage_page;
mod excerpt;
mod graphical;
mod json;
mod obstacle;
mod table;
mod trace;
mod value;
mod why;
mod width;
mod words;
mod wrap;

#[cfg(test)]
#[path = "../../tests/suite/asked_texts.rs"]
mod asked_texts;

pub use concise::{brief, concise};
pub use coverage_page::{Beside, coverage_page};
pub use graphical::graphical;
pub use json::json;
pub use obstacle::Obstacle;
pub use table::Table;
pub use trace::{Detail, Sight, Statements, Tracer, places_of};
pub use value::{Names, choice_of, label_of, question_of, reads, seat};
pub use why::Reasons;
pub use width::{Widths, cut};
pub use words::Words;
pub use wrap::wrapped;
