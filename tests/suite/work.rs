//! The work of a whole game: every decision adds to it, and a game that takes too much ends with an error.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use gyoji::engine::ids::CardId;
use gyoji::engine::limits::GAME_BUDGET;
use gyoji::engine::machine::Machine;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::{FailureKind, Status};
use gyoji::engine::steps::Silent;
use gyoji::players::Random;
use gyoji::project::{Places, load};
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 17;
const GAMES: u64 = 2;
/// The limit is so many times the work of a game.
const FAR: u64 = 20;

/// A game of this repository, with its own decks.
fn begun(name: &str) -> (Machine, Vec<Vec<CardId>>) {
    let (game, findings) = load(name, &Places::default(), None).unwrap();
    assert_eq!(findings, [], "{name}");
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let decks = decks.iter().cycle().take(usize::from(game.program.players)).cloned().collect();
    (Machine::new(Arc::clone(&game.program)), decks)
}

/// Plays on by chance, up to this many decisions. Gives their number.
fn play(machine: &mut Machine, random: &mut Random, most: u64) -> u64 {
    let mut decisions = 0;
    while decisions < most && machine.run(&mut Silent) == Status::Asking {
        while random.decide(machine, &mut Vec::new()) == Ok(true) {
            decisions += 1;
        }
    }
    decisions
}

#[test]
fn games_take_far_less_work_than_a_game_may() {
    for name in ["kaiun", "kiseki", "lftcg", "victory_spark", "vividz"] {
        let (mut machine, decks) = begun(name);
        for game in 0..GAMES {
            machine.start(&decks, seed_of_game(SEED, game));
            let decisions = play(&mut machine, &mut Random::new(SEED, game), u64::MAX);
            let spent = machine.state().control.spent.units();
            println!("{name} {game}: {decisions} decisions, {spent} units");
            assert!(matches!(machine.state().control.status, Status::Over(_)), "{name} {game}");
            assert!(spent > 1_000 && spent * FAR < GAME_BUDGET, "{name} {game}: {spent}");
        }
    }
}

/// A game that asks for ever ends when the limit is passed.
#[test]
fn a_game_that_never_ends_ends_with_an_error() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/work");
    let (game, findings) = load("endless", &Places { rules: Some(rules.clone()), cards: Some(rules), on: None }, None).unwrap();
    assert_eq!(findings, []);
    let mut machine = Machine::new(Arc::clone(&game.program));
    machine.start(&[Vec::new(), Vec::new()], 1);
    let mut random = Random::new(1, 1);
    let mut before = 0;
    while machine.state().control.status == Status::Asking || before == 0 {
        play(&mut machine, &mut random, 1_000);
        let spent = machine.state().control.spent.units();
        assert!(spent > before, "the work of each decision counts");
        before = spent;
    }
    let Status::Failed(failure) = machine.state().control.status else { panic!() };
    assert_eq!(failure.kind, FailureKind::Game);
    assert!(before >= GAME_BUDGET, "{before}");
}
