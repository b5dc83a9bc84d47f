//! What was written since immediate rules were last looked at.

use crate::engine::ids::{Id, StateId};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What was written. It only spares looks: two states differ by none of it, and where it is not known everything was written.
#[derive(Clone, Debug)]
pub struct Written {
    places: u64,
    states: u64,
    pairs: Option<(u32, usize, Pairs)>,
}

/// Effects that may be tied, two by two (by their numbers).
pub type Pairs = Arc<[(u32, u32)]>;

impl Written {
    /// A state among what is written. States that share a bit are taken for the same, which only costs a look.
    #[must_use]
    pub fn of_state(state: StateId) -> u64 {
        1 << (state.index() % 64)
    }

    /// Something in those places was (by `change::bit`).
    #[inline]
    pub fn places(&mut self, places: u64) {
        self.places |= places;
    }

    /// A state was.
    #[inline]
    pub fn state(&mut self, state: StateId) {
        self.states |= Self::of_state(state);
    }

    /// Anything may have been.
    #[inline]
    pub fn all(&mut self) {
        *self = Self::default();
    }

    /// Nothing has been since.
    pub fn clear(&mut self) {
        (self.places, self.states) = (0, 0);
    }

    /// Whether something of these places or states was.
    #[must_use]
    pub fn meets(&self, places: u64, states: u64) -> bool {
        self.places & places != 0 || self.states & states != 0
    }

    /// With so many effects begun and so many in force these may be tied. (The one only grows, the other grows with it alone.)
    pub fn may_be_tied(&mut self, (begun, many): (u32, usize), pairs: Pairs) {
        self.pairs = Some((begun, many, pairs));
    }

    /// Which may be, where that is known.
    #[must_use]
    pub fn pairs(&self, effects: (u32, usize)) -> Option<&Pairs> {
        self.pairs.as_ref().filter(|(begun, many, _)| (*begun, *many) == effects).map(|(_, _, pairs)| pairs)
    }
}

impl Default for Written {
    fn default() -> Self {
        Self { places: u64::MAX, states: u64::MAX, pairs: None }
    }
}

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Written {}

impl Hash for Written {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
