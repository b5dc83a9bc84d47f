//! Notes what was written since the last check of immediate rules, of rules that the flow applies, and of computed values with events.

use crate::engine::ids::{Id, StateId};
use crate::engine::plan::Reads;
use crate::engine::state::Effects;
use crate::engine::state::memory::memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Notes of what was written. The notes only save checks, so they are no part of the state: states that differ only in these notes are
/// equal. If nothing is known, everything counts as written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    values: Since,
    pairs: Option<(u32, usize, Pairs)>,
    /// The immediate rules whose condition still has the truth that the board keeps.
    immediate: Known,
    /// The rules that the flow applies and whose condition is still false.
    at_rest: Known,
}

/// What was written since the last check.
#[derive(Clone, Debug)]
pub struct Since {
    places: u64,
    states: u64,
    /// The number of effects that had begun, and the number of effects in force. `None`: not known.
    effects: Option<(u32, usize)>,
}

impl Since {
    /// Whether nothing of `reads` was written since then. Values that effects can change must have been the printed ones then and now.
    #[must_use]
    pub fn is_nothing_of(&self, reads: &Reads, effects: &Effects) -> bool {
        let printed = || self.effects == Some(effects.extent_of_force()) && effects.leave(reads);
        self.places & reads.places == 0 && self.states & reads.states == 0 && (!reads.hangs_on_effects() || printed())
    }
}

impl Default for Since {
    fn default() -> Self {
        Self { places: u64::MAX, states: u64::MAX, effects: None }
    }
}

/// The rules whose condition is known. Such a condition was evaluated while everything that effects can change had its printed value, and
/// nothing that it reads was written since. Effects in between make no difference if the printed values are back.
///
/// A rule is known by its place in a list of rules. Conditions are evaluated while the state is only read, so the numbers are atomic.
#[derive(Debug, Default)]
pub struct Known {
    rules: AtomicU64,
    /// The places that were written since the last update of `rules`.
    places: AtomicU64,
    states: AtomicU64,
}

impl Known {
    /// The bit of a rule. No bit for a rule behind the sixty-fourth.
    #[must_use]
    pub fn bit(at: usize) -> u64 {
        u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0)
    }

    /// The rules with a known condition, by [`Known::bit`]. `reads`: the values that the condition of each rule reads. The knowledge counts
    /// only while effects do not change these values ([`Effects::leave`]).
    pub fn rules<'r>(&self, reads: impl Iterator<Item = Option<&'r Reads>>) -> u64 {
        let (places, states) = (self.places.load(Relaxed), self.states.load(Relaxed));
        let mut rules = self.rules.load(Relaxed);
        if places | states == 0 {
            return rules;
        }
        if rules != 0 {
            let touched = |reads: &Reads| reads.places & places != 0 || reads.states & states != 0;
            for (at, reads) in reads.enumerate() {
                if reads.is_none_or(touched) {
                    rules &= !Self::bit(at);
                }
            }
            self.rules.store(rules, Relaxed);
        }
        self.places.store(0, Relaxed);
        self.states.store(0, Relaxed);
        rules
    }

    /// Notes that a condition was evaluated while effects did not change the values that it reads.
    pub fn note(&self, at: usize) {
        self.rules.store(self.rules.load(Relaxed) | Self::bit(at), Relaxed);
    }

    fn places(&mut self, places: u64) {
        *self.places.get_mut() |= places;
    }

    fn states(&mut self, states: u64) {
        *self.states.get_mut() |= states;
    }
}

impl Clone for Known {
    fn clone(&self) -> Self {
        let copy = |number: &AtomicU64| AtomicU64::new(number.load(Relaxed));
        Known { rules: copy(&self.rules), places: copy(&self.places), states: copy(&self.states) }
    }
}

/// Pairs of effects (their numbers) that may be tied.
pub type Pairs = Arc<[(u32, u32)]>;

impl Written {
    /// The bit of a state. States that share a bit count as one; this only costs a needless check.
    #[must_use]
    pub fn of_state(state: StateId) -> u64 {
        1 << (state.index() % 64)
    }

    /// Notes that something in these places was written (bits of `change::bit`).
    #[inline]
    pub fn places(&mut self, places: u64) {
        self.immediate.places(places);
        self.values.places |= places;
        self.at_rest.places(places);
    }

    /// Notes that a state was written.
    #[inline]
    pub fn state(&mut self, state: StateId) {
        self.immediate.states(Self::of_state(state));
        self.values.states |= Self::of_state(state);
        self.at_rest.states(Self::of_state(state));
    }

    /// Notes that anything may have been written.
    #[inline]
    pub fn all(&mut self) {
        *self = Self::default();
    }

    /// What was written since values were checked.
    #[must_use]
    pub fn since_values(&self) -> &Since {
        &self.values
    }

    /// The rules that the flow applies whose condition is known to be false, by their place in the order.
    #[must_use]
    pub fn at_rest(&self) -> &Known {
        &self.at_rest
    }

    /// The immediate rules whose condition is known to be as the board keeps it, by their place in the plan.
    #[must_use]
    pub fn immediate(&self) -> &Known {
        &self.immediate
    }

    /// Notes that all values have been checked. `effects`: the number of effects that have begun, and the number of effects in force.
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
