//! A random seed, for commands without a given one.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number that nobody can foresee, short enough to be typed.
#[must_use]
pub(crate) fn seed() -> u64 {
    // The standard library seeds its hasher from the system's randomness, so no other source is needed.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}
