//! A recorded game as text: set-up, seed, decisions, end. A saved game also has its position.
//!
//! Both are RON, with a format version, the hash of rules and cards, and the name of the random generator. The commands read and write the
//! files.

use super::{Entry, Random};
use engine::ids::CardId;
use engine::program::Program;
use engine::random::GENERATOR;
use engine::state::board::{Board, place_of};
use engine::state::save::{FORMAT, Saved};
use engine::state::{Outcome, State, Status};
use engine::value::{ObjectId, Player};
use project::fnv1a;
use serde::{Deserialize, Serialize};

/// The beginning of a record or save. It tells whether this program can go on with the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The file's format.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The hash of its rules and cards, in hexadecimal.
    pub program: String,
    /// The generator's name.
    pub generator: String,
}

impl Origin {
    /// The origin for the present program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self { format: FORMAT, game: program.name.clone(), program: format!("{:016x}", program.hash), generator: GENERATOR.to_owned() }
    }
}

/// The end of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The seat that won alone. None for a draw.
    pub winner: Option<u8>,
    /// The place of each seat, if several have won or there are further places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u8>,
    /// The turn.
    pub turn: u32,
}

impl End {
    /// The end of a machine that has stopped. None while the game goes on, or if it failed.
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
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The origin.
    pub origin: Origin,
    /// The seed of the game's own random results.
    pub seed: u64,
    /// For each seat its deck before the set-up, as runs: a card's number, and how many copies follow one another.
    pub decks: Vec<Vec<(String, u16)>>,
    /// Every decision.
    pub decisions: Vec<Entry>,
    /// The end. None if the game was left.
    pub end: Option<End>,
    /// How the cards lie after the last decision, as a number in hexadecimal ([`lying`]). Two seeds of one game practically never have the
    /// same number. None in saves, and in records of earlier versions of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    /// The answers that a person took back after something hidden had come to light.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
}

impl Record {
    /// The record of a game that begins.
    #[must_use]
    pub fn of(program: &Program, seed: u64, decks: &[Vec<CardId>]) -> Self {
        let decks = decks.iter().map(|deck| numbers_of(program, deck)).collect();
        Self { origin: Origin::of(program), seed, decks, decisions: Vec::new(), end: None, cards: None, taken_back: Vec::new() }
    }
}

/// An answer that was taken back after something hidden had come to light.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakenBack {
    /// The seat of the person.
    pub seat: u8,
    /// The number of decisions before the answer.
    pub decision: usize,
    /// The number of cards that this person knew then, and had not known before the answer.
    pub cards: usize,
    /// Whether chance had given something: a shuffle, a coin, a die.
    pub chance: bool,
}

impl TakenBack {
    /// The mark for going back from one state to an earlier one. None if nothing hidden had come to light.
    #[must_use]
    pub fn between(program: &Program, seat: Player, decision: usize, (earlier, later): (&State, &State)) -> Option<Self> {
        let knows = |state: &State, id| state.board.knows(program, seat, id);
        let ids = (0..).map(ObjectId).zip(&later.board.objects).map(|(id, _)| id);
        let known = |id: &ObjectId| knows(later, *id) && !(usize::from(id.0) < earlier.board.objects.len() && knows(earlier, *id));
        let (cards, chance) = (ids.filter(known).count(), earlier.generator != later.generator);
        (cards > 0 || chance).then_some(Self { seat: seat.0, decision, cards, chance })
    }
}

/// A saved game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The game up to the position.
    pub record: Record,
    /// The position.
    pub position: Saved,
    /// The state of the random player.
    pub random: Random,
    /// For each seat whether a person plays it.
    pub humans: Vec<bool>,
}

/// A number for how the cards lie: which cards, by their numbers, lie in which zones, in which order.
#[must_use]
pub fn lying(program: &Program, board: &Board) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (zone, def) in program.zones.iter() {
        let players = if def.each_player { program.players } else { 1 };
        for player in 0..players {
            parts.push(&def.name.name);
            let cards = board.cards(place_of(program, zone, Player(player))).iter().filter_map(|card| board.object(*card));
            parts.extend(cards.filter_map(|object| program.cards.get(object.card)).map(|card| card.number.as_str()));
        }
    }
    format!("{:016x}", fnv1a(parts))
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

/// The cards of recorded runs.
///
/// # Errors
/// The number of the first card that the game does not have.
pub fn cards_of(program: &Program, runs: &[(String, u16)]) -> Result<Vec<CardId>, String> {
    let mut deck = Vec::new();
    for (number, count) in runs {
        let found = program.cards.iter().find(|(_, card)| card.number == *number);
        let Some((card, _)) = found else { return Err(number.clone()) };
        deck.extend(std::iter::repeat_n(card, usize::from(*count)));
    }
    Ok(deck)
}

/// Why no game of these rules can have a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The number of its decks, which is not the number of seats.
    Decks(usize),
    /// A row of a deck with no copies: the card's number.
    NoCopies(String),
    /// A decision of a seat that the game does not have.
    Seat {
        /// Which decision, counted from 1.
        decision: usize,
        /// The seat, counted from 0.
        seat: u8,
    },
}

/// The first reason why no game of these rules can have this record. None if a game can.
#[must_use]
pub fn misfit(program: &Program, record: &Record) -> Option<Misfit> {
    if record.decks.len() != usize::from(program.players) {
        return Some(Misfit::Decks(record.decks.len()));
    }
    if let Some((number, _)) = record.decks.iter().flatten().find(|(_, count)| *count == 0) {
        return Some(Misfit::NoCopies(number.clone()));
    }
    let stranger = record.decisions.iter().enumerate().find(|(_, entry)| entry.seat >= program.players);
    stranger.map(|(at, entry)| Misfit::Seat { decision: at + 1, seat: entry.seat })
}

/// A record as RON text, one decision per line.
///
/// # Errors
/// The serializer's error. No value of these types causes one.
pub fn record_text(record: &Record) -> Result<String, ron::Error> {
    text_to_depth(record, 2)
}

/// A save as RON text. Its record's decisions have one line each.
///
/// # Errors
/// The serializer's error. No value of these types causes one.
pub fn save_text<T: Serialize>(save: &T) -> Result<String, ron::Error> {
    text_to_depth(save, 3)
}

/// Stands above every record and save.
const HEAD: &str = "// Holds the seed, the decks and all decisions, so it gives away the hidden cards of every seat.
// 全員の伏せられたカードが分かります（シード、デッキ、すべての選択を含みます）。
";

fn text_to_depth<T: Serialize>(value: &T, depth: usize) -> Result<String, ron::Error> {
    let pretty = ron::ser::PrettyConfig::new().depth_limit(depth).indentor("  ");
    ron::ser::to_string_pretty(value, pretty).map(|text| format!("{HEAD}{text}\n"))
}

/// Reads a value from RON text.
///
/// # Errors
/// Where and why it cannot be read.
pub fn from_text<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ron::error::SpannedError> {
    ron::from_str(text)
}
