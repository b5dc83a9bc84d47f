//! A recorded game as text: set-up, seed, decisions, end; and a saved one, which has the position too.
//!
//! Both are RON with a format version, the hash of the rules and cards, and the generator's name. Deliberately absent: files;
//! the commands read and write them.

use super::{Entry, Random};
use crate::engine::ids::CardId;
use crate::engine::program::Program;
use crate::engine::random::GENERATOR;
use crate::engine::save::{FORMAT, Saved};
use crate::engine::state::{Outcome, Status};
use serde::{Deserialize, Serialize};

/// What a record and a save begin with: whether this program can go on with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The file's format.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The hash of its rules and cards, in hexadecimal digits.
    pub program: String,
    /// The generator's name.
    pub generator: String,
}

impl Origin {
    /// Of a game as it is now.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self { format: FORMAT, game: program.name.clone(), program: format!("{:016x}", program.hash), generator: GENERATOR.to_owned() }
    }
}

/// How a recorded game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The seat that won alone; none for a draw.
    pub winner: Option<u8>,
    /// The place of each seat, where several have won or there are places behind the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u8>,
    /// In which turn.
    pub turn: u32,
}

impl End {
    /// Of a machine that has stopped; none while the game goes on or when it failed.
    #[must_use]
    pub fn of(status: Status, turn: u32) -> Option<Self> {
        match status {
            Status::Over(Outcome::Won(player)) => Some(Self { winner: Some(player.0), places: Vec::new(), turn }),
            Status::Over(Outcome::Drawn) => Some(Self { winner: None, places: Vec::new(), turn }),
            Status::Over(Outcome::Placed(places)) => {
                Some(Self { winner: None, places: places.seats().map(|(_, place)| place).collect(), turn })
            }
            Status::New | Status::Running | Status::Asking | Status::Failed(_) => None,
        }
    }
}

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Where it comes from.
    pub origin: Origin,
    /// The seed of the game's own chance.
    pub seed: u64,
    /// For each seat its deck as it lay before the set-up: card number and how many of it follow one another.
    pub decks: Vec<Vec<(String, u16)>>,
    /// Every decision.
    pub decisions: Vec<Entry>,
    /// How it ended; none when it was left.
    pub end: Option<End>,
}

/// A saved game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Save {
    /// What led here.
    pub record: Record,
    /// The position.
    pub position: Saved,
    /// The random player as it stood.
    pub random: Random,
    /// For each seat whether a person plays it.
    pub humans: Vec<bool>,
}

/// A deck as runs of card numbers.
#[must_use]
pub fn numbers_of(program: &Program, deck: &[CardId]) -> Vec<(String, u16)> {
    let mut runs: Vec<(String, u16)> = Vec::new();
    for card in deck {
        let number = program.cards.get(*card).map_or("", |card| card.number.as_str());
        match runs.last_mut() {
            Some((last, count)) if last == number => *count += 1,
            _ => runs.push((number.to_owned(), 1)),
        }
    }
    runs
}

/// The cards of such runs.
///
/// # Errors
/// The number of the first card that the game has not.
pub fn cards_of(program: &Program, runs: &[(String, u16)]) -> Result<Vec<CardId>, String> {
    let mut deck = Vec::new();
    for (number, count) in runs {
        let found = program.cards.iter().find(|(_, card)| card.number == *number);
        let Some((card, _)) = found else { return Err(number.clone()) };
        deck.extend(std::iter::repeat_n(card, usize::from(*count)));
    }
    Ok(deck)
}

/// A record as RON text, one decision a line.
///
/// # Errors
/// What the serializer says; no value of these types gives a reason to.
pub fn record_text(record: &Record) -> Result<String, ron::Error> {
    text_to_depth(record, 2)
}

/// A save as RON text; its record's decisions have a line each.
///
/// # Errors
/// What the serializer says; no value of these types gives a reason to.
pub fn save_text<T: Serialize>(save: &T) -> Result<String, ron::Error> {
    text_to_depth(save, 3)
}

fn text_to_depth<T: Serialize>(value: &T, depth: usize) -> Result<String, ron::Error> {
    let pretty = ron::ser::PrettyConfig::new().depth_limit(depth).indentor("  ");
    ron::ser::to_string_pretty(value, pretty).map(|text| text + "\n")
}

/// From RON text.
///
/// # Errors
/// Where and why it cannot be read.
pub fn from_text<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ron::error::SpannedError> {
    ron::from_str(text)
}
