//! Finds bonuses that a value lacks because a card lies face down: static abilities that would change the value if their card lay face up.

use super::{Answer, Fact, rules_of_ability};
use crate::effects::{of_ability, works};
use crate::eval::Eval;
use crate::ids::{AbilityId, FieldId};
use crate::program::{ClauseKind, Principle};
use crate::state::Holds;
use crate::state::board::zone_of;
use crate::value::{ObjectId, Place, Value};

impl Eval<'_> {
    /// Adds the static abilities of cards that lie face down and would change a field of this card.
    pub(super) fn part_asleep(&mut self, (card, field): (Value, FieldId), depth: u8, answer: &mut Answer) {
        let (program, state) = (self.program, self.state);
        for (id, object) in (0..).map(ObjectId).zip(&state.board.objects).filter(|(_, object)| !object.face_up) {
            let Some(zone) = program.zones.get(zone_of(program, object.place).0).filter(|_| object.place != Place::NOWHERE) else {
                continue;
            };
            let Some(printed) = program.cards.get(object.card).map(|card| card.abilities) else { continue };
            let here = zone_of(program, object.place).0;
            let asleep = (0..printed.1).map(|index| AbilityId(printed.0.0 + index)).filter(|ability| {
                let def = program.abilities.get(*ability);
                def.is_some_and(|def| def.zones_on(program.types_of(object.card)).has(here)) && !works(program, object, *ability)
            });
            for ability in asleep {
                if self.would_change((state.board.reference(id), ability), (card, field)) {
                    let principle = program.principle(Principle::Invalid);
                    let cites = rules_of_ability(program, ability).into_iter().chain([zone.idle_cites, principle]);
                    answer.say(depth, Fact::Asleep(state.board.reference(id)), cites);
                }
            }
        }
    }

    /// Whether a static ability would change a field of a card if it worked.
    fn would_change(&self, (source, ability): (Value, AbilityId), (card, field): (Value, FieldId)) -> bool {
        let (program, state) = (self.program, self.state);
        let Some(def) = program.abilities.get(ability) else { return false };
        let Some((id, _)) = self.object(source) else { return false };
        let changes = |clause: &crate::ids::ClauseId| {
            let modifies = program.clauses.get(*clause).is_some_and(|clause| match &clause.kind {
                ClauseKind::Modify { changes, .. } => changes.iter().any(|change| change.field == field),
                _ => false,
            });
            let you = state.board.object(id).map(|object| object.owner).unwrap_or_default();
            // No effect in force has this number.
            let effect = crate::state::Effect { number: u32::MAX, ..of_ability(*clause, source, you, Holds::Static(ability)) };
            let mut eval = Eval::new(program, state, &[], &[], you, source);
            eval.watcher = self.watcher;
            modifies && !eval.changes_by(&effect, field, card).is_empty() && !eval.peeked
        };
        def.clauses.iter().any(changes)
    }
}
