//! A scenario while it runs: answers, the places where a run stops, expectations, sources and decks.
//!
//! | file | does |
//! | --- | --- |
//! | `answers.rs` | a written answer as positions in a domain |
//! | `decks.rs` | `deck … accepted` and `refused` |
//! | `expect.rs` | `expect`: checks the expectations |
//! | `lacking.rs` | cards that lack something, for the audit |
//! | `loads.rs` | `load …` |
//! | `overlay.rs` | rules that a scenario adds to the game |
//! | `play.rs` | `play`: gives the answers |
//! | `run.rs` | the game of a scenario while it runs |
//! | `stops.rs` | where a run stops |
//! | `unasked.rs` | players who could take nothing and passed unasked |

pub mod answers;
pub(super) mod decks;
pub(super) mod expect;
pub(super) mod lacking;
pub(super) mod loads;
pub(super) mod overlay;
pub(super) mod play;
pub(super) mod run;
pub(super) mod stops;
pub(super) mod unasked;
