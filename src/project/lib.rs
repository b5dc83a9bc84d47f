//! Projects: finds the folder that is meant, the files of a game, and loads the game.
//!
//! Input: a folder and a game's name. Output: a [`Game`]: compiled program, sources, wording, decks, and the places that they came from.
//! Rules and cards are taken from the folders on the command line, else from the project's folder, else from the games built into the
//! program. What a command does with a game is in `cli/`.
//!
//! | file | does |
//! | --- | --- |
//! | `folder.rs` | finds the project (`gyoji.ron`) |
//! | `game.rs` | loads a game |
//! | `used.rs` | the rules files that a game uses (`use NAME`) |
//! | `forgotten.rs` | says which `use` is missing |
//! | `unread.rs` | drops findings that only follow from another one |
//! | `files.rs` | opens files: one function reads, one writes |
//! | `limits.rs` | limits of files |
//! | `reading.rs` | where files are, and reading them |
//! | `embedded.rs` | the games built into the program |
//! | `deck.rs` | deck files |
//! | `ron_text.rs` | RON files, with errors in words for authors |
//! | `hash.rs` | the hash of a program |
//! | `tests.rs` | tests |

mod deck;
mod embedded;
pub mod files;
mod folder;
mod forgotten;
mod game;
mod hash;
mod limits;
mod reading;
mod ron_text;
mod unread;
mod used;

pub use deck::Deck;
pub use embedded::{SHARED, embedded_games};
pub use folder::{Project, find};
pub use game::{Game, LoadedCard, load, load_beside, script_of_todo};
pub use hash::fnv1a;
pub use reading::{Places, Taken};
pub use ron_text::{placed_in_words, ron_value};
pub use unread::without_what_follows;

#[cfg(test)]
mod tests;
