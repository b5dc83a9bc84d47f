//! Each short way of the engine is taken by one of the built-in games ([`gyoji::engine::short_ways`]).
#![allow(clippy::unwrap_used, reason = "a test")]

use gyoji::engine::machine::Machine;
use gyoji::engine::observe::Silent;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::short_ways::{ShortWay, taken};
use gyoji::engine::state::Status;
use gyoji::players::Random;
use gyoji::project::{Places, embedded_games, find, load};
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 13;

/// How many games of each game are played. The first two have the decks of the first two players, the others the same decks again.
const GAMES: u64 = 4;

/// The most decisions in a game: a long game shows what it does long before its end.
const MOST_DECISIONS: usize = 600;

#[test]
fn each_short_way_is_taken_by_some_game() {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut all = vec![0; ShortWay::ALL.len()];
    drop(taken());
    for name in embedded_games() {
        let (game, _) = load(&name, &Places::default(), project.as_ref()).unwrap();
        let decks: Vec<_> = game.decks.iter().take(2).map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
        let mut machine = Machine::new(Arc::clone(&game.compiler.finished()));
        machine.sampling(true);
        for number in 0..GAMES {
            let mut random = Random::new(SEED, number);
            machine.start(&decks, seed_of_game(SEED, number));
            let mut decisions = 0;
            while machine.run(&mut Silent) == Status::Asking && decisions < MOST_DECISIONS {
                random.decide(&mut machine, &mut Vec::new()).unwrap();
                decisions += 1;
            }
        }
        all.iter_mut().zip(taken()).for_each(|(all, (_, count))| *all += count);
    }
    let never: Vec<_> = ShortWay::ALL.iter().zip(all).filter(|(_, count)| *count == 0).map(|((way, _), _)| way).collect();
    assert!(never.is_empty(), "no game takes {never:?}: it can go");
}
