//! A cache for extents: how the extent of a part was found in earlier positions. Used only for parts that check each card by itself.

use super::effects::Extent;
use crate::engine::state::board::{Object, Version};
use crate::engine::state::memory::memory;
use crate::engine::value::{Player, Value};
use std::sync::Arc;

/// The most positions that are remembered.
const WORLDS: usize = 16;

/// The cache of one part. It is no part of the state: states that differ only in the cache are equal.
#[derive(Debug, Default)]
pub struct Found(Option<Arc<Vec<Arc<World>>>>);

/// The parts before a part that it reads: their effect and change, each with its extent.
pub type LookedAt = Vec<((u32, u16), Arc<Extent>)>;

/// A position in which the extent was found, as far as the part reads it. It may be old, because each use compares it with the present
/// position.
#[derive(Debug)]
pub struct World {
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
    /// The zones that its set names (bits of `lane::place_bit`). They are the same in every position.
    pub reads: u64,
    /// The extent.
    pub extent: Arc<Extent>,
}

impl World {
    /// Whether the same earlier parts were read.
    #[must_use]
    pub fn stands_behind(&self, before: &LookedAt) -> bool {
        self.before.len() == before.len() && self.before.iter().zip(before).all(|(one, other)| one.0 == other.0)
    }
}

impl Found {
    /// The remembered positions, oldest first.
    #[must_use]
    pub fn worlds(&self) -> &[Arc<World>] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Remembers one more position. It replaces the remembered position with the same earlier parts, if there is one.
    #[must_use]
    pub fn also_in(&self, world: World) -> Self {
        let mut worlds = self.worlds().to_vec();
        let same = worlds.iter().position(|known| known.stands_behind(&world.before));
        match same.and_then(|at| worlds.get_mut(at)) {
            Some(slot) => *slot = Arc::new(world),
            None => {
                if worlds.len() >= WORLDS {
                    worlds.remove(0);
                }
                worlds.push(Arc::new(world));
            }
        }
        Self(Some(Arc::new(worlds)))
    }
}

impl Clone for Found {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Makes this a copy. Data that both already share is not touched.
    fn clone_from(&mut self, of: &Self) {
        if !self.0.as_ref().zip(of.0.as_ref()).is_some_and(|(worlds, of)| Arc::ptr_eq(worlds, of)) {
            self.0.clone_from(&of.0);
        }
    }
}

memory!(Found);
