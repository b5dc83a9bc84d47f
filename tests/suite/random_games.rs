//! Random games with the game's own decks and card texts. No game ends in an error, and a save at any decision is the whole game.
//!
//! `GYOJI_GAMES` and `GYOJI_SAVED_GAMES` set other numbers of games.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::program::Program;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::save::Saved;
use gyoji::engine::state::{State, Status};
use gyoji::engine::steps::{Observer, Silent, Traced, View};
use gyoji::players::Random;
use gyoji::project::{Game, Places, find, load};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

const SEED: u64 = 2026;
const GAMES: u64 = 2_000;
const SAVED_GAMES: u64 = 50;
/// The pairs of decks: both decks play each other and themselves.
const PAIRS: [[usize; 2]; 4] = [[0, 1], [1, 0], [0, 0], [1, 1]];

fn kaiun() -> (Game, Vec<Vec<CardId>>) {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (game, findings) = load("kaiun", &Places::default(), project.as_ref()).unwrap();
    assert_eq!(findings, []);
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    (game, decks)
}

fn wanted(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

fn start(machine: &mut Machine, decks: &[Vec<CardId>], game: u64) {
    let pair = PAIRS.get(game as usize % PAIRS.len()).unwrap();
    let decks: Vec<Vec<CardId>> = pair.iter().map(|deck| decks.get(*deck).unwrap().clone()).collect();
    machine.start(&decks, seed_of_game(SEED, game));
}

fn answer_all(machine: &mut Machine, random: &mut Random) {
    let asked: Vec<(QuestionId, u16, u16, u16)> =
        machine.questions().map(|asked| (asked.id, asked.domain.len() as u16, asked.min, asked.max)).collect();
    assert!(!asked.is_empty());
    for (question, len, min, max) in asked {
        let mut picks = Vec::new();
        random.pick(len, min, max, &mut picks);
        machine.answer(question, &picks).unwrap();
    }
}

/// Plays a game to its end and calls `look` at every decision. `look` may replace the machine by an equal one.
fn play<O: Observer>(
    machine: &mut Machine,
    decks: &[Vec<CardId>],
    game: u64,
    observer: &mut O,
    mut look: impl FnMut(&mut Machine),
) -> Status {
    let mut random = Random::new(SEED, game);
    start(machine, decks, game);
    loop {
        let status = machine.run(observer);
        look(machine);
        if status != Status::Asking {
            return status;
        }
        answer_all(machine, &mut random);
    }
}

fn hash(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn no_random_game_ends_in_an_error() {
    let (game, decks) = kaiun();
    let mut machine = Machine::new(Arc::clone(&game.program));
    for number in 0..wanted("GYOJI_GAMES", GAMES) {
        let status = play(&mut machine, &decks, number, &mut Silent, |_| ());
        assert!(matches!(status, Status::Over(_)), "game {number}: {status:?}");
    }
}

/// Saves the machine as text and loads it again.
fn restored(program: &Arc<Program>, machine: &Machine) -> Machine {
    let text = ron::to_string(&machine.save()).unwrap();
    let saved: Saved = ron::from_str(&text).unwrap();
    Machine::load(Arc::clone(program), saved).unwrap()
}

#[test]
fn saved_and_restored_at_every_decision_it_is_the_same_game() {
    let (game, decks) = kaiun();
    let mut machine = Machine::new(Arc::clone(&game.program));
    let mut straight = Machine::new(Arc::clone(&game.program));
    for number in 0..wanted("GYOJI_SAVED_GAMES", SAVED_GAMES) {
        let end = play(&mut machine, &decks, number, &mut Silent, |machine| {
            let again = restored(&game.program, machine);
            let copy = machine.state().clone();
            assert!(again.state() == machine.state() && copy == *machine.state(), "game {number}");
            assert!(hash(again.state()) == hash(machine.state()) && hash(&copy) == hash(&again.state().clone()), "game {number}");
            *machine = again;
        });
        assert_eq!(end, play(&mut straight, &decks, number, &mut Silent, |_| ()), "game {number}");
        assert!(machine.state() == straight.state(), "game {number}");
    }
}

/// An observer that does nothing.
struct Told;

impl Observer for Told {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

/// Games with two decks each. Cards without texts make the longest stretches, which are carried out in one step.
fn plain() -> Vec<(Game, Vec<Vec<CardId>>)> {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let numbered = |game: &Game, numbers: &[&str], copies: usize| -> Vec<CardId> {
        let card = |number: &&str| game.program.cards.iter().find(|(_, card)| card.number == *number).unwrap().0;
        numbers.iter().flat_map(|number| std::iter::repeat_n(card(number), copies)).collect()
    };
    let (kaiun, _) = kaiun();
    let textless =
        numbered(&kaiun, &["KC-001", "KC-002", "KC-003", "KC-004", "KC-005", "KC-006", "KC-007", "KC-008", "KC-009", "KC-010"], 3);
    let mixed = numbered(&kaiun, &["KC-001", "KC-003", "KC-005", "KC-012", "KC-015", "KC-018", "KC-021", "KC-027", "KC-033", "KC-039"], 3);
    let (goofspiel, _) = load("goofspiel", &Places::default(), project.as_ref()).unwrap();
    let all: Vec<CardId> = goofspiel.program.cards.ids().collect();
    let bids = all.iter().copied().filter(|card| goofspiel.program.cards.get(*card).unwrap().number.starts_with('B')).collect();
    vec![(kaiun, vec![textless, mixed]), (goofspiel, vec![all, bids])]
}

/// Without an observer the machine does some things in another order, or in one step. The result must be the same.
#[test]
fn a_game_that_is_watched_is_the_same_game() {
    let games = wanted("GYOJI_SAVED_GAMES", SAVED_GAMES) * 4;
    for (game, decks) in std::iter::once(kaiun()).chain(plain()) {
        let mut machine = Machine::new(Arc::clone(&game.program));
        let mut told = Machine::new(Arc::clone(&game.program));
        for number in 0..games {
            let (mut states, mut at) = (Vec::new(), 0);
            play(&mut machine, &decks, number, &mut Silent, |machine| states.push(machine.state().clone()));
            play(&mut told, &decks, number, &mut Told, |told| {
                assert!(states.get(at).is_some_and(|state| state == told.state()), "{} {number}, decision {at}", game.program.name);
                at += 1;
            });
            assert_eq!(at, states.len(), "{} {number}", game.program.name);
        }
    }
}

/// The goofspiel of the examples. The first deck lists every card, the second deck only the bids (the first half).
fn goofspiel() -> (Game, Vec<Vec<CardId>>) {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (game, findings) = load("goofspiel", &Places::default(), project.as_ref()).unwrap();
    assert_eq!(findings, []);
    let all: Vec<CardId> = game.program.cards.ids().collect();
    let bids = game.program.cards.iter().filter(|(_, card)| card.number.starts_with('B')).map(|(id, _)| id).collect();
    (game, vec![all, bids])
}

/// If a machine has played with the same decks before, it uses what it knows of them, unless
/// an observer looks on. The new game is the same as on a new machine, from every seed.
#[test]
fn the_next_game_with_the_same_decks_begins_as_if_it_were_the_first() {
    for (game, decks) in [kaiun(), goofspiel()] {
        let mut again = Machine::new(Arc::clone(&game.program));
        for number in 0..20 {
            let (mut states, mut at) = (Vec::new(), 0);
            let mut random = Random::new(SEED, number);
            again.start(&decks, seed_of_game(SEED, number));
            while again.run(&mut Silent) == Status::Asking {
                states.push(again.state().clone());
                answer_all(&mut again, &mut random);
            }
            let mut first = Machine::new(Arc::clone(&game.program));
            let mut random = Random::new(SEED, number);
            first.start(&decks, seed_of_game(SEED, number));
            while first.run(&mut Told) == Status::Asking {
                assert!(states.get(at).is_some_and(|state| state == first.state()), "{}, game {number}, decision {at}", game.program.name);
                at += 1;
                answer_all(&mut first, &mut random);
            }
            assert!(at == states.len() && again.state() == first.state(), "{}, game {number}", game.program.name);
        }
    }
}
