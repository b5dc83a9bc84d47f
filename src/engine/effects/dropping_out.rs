//! Cards that drop out of the sets of effects for good (`policy effects { sets = locked_falling_out_for_good }`).
//!
//! An effect keeps the set with which it began. After each change, members that no longer fit are taken out of this set. The things to
//! which an effect applies now are found where they are asked for (`applies`, `layers`).

use crate::effects::falls_for_good;
use crate::eval::Eval;
use crate::program::Program;
use crate::state::{Effect, State};
use crate::value::Value;
use std::sync::Arc;

impl State {
    /// Takes targets that do not fit the sets of their effects now out of these effects. `looked`: the extents of some parts have been
    /// computed anew. If not, only things outside of the board can have changed.
    pub(crate) fn fall_out(&mut self, program: &Program, looked: bool) {
        let mut falling = self.effects.in_force.iter().any(|effect| effect.needs.is_some());
        for at in 0..self.effects.in_force.len() {
            let Some(effect) = self.effects.in_force.get(at).filter(|effect| falls_for_good(program, effect)) else { continue };
            falling = true;
            let volatile = self.effects.order.iter().any(|part| part.effect == effect.number && part.volatile);
            if !looked && !volatile && !program.layers.is_empty() {
                continue;
            }
            let Some(left) = self.still_there(program, effect) else { continue };
            if let Some(effect) = self.effects.in_force.get_mut(at).map(Arc::make_mut) {
                effect.targets = Some(left);
            }
        }
        self.effects.falling = falling;
    }

    /// The targets of an effect that fit its set now, read at the place of the effect's first part. None if all targets fit.
    fn still_there(&self, program: &Program, effect: &Effect) -> Option<Vec<Value>> {
        let targets = effect.targets.as_ref()?;
        let what = program.clauses.get(effect.clause)?.kind.applies_to()?;
        let mut eval = Eval::new(program, self, &effect.captures, &effect.lists, effect.you, effect.source);
        if let Some(place) = self.effects.order.iter().position(|part| part.effect == effect.number) {
            eval.upto = place as u32;
        }
        if !eval.enter(effect.number) {
            return None;
        }
        let left: Vec<Value> = targets.iter().copied().filter(|target| eval.contains(what, *target)).collect();
        (left.len() < targets.len()).then_some(left)
    }
}
