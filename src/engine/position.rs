//! Positions: any state of the board at the beginning of a phase, put together piece by piece.

use super::board::place_of;
use super::ids::{CardId, Id, PhaseId, StateId, ZoneId};
use super::machine::Machine;
use super::program::Seen;
use super::random::Generator;
use super::value::{ObjectId, Player, Value};
use std::sync::Arc;
use thiserror::Error;

/// A position that is being put together. Nothing is on the table before [`Position::begin`].
pub struct Position<'m> {
    machine: &'m mut Machine,
    cards: Vec<(ZoneId, Player, CardId, Option<bool>)>,
    card_states: Vec<(ObjectId, StateId, Value)>,
    player_states: Vec<(Player, StateId, Value)>,
    shuffles: Vec<(ZoneId, Player, Vec<ObjectId>)>,
    turn: u32,
    seed: u64,
}

/// Why a position cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// More cards in a zone than it holds.
    #[error("the zone holds {most} at most")]
    Full {
        /// Its capacity.
        most: u16,
    },
}

impl<'m> Position<'m> {
    pub(super) fn new(machine: &'m mut Machine) -> Self {
        Position { machine, cards: Vec::new(), card_states: Vec::new(), player_states: Vec::new(), shuffles: Vec::new(), turn: 1, seed: 0 }
    }

    /// The number of the turn that the position is in.
    pub fn turn(&mut self, turn: u32) {
        self.turn = turn;
    }

    /// The seed of what is random from here on.
    pub fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Puts a card on top of a zone; which object it will be.
    ///
    /// # Errors
    /// When the zone is full.
    pub fn place(&mut self, zone: ZoneId, player: Player, card: CardId, face_up: Option<bool>) -> Result<ObjectId, PositionError> {
        let capacity = self.machine.program().zones.get(zone).and_then(|zone| zone.capacity);
        let there = self.cards.iter().filter(|(other, whose, ..)| (*other, *whose) == (zone, player)).count();
        if let Some(most) = capacity
            && there >= usize::from(most)
        {
            return Err(PositionError::Full { most });
        }
        self.cards.push((zone, player, card, face_up));
        Ok(ObjectId(self.cards.len() as u16 - 1))
    }

    /// A state of a card.
    pub fn card_state(&mut self, card: ObjectId, state: StateId, value: Value) {
        self.card_states.push((card, state, value));
    }

    /// A state or pool of a player.
    pub fn player_state(&mut self, player: Player, state: StateId, value: Value) {
        self.player_states.push((player, state, value));
    }

    /// Lays down the next shuffle of a zone: these cards on top, the first one topmost.
    pub fn fix_shuffle(&mut self, zone: ZoneId, player: Player, top_first: Vec<ObjectId>) {
        self.shuffles.push((zone, player, top_first));
    }

    /// The position stands: before the set-up, or at the beginning of a phase (the turn's first when none is named).
    pub fn begin(self, at: Begin) {
        let Position { machine, cards, card_states, player_states, shuffles, turn, seed } = self;
        machine.clear(cards.len(), seed);
        let program = Arc::clone(machine.program());
        let state = machine.state_mut();
        state.generator = Generator::new(seed);
        for (zone, player, card, face_up) in cards {
            let shown = program.zones.get(zone).is_some_and(|zone| zone.seen == Seen::ByAll);
            state.board.add(&program, card, player, place_of(&program, zone, player), face_up.unwrap_or(shown));
        }
        let states = program.states.len();
        for (card, which, value) in card_states {
            if let Some(slot) = state.board.card_states.get_mut(usize::from(card.0) * states + which.index()) {
                *slot = value;
            }
        }
        for (player, which, value) in player_states {
            if let Some(slot) = state.board.player_states.get_mut(usize::from(player.0) * states + which.index()) {
                *slot = value;
            }
        }
        state.fixed_shuffles = shuffles.into_iter().map(|(zone, player, cards)| (place_of(&program, zone, player), cards)).collect();
        machine.activate_all();
        match at {
            Begin::Setup => machine.begin(program.setup.or(program.turn)),
            Begin::Phase(phase) => {
                machine.state_mut().board.turn = turn.saturating_sub(u32::from(phase.is_none()));
                machine.begin(program.turn);
                if let Some(start) = phase.and_then(|phase| program.phases.get(phase)).map(|phase| phase.start)
                    && let Some(frame) = machine.state_mut().control.branches.last_mut().and_then(|root| root.frames.last_mut())
                {
                    frame.pc = start;
                }
            }
        }
        machine.look_at_rules();
    }
}

/// Where a position stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Before the set-up.
    Setup,
    /// At the beginning of a phase; of the turn when none is named.
    Phase(Option<PhaseId>),
}
