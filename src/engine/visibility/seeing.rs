//! Who sees which card, and who remembers it (docs/kernel/information.md, "Who knows what").

use crate::program::{Program, Seen};
use crate::state::board::{Board, Object, zone_of};
use crate::value::{ObjectId, Place, Player};

impl Board {
    /// Whether `player` may know which card this is. A player who decides for others also sees what they see.
    #[must_use]
    pub fn sees(&self, program: &Program, player: Player, id: ObjectId) -> bool {
        self.object(id).is_some_and(|object| self.sees_as(program, player, (id, object)))
    }

    /// Whether `player` may know which card this is, if the card lies as `object` says: where it lies now, or where it lay at the end of an
    /// earlier life.
    #[must_use]
    pub(crate) fn sees_as(&self, program: &Program, player: Player, card: (ObjectId, &Object)) -> bool {
        let others = (0_u8..).zip(&self.deciders).filter(|(_, by)| **by == player).map(|(other, _)| Player(other));
        self.may_know(program, player, card) || others.into_iter().any(|other| self.may_know(program, other, card))
    }

    /// Whether a player sees which card this is, or remembers it.
    #[must_use]
    pub fn knows(&self, program: &Program, player: Player, id: ObjectId) -> bool {
        let remembers = self.memory.get(usize::from(id.0)).is_some_and(|by| by & (1 << player.0) != 0);
        remembers || self.sees(program, player, id)
    }

    /// The players who see or remember which card this is, one bit each. No player if the game does not note what players remember.
    #[must_use]
    pub(crate) fn knowers(&self, program: &Program, id: ObjectId) -> u8 {
        if self.memory.is_empty() {
            return 0;
        }
        (0..program.players).filter(|player| self.knows(program, Player(*player), id)).fold(0, |all, player| all | 1 << player)
    }

    /// Notes the arrival of a card. The players who knew the card remember it, even if it is hidden from them now. Players who did not see
    /// which card left an unordered zone no longer know the other cards there.
    pub(crate) fn remember_arrival(&mut self, program: &Program, id: ObjectId, from: Place, knew: u8) {
        self.versions.touch_sight();
        let seeing =
            (0..program.players).filter(|player| self.sees(program, Player(*player), id)).fold(0_u8, |all, player| all | 1 << player);
        if let Some(slot) = self.memory.get_mut(usize::from(id.0)) {
            *slot = knew | seeing;
        }
        let unsure = !(knew | seeing);
        if program.zones.get(zone_of(program, from).0).is_some_and(|zone| !zone.ordered) {
            self.forget_order(from, unsure);
        }
    }

    /// Notes that these players no longer know which card of a place is which, except for cards that they see.
    pub(crate) fn forget_order(&mut self, place: Place, players: u8) {
        if self.memory.is_empty() {
            return;
        }
        self.versions.touch_sight();
        for id in self.cards(place).to_vec() {
            if let Some(slot) = self.memory.get_mut(usize::from(id.0)) {
                *slot &= !players;
            }
        }
    }

    fn may_know(&self, program: &Program, player: Player, (id, object): (ObjectId, &Object)) -> bool {
        if object.place == Place::NOWHERE {
            return false;
        }
        if object.shown & (1 << player.0) != 0 {
            return true;
        }
        let (zone, whose) = zone_of(program, object.place);
        let Some(zone) = program.zones.get(zone) else { return false };
        match zone.seen {
            Seen::ByAll if !zone.has_faces || object.face_up => true,
            Seen::ByAll => match zone.down {
                Seen::ByAll => true,
                Seen::ByOwner => object.owner == player,
                Seen::ByController => self.overseen.iter().find(|(other, _)| *other == id).map_or(object.owner, |(_, by)| *by) == player,
                Seen::ByNobody => false,
            },
            Seen::ByOwner | Seen::ByController => {
                whose == Some(player) || zone.team_sees && whose.is_some_and(|whose| program.team_of(whose) == program.team_of(player))
            }
            Seen::ByNobody => false,
        }
    }
}
