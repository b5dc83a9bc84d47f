//! What was written since immediate rules, and computed values that have events, were last looked at.

use crate::engine::ids::{FieldId, Id, StateId};
use crate::engine::state::Effects;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What was written. It only spares looks: two states differ by none of it, and where it is not known everything was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    rules: Since,
    values: Since,
    pairs: Option<(u32, usize, Pairs)>,
}

/// What was written since somebody looked.
#[derive(Clone, Debug)]
pub struct Since {
    places: u64,
    states: u64,
    /// How many effects had begun, and how many were in force; none where that is not known.
    effects: Option<(u32, usize)>,
}

impl Since {
    /// Whether nothing was written of these places and states, and these fields are as the cards print them, then and now.
    #[must_use]
    pub fn is_nothing_of(&self, (places, states): (u64, u64), fields: &[FieldId], effects: &Effects) -> bool {
        let plain = || self.effects == Some(effects.extent_of_force()) && !effects.modifies_any(fields);
        self.places & places == 0 && self.states & states == 0 && (fields.is_empty() || plain())
    }
}

impl Default for Since {
    fn default() -> Self {
        Self { places: u64::MAX, states: u64::MAX, effects: None }
    }
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
        self.rules.places |= places;
        self.values.places |= places;
    }

    /// A state was.
    #[inline]
    pub fn state(&mut self, state: StateId) {
        self.rules.states |= Self::of_state(state);
        self.values.states |= Self::of_state(state);
    }

    /// Anything may have been.
    #[inline]
    pub fn all(&mut self) {
        *self = Self::default();
    }

    /// What was since rules were looked at.
    #[must_use]
    pub fn since_rules(&self) -> &Since {
        &self.rules
    }

    /// What was since values were.
    #[must_use]
    pub fn since_values(&self) -> &Since {
        &self.values
    }

    /// Every rule is looked at. So many effects have begun by now, and so many are in force.
    pub fn rules_are_seen(&mut self, effects: (u32, usize)) {
        self.rules = Since { places: 0, states: 0, effects: Some(effects) };
    }

    /// The same of every value.
    pub fn values_are_seen(&mut self, effects: (u32, usize)) {
        self.values = Since { places: 0, states: 0, effects: Some(effects) };
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

impl PartialEq for Written {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Written {}

impl Hash for Written {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
