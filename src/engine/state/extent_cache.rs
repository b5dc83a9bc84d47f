//! A cache for extents: how the extent of a part was found in earlier positions. Used only for parts that check each card by itself.

use super::effects::Extent;
use crate::state::board::{Object, Version};
use crate::state::memory::memory;
use crate::value::{Player, Value};
use std::sync::Arc;

/// The most positions that are remembered.
const MOST_KNOWN: usize = 16;

/// The cache of one part. It is no part of the state: states that differ only in the cache are equal.
#[derive(Debug, Default)]
pub struct ExtentCache(Option<Arc<Vec<Arc<KnownExtent>>>>);

/// The parts before a part that it reads: their effect and change, each with its extent.
pub(crate) type LookedAt = Vec<((u32, u16), Arc<Extent>)>;

/// A position in which the extent was found, as far as the part reads it. It may be old, because each use compares it with the present
/// position.
#[derive(Debug)]
pub struct KnownExtent {
    /// The player of the effect.
    pub you: Player,
    /// All cards.
    pub objects: Arc<Vec<Object>>,
    /// The version of how the cards lay.
    pub lying: Version,
    /// The earlier parts that the part read.
    pub before: LookedAt,
    /// The members of its set, sorted.
    pub members: Vec<Value>,
    /// What its set reads. It is the same in every position.
    pub reads: crate::bits::Spots,
    /// The extent.
    pub(crate) extent: Arc<Extent>,
}

impl KnownExtent {
    /// Whether the same earlier parts were read.
    #[must_use]
    pub(crate) fn stands_behind(&self, before: &LookedAt) -> bool {
        self.before.len() == before.len() && self.before.iter().zip(before).all(|(one, other)| one.0 == other.0)
    }
}

impl ExtentCache {
    /// The remembered positions, oldest first.
    #[must_use]
    pub fn known(&self) -> &[Arc<KnownExtent>] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Remembers one more position. It replaces the remembered position with the same earlier parts, if there is one.
    #[must_use]
    pub(crate) fn also_in(&self, entry: KnownExtent) -> Self {
        let mut known = self.known().to_vec();
        let same = known.iter().position(|other| other.stands_behind(&entry.before));
        match same.and_then(|at| known.get_mut(at)) {
            Some(slot) => *slot = Arc::new(entry),
            None => {
                if known.len() >= MOST_KNOWN {
                    known.remove(0);
                }
                known.push(Arc::new(entry));
            }
        }
        Self(Some(Arc::new(known)))
    }
}

impl Clone for ExtentCache {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Makes this a copy. Data that both already share is not touched.
    fn clone_from(&mut self, of: &Self) {
        if !self.0.as_ref().zip(of.0.as_ref()).is_some_and(|(known, of)| Arc::ptr_eq(known, of)) {
            self.0.clone_from(&of.0);
        }
    }
}

memory!(ExtentCache);
