//! Each short way of the engine is taken by one of the games that have a rulebook ([`gyoji::engine::short_ways`]).
#![allow(clippy::unwrap_used, reason = "a test")]

use gyoji::engine::machine::Machine;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::short_ways::{ShortWay, taken};
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::players::Random;
use gyoji::project::{Places, embedded_games, find, load};
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 13;

/// How many games of each game are played, all with the same two decks.
const GAMES: u64 = 4;

/// The most decisions in a game: a long game shows what it does long before its end.
const MOST_DECISIONS: usize = 600;

#[test]
fn each_short_way_is_taken_by_some_game() {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut all = vec![0; ShortWay::ALL.len()];
    drop(taken());
    let has_rulebook = |name: &String| Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(name).join("rulebook.tsv").is_file();
    for name in embedded_games().into_iter().filter(has_rulebook) {
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
