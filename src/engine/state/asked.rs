//! A counter for questions that lead to further questions, with a limit.
//!
//! Two kinds of questions are counted. First, whether an effect takes an ability away can depend on conditions that ask the same about
//! other effects. Second, a set can be searched for each member of another set, which is searched for each member of a third. With a few
//! more effects or members there are a thousand times as many questions. Beyond the limit no question is answered any more, and the run
//! ends with a rules error.

use crate::engine::limits::{LOOKS_WITHIN, SILENCE_LOOKS};
use crate::engine::state::memory::memory;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Counts the questions whether effects take abilities away.
pub type Silencing = Asked<SILENCE_LOOKS>;

/// Counts how often members of sets within other sets are looked at.
pub type LooksWithin = Asked<LOOKS_WITHIN>;

/// How often something was asked since the count began, up to a limit. The count is no part of the state: states that differ only in it are
/// equal.
#[derive(Debug, Default)]
pub struct Asked<const MOST: u32>(AtomicU32);

impl<const MOST: u32> Asked<MOST> {
    /// Counts one more question; `false` if there were too many.
    pub fn ask(&self) -> bool {
        let asked = self.0.load(Relaxed).saturating_add(1);
        self.0.store(asked, Relaxed);
        asked <= MOST
    }

    /// Whether there were too many questions, so that nothing is answered any more.
    #[must_use]
    #[inline]
    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > MOST
    }

    /// A question begins that is not part of another question. The count begins anew, unless the limit was passed.
    pub fn begin(&self) {
        if !self.is_too_much() {
            self.forget();
        }
    }

    /// The count begins anew.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }

    /// Takes the count of a copy of the state, so that questions in the copy count here too.
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

/// While values are read: which of the effects whose amounts are being read within one another is left out (its place among them), because it
/// stands in a circle with an older one.
#[derive(Debug)]
pub struct LeftOut(AtomicU32);

impl LeftOut {
    /// The effect at that place is left out, or one further out that is already.
    pub fn note(&self, place: usize) {
        self.0.fetch_min(u32::try_from(place).unwrap_or(u32::MAX), Relaxed);
    }

    /// An effect is read at that place: what was left out from there on is over.
    pub fn begin(&self, place: usize) {
        if self.0.load(Relaxed) as usize >= place {
            self.0.store(u32::MAX, Relaxed);
        }
    }

    /// Whether the effect that was read at that place is left out; it is over then.
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
