//! The board: cards and the zones they lie in, as dense columns; what is put on cards and players.
//!
//! All zones lie in one slab; index 0 of a zone is its bottom, the last place its top.
//! INVARIANT (slab-clean): the unused room of a zone holds `ObjectId(0)`, so that equal boards are equal as data.

use super::ids::{CardId, Id, PhaseId, ZoneId};
use super::program::{Program, Seen};
use super::value::{ObjectId, Place, Player, Value};
use serde::{Deserialize, Serialize};

/// Where a zone's cards lie in the slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First place in the slab.
    pub start: u32,
    /// How many cards there are.
    pub len: u16,
    /// How many there can be.
    pub room: u16,
}

/// One card in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Object {
    /// Which card of the pool it is.
    pub card: CardId,
    /// Its owner; never changes.
    pub owner: Player,
    /// It lies face up.
    pub face_up: bool,
    /// Players to whom it is shown beyond what its zone shows, a bit each.
    pub shown: u8,
    /// Where it is.
    pub place: Place,
    /// How many lives it has had: a card that becomes a new object begins another.
    pub life: u32,
}

/// Cards, zones, states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Board {
    /// Every card in the game.
    pub objects: Vec<Object>,
    /// Every player's zones, then the shared ones (see [`place_of`]).
    pub zones: Vec<Span>,
    /// The cards of all zones.
    pub slab: Vec<ObjectId>,
    /// Cards × states.
    pub card_states: Vec<Value>,
    /// Players × states.
    pub player_states: Vec<Value>,
    /// For each immediate rule and player: whether its condition was true when last looked at.
    pub rule_truth: Vec<bool>,
    /// The number of the turn, from 1; 0 before the first.
    pub turn: u32,
    /// The phase that runs.
    pub phase: Option<PhaseId>,
}

/// The place of a player's zone; shared zones have the place of player 0.
#[must_use]
#[inline]
pub fn place_of(program: &Program, zone: ZoneId, player: Player) -> Place {
    let row = if program.zones.get(zone).is_some_and(|zone| zone.each_player) { usize::from(player.0) } else { 0 };
    Place((row * program.zones.len() + zone.index()) as u16)
}

/// The declared zone of a place, and whose it is (`None`: shared).
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

    /// Makes this the empty board for `cards` cards, keeping its memory.
    pub fn reset(&mut self, program: &Program, cards: usize) {
        let places = program.zones.len() * usize::from(program.players);
        self.objects.clear();
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
        self.player_states.clear();
        for _ in 0..program.players {
            self.player_states.extend(program.states.rows().iter().map(|state| state.initial));
        }
        self.rule_truth.clear();
        self.rule_truth.resize(program.rules.len() * usize::from(program.players), false);
        self.turn = 0;
        self.phase = None;
    }

    /// Adds a card on top of a place; its number. `None` when the place is full.
    pub fn add(&mut self, program: &Program, card: CardId, owner: Player, place: Place, face_up: bool) -> Option<ObjectId> {
        let id = ObjectId(self.objects.len() as u16);
        self.objects.push(Object { card, owner, face_up, shown: 0, place, life: 0 });
        self.card_states.extend(program.states.rows().iter().map(|state| state.initial));
        if self.put(id, place, End::Top) {
            Some(id)
        } else {
            self.objects.pop();
            self.card_states.truncate(self.objects.len() * program.states.len());
            None
        }
    }

    /// The cards of a place, bottom first.
    #[must_use]
    #[inline]
    pub fn cards(&self, place: Place) -> &[ObjectId] {
        let Some(span) = self.zones.get(usize::from(place.0)) else { return &[] };
        self.slab.get(span.start as usize..span.start as usize + usize::from(span.len)).unwrap_or(&[])
    }

    /// The cards of a place, to put them into another order.
    pub fn cards_mut(&mut self, place: Place) -> &mut [ObjectId] {
        let Some(span) = self.zones.get(usize::from(place.0)) else { return &mut [] };
        self.slab.get_mut(span.start as usize..span.start as usize + usize::from(span.len)).unwrap_or(&mut [])
    }

    /// The card.
    #[must_use]
    #[inline]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(usize::from(id.0))
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

    /// Takes a card out of the place it lies in, and says where in it; it lies nowhere until it is put.
    #[inline]
    pub fn take(&mut self, id: ObjectId) -> Option<usize> {
        let object = self.objects.get(usize::from(id.0))?;
        let span = self.zones.get_mut(usize::from(object.place.0))?;
        let (start, len) = (span.start as usize, usize::from(span.len));
        let cards = self.slab.get_mut(start..start + len)?;
        let at = cards.iter().rposition(|other| *other == id)?;
        cards.copy_within(at + 1.., at);
        if let Some(last) = cards.last_mut() {
            *last = ObjectId(0);
        }
        span.len -= 1;
        Some(at)
    }

    /// Undoes that a card left a place: it lies there again as it was.
    pub fn put_back(&mut self, id: ObjectId, before: Object, at: usize) {
        self.take(id);
        self.put(id, before.place, End::Top);
        if let Some(object) = self.objects.get_mut(usize::from(id.0)) {
            *object = before;
        }
        if let Some(cards) = self.cards_mut(before.place).get_mut(at..) {
            cards.rotate_right(1.min(cards.len()));
        }
    }

    /// Takes the top card out of a place and says which it was.
    #[inline]
    pub fn take_top(&mut self, place: Place) -> Option<ObjectId> {
        let span = self.zones.get_mut(usize::from(place.0))?;
        let last = usize::from(span.len).checked_sub(1)?;
        let slot = self.slab.get_mut(span.start as usize + last)?;
        span.len -= 1;
        Some(std::mem::take(slot))
    }

    /// Puts a card that lies nowhere into a place; `false` when that is full.
    #[inline]
    pub fn put(&mut self, id: ObjectId, place: Place, end: End) -> bool {
        let Some(span) = self.zones.get_mut(usize::from(place.0)) else { return false };
        if span.len >= span.room {
            return false;
        }
        let (start, len) = (span.start as usize, usize::from(span.len));
        let Some(cards) = self.slab.get_mut(start..=start + len) else { return false };
        match end {
            End::Top => {
                if let Some(slot) = cards.last_mut() {
                    *slot = id;
                }
            }
            End::Bottom => {
                cards.copy_within(..len, 1);
                if let Some(slot) = cards.first_mut() {
                    *slot = id;
                }
            }
        }
        span.len += 1;
        if let Some(object) = self.objects.get_mut(usize::from(id.0)) {
            object.place = place;
        }
        true
    }

    /// Whether `player` may know which card this is (docs/kernel.md, "Information").
    #[must_use]
    pub fn sees(&self, program: &Program, player: Player, id: ObjectId) -> bool {
        let Some(object) = self.object(id) else { return false };
        if object.shown & (1 << player.0) != 0 {
            return true;
        }
        let (zone, whose) = zone_of(program, object.place);
        let Some(zone) = program.zones.get(zone) else { return false };
        match zone.seen {
            Seen::ByAll => !zone.has_faces || object.face_up || object.owner == player,
            Seen::ByOwner => whose == Some(player),
            Seen::ByNobody => false,
        }
    }
}

/// Which end of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum End {
    #[default]
    Top,
    Bottom,
}
