//! Changes that a shield keeps off because of their result: `shield X from effects lowering F` (docs/kernel/effects.md).
//!
//! Each change is compared with the value before it: the value after all changes that apply earlier, without those that were kept off. So
//! one change that is kept off can decide about the later ones. Shields from whole effects are in `suppose`.

use crate::eval::Eval;
use crate::eval::changes::{Changes, Origin, defines, stay_beside_a_set};
use crate::ids::FieldId;
use crate::program::{ChangeKind, ClauseDef, ClauseKind, Way};
use crate::state::Effect;
use crate::value::Value;

/// The changes of a field of a card, and the effects that are kept off, each with its shield.
#[derive(Default)]
struct Weighing {
    changes: Changes,
    origins: Vec<Origin>,
    kept_off: Vec<(u32, u32)>,
}

impl<'a> Eval<'a> {
    /// Whether some shield in force may depend on the results of changes of the field.
    #[inline]
    pub(super) fn is_weighed(&self, field: FieldId) -> bool {
        self.state.effects.shielding > 0 && self.program.fields.get(field).is_some_and(|field| field.weighed)
    }

    /// The changes of a field of a card, without those that are kept off.
    pub(super) fn weighed_changes(&mut self, card: Value, field: FieldId, printed: Value) -> Changes {
        self.weigh(card, field, printed).changes
    }

    /// The effects whose changes of a field are kept off a card because of the result, each with its shield.
    pub(crate) fn kept_from_turning(&mut self, card: Value, field: FieldId) -> Vec<(u32, u32)> {
        let plain = self.object(card).filter(|_| self.is_weighed(field)).map(|(_, object)| self.plain(&object, field));
        plain.map_or_else(Vec::new, |printed| self.weigh(card, field, printed).kept_off)
    }

    /// Whether all changes of a card by an effect are kept off.
    pub(super) fn does_nothing(&mut self, card: Value, effect: &Effect, clause: &ClauseDef) -> bool {
        let ClauseKind::Modify { changes, .. } = &clause.kind else { return false };
        if !changes.iter().all(|change| self.is_weighed(change.field)) {
            return false;
        }
        changes.iter().all(|change| self.kept_from_turning(card, change.field).iter().any(|(by, _)| *by == effect.number))
    }

    fn weigh(&mut self, card: Value, field: FieldId, printed: Value) -> Weighing {
        let mut found = Weighing::default();
        found.changes = self.changes(card, field, Some(&mut found.origins));
        // Changes of the printed value come before all others.
        let mut order: Vec<usize> = (0..found.changes.len()).collect();
        order.sort_by_key(|at| found.changes.get(*at).is_some_and(|(kind, _)| !kind.is_of_printed()));
        found.changes = order.iter().filter_map(|at| found.changes.get(*at).copied()).collect();
        found.origins = order.iter().filter_map(|at| found.origins.get(*at).copied()).collect();
        // Each round removes one effect, so there are at most as many rounds as effects.
        while let Some((effect, shield)) = self.first_kept_off(card, field, printed, &found) {
            found.kept_off.push((effect, shield));
            let own = self.state.effects.get(effect);
            let goes = |kind: ChangeKind, origin: &Origin| origin.effect == effect && !own.is_some_and(|own| defines(own, kind, card));
            let mut gone =
                found.changes.iter().zip(&found.origins).map(|((kind, _), origin)| goes(*kind, origin)).collect::<Vec<_>>().into_iter();
            let mut gone_too = gone.clone();
            found.changes.retain(|_| !gone.next().unwrap_or(false));
            found.origins.retain(|_| !gone_too.next().unwrap_or(false));
        }
        let stays = self.undated(&found);
        found.changes = found.changes.iter().zip(stays).filter(|(_, stays)| *stays).map(|(change, _)| *change).collect();
        found
    }

    /// For each change, whether it counts although a younger change sets the value.
    fn undated(&self, found: &Weighing) -> Vec<bool> {
        if self.program.layers.is_empty() || !self.program.policies.set_is_over_older {
            return vec![true; found.changes.len()];
        }
        let kinds: Vec<ChangeKind> = found.changes.iter().map(|(kind, _)| *kind).collect();
        let ages: Vec<_> = found.origins.iter().map(|origin| origin.age).collect();
        stay_beside_a_set(&kinds, &ages)
    }

    /// The first effect that is kept off, with its shield. All changes by one effect at one place count as one step.
    fn first_kept_off(&mut self, card: Value, field: FieldId, printed: Value, found: &Weighing) -> Option<(u32, u32)> {
        let all = found.changes.iter().copied().zip(found.origins.iter().copied()).zip(self.undated(found));
        let steps: Vec<((ChangeKind, Value), Origin)> = all.filter(|(_, stays)| *stays).map(|(step, _)| step).collect();
        let mut before = printed;
        let mut done = Vec::with_capacity(steps.len());
        for step in steps.chunk_by(|(_, one), (_, other)| one.effect == other.effect) {
            done.extend(step.iter().map(|(change, _)| *change));
            self.state.effects.asked.work.add(4 * done.len());
            let (after, _) = self.carried_out(field, printed, &done, true);
            let way = match (before, after) {
                (Value::Number(before), Value::Number(after)) if after < before => Some(Way::Down),
                (Value::Number(before), Value::Number(after)) if after > before => Some(Way::Up),
                _ => None,
            };
            before = after;
            let (Some(way), Some((_, origin))) = (way, step.first()) else { continue };
            let Some(effect) = self.state.effects.get(origin.effect) else { continue };
            if step.iter().all(|((kind, _), _)| defines(effect, *kind, card)) {
                continue;
            }
            if let Some(shield) = self.turning_shield(card, effect, *origin, (field, way)) {
                return Some((origin.effect, shield));
            }
        }
        None
    }

    /// The shield that keeps a change off a card. The shield is checked in the state in which the change applies.
    fn turning_shield(&mut self, card: Value, effect: &Effect, origin: Origin, turning: (FieldId, Way)) -> Option<u32> {
        let Some(place) = origin.place else { return self.shielded_from_turning(card, effect, turning) };
        let mut there = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
        there.carry_on(self);
        there.upto = place;
        if there.too_deep() {
            return None;
        }
        let shield = there.shielded_from_turning(card, effect, turning);
        self.read(there.reads.get());
        self.overflow |= there.overflow;
        self.peeked |= there.peeked;
        shield
    }
}
