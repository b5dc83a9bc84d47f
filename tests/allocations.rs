//! Memory is used again: a machine that has played a while takes none for a decision.
#![allow(clippy::panic, reason = "a test")]

#[path = "../benches/interpreted/mod.rs"]
mod interpreted;

use interpreted::Interpreted;

#[global_allocator]
static COUNTED: dhat::Alloc = dhat::Alloc;

const RUN: u64 = 7;
const WARM_UP: u64 = 300;
const GAMES: u64 = 100;

/// Blocks of memory that were taken while something was done.
fn taken(does: impl FnOnce()) -> u64 {
    let before = dhat::HeapStats::get().total_blocks;
    does();
    dhat::HeapStats::get().total_blocks - before
}

#[test]
fn a_game_that_was_played_before_takes_no_memory() {
    let _counting = dhat::Profiler::builder().testing().build();
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
