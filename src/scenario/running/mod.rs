//! A scenario while it runs: answers, the places where a run stops, expectations, sources and decks.

pub mod answers;
pub(super) mod decks;
pub(super) mod expect;
pub(super) mod lacking;
pub(super) mod loads;
pub(super) mod overlay;
pub(super) mod play;
pub(super) mod run;
pub(super) mod stops;
