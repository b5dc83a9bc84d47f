//! Plays random games with the original rules and with broken rules, with the same seeds and answers. If a game differs, a mark that says
//! that the break makes no difference is wrong.
//!
//! The comparison covers the board, the questions, the numbers of effects and waiting abilities, and the end. The place in the code is not
//! compared, because it always differs.

use engine::ids::CardId;
use engine::machine::Machine;
use engine::program::Program;
use engine::random::seed_of_game;
use engine::state::Status;
use engine::steps::Silent;
use engine::value::{Player, Value};
use players::{Answers, Random, Reply};
use rayon::prelude::*;
use std::sync::Arc;

/// How many games are played for one mark.
pub const GAMES: u64 = 1000;

/// How many decisions of a game are compared.
const MOST_DECISIONS: u32 = 5000;

/// The seed of these games.
const SEED: u64 = 1;

/// The number of the first game in which the two programs differ. None if all games are equal.
#[must_use]
pub fn first_difference(whole: &Arc<Program>, broken: &Arc<Program>, decks: &[Vec<CardId>], games: u64) -> Option<u64> {
    (0..games).into_par_iter().find_first(|game| differs(whole, broken, decks, *game))
}

fn differs(whole: &Arc<Program>, broken: &Arc<Program>, decks: &[Vec<CardId>], game: u64) -> bool {
    let mut machines = [Machine::new(Arc::clone(whole)), Machine::new(Arc::clone(broken))];
    for machine in &mut machines {
        machine.start(decks, seed_of_game(SEED, game));
    }
    let [first, second] = &mut machines;
    let mut random = Random::new(SEED, game);
    for _ in 0..MOST_DECISIONS {
        let (a, b) = (first.run(&mut Silent), second.run(&mut Silent));
        if !alike(a, b) || seen(first) != seen(second) || first.state().board != second.state().board {
            return true;
        }
        if a != Status::Asking {
            return false;
        }
        let mut picks = Vec::new();
        loop {
            let Some(asked) = first.questions().find(|asked| !asked.answered) else { break };
            picks.clear();
            let id = asked.id;
            if random.answer(&asked, &mut picks) != Reply::Picks || first.answer(id, &picks).is_err() {
                return false;
            }
            if second.answer(id, &picks).is_err() {
                return true;
            }
        }
    }
    false
}

fn alike(a: Status, b: Status) -> bool {
    match (a, b) {
        (Status::Failed(a), Status::Failed(b)) => a.kind == b.kind,
        _ => a == b,
    }
}

/// What players see: each question, the number of effects, the number of waiting abilities.
type Seen = (Vec<(Player, String, Vec<Value>, u16, u16, bool, bool)>, usize, usize);

fn seen(machine: &Machine) -> Seen {
    let name = |choice| machine.program().choices.get(choice).map(|choice| choice.name.name.clone()).unwrap_or_default();
    let questions = machine
        .questions()
        .map(|asked| (asked.player, name(asked.choice), asked.domain.to_vec(), asked.min, asked.max, asked.blind, asked.secret));
    let state = machine.state();
    (questions.collect(), state.effects.in_force.len(), state.events.pending.len())
}
