//! Cards that grant one another abilities which take the granting away, in games with layers. The oldest effect of the circle counts,
//! whichever ability was there before (docs/kernel/effects.md, "Layers").
//!
//! A row of parts that has been laid stays as it is while nothing changes. If grants take one another away, more than one row is stable:
//! one with the ability that the first card grants, and one with the ability that the other card grants. So the grants that are taken away
//! now are put beside the others, and the row is laid again. Then the oldest effect of the circle decides.

use crate::effects::layers::Settled;
use crate::effects::of_ability;
use crate::eval::Eval;
use crate::program::{ClauseKind, Program};
use crate::state::{GrantedAbility, Holds, State};
use crate::value::Value;

impl State {
    /// Settles grants that granted abilities take away, as if all these grants had begun to count together.
    pub(crate) fn settle_contested(&mut self, program: &Program, settled: &mut Settled) {
        if !self.is_contested(program) || self.effects.are_too_many() {
            return;
        }
        let mut other = self.clone();
        let mut told = Settled::default();
        let mut all = other.grants_without_grants(program);
        all.retain(|granted| !self.effects.granted.contains(granted));
        if all.is_empty() {
            return;
        }
        other.begin_granted(program, &all, &mut told);
        other.effects.granted.append(&mut all);
        other.settle_rows(program, &mut told);
        let stays = |granted: &GrantedAbility| other.effects.granted.contains(granted);
        if other.effects.granted.len() == self.effects.granted.len() && self.effects.granted.iter().all(stays) {
            return;
        }
        // Effects that began and ended on the way count as never begun.
        let was = |number: u32| self.effects.get(number).is_some();
        let is = |number: u32| other.effects.get(number).is_some();
        let ended: Vec<u32> = told.ended.iter().copied().filter(|number| was(*number)).collect();
        let begun: Vec<u32> = told.begun.iter().copied().filter(|number| is(*number)).collect();
        let passing: Vec<u32> = told.begun.iter().copied().filter(|number| !is(*number)).collect();
        other.effects.begun.retain(|number| !passing.contains(number));
        other.effects.ended.retain(|effect| !passing.contains(&effect.number));
        settled.looked += told.looked;
        settled.begun.extend(begun);
        settled.ended.extend(ended);
        *self = other;
    }

    /// Whether a granted ability takes away an ability that grants something.
    fn is_contested(&self, program: &Program) -> bool {
        let effects = &self.effects;
        if effects.granted.is_empty() || effects.granting == 0 || effects.stripping + effects.disabling == 0 {
            return false;
        }
        let is_granted = |number: u32| effects.get(number).is_some_and(|effect| matches!(effect.holds, Holds::Granted(..)));
        if !effects.order.iter().any(|part| effects.silences(program, part) && is_granted(part.effect)) {
            return false;
        }
        effects.in_force.iter().any(|effect| {
            let grants = program.clauses.get(effect.clause).is_some_and(|clause| matches!(clause.kind, ClauseKind::Grant { .. }));
            let silencer = || Eval::new(program, self, &[], &[], effect.you, effect.source).silenced(effect);
            grants && silencer().is_some_and(is_granted)
        })
    }

    /// The abilities that would be granted if no granted ability counted.
    fn grants_without_grants(&self, program: &Program) -> Vec<GrantedAbility> {
        let mut bare = self.clone();
        bare.effects.granted.clear();
        bare.effects.end(program, |effect| matches!(effect.holds, Holds::Granted(..)));
        bare.effects.order.iter_mut().for_each(|part| part.extent = None);
        bare.lay_row(program, crate::bits::Spots::NONE, &mut 0);
        bare.grants(program)
    }

    /// Begins the effects of granted abilities that work where their cards lie.
    pub(crate) fn begin_granted(&mut self, program: &Program, granted: &[GrantedAbility], settled: &mut Settled) {
        for granted in granted.iter().filter(|granted| granted.works) {
            let Some(def) = program.abilities.get(granted.ability) else { continue };
            let Value::Object { id, .. } = granted.to else { continue };
            let you = self.board.object(id).map_or_else(Default::default, |object| object.owner);
            if self.effects.are_too_many() {
                return;
            }
            let since = self.board.extra(id).filter(|_| program.policies.granted_as_old_as_card).map(|extra| extra.since);
            for clause in &def.clauses {
                let effect = of_ability(*clause, granted.to, you, Holds::Granted(granted.ability, granted.by));
                settled.begun.push(self.effects.begin_as_old_as(program, effect, since));
            }
        }
    }
}
