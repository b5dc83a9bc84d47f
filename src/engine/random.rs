//! Chance: one named, portable random generator, with its draw below a bound and its shuffle.
//!
//! Everything random in a game comes from here. So a seed gives the same game on every platform and in every later version. The algorithms
//! are described in docs/kernel/information.md ("Chance"). The test vectors below check them.

use crate::state::readings;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The name of the generator. It stands in saves and replays.
pub const GENERATOR: &str = "xoshiro256++/lemire/fisher-yates 1";

/// A stream of random numbers. It is plain data and is saved with the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator(Xoshiro256PlusPlus);

impl Generator {
    /// The generator for a seed. SplitMix64 spreads the seeds, so that neighbouring seeds give unrelated streams.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A whole number in `0..bound`. Every number is equally likely (Lemire's multiplication with rejection). A `bound` of 0 gives 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        readings::note_beyond();
        self.drawn(bound)
    }

    fn drawn(&mut self, bound: u32) -> u32 {
        let mut wide = u64::from(self.0.next_u32()) * u64::from(bound);
        if (wide as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (wide as u32) < threshold {
                wide = u64::from(self.0.next_u32()) * u64::from(bound);
            }
        }
        (wide >> 32) as u32
    }

    /// Puts `items` into a random order (Fisher–Yates, from the last place down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        readings::note_beyond();
        for last in (1..items.len()).rev() {
            let other = self.drawn(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// The seed of game number `game` in a run that began with `seed`. It is a hash, so the games of a run do not depend on how they are spread
/// over threads, and no two streams are neighbours.
#[must_use]
pub fn seed_of_game(seed: u64, game: u64) -> u64 {
    let mut mixed = seed ^ game.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Generator, seed_of_game};

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut generator = Generator::new(1);
        let drawn: Vec<u32> = [6, 6, 6, 30, 30, 1000, 1, 0].into_iter().map(|bound| generator.below(bound)).collect();
        assert_eq!(drawn, GOLDEN_BELOW);
        let mut cards: Vec<u8> = (0..10).collect();
        generator.shuffle(&mut cards);
        assert_eq!(cards, GOLDEN_SHUFFLE);
        assert_eq!([seed_of_game(1, 0), seed_of_game(1, 1)], GOLDEN_SEEDS);
    }

    #[test]
    fn every_number_below_a_bound_comes() {
        let mut generator = Generator::new(7);
        let mut seen = [0_u32; 5];
        for _ in 0..5000 {
            if let Some(count) = seen.get_mut(generator.below(5) as usize) {
                *count += 1;
            }
        }
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{seen:?}");
    }

    const GOLDEN_BELOW: [u32; 8] = [4, 4, 0, 22, 5, 590, 0, 0];
    const GOLDEN_SHUFFLE: [u8; 10] = [6, 4, 3, 5, 8, 9, 2, 7, 1, 0];
    const GOLDEN_SEEDS: [u64; 2] = [16490336266968443936, 13757245211066428519];
}
