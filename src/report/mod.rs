//! What a person or a program reads: diagnostics, traces, the table; as text or as JSON.
//!
//! Takes values of the lower floors, gives strings. The only floor that knows formats and widths. Deliberately absent:
//! printing itself (the commands do that), and any decision about what is right or wrong.

mod concise;
mod coverage_page;
mod excerpt;
mod graphical;
mod json;
mod table;
mod trace;
mod value;
mod why;
mod width;
mod words;

pub use concise::concise;
pub use coverage_page::{Beside, coverage_page};
pub use graphical::graphical;
pub use json::json;
pub use table::{Table, card_line};
pub use trace::{Detail, Sight, Statements, Tracer, places_of};
pub use value::{Names, choice_of, label_of, seat};
pub use why::Reasons;
pub use width::{Widths, cut};
pub use words::Words;
