//! Made positions: a position of a random game, with some cards exchanged for cards that have not acted yet.
//!
//! A card is exchanged only for a card of the same types. So no card lies where no game brings a card of its types.

use engine::ids::{CardId, Id, PhaseId};
use engine::machine::Machine;
use engine::program::Program;
use engine::random::Generator;
use engine::state::board::{Board, NO_SLOT, zone_of};
use engine::state::position::Begin;
use engine::steps::acting::Acting;
use engine::steps::{Observer, Step, Traced, View};
use engine::value::{ObjectId, Place, Player, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One card in so many is exchanged, on average.
const EXCHANGED: u32 = 3;

/// Watches a game, and keeps some of its positions, drawn at random.
pub(super) struct Keeping<'a, 'o> {
    /// Watches the abilities.
    pub acting: Acting<'o>,
    /// The kept positions: the beginnings of phases.
    pub kept: Vec<(PhaseId, Board)>,
    most: usize,
    phases: u32,
    chance: &'a mut Generator,
}

impl<'a, 'o> Keeping<'a, 'o> {
    /// Keeps at most so many positions.
    pub(super) fn new(acting: Acting<'o>, most: usize, chance: &'a mut Generator) -> Self {
        Self { acting, kept: Vec::new(), most, phases: 0, chance }
    }
}

impl Observer for Keeping<'_, '_> {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, traced: &Traced) {
        self.acting.step(view, traced);
        let Step::Phase(phase) = traced.step else { return };
        self.phases += 1;
        if self.kept.len() < self.most {
            self.kept.push((phase, view.state.board.clone()));
        } else if let Some(kept) = self.kept.get_mut(self.chance.below(self.phases) as usize) {
            *kept = (phase, view.state.board.clone());
        }
    }

    fn state_set(&mut self, view: &View<'_>, traced: &Traced) {
        self.acting.state_set(view, traced);
    }
}

/// The cards that have not acted yet, by their types.
pub(super) struct Wanted<'p>(FxHashMap<&'p [u8], Vec<CardId>>);

impl<'p> Wanted<'p> {
    /// Sorts cards by their types.
    pub(super) fn new(program: &'p Program, cards: &[CardId]) -> Self {
        let mut by_types: FxHashMap<&[u8], Vec<CardId>> = FxHashMap::default();
        for card in cards {
            by_types.entry(program.types_of(*card)).or_default().push(*card);
        }
        Self(by_types)
    }

    /// The card itself, or sometimes a wanted card of the same types.
    fn instead_of(&self, program: &Program, card: CardId, chance: &mut Generator) -> CardId {
        let wanted = self.0.get(program.types_of(card)).map_or(&[][..], Vec::as_slice);
        if wanted.is_empty() || chance.below(EXCHANGED) > 0 {
            return card;
        }
        wanted.get(chance.below(wanted.len() as u32) as usize).copied().unwrap_or(card)
    }
}

/// Puts the machine at the beginning of a phase, with the cards of a board, of which some are exchanged. Effects that ended with a duration
/// and abilities that waited are left out. `false` if a zone is too full.
pub(super) fn lay(machine: &mut Machine, (phase, board): &(PhaseId, Board), wanted: &Wanted<'_>, chance: &mut Generator) -> bool {
    let program = Arc::clone(machine.program());
    let states = program.states.len();
    let mut position = machine.position();
    position.turn(board.turn);
    position.seed(u64::from(chance.below(u32::MAX)));
    let mut laid: Vec<(ObjectId, ObjectId)> = Vec::new();
    for place in (0..board.zones.len()).map(|place| Place(place as u16)) {
        let (zone, whose) = zone_of(&program, place);
        for old in board.cards(place) {
            let Some(object) = board.object(*old) else { continue };
            let card = wanted.instead_of(&program, object.card, chance);
            let whose = whose.unwrap_or(Player(0));
            let Ok(new) = position.place_of(object.owner, zone, whose, card, Some(object.face_up)) else { return false };
            laid.push((*old, new));
        }
    }
    // A card as it is named in the new position. None: a card that does not lie there any more.
    let named = |value: Value| match value {
        Value::Object { id, .. } => {
            let new = laid.iter().find(|(old, _)| *old == id && board.reference(id) == value)?.1;
            Some(Value::Object { id: new, life: 0 })
        }
        other => Some(other),
    };
    for (old, new) in &laid {
        let row = usize::from(old.0) * states;
        for (state, _) in program.states.iter().filter(|(_, state)| !state.on_players) {
            if let Some(value) = board.card_states.get(row + state.index()).and_then(|value| named(*value)) {
                position.card_state(*new, state, value);
            }
        }
        if board.slot(*old) != NO_SLOT {
            position.put_at(*new, board.slot(*old));
        }
        if let Some((_, host)) = board.host(*old).and_then(|host| laid.iter().find(|(old, _)| *old == host)) {
            position.attach(*new, *host);
        }
        if let Some(owner) = board.object(*old).map(|object| object.owner) {
            let by = board.lies_under(*old, owner).0;
            if by != owner {
                position.under(*new, by);
            }
        }
    }
    for player in (0..program.players).map(Player) {
        let row = usize::from(player.0) * states;
        for (state, _) in program.states.iter().filter(|(_, state)| state.on_players) {
            if let Some(value) = board.player_states.get(row + state.index()).and_then(|value| named(*value)) {
                position.player_state(player, state, value);
            }
        }
    }
    position.begin(Begin::Phase(Some(*phase)));
    true
}
