//! Cards whose states are all known to have their first values. These are most cards of a game, so code that goes through all states skips
//! them.

use crate::state::memory::memory;
use crate::value::ObjectId;

/// One bit for each card. The bits are no part of the board's value. A card whose bit is not set may have its first states too.
#[derive(Clone, Debug, Default)]
pub struct Untouched(Vec<u64>);

impl Untouched {
    /// Notes that every state of a card has its first value.
    pub fn note(&mut self, id: ObjectId) {
        let (word, bit) = place_of(id);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Notes that a state of a card is written.
    #[inline]
    pub fn touch(&mut self, id: ObjectId) {
        let (word, bit) = place_of(id);
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Whether every state of a card is known to have its first value.
    #[must_use]
    #[inline]
    pub fn is(&self, id: ObjectId) -> bool {
        let (word, bit) = place_of(id);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Forgets everything that is known.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// Makes this a copy. The allocated memory is kept.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

fn place_of(id: ObjectId) -> (usize, u64) {
    (usize::from(id.0) / 64, 1 << (id.0 % 64))
}

memory!(Untouched);
