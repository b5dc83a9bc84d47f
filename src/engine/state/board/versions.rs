//! Versions of the parts of a board. They show whether a part is unchanged without looking at the part.
//!
//! Every change of a part gives the part a version that no part of any board had before. So two parts with equal versions have equal
//! content, even on two boards: a copy of a board keeps the versions, and changes of the copy take new ones. Debug builds also compare the
//! contents where versions are used ([`crate::legal::bases`], [`crate::state::fingerprint`]).
//!
//! Code outside of `board.rs` that changes a part calls the `touch…` function of the part. The row of effects (those in force, in the order
//! of their application) has a version too (`Effects::row_version`).

use crate::bits::{PARTS, PlaceSet, StateSet};
use crate::state::memory::memory;
use crate::value::Place;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of versions that a thread takes at once, so that threads seldom wait for each other.
const BLOCK: u64 = 1 << 20;

static BLOCKS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The next version of this thread, and the end of the thread's versions.
    static NEXT: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// A version of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version(u64);

impl Version {
    /// The number of the version.
    #[must_use]
    #[inline]
    pub fn number(self) -> u64 {
        self.0
    }

    /// A version that no part had before.
    #[inline]
    fn fresh() -> Self {
        NEXT.with(|next| {
            let (mut version, mut end) = next.get();
            if version == end {
                version = BLOCKS.fetch_add(1, Ordering::Relaxed) * BLOCK;
                end = version + BLOCK;
            }
            next.set((version + 1, end));
            Version(version)
        })
    }
}

/// The versions of a board's parts. They are no part of the board's value: boards with equal content are equal.
#[derive(Clone, Copy, Debug)]
pub struct Versions {
    /// The cards and how they lie: objects, zones, and the rows of extra properties.
    pub lying: Version,
    /// States of cards and players.
    pub states: Version,
    /// Who sees and remembers cards, who controls them, and who decides for whom.
    pub sight: Version,
    /// Two versions: the last change of how cards lie, with unknown places, and the last change of states, with unknown states.
    anywhere: [Version; 2],
    /// The last change of each place, and of each state.
    parts: [[Version; PARTS]; 2],
}

impl Versions {
    /// Whether these places and these states are unchanged since another board had the versions `other`. If a change with unknown places came
    /// in between, the answer is `false` for all places.
    #[must_use]
    pub fn are_same(&self, other: &Versions, places: PlaceSet, states: StateSet) -> bool {
        let (lying, states_are) = (self.lying == other.lying, self.states == other.states);
        (lying || self.parts_are_same(other, 0, places.0)) && (states_are || self.parts_are_same(other, 1, states.0))
    }

    /// The version of a state, on all cards and players.
    #[must_use]
    #[inline]
    pub fn state(&self, state: usize) -> [Version; 2] {
        let [_, anywhere] = self.anywhere;
        [anywhere, self.parts[1].get(state % PARTS).copied().unwrap_or(anywhere)]
    }

    /// The version of a place.
    #[must_use]
    #[inline]
    pub fn place(&self, place: usize) -> [Version; 2] {
        let [anywhere, _] = self.anywhere;
        [anywhere, self.parts[0].get(place % PARTS).copied().unwrap_or(anywhere)]
    }

    fn parts_are_same(&self, other: &Versions, of: usize, mut bits: u64) -> bool {
        let (Some(own), Some(others)) = (self.parts.get(of), other.parts.get(of)) else { return false };
        if self.anywhere.get(of) != other.anywhere.get(of) {
            return false;
        }
        while bits != 0 {
            let at = bits.trailing_zeros() as usize;
            if own.get(at) != others.get(at) {
                return false;
            }
            bits &= bits - 1;
        }
        true
    }

    /// Notes that cards of a place were moved, turned or changed.
    #[inline]
    pub(crate) fn touch_place(&mut self, place: Place) {
        self.lying = Version::fresh();
        if let Some(part) = self.parts[0].get_mut(usize::from(place.0) % PARTS) {
            *part = self.lying;
        }
    }

    /// Notes that cards were moved, turned or changed, in unknown places.
    #[inline]
    pub(crate) fn touch_lying(&mut self) {
        self.lying = Version::fresh();
        self.anywhere[0] = self.lying;
    }

    /// Notes that a state was written.
    #[inline]
    pub(crate) fn touch_state(&mut self, state: usize) {
        self.states = Version::fresh();
        if let Some(part) = self.parts[1].get_mut(state % PARTS) {
            *part = self.states;
        }
    }

    /// Notes that unknown states were written.
    #[inline]
    pub(crate) fn touch_states(&mut self) {
        self.states = Version::fresh();
        self.anywhere[1] = self.states;
    }

    /// Notes a change in who sees, remembers, controls or decides.
    #[inline]
    pub(crate) fn touch_sight(&mut self) {
        self.sight = Version::fresh();
    }

    /// Notes that anything may have changed.
    pub(crate) fn touch_all(&mut self) {
        self.touch_lying();
        self.touch_states();
        self.touch_sight();
    }
}

impl Default for Versions {
    fn default() -> Self {
        let first = Version::fresh();
        Versions { lying: first, states: first, sight: first, anywhere: [first; 2], parts: [[first; PARTS]; 2] }
    }
}

memory!(Versions);

/// The version of something that is not on the board. Like [`Versions`] it is no part of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VersionBeside(Version);

impl VersionBeside {
    /// Notes that the thing has changed.
    #[inline]
    pub(crate) fn touch(&mut self) {
        self.0 = Version::fresh();
    }

    /// The number of the version.
    #[must_use]
    #[inline]
    pub(crate) fn number(self) -> u64 {
        self.0.number()
    }
}

impl Default for VersionBeside {
    fn default() -> Self {
        VersionBeside(Version::fresh())
    }
}

memory!(VersionBeside);

#[cfg(test)]
mod tests {
    use super::{Version, Versions};
    use crate::bits::{PlaceSet, StateSet};
    use crate::ids::StateId;
    use crate::value::Place;

    #[test]
    fn no_version_comes_twice() {
        let here: Vec<u64> = (0..1000).map(|_| Version::fresh().0).collect();
        let there = std::thread::spawn(|| (0..1000).map(|_| Version::fresh().0).collect::<Vec<u64>>()).join().unwrap_or_default();
        let mut all: Vec<u64> = here.into_iter().chain(there).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2000);
    }

    #[test]
    fn a_touched_part_has_another_version() {
        let before = Versions::default();
        let mut after = before;
        after.touch_states();
        assert_eq!((before.lying, before.sight), (after.lying, after.sight));
        assert_ne!(before.states, after.states);
    }

    #[test]
    fn a_touched_place_or_state_leaves_the_others() {
        let before = Versions::default();
        let mut after = before;
        after.touch_place(Place(3));
        after.touch_state(5);
        let (place, state) = (PlaceSet::of(Place(3)), StateSet::of(StateId(5)));
        assert!(before.are_same(&after, PlaceSet(!place.0), StateSet(!state.0)));
        assert!(!before.are_same(&after, place, StateSet::NONE));
        assert!(!before.are_same(&after, PlaceSet::NONE, state));
        let here = after;
        after.touch_lying();
        assert!(!here.are_same(&after, PlaceSet::of(Place(0)), StateSet::NONE));
    }
}
