//! Promises about whole games: moves can be taken back, every build plays the same game, and options and rules that fail do not go round for ever.

use super::{SEED, TABLES, answer_all, every_game, games, root};
use gyoji::engine::machine::Machine;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::{FailureKind, State, Status};
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::players::Random;
use gyoji::project::{Places, load};
use rayon::prelude::*;
use std::sync::Arc;

/// FNV-1a: a number for a text. It is the same on every build, machine and version of the compiler.
fn number(of: &str, from: u64) -> u64 {
    of.bytes().fold(from, |number, byte| (number ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// From the end to the beginning a machine goes back to each position of its game, and the same answers lead to the same next position.
/// Nothing that the machine remembers beside its state makes a difference.
#[test]
fn a_game_is_taken_back_move_by_move() {
    let mut moves = 0;
    every_game(|table, number| {
        let mut copies: Vec<(State, Random)> = Vec::new();
        let mut machine = table.begun(number);
        let mut random = Random::new(SEED, number);
        let mut status = machine.run(&mut Silent);
        while status == Status::Asking && copies.len() < table.most_decisions() {
            copies.push((machine.state().clone(), random.clone()));
            answer_all(&mut machine, &mut random);
            status = machine.run(&mut Silent);
        }
        let mut after = machine.state().clone();
        while let Some((copy, mut random)) = copies.pop() {
            machine.copy_state(&copy);
            assert_eq!(super::hash(machine.state()), super::hash(&copy), "{} {number}", table.name);
            answer_all(&mut machine, &mut random);
            machine.run(&mut Silent);
            assert!(*machine.state() == after, "{} {number}: move {}", table.name, copies.len());
            after = copy;
            moves += 1;
        }
    });
    assert!(moves > 200, "{moves} moves");
}

/// Options that fail, rules in the form of a state, and waiting verdicts never go round without end, in any position.
#[test]
fn nothing_that_fails_or_watches_goes_round() {
    // The last three pages are about verdicts that wait for the end of a stretch, and about rules that are applied together.
    let hostile =
        ["offers", "rules_that_watch", "around", "declared", "priority_and_pool", "window", "two_declarations", "lockstep", "cycle"];
    assert!(hostile.iter().all(|name| TABLES.iter().any(|table| table.name == *name)));
    let mut played = 0;
    for table in TABLES.iter().filter(|table| hostile.contains(&table.name.as_str())) {
        for number in 0..games() * 10 {
            let end = table.play(number + 1000, &mut Silent, |_| ());
            if let Status::Failed(failure) = end.status() {
                let endless = matches!(failure.kind, FailureKind::Budget | FailureKind::Loop | FailureKind::Depth);
                assert!(!endless, "{} {number}: {failure:?}", table.name);
            }
            played += 1;
        }
    }
    assert_eq!(played, games() * 10 * hostile.len() as u64);
}

/// A trial run finds out whether something can be done. It leaves the whole state and the save as they were. (Another test checks
/// after each step that a failed attempt leaves the board as it was: `promises::saved_copied_or_watched_it_is_the_same_game`.)
#[test]
fn a_trial_run_leaves_everything_as_it_was() {
    let mut tried = 0;
    every_game(|table, number| {
        table.play(number, &mut Silent, |machine| {
            let (before, saved) = (machine.state().clone(), ron::to_string(&machine.save()).unwrap());
            let offers: Vec<_> = machine.questions().filter(|asked| asked.offer && !asked.answered).map(|asked| asked.id).collect();
            for question in offers {
                tried += machine.not_offered(question).len();
            }
            assert!(*machine.state() == before, "{} {number}", table.name);
            assert_eq!(super::hash(machine.state()), super::hash(&before), "{} {number}", table.name);
            assert_eq!(ron::to_string(&machine.save()).unwrap(), saved, "{} {number}", table.name);
        });
    });
    assert!(tried > 20, "{tried} ways to act were tried");
}

/// Everything that the players see in some games, as numbers: the same in every build and on every machine.
#[test]
fn games_are_the_same_in_every_build() {
    let places = Places { rules: Some(root().join("rules/examples/goofspiel")), cards: None, on: None };
    let (game, found) = load("goofspiel", &places, None).unwrap();
    assert_eq!(found, []);
    let decks: Vec<_> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let mut lines = String::new();
    for game_number in 0..6 {
        let mut machine = Machine::new(Arc::clone(&game.program));
        machine.start(&decks, seed_of_game(SEED, game_number));
        let (mut seen, mut decisions, mut random) = (0, 0, Random::new(SEED, game_number));
        loop {
            let status = machine.run(&mut Silent);
            for player in [Player(0), Player(1)] {
                seen = number(&serde_json::to_string(&machine.view(player)).unwrap(), seen);
            }
            if status != Status::Asking {
                break;
            }
            decisions += 1;
            answer_all(&mut machine, &mut random);
        }
        lines.push_str(&format!("{game_number}: {decisions} decisions, {seen:016x}\n"));
    }
    insta::assert_snapshot!(lines);
}

/// A machine plays the next game without anything left over from the last one.
#[test]
fn a_machine_plays_every_game_as_a_new_one_would() {
    TABLES.par_iter().for_each(|table| {
        let mut used = table.begun(0);
        for number in 1..=games() {
            let (mut random, mut of_new) = (Random::new(SEED, number), Random::new(SEED, number));
            table.begin(&mut used, number);
            let mut new = table.begun(number);
            for decision in 0..table.most_decisions() {
                let status = used.run(&mut Silent);
                assert_eq!(status, new.run(&mut Silent), "{} {number}: {decision}", table.name);
                assert!(used.state() == new.state(), "{} {number}: {decision}", table.name);
                if status != Status::Asking {
                    break;
                }
                answer_all(&mut used, &mut random);
                answer_all(&mut new, &mut of_new);
            }
        }
    });
}
