//! The board: the cards and zones as dense columns, and the states of cards and players.
//!
//! All zones lie in one slab. Index 0 of a zone is its bottom, its last index is its top. INVARIANT (slab-clean): the unused room of a zone
//! holds `ObjectId(0)`, so that equal boards are equal as data.
//!
//! | file | does |
//! | --- | --- |
//! | `copy.rs` | copies and comparisons of boards |
//! | `extras.rs` | things that only some games put on cards |
//! | `versions.rs` | versions, which show whether a part is unchanged |

mod copy;
mod extras;
mod versions;

pub(crate) use extras::Extra;
pub use extras::NO_SLOT;
pub(crate) use versions::VersionBeside;
pub use versions::{Version, Versions};

use crate::fault::listed;
use crate::ids::{CardId, Id, PhaseId, StateId, ZoneId};
use crate::program::Program;
use crate::state::Column;
use crate::state::readings::{self, part};
use crate::state::untouched::Untouched;
use crate::value::{ObjectId, Place, Player, Value};
use serde::{Deserialize, Serialize};

/// The range of a zone in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// First place in the slab.
    pub start: u32,
    /// The number of cards.
    pub len: u16,
    /// The greatest number of cards.
    pub room: u16,
}

/// One card in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// The card of the pool that it is.
    pub card: CardId,
    /// The card's owner; never changes.
    pub owner: Player,
    /// Whether the card lies face up.
    pub face_up: bool,
    /// The players to whom it is shown although its zone does not show it, one bit each.
    pub shown: u8,
    /// The card's place.
    pub place: Place,
    /// The number of its life. A new life begins when the card becomes a new object.
    pub life: u32,
}

/// Cards, zones, states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Every card in the game.
    pub objects: Column<Object, { part::OBJECTS }>,
    /// Every player's zones, then the shared ones (see [`place_of`]).
    pub zones: Column<Span, { part::SPANS }>,
    /// The cards of all zones. Trial runs read them only through [`Board::cards`] and the like, which note the place.
    pub slab: Vec<ObjectId>,
    /// For each card, the properties that only some games use. Empty if the program uses none of them.
    pub extras: Column<Extra, { part::EXTRAS }>,
    /// The number of batches in which a card arrived somewhere. Counted only with `extras`.
    pub batches: u32,
    /// The player who decides for each player. Empty: every player decides alone.
    pub deciders: Vec<Player>,
    /// For each card, the players who remember it although it is hidden from them, one bit each. Empty if the game does not keep track of
    /// this.
    pub memory: Vec<u8>,
    /// Face-down cards that their controllers see, with the controller if this is not the owner.
    pub(crate) overseen: Vec<(ObjectId, Player)>,
    /// Cards that a move has put under the control of a player: the player, and the number of the first effect that comes after the move.
    /// Only if this player is not the owner, or if effects had given the card to others before.
    pub held: Vec<(ObjectId, Player, u32)>,
    /// Cards that are shown until a duration ends.
    pub revealed: Vec<(crate::state::Shown, crate::ids::DurationId)>,
    /// Cards that are shown while an ability waits (by its number).
    pub shown_while: Vec<(crate::state::Shown, u32)>,
    /// The states of all cards, card by card.
    pub card_states: Column<Value, { part::CARD_STATES }>,
    /// The cards whose states are known to have their first values.
    #[serde(skip)]
    pub untouched: Untouched,
    /// The states of all players, player by player.
    pub player_states: Column<Value, { part::PLAYER_STATES }>,
    /// Cards as they were when a life of theirs ended.
    pub known: crate::state::last_known::KnownRows,
    /// For each immediate rule and player, whether the condition was true at the last check.
    pub(crate) rule_truth: Vec<bool>,
    /// The number of the turn, from 1; 0 before the first.
    pub turn: u32,
    /// The phase that runs. Who reads it in a trial run has to note this ([`part::PHASE`]).
    pub phase: Option<PhaseId>,
    /// The versions of the board's parts. Code outside of this file that changes a part must touch its version.
    #[serde(skip)]
    pub versions: Versions,
}

/// The place of a player's zone; shared zones have the place of player 0.
#[must_use]
#[inline]
pub fn place_of(program: &Program, zone: ZoneId, player: Player) -> Place {
    let row = if program.zones.get(zone).is_some_and(|zone| zone.each_player) { usize::from(player.0) } else { 0 };
    Place((row * program.zones.len() + zone.index()) as u16)
}

/// The declared zone of a place, and its player (`None`: shared).
#[must_use]
#[inline]
pub fn zone_of(program: &Program, place: Place) -> (ZoneId, Option<Player>) {
    let zones = program.zones.len().max(1);
    let zone = ZoneId((usize::from(place.0) % zones) as u16);
    let each = program.zones.get(zone).is_some_and(|zone| zone.each_player);
    (zone, each.then(|| Player((usize::from(place.0) / zones) as u8)))
}

impl Board {
    /// An empty board for `cards` cards.
    #[must_use]
    pub fn new(program: &Program, cards: usize) -> Self {
        let mut board = Board::default();
        board.reset(program, cards);
        board
    }

    /// Writes a state of a player, or of a card that is still in the meant life. `false` if there is none.
    pub(crate) fn write_state(&mut self, program: &Program, subject: Value, state: StateId, value: Value) -> bool {
        let Some(def) = program.states.get(state) else { return false };
        let states = program.states.len();
        self.versions.touch_state(state.index());
        if let (Value::Player(player), true) = (subject, def.on_players) {
            let slot = self.player_states.get_mut(usize::from(player.0) * states + state.index());
            return slot.map(|slot| *slot = value).is_some();
        }
        let id = match subject {
            Value::Object { id, .. } | Value::Ability { of: id, .. } => Some(id),
            Value::Zone(place) => self.cards(place).last().copied(),
            _ => None,
        };
        let Some((id, object)) = id.and_then(|id| Some((id, *self.object(id)?))) else { return false };
        if def.on_players || !subject.lives(object.life) {
            return false;
        }
        let Some(slot) = self.card_states.get_mut(usize::from(id.0) * states + state.index()) else { return false };
        *slot = value;
        self.untouched.touch(id);
        true
    }

    /// Makes this the empty board for `cards` cards. The allocated memory is kept.
    pub fn reset(&mut self, program: &Program, cards: usize) {
        self.versions.touch_all();
        let places = program.zones.len() * usize::from(program.players);
        self.objects.clear();
        self.extras.clear();
        self.deciders.clear();
        self.memory.clear();
        self.overseen.clear();
        self.held.clear();
        self.revealed.clear();
        self.shown_while.clear();
        self.batches = 0;
        self.zones.clear();
        let mut start = 0;
        for place in 0..places {
            let (zone, _) = zone_of(program, Place(place as u16));
            let room = program.zones.get(zone).and_then(|zone| zone.capacity).map_or(cards, |most| usize::from(most).min(cards));
            self.zones.push(Span { start, len: 0, room: room as u16 });
            start += room as u32;
        }
        self.slab.clear();
        self.slab.resize(start as usize, ObjectId(0));
        self.card_states.clear();
        self.untouched.forget();
        self.player_states.clear();
        for _ in 0..program.players {
            self.player_states.extend(program.states.rows().iter().map(|state| state.initial));
        }
        self.known.clear();
        self.rule_truth.clear();
        self.rule_truth.resize(program.rules.len() * usize::from(program.players), false);
        self.turn = 0;
        self.phase = None;
    }

    /// Adds a card on top of a place, and gives its number. `None` if the place is full.
    pub fn add(&mut self, program: &Program, card: CardId, owner: Player, place: Place, face_up: bool) -> Option<ObjectId> {
        self.versions.touch_lying();
        self.versions.touch_states();
        let id = ObjectId(self.objects.len() as u16);
        self.objects.push(Object { card, owner, face_up, shown: 0, place, life: 0 });
        self.card_states.extend(program.states.rows().iter().map(|state| state.initial));
        self.untouched.note(id);
        if program.extras {
            self.extras.push(Extra::new(card));
        }
        if self.put(id, place, End::Top) {
            Some(id)
        } else {
            self.objects.pop();
            self.extras.truncate(self.objects.len());
            self.card_states.truncate(self.objects.len() * program.states.len());
            None
        }
    }

    /// The cards of a place, bottom first.
    #[must_use]
    #[inline]
    pub fn cards(&self, place: Place) -> &[ObjectId] {
        readings::note_place(place);
        let Some(span) = self.zones.unnoted().get(usize::from(place.0)) else { return &[] };
        listed(&self.slab, span.start, span.len)
    }

    /// The number of cards in a place.
    #[must_use]
    #[inline]
    pub fn count(&self, place: Place) -> u16 {
        self.zones.get(usize::from(place.0)).map_or(0, |span| span.len)
    }

    /// The top or bottom card of a place.
    #[must_use]
    #[inline]
    pub fn end(&self, top: bool, place: Place) -> Option<ObjectId> {
        readings::note_place(place);
        let span = self.zones.unnoted().get(usize::from(place.0)).filter(|span| span.len > 0)?;
        let at = if top { span.start + u32::from(span.len) - 1 } else { span.start };
        self.slab.get(at as usize).copied()
    }

    /// The cards of a place, for changing their order.
    pub(crate) fn cards_mut(&mut self, place: Place) -> &mut [ObjectId] {
        readings::note_place(place);
        self.versions.touch_place(place);
        let Some(span) = self.zones.unnoted().get(usize::from(place.0)) else { return &mut [] };
        self.slab.get_mut(span.start as usize..span.start as usize + usize::from(span.len)).unwrap_or(&mut [])
    }

    /// Adds the cards of a place to a list, bottom first.
    #[inline]
    pub(crate) fn add_references(&self, place: Place, list: &mut Vec<Value>) {
        // A plain loop is used, because most places have few cards, and an iterator of known length costs more for these.
        for id in self.cards(place) {
            list.push(self.reference(*id));
        }
    }

    /// The card.
    #[must_use]
    #[inline]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(usize::from(id.0))
    }

    /// The player under whose control a card lies: its owner, unless a move has said otherwise. Also the number of the first effect that
    /// may change this.
    #[must_use]
    #[inline]
    pub fn lies_under(&self, id: ObjectId, owner: Player) -> (Player, u32) {
        if self.held.is_empty() {
            return (owner, 0);
        }
        self.held.iter().find(|(of, ..)| *of == id).map_or((owner, 0), |(_, by, since)| (*by, *since))
    }

    /// Sets the player under whose control a card lies. Effects before number `since` no longer count (0: there are no such effects).
    pub(crate) fn lay_under(&mut self, id: ObjectId, by: Option<Player>, since: u32) {
        self.versions.touch_sight();
        self.held.retain(|(of, ..)| *of != id);
        let owner = self.object(id).map(|object| object.owner);
        if let Some(by) = by.filter(|by| Some(*by) != owner || since > 0) {
            self.held.push((id, by, since));
            self.held.sort_unstable();
        }
    }

    /// A reference to a card's present life.
    #[must_use]
    #[inline]
    pub fn reference(&self, id: ObjectId) -> Value {
        Value::Object { id, life: self.object(id).map_or(0, |object| object.life) }
    }

    /// Whether a place has room for one more card.
    #[must_use]
    #[inline]
    pub fn has_room(&self, place: Place) -> bool {
        self.zones.get(usize::from(place.0)).is_some_and(|span| span.len < span.room)
    }

    /// Takes a card out of its place, and gives its index there. The card lies nowhere until it is put somewhere.
    #[inline]
    pub fn take(&mut self, id: ObjectId) -> Option<usize> {
        let object = self.objects.get(usize::from(id.0))?;
        readings::note_place(object.place);
        self.versions.touch_place(object.place);
        let span = self.zones.unnoted_mut().get_mut(usize::from(object.place.0))?;
        let (start, len) = (span.start as usize, usize::from(span.len));
        let cards = self.slab.get_mut(start..start + len)?;
        let at = cards.iter().rposition(|other| other.0 == id.0)?;
        if at + 1 < len {
            cards.copy_within(at + 1.., at);
        }
        if let Some(last) = cards.last_mut() {
            *last = ObjectId(0);
        }
        span.len -= 1;
        Some(at)
    }

    /// Takes cards out of the place in which all of them lie, if they are named in the order in which they lie and none has become a new
    /// object. Gives the place. Otherwise takes nothing.
    pub(crate) fn take_row(&mut self, row: &[Value]) -> Option<Place> {
        let Value::Object { id, .. } = row.first()? else { return None };
        let place = self.object(*id)?.place;
        let mut named = row.iter();
        let mut next = named.next();
        for id in self.cards(place) {
            if matches!(next, Some(Value::Object { id: of, life }) if of.0 == id.0 && self.object(*id)?.life == *life) {
                next = named.next();
            }
        }
        if next.is_some() {
            return None;
        }
        let mut named = row.iter().filter_map(|card| if let Value::Object { id, .. } = card { Some(*id) } else { None }).peekable();
        let cards = self.cards_mut(place);
        let mut left = 0;
        for at in 0..cards.len() {
            if let Some(id) = cards.get(at).copied()
                && named.next_if(|of| of.0 == id.0).is_none()
            {
                cards.swap(left, at);
                left += 1;
            }
        }
        cards.get_mut(left..)?.fill(ObjectId(0));
        self.zones.get_mut(usize::from(place.0))?.len = left as u16;
        Some(place)
    }

    /// Makes these the cards of a place, bottom first. Cards beyond the room of the place are left out.
    pub fn lay(&mut self, place: Place, cards: &[ObjectId]) {
        self.versions.touch_place(place);
        let Some(span) = self.zones.get_mut(usize::from(place.0)) else { return };
        let len = cards.len().min(usize::from(span.room));
        let lies = self.slab.get_mut(span.start as usize..span.start as usize + usize::from(span.room)).unwrap_or(&mut []);
        for (at, slot) in lies.iter_mut().enumerate() {
            *slot = cards.get(at).copied().unwrap_or_default();
        }
        span.len = len as u16;
    }

    /// Takes the top card out of a place.
    #[inline]
    pub fn take_top(&mut self, place: Place) -> Option<ObjectId> {
        readings::note_place(place);
        self.versions.touch_place(place);
        let span = self.zones.unnoted_mut().get_mut(usize::from(place.0))?;
        let last = usize::from(span.len).checked_sub(1)?;
        let slot = self.slab.get_mut(span.start as usize + last)?;
        span.len -= 1;
        Some(std::mem::take(slot))
    }

    /// Puts a card that lies nowhere into a place. `false` if the place is full.
    #[inline]
    pub fn put(&mut self, id: ObjectId, place: Place, end: End) -> bool {
        self.versions.touch_place(place);
        let Some(span) = self.zones.get_mut(usize::from(place.0)) else { return false };
        if span.len >= span.room {
            return false;
        }
        let (start, end_of) = (span.start as usize, span.start as usize + usize::from(span.len));
        let Some(slot) = self.slab.get_mut(end_of) else { return false };
        *slot = id;
        span.len += 1;
        if let (End::Bottom, Some(cards)) = (end, self.slab.get_mut(start..end_of + 1)) {
            cards.rotate_right(1);
        }
        if let Some(object) = self.objects.unnoted_mut().get_mut(usize::from(id.0)) {
            object.place = place;
        }
        true
    }

    /// The player who decides for a player.
    #[must_use]
    #[inline]
    pub fn decider(&self, player: Player) -> Player {
        self.deciders.get(usize::from(player.0)).copied().unwrap_or(player)
    }

    /// Adds an object that is made during the game. It takes the number of an object that no longer exists, if there is one. It lies
    /// nowhere yet. `None` if no more objects can be made.
    pub fn make(&mut self, program: &Program, card: CardId, owner: Player) -> Option<ObjectId> {
        self.versions.touch_all();
        let gone = self.objects.iter().position(|object| object.place == Place::NOWHERE);
        let id = match gone {
            Some(at) => ObjectId(at as u16),
            None if self.objects.len() >= crate::limits::OBJECTS => return None,
            None => {
                let object = Object { card, owner, face_up: false, shown: 0, place: Place::NOWHERE, life: 0 };
                self.objects.push(object);
                self.extras.push(Extra::new(card));
                if !self.memory.is_empty() {
                    self.memory.push(0);
                }
                self.card_states.extend(program.states.rows().iter().map(|state| state.initial));
                ObjectId(self.objects.len() as u16 - 1)
            }
        };
        if let Some(object) = self.objects.get_mut(usize::from(id.0)) {
            (object.card, object.owner, object.shown) = (card, owner, 0);
        }
        if let Some(extra) = self.extras.get_mut(usize::from(id.0)) {
            *extra = Extra { made: true, ..Extra::new(card) };
        }
        self.make_room(program);
        Some(id)
    }

    /// Gives every zone without a capacity room for every object.
    fn make_room(&mut self, program: &Program) {
        self.versions.touch_lying();
        let needed = self.objects.len();
        let bound = |place: usize| program.zones.get(zone_of(program, Place(place as u16)).0).and_then(|zone| zone.capacity);
        let short = (0_usize..)
            .zip(&self.zones)
            .any(|(place, span)| usize::from(span.room) < bound(place).map_or(needed, |most| needed.min(usize::from(most))));
        if !short {
            return;
        }
        let (mut slab, mut zones) = (Vec::new(), Vec::with_capacity(self.zones.len()));
        for (place, span) in self.zones.iter().enumerate() {
            let room = bound(place).map_or(needed * 2, |most| usize::from(most).min(needed * 2)).min(usize::from(u16::MAX));
            let start = slab.len();
            slab.extend_from_slice(self.cards(Place(place as u16)));
            slab.resize(start + room, ObjectId(0));
            zones.push(Span { start: start as u32, len: span.len, room: room as u16 });
        }
        (self.slab, self.zones) = (slab, zones.into());
    }

    /// Lets a player decide for another player from now on. If every player decides alone, nothing is kept.
    pub fn decide(&mut self, players: u8, player: Player, by: Player) {
        self.versions.touch_sight();
        if self.deciders.is_empty() {
            self.deciders.extend((0..players).map(Player));
        }
        if let Some(slot) = self.deciders.get_mut(usize::from(player.0)) {
            *slot = by;
        }
        if (0_u8..).zip(self.deciders.iter()).all(|(player, by)| by.0 == player) {
            self.deciders.clear();
        }
    }

    /// Begins new lives of all cards in a place, so that references to them are lost.
    pub fn lose(&mut self, place: Place) {
        self.live(place, |life| life + 1);
    }

    fn live(&mut self, place: Place, next: impl Fn(u32) -> u32) {
        self.versions.touch_place(place);
        for at in 0..self.cards(place).len() {
            let id = self.cards(place).get(at).copied();
            if let Some(object) = id.and_then(|id| self.objects.get_mut(usize::from(id.0))) {
                object.life = next(object.life);
            }
        }
    }

    /// Removes an object that was made during the game. References to it are lost.
    pub(crate) fn unmake(&mut self, id: ObjectId) {
        self.versions.touch_lying();
        self.take(id);
        self.versions.touch_sight();
        self.held.retain(|(of, ..)| *of != id);
        if let Some(object) = self.objects.get_mut(usize::from(id.0)) {
            object.place = Place::NOWHERE;
            object.life += 1;
        }
        if let Some(extra) = self.extras.get_mut(usize::from(id.0)) {
            (extra.host, extra.original) = (Value::Undefined, Value::Undefined);
        }
    }
}

/// An end of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum End {
    #[default]
    Top,
    Bottom,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Board, Object, Span};
    use crate::ids::CardId;
    use crate::value::{ObjectId, Place, Player, Value};

    /// Test: takes these of four cards of one place as one row. Gives whether they were taken, and the remaining cards.
    fn left_without(named: &[u16]) -> (bool, Vec<u16>) {
        let object = Object { card: CardId(0), owner: Player(0), face_up: false, shown: 0, place: Place(0), life: 0 };
        let slab = (0..4).map(ObjectId).chain([ObjectId(0)]).collect();
        let zones = vec![Span { start: 0, len: 4, room: 5 }].into();
        let mut board = Board { objects: vec![object; 4].into(), zones, slab, ..Board::default() };
        let row: Vec<Value> = named.iter().map(|id| Value::Object { id: ObjectId(*id), life: 0 }).collect();
        let taken = board.take_row(&row).is_some();
        let cards: Vec<u16> = board.cards(Place(0)).iter().map(|id| id.0).collect();
        assert!(board.slab.iter().skip(cards.len()).all(|id| *id == ObjectId(0)), "unused room is clean");
        (taken, cards)
    }

    #[test]
    fn cards_named_as_they_lie_leave_in_one_row() {
        assert_eq!(left_without(&[0, 1, 2, 3]), (true, vec![]));
        assert_eq!(left_without(&[0, 2]), (true, vec![1, 3]));
        assert_eq!(left_without(&[3]), (true, vec![0, 1, 2]));
    }

    #[test]
    fn cards_named_otherwise_stay() {
        assert_eq!(left_without(&[2, 0]), (false, vec![0, 1, 2, 3]));
        assert_eq!(left_without(&[1, 1]), (false, vec![0, 1, 2, 3]));
        assert_eq!(left_without(&[]), (false, vec![0, 1, 2, 3]));
    }
}
