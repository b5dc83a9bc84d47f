//! Memory is used again. A machine that has played for a while takes no memory for a decision, and a machine that plays game after game keeps its size.
#![allow(clippy::panic, reason = "a test")]

#[path = "../benches/counting/mod.rs"]
mod counting;
#[allow(dead_code, reason = "of a player only whole games are asked for")]
#[path = "../benches/games/entrant.rs"]
mod entrant;
#[path = "../benches/interpreted/mod.rs"]
mod interpreted;

use counting::{kept, taken};
use entrant::{Entrant, How};
use interpreted::Interpreted;
use std::hint::black_box;

const RUN: u64 = 7;
const WARM_UP: u64 = 300;
const GAMES: u64 = 100;

#[test]
fn a_game_that_was_played_before_takes_no_memory() {
    // The count itself is tested: it counts a block, and a block that grows.
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
        // The same games again. No game needs more room than before.
        let blocks = taken(|| play(0..GAMES));
        assert_eq!(blocks, 0, "{name}");
    }
}

/// How many more blocks a machine may have after 75 games than before them, at the first decision of the same game: twenty for each
/// game. What a machine keeps for later depends on the game before and differs by some 800 blocks, so a few games would show little.
const MORE: i64 = 1_500;

#[test]
fn a_machine_that_plays_game_after_game_keeps_its_size() {
    for entrant in Entrant::all().iter().filter(|entrant| entrant.long) {
        let mut player = entrant.player(How::Listed);
        let mut play = |games: std::ops::Range<u64>| {
            for number in games {
                player.play(RUN, number);
            }
            player.play_until(RUN, 0, 0);
        };
        play(0..5);
        let blocks = kept(|| play(5..80));
        assert!(blocks < MORE, "{}: {blocks} blocks more", entrant.name);
    }
}
