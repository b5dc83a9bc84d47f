//! Finds the things to which a part of an effect applies, and by how much, in the position that an evaluation reads. The last result is
//! kept; only things that have changed since are looked at again.
//!
//! `layers` decides in which order parts apply, and which of them have to be looked at again.

use crate::effects::leaves_newcomers_out;
use crate::eval::Eval;
use crate::eval::changes::defines;
use crate::eval::fields::rank_of;
use crate::ids::NodeId;
use crate::program::{ClauseDef, ClauseKind, Program, SetPolicy};
use crate::short_ways::{ShortWay, took};
use crate::state::board::Board;
use crate::state::{Effect, Extent, ExtentCache, Holds, KnownExtent, LookedAt, Part, State};
use crate::value::{ObjectId, Value};
use std::sync::Arc;

impl State {
    /// The extent of a part with the first `upto` parts of the row applied, and how it was found. An extent that has not changed since then
    /// is the same `Arc`.
    pub(crate) fn find_extent(&self, program: &Program, part: &Part, upto: usize) -> (Arc<Extent>, ExtentCache) {
        let Some(effect) = self.effects.get(part.effect) else { return Default::default() };
        let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
        eval.upto = upto as u32;
        let Some(before) = self.looked_at_by(program, part, effect, upto) else {
            return (eval.extent(effect, part.change).into(), ExtentCache::default());
        };
        let you = eval.you_of(effect);
        let mut known = part.found.known().iter().filter(|entry| entry.you == you);
        let here = known.clone().find(|entry| entry.stands_behind(&before));
        // Otherwise another remembered position is compared: the comparison says which cards are different.
        let then = here.or_else(|| known.next_back());
        let other = then.map(|then| then.other_cards(&self.board, &before));
        let mut described = None;
        let extent = eval.extent_with(effect, part.change, |inner, what| {
            let before = inner.reads.replace(crate::bits::Spots::NONE);
            let (mut members, reads) = match then.zip(other.as_ref()) {
                // Looking at some cards again reads no more than looking at all of them did. With the earlier reads, a state is the same
                // however it has come about.
                Some((then, other)) => {
                    took(ShortWay::ExtentKept);
                    (inner.members_again(what, then, &other.cards), then.reads)
                }
                None => (inner.members(what), inner.reads.get()),
            };
            inner.reads.set(before | reads);
            members.sort_unstable_by_key(|member| rank_of(*member));
            described = Some((members.clone(), reads));
            inner.with_pinned(effect, members)
        });
        // No members were looked for, because the effect does not apply here. So nothing is remembered.
        let Some((members, reads)) = described else { return (extent.into(), part.found.clone()) };
        debug_assert!(self.is_found(program, part, upto, &extent), "{:?} {extent:?}", program.clauses.get(effect.clause));
        let extent = match then {
            Some(then) if *then.extent == extent => Arc::clone(&then.extent),
            _ => extent.into(),
        };
        let objects = then.zip(other.as_ref()).filter(|(_, other)| other.lie_as_they_did).map(|(then, _)| Arc::clone(&then.objects));
        let again = objects.is_some() && here.is_some_and(|here| here.has_seen(&before) && Arc::ptr_eq(&here.extent, &extent));
        if again {
            return (extent, part.found.clone());
        }
        let objects = objects.unwrap_or_else(|| Arc::new(self.board.objects.unnoted().clone()));
        let lying = self.board.versions.lying;
        let found = part.found.also_in(KnownExtent { you, objects, lying, before, members, reads, extent: Arc::clone(&extent) });
        (extent, found)
    }

    /// Whether an extent equals the one that is found when everything is looked at, and was read from the same things.
    fn is_found(&self, program: &Program, part: &Part, upto: usize, extent: &Extent) -> bool {
        let Some(effect) = self.effects.get(part.effect) else { return false };
        let mut eval = Eval::new(program, self, &[], &[], effect.you, effect.source);
        eval.upto = upto as u32;
        let anew = eval.extent(effect, part.change);
        anew == *extent
    }

    /// The parts before a place of the row that a part reads, each with its extent. None if the set of the part depends on more than these
    /// parts and the cards themselves.
    fn looked_at_by(&self, program: &Program, part: &Part, effect: &Effect, upto: usize) -> Option<LookedAt> {
        let clause = program.clauses.get(effect.clause)?;
        let all = self.effects.withdrawn.binary_search(&effect.number).is_err() && self.effects.shielding == 0;
        let all = all && (self.owners_control(program) || !clause.reads.controllers);
        if !clause.reads.card_alone || effect.targets.is_some() || !all || part.volatile {
            return None;
        }
        let mut looked_at = Vec::new();
        let read = |other: &&Part| other.field.is_some_and(|field| clause.reads.fields.contains(&field));
        for other in self.effects.order.get(..upto)?.iter().filter(read) {
            if self.could_change(program, part, clause, other) {
                looked_at.push((other.id(), other.extent.clone().filter(|_| !other.volatile)?));
            }
        }
        Some(looked_at)
    }
}

/// How a position differs from a remembered one.
struct Other {
    /// For each card whether something about it is different. Empty: nothing is different about any card.
    cards: Vec<bool>,
    /// Whether all cards lie as they did.
    lie_as_they_did: bool,
}

impl KnownExtent {
    /// Finds the cards that are not as they were, and the cards to which the parts before this one do something else.
    fn other_cards(&self, board: &Board, before: &LookedAt) -> Other {
        // The extent is the same as if every card were looked at, and each card that is looked at is noted. So the comparison is not.
        let objects = board.objects.unnoted();
        let mut cards: Vec<bool> = Vec::new();
        let lie_as_they_did = self.lying == board.versions.lying || self.objects.as_slice() == objects.as_slice();
        if !lie_as_they_did {
            cards.extend(objects.iter().zip(self.objects.iter()).map(|(now, then)| now != then));
            cards.resize(objects.len(), true);
        }
        let mut note = |member: Value| {
            if cards.is_empty() {
                cards.resize(objects.len(), false);
            }
            if let Value::Object { id, .. } = member
                && let Some(other) = cards.get_mut(usize::from(id.0))
            {
                *other = true;
            }
        };
        let together = self.before.iter().zip(before).take_while(|(then, now)| then.0 == now.0).count();
        for ((_, then), (_, now)) in self.before.iter().zip(before).take(together).filter(|(then, now)| !Arc::ptr_eq(&then.1, &now.1)) {
            if then.amount != now.amount || then.many != now.many {
                then.members.iter().chain(&now.members).copied().for_each(&mut note);
            } else {
                each_in_one(&then.members, &now.members, &mut note);
            }
        }
        let rest = self.before.iter().skip(together).chain(before.iter().skip(together));
        rest.flat_map(|(_, extent)| &extent.members).copied().for_each(note);
        Other { cards, lie_as_they_did }
    }

    /// Whether the parts before have the very same extents (the same `Arc`).
    fn has_seen(&self, before: &LookedAt) -> bool {
        self.before.iter().zip(before).all(|(then, now)| Arc::ptr_eq(&then.1, &now.1))
    }
}

/// Visits the members that only one of two sorted rows has.
fn each_in_one(one: &[Value], other: &[Value], visit: &mut impl FnMut(Value)) {
    let (mut ones, mut others) = (one.iter().copied().peekable(), other.iter().copied().peekable());
    loop {
        match (ones.peek(), others.peek()) {
            (None, None) => return,
            (Some(a), Some(b)) if a == b => {
                ones.next();
                others.next();
            }
            (Some(a), Some(b)) if rank_of(*a) < rank_of(*b) => ones.next().into_iter().for_each(&mut *visit),
            (Some(_), None) => ones.next().into_iter().for_each(&mut *visit),
            _ => others.next().into_iter().for_each(&mut *visit),
        }
    }
}

impl<'a> Eval<'a> {
    /// The members of a set in which each card's membership depends on that card alone. They are as remembered, except for the cards marked
    /// in `other`, which are looked at again.
    fn members_again(&mut self, what: NodeId, then: &KnownExtent, other: &[bool]) -> Vec<Value> {
        let is_other = |id: ObjectId| other.get(usize::from(id.0)).copied().unwrap_or(!other.is_empty());
        let stands = |member: &Value| matches!(member, Value::Object { id, .. } if !is_other(*id));
        let mut members: Vec<Value> = then.members.iter().copied().filter(stands).collect();
        for (id, _) in (0..).map(ObjectId).zip(other).filter(|(_, other)| **other) {
            let card = self.state.board.reference(id);
            if self.contains(what, card) {
                members.push(card);
            }
        }
        members
    }

    /// The extent of a part, read at its place of the row. With `one`, only what concerns this member; none if the part does not apply to
    /// it.
    pub(crate) fn extent_there(&self, effect: &'a Effect, change: u16, at: usize, one: Option<Value>) -> Option<Extent> {
        let mut there = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
        there.carry_on(self);
        there.upto = at as u32;
        if there.too_deep() {
            return None;
        }
        let extent = there.extent_concerning(effect, change, one);
        one.is_none_or(|member| extent.has(member)).then_some(extent)
    }

    /// The extent of a part of an effect in the position that this evaluation reads: what it applies to and by how much.
    pub(crate) fn extent(&mut self, effect: &'a Effect, change: u16) -> Extent {
        self.extent_concerning(effect, change, None)
    }

    /// Like `extent`; with `one`, only as far as it concerns this member.
    fn extent_concerning(&mut self, effect: &'a Effect, change: u16, one: Option<Value>) -> Extent {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Extent::default() };
        let Some(what) = clause.kind.applies_to() else { return Extent::default() };
        if one.is_some_and(|member| !self.inside(effect).is_among(effect, what, member)) {
            return Extent::default();
        }
        self.extent_with(effect, change, |inner, what| one.map_or_else(|| inner.members_now(effect, what), |member| vec![member]))
    }

    /// Like `extent`. If the effect applies, `members_there` finds the members.
    pub(crate) fn extent_with(
        &mut self,
        effect: &'a Effect,
        change: u16,
        members_there: impl FnOnce(&mut Eval<'a>, NodeId) -> Vec<Value>,
    ) -> Extent {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Extent::default() };
        let Some(what) = clause.kind.applies_to() else { return Extent::default() };
        if self.silenced(effect).is_some() {
            return Extent::default();
        }
        let mut inner = self.inside(effect);
        let mut members = Vec::new();
        let mut amount = Value::Undefined;
        let mut many = Vec::new();
        if inner.begins(effect, clause) {
            members = members_there(&mut inner, what);
            match &clause.kind {
                ClauseKind::Modify { changes, .. } => {
                    let index = usize::from(change);
                    if let Some(change) = changes.get(index) {
                        // The changes of one clause are made together: their amounts do not see one another.
                        inner.beside = Some(change.layer);
                        if change.many {
                            many = inner.amounts_of(effect, index, change.value);
                        } else {
                            amount = effect.amounts.get(index).copied().unwrap_or_else(|| inner.value(change.value));
                        }
                    }
                }
                ClauseKind::Grant { like, .. } if *like != NodeId::NONE => many = inner.amounts_of(effect, 0, *like),
                _ => {}
            }
        }
        self.overflow |= inner.overflow;
        if self.state.effects.withdrawn.binary_search(&effect.number).is_ok() {
            members.retain(|member| *member == effect.source || self.card_bearing(*member) == effect.source);
        }
        if self.state.effects.shielding > 0 {
            let changes = if let ClauseKind::Modify { changes, .. } = &clause.kind { changes.as_slice() } else { &[] };
            let op = changes.get(usize::from(change)).map(|change| change.op);
            members.retain(|member| {
                let card = if let Value::Ability { .. } = member { self.card_bearing(*member) } else { *member };
                op.is_some_and(|op| defines(effect, op, card)) || !self.is_shielded(card, effect)
            });
        }
        members.sort_unstable_by_key(|member| rank_of(*member));
        members.dedup();
        Extent { members, amount, many, reads: inner.reads.get() }
    }

    /// Whether the condition of an effect is true. By policy it is read where the first of all parts under this condition stands.
    fn begins(&mut self, effect: &Effect, clause: &ClauseDef) -> bool {
        let here = self.upto;
        if self.program.policies.condition_once
            && clause.under.is_some()
            && let Some(first) = self.applied().iter().position(|part| self.is_one_with(part, effect, clause))
        {
            self.upto = first as u32;
        }
        let holds = self.holds(clause.condition);
        self.upto = here;
        holds
    }

    /// Whether a part belongs to the same effect, as texts count effects: everything that one ability does under one condition is one
    /// effect.
    fn is_one_with(&self, part: &Part, effect: &Effect, clause: &ClauseDef) -> bool {
        if part.effect == effect.number {
            return true;
        }
        let Some(other) = self.state.effects.get(part.effect) else { return false };
        // The clauses of a lasting effect began one after the other, so their numbers are as far apart as the clauses.
        let apart = (effect.number.abs_diff(other.number), u32::from(effect.clause.0).abs_diff(u32::from(other.clause.0)));
        let together = !matches!(effect.holds, Holds::Lasting(_)) || apart.0 == apart.1;
        let under = self.program.clauses.get(other.clause).and_then(|other| other.under);
        together && under == clause.under && other.source == effect.source && other.holds == effect.holds
    }

    /// The members to which an effect applies, by policy: the targets with which it began, or the members that its set has now.
    pub(crate) fn members_now(&mut self, effect: &'a Effect, what: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        match &effect.targets {
            Some(targets) if self.program.policies.sets.falls_out() => {
                members.extend(targets.iter().copied().filter(|target| self.contains(what, *target)));
            }
            Some(targets) if self.program.policies.sets == SetPolicy::LockedInPublicZones => {
                members.extend(targets.iter().copied().filter(|target| !self.lies_unseen(*target)));
                let there = self.members(what);
                members.extend(there.into_iter().filter(|member| self.lies_unseen(*member)));
            }
            Some(_) if leaves_newcomers_out(self.program, what) => {
                let now = self.members(what);
                members.extend(now.into_iter().filter(|member| !self.is_newcomer(effect, *member)));
            }
            Some(targets) => members.clone_from(targets),
            None => {
                self.each(what, &mut |_, member| {
                    members.push(member);
                    false
                });
            }
        }
        self.with_pinned(effect, members)
    }

    /// Adds the cards to which an effect applies in any case (`pinned`).
    fn with_pinned(&self, effect: &Effect, mut members: Vec<Value>) -> Vec<Value> {
        members.extend(effect.pinned.iter().filter(|card| !self.is_over(**card) && !members.contains(card)).collect::<Vec<_>>());
        members
    }
}
