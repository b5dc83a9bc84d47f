//! The games of the baselines, played by the machine from the ordinary rules files.
//!
//! This module gives a machine, its decks, and the answers of the same random player. It deliberately knows
//! nothing of the native games, so both sides can be timed and compared: a number names the same game on both.
#![allow(dead_code, reason = "the timing and the comparison each use a part")]
#![allow(clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::random::{Generator, seed_of_game};
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::project::{Game, Places, load};
use std::path::Path;
use std::sync::Arc;

/// The number of copies of each card in the vanilla deck.
pub(crate) const COPIES: usize = 3;

/// The cards of the vanilla deck; none has a text.
pub(crate) const VANILLA: [&str; 10] = ["KC-001", "KC-002", "KC-003", "KC-004", "KC-005", "KC-006", "KC-007", "KC-008", "KC-009", "KC-010"];

/// A game with its decks. It can be played again and again.
#[derive(Clone, Debug)]
pub(crate) struct Interpreted {
    /// The machine.
    pub machine: Machine,
    /// A deck for each seat, bottom first.
    pub decks: Vec<Vec<CardId>>,
    asked: Vec<Open>,
    picks: Vec<u16>,
}

/// The parts of a question that a random player needs.
#[derive(Clone, Copy, Debug)]
struct Open {
    id: QuestionId,
    len: u16,
    min: u16,
    max: u16,
}

impl Interpreted {
    /// 開運コロシアム with cards that have no text.
    #[must_use]
    pub(crate) fn kaiun() -> Self {
        let game = game("kaiun");
        let deck: Vec<CardId> = VANILLA.iter().flat_map(|number| [card(&game, number); COPIES]).collect();
        Self::new(&game, vec![deck.clone(), deck])
    }

    /// Goofspiel. The first seat's deck also lists the prizes.
    #[must_use]
    pub(crate) fn goofspiel() -> Self {
        let game = game("goofspiel");
        let bids: Vec<CardId> = (1..=13).map(|rank| card(&game, &format!("B{rank}"))).collect();
        Self::new(&game, vec![game.program.cards.ids().collect(), bids])
    }

    /// A machine for a loaded game.
    #[must_use]
    pub(crate) fn new(game: &Game, decks: Vec<Vec<CardId>>) -> Self {
        Self { machine: Machine::new(Arc::clone(&game.program)), decks, asked: Vec::new(), picks: Vec::new() }
    }

    /// Plays game `number` of a run to its end. Returns the number of decisions.
    pub(crate) fn play(&mut self, run: u64, number: u64) -> u64 {
        let seed = seed_of_game(run, number);
        let mut player = Generator::new(seed ^ 1);
        self.machine.start(&self.decks, seed);
        let mut decisions = 0;
        while self.machine.run(&mut Silent) == Status::Asking {
            decisions += self.answer_all(&mut player);
        }
        decisions
    }

    /// Answers every open question at random. Returns the number of answers.
    fn answer_all(&mut self, player: &mut Generator) -> u64 {
        self.asked.clear();
        let open = self.machine.questions().filter(|asked| !asked.answered);
        self.asked.extend(open.map(|asked| Open { id: asked.id, len: asked.domain.len() as u16, min: asked.min, max: asked.max }));
        for asked in &self.asked {
            self.picks.clear();
            self.picks.extend(pick(asked, player));
            if let Err(refusal) = self.machine.answer(asked.id, &self.picks) {
                panic!("{refusal}");
            }
        }
        self.asked.len() as u64
    }
}

/// A random answer to a question for one card, or for none if that is allowed. All answers are equally likely.
#[inline]
fn pick(asked: &Open, player: &mut Generator) -> Option<u16> {
    match (asked.min, asked.max) {
        (1, 1) => Some(player.below(u32::from(asked.len)) as u16),
        (0, 1) => (player.below(u32::from(asked.len) + 1) as u16).checked_sub(1),
        other => panic!("these games ask for one card at most, not for {other:?}"),
    }
}

/// Loads a game from the project's folder.
#[must_use]
pub(crate) fn game(name: &str) -> Game {
    let project = gyoji::project::find(Path::new(env!("CARGO_MANIFEST_DIR"))).ok().flatten();
    match load(name, &Places::default(), project.as_ref()) {
        Ok((game, findings)) if findings.is_empty() => game,
        Ok((_, findings)) => panic!("{findings:?}"),
        Err(finding) => panic!("{finding:?}"),
    }
}

/// The card with this number.
#[must_use]
pub(crate) fn card(game: &Game, number: &str) -> CardId {
    match game.program.cards.iter().find(|(_, card)| card.number == number) {
        Some((id, _)) => id,
        None => panic!("no card {number}"),
    }
}
