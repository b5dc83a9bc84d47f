//! Projects: which folder is meant, which files make a game, and the game that they make.
//!
//! Takes a folder and a game's name; gives a [`Game`]: compiled program, sources, wording, decks, and from where each was taken.
//! Rules and cards are looked for in the folders named on the command line, then in the project's folder, then among those built
//! into the program. Deliberately absent: what a command does with a game, what it prints.

mod deck;
mod embedded;
mod folder;
mod game;
mod hash;
mod reading;
mod ron_text;
mod unread;
mod used;

pub use deck::Deck;
pub use embedded::embedded_games;
pub use folder::{Project, find};
pub use game::{Game, LoadedCard, load, script_of_todo};
pub use hash::fnv1a;
pub use reading::{Places, Taken, is_something_else};
pub use ron_text::{placed_in_words, ron_value};

#[cfg(test)]
mod tests;
