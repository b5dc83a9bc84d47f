//! The state of a game: everything that changes, as plain data. It can be cloned, compared, hashed, saved and restored at every decision.
//!
//! It has five parts: the board, continuous effects, events (history and waiting abilities), control (branches with their frames, registers
//! and lists, open questions, verdicts) and the data that attempts would restore. It contains no closures and no references.
//!
//! | file | does |
//! | --- | --- |
//! | `question_count.rs` | a counter for questions that lead to further questions, with a limit |
//! | `been.rs` | where the flow has been, for rules that ask `been_here` (see `engine/run/circles.rs`) |
//! | `board.rs` | the board: the cards and zones as dense columns, and the states of cards and players |
//! | `branch.rs` | a branch of the flow: its calls, questions, attempts and stretches |
//! | `circle.rs` | circles of effects: effects in force that depend on one another, and which of them goes first |
//! | `change.rs` | prepared changes of the board or the effects |
//! | `column.rs` | a sequence whose readings are noted |
//! | `control.rs` | where the game is: its branches, verdicts, status and outcome; and the data about rounds that players repeat |
//! | `effects.rs` | continuous effects: those in force, the things to which they apply, and those that have not begun |
//! | `events.rs` | events that have happened, and abilities that wait |
//! | `fingerprint.rs` | computes a number for a position, by which the position is recognised when it comes back |
//! | `extent_cache.rs` | a cache for extents: how the extent of a part was found in earlier positions |
//! | `append_only.rs` | a sequence that only grows and is copied often |
//! | `idle.rs` | things that were tried in one position without a result |
//! | `last_known.rs` | last-known information: a card as it was when one of its lives ended |
//! | `memory.rs` | memories: facts that were computed about a value |
//! | `placed_abilities.rs` | waiting abilities of a position that a scenario sets up |
//! | `position.rs` | positions: builds any state of the board at the beginning of a phase, piece by piece |
//! | `readings.rs` | notes which single values of a state a trial run reads |
//! | `save.rs` | saves: a state with everything that is needed to continue the game, and the checks of loaded saves |
//! | `shared.rs` | a part that copies share until one of them changes it |
//! | `untouched.rs` | cards whose states are all known to have their first values |
//! | `written.rs` | notes what was written since the last check of immediate rules |

mod append_only;
mod been;
pub mod board;
mod branch;
mod change;
mod circle;
mod column;
mod control;
mod effects;
mod events;
mod extent_cache;
pub(crate) mod fingerprint;
mod idle;
pub mod last_known;
pub(crate) mod memory;
pub mod placed_abilities;
pub mod position;
mod question_count;
pub(crate) mod readings;
pub mod save;
pub mod shared;
pub(crate) mod untouched;
mod written;

pub(crate) use append_only::AppendOnly;
pub(crate) use been::{Been, BeenInCall};
pub use branch::*;
pub use change::*;
pub use circle::Circle;
pub(crate) use circle::Circles;
pub(crate) use column::{Column, Noted};
pub use control::*;
pub use effects::*;
pub use events::*;
pub(crate) use extent_cache::{ExtentCache, KnownExtent, LookedAt};
pub use idle::Idle;
pub use written::{Known, Pairs, Still, Written};

use super::ids::CardId;
use super::program::Program;
use super::random::Generator;
use super::value::{Place, Value};
use crate::state::board::Board;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Cards and zones.
    pub board: Board,
    /// Continuous effects.
    pub effects: Effects,
    /// The history and the waiting abilities.
    pub events: Events,
    /// Where the game is.
    pub control: Control,
    /// The random generator.
    pub generator: Generator,
    /// Random results that a scenario has fixed: the next shuffle of a place gives this order, top first.
    pub(crate) fixed_shuffles: Vec<(Place, Vec<super::value::ObjectId>)>,
    /// Fixed results of coins (a truth), dice (a number) and picks (a card): the next draw of this kind gives this result.
    pub fixed_draws: Vec<Value>,
}

impl std::hash::Hash for State {
    /// The generator is left out: it has no hash, and equal states have equal hashes without it.
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        self.effects.hash(hasher);
        self.events.hash(hasher);
        self.control.hash(hasher);
    }
}

impl State {
    /// The state of a program before any game: no cards, and no effects in force.
    #[must_use]
    pub fn before(program: &Program) -> Self {
        State {
            board: Board::new(program, 0),
            effects: Effects::default(),
            events: Events::default(),
            control: Control::default(),
            generator: Generator::new(0),
            fixed_shuffles: Vec::new(),
            fixed_draws: Vec::new(),
        }
    }

    /// The card of the effect that was read when a limit was passed, and which of the card's abilities it comes from (1: the first; 0: none).
    #[must_use]
    pub(crate) fn named_effect(&self, program: &Program) -> Option<(CardId, u32)> {
        let effect = self.effects.get(self.effects.asked.named()?)?;
        let Value::Object { id, .. } = effect.source else { return None };
        let card = self.board.object(id)?.card;
        let first = program.cards.get(card)?.abilities.0;
        let which = if let Holds::Static(ability) = effect.holds { ability.0.saturating_sub(first.0) + 1 } else { 0 };
        Some((card, u32::from(which)))
    }

    /// The card of which the most abilities wait, and the number of these abilities. The printed card counts, so copies of a card in the
    /// deck count together.
    #[must_use]
    pub(crate) fn most_waiting(&self) -> Option<(CardId, u32)> {
        let mut numbers: BTreeMap<CardId, u32> = BTreeMap::new();
        for pending in self.events.pending.iter() {
            if let Value::Object { id, .. } = pending.source
                && let Some(object) = self.board.object(id)
            {
                *numbers.entry(object.card).or_default() += 1;
            }
        }
        numbers.into_iter().max_by_key(|(card, number)| (*number, Reverse(*card)))
    }

    /// Whether every card is controlled by its owner: no move, effect or zone gives cards to other players.
    #[must_use]
    #[inline]
    pub(crate) fn owners_control(&self, program: &Program) -> bool {
        self.effects.controlling == 0 && self.board.held.is_empty() && !program.owned
    }

    /// Makes this a copy of another state. The allocated memory is kept, and so is that of spare branches.
    #[expect(clippy::vec_box, reason = "they go into a state as they are, without being moved")]
    pub(crate) fn copy_from(&mut self, other: &State, spare: &mut Vec<Box<Branch>>) {
        self.board.copy_from(&other.board);
        self.copy_beside_board(other, spare);
    }

    /// Drops data that this copy shares with its game. Otherwise the game would have to copy the data at each change until this memory is
    /// used again.
    pub(crate) fn let_go(&mut self) {
        (self.control.idle, self.control.cycle, self.control.been) = (None, None, None);
        self.board.known.clear();
        self.events.let_go();
    }

    /// Makes everything except the board a copy of another state.
    #[expect(clippy::vec_box, reason = "they go into a state as they are, without being moved")]
    pub(crate) fn copy_beside_board(&mut self, other: &State, spare: &mut Vec<Box<Branch>>) {
        self.effects.copy_from(&other.effects);
        self.events.copy_from(&other.events);
        self.generator = other.generator.clone();
        self.fixed_shuffles.clone_from(&other.fixed_shuffles);
        self.fixed_draws.clone_from(&other.fixed_draws);
        let mut branches = std::mem::take(&mut self.control.branches);
        spare.append(&mut branches);
        for branch in &other.control.branches {
            let mut copy = spare.pop().unwrap_or_default();
            copy.copy_from(branch);
            branches.push(copy);
        }
        let from = &other.control;
        self.control = Control {
            branches,
            level: from.level,
            judging: from.judging,
            holding: from.holding,
            losing: from.losing,
            winning: from.winning,
            urgent: from.urgent,
            judged: from.judged,
            status: from.status,
            dirty: from.dirty,
            wrote: from.wrote,
            laid: from.laid,
            written: from.written.clone(),
            steps: from.steps,
            spent: from.spent,
            idle: from.idle.clone(),
            goes_round: from.goes_round,
            running: from.running.clone(),
            cycle: from.cycle.clone(),
            been: from.been.clone(),
        };
    }
}
