//! Notes what was written since the last check of immediate rules, of rules that the flow applies, and of computed values with events.

use crate::bits::{PlaceSet, StateSet};
use crate::ids::StateId;
use crate::plan::Reads;
use crate::state::Effects;
use crate::state::memory::memory;
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
pub(crate) struct Since {
    places: PlaceSet,
    states: StateSet,
    /// The number of effects that had begun, and the number of effects in force. `None`: not known.
    effects: Option<(u32, usize)>,
    /// The version of the row of effects. `None`: not known.
    row: Option<u64>,
}

impl Since {
    /// Whether none of the places and states that a condition reads was written, and effects change what it reads in the same way as then.
    #[must_use]
    pub(crate) fn is_nothing_of(&self, reads: &Reads, effects: &Effects) -> bool {
        let as_then = || match effects.hold_still(reads) {
            Some(Still::AsPrinted) => self.effects == Some(effects.extent_of_force()),
            Some(Still::ByRow) => self.row == Some(effects.row_version.number()),
            None => false,
        };
        !self.places.meets(reads.places) && !self.states.meets(reads.states) && (!reads.hangs_on_effects() || as_then())
    }
}

impl Default for Since {
    fn default() -> Self {
        Self { places: PlaceSet::ALL, states: StateSet::ALL, effects: None, row: None }
    }
}

/// Why effects leave the values that a condition reads unchanged, as long as none of these values is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// No effect changes these values: all are as the cards print them.
    AsPrinted,
    /// All effects on these values stand in the row of effects, and the row has a version.
    ByRow,
}

/// The rules of which the condition is known. There are two ways to know a condition. Either no effect changed what it reads when it was
/// evaluated, no effect does so now, and nothing that it reads was written since. (What effects did in between does not matter.) Or it was
/// evaluated with the present row of effects, and nothing that it reads was written since. See [`Still`].
///
/// A rule is named by its index in a list of rules. Conditions are evaluated while the state is only read, so the numbers are atomic.
#[derive(Debug, Default)]
pub struct Known {
    /// The rules that are known because everything that they read is as printed, one bit each.
    rules: AtomicU64,
    /// The rules that are known for a certain row of effects, and the version of that row.
    by_row: AtomicU64,
    row: AtomicU64,
    /// The places and states that were written since [`Known::look`] was called last.
    places: AtomicU64,
    states: AtomicU64,
}

impl Known {
    /// The bit of a rule. A rule with an index of 64 or more has no bit, so it is never known.
    #[must_use]
    pub fn bit(at: usize) -> u64 {
        u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0)
    }

    /// Drops the rules whose condition is no longer known, because something that it reads was written. `reads`: what the condition of each
    /// rule reads. `None`: the rule is always dropped.
    pub fn look<'r>(&self, reads: impl Iterator<Item = Option<&'r Reads>>, effects: &Effects) {
        if self.row.swap(effects.row_version.number(), Relaxed) != effects.row_version.number() {
            self.by_row.store(0, Relaxed);
        }
        let (places, states) = (PlaceSet(self.places.swap(0, Relaxed)), StateSet(self.states.swap(0, Relaxed)));
        let (mut rules, mut by_row) = (self.rules.load(Relaxed), self.by_row.load(Relaxed));
        if places.is_none() && states.is_none() || rules | by_row == 0 {
            return;
        }
        let touched = |reads: &Reads| reads.places.meets(places) || reads.states.meets(states);
        for (at, reads) in reads.enumerate() {
            if reads.is_none_or(touched) {
                rules &= !Self::bit(at);
                by_row &= !Self::bit(at);
            }
        }
        self.rules.store(rules, Relaxed);
        self.by_row.store(by_row, Relaxed);
    }

    /// Whether the condition of a rule is known. `how`: why effects leave it unchanged now. Call [`Known::look`] first.
    #[must_use]
    pub fn has(&self, at: usize, how: Still) -> bool {
        let of = if how == Still::AsPrinted { &self.rules } else { &self.by_row };
        of.load(Relaxed) & Self::bit(at) != 0
    }

    /// Notes that a condition was evaluated. Call [`Known::look`] first.
    pub fn note(&self, at: usize, how: Still) {
        let of = if how == Still::AsPrinted { &self.rules } else { &self.by_row };
        of.store(of.load(Relaxed) | Self::bit(at), Relaxed);
    }

    /// Notes that the condition of a rule is no longer known.
    pub fn forget(&self, at: usize) {
        self.rules.store(self.rules.load(Relaxed) & !Self::bit(at), Relaxed);
        self.by_row.store(self.by_row.load(Relaxed) & !Self::bit(at), Relaxed);
    }

    fn places(&mut self, places: PlaceSet) {
        *self.places.get_mut() |= places.0;
    }

    fn states(&mut self, states: StateSet) {
        *self.states.get_mut() |= states.0;
    }
}

impl Clone for Known {
    fn clone(&self) -> Self {
        let copy = |number: &AtomicU64| AtomicU64::new(number.load(Relaxed));
        Known {
            rules: copy(&self.rules),
            by_row: copy(&self.by_row),
            row: copy(&self.row),
            places: copy(&self.places),
            states: copy(&self.states),
        }
    }
}

/// Pairs of effects (their numbers) that may be tied.
pub type Pairs = Arc<[(u32, u32)]>;

impl Written {
    /// Notes that something in these places was written.
    #[inline]
    pub fn places(&mut self, places: PlaceSet) {
        self.immediate.places(places);
        self.values.places |= places;
        self.at_rest.places(places);
    }

    /// Notes that a state was written.
    #[inline]
    pub fn state(&mut self, state: StateId) {
        self.immediate.states(StateSet::of(state));
        self.values.states |= StateSet::of(state);
        self.at_rest.states(StateSet::of(state));
    }

    /// Notes that anything may have been written.
    #[inline]
    pub fn all(&mut self) {
        *self = Self::default();
    }

    /// What was written since computed values were last checked.
    #[must_use]
    pub(crate) fn since_values(&self) -> &Since {
        &self.values
    }

    /// The rules, of those that the flow applies, whose condition is known to be false, by their index in the order.
    #[must_use]
    pub(crate) fn at_rest(&self) -> &Known {
        &self.at_rest
    }

    /// The immediate rules whose condition is known to have the truth that the board keeps, by their index in the plan.
    #[must_use]
    pub(crate) fn immediate(&self) -> &Known {
        &self.immediate
    }

    /// Notes that all computed values have been checked.
    pub(crate) fn values_are_seen(&mut self, effects: &Effects) {
        let row = Some(effects.row_version.number());
        self.values = Since { places: PlaceSet::NONE, states: StateSet::NONE, effects: Some(effects.extent_of_force()), row };
    }

    /// Remembers which effects may be tied, for these numbers of begun effects and of effects in force. (The first number only grows. The
    /// second grows only together with the first. So equal numbers mean equal effects.)
    pub(crate) fn may_be_tied(&mut self, (begun, many): (u32, usize), pairs: Pairs) {
        self.pairs = Some((begun, many, pairs));
    }

    /// The pairs of effects that may be tied, if they are known for these numbers.
    #[must_use]
    pub fn pairs(&self, effects: (u32, usize)) -> Option<&Pairs> {
        self.pairs.as_ref().filter(|(begun, many, _)| (*begun, *many) == effects).map(|(_, _, pairs)| pairs)
    }
}

memory!(Written);
