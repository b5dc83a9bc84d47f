//! A game to be measured: its name, its decks, and a random player for it.

use crate::interpreted::{COPIES, VANILLA, card, game};
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::Machine;
use gyoji::engine::program::Program;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::players::{Answers, Random, Reply};
use gyoji::project::{Game, embedded_games};
use std::sync::Arc;

/// Kaiun with cards that have no text: what the native game plays.
pub(crate) const TEXTLESS: &str = "kaiun_textless";

/// More decisions than any game has.
const MOST_DECISIONS: u64 = 100_000;

/// A game with more decisions than this is long. Its board grows, and a few such games are as much work as thousands of short ones.
const LONG: u64 = 200;

/// How a random player finds an answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The player draws one way to act at random.
    Sampled,
    /// The machine lists every way to act, and the player takes one.
    Listed,
}

impl How {
    /// Both ways.
    pub(crate) const BOTH: [Self; 2] = [Self::Sampled, Self::Listed];

    /// The name of this way in the last lines of the output.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sampled => "sampled",
            Self::Listed => "listed",
        }
    }

    /// Makes a machine for this way of answering.
    fn machine(self, program: &Arc<Program>) -> Machine {
        let mut machine = Machine::new(Arc::clone(program));
        machine.sampling(self == Self::Sampled);
        machine
    }
}

/// A game with its decks.
#[derive(Debug)]
pub(crate) struct Entrant {
    /// The game's name, or [`TEXTLESS`].
    pub name: String,
    /// The compiled game.
    pub program: Arc<Program>,
    decks: Vec<Vec<CardId>>,
    /// Whether its games are long.
    pub long: bool,
}

impl Entrant {
    /// Every built-in game with its decks, and the game that the native game plays.
    #[must_use]
    pub(crate) fn all() -> Vec<Self> {
        let textless = || {
            let game = game("kaiun");
            let deck: Vec<CardId> = VANILLA.iter().flat_map(|number| [card(&game, number); COPIES]).collect();
            Self::new(TEXTLESS.to_owned(), &game, vec![deck.clone(), deck])
        };
        let own = |name: String| {
            let game = game(&name);
            let decks: Vec<Vec<CardId>> = game.decks.iter().filter_map(|deck| deck.card_ids(&game.compiler).ok()).collect();
            assert!(decks.len() == game.decks.len() && !decks.is_empty(), "{name}: a deck that cannot be played");
            let seats = usize::from(game.program.players);
            Self::new(name, &game, decks.into_iter().cycle().take(seats).collect())
        };
        std::iter::once(textless()).chain(embedded_games().into_iter().map(own)).collect()
    }

    fn new(name: String, game: &Game, decks: Vec<Vec<CardId>>) -> Self {
        let mut entrant = Self { name, program: Arc::clone(&game.program), decks, long: false };
        entrant.long = entrant.player(How::Listed).play(0, 0) > LONG;
        entrant
    }

    /// A random player with a machine of its own.
    #[must_use]
    pub(crate) fn player(&self, how: How) -> Player<'_> {
        Player { entrant: self, how, machine: how.machine(&self.program), picks: Vec::new() }
    }
}

/// One machine that plays game after game.
#[derive(Debug)]
pub(crate) struct Player<'e> {
    entrant: &'e Entrant,
    how: How,
    /// The machine.
    pub machine: Machine,
    picks: Vec<u16>,
}

impl Player<'_> {
    /// Plays game `number` of a run to its end. Returns the number of decisions.
    pub(crate) fn play(&mut self, run: u64, number: u64) -> u64 {
        self.play_until(run, number, MOST_DECISIONS)
    }

    /// Plays a game until `most` decisions are made, or to its end. Returns the number of decisions.
    pub(crate) fn play_until(&mut self, run: u64, number: u64, most: u64) -> u64 {
        let mut random = Random::new(run, number);
        self.machine.start(&self.entrant.decks, seed_of_game(run, number));
        let mut decisions = 0;
        while self.machine.run(&mut Silent) == Status::Asking {
            if decisions >= most {
                return decisions;
            }
            decisions += self.answer_all(&mut random);
        }
        assert!(matches!(self.machine.status(), Status::Over(_)), "{} {number}: {:?}", self.entrant.name, self.machine.status());
        decisions
    }

    /// Answers every open question. Returns the number of answers.
    pub(crate) fn answer_all(&mut self, random: &mut Random) -> u64 {
        let mut answered = 0;
        while self.answer(random) {
            answered += 1;
        }
        answered
    }

    /// Answers the next open question. Returns false if there is none.
    fn answer(&mut self, random: &mut Random) -> bool {
        let taken = match self.how {
            How::Sampled => random.decide(&mut self.machine, &mut self.picks),
            How::Listed => {
                let Some(asked) = self.machine.questions().find(|asked| !asked.answered) else { return false };
                let id = asked.id;
                self.picks.clear();
                assert_eq!(random.answer(&asked, &mut self.picks), Reply::Picks);
                self.machine.answer(id, &self.picks).map(|()| true)
            }
        };
        match taken {
            Ok(answered) => answered,
            Err(refusal) => panic!("{}: {refusal}", self.entrant.name),
        }
    }
}
