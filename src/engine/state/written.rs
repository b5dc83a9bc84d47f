//! Notes what was written since immediate rules, rules that the flow applies, and computed values with events were last looked at.

use crate::engine::ids::{Id, StateId};
use crate::engine::plan::Reads;
use crate::engine::state::Effects;
use crate::engine::state::memory::memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What was written. It only saves checks, so it is no part of the state: states that differ only in it are equal. If nothing is known,
/// everything counts as written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    values: Since,
    pairs: Option<(u32, usize, Pairs)>,
    /// Immediate rules whose condition is as the board keeps it.
    immediate: Known,
    /// Rules that the flow applies whose condition is false.
    at_rest: Known,
}

/// What was written since the last check.
#[derive(Clone, Debug)]
pub struct Since {
    places: u64,
    states: u64,
    /// How many effects had begun, and how many were in force. `None`: not known.
    effects: Option<(u32, usize)>,
    /// The version of the row of effects.
    row: u64,
}

impl Since {
    /// Whether nothing of this was written, and effects change as much of it as then.
    #[must_use]
    pub fn is_nothing_of(&self, reads: &Reads, effects: &Effects) -> bool {
        let as_then = || match effects.hold_still(reads) {
            Some(Still::AsPrinted) => self.effects == Some(effects.extent_of_force()),
            Some(Still::ByRow) => self.row == effects.row_version.number(),
            None => false,
        };
        self.places & reads.places == 0 && self.states & reads.states == 0 && (!reads.hangs_on_effects() || as_then())
    }
}

impl Default for Since {
    fn default() -> Self {
        Self { places: u64::MAX, states: u64::MAX, effects: None, row: u64::MAX }
    }
}

/// Why effects do not make another thing of what a condition reads, as long as nothing of it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// They change nothing of it: all is as the cards print it.
    AsPrinted,
    /// All that they change of it stands in the row of effects, which has a version.
    ByRow,
}

/// Of which rules the condition is known: it was evaluated while whatever effects can change of it was as the cards print it, and nothing that it
/// reads was written since. What effects have done in between makes no difference, if everything is as printed again. Or it was evaluated with
/// the present row of effects ([`Still`]).
///
/// A rule is known by its place in a list of rules. Conditions are evaluated while the state is only read, so the numbers are atomic.
#[derive(Debug, Default)]
pub struct Known {
    /// Those that are known for what is as printed.
    rules: AtomicU64,
    /// Those that are known for a row of effects, and the version of that row.
    by_row: AtomicU64,
    row: AtomicU64,
    /// What was written since it was last found out what that touches.
    places: AtomicU64,
    states: AtomicU64,
}

impl Known {
    /// The bit of a rule; none for a rule behind the sixty-fourth.
    #[must_use]
    pub fn bit(at: usize) -> u64 {
        u32::try_from(at).ok().and_then(|at| 1_u64.checked_shl(at)).unwrap_or(0)
    }

    /// Finds out of which rules the condition is still known. `reads`: what the condition of each one reads.
    pub fn look<'r>(&self, reads: impl Iterator<Item = Option<&'r Reads>>, effects: &Effects) {
        if self.row.swap(effects.row_version.number(), Relaxed) != effects.row_version.number() {
            self.by_row.store(0, Relaxed);
        }
        let (places, states) = (self.places.swap(0, Relaxed), self.states.swap(0, Relaxed));
        let (mut rules, mut by_row) = (self.rules.load(Relaxed), self.by_row.load(Relaxed));
        if places | states == 0 || rules | by_row == 0 {
            return;
        }
        let touched = |reads: &Reads| reads.places & places != 0 || reads.states & states != 0;
        for (at, reads) in reads.enumerate() {
            if reads.is_none_or(touched) {
                rules &= !Self::bit(at);
                by_row &= !Self::bit(at);
            }
        }
        self.rules.store(rules, Relaxed);
        self.by_row.store(by_row, Relaxed);
    }

    /// Whether the condition of a rule is known, for what effects do now. Only behind [`Known::look`].
    #[must_use]
    pub fn has(&self, at: usize, how: Still) -> bool {
        let of = if how == Still::AsPrinted { &self.rules } else { &self.by_row };
        of.load(Relaxed) & Self::bit(at) != 0
    }

    /// A condition was evaluated. Only behind [`Known::look`].
    pub fn note(&self, at: usize, how: Still) {
        let of = if how == Still::AsPrinted { &self.rules } else { &self.by_row };
        of.store(of.load(Relaxed) | Self::bit(at), Relaxed);
    }

    /// What was known of a condition is so no more.
    pub fn forget(&self, at: usize) {
        self.rules.store(self.rules.load(Relaxed) & !Self::bit(at), Relaxed);
        self.by_row.store(self.by_row.load(Relaxed) & !Self::bit(at), Relaxed);
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
    /// The bit of a state. States that share a bit count as one; that costs only a needless check.
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

    /// All values have been checked.
    pub fn values_are_seen(&mut self, effects: &Effects) {
        let row = effects.row_version.number();
        self.values = Since { places: 0, states: 0, effects: Some(effects.extent_of_force()), row };
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
