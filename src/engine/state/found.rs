//! How the extent of a part was found last, where it hangs on one card at a time.

use super::effects::Extent;
use crate::engine::board::Object;
use crate::engine::value::{Player, Value};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How an extent was found. It says nothing that the state does not say: two states differ by none of it.
#[derive(Clone, Debug, Default)]
pub struct Found(Option<Arc<World>>);

/// The world in which it was found, as far as it was looked at. What is found of it is compared with what is, so it may be as old as it likes.
#[derive(Debug)]
pub struct World {
    /// Whose the effect was.
    pub you: Player,
    /// Every card.
    pub objects: Vec<Object>,
    /// The parts before it that it looked at, by their effects and changes, and what these applied to.
    pub before: Vec<((u32, u16), Arc<Extent>)>,
    /// What it applied to.
    pub members: Vec<Value>,
    /// What this was read from (bits of `lane::spot`).
    pub reads: u64,
}

impl Found {
    /// It was found so.
    #[must_use]
    pub fn of(world: World) -> Self {
        Self(Some(Arc::new(world)))
    }

    /// How it was found last, where that is known.
    #[must_use]
    pub fn world(&self) -> Option<&World> {
        self.0.as_deref()
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
