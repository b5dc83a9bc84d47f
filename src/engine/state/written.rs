//! What was written since immediate rules, and computed values with events, were last checked.

use crate::engine::ids::{FieldId, Id, StateId};
use crate::engine::memory::memory;
use crate::engine::state::Effects;
use std::sync::Arc;

/// What was written. It only saves checks, so it is no part of the state: states that differ only in it are equal. If nothing is known,
/// everything counts as written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    rules: Since,
    values: Since,
    pairs: Option<(u32, usize, Pairs)>,
}

/// What was written since the last check.
#[derive(Clone, Debug)]
pub struct Since {
    places: u64,
    states: u64,
    /// How many effects had begun, and how many were in force. `None`: not known.
    effects: Option<(u32, usize)>,
}

impl Since {
    /// Whether none of these places and states was written, and these fields were then as the cards print them, and still are.
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

/// Pairs of effects (their numbers) that may be tied.
pub type Pairs = Arc<[(u32, u32)]>;

impl Written {
    /// The bit of a state. States that share a bit count as one; that costs only a needless check.
    #[must_use]
    pub fn of_state(state: StateId) -> u64 {
        1 << (state.index() % 64)
    }

    /// Notes that something in these places was written (bits of `change::bit`).
    #[inline]
    pub fn places(&mut self, places: u64) {
        self.rules.places |= places;
        self.values.places |= places;
    }

    /// Notes that a state was written.
    #[inline]
    pub fn state(&mut self, state: StateId) {
        self.rules.states |= Self::of_state(state);
        self.values.states |= Self::of_state(state);
    }

    /// Notes that anything may have been written.
    #[inline]
    pub fn all(&mut self) {
        *self = Self::default();
    }

    /// What was written since rules were checked.
    #[must_use]
    pub fn since_rules(&self) -> &Since {
        &self.rules
    }

    /// What was written since values were checked.
    #[must_use]
    pub fn since_values(&self) -> &Since {
        &self.values
    }

    /// All rules have been checked. `effects`: how many effects have begun by now, and how many are in force.
    pub fn rules_are_seen(&mut self, effects: (u32, usize)) {
        self.rules = Since { places: 0, states: 0, effects: Some(effects) };
    }

    /// All values have been checked. `effects`: how many effects have begun by now, and how many are in force.
    pub fn values_are_seen(&mut self, effects: (u32, usize)) {
        self.values = Since { places: 0, states: 0, effects: Some(effects) };
    }

    /// Remembers which effects may be tied, for these numbers of begun effects and of effects in force. (The first number only grows. The
    /// second grows only together with the first. So equal numbers mean equal effects.)
    pub fn may_be_tied(&mut self, (begun, many): (u32, usize), pairs: Pairs) {
        self.pairs = Some((begun, many, pairs));
    }

    /// The pairs of effects that may be tied, if they are known for these numbers.
    #[must_use]
    pub fn pairs(&self, effects: (u32, usize)) -> Option<&Pairs> {
        self.pairs.as_ref().filter(|(begun, many, _)| (*begun, *many) == effects).map(|(_, _, pairs)| pairs)
    }
}

memory!(Written);
