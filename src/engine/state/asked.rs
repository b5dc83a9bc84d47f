//! How often something was asked that one question may ask again and again.
//!
//! Whether an effect takes an ability away may hang on conditions that ask the same of other effects; and a set may be gone through for each member
//! of a set that is gone through for each member of another. With a few more of them there are a thousand times as many questions. Beyond a
//! limit nobody is answered any more, and the run ends with a rules error.

use crate::engine::limits::{LOOKS_WITHIN, SILENCE_LOOKS};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Whether effects take abilities away.
pub type Silencing = Asked<SILENCE_LOOKS>;

/// Which members of sets within other sets fit.
pub type LooksWithin = Asked<LOOKS_WITHIN>;

/// How often it was asked since the count began, and at most so often. Two states differ by none of it.
#[derive(Debug, Default)]
pub struct Asked<const MOST: u32>(AtomicU32);

impl<const MOST: u32> Asked<MOST> {
    /// It is asked once more; `false` where that is too often.
    pub fn ask(&self) -> bool {
        let asked = self.0.load(Relaxed).saturating_add(1);
        self.0.store(asked, Relaxed);
        asked <= MOST
    }

    /// Nobody is answered any more.
    #[must_use]
    #[inline]
    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > MOST
    }

    /// A question that stands in no other one: the count begins anew, unless it has come to its end.
    pub fn begin(&self) {
        if !self.is_too_much() {
            self.forget();
        }
    }

    /// The count begins anew.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }

    /// What is asked in a copy of the state is asked here.
    pub fn take_over(&self, other: &Self) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }
}

impl<const MOST: u32> Clone for Asked<MOST> {
    fn clone(&self) -> Self {
        Asked(AtomicU32::new(self.0.load(Relaxed)))
    }
}

impl<const MOST: u32> PartialEq for Asked<MOST> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<const MOST: u32> Eq for Asked<MOST> {}

impl<const MOST: u32> Hash for Asked<MOST> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
