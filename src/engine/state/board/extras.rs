//! Things that only some games put on cards: places within zones, attachments, made objects and copies.

use super::{Board, zone_of};
use crate::ids::CardId;
use crate::program::{NameDef, Program};
use crate::state::readings::{self, part};
use crate::value::{ObjectId, Place, Value};
use serde::{Deserialize, Serialize};

/// The properties of a card that only some games use. Other games keep no such rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// The part of its zone in which it lies, as a value of the zone's enum. [`NO_SLOT`]: none.
    pub slot: u8,
    /// Whether the card was made during the game. A made card disappears when it leaves.
    pub made: bool,
    /// The card's own identity, which it keeps while it is a copy of another card.
    pub own: CardId,
    /// The card to which it is attached, in one of its lives.
    pub host: Value,
    /// The thing that the card stands for.
    pub original: Value,
    /// The batch of moves in which it came to its place.
    pub arrived: u32,
    /// The age of the card as an object: static effects that are as old as their card have this timestamp.
    #[serde(default)]
    pub since: u32,
}

/// No part of a zone.
pub const NO_SLOT: u8 = u8::MAX;

impl Extra {
    /// A card of a deck, in no part of a zone, attached to nothing.
    #[must_use]
    pub fn new(own: CardId) -> Self {
        Extra { slot: NO_SLOT, made: false, own, host: Value::Undefined, original: Value::Undefined, arrived: 0, since: 0 }
    }

    /// Whether the row has only its time of arrival. This test is quick, because most rows are so.
    #[must_use]
    #[inline]
    pub fn is_plain(&self, own: CardId) -> bool {
        let Extra { slot, made, own: is, host, original, arrived: _, since: _ } = *self;
        slot == NO_SLOT && !made && is == own && matches!((host, original), (Value::Undefined, Value::Undefined))
    }
}

impl Board {
    /// The row of a card.
    #[must_use]
    #[inline]
    pub fn extra(&self, id: ObjectId) -> Option<&Extra> {
        self.extras.get(usize::from(id.0))
    }

    /// The row of a card, for changing it.
    #[inline]
    pub(crate) fn extra_mut(&mut self, id: ObjectId) -> Option<&mut Extra> {
        self.versions.touch_place(self.objects.get(usize::from(id.0)).map_or(Place::NOWHERE, |object| object.place));
        self.extras.get_mut(usize::from(id.0))
    }

    /// The number of the part of its zone in which a card lies. [`NO_SLOT`]: none.
    #[must_use]
    pub fn slot(&self, id: ObjectId) -> u8 {
        self.extra(id).map_or(NO_SLOT, |extra| extra.slot)
    }

    /// The number of cards in a part of a zone.
    #[must_use]
    pub fn count_in_slot(&self, place: Place, slot: u8) -> usize {
        self.cards(place).iter().filter(|id| self.slot(**id) == slot).count()
    }

    /// The card to which a card is attached, if that card has not become a new object.
    #[must_use]
    pub fn host(&self, id: ObjectId) -> Option<ObjectId> {
        let Value::Object { id: host, life } = self.extra(id)?.host else { return None };
        self.object(host).filter(|object| object.life == life).map(|_| host)
    }

    /// The cards that are attached to a card in its present life, the earliest first.
    #[must_use]
    pub fn attached(&self, host: ObjectId) -> Vec<ObjectId> {
        readings::note_whole(part::HOSTS);
        let bears = self.is_host(host);
        let all = (0_u16..).zip(self.extras.unnoted()).filter(|(_, extra)| bears(extra));
        let mut all: Vec<(u32, ObjectId)> = all.map(|(id, extra)| (extra.arrived, ObjectId(id))).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, id)| id).collect()
    }

    /// The arguments `to` and `from` of the event of a card's move: where the card goes, and where it lies. A zone that redirects cards to their
    /// owners is the owner's zone. `to`: where the card is sent.
    #[must_use]
    pub(crate) fn way_of(&self, program: &Program, id: ObjectId, to: Value) -> (Value, Value) {
        let Some(object) = self.object(id) else { return (to, Value::Undefined) };
        let redirects = |place| program.zones.get(zone_of(program, place).0).is_some_and(|zone| zone.redirects);
        let goal = match to {
            Value::Zone(place) if redirects(place) => Value::Zone(program.place_of_owner(place, object.owner)),
            other => other,
        };
        (goal, Value::Zone(object.place))
    }

    /// Whether something is attached to a card.
    #[must_use]
    pub(crate) fn bears(&self, host: ObjectId) -> bool {
        readings::note_whole(part::HOSTS);
        self.extras.unnoted().iter().any(self.is_host(host))
    }

    /// Finds out whether a card is attached to this host, in the host's present life.
    fn is_host(&self, host: ObjectId) -> impl Fn(&Extra) -> bool {
        let now = self.object(host).map_or(0, |object| object.life);
        move |extra| matches!(extra.host, Value::Object { id, life } if id.0 == host.0 && life == now)
    }

    /// The part of its zone in which a card lies. None: the zone has no parts, or the card lies in none of them.
    #[must_use]
    pub fn place_within<'p>(&self, program: &'p Program, id: ObjectId) -> Option<&'p NameDef> {
        let slot = Some(self.slot(id)).filter(|slot| *slot != NO_SLOT)?;
        let zone = program.zones.get(zone_of(program, self.object(id)?.place).0)?;
        program.enums.get(zone.places?)?.values.get(usize::from(slot))
    }
}
