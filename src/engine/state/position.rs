//! Positions: builds any state of the board at the beginning of a phase, piece by piece.

use crate::ids::{CardId, Id, PhaseId, Reg, RoutineId, StateId, ZoneId};
use crate::machine::Machine;
use crate::program::Seen;
use crate::random::Generator;
use crate::state::Frame;
use crate::state::board::place_of;
use crate::state::placed_abilities::{Waiting, lay, note_conditions};
use crate::value::{ObjectId, Player, Value};
use std::sync::Arc;
use thiserror::Error;

/// A position that is being built. No card lies on the table before [`Position::begin`].
pub struct Position<'m> {
    machine: &'m mut Machine,
    cards: Vec<Laid>,
    card_states: Vec<(ObjectId, StateId, Value)>,
    player_states: Vec<(Player, StateId, Value)>,
    shuffles: Vec<(ZoneId, Player, Vec<ObjectId>)>,
    draws: Vec<Value>,
    slots: Vec<(ObjectId, u8)>,
    hosts: Vec<(ObjectId, ObjectId)>,
    made: Vec<(ObjectId, Option<ObjectId>)>,
    copies: Vec<(ObjectId, CardId)>,
    deciders: Vec<(Player, Player)>,
    held: Vec<(ObjectId, Player)>,
    effects: Vec<(RoutineId, Option<ObjectId>)>,
    waiting: Vec<Waiting>,
    turn: u32,
    seed: u64,
}

/// A card to be put into a place.
struct Laid {
    zone: ZoneId,
    whose: Player,
    owner: Player,
    card: CardId,
    face_up: Option<bool>,
}

/// Why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// More cards in a zone than it holds.
    #[error("the zone holds {most} at most")]
    Full {
        /// The capacity of the zone.
        most: u16,
    },
}

impl<'m> Position<'m> {
    pub(crate) fn new(machine: &'m mut Machine) -> Self {
        Position {
            machine,
            cards: Vec::new(),
            card_states: Vec::new(),
            player_states: Vec::new(),
            shuffles: Vec::new(),
            draws: Vec::new(),
            slots: Vec::new(),
            hosts: Vec::new(),
            made: Vec::new(),
            copies: Vec::new(),
            deciders: Vec::new(),
            held: Vec::new(),
            effects: Vec::new(),
            waiting: Vec::new(),
            turn: 1,
            seed: 0,
        }
    }

    /// Sets the number of the turn.
    pub fn turn(&mut self, turn: u32) {
        self.turn = turn;
    }

    /// Sets the seed of random results.
    pub fn seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Puts a card on top of a zone. Gives the number of the object.
    ///
    /// # Errors
    /// [`PositionError::Full`] if the zone is full.
    pub fn place(&mut self, zone: ZoneId, player: Player, card: CardId, face_up: Option<bool>) -> Result<ObjectId, PositionError> {
        self.place_of(player, zone, player, card, face_up)
    }

    /// Puts a card of another owner on top of a zone.
    ///
    /// # Errors
    /// [`PositionError::Full`] if the zone is full.
    pub fn place_of(
        &mut self,
        owner: Player,
        zone: ZoneId,
        whose: Player,
        card: CardId,
        face_up: Option<bool>,
    ) -> Result<ObjectId, PositionError> {
        let capacity = self.machine.program().zones.get(zone).and_then(|zone| zone.capacity);
        let program = self.machine.program();
        let place = place_of(program, zone, whose);
        let there = self.cards.iter().filter(|laid| place_of(program, laid.zone, laid.whose) == place).count();
        if let Some(most) = capacity
            && there >= usize::from(most)
        {
            return Err(PositionError::Full { most });
        }
        self.cards.push(Laid { zone, whose, owner, card, face_up });
        Ok(ObjectId(self.cards.len() as u16 - 1))
    }

    /// Sets a state of a card.
    pub fn card_state(&mut self, card: ObjectId, state: StateId, value: Value) {
        self.card_states.push((card, state, value));
    }

    /// Sets a state or pool of a player.
    pub fn player_state(&mut self, player: Player, state: StateId, value: Value) {
        let player = self.machine.program().holder(state, player);
        self.player_states.push((player, state, value));
    }

    /// Fixes the next shuffle of a zone: these cards come on top, the first one topmost.
    pub fn fix_shuffle(&mut self, zone: ZoneId, player: Player, top_first: Vec<ObjectId>) {
        self.shuffles.push((zone, player, top_first));
    }

    /// Fixes the result of the next coin (a truth), die (a number) or pick (a card).
    pub fn fix_draw(&mut self, result: Value) {
        self.draws.push(result);
    }

    /// Puts a card into a part of its zone.
    pub fn put_at(&mut self, card: ObjectId, slot: u8) {
        self.slots.push((card, slot));
    }

    /// Attaches a card to another.
    pub fn attach(&mut self, card: ObjectId, host: ObjectId) {
        self.hosts.push((card, host));
    }

    /// Notes that a card was made during the game, and what it stands for.
    pub fn made(&mut self, card: ObjectId, original: Option<ObjectId>) {
        self.made.push((card, original));
    }

    /// Notes the card that a copy is without the copying.
    pub fn copied(&mut self, card: ObjectId, own: CardId) {
        self.copies.push((card, own));
    }

    /// Sets the player under whose control a card lies.
    pub fn under(&mut self, card: ObjectId, by: Player) {
        self.held.push((card, by));
    }

    /// Lets a player decide for another player.
    pub fn decides(&mut self, player: Player, by: Player) {
        self.deciders.push((player, by));
    }

    /// Puts effects in force before anything else is done. `body` only begins the effects; `source` is their card.
    pub fn in_force(&mut self, body: RoutineId, source: Option<ObjectId>) {
        self.effects.push((body, source));
    }

    /// Lets an ability wait, after the other waiting abilities. Gives its number.
    pub fn waits(&mut self, waiting: Waiting) -> u32 {
        self.waiting.push(waiting);
        self.waiting.len() as u32 - 1
    }

    /// Finishes the position: before the set-up, or at the beginning of a phase (the first phase of the turn if none is named).
    pub fn begin(self, at: Begin) {
        let Position {
            machine,
            cards,
            card_states,
            player_states,
            shuffles,
            draws,
            slots,
            hosts,
            made,
            copies,
            deciders,
            held,
            effects,
            waiting,
            turn,
            seed,
        } = self;
        machine.clear(cards.len(), seed);
        let program = Arc::clone(machine.program());
        let state = machine.state_mut();
        state.generator = Generator::new(seed);
        for Laid { zone, whose, owner, card, face_up } in cards {
            let shown = program.zones.get(zone).is_some_and(|zone| zone.seen == Seen::ByAll);
            let place = place_of(&program, zone, whose);
            let added = state.board.add(&program, card, program.owner_in(place, owner), place, face_up.unwrap_or(shown));
            if let (Some(id), by @ Some(_)) = (added, program.controller_in(place)) {
                state.board.lay_under(id, by, 0);
            }
        }
        state.fixed_draws = draws;
        for (card, slot) in slots {
            if let Some(extra) = state.board.extra_mut(card) {
                extra.slot = slot;
            }
        }
        for (card, host) in hosts {
            let host = state.board.reference(host);
            if let Some(extra) = state.board.extra_mut(card) {
                extra.host = host;
            }
        }
        for (card, original) in made {
            let original = original.map_or(Value::Undefined, |original| state.board.reference(original));
            if let Some(extra) = state.board.extra_mut(card) {
                (extra.made, extra.original) = (true, original);
            }
        }
        for (card, own) in copies {
            if let Some(extra) = state.board.extra_mut(card) {
                extra.own = own;
            }
        }
        held.into_iter().for_each(|(card, by)| state.board.lay_under(card, Some(by), 0));
        for (player, by) in deciders {
            state.board.decide(program.players, player, by);
        }
        let states = program.states.len();
        state.board.versions.touch_states();
        for (card, which, value) in card_states {
            state.board.untouched.touch(card);
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
        lay(machine, &waiting);
        machine.activate_all();
        note_conditions(machine);
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
        if matches!(at, Begin::Phase(_)) {
            machine.state_mut().control.laid = true;
        }
        // The first effect is carried out first, so it is pushed last.
        for (body, source) in effects.into_iter().rev() {
            begin_effects(machine, body, source);
        }
        machine.look_at_rules();
    }
}

/// Puts the frame of the body on top of the frames of the position.
fn begin_effects(machine: &mut Machine, body: RoutineId, source: Option<ObjectId>) {
    let Some((start, registers)) = machine.program().routines.get(body).map(|def| (def.start, def.registers)) else { return };
    let state = machine.state_mut();
    let this = source.map_or(Value::Undefined, |source| state.board.reference(source));
    let you = source.and_then(|source| state.board.object(source)).map_or(Player(0), |object| object.owner);
    let Some(root) = state.control.branches.last_mut() else { return };
    let (base, lists) = (root.registers.len() as u32, root.lists.len() as u32);
    root.registers.resize(base as usize + usize::from(registers), Value::Undefined);
    root.frames.push(Frame { routine: body, pc: start, base, lists, you, this, result: Reg::NONE, ..Frame::default() });
}

/// The point of the game at which a position stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Before the set-up.
    Setup,
    /// At the beginning of this phase. None: at the beginning of the turn.
    Phase(Option<PhaseId>),
}
