//! Native baselines: two games written by hand in plain safe Rust, as fast as we could make them.
//!
//! The interpreter is timed against these games and compared with them state by state. So they share no
//! code with `src/` except the random generator, and they are played as an interpreter is played: decision
//! by decision, with every legal answer listed before one is chosen. Everything else is deliberately
//! absent: card texts, saves, messages, refusals of illegal answers (debug assertions check the answers).
#![allow(dead_code, reason = "the timing and the comparison each read a part of what a baseline shows")]
#![allow(clippy::indexing_slicing, reason = "places are bounded by the rules of each game; `get` would hide a mistake that a panic shows")]

pub(crate) mod goofspiel;
pub(crate) mod kaiun;

use gyoji::engine::random::Generator;

/// One of the two players. Players answer, pay and lose in this order if the order matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    A,
    B,
}

impl Player {
    pub(crate) const BOTH: [Self; 2] = [Self::A, Self::B];

    #[must_use]
    pub(crate) fn opponent(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A question that a player must answer before the game goes on. It always has at least two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision<Q> {
    pub player: Player,
    pub question: Q,
}

/// A game played decision by decision.
pub(crate) trait Native {
    type Question: Copy;

    /// Begins a new game, up to its first decisions. The old game is forgotten.
    fn start(&mut self, generator: Generator);

    /// What each player is asked now. Both are asked together, so neither may see the other's answer.
    fn decisions(&self) -> [Option<Decision<Self::Question>>; 2];

    /// Lists the answers allowed to `decision`.
    fn legal(&self, decision: Decision<Self::Question>, answers: &mut Answers);

    /// Takes one of the listed answers. After the last open question the game goes on to its next decisions or to its end.
    fn answer(&mut self, player: Player, answer: u8);

    fn is_over(&self) -> bool;
}

/// The numbers 255, 0, 1, 2 and so on.
const IN_A_ROW: [u8; 2 * Answers::ROOM] = {
    let mut numbers = [u8::MAX; 2 * Answers::ROOM];
    let mut place = 1;
    while place < numbers.len() {
        numbers[place] = place as u8 - 1;
        place += 1;
    }
    numbers
};

/// The listed answers, in a buffer that every decision uses again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    listed: [u8; Self::ROOM],
    count: usize,
}

impl Answers {
    /// Hands of the baselines have at most thirteen cards. Sixteen bytes are one vector.
    const ROOM: usize = 16;

    /// Lists `count` consecutive numbers, beginning with `first`. `first` is a small number or 255; after 255 comes 0.
    ///
    /// It always writes the whole buffer: one vector store is faster than a loop whose end is hard to predict.
    #[inline]
    fn list_from(&mut self, first: u8, count: usize) {
        debug_assert!((2..=Self::ROOM).contains(&count), "a decision with {count} answers");
        let start = usize::from(first.wrapping_add(1)) % Self::ROOM;
        self.listed.copy_from_slice(&IN_A_ROW[start..start + Self::ROOM]);
        self.count = count;
    }

    #[inline]
    #[must_use]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.listed[..self.count]
    }
}
