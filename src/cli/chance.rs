//! A seed where none was given.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number nobody can foresee, short enough to be typed again.
#[must_use]
pub fn seed() -> u64 {
    // The standard library seeds its hasher from the system's chance; nothing else of ours needs any.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}
