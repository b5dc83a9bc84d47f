//! How often it was asked whether an effect takes an ability away.
//!
//! The answer may hang on conditions that ask the same of other effects, so the questions stand within one another, and with a few effects more
//! there may be a thousand times as many. Beyond a limit nobody is answered any more, and the run ends with a rules error.

use crate::engine::limits::SILENCE_LOOKS;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How often it was asked since the count began. Two states differ by none of it.
#[derive(Debug, Default)]
pub struct Silencing(AtomicU32);

impl Silencing {
    /// It is asked once more; `false` where that is too often.
    pub fn ask(&self) -> bool {
        let asked = self.0.load(Relaxed).saturating_add(1);
        self.0.store(asked, Relaxed);
        asked <= SILENCE_LOOKS
    }

    /// Nobody is answered any more.
    #[must_use]
    #[inline]
    pub fn is_too_much(&self) -> bool {
        self.0.load(Relaxed) > SILENCE_LOOKS
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
    pub fn take_over(&self, other: &Silencing) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }
}

impl Clone for Silencing {
    fn clone(&self) -> Self {
        Silencing(AtomicU32::new(self.0.load(Relaxed)))
    }
}

impl PartialEq for Silencing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Silencing {}

impl Hash for Silencing {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
