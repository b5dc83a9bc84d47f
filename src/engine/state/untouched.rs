//! Cards whose states are all known to be as at first. These are most cards of a game, so code that goes through all states skips them.

use crate::engine::state::memory::memory;
use crate::engine::value::ObjectId;

/// A bit for each card. It says nothing that the states do not say: two boards differ by none of it, and a card whose bit is not set may be
/// as at first all the same.
#[derive(Clone, Debug, Default)]
pub struct Untouched(Vec<u64>);

impl Untouched {
    /// Every state of a card is as at first.
    pub fn note(&mut self, id: ObjectId) {
        let (word, bit) = place_of(id);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// A state of a card is written.
    #[inline]
    pub fn touch(&mut self, id: ObjectId) {
        let (word, bit) = place_of(id);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Whether every state of a card is known to be as at first.
    #[must_use]
    #[inline]
    pub fn is(&self, id: ObjectId) -> bool {
        let (word, bit) = place_of(id);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Nothing is known of any card.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// Becomes a copy that keeps the memory of what was here.
    pub fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

fn place_of(id: ObjectId) -> (usize, u64) {
    (usize::from(id.0) / 64, 1 << (id.0 % 64))
}

memory!(Untouched);
