//! The game that all times are compared with: Kaiun without texts, written by hand (`baseline`), played decision by decision by the same random player.

use crate::baseline::kaiun::{Card, Janken, Kaiun};
use crate::baseline::{Answers, Decision, Native};
use crate::clock;
use crate::interpreted::COPIES;
use gyoji::engine::random::{Generator, seed_of_game};
use std::time::Duration;

/// The cards KC-001 to KC-010.
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

/// A number of decisions and the time that they took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timed {
    /// Decisions with more than one answer.
    pub decisions: u64,
    /// The time of all decisions together.
    pub time: Duration,
}

impl Timed {
    /// Adds the decisions and the time of `play`.
    pub(crate) fn add(&mut self, play: impl FnOnce() -> u64) {
        let begin = clock::now();
        self.decisions += play();
        self.time += clock::now() - begin;
    }

    /// Nanoseconds for each decision.
    #[must_use]
    pub(crate) fn nanoseconds(self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.decisions as f64
    }
}

/// The native game.
#[derive(Debug)]
pub(crate) struct Unit {
    game: Kaiun,
    answers: Answers,
    next: u64,
}

impl Unit {
    /// With the same deck as the interpreted game without texts.
    #[must_use]
    pub(crate) fn new() -> Self {
        let deck = std::array::from_fn(|place| place / COPIES);
        Self { game: Kaiun::new(&CARDS, [deck; 2]), answers: Answers::default(), next: 0 }
    }

    /// Plays this many games, each time other ones. Returns the number of decisions.
    pub(crate) fn play_on(&mut self, run: u64, games: u64) -> u64 {
        let first = self.next;
        self.next += games;
        (first..self.next).map(|number| self.play(run, number)).sum()
    }

    /// Plays one game. Returns the number of decisions.
    #[inline]
    pub(crate) fn play(&mut self, run: u64, number: u64) -> u64 {
        let seed = seed_of_game(run, number);
        let mut player = Generator::new(seed ^ 1);
        self.game.start(Generator::new(seed));
        let mut decisions = 0;
        while !self.game.is_over() {
            // Written out for both players. A loop would write the decisions to memory and read them back at once.
            let [a, b] = self.game.decisions();
            decisions += decide(&mut self.game, a, &mut player, &mut self.answers);
            decisions += decide(&mut self.game, b, &mut player, &mut self.answers);
        }
        decisions
    }
}

/// Answers at random if there is a decision. Returns the number of decisions.
#[inline(always)] // keeps the player's generator in registers
fn decide<G: Native>(game: &mut G, decision: Option<Decision<G::Question>>, player: &mut Generator, answers: &mut Answers) -> u64 {
    let Some(decision) = decision else { return 0 };
    game.legal(decision, answers);
    let legal = answers.as_slice();
    let answer = legal[player.below(legal.len() as u32) as usize];
    game.answer(decision.player, answer);
    1
}
