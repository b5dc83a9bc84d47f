//! Memory is used again: a machine that has played a while takes none for a decision.
#![allow(clippy::panic, reason = "a test")]

#[path = "../benches/counting/mod.rs"]
mod counting;
#[path = "../benches/interpreted/mod.rs"]
mod interpreted;

use counting::taken;
use interpreted::Interpreted;
use std::hint::black_box;

const RUN: u64 = 7;
const WARM_UP: u64 = 300;
const GAMES: u64 = 100;

#[test]
fn a_game_that_was_played_before_takes_no_memory() {
    // What is counted is counted: a block, and one that grows.
    let blocks = taken(|| {
        let mut block = black_box(vec![0_u8]);
        block.extend(black_box([0; 1_000]));
        black_box(block);
    });
    assert_eq!(blocks, 2);
    for (name, mut game) in [("kaiun", Interpreted::kaiun()), ("goofspiel", Interpreted::goofspiel())] {
        let mut play = |games: std::ops::Range<u64>| {
            for number in games {
                game.play(RUN, number);
            }
        };
        play(0..WARM_UP);
        // The same games again: none needs more room than it had.
        let blocks = taken(|| play(0..GAMES));
        assert_eq!(blocks, 0, "{name}");
    }
}
