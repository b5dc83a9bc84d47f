//! Nanoseconds a decision: every game and the native one in turn, so that whatever slows the machine slows both.

use crate::entrant::{Entrant, How, Player};
use crate::native::{Timed, Unit};

/// How often all take their turn.
pub const ROUNDS: u64 = 8;

/// Games of a round: of a long game a few.
const LONG_GAMES: u64 = 3;
const SHORT_GAMES: u64 = 4_000;

/// Short games between two turns of the native one.
const STRETCH: u64 = 200;

/// Games of the native one in its turn: some milliseconds beside a long game, one beside short ones.
const NATIVE_BESIDE_LONG: u64 = 10_000;
const NATIVE_BESIDE_SHORT: u64 = 2_000;

/// Games that are played before any time is taken.
const WARM_UP: u64 = 1;

/// One game, answered in one way.
#[derive(Debug)]
pub struct Entry<'e> {
    /// The game.
    pub entrant: &'e Entrant,
    /// How it is answered.
    pub how: How,
    player: Player<'e>,
    /// What it took.
    pub own: Timed,
    /// What the native game took in its turns.
    pub native: Timed,
    /// How many games were played.
    pub games: u64,
}

impl<'e> Entry<'e> {
    /// Ready to be timed.
    #[must_use]
    pub fn new(entrant: &'e Entrant, how: How) -> Self {
        let mut player = entrant.player(how);
        for number in 0..WARM_UP {
            player.play(crate::WARM_UP_RUN, number);
        }
        Self { entrant, how, player, own: Timed::default(), native: Timed::default(), games: 0 }
    }

    /// Plays the games of a round, the native one in between.
    pub fn round(&mut self, native: &mut Unit) {
        let (games, stretch, beside) =
            if self.entrant.long { (LONG_GAMES, 1, NATIVE_BESIDE_LONG) } else { (SHORT_GAMES, STRETCH, NATIVE_BESIDE_SHORT) };
        for _ in 0..games / stretch {
            let numbers = self.games..self.games + stretch;
            self.native.add(|| native.play_on(crate::RUN, beside));
            let player = &mut self.player;
            self.own.add(|| numbers.map(|number| player.play(crate::RUN, number)).sum());
            self.games += stretch;
        }
    }

    /// Plays the games of so many rounds and nothing else, for tools that count instructions; how many decisions there were.
    #[inline(never)]
    pub fn play_alone(&mut self, rounds: u64) -> u64 {
        let games = rounds * if self.entrant.long { LONG_GAMES } else { SHORT_GAMES };
        (0..games).map(|number| self.player.play(crate::RUN, number)).sum()
    }

    /// How many times the native game's time a decision takes.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.own.nanoseconds() / self.native.nanoseconds()
    }

    /// Games that one core plays in a second.
    #[must_use]
    pub fn games_a_second(&self) -> f64 {
        self.games as f64 / self.own.time.as_secs_f64()
    }
}
