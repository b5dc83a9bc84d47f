//! Who sees what: which player sees or remembers which card, what effects reveal, and what a player may know of a game.
//!
//! This folder knows the state. It does not know statements or choices: these ask it whether a card may be seen.
//!
//! | file | does |
//! | --- | --- |
//! | `revealing.rs` | revealing and looking: to whom cards are shown, and until when |
//! | `seeing.rs` | who sees which card, and who remembers it (docs/kernel/information.md, "Who knows what") |
//! | `veil.rs` | veils: inside a `veiled` block a player chooses among other players' cards as they were when the block began |
//! | `view.rs` | everything that a player may know, as a value; and copies of a game in which the unknown cards are dealt anew |

pub(crate) mod revealing;
pub(crate) mod seeing;
pub(crate) mod veil;
pub mod view;
