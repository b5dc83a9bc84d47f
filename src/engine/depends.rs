//! Which part of a layer depends on which other: what one does is looked at by the other, which therefore is applied after it.
//!
//! What a clause looks at is known before a game ([`super::program::ClauseReads`]); so most pairs are never looked at. Where one may depend on
//! another it is tried: the one alone, and with the other applied first. Deliberately absent: when a layer is laid anew (`layers`).

use super::layers::same;
use super::program::{ClauseDef, ClauseKind, Program};
use super::state::{Extent, Found, Holds, Part, State};
use std::sync::Arc;

impl State {
    /// Whether what a part applies to, or where it stands, hangs on where other parts of its layer stand.
    pub(super) fn is_meshed(&self, program: &Program, part: &Part, layer: &[Part]) -> bool {
        let Some(clause) = self.effects.clause(program, part) else { return false };
        let looks = |other: &Part| !other.is(part) && self.could_change(program, part, clause, other);
        self.granting(program, part, layer).is_some() || clause.reads.entangled && layer.iter().any(looks)
    }

    /// Lays a layer anew: what depends on another part of it after that one, else the older first.
    pub(super) fn lay_layer(&mut self, program: &Program, mut segment: Vec<Part>, looked: &mut u32) {
        let mut waits_for: Vec<Option<(u32, u16)>> = vec![None; segment.len()];
        // What was read to find out what depends on what.
        let mut read: Vec<u64> = vec![0; segment.len()];
        while !segment.is_empty() {
            let mut free = None;
            for at in 0..segment.len() {
                let (Some(slot), Some(read)) = (waits_for.get_mut(at), read.get_mut(at)) else { continue };
                if slot.is_some() {
                    continue;
                }
                let mut alone = None;
                let needed = self.first_needed(program, &segment, at, (&mut alone, read), looked);
                if let (Some((extent, found)), Some(part)) = (alone, segment.get_mut(at)) {
                    part.found = found;
                    // If it comes next: what it applies to alone it applies to there.
                    part.extent = needed.is_none().then_some(extent);
                }
                let Some(other) = needed else {
                    free = Some(at);
                    break;
                };
                *slot = segment.get(other).map(Part::id);
            }
            let at = free.unwrap_or_else(|| oldest_in_a_circle(&segment, &waits_for));
            let part = segment.remove(at);
            waits_for.remove(at);
            let laid = part.id();
            waits_for.iter_mut().filter(|waits| **waits == Some(laid)).for_each(|waits| *waits = None);
            self.lay(program, part, looked);
            let read = read.remove(at);
            let extent = self.effects.order.last_mut().and_then(|part| part.extent.as_mut());
            if let Some(extent) = extent.filter(|extent| extent.reads | read != extent.reads) {
                Arc::make_mut(extent).reads |= read;
            }
            self.effects.looks |= read;
        }
    }

    /// The first part of those left in the layer on which this one depends: if it is applied first, this one applies to other
    /// things or does something else. `alone`: what it applies to if none is, where that had to be looked at.
    fn first_needed(
        &mut self,
        program: &Program,
        segment: &[Part],
        at: usize,
        (alone, read): (&mut Option<(Arc<Extent>, Found)>, &mut u64),
        looked: &mut u32,
    ) -> Option<usize> {
        let part = segment.get(at)?;
        let clause = self.effects.clause(program, part)?;
        // What an ability does that is granted here stands behind what grants it: nothing holds itself up.
        if let Some(granting) = self.granting(program, part, segment) {
            return Some(granting);
        }
        if !clause.reads.entangled || program.policies.layers_by_age {
            return None;
        }
        let here = self.effects.order.len();
        for (index, other) in segment.iter().enumerate() {
            if other.effect == part.effect || !self.could_change(program, part, clause, other) {
                continue;
            }
            let (alone, found) = alone.get_or_insert_with(|| self.look_as(program, part, here, looked));
            self.lay(program, other.clone(), looked);
            let known = Part { found: std::mem::take(found), ..part.clone() };
            let after;
            (after, *found) = self.look_as(program, &known, here + 1, looked);
            self.effects.order.truncate(here);
            *read |= alone.reads | after.reads;
            if !Arc::ptr_eq(alone, &after) && !same(alone, &after) {
                return Some(index);
            }
        }
        None
    }

    /// The part of a layer that grants the ability of which a part is.
    fn granting(&self, program: &Program, part: &Part, layer: &[Part]) -> Option<usize> {
        let Some(Holds::Granted(_, by)) = self.effects.get(part.effect).map(|effect| effect.holds) else { return None };
        layer.iter().position(|other| other.effect == by && self.grants_abilities(program, other))
    }

    fn grants_abilities(&self, program: &Program, part: &Part) -> bool {
        self.effects.clause(program, part).is_some_and(|clause| matches!(clause.kind, ClauseKind::Grant { .. }))
    }

    /// Whether what another part does is looked at by this one at all.
    pub(super) fn could_change(&self, program: &Program, part: &Part, clause: &ClauseDef, other: &Part) -> bool {
        let Some(by) = self.effects.clause(program, other) else { return false };
        let of_ability = || self.effects.get(part.effect).is_some_and(|effect| !matches!(effect.holds, Holds::Lasting(_)));
        match &by.kind {
            ClauseKind::Modify { changes, .. } => {
                changes.get(usize::from(other.change)).is_some_and(|change| clause.reads.looks_at(program, change))
            }
            ClauseKind::Grant { .. } => clause.reads.abilities,
            ClauseKind::Strip { .. } | ClauseKind::Disable(_) => clause.reads.abilities || of_ability(),
            _ => false,
        }
    }
}

/// Everything left waits for something left: the oldest of those that come round to themselves.
fn oldest_in_a_circle(segment: &[Part], waits_for: &[Option<(u32, u16)>]) -> usize {
    let next = |at: usize| {
        let wanted = waits_for.get(at).copied().flatten()?;
        segment.iter().position(|part| part.id() == wanted)
    };
    let circles = (0..segment.len()).find(|start| {
        let mut at = next(*start);
        for _ in 0..segment.len() {
            if at == Some(*start) {
                return true;
            }
            at = at.and_then(next);
        }
        false
    });
    circles.unwrap_or(0)
}
