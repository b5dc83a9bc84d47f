//! Things that only some games put on cards: places within zones, attachments, made objects and copies.

use super::{Board, zone_of};
use crate::engine::ids::CardId;
use crate::engine::program::{NameDef, Program};
use crate::engine::value::{ObjectId, Place, Value};
use serde::{Deserialize, Serialize};

/// What only some games put on cards. A game that has none of it has no rows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Extra {
    /// In which place of its zone it lies: a value of the zone's enum; [`NO_SLOT`]: in none.
    pub slot: u8,
    /// It was made in the game and goes away when it leaves.
    pub made: bool,
    /// Which card it is by itself, whatever it is a copy of.
    pub own: CardId,
    /// The card that it is attached to, in the life that is meant.
    pub host: Value,
    /// What it stands for.
    pub original: Value,
    /// In which batch of moves it came where it is.
    pub arrived: u32,
}

/// No place within a zone.
pub const NO_SLOT: u8 = u8::MAX;

impl Extra {
    /// A card of a deck, in no place, attached to nothing.
    #[must_use]
    pub fn new(own: CardId) -> Self {
        Extra { slot: NO_SLOT, made: false, own, host: Value::Undefined, original: Value::Undefined, arrived: 0 }
    }

    /// Whether it says of a card nothing but when the card came; quick, for most are so.
    #[must_use]
    #[inline]
    pub fn is_plain(&self, own: CardId) -> bool {
        let Extra { slot, made, own: is, host, original, arrived: _ } = *self;
        slot == NO_SLOT && !made && is == own && matches!((host, original), (Value::Undefined, Value::Undefined))
    }

    /// Whether two say the same; quick where cards are attached to nothing and stand for nothing.
    #[must_use]
    #[inline]
    pub fn is_same(&self, other: &Extra) -> bool {
        let Extra { slot, made, own, host, original, arrived } = *other;
        (self.slot, self.made, self.own, self.arrived) == (slot, made, own, arrived)
            && self.host.is_same(host)
            && self.original.is_same(original)
    }
}

impl Board {
    /// What only some games put on a card.
    #[must_use]
    #[inline]
    pub fn extra(&self, id: ObjectId) -> Option<&Extra> {
        self.extras.get(usize::from(id.0))
    }

    /// What only some games put on a card, to change it.
    #[inline]
    pub fn extra_mut(&mut self, id: ObjectId) -> Option<&mut Extra> {
        self.versions.touch_place(self.objects.get(usize::from(id.0)).map_or(Place::NOWHERE, |object| object.place));
        self.extras.get_mut(usize::from(id.0))
    }

    /// The number of the place of its zone in which a card lies; [`NO_SLOT`]: in none.
    #[must_use]
    pub fn slot(&self, id: ObjectId) -> u8 {
        self.extra(id).map_or(NO_SLOT, |extra| extra.slot)
    }

    /// How many cards lie in a place of a zone.
    #[must_use]
    pub fn count_in_slot(&self, place: Place, slot: u8) -> usize {
        self.cards(place).iter().filter(|id| self.slot(**id) == slot).count()
    }

    /// The card that a card is attached to, if that lives.
    #[must_use]
    pub fn host(&self, id: ObjectId) -> Option<ObjectId> {
        let Value::Object { id: host, life } = self.extra(id)?.host else { return None };
        self.object(host).filter(|object| object.life == life).map(|_| host)
    }

    /// The cards that are attached to a card in its present life, those that came first first.
    #[must_use]
    pub fn attached(&self, host: ObjectId) -> Vec<ObjectId> {
        let reference = self.reference(host);
        let all = (0_u16..).zip(&self.extras).filter(|(_, extra)| extra.host == reference);
        let mut all: Vec<(u32, ObjectId)> = all.map(|(id, extra)| (extra.arrived, ObjectId(id))).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, id)| id).collect()
    }

    /// The place of its zone in which a card lies. None: the zone has no places, or the card lies in none of them.
    #[must_use]
    pub fn place_within<'p>(&self, program: &'p Program, id: ObjectId) -> Option<&'p NameDef> {
        let slot = Some(self.slot(id)).filter(|slot| *slot != NO_SLOT)?;
        let zone = program.zones.get(zone_of(program, self.object(id)?.place).0)?;
        program.enums.get(zone.places?)?.values.get(usize::from(slot))
    }
}
