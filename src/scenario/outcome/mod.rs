//! The outcome of a run: its steps, its verdict, and a failure in words.
//!
//! | file | does |
//! | --- | --- |
//! | `recorder.rs` | records the steps of a run, with their rules |
//! | `show.rs` | a failure as lines of text |
//! | `situation.rs` | where the game stood when a scenario failed |
//! | `touched.rs` | what a run touched, for the audit |
//! | `verdict.rs` | the result of a scenario |

pub mod recorder;
pub mod show;
pub(super) mod situation;
pub(super) mod touched;
pub(super) mod verdict;
