//! How the extent of a part was found before, where it hangs on one card at a time.

use super::effects::Extent;
use crate::engine::board::Object;
use crate::engine::value::{Player, Value};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// In so many worlds at most.
const WORLDS: usize = 16;

/// How an extent was found. It says nothing that the state does not say: two states differ by none of it.
#[derive(Debug, Default)]
pub struct Found(Option<Arc<Vec<Arc<World>>>>);

/// The parts before a part that it looks at, by their effects and changes, with what these apply to.
pub type LookedAt = Vec<((u32, u16), Arc<Extent>)>;

/// A world in which it was found, as far as it was looked at. Each use compares it with the present state, so it may be old.
#[derive(Debug)]
pub struct World {
    /// Whose the effect was.
    pub you: Player,
    /// Every card.
    pub objects: Arc<Vec<Object>>,
    /// The parts before it that it looked at.
    pub before: LookedAt,
    /// What it described, sorted.
    pub members: Vec<Value>,
    /// What that was read from (bits of `lane::spot`): the zones that it names, in any world.
    pub reads: u64,
    /// What it applied to.
    pub extent: Arc<Extent>,
}

impl World {
    /// Whether the same parts stood before it.
    #[must_use]
    pub fn stands_behind(&self, before: &LookedAt) -> bool {
        self.before.len() == before.len() && self.before.iter().zip(before).all(|(one, other)| one.0 == other.0)
    }
}

impl Found {
    /// The worlds in which it was found, the oldest first.
    #[must_use]
    pub fn worlds(&self) -> &[Arc<World>] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    /// It was found in another world too, instead of the one with the same parts before it.
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

    /// Becomes a copy. What both have already is left alone.
    fn clone_from(&mut self, of: &Self) {
        if !self.0.as_ref().zip(of.0.as_ref()).is_some_and(|(worlds, of)| Arc::ptr_eq(worlds, of)) {
            self.0.clone_from(&of.0);
        }
    }
}

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Found {}

impl Hash for Found {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
