//! Times the native baselines with a random player on one core: `cargo bench --bench native -- [--check] [GAMES]`.
//!
//! With `--check` it asserts, at every decision, what must hold in every state, and prints no times. It deliberately
//! lacks the interpreter's side of the comparison.
#![allow(
    clippy::indexing_slicing,
    reason = "a wrong measurement must stop, not be reported"
)]

mod baseline;

use baseline::goofspiel::Goofspiel;
use baseline::kaiun::{Area, Card, DECK, Janken, Kaiun};
use baseline::{Answers, Decision, Native, Player};
use gyoji::engine::random::{Generator, seed_of_game};
use std::time::Instant;

const SEED: u64 = 1;

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
    Card {
        janken,
        win,
        lose,
        cost,
    }
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
fn decide<G: Native>(
    game: &mut G,
    decision: Option<Decision<G::Question>>,
    player: &mut Generator,
    answers: &mut Answers,
) -> u64 {
    let Some(decision) = decision else { return 0 };
    game.legal(decision, answers);
    let legal = answers.as_slice();
    let answer = legal[player.below(legal.len() as u32) as usize];
    game.answer(decision.player, answer);
    1
}

fn time<G: Native>(name: &str, mut game: G, games: u64) {
    let mut answers = Answers::default();
    let begin = Instant::now();
    let decisions: u64 = (0..games)
        .map(|number| play(&mut game, number, &mut answers, |_| ()))
        .sum();
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{name:10} {:10.0} games/s {:12.0} decisions/s {:6.2} ns a decision {:6.2} decisions a game",
        games as f64 / seconds,
        decisions as f64 / seconds,
        seconds * 1e9 / decisions as f64,
        decisions as f64 / games as f64,
    );
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
        let areas = [
            Area::Deck,
            Area::Hand,
            Area::Barrier,
            Area::Trash,
            Area::Cost,
        ];
        let mut cards: Vec<u8> = areas
            .iter()
            .flat_map(|&area| game.zone(player, area))
            .copied()
            .collect();
        cards.extend(game.battle(player));
        cards.sort_unstable();
        assert!(cards.into_iter().eq(first..first + DECK as u8), "{game:?}");
        let asked_for_card = game.outcome().is_none() && game.zone(player, Area::Cost).is_empty();
        assert!(
            !asked_for_card || !game.zone(player, Area::Hand).is_empty(),
            "{game:?}"
        );
    }
}

/// Each hand has as many cards as prizes are left, and no more points are awarded than there are.
fn check_goofspiel(game: &Goofspiel) {
    let left = game.face_down().len() + usize::from(game.revealed().is_some());
    for player in Player::BOTH {
        let hand: Vec<u8> = game.hand(player).collect();
        assert!(
            hand.len() == left && hand.is_sorted() && !hand.contains(&0),
            "{game:?}"
        );
    }
    let points: u32 = game
        .face_down()
        .iter()
        .copied()
        .chain(game.revealed())
        .map(u32::from)
        .sum();
    assert!(
        game.score(Player::A) + game.score(Player::B) + points <= 91,
        "{game:?}"
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let games = arguments
        .iter()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(1_000_000);
    let deck = std::array::from_fn(|place| place / 3);
    let kaiun = Kaiun::new(&CARDS, [deck; 2]);
    if arguments.iter().any(|argument| argument == "--check") {
        check("kaiun", kaiun, games, check_kaiun);
        check("goofspiel", Goofspiel::new(), games, check_goofspiel);
    } else {
        time("kaiun", kaiun, games);
        time("goofspiel", Goofspiel::new(), games);
    }
}
