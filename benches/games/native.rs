//! The unit of all times: Kaiun without texts, written by hand (`baseline`), decision by decision with the same random player.

use crate::baseline::kaiun::{Card, Janken, Kaiun};
use crate::baseline::{Answers, Decision, Native};
use crate::clock;
use crate::interpreted::COPIES;
use gyoji::engine::random::{Generator, seed_of_game};
use std::time::Duration;

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

/// Decisions and the time that they took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timed {
    /// Decisions with more than one answer.
    pub decisions: u64,
    /// All of them together.
    pub time: Duration,
}

impl Timed {
    /// Adds what is done.
    pub fn add(&mut self, play: impl FnOnce() -> u64) {
        let begin = clock::now();
        self.decisions += play();
        self.time += clock::now() - begin;
    }

    /// Nanoseconds a decision.
    #[must_use]
    pub fn nanoseconds(self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.decisions as f64
    }
}

/// The native game.
#[derive(Debug)]
pub struct Unit {
    game: Kaiun,
    answers: Answers,
    next: u64,
}

impl Unit {
    /// With the deck that the interpreted game without texts has.
    #[must_use]
    pub fn new() -> Self {
        let deck = std::array::from_fn(|place| place / COPIES);
        Self { game: Kaiun::new(&CARDS, [deck; 2]), answers: Answers::default(), next: 0 }
    }

    /// Plays so many games, other ones each time; how many decisions they had.
    pub fn play_on(&mut self, run: u64, games: u64) -> u64 {
        let first = self.next;
        self.next += games;
        (first..self.next).map(|number| self.play(run, number)).sum()
    }

    /// Plays one game; the number of decisions.
    #[inline]
    pub fn play(&mut self, run: u64, number: u64) -> u64 {
        let seed = seed_of_game(run, number);
        let mut player = Generator::new(seed ^ 1);
        self.game.start(Generator::new(seed));
        let mut decisions = 0;
        while !self.game.is_over() {
            // Written out for both players: a loop would put the decisions into memory to read them back at once.
            let [a, b] = self.game.decisions();
            decisions += decide(&mut self.game, a, &mut player, &mut self.answers);
            decisions += decide(&mut self.game, b, &mut player, &mut self.answers);
        }
        decisions
    }
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
