//! Who sees what: which player sees or remembers which card, what effects reveal, and what a player may know of a game.
//!
//! This folder knows the state. It does not know statements or choices: these ask it whether a card may be seen.

pub(in crate::engine) mod revealing;
pub(in crate::engine) mod seeing;
pub(in crate::engine) mod veil;
pub mod view;
