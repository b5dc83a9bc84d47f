//! Native and interpreted games, played in turn by the same random player on one core: `cargo bench --bench native -- [GAMES]`.
//!
//! Prints for each game how many statements the machine carries out for a decision, then one line:
//! `NAME native_ns_per_decision interpreted_ns_per_decision ratio`. Only decisions with more than one answer count, on both sides.
//! With `--check` it asserts, at every decision of the native games, what must hold in every state, and prints no times.
#![allow(clippy::indexing_slicing, reason = "a wrong measurement must stop, not be reported")]

mod baseline;
mod interpreted;

use baseline::goofspiel::Goofspiel;
use baseline::kaiun::{Area, Card, DECK, Janken, Kaiun};
use baseline::{Answers, Decision, Native, Player};
use gyoji::engine::random::{Generator, seed_of_game};
use interpreted::{COPIES, Interpreted};
use std::ops::Range;
use std::time::Instant;

const SEED: u64 = 1;

/// Games of each side where the command line names no number.
const GAMES: u64 = 20_000;

/// The sides take turns, so that what else the machine does slows both.
const ROUNDS: u64 = 10;

/// The native side plays each game so often in a round: else its times would be too short to trust.
const NATIVE_TIMES: u64 = 10;

/// KC-001 to KC-010.
const CARDS: [Card; 10] = [
    card(Janken::Rock, 5, 3, 1),
    card(Janken::Scissors, 5, 3, 1),
    card(Janken::Paper, 5, 3, 1),
    card(Janken::Rock, 6, 4, 2),
    card(Janken::Paper, 7, 3, 1),
    card(Janken::Scissors, 6, 4, 2),
    card(Janken::Rock, 4, 4, 1),
    card(Janken::Scissors, 6, 1, 0),
    card(Janken::Paper, 6, 1, 0),
    card(Janken::Rock, 3, 5, 1),
];

const fn card(janken: Janken, win: u8, lose: u8, cost: u8) -> Card {
    Card { janken, win, lose, cost }
}

/// Plays one game, looking at it before every round of decisions; the number of decisions.
#[inline]
fn play<G: Native>(game: &mut G, number: u64, answers: &mut Answers, look: impl Fn(&G)) -> u64 {
    let seed = seed_of_game(SEED, number);
    let mut player = Generator::new(seed ^ 1);
    game.start(Generator::new(seed));
    let mut decisions = 0;
    while !game.is_over() {
        look(game);
        // Written out for both players: a loop would put the decisions into memory to read them back at once.
        let [a, b] = game.decisions();
        decisions += decide(game, a, &mut player, answers);
        decisions += decide(game, b, &mut player, answers);
    }
    look(game);
    decisions
}

/// Answers at random if there is anything to decide; the number of decisions.
#[inline(always)] // keeps the player's generator in registers
fn decide<G: Native>(game: &mut G, decision: Option<Decision<G::Question>>, player: &mut Generator, answers: &mut Answers) -> u64 {
    let Some(decision) = decision else { return 0 };
    game.legal(decision, answers);
    let legal = answers.as_slice();
    let answer = legal[player.below(legal.len() as u32) as usize];
    game.answer(decision.player, answer);
    1
}

/// A native and an interpreted game, timed in turn.
struct Race<G> {
    name: &'static str,
    native: G,
    interpreted: Interpreted,
    times: [Timed; 2],
}

/// Decisions and the time that they took.
#[derive(Clone, Copy, Default)]
struct Timed {
    decisions: u64,
    seconds: f64,
}

impl Timed {
    fn add(&mut self, play: impl FnOnce() -> u64) {
        let begin = Instant::now();
        self.decisions += play();
        self.seconds += begin.elapsed().as_secs_f64();
    }

    fn nanoseconds(self) -> f64 {
        self.seconds * 1e9 / self.decisions as f64
    }
}

impl<G: Native> Race<G> {
    fn new(name: &'static str, native: G, interpreted: Interpreted) -> Self {
        Self { name, native, interpreted, times: [Timed::default(); 2] }
    }

    /// Both play the games with these numbers; the native side as often as makes it last about as long.
    fn round(&mut self, games: Range<u64>) {
        let Self { native, interpreted, times: [fast, slow], .. } = self;
        let mut answers = Answers::default();
        for _ in 0..NATIVE_TIMES {
            fast.add(|| games.clone().map(|number| play(native, number, &mut answers, |_| ())).sum());
        }
        slow.add(|| games.map(|number| interpreted.play(SEED, number)).sum());
    }

    /// Statements of the machine, then the line that is compared from change to change.
    fn report(&self) {
        let [fast, slow] = self.times;
        assert_eq!(fast.decisions, slow.decisions * NATIVE_TIMES, "both sides meet the same decisions");
        let statements = self.interpreted.machine.statements() as f64 / slow.decisions as f64;
        println!("{}: {} decisions, {statements:.1} statements a decision", self.name, slow.decisions);
        println!("{} {:.2} {:.2} {:.2}", self.name, fast.nanoseconds(), slow.nanoseconds(), slow.nanoseconds() / fast.nanoseconds());
    }
}

fn check<G: Native>(name: &str, mut game: G, games: u64, look: impl Fn(&G)) {
    let mut answers = Answers::default();
    for number in 0..games {
        play(&mut game, number, &mut answers, &look);
    }
    println!("{name:10} {games} games hold");
}

/// Every player's thirty cards are in their own zones, each once; nobody is asked without a deck or a hand.
fn check_kaiun(game: &Kaiun) {
    for (player, first) in [(Player::A, 0), (Player::B, DECK as u8)] {
        let areas = [Area::Deck, Area::Hand, Area::Barrier, Area::Trash, Area::Cost];
        let mut cards: Vec<u8> = areas.iter().flat_map(|&area| game.zone(player, area)).copied().collect();
        cards.extend(game.battle(player));
        cards.sort_unstable();
        assert!(cards.into_iter().eq(first..first + DECK as u8), "{game:?}");
        let asked_for_card = game.outcome().is_none() && game.zone(player, Area::Cost).is_empty();
        assert!(!asked_for_card || !game.zone(player, Area::Hand).is_empty(), "{game:?}");
    }
}

/// Each hand has as many cards as prizes are left, and no more points are awarded than there are.
fn check_goofspiel(game: &Goofspiel) {
    let left = game.face_down().len() + usize::from(game.revealed().is_some());
    for player in Player::BOTH {
        let hand: Vec<u8> = game.hand(player).collect();
        assert!(hand.len() == left && hand.is_sorted() && !hand.contains(&0), "{game:?}");
    }
    let points: u32 = game.face_down().iter().copied().chain(game.revealed()).map(u32::from).sum();
    assert!(game.score(Player::A) + game.score(Player::B) + points <= 91, "{game:?}");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let games = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(GAMES);
    let deck = std::array::from_fn(|place| place / COPIES);
    let kaiun = Kaiun::new(&CARDS, [deck; 2]);
    if arguments.iter().any(|argument| argument == "--check") {
        check("kaiun", kaiun, games, check_kaiun);
        check("goofspiel", Goofspiel::new(), games, check_goofspiel);
        return;
    }
    let mut first = Race::new("kaiun", kaiun, Interpreted::kaiun());
    let mut second = Race::new("goofspiel", Goofspiel::new(), Interpreted::goofspiel());
    for round in 0..ROUNDS {
        let numbers = round * games / ROUNDS..(round + 1) * games / ROUNDS;
        first.round(numbers.clone());
        second.round(numbers);
    }
    first.report();
    second.report();
}
