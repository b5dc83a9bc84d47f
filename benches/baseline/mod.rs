//! Native baselines: two games written by hand in plain safe Rust, as fast as we could make them.
//!
//! The interpreter is timed against them and compared with them state by state, so they share no line with `src/`
//! but the generator, and they are played the way an interpreter must be: decision by decision, every legal answer
//! listed before one is chosen. They deliberately lack everything that is no part of that: no texts on cards, no
//! saves, no messages, no rejection of illegal answers (these are debug assertions).
#![allow(dead_code, reason = "the timing and the comparison each read a part of what a baseline shows")]
#![allow(clippy::indexing_slicing, reason = "places are bounded by the rules of each game; `get` would hide a mistake that a panic shows")]

pub mod goofspiel;
pub mod kaiun;

use gyoji::engine::random::Generator;

/// One of the two players; players answer, pay and lose in this order wherever an order matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    A,
    B,
}

impl Player {
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A question that a player has to answer before the game goes on; there are always two answers at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<Q> {
    pub player: Player,
    pub question: Q,
}

/// A game played decision by decision.
pub trait Native {
    type Question: Copy;

    /// Begins a new game in place of whatever was played before, up to its first decisions.
    fn start(&mut self, generator: Generator);

    /// What each player is being asked now; both are asked together, so neither may learn the other's answer.
    fn decisions(&self) -> [Option<Decision<Self::Question>>; 2];

    /// Lists the answers allowed to `decision`.
    fn legal(&self, decision: Decision<Self::Question>, answers: &mut Answers);

    /// Takes one listed answer. After the last open one the game goes on to its next decisions or its end.
    fn answer(&mut self, player: Player, answer: u8);

    fn is_over(&self) -> bool;
}

/// 255, 0, 1, 2 and so on.
const IN_A_ROW: [u8; 2 * Answers::ROOM] = {
    let mut numbers = [u8::MAX; 2 * Answers::ROOM];
    let mut place = 1;
    while place < numbers.len() {
        numbers[place] = place as u8 - 1;
        place += 1;
    }
    numbers
};

/// The listed answers, in a buffer that is used again for every decision.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    listed: [u8; Self::ROOM],
    count: usize,
}

impl Answers {
    /// No baseline's hand has more than thirteen cards; sixteen bytes are one vector.
    const ROOM: usize = 16;

    /// Lists `count` numbers in a row, the first of them `first`: a small number, or 255, after which comes 0.
    ///
    /// The whole buffer is written whatever `count` is: one vector store beats a loop whose end is hard to predict.
    #[inline]
    fn list_from(&mut self, first: u8, count: usize) {
        debug_assert!((2..=Self::ROOM).contains(&count), "a decision with {count} answers");
        let start = usize::from(first.wrapping_add(1)) % Self::ROOM;
        self.listed.copy_from_slice(&IN_A_ROW[start..start + Self::ROOM]);
        self.count = count;
    }

    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.listed[..self.count]
    }
}
