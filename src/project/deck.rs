//! Deck files: `(name: "招福の札", cards: [(3, "KC-013"), …])`, numbers or names of cards.

use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, FileId, Sources, Span};
use crate::engine::ids::CardId;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the format.
const FORMAT: u32 = 1;

/// A deck as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deck {
    /// The version of the format.
    #[serde(default = "format")]
    pub format: u32,
    /// The game that it is for; any when not given.
    #[serde(default)]
    pub game: Option<String>,
    /// Its name.
    pub name: String,
    /// How many of which card (number or name).
    pub cards: Vec<(u32, String)>,
    /// The file's name without its ending: what the command line calls it.
    #[serde(skip)]
    pub file: String,
}

/// Copies that one line of a deck can ask for; no game allows as many, and a slip of the finger must not fill the memory.
const MOST_COPIES: u32 = 1000;

fn format() -> u32 {
    FORMAT
}

impl Deck {
    /// A deck from a file of the run's sources.
    ///
    /// # Errors
    /// `E0704` with the place when it is no deck.
    pub fn parse(file: FileId, sources: &Sources) -> Result<Self, Diagnostic> {
        let (name, text) = sources.get(file).map_or(("", ""), |source| (source.name.as_str(), source.text.as_str()));
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let mut deck: Self = options.from_str(text).map_err(|error| {
            let at = offset(text, error.span.start.line, error.span.start.col);
            let span = Span { file, start: at, end: at };
            Diagnostic::error("E0704", span).with("file", name).with("reason", error.code)
        })?;
        let stem = Path::new(name.trim_matches(['<', '>'])).file_stem();
        deck.file = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(deck)
    }

    /// Its cards, each as often as it is in the deck.
    ///
    /// # Errors
    /// `E0703` for every name that no card has.
    pub fn card_ids(&self, compiler: &Compiler) -> Result<Vec<CardId>, Vec<Diagnostic>> {
        let mut cards = Vec::new();
        let mut found = Vec::new();
        for (count, name) in &self.cards {
            if *count > MOST_COPIES {
                found.push(Diagnostic::global("E0705").with("count", count).with("name", name).with("most", MOST_COPIES));
                continue;
            }
            match compiler.cards_called(name).first() {
                Some(card) => cards.extend(std::iter::repeat_n(*card, *count as usize)),
                None => {
                    let words = compiler.card_words();
                    found.push(Diagnostic::global("E0703").with("name", name).suggest(name, words.iter().map(String::as_str)));
                }
            }
        }
        if found.is_empty() { Ok(cards) } else { Err(found) }
    }
}

/// The byte at a line and column (both from 1).
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..).unwrap_or("");
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    (before + within) as u32
}
