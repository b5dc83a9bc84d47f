//! Decks: the limits that a game declares, and the check of a list of cards.
//!
//! | file | does |
//! | --- | --- |
//! | `deck.rs` | the deck check: whether a list of cards is a legal deck, and which rules it breaks |
//! | `deck_limits.rs` | compiles the limits of the deck check |

pub(crate) mod deck;
pub(crate) mod deck_limits;
