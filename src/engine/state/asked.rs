//! A counter for questions that lead to further questions, with a limit.
//!
//! Two kinds of questions are counted. First, whether an effect takes an ability away: conditions may ask the same about other effects.
//! Second, checks of members of a set inside two other sets. With a few more effects or members, the number of questions can grow a
//! thousandfold. Beyond the limit no question is answered any more, and the run ends with a rules error.

use crate::engine::limits::{LOOKS_WITHIN, SILENCE_LOOKS};
use crate::engine::state::memory::memory;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Counts the questions whether effects take abilities away.
pub type Silencing = Asked<SILENCE_LOOKS>;

/// Counts how often members of sets inside other sets are checked.
pub type LooksWithin = Asked<LOOKS_WITHIN>;

/// The number of questions since the count began, up to a limit. The count is no part of the state: states that differ only in the count
/// are equal.
#[derive(Debug, Default)]
pub struct Asked<const MOST: u32>(AtomicU32);

impl<const MOST: u32> Asked<MOST> {
    /// Counts one more question. `false` if there were too many.
    pub fn ask(&self) -> bool {
        let asked = self.0.load(Relaxed).saturating_add(1);
        self.0.store(asked, Relaxed);
        asked <= MOST
    }

    /// Whether there were too many questions, so that none is answered any more.
    #[must_use]
    #[inline]
    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > MOST
    }

    /// Sets the count to zero for a question that is not part of another question, unless the limit was passed.
    pub fn begin(&self) {
        if !self.is_too_much() {
            self.forget();
        }
    }

    /// Sets the count to zero.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }

    /// Takes over the count of a copy of the state, so that questions in the copy count here too.
    pub fn take_over(&self, other: &Self) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }
}

impl<const MOST: u32> Clone for Asked<MOST> {
    fn clone(&self) -> Self {
        Asked(AtomicU32::new(self.0.load(Relaxed)))
    }
}

memory!(Asked<const MOST: u32>);

/// Used while amounts of effects are read that depend on each other in a circle: the place of the effect that is left out, because it
/// stands in a circle with an older effect.
#[derive(Debug)]
pub struct LeftOut(AtomicU32);

impl LeftOut {
    /// Notes that the effect at this place is left out, unless an effect further out is left out already.
    pub fn note(&self, place: usize) {
        self.0.fetch_min(u32::try_from(place).unwrap_or(u32::MAX), Relaxed);
    }

    /// Begins reading the effect at this place. Effects from this place on are no longer left out.
    pub fn begin(&self, place: usize) {
        if self.0.load(Relaxed) as usize >= place {
            self.0.store(u32::MAX, Relaxed);
        }
    }

    /// Whether the effect at this place is left out. This ends the leaving out.
    pub fn is(&self, place: usize) -> bool {
        let is = self.0.load(Relaxed) as usize == place;
        if is {
            self.0.store(u32::MAX, Relaxed);
        }
        is
    }
}

impl Default for LeftOut {
    fn default() -> Self {
        LeftOut(AtomicU32::new(u32::MAX))
    }
}

impl Clone for LeftOut {
    fn clone(&self) -> Self {
        LeftOut::default()
    }
}

memory!(LeftOut);
