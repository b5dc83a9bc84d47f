//! Decks: the limits that a game declares, and the check of a list of cards.

pub(in crate::compile) mod deck;
pub(in crate::compile) mod deck_limits;
