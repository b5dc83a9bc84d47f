//! The lane (ARCHITECTURE.md), tested on a game that is written for it: this game has situations that the real games hardly have.
//!
//! These are several shuffles in one stretch, immediate rules that come two at a time or raise a verdict, and cards that do not return to the place
//! where they lie. From every position the game is played on with an observer (the long way) and without one (the lane), and both games are compared.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use crate::pages;
use gyoji::engine::machine::Machine;
use gyoji::engine::observe::{Observer, Silent, Traced, View};
use gyoji::scenario::suite::Suite;
use std::path::Path;

/// An observer that does nothing.
struct Onlooker;

impl Observer for Onlooker {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

fn suite() -> Suite {
    pages::suite(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/lane"))
}

/// The number of statements up to the next question or to the end, with an observer and without one.
fn statements(machine: &Machine) -> (u64, u64) {
    let mut silent = machine.clone();
    silent.record_all(false);
    let mut watched = silent.clone();
    let status = silent.run(&mut Silent);
    assert_eq!(watched.run(&mut Onlooker), status);
    (watched.statements(), silent.statements())
}

#[test]
fn its_rulings_hold() {
    let suite = suite();
    for scenario in &suite.scenarios {
        let verdict = suite.verdict(scenario);
        assert!(verdict.passed(), "{}", scenario.title.text);
    }
}

#[test]
fn with_and_without_the_lane_it_is_the_same_game() {
    let suite = suite();
    for scenario in &suite.scenarios {
        let machine = pages::begun(&suite, scenario).unwrap();
        for seed in 0..40 {
            pages::play_on(&scenario.title.text, &machine, seed);
        }
    }
}

/// The positions from which the line runs all the way to the first question or to the end. There, few statements are counted.
#[test]
fn what_fits_takes_the_lane_and_what_does_not_does_not() {
    let suite = suite();
    let short: Vec<(String, bool)> = suite
        .scenarios
        .iter()
        .map(|scenario| {
            let machine = pages::begun(&suite, scenario).unwrap();
            let (watched, silent) = statements(&machine);
            (scenario.title.text.clone(), silent * 7 < watched)
        })
        .collect();
    let fits: Vec<&str> = short.iter().filter(|(_, short)| *short).map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        fits,
        [
            "a turn goes on to its question",
            "cards are laid, go to their owners, and the next turn begins",
            "a pile that runs out where verdicts wait comes back",
            "both piles run out at once",
            "the first player's pile runs out in an earlier round",
            "one pile runs out twice",
            "a verdict in a step of a procedure waits for its end",
            "states of players are looked at behind what sets them",
            "who has no guard loses when the step has ended",
            "both may",
        ]
    );
}
