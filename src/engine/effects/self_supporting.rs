//! Granted abilities that support themselves, in a game without layers: their own effects make the condition true under which they are
//! granted, and the first reason has ended. Nobody has these abilities then.
//!
//! In a game with layers no part of an effect sees later parts (see [`crate::effects::layers`]), so this cannot happen.

use crate::effects::layers::Settled;
use crate::ids::{AbilityId, ClauseId};
use crate::program::{ClauseDef, ClauseKind, Program};
use crate::state::{Effects, GrantedAbility, Holds, State};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Where a granted ability comes from: the abilities by whose effects it is granted, innermost first, and the effect with which this chain
/// begins.
#[derive(PartialEq, Eq, Hash)]
struct Descent {
    steps: Vec<(AbilityId, Value, ClauseId)>,
    from: u32,
}

impl State {
    /// Whether an effect that grants abilities reads something that effects of granted abilities change.
    pub(crate) fn feeds_itself(&self, program: &Program) -> bool {
        let effects = &self.effects;
        if effects.granted.is_empty() {
            return false;
        }
        // There may be very many effects of few clauses, so each clause is looked at once.
        let clauses = |granted: bool| {
            let wanted = effects.in_force.iter().filter(|effect| !granted || matches!(effect.holds, Holds::Granted(..)));
            let mut clauses: Vec<ClauseId> = wanted.map(|effect| effect.clause).collect();
            clauses.sort_unstable();
            clauses.dedup();
            clauses
        };
        let granted = clauses(true);
        let all = if granted.is_empty() { Vec::new() } else { clauses(false) };
        let of = |clauses: &'_ [ClauseId]| clauses.iter().filter_map(|clause| program.clauses.get(*clause)).collect::<Vec<_>>();
        let all = of(&all);
        of(&granted).into_iter().any(|by| all.iter().any(|grant| looks_at(grant, by)))
    }

    /// Takes away the granted abilities that nobody gets when granting begins anew without any granted ability.
    pub(crate) fn take_unfounded(&mut self, program: &Program, settled: &mut Settled) {
        let mut bare = self.clone();
        bare.effects.end(program, |effect| matches!(effect.holds, Holds::Granted(..)));
        bare.effects.granted.clear();
        bare.settle_all_grants(program, &mut Settled::default());
        let founded: FxHashSet<Descent> = bare.effects.granted.iter().map(|granted| bare.effects.descent(granted)).collect();
        let all = std::mem::take(&mut self.effects.granted);
        let (kept, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|granted| founded.contains(&self.effects.descent(granted)));
        self.effects.granted = kept;
        if gone.is_empty() {
            return;
        }
        let ended = self.effects.end(program, |effect| {
            let Holds::Granted(ability, by) = effect.holds else { return false };
            gone.iter().any(|granted| granted.by == by && granted.ability == ability && granted.to == effect.source)
        });
        settled.ended.extend(ended);
        self.settle_all_grants(program, settled);
    }
}

impl Effects {
    fn descent(&self, granted: &GrantedAbility) -> Descent {
        let mut steps = vec![(granted.ability, granted.to, ClauseId(u16::MAX))];
        let mut from = granted.by;
        while let Some(effect) = self.get(from) {
            let Holds::Granted(ability, by) = effect.holds else { break };
            steps.push((ability, effect.source, effect.clause));
            from = by;
        }
        Descent { steps, from }
    }
}

/// Whether a clause that grants abilities reads what another clause changes.
fn looks_at(grant: &ClauseDef, by: &ClauseDef) -> bool {
    if !matches!(grant.kind, ClauseKind::Grant { .. }) {
        return false;
    }
    match &by.kind {
        ClauseKind::Modify { changes, .. } => changes.iter().any(|change| grant.reads.fields.contains(&change.field)),
        ClauseKind::Grant { .. } | ClauseKind::Strip { .. } | ClauseKind::Disable(_) => grant.reads.abilities,
        ClauseKind::Control { .. } | ClauseKind::Assume { .. } => true,
        _ => false,
    }
}
