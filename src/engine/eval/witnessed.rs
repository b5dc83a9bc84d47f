//! The cards of past events as they were at the event (docs/kernel/information.md, "History").
//!
//! Rows are kept beside history only for events whose cards the program asks for in this way. Conditions about these events read the rows.
//! [`crate::state::last_known`] holds cards as they were when a life ended.

use crate::eval::Eval;
use crate::fault::listed;
use crate::ids::{AbilityId, Id, StateId, VerbId};
use crate::program::Program;
use crate::state::board::Board;
use crate::state::last_known::Known;
use crate::state::readings;
use crate::state::{AppendOnly, Event, Events, State};
use crate::value::{ObjectId, Value};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;

/// At most this many rows are copied with a state. Copies share the others.
const LOOSE: usize = 8;

/// Cards are read as they are now, and not as they were at an event.
pub(crate) const NOW: u32 = u32::MAX;

/// A card as it was at an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witnessed {
    /// The event, by its place in history.
    pub event: u32,
    /// The card.
    pub id: ObjectId,
    /// The state of the card at the event.
    pub row: Known,
    /// The abilities of the card at the event.
    pub abilities: Vec<AbilityId>,
}

/// The rows, in the order of their events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessedRows {
    rows: AppendOnly<Arc<Witnessed>>,
}

impl WitnessedRows {
    /// The rows of an event.
    pub fn of(&self, event: u32) -> impl Iterator<Item = &Witnessed> {
        readings::note_events(event as usize);
        let from = self.rows.partition_point(|row| row.event < event);
        self.rows.since(from).map(|(_, row)| &**row).take_while(move |row| row.event == event)
    }

    /// The row of a card at an event, for this life of the card.
    #[must_use]
    pub fn row(&self, event: u32, card: Value) -> Option<&Witnessed> {
        let Value::Object { id, life } = card else { return None };
        self.of(event).find(|row| row.id == id && row.row.object.life == life)
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Prepares for cheap copies.
    pub(crate) fn seal(&mut self) {
        self.rows.seal(LOOSE);
    }

    /// Every value in the rows.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().flat_map(|row| row.row.values())
    }
}

impl State {
    /// Keeps the cards of the event at this place of history as they are now. Lives that are over need no row, because their last state is
    /// known.
    pub(crate) fn witness(&mut self, program: &Program, verb: VerbId, at: u32) {
        if !program.verbs.get(verb).is_some_and(|verb| verb.witnessed) {
            return;
        }
        let Some(event) = self.events.history.get(at as usize) else { return };
        let mut rows: SmallVec<[Arc<Witnessed>; 4]> = SmallVec::new();
        for card in cards_of(event, &self.events) {
            let Some((id, object)) = self.board.living(card).filter(|(id, _)| rows.iter().all(|row| row.id != *id)) else { continue };
            let row = self.known_now(program, (id, object), self.effects.modifying.iter().any(|count| *count > 0));
            let abilities = Eval::new(program, self, &[], &[], row.controller, card).abilities_now(card);
            rows.push(Arc::new(Witnessed { event: at, id, row, abilities }));
        }
        rows.into_iter().for_each(|row| self.events.witnessed.rows.push(row));
    }
}

/// The cards among the arguments of an event.
fn cards_of<'e>(event: &'e Event, events: &'e Events) -> impl Iterator<Item = Value> + 'e {
    event
        .args
        .iter()
        .flat_map(|arg| match arg {
            Value::List { start, len } => listed(&events.lists, *start, *len),
            one => std::slice::from_ref(one),
        })
        .copied()
}

impl Board {
    /// The object that a reference means, if it still lives that life.
    fn living(&self, card: Value) -> Option<(ObjectId, crate::state::board::Object)> {
        let Value::Object { id, life } = card else { return None };
        self.object(id).filter(|object| object.life == life).map(|object| (id, *object))
    }
}

impl<'a> Eval<'a> {
    /// Runs a question about a past event. Cards are read as they were at the event.
    pub(crate) fn of_event<T>(&mut self, event: u32, asked: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.witness, event);
        let answer = asked(self);
        self.witness = outer;
        answer
    }

    /// The row of a card for the event that is asked about.
    #[inline]
    pub(crate) fn witnessed(&self, card: Value) -> Option<&'a Witnessed> {
        if self.witness == NOW { None } else { self.state.events.witnessed.row(self.witness, card) }
    }

    /// Whether a value names a card of the past: a life that is over, or a card that is read as it was at an event.
    #[must_use]
    #[inline]
    pub fn is_over(&self, value: Value) -> bool {
        self.witnessed(value).is_some() || self.state.board.is_over(value)
    }

    /// The last known state of a card of the past, if more is known than its printed values.
    #[must_use]
    pub(crate) fn last_known(&self, value: Value) -> Option<&'a Known> {
        let witnessed = self.witnessed(value).map(|witnessed| &witnessed.row);
        witnessed.or_else(|| self.state.board.last_known(value))
    }

    /// A state of a card of the past.
    pub(crate) fn last_state(&self, value: Value, state: StateId) -> Value {
        match self.witnessed(value) {
            Some(witnessed) => witnessed.row.states.get(state.index()).copied().unwrap_or_default(),
            None => self.state.board.last_state(self.program, value, state),
        }
    }
}

/// Checks that the rows fit a program and a history, because a save may hold any rows.
pub(crate) fn fits(program: &Program, state: &State) -> Result<(), &'static str> {
    let (board, rows) = (&state.board, &state.events.witnessed.rows);
    let in_order = rows.iter().map(|row| row.event).is_sorted();
    let fits = rows.iter().all(|row| {
        let there = board.object(row.id).is_some_and(|present| row.row.object.life <= present.life);
        let event = (row.event as usize) < state.events.history.len();
        let abilities = row.abilities.iter().all(|ability| program.abilities.get(*ability).is_some());
        there && event && abilities && row.row.fits(program, board)
    });
    (in_order && fits).then_some(()).ok_or("a card that no event was told of")
}
