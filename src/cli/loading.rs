//! Finding and loading what a command plays: a game's rules, cards and decks.

use super::{Context, Exit};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::engine::ids::{CardId, Pc};
use crate::engine::program::Program;
use std::sync::Arc;

/// A game that can be played.
pub struct Loaded {
    /// Its compiled form.
    pub program: Arc<Program>,
    /// The files it came from.
    pub sources: Sources,
}

impl Loaded {
    /// Where a statement stands.
    #[must_use]
    pub fn place(&self, _at: Pc) -> Option<Span> {
        None
    }

    /// The card with that number or printed name.
    #[must_use]
    pub fn card_called(&self, called: &str) -> Option<CardId> {
        let is_called = |card: &crate::engine::program::CardDef| {
            card.number == called || self.program.texts.get(card.name).is_some_and(|name| name == called)
        };
        self.program.cards.iter().find(|(_, card)| is_called(card)).map(|(id, _)| id)
    }

    /// For each seat its deck: as named on the command line, else the game's own.
    ///
    /// # Errors
    /// Every finding about the decks.
    pub fn decks(&self, _named: &[Option<String>], _context: &Context) -> Result<Vec<Vec<CardId>>, Vec<Diagnostic>> {
        Err(vec![Diagnostic::global("E0844").with("seat", "a")])
    }
}

/// Loads a game by name, or the only one there is.
///
/// # Errors
/// How the command ends when the game cannot be played; why has been shown by then.
pub fn load(context: &Context, game: Option<&str>) -> Result<Loaded, Exit> {
    let finding = Diagnostic::global("E0842").with("name", game.unwrap_or_default());
    context.complain(&[finding], &Sources::default());
    Err(Exit::CouldNotRun)
}
