//! Lasting effects that end with the ability that began them (the slot `needs_source` of a kind of ability).
//!
//! These effects are looked at after every change. An effect ends for good when its card has left, or when the card has lost the ability.
//! An ability that has gone already can still be carried out. Effects that it begins then are not bound to it. Effects of static abilities
//! are in `effects`.

use crate::effects::layers::Settled;
use crate::effects::{resolved, works};
use crate::eval::Eval;
use crate::ids::{AbilityId, ClauseId, DurationId, RoutineId};
use crate::program::Program;
use crate::run::Run;
use crate::state::{Branch, Effect, Holds, State};
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// The effect that the next statement of a branch begins.
    pub(crate) fn begun_by(&self, branch: &Branch, clause: ClauseId, duration: DurationId) -> Option<Effect> {
        let frame = branch.frames.last()?;
        let holds = Holds::Lasting(duration);
        let effect = resolved(self.program, self.state, frame, &branch.registers, &branch.lists, clause, holds)?;
        Some(Effect { needs: self.needed_by(branch, effect.source, frame.routine), ..effect })
    }

    /// The ability whose body is this routine, if the card has that ability and the ability's effects end with it.
    fn needed_by(&self, branch: &Branch, source: Value, body: RoutineId) -> Option<AbilityId> {
        let slot = self.program.needs_source?;
        let which = self.state.ability_with(self.program, source, body)?;
        let ability = self.state.ability_on(source, which)?;
        (self.eval(branch).slot_in(ability, slot) == Value::Bool(true)).then_some(which)
    }
}

impl State {
    /// An ability of a card in the life that the card has now.
    fn ability_on(&self, source: Value, ability: AbilityId) -> Option<Value> {
        let Value::Object { id, life } = source else { return None };
        self.board.object(id).filter(|object| object.life == life)?;
        Some(Value::Ability { of: id, ability, life: life as u16 })
    }

    /// The ability with that body, among the abilities that a card has.
    fn ability_with(&self, program: &Program, source: Value, body: RoutineId) -> Option<AbilityId> {
        let Value::Object { id, .. } = source else { return None };
        let (first, many) = program.cards.get(self.board.object(id)?.card)?.abilities;
        let granted = self.effects.granted.iter().filter(|granted| granted.to == source).map(|granted| granted.ability);
        let is_body = |ability: &AbilityId| {
            let Some(def) = program.abilities.get(*ability) else { return false };
            let mut clauses = def.clauses.iter().filter_map(|clause| program.clauses.get(*clause));
            def.body == Some(body) || clauses.any(|clause| clause.kind.body() == Some(body))
        };
        (first.0..first.0 + many).map(AbilityId).chain(granted).find(is_body)
    }

    /// Ends the effects that have lost the ability that they need.
    pub(crate) fn end_without_source(&mut self, program: &Program, settled: &mut Settled) {
        let lost = self.effects.in_force.iter().filter(|effect| self.has_lost_its_source(program, effect));
        let lost: Vec<u32> = lost.map(|effect| effect.number).collect();
        if lost.is_empty() {
            return;
        }
        settled.ended.extend(self.effects.end(program, |effect| lost.contains(&effect.number)));
        let after = self.settle(program, crate::bits::Spots::ALL);
        settled.begun.extend(after.begun);
        settled.ended.extend(after.ended);
        settled.looked += after.looked;
    }

    fn has_lost_its_source(&self, program: &Program, effect: &Effect) -> bool {
        let Some(needed) = effect.needs else { return false };
        let (Some(ability), Value::Object { id, .. }) = (self.ability_on(effect.source, needed), effect.source) else { return true };
        let Some(object) = self.board.object(id) else { return true };
        let granted = || self.effects.granted.iter().any(|granted| granted.to == effect.source && granted.ability == needed);
        let there = crate::eval::fields::is_printed(program, self, ability) || granted();
        let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
        !there || !works(program, object, needed) || eval.disabled_by(ability).is_some()
    }
}
