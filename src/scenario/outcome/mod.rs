//! The outcome of a run: its steps, its verdict, and a failure in words.
//!
//! | file | does |
//! | --- | --- |
//! | `bodies.rs` | the bodies of a program, with the rules of their heads |
//! | `texts.rs` | the texts of failures |
//! | `show.rs` | a failure as lines of text |
//! | `situation.rs` | where the game stood when a scenario failed |
//! | `touched.rs` | what a run touched, for the audit |
//! | `trace.rs` | records the steps of a run, with their rules |
//! | `verdict.rs` | the result of a scenario |
//! | `words.rs` | values and steps in words |

pub mod bodies;
pub mod show;
pub(super) mod situation;
pub(super) mod texts;
pub(super) mod touched;
pub mod trace;
pub(super) mod verdict;
pub mod words;
