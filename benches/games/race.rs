//! Nanoseconds for each decision. Every game and the native game are timed in turn, so a slow moment of the machine slows both.

use crate::entrant::{Entrant, How, Player};
use crate::native::{Timed, Unit};

/// The number of rounds. In a round every game is timed once.
pub(crate) const ROUNDS: u64 = 8;

/// The number of games in a round. Of a long game there are only a few.
const LONG_GAMES: u64 = 3;
const SHORT_GAMES: u64 = 4_000;

/// The number of short games between two turns of the native game.
const STRETCH: u64 = 200;

/// The number of native games in one turn: some milliseconds beside a long game, one millisecond beside short games.
const NATIVE_BESIDE_LONG: u64 = 10_000;
const NATIVE_BESIDE_SHORT: u64 = 2_000;

/// The number of games before the timing.
const WARM_UP: u64 = 1;

/// One game, answered in one way.
#[derive(Debug)]
pub(crate) struct Entry<'e> {
    /// The game.
    pub entrant: &'e Entrant,
    /// How it is answered.
    pub how: How,
    player: Player<'e>,
    /// Decisions and time of this game.
    pub own: Timed,
    /// Decisions and time of the native game in its turns.
    pub native: Timed,
    /// The number of games played.
    pub games: u64,
}

impl<'e> Entry<'e> {
    /// An entry that is ready to be timed.
    #[must_use]
    pub(crate) fn new(entrant: &'e Entrant, how: How) -> Self {
        let mut player = entrant.player(how);
        for number in 0..WARM_UP {
            player.play(crate::WARM_UP_RUN, number);
        }
        Self { entrant, how, player, own: Timed::default(), native: Timed::default(), games: 0 }
    }

    /// Plays the games of a round, and the native game in between.
    pub(crate) fn round(&mut self, native: &mut Unit) {
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

    /// Plays the games of this many rounds and does nothing else, for tools that count instructions. Returns the number of decisions.
    #[inline(never)]
    pub(crate) fn play_alone(&mut self, rounds: u64) -> u64 {
        let games = rounds * if self.entrant.long { LONG_GAMES } else { SHORT_GAMES };
        (0..games).map(|number| self.player.play(crate::RUN, number)).sum()
    }

    /// How many times as long a decision takes as a decision of the native game.
    #[must_use]
    pub(crate) fn ratio(&self) -> f64 {
        self.own.nanoseconds() / self.native.nanoseconds()
    }

    /// The number of games that one core plays in a second.
    #[must_use]
    pub(crate) fn games_a_second(&self) -> f64 {
        self.games as f64 / self.own.time.as_secs_f64()
    }
}
