//! Deck files: `(name: "石の札", cards: [(3, "A-013"), …])`, with numbers or names of cards.

use super::ron_text;
use compile::Compiler;
use engine::ids::CardId;
use engine::limits::CARDS;
use lang::diagnostic::{Diagnostic, FileId, Sources, Span};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the file format.
const FORMAT: u32 = 1;

/// A deck as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deck {
    /// The version of the format.
    #[serde(default = "format")]
    pub format: u32,
    /// The game that the deck is for. None: any game.
    #[serde(default)]
    pub game: Option<String>,
    /// The deck's name.
    pub name: String,
    /// The number of copies and the card (number or name) of each row.
    pub cards: Vec<(u32, String)>,
    /// The file's name without its ending; the command line uses this name.
    #[serde(skip)]
    pub file: String,
    /// The place of the deck and of each row of `cards`. Empty for a deck that was not read from a file.
    #[serde(skip)]
    places: Vec<Span>,
}

fn format() -> u32 {
    FORMAT
}

/// A deck as it is written, for messages about decks that cannot be read.
const EXAMPLE: &str = "(name: \"…\", cards: [(3, \"NUMBER\"), (2, \"NUMBER\")])";

impl Deck {
    /// Reads a deck from a file in the run's sources.
    ///
    /// # Errors
    /// `E0824` and `E0852` to `E0857` with the place if it is no deck, `E0704` for another format.
    pub fn parse(file: FileId, sources: &Sources) -> Result<Self, Diagnostic> {
        let read: Result<Self, Diagnostic> = ron_text::by_hand(file, sources);
        let mut deck = read.map_err(|finding| finding.with("deck", EXAMPLE))?;
        let (name, text) = sources.get(file).map_or(("", ""), |source| (source.name.as_str(), source.text.as_str()));
        if deck.format != FORMAT {
            let at = text.find("format").unwrap_or(0) as u32;
            let span = Span { file, start: at, end: at + if text.is_empty() { 0 } else { "format".len() as u32 } };
            return Err(Diagnostic::error("E0704", span).with("file", name).with("found", deck.format).with("known", FORMAT));
        }
        let stem = Path::new(name.trim_matches(['<', '>'])).file_stem();
        deck.file = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        deck.places = places(&deck, file, text);
        Ok(deck)
    }

    /// Its cards, one entry for each copy.
    ///
    /// # Errors
    /// `E0703` for every unknown name, `E0512` for a name of several cards, `E0705` at the first row with more cards than a deck can hold,
    /// `E0706` for every row with zero cards.
    pub fn card_ids(&self, compiler: &Compiler) -> Result<Vec<CardId>, Vec<Diagnostic>> {
        let mut cards = Vec::new();
        let mut found = Vec::new();
        for (count, name) in &self.cards {
            if *count as usize > CARDS.saturating_sub(cards.len()) {
                found.push(Diagnostic::global("E0705").with("count", count).with("name", name).with("most", CARDS));
                break;
            }
            if *count == 0 {
                found.push(Diagnostic::global("E0706").with("name", name));
            }
            match compiler.cards_called(name).as_slice() {
                [card] => cards.extend(std::iter::repeat_n(*card, *count as usize)),
                [] => {
                    let words = compiler.card_words();
                    found.push(Diagnostic::global("E0703").with("name", name).suggest(name, words.iter().map(String::as_str)));
                }
                several => {
                    let cards = &compiler.program().cards;
                    let numbers: Vec<&str> = several.iter().filter_map(|id| cards.get(*id)).map(|card| card.number.as_str()).collect();
                    found.push(Diagnostic::global("E0512").with("card", name).with("numbers", numbers.join("`, `")));
                }
            }
        }
        let found: Vec<Diagnostic> = found.into_iter().map(|finding| self.placed(finding)).collect();
        if found.is_empty() { Ok(cards) } else { Err(found) }
    }

    /// A finding about this deck with its place: the row of the card, else the beginning of the deck.
    #[must_use]
    pub fn placed(&self, mut finding: Diagnostic) -> Diagnostic {
        let speaks_of = |row: &&(&(u32, String), &Span)| {
            let is_name = |(key, value): &(&str, String)| ["card", "name", "number"].contains(key) && *value == row.0.1;
            finding.args.iter().any(is_name)
        };
        let row = self.cards.iter().zip(self.places.iter().skip(1)).find(|row| speaks_of(&row)).map(|(_, place)| *place);
        finding.span = finding.span.or(row).or(self.places.first().copied());
        finding
    }
}

/// The deck's first line, then the place of each row's card. A row whose card is not found literally (for example because of escapes) gets
/// the place of the first line.
fn places(deck: &Deck, file: FileId, text: &str) -> Vec<Span> {
    let head = Span { file, start: 0, end: text.find('\n').unwrap_or(text.len()) as u32 };
    let mut from = text.find("cards").unwrap_or(0);
    let mut places = vec![head];
    for (_, name) in &deck.cards {
        let written = format!("\"{name}\"");
        let at = text.get(from..).and_then(|rest| rest.find(&written)).map(|at| from + at);
        from = at.map_or(from, |at| at + written.len());
        places.push(at.map_or(head, |at| Span { file, start: at as u32, end: from as u32 }));
    }
    places
}
