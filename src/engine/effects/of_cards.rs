//! Effects of the abilities of cards: they begin where the card comes to work, and end where it goes. The card's states begin anew there.
//!
//! Input: a card that has come, gone, moved or turned. Output: the numbers of the effects that began and ended.

use crate::bits::ZoneSet;
use crate::effects::of_ability;
use crate::ids::{AbilityId, ClauseId, Id, StateId};
use crate::program::{Program, Seen};
use crate::state::board::{Object, zone_of};
use crate::state::{Effect, Holds, State};
use crate::value::{ObjectId, Place, Value};

/// Whether an ability works where its card lies: in one of its zones, and face up where cards have faces.
#[must_use]
pub(crate) fn works(program: &Program, object: &Object, ability: AbilityId) -> bool {
    if object.place == Place::NOWHERE {
        return false;
    }
    let (zone, _) = zone_of(program, object.place);
    let zones = program.abilities.get(ability).map_or(ZoneSet::NONE, |ability| ability.zones_on(program.types_of(object.card)));
    if !zones.has(zone) {
        return false;
    }
    if object.face_up || !program.zones.get(zone).is_some_and(|zone| zone.has_faces) {
        return true;
    }
    // An ability that is declared to work in a hidden zone works face down as well. An ability without declared zones works only where
    // cards lie open.
    !zones.is_all() && program.zones.iter().any(|(zone, def)| def.seen != Seen::ByAll && zones.has(zone))
}

impl State {
    /// Puts in force the clauses of those abilities of a card that work where the card lies.
    pub fn activate(&mut self, program: &Program, id: ObjectId) -> Vec<u32> {
        let Some(object) = self.board.object(id).copied() else { return Vec::new() };
        let Some(card) = program.cards.get(object.card) else { return Vec::new() };
        let source = self.board.reference(id);
        let mut begun = Vec::new();
        for ability in (0..card.abilities.1).map(|index| AbilityId(card.abilities.0.0 + index)) {
            let Some(def) = program.abilities.get(ability).filter(|_| works(program, &object, ability)) else { continue };
            for clause in &def.clauses {
                let effect = of_ability(*clause, source, object.owner, Holds::Static(ability));
                begun.push(self.effects.begin(program, effect));
            }
        }
        begun
    }

    /// A card was moved or turned. Its static effects that do not work any more end. Those that work from now on begin. The others go on.
    /// Gives the numbers of the effects that began, and of those that ended.
    pub(crate) fn renew(&mut self, program: &Program, id: ObjectId) -> (Vec<u32>, Vec<u32>) {
        let Some(object) = self.board.object(id).copied() else { return (Vec::new(), self.deactivate(program, id)) };
        let source = self.board.reference(id);
        let (first, many) = program.cards.get(object.card).map_or((0, 0), |card| (card.abilities.0.0, card.abilities.1));
        let goes_on = |effect: &Effect| match effect.holds {
            Holds::Static(ability) => {
                let printed = (first..first + many).contains(&ability.0);
                effect.source == source && printed && works(program, &object, ability)
            }
            _ => true,
        };
        let of_card =
            |effect: &Effect| matches!(effect.holds, Holds::Static(_)) && matches!(effect.source, Value::Object { id: of, .. } if of == id);
        let ended = self.effects.end(program, |effect| of_card(effect) && !goes_on(effect));
        let on: Vec<ClauseId> = self.effects.in_force.iter().filter(|effect| of_card(effect)).map(|effect| effect.clause).collect();
        let mut begun = Vec::new();
        for ability in (first..first + many).map(AbilityId) {
            let Some(def) = program.abilities.get(ability).filter(|_| works(program, &object, ability)) else { continue };
            for clause in def.clauses.iter().filter(|clause| !on.contains(clause)) {
                let effect = of_ability(*clause, source, object.owner, Holds::Static(ability));
                begun.push(self.effects.begin(program, effect));
            }
        }
        (begun, ended)
    }

    /// The cards that lie in public zones.
    pub(super) fn openly_there(&self, program: &Program) -> Vec<Value> {
        let objects = (0..).map(ObjectId).zip(&self.board.objects);
        let open = objects.filter(|(_, object)| {
            object.place != Place::NOWHERE
                && program.zones.get(zone_of(program, object.place).0).is_some_and(|zone| zone.seen == Seen::ByAll)
        });
        open.map(|(id, _)| self.board.reference(id)).collect()
    }

    /// Ends the static effects of a card.
    pub(crate) fn deactivate(&mut self, program: &Program, id: ObjectId) -> Vec<u32> {
        self.effects.end(program, |effect| {
            matches!(effect.holds, Holds::Static(_)) && matches!(effect.source, Value::Object { id: of, .. } if of == id)
        })
    }

    /// Sets the states of a card to their initial values, except for those that the card keeps.
    pub(crate) fn reset_states_but(&mut self, program: &Program, id: ObjectId, kept: &[StateId]) {
        // Nearly always they have these values already.
        if self.board.untouched.is(id) {
            return;
        }
        let first = usize::from(id.0) * program.states.len();
        for (state, def) in program.states.iter().filter(|(state, _)| !kept.contains(state)) {
            // Whatever the value was, it is the first one now. So no reading is noted.
            let slot = self.board.card_states.unnoted_mut().get_mut(first + state.index());
            if let Some(slot) = slot.filter(|slot| !slot.is_same(def.initial)) {
                *slot = def.initial;
                self.board.versions.touch_state(state.index());
            }
        }
        if kept.is_empty() {
            self.board.untouched.note(id);
        }
    }

    /// Sets the states of a card to their initial values.
    pub(crate) fn reset_states(&mut self, program: &Program, id: ObjectId) {
        self.reset_states_but(program, id, &[]);
    }
}
