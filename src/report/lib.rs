//! Output for people and programs: findings, the table, answers to `why`, as text or JSON.
//!
//! Input: values of other crates. Output: strings. Only this crate knows formats and column widths. The commands in `cli/` do the
//! printing. Nothing is judged here.
//!
//! | file | shows |
//! | --- | --- |
//! | `graphical.rs` | a diagnostic with its source underlined |
//! | `concise.rs` | a diagnostic in one line |
//! | `json.rs` | a diagnostic as JSON |
//! | `excerpt.rs` | the part of a source around a place |
//! | `table.rs`, `table/rows.rs` | the table as one seat sees it |
//! | `why.rs` | answers to `why` questions |
//! | `obstacle.rs` | why a way to act is not offered, in one short reason |
//! | `coverage_page.rs` | coverage as an HTML page |
//! | `width.rs` | column widths of texts |
//! | `wrap.rs` | breaks lines between words |

mod concise;
mod coverage_page;
mod excerpt;
mod graphical;
mod json;
mod obstacle;
mod table;
mod why;
mod width;
mod wrap;

pub use concise::{brief, concise};
pub use coverage_page::{Beside, coverage_page};
pub use graphical::graphical;
pub use json::json;
pub use obstacle::Obstacle;
pub use table::Table;
pub use why::Reasons;
pub use width::{Widths, cut};
pub use wrap::wrapped;
