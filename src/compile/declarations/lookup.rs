//! Finds the number of a name or label, for scenarios, decks and the command line.

use crate::Compiler;
use engine::ids::{CardId, FieldId, KindId, StateId, VerbId, ZoneId};
use engine::value::Player;

impl Compiler {
    /// The cards with that number or printed name.
    #[must_use]
    pub fn cards_called(&self, text: &str) -> Vec<CardId> {
        match self.symbols.cards.id::<CardId>(text) {
            Some(card) => vec![card],
            None => self.card_names.get(text).cloned().unwrap_or_default(),
        }
    }

    /// The numbers and names of all cards, for suggestions.
    #[must_use]
    pub fn card_words(&self) -> Vec<String> {
        let names = self.program.cards.iter().filter_map(|(_, card)| self.program.texts.get(card.name).cloned());
        self.symbols.cards.words().map(str::to_owned).chain(names).collect()
    }

    /// A zone by name or label.
    #[must_use]
    pub fn zone(&self, word: &str) -> Option<ZoneId> {
        self.symbols.zones.id(word)
    }

    /// A state or pool by name or label.
    #[must_use]
    pub fn state(&self, word: &str) -> Option<StateId> {
        self.symbols.states.id(word)
    }

    /// A field of cards by name or label.
    #[must_use]
    pub fn field(&self, word: &str) -> Option<FieldId> {
        self.symbols.fields.id(word)
    }

    /// A verb by name or label.
    #[must_use]
    pub fn verb(&self, word: &str) -> Option<VerbId> {
        self.symbols.verbs.id(word)
    }

    /// A kind of ability by name or label.
    #[must_use]
    pub fn kind(&self, word: &str) -> Option<KindId> {
        self.symbols.kinds.id(word)
    }

    /// A seat: `a`, `b` and so on, up to the number of players.
    #[must_use]
    pub fn seat(&self, word: &str) -> Option<Player> {
        let mut signs = word.chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else { return None };
        let at = u8::try_from(u32::from(sign).checked_sub(u32::from('a'))?).ok()?;
        (at < self.program.players).then_some(Player(at))
    }
}
