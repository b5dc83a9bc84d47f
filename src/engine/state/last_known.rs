//! Last-known information: a card as it was when one of its lives ended.
//!
//! A row is kept when a card becomes a new object, if the program reads such rows and the row would differ from the printed card. The row
//! is dropped when nothing refers to that life any more. Lives end in [`crate::actions::moves`].

use crate::eval::Eval;
use crate::ids::{FieldId, Id, StateId};
use crate::program::Program;
use crate::state::board::{Board, Extra, Object};
use crate::state::readings::{self, part};
use crate::state::{Branch, Cause, State};
use crate::value::{Few, ObjectId, Place, Player, Value};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The number of rows from which on unused rows are dropped.
const ROWS: usize = 64;

/// The most rows that are kept apart from the sorted rows. When a copied state adds a row, it copies only these rows and not all rows of
/// the game.
const RECENT: usize = 16;

/// The most rows that are kept apart while a copy shares the sorted rows. Moving them would copy all rows of the game.
const RECENT_OF_COPIES: usize = 128;

/// A card as it was at the end of a life.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The card and where it lay.
    pub object: Object,
    /// The card's controller.
    pub controller: Player,
    /// The card's properties that only some games use.
    pub extra: Option<Extra>,
    /// The card's states.
    pub states: Few,
    /// Fields whose value differs from the printed one.
    pub fields: SmallVec<[(FieldId, Value); 4]>,
    /// Set-valued fields whose members differ from the printed ones.
    pub sets: Vec<(FieldId, Few)>,
    /// The cards that were attached to the card, each in the life that it had then.
    #[serde(default)]
    pub attached: Few,
}

/// The rows of a game, by card and life.
type Rows = Arc<BTreeMap<u64, Arc<Known>>>;

/// The newest rows, oldest first.
type Recent = Arc<Vec<(u64, Arc<Known>)>>;

/// The rows, by card and life.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct KnownRows {
    /// The sorted rows. `None`: there are none, and no memory is taken.
    rows: Option<Rows>,
    /// The newest rows. A row here replaces the row of the same life in `rows`. `None`: there are none.
    recent: Option<Recent>,
    /// The number of rows from which on the next search for unused rows is made.
    bound: u32,
}

/// The rows as they are saved.
#[derive(PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(rename = "KnownRows")]
struct Saved {
    rows: Rows,
    bound: u32,
}

impl From<Saved> for KnownRows {
    fn from(Saved { rows, bound }: Saved) -> Self {
        KnownRows { rows: Some(rows), recent: None, bound }
    }
}

impl From<KnownRows> for Saved {
    fn from(mut known: KnownRows) -> Self {
        known.settle();
        Saved { rows: known.rows.unwrap_or_default(), bound: known.bound }
    }
}

impl PartialEq for KnownRows {
    fn eq(&self, other: &Self) -> bool {
        let shared = || is_shared(&self.rows, &other.rows) && is_shared(&self.recent, &other.recent);
        let same = || self.len() == other.len() && self.all().all(|(id, life, row)| other.row(id, life) == Some(row));
        self.bound == other.bound && (shared() || same())
    }
}

impl Eq for KnownRows {}

impl Hash for KnownRows {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        Saved::from(self.clone()).hash(hasher);
    }
}

fn key(id: ObjectId, life: u32) -> u64 {
    u64::from(id.0) << 32 | u64::from(life)
}

/// Whether both are the same block of memory, or none.
fn is_shared<T>(one: &Option<Arc<T>>, other: &Option<Arc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

impl KnownRows {
    /// Whether there are no rows.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sorted().is_none_or(BTreeMap::is_empty) && self.newest().is_empty()
    }

    fn sorted(&self) -> Option<&BTreeMap<u64, Arc<Known>>> {
        self.rows.as_deref()
    }

    #[inline]
    fn newest(&self) -> &[(u64, Arc<Known>)] {
        self.recent.as_deref().map_or(&[], Vec::as_slice)
    }

    /// The row of a card for one of its lives.
    #[must_use]
    pub fn row(&self, id: ObjectId, life: u32) -> Option<&Known> {
        readings::note(part::KNOWN, usize::from(id.0));
        if self.is_empty() {
            return None;
        }
        let asked = key(id, life);
        let recent = self.newest().iter().find(|(key, _)| *key == asked).map(|(_, row)| row);
        recent.or_else(|| self.sorted()?.get(&asked)).map(Arc::as_ref)
    }

    /// Every row.
    pub fn all(&self) -> impl Iterator<Item = (ObjectId, u32, &Known)> {
        readings::note_whole(part::KNOWN);
        let older = self.sorted().into_iter().flatten().filter(|(key, _)| self.newest().iter().all(|(recent, _)| recent != *key));
        let recent = self.newest().iter().map(|(key, row)| (key, row));
        older.chain(recent).map(|(key, row)| (ObjectId((key >> 32) as u16), *key as u32, row.as_ref()))
    }

    /// The rows of all lives of a card, each with its life.
    pub fn of(&self, id: ObjectId) -> impl Iterator<Item = (u64, &Known)> {
        let (first, last) = (key(id, 0), key(id, u32::MAX));
        let older = self.sorted().into_iter().flat_map(move |rows| rows.range(first..=last).map(|(key, row)| (*key, row.as_ref())));
        let older = older.filter(|(key, _)| self.newest().iter().all(|(recent, _)| recent != key));
        let recent = self.newest().iter().filter(move |(key, _)| (first..=last).contains(key)).map(|(key, row)| (*key, row.as_ref()));
        older.chain(recent)
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        (self.rows, self.bound) = (None, 0);
        // The memory of the newest rows is kept, unless a copy shares it.
        match self.recent.as_mut().and_then(Arc::get_mut) {
            Some(recent) => recent.clear(),
            None => self.recent = None,
        }
    }

    /// Drops the row of a life that goes on after all.
    fn drop(&mut self, id: ObjectId, life: u32) {
        let over = key(id, life);
        if let Some(recent) = self.recent.as_mut().filter(|recent| recent.iter().any(|(key, _)| *key == over)) {
            Arc::make_mut(recent).retain(|(key, _)| *key != over);
        }
        if let Some(rows) = self.rows.as_mut().filter(|rows| rows.contains_key(&over)) {
            Arc::make_mut(rows).remove(&over);
        }
    }

    fn add(&mut self, id: ObjectId, life: u32, row: Known) {
        let shared = self.rows.as_ref().is_some_and(|rows| Arc::strong_count(rows) > 1);
        if self.newest().len() >= if shared { RECENT_OF_COPIES } else { RECENT } {
            self.settle();
        }
        let (over, row) = (key(id, life), Arc::new(row));
        let recent = Arc::make_mut(self.recent.get_or_insert_default());
        recent.retain(|(key, _)| *key != over);
        recent.push((over, row));
    }

    /// Moves the newest rows to the sorted rows.
    fn settle(&mut self) {
        if !self.newest().is_empty() {
            let recent = self.recent.take();
            let rows = Arc::make_mut(self.rows.get_or_insert_default());
            rows.extend(recent.iter().flat_map(|recent| recent.iter()).cloned());
        }
    }

    /// Whether there are more rows than a number. A life with two rows counts once, as in a saved game, because the moment of the search
    /// for unused rows must not depend on where the rows are kept.
    fn more_than(&self, number: usize) -> bool {
        self.sorted().map_or(0, BTreeMap::len) + self.newest().len() > number && self.len() > number
    }

    /// How many lives have rows. A life that has a row in both lists counts once.
    fn len(&self) -> usize {
        let Some(rows) = self.sorted() else { return self.newest().len() };
        let twice = self.newest().iter().filter(|(key, _)| rows.contains_key(key)).count();
        rows.len() + self.newest().len() - twice
    }

    /// Keeps only the sorted rows of these lives, and of cards attached to them. To be called when the newest rows are sorted.
    fn keep_only(&mut self, held: &mut BTreeSet<u64>) {
        let Some(rows) = &mut self.rows else { return };
        hold_attached(rows, held);
        Arc::make_mut(rows).retain(|key, _| held.contains(key));
        self.bound = (rows.len() * 2) as u32;
    }
}

impl State {
    /// Keeps the state of a card before its life ends.
    pub fn remember(&mut self, program: &Program, id: ObjectId) {
        let Some(object) = self.board.object(id).copied() else { return };
        let late = &program.gone;
        let states = states_of(&self.board, program, id);
        let marked = states.iter().zip(program.states.rows()).zip(&late.states).any(|((is, def), read)| *read && *is != def.initial);
        let touched = late.fields && self.effects.modifying.iter().any(|count| *count > 0);
        let extra = self.board.extra(id).copied();
        let copied = extra.is_some_and(|extra| extra.own != object.card || extra.made);
        let placed = late.place || !self.owners_control(program);
        let bears = late.attached && self.board.bears(id);
        if !placed && !marked && !touched && !copied && !bears {
            return;
        }
        let row = self.known_now(program, (id, object), touched);
        self.board.known.add(id, object.life, row);
    }

    /// The state of a card now. `with_fields`: including the fields that effects change.
    pub(crate) fn known_now(&self, program: &Program, (id, object): (ObjectId, Object), with_fields: bool) -> Known {
        let card = self.board.reference(id);
        let controller = Eval::new(program, self, &[], &[], object.owner, card).controller_or_nobody(card).unwrap_or(object.owner);
        let (states, extra) = (Few::from_slice(states_of(&self.board, program, id)), self.board.extra(id).copied());
        let (mut fields, mut sets) = (SmallVec::new(), Vec::new());
        if with_fields {
            let mut eval = Eval::new(program, self, &[], &[], object.owner, card);
            let changed = program
                .fields
                .iter()
                .filter(|(field, def)| !def.on_players && self.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0);
            for (field, def) in changed {
                if def.set {
                    sets.push((field, eval.field_members(card, field)));
                } else {
                    fields.push((field, eval.field(card, field)));
                }
            }
        }
        let attached = if program.gone.attached { self.board.attached(id) } else { Vec::new() };
        let attached = attached.into_iter().map(|id| self.board.reference(id)).collect();
        Known { object, controller, extra, states, fields, sets, attached }
    }

    /// Drops the row of a life that goes on after all, because the card could not be moved.
    pub(crate) fn remember_no_more(&mut self, id: ObjectId) {
        if let Some(life) = self.board.object(id).map(|object| object.life) {
            self.board.known.drop(id, life);
        }
    }

    /// Drops unused rows, if there are many rows. To be called only while no branch is taken out of the state.
    pub(crate) fn forget_much(&mut self) {
        if self.board.known.more_than(ROWS.max(self.board.known.bound as usize)) {
            self.forget();
        }
    }

    /// Drops the rows of lives that nothing refers to.
    fn forget(&mut self) {
        if self.board.known.is_empty() {
            return;
        }
        let mut held = BTreeSet::new();
        let mut hold = |value: &Value| {
            match value {
                Value::Object { id, life } => held.insert(key(*id, *life)),
                Value::Cause { id, life, .. } => held.insert(key(*id, life.number())),
                _ => false,
            };
        };
        let (board, effects, events) = (&self.board, &self.effects, &self.events);
        board.card_states.iter().chain(&board.player_states).for_each(&mut hold);
        board.extras.iter().for_each(|extra| [extra.host, extra.original].iter().for_each(&mut hold));
        for effect in effects.in_force.iter().map(Arc::as_ref).chain(&effects.later) {
            let values = effect.captures.iter().chain(&effect.lists).chain(effect.targets.iter().flatten()).chain(&effect.amounts);
            values.chain([&effect.source]).for_each(&mut hold);
        }
        for pending in events.pending.iter() {
            let asked = pending.slots.iter().chain(&pending.also);
            let own = [&pending.source, &pending.after, &pending.before];
            pending.captures.iter().chain(&pending.lists).chain(own).chain(asked).for_each(&mut hold);
        }
        events.heard.iter().flat_map(|heard| &heard.captures).for_each(&mut hold);
        events.held.iter().flat_map(|held| &held.members).for_each(&mut hold);
        events.together.iter().flat_map(|together| &together.members).for_each(&mut hold);
        events.history.iter().flat_map(|event| &event.args).chain(&events.lists).for_each(&mut hold);
        events.witnessed.values().for_each(|value| hold(&value));
        for event in events.history.iter() {
            cause(&event.cause, &mut hold);
        }
        self.control.branches.iter().for_each(|branch| held_by(branch, &mut hold));
        let rows = &mut self.board.known;
        rows.settle();
        rows.keep_only(&mut held);
    }
}

/// Rows of attached cards are kept as long as the row that names these cards.
fn hold_attached(rows: &BTreeMap<u64, Arc<Known>>, held: &mut BTreeSet<u64>) {
    let mut next: Vec<u64> = held.iter().copied().collect();
    while let Some(row) = next.pop().map(|key| rows.get(&key)) {
        for item in row.iter().flat_map(|row| &row.attached) {
            if let Value::Object { id, life } = item
                && held.insert(key(*id, *life))
            {
                next.push(key(*id, *life));
            }
        }
    }
}

fn held_by(branch: &Branch, hold: &mut impl FnMut(&Value)) {
    branch.registers.iter().chain(&branch.lists).chain(&branch.collected).for_each(&mut *hold);
    branch.finals.iter().flat_map(|last| last.captures.iter().chain(&last.lists).chain([&last.this])).for_each(&mut *hold);
    for frame in &branch.frames {
        hold(&frame.this);
        cause(&frame.cause, hold);
    }
    for deciding in &branch.deciding {
        deciding.args.iter().chain(&deciding.members).chain(&deciding.kept).for_each(&mut *hold);
    }
}

fn cause(cause: &Cause, hold: &mut impl FnMut(&Value)) {
    hold(&cause.source());
}

fn states_of<'b>(board: &'b Board, program: &Program, id: ObjectId) -> &'b [Value] {
    let states = program.states.len();
    board.card_states.row(usize::from(id.0) * states, states).unwrap_or(&[])
}

impl Board {
    /// Whether a value names a life of a card that has ended.
    #[must_use]
    #[inline]
    pub fn is_over(&self, value: Value) -> bool {
        match value {
            Value::Object { id, life } => self.object(id).is_some_and(|object| object.life != life),
            Value::Ability { of, life, .. } => self.object(of).is_some_and(|object| object.life as u16 != life),
            _ => false,
        }
    }

    /// The life that a reference to an ability means. The reference has only the low bits, so this is the latest life with these bits.
    #[must_use]
    pub(crate) fn life_of(&self, id: ObjectId, low: u16) -> u32 {
        let now = self.object(id).map_or(0, |object| object.life);
        let same = now & !0xffff | u32::from(low);
        if same > now { same.saturating_sub(0x1_0000) } else { same }
    }

    /// The last known state of a card whose life is over, if more is known than its printed values.
    #[must_use]
    pub(crate) fn last_known(&self, value: Value) -> Option<&Known> {
        match value {
            Value::Object { id, life } => self.known.row(id, life),
            Value::Ability { of, life, .. } => self.known.row(of, self.life_of(of, life)),
            _ => None,
        }
    }

    /// A state of a card whose life is over.
    #[must_use]
    pub(crate) fn last_state(&self, program: &Program, value: Value, state: StateId) -> Value {
        let initial = program.states.get(state).map_or(Value::Undefined, |state| state.initial);
        self.last_known(value).and_then(|row| row.states.get(state.index()).copied()).unwrap_or(initial)
    }
}

/// Checks that the rows fit a program, because a save may hold any rows.
pub(crate) fn fits(program: &Program, board: &Board) -> Result<(), &'static str> {
    board.known.all().try_for_each(|(id, life, row)| {
        let present = board.object(id).ok_or("the memory of a card that is not in the game")?;
        (row.fits(program, board) && life < present.life).then_some(()).ok_or("a memory that fits no card")
    })
}

/// Every value in the rows.
pub(crate) fn values(board: &Board) -> impl Iterator<Item = Value> + '_ {
    board.known.all().flat_map(|(_, _, row)| row.values())
}

impl Known {
    /// Whether everything that the row names exists.
    pub(crate) fn fits(&self, program: &Program, board: &Board) -> bool {
        let card = program.cards.get(self.object.card).is_some() && program.is_owner(self.object.owner);
        let place = usize::from(self.object.place.0) < board.zones.len() || self.object.place == Place::NOWHERE;
        let player = program.is_owner(self.controller) && self.extra.is_none_or(|extra| program.cards.get(extra.own).is_some());
        let fields = self.fields.iter().map(|(field, _)| field).chain(self.sets.iter().map(|(field, _)| field));
        let known = fields.copied().all(|field: FieldId| program.fields.get(field).is_some());
        card && place && player && known && self.states.len() == program.states.len()
    }

    /// Every value in the row.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let fields = self.fields.iter().map(|(_, value)| *value);
        let sets = self.sets.iter().flat_map(|(_, members)| members.iter().copied());
        let extra = self.extra.iter().flat_map(|extra| [extra.host, extra.original]);
        self.states.iter().copied().chain(fields).chain(sets).chain(extra).chain(self.attached.iter().copied())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::{Known, KnownRows, RECENT};
    use crate::ids::CardId;
    use crate::state::board::Object;
    use crate::value::{Few, ObjectId, Place, Player};
    use smallvec::SmallVec;

    fn row() -> Known {
        let object = Object { card: CardId(0), owner: Player(0), face_up: false, shown: 0, place: Place(0), life: 0 };
        Known {
            object,
            controller: Player(0),
            extra: None,
            states: Few::new(),
            fields: SmallVec::new(),
            sets: Vec::new(),
            attached: Few::new(),
        }
    }

    /// A saved game must search for unused rows at the same moments as a game that was never saved.
    #[test]
    fn a_row_that_comes_again_counts_once() {
        let mut rows = KnownRows::default();
        for id in 0..=RECENT as u16 {
            rows.add(ObjectId(id), 0, row());
        }
        rows.add(ObjectId(0), 0, row());
        let saved: KnownRows = ron::from_str(&ron::to_string(&rows).unwrap()).unwrap();
        for number in RECENT..RECENT + 3 {
            assert_eq!(rows.more_than(number), saved.more_than(number), "more than {number}");
            assert_eq!(rows.more_than(number), number < RECENT + 1);
        }
    }
}
