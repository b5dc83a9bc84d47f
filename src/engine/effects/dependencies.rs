//! Finds which parts of a layer depend on which others. A part that depends on another part is applied after it.
//!
//! The things that a clause reads are known before a game ([`crate::program::ClauseReads`]), so most pairs are never looked at. For
//! the other pairs the result of one part is computed twice: alone, and with the other part applied first. `layers` decides when a layer is
//! computed anew.

use crate::bits::Spots;
use crate::effects::layers::same;
use crate::eval::Eval;
use crate::eval::fields::ability_of;
use crate::program::{ClauseDef, ClauseKind, Program};
use crate::state::{Circle, Effects, Extent, ExtentCache, Holds, Part, State};
use crate::value::{Player, Value};
use std::sync::Arc;

/// The greatest number of parts of a layer among which chains of dependencies are looked for.
const MOST_IN_CHAINS: usize = 16;

/// A part by its effect and its change ([`Part::id`]).
type PartName = (u32, u16);

/// Known facts about the parts of a layer that still have to be laid. Both lists have the order of these parts.
#[derive(Clone)]
struct Alone {
    /// For each part: its extent if the part came next, and how it was found. `None`: not looked at yet.
    next: Vec<Option<(Arc<Extent>, ExtentCache)>>,
    /// For each part: what was read to find out on which parts it depends.
    read: Vec<Spots>,
}

impl State {
    /// Whether the extent or the place of a part depends on the places of other parts of its layer.
    pub(crate) fn is_meshed(&self, program: &Program, part: &Part, layer: &[Part]) -> bool {
        let Some(clause) = self.effects.clause(program, part) else { return false };
        let looks = |other: &Part| !other.is(part) && self.could_change(program, part, clause, other);
        self.granting(program, part, layer).is_some() || clause.reads.entangled && layer.iter().any(looks)
    }

    /// Lays a layer anew. A part comes after the parts of the layer that it depends on; otherwise the older part comes first.
    pub(crate) fn lay_layer(&mut self, program: &Program, mut segment: Vec<Part>, looked: &mut u32) {
        let mut waits_for: Vec<Option<PartName>> = vec![None; segment.len()];
        let mut alone = Alone { next: vec![None; segment.len()], read: vec![Spots::NONE; segment.len()] };
        let chains = self.needs_in_chains(program, &segment, &mut alone, looked);
        while !segment.is_empty() {
            let mut free = None;
            for at in 0..segment.len() {
                let Some(slot) = waits_for.get_mut(at).filter(|slot| slot.is_none()) else { continue };
                let needed = self.first_needed(program, &segment, at, &mut alone, looked);
                let Some(other) = needed.or_else(|| needed_in_a_chain(&segment, at, &chains)) else {
                    free = Some(at);
                    break;
                };
                *slot = segment.get(other).map(Part::id);
            }
            let held = |at: usize| segment.get(at).is_some_and(|part| self.granting(program, part, &segment).is_some());
            let at = free.unwrap_or_else(|| oldest_in_a_circle(&segment, &waits_for, held));
            if free.is_none() {
                self.effects.note_circle(&segment, &waits_for, at);
            }
            let mut part = segment.remove(at);
            waits_for.remove(at);
            let (next, read) = (alone.next.remove(at), alone.read.remove(at));
            if let Some((extent, found)) = next {
                (part.extent, part.found) = (Some(extent), found);
            }
            let laid = part.id();
            waits_for.iter_mut().filter(|waits| **waits == Some(laid)).for_each(|waits| *waits = None);
            self.lay(program, part, looked);
            self.forget_what_changes(program, &segment, &mut alone);
            let extent = self.effects.order.last_mut().and_then(|part| part.extent.as_mut());
            if let Some(extent) = extent.filter(|extent| extent.reads | read != extent.reads) {
                Arc::make_mut(extent).reads |= read;
            }
            self.effects.looks |= read;
        }
    }

    /// Finds dependencies that only come about when other parts of the layer have been applied. Example: the oldest part applies to what the
    /// middle part makes, and the middle part applies to what the youngest part makes. Only with the youngest part applied does the oldest
    /// part depend on the middle one. So parts on which others depend are applied for a trial. Gives each dependent part with the part on
    /// which it depends.
    fn needs_in_chains(&mut self, program: &Program, segment: &[Part], alone: &mut Alone, looked: &mut u32) -> Vec<(PartName, PartName)> {
        let mut needs = Vec::new();
        if segment.len() > MOST_IN_CHAINS || segment.len() < 3 || program.policies.layers_by_age {
            return needs;
        }
        let here = self.effects.order.len();
        let waits = |state: &mut State, rest: &[Part], alone: &mut Alone, looked: &mut u32| -> Vec<Option<usize>> {
            (0..rest.len()).map(|at| state.first_needed(program, rest, at, alone, looked)).collect()
        };
        let mut waiting = waits(self, segment, alone, looked);
        if waiting.iter().all(Option::is_none) {
            return needs;
        }
        let (mut rest, mut trial) = (segment.to_vec(), alone.clone());
        let mut reads = Spots::NONE;
        // A part that waits for nothing, while another part waits for it, is applied next.
        while let Some(next) = (0..rest.len()).find(|at| waiting.get(*at) == Some(&None) && waiting.contains(&Some(*at))) {
            let part = rest.remove(next);
            trial.next.remove(next);
            reads |= trial.read.remove(next);
            self.lay(program, part, looked);
            self.forget_what_changes(program, &rest, &mut trial);
            waiting = waits(self, &rest, &mut trial, looked);
            let named = |(part, other): (&Part, &Option<usize>)| Some((part.id(), rest.get((*other)?)?.id()));
            needs.extend(rest.iter().zip(&waiting).filter_map(named));
        }
        self.effects.order.truncate(here);
        // A change of something that the trial has read can change the order of the layer.
        reads |= trial.read.iter().copied().collect();
        alone.read.iter_mut().for_each(|read| *read |= reads);
        needs
    }

    /// The first part in the rest of the layer on which this part depends. A part depends on another one if, with the other one applied
    /// first, it applies to other things or does something else.
    fn first_needed(&mut self, program: &Program, segment: &[Part], at: usize, alone: &mut Alone, looked: &mut u32) -> Option<usize> {
        let part = segment.get(at)?;
        let clause = self.effects.clause(program, part)?;
        // If this layer grants the ability of the part, the part comes after the grant. So no grant is its own reason.
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
            let (extent, found) = self.applies_next(program, segment, at, alone, looked)?;
            let first = self.applies_next(program, segment, index, alone, looked)?;
            if let Some(read) = alone.read.get_mut(at) {
                *read |= extent.reads;
            }
            if self.only_adds_to(program, (clause, &extent), (other, &first.0)) {
                continue;
            }
            self.lay(program, Part { extent: Some(first.0), ..other.clone() }, looked);
            let known = Part { found, ..part.clone() };
            let (after, found) = self.look_as(program, &known, here + 1, looked);
            self.effects.order.truncate(here);
            if let Some(Some(next)) = alone.next.get_mut(at) {
                next.1 = found;
            }
            if let Some(read) = alone.read.get_mut(at) {
                *read |= after.reads;
            }
            if !Arc::ptr_eq(&extent, &after) && !same(&extent, &after) {
                return Some(index);
            }
        }
        None
    }

    /// The extent of a part of the layer if it came next.
    fn applies_next(
        &self,
        program: &Program,
        segment: &[Part],
        at: usize,
        alone: &mut Alone,
        looked: &mut u32,
    ) -> Option<(Arc<Extent>, ExtentCache)> {
        let (part, next) = (segment.get(at)?, alone.next.get_mut(at)?);
        if next.is_none() {
            let known = part.extent.clone().map(|extent| (extent, part.found.clone()));
            *next = Some(known.unwrap_or_else(|| self.look_as(program, part, self.effects.order.len(), looked)));
        }
        next.clone()
    }

    /// A part has been laid. Forgets the extents of the parts that read what the laid part changes.
    fn forget_what_changes(&self, program: &Program, segment: &[Part], alone: &mut Alone) {
        let Some(laid) = self.effects.order.last() else { return };
        for (part, next) in segment.iter().zip(&mut alone.next) {
            let (Some((extent, _)), Some(clause)) = (&next, self.effects.clause(program, part)) else { continue };
            let stands = !self.could_change(program, part, clause, laid)
                || laid.extent.as_ref().is_some_and(|first| self.only_adds_to(program, (clause, extent), (laid, first)));
            if !stands {
                *next = None;
            }
        }
    }

    /// Whether a part applies to the same cards with another part applied first. This is so in one case: the other part only adds a member
    /// to sets of cards to which this part applies anyway. No card falls out of this part by such an addition.
    fn only_adds_to(&self, program: &Program, (clause, extent): (&ClauseDef, &Extent), (other, first): (&Part, &Extent)) -> bool {
        let Some(ClauseKind::Modify { changes, .. }) = self.effects.clause(program, other).map(|by| &by.kind) else { return false };
        let adds = changes.get(usize::from(other.change)).is_some_and(|change| clause.reads.rises_with(program, change));
        adds && extent.covers(first)
    }

    /// The part of a layer that grants the ability to which a part belongs.
    fn granting(&self, program: &Program, part: &Part, layer: &[Part]) -> Option<usize> {
        let Some(Holds::Granted(_, by)) = self.effects.get(part.effect).map(|effect| effect.holds) else { return None };
        layer.iter().position(|other| other.effect == by && self.grants_abilities(program, other))
    }

    fn grants_abilities(&self, program: &Program, part: &Part) -> bool {
        self.effects.clause(program, part).is_some_and(|clause| matches!(clause.kind, ClauseKind::Grant { .. }))
    }

    /// Whether a part reads at all what another part changes.
    pub(crate) fn could_change(&self, program: &Program, part: &Part, clause: &ClauseDef, other: &Part) -> bool {
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

impl Effects {
    /// Notes a circle of parts, each of which waits for the next. The part at `at` goes first.
    fn note_circle(&mut self, segment: &[Part], waits_for: &[Option<PartName>], at: usize) {
        let Some(first) = segment.get(at) else { return };
        let mut others = Vec::new();
        let mut next = waits_for.get(at).copied().flatten();
        while let Some((effect, _)) = next.filter(|name| *name != first.id() && others.len() < segment.len()) {
            others.push(effect);
            let place = segment.iter().position(|part| Some(part.id()) == next);
            next = place.and_then(|place| waits_for.get(place)).copied().flatten();
        }
        self.circles.note(first.layer, Circle { first: vec![first.effect], others });
    }
}

impl State {
    /// Notes the circles in which a part takes away the ability of an effect that has been applied in the same layer before. The part would
    /// come first if the other effect did not lead to it.
    pub(crate) fn note_late_silences(&mut self, program: &Program, start: usize) {
        if program.policies.layers_by_age || self.effects.stripping + self.effects.disabling == 0 {
            return;
        }
        let laid = self.effects.order.get(start..).unwrap_or(&[]);
        let mut found = Vec::new();
        for (at, part) in laid.iter().enumerate().filter(|(_, part)| self.effects.silences(program, part)) {
            let eval = Eval::new(program, self, &[], &[], Player(0), Value::Undefined);
            for other in laid.iter().take(at).filter(|other| other.effect != part.effect) {
                let applied = other.extent.as_ref().is_some_and(|extent| !extent.members.is_empty());
                let ability = self.effects.get(other.effect).and_then(ability_of);
                let (Some(ability), Some(extent), true) = (ability, &part.extent, applied) else { continue };
                let takes = match self.effects.clause(program, part).map(|clause| &clause.kind) {
                    Some(ClauseKind::Disable(_)) => extent.has(ability),
                    Some(ClauseKind::Strip { what, .. }) => extent.has(eval.card_bearing(ability)) && eval.is_stripped(what, ability),
                    _ => false,
                };
                if takes && !self.effects.circles.has(part.layer, part.effect, other.effect) {
                    found.push((part.layer, Circle { first: vec![other.effect], others: vec![part.effect] }));
                }
            }
        }
        found.into_iter().for_each(|(layer, circle)| self.effects.circles.note(layer, circle));
    }
}

/// The remaining part on which a part depends by a chain of dependencies.
fn needed_in_a_chain(segment: &[Part], at: usize, chains: &[(PartName, PartName)]) -> Option<usize> {
    let part = segment.get(at)?.id();
    let needed = chains.iter().filter(|(dependent, _)| *dependent == part).map(|(_, needed)| *needed);
    needed.filter_map(|needed| segment.iter().position(|other| other.id() == needed)).next()
}

/// Every remaining part waits for another remaining part. Gives the oldest part that waits, perhaps through others, for itself. `held`:
/// whether another remaining part has still to grant the ability of a part. A held part goes first only if all parts of circles are held.
fn oldest_in_a_circle(segment: &[Part], waits_for: &[Option<PartName>], held: impl Fn(usize) -> bool) -> usize {
    let next = |at: usize| {
        let wanted = waits_for.get(at).copied().flatten()?;
        segment.iter().position(|part| part.id() == wanted)
    };
    let comes_round = |start: &usize| {
        let mut at = next(*start);
        for _ in 0..segment.len() {
            if at == Some(*start) {
                return true;
            }
            at = at.and_then(next);
        }
        false
    };
    let mut circles = (0..segment.len()).filter(comes_round);
    let first = circles.next().unwrap_or(0);
    if held(first) { circles.find(|at| !held(*at)).unwrap_or(first) } else { first }
}
