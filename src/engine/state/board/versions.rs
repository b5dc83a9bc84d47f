//! Versions of the parts of a board. They show whether a part is unchanged without looking at the part.
//!
//! Every change of a part gives the part a version that no part of any board had before. So two parts with equal versions have equal
//! content, even on two boards: a copy of a board keeps the versions, and changes of the copy take new ones. Debug builds also compare the
//! contents where versions are used ([`crate::engine::legal::bases`], [`crate::engine::state::fingerprint`]).

use crate::engine::state::memory::memory;
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
    /// Who sees, remembers, controls and decides for whom.
    pub sight: Version,
}

impl Versions {
    /// Notes that cards were moved, turned or changed.
    #[inline]
    pub fn touch_lying(&mut self) {
        self.lying = Version::fresh();
    }

    /// Notes that states were written.
    #[inline]
    pub fn touch_states(&mut self) {
        self.states = Version::fresh();
    }

    /// Notes a change in who sees, remembers, controls or decides.
    #[inline]
    pub fn touch_sight(&mut self) {
        self.sight = Version::fresh();
    }

    /// Notes that anything may have changed.
    pub fn touch_all(&mut self) {
        *self = Self::default();
    }
}

impl Default for Versions {
    fn default() -> Self {
        Versions { lying: Version::fresh(), states: Version::fresh(), sight: Version::fresh() }
    }
}

memory!(Versions);

#[cfg(test)]
mod tests {
    use super::{Version, Versions};

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
}
