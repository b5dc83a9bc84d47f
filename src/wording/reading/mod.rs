//! From a printed text to its phrases: lines, signs, the chart of all readings and their meanings.
//!
//! | file | does |
//! | --- | --- |
//! | `chart.rs` | the parser: all ways to read a line |
//! | `firsts.rs` | the signs that a symbol can begin with or must print |
//! | `fold.rs` | which printed signs count as the same sign |
//! | `forest.rs` | the meanings of these ways |
//! | `lines.rs` | cuts a text into the lines that are read one by one |
//! | `remarks.rs` | remarks in a text, which are skipped; the headings of its lines |
//! | `states.rs` | rules that begin alike, joined into states |

pub(super) mod chart;
pub(super) mod firsts;
pub(super) mod fold;
pub(super) mod forest;
pub(super) mod lines;
pub(super) mod remarks;
pub(super) mod states;
