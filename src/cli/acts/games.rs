//! Plays random games and made positions for the lines of cards that have not acted yet.
//!
//! The games are played in rounds. In each round, half of the pool from which decks are drawn are cards with a line that has not acted yet.
//! The results depend on the seed alone.

use super::positions::{Keeping, Wanted, lay};
use super::{Seen, positions};
use crate::shared::loading::Loaded;
use crate::simulate::drawn_decks;
use engine::ids::{AbilityId, CardId};
use engine::machine::Machine;
use engine::random::{Generator, seed_of_game};
use engine::state::Status;
use engine::steps::Observer;
use engine::steps::acting::Acting;
use engine::steps::owners::Owners;
use indicatif::ProgressBar;
use players::Random;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A random game that has more decisions is left, unless the command says another number.
pub(super) const MOST_DECISIONS: u64 = 5000;

/// The games of a round.
const ROUND: u64 = 50;

/// The made positions after each game.
const POSITIONS: usize = 4;

/// The decisions in a made position.
const DECISIONS_IN_POSITION: u64 = 80;

/// What random games need.
pub(super) struct Games<'a> {
    /// The game.
    pub loaded: &'a Loaded,
    /// The owners of statements.
    pub owners: &'a Owners,
    /// A legal deck of each seat.
    pub decks: Vec<Vec<CardId>>,
    /// The seed of all games.
    pub seed: u64,
    /// The decisions after which a game is left.
    pub most_decisions: u64,
    /// Shows how far the games are.
    pub bar: ProgressBar,
}

/// The results of random games.
#[derive(Default)]
pub(super) struct Played {
    /// What was seen in games.
    pub games: Seen,
    /// What was seen in made positions.
    pub positions: Seen,
    /// The number of games.
    pub count: u64,
    /// Whether no game of the last round has ended. Then no further round is played: each would take as long and show the same.
    pub endless: bool,
}

/// What games and positions have shown, and whether no game has ended.
type Shown = (Seen, Seen, bool);

/// The machines and the buffer of one thread.
struct Table {
    game: Machine,
    position: Machine,
    picks: Vec<u16>,
}

impl Games<'_> {
    /// Plays at most `most` games, and ends when no line is left. `left` gives the cards with lines that have not acted, and the abilities
    /// that need not be watched any more.
    pub(super) fn play(&self, most: u64, left: impl Fn(&Played) -> (Vec<CardId>, FxHashSet<AbilityId>)) -> Played {
        let all = self.loaded.in_decks();
        let mut played = Played::default();
        while played.count < most && !played.endless {
            let (cards, known) = left(&played);
            if cards.is_empty() {
                break;
            }
            let in_decks: Vec<CardId> = cards.iter().copied().filter(|card| all.contains(card)).collect();
            let mut pool = all.clone();
            pool.extend(in_decks.iter().cycle().take(if in_decks.is_empty() { 0 } else { all.len() }));
            let wanted = Wanted::new(&self.loaded.program, &cards);
            let games = played.count..most.min(played.count + ROUND);
            let count = games.end;
            let one = |table: &mut Table, game: u64| self.one(table, game, &pool, &wanted, &known);
            let none = || (Seen::default(), Seen::default(), true);
            let both =
                |(games, positions, endless): Shown, (more, also, too): Shown| (games.with(more), positions.with(also), endless && too);
            let (games, positions, endless) = games.into_par_iter().map_init(|| self.table(), one).reduce(none, both);
            played = Played { games: played.games.with(games), positions: played.positions.with(positions), count, endless };
        }
        self.bar.finish_and_clear();
        played
    }

    fn table(&self) -> Table {
        let mut game = Machine::new(Arc::clone(&self.loaded.program));
        game.sampling(true);
        Table { position: game.clone(), game, picks: Vec::new() }
    }

    /// Plays one game, then made positions of the game.
    fn one(&self, table: &mut Table, game: u64, pool: &[CardId], wanted: &Wanted<'_>, known: &FxHashSet<AbilityId>) -> Shown {
        let seed = seed_of_game(self.seed, game);
        let mut random = Random::new(self.seed, game);
        let mut chance = Generator::new(seed.rotate_left(32));
        table.game.start(&drawn_decks(&self.loaded.program, &self.decks, pool, seed), seed);
        let mut keeping = Keeping::new(Acting::new(self.owners, known), POSITIONS, &mut chance);
        let ended = go_on(&mut table.game, &mut random, &mut table.picks, self.most_decisions, &mut keeping);
        let positions::Keeping { acting, kept, .. } = keeping;
        let (in_game, mut in_positions) = (Seen::of(acting), Seen::default());
        for kept in &kept {
            if lay(&mut table.position, kept, wanted, &mut chance) {
                let mut acting = Acting::new(self.owners, known);
                go_on(&mut table.position, &mut random, &mut table.picks, DECISIONS_IN_POSITION, &mut acting);
                in_positions = in_positions.with(Seen::of(acting));
            }
        }
        self.bar.inc(1);
        (in_game, in_positions, !ended)
    }
}

/// Plays on at random until the game ends, a rule fails, or so many decisions have been made. False: the decisions were not enough.
fn go_on(machine: &mut Machine, random: &mut Random, picks: &mut Vec<u16>, most: u64, observer: &mut impl Observer) -> bool {
    let mut left = most;
    while machine.run(observer) == Status::Asking {
        loop {
            match random.decide(machine, picks) {
                Ok(true) if left > 0 => left -= 1,
                Ok(false) => break,
                Ok(true) => return false,
                Err(_) => return true,
            }
        }
    }
    true
}
