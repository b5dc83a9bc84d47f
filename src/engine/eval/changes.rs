//! Finds the changes of a field by effects in force, in the order in which they apply. `fields` computes the value from them.

use crate::effects::circles::WHOLE;
use crate::eval::Eval;
use crate::fault::listed;
use crate::ids::{FieldId, NodeId};
use crate::limits::{WORK_OF_A_CONDITION, WORK_OF_A_LOOK};
use crate::program::{ChangeDef, ChangeKind, ClauseKind};
use crate::state::{Effect, Extent, Holds, Part};
use crate::value::Value;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// The changes of a field, in the order in which they apply. Most fields have few.
pub(crate) type Changes = SmallVec<[(ChangeKind, Value); 4]>;

/// Where a change of a field comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The effect, by its number.
    pub effect: u32,
    /// In a game with layers: the place of the part in the row.
    pub place: Option<u32>,
    /// How old the part is ([`Part::age`]).
    pub age: (u32, u32, u16),
}

impl<'a> Eval<'a> {
    pub(super) fn changes_if_any(&mut self, card: Value, field: FieldId) -> Changes {
        if self.may_change(field) { self.changes(card, field, None) } else { Changes::new() }
    }

    /// The changes of a field of a card that are in force, in the order in which they apply. `origins` receives the origin of each change;
    /// then changes that a younger change undoes are listed too.
    pub(super) fn changes(&mut self, card: Value, field: FieldId, mut origins: Option<&mut Vec<Origin>>) -> Changes {
        let (program, state) = (self.program, self.state);
        let mut found = Changes::new();
        if self.readings > 0 {
            state.effects.asked.work.add(2 * WORK_OF_A_CONDITION);
        }
        // After too much work the run ends with an error, whatever the changes are.
        if state.effects.asked.too_much().is_some() {
            return found;
        }
        if !program.layers.is_empty() {
            self.changes_in_layers(card, field, &mut found, origins);
            return found;
        }
        if origins.is_some() {
            for effect in &state.effects.in_force {
                self.change_by_effect(effect, (card, field), &mut found, origins.as_deref_mut());
            }
            return found;
        }
        self.known_changes(card, field, |eval| eval.changes_without_layers(card, field))
    }

    fn changes_without_layers(&mut self, card: Value, field: FieldId) -> Changes {
        let state = self.state;
        let mut found = Changes::new();
        if self.is_too_deep(field) {
            return found;
        }
        state.effects.count_walk(WORK_OF_A_LOOK);
        for effect in &state.effects.in_force {
            self.change_by_effect(effect, (card, field), &mut found, None);
        }
        found
    }

    /// Whether no further effect may be read here, although effects may change the field. Then none of them has to be looked at.
    fn is_too_deep(&self, field: FieldId) -> bool {
        let effects = &self.state.effects;
        if effects.depth.is_deep() || !effects.depth.is_full(self.readings) {
            return false;
        }
        let is_left_out = |effect: &&Arc<Effect>| {
            let Some(ClauseKind::Modify { changes, .. }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                return false;
            };
            let here = effect.targets.is_none() && changes.iter().any(|change| change.field == field);
            here && self.asked_at(effect.number, WHOLE).is_none()
        };
        let too_deep = effects.in_force.iter().any(|effect| is_left_out(&effect)) && !effects.depth.allows(self.readings);
        if too_deep {
            self.note_met_again(None);
        }
        too_deep
    }

    /// Adds the changes of a field of a card by one effect.
    #[inline]
    fn change_by_effect(
        &mut self,
        effect: &'a Effect,
        (card, field): (Value, FieldId),
        found: &mut Changes,
        origins: Option<&mut Vec<Origin>>,
    ) {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return };
        let ClauseKind::Modify { what, changes } = &clause.kind else { return };
        if !changes.iter().any(|change| change.field == field) {
            return;
        }
        self.state.effects.asked.work.add(WORK_OF_A_CONDITION / 2);
        if !self.applies(effect, clause.condition, *what, card) {
            return;
        }
        if self.silenced(effect).is_some() {
            return;
        }
        let shielded = self.is_shielded(card, effect);
        for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.field == field) {
            if shielded && !defines(effect, change.op, card) {
                continue;
            }
            if change.many {
                let members = self.amounts_of(effect, index, change.value);
                found.extend(by_set(change.op, &members));
                continue;
            }
            let amount = self.amount(effect, index, change);
            if amount != Value::Undefined || matches!(change.op, ChangeKind::Remove | ChangeKind::RemovePrinted) {
                found.push((change.op, amount));
            }
        }
        if let Some(origins) = origins {
            origins.resize(found.len(), Origin { effect: effect.number, place: None, age: (effect.timestamp, effect.number, 0) });
        }
    }

    /// The changes of a field of a card, in a game with layers. The cards to which each part of an effect applies are already known.
    fn changes_in_layers(&mut self, card: Value, field: FieldId, found: &mut Changes, mut origins: Option<&mut Vec<Origin>>) {
        let (program, state) = (self.program, self.state);
        // The age of each change. Needed only where a change that sets the value undoes older changes.
        let dated = program.policies.set_is_over_older && origins.is_none();
        let mut ages = Vec::new();
        state.effects.asked.work.add(WORK_OF_A_LOOK * state.effects.order.len());
        for (at, part) in self.applied().iter().enumerate().filter(|(_, part)| part.field == Some(field)) {
            let own = self.beside == Some(part.layer) && self.of_effect == Some(part.effect);
            if own || part.kept().is_some_and(|extent| !extent.has(card)) {
                continue;
            }
            let Some(effect) = state.effects.get(part.effect) else { continue };
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Modify { changes, .. } = &clause.kind else { continue };
            let Some(change) = changes.get(usize::from(part.change)) else { continue };
            let extent = match part.kept() {
                Some(extent) => Cow::Borrowed(extent),
                None => {
                    let Some(extent) = self.extent_there(effect, part.change, at, Some(card)) else { continue };
                    Cow::Owned(extent)
                }
            };
            let says = extent.amount != Value::Undefined || matches!(change.op, ChangeKind::Remove | ChangeKind::RemovePrinted);
            if !says && !change.many || !defines(effect, change.op, card) && self.is_shielded(card, effect) {
                continue;
            }
            if change.many {
                found.extend(by_set(change.op, &extent.many));
            } else {
                found.push((change.op, extent.amount));
            }
            if dated {
                ages.resize(found.len(), part.age());
            }
            if let Some(origins) = origins.as_deref_mut() {
                origins.resize(found.len(), Origin { effect: part.effect, place: Some(at as u32), age: part.age() });
            }
        }
        if dated {
            let kinds: Vec<ChangeKind> = found.iter().map(|(kind, _)| *kind).collect();
            let mut stays = stay_beside_a_set(&kinds, &ages).into_iter();
            found.retain(|_| stays.next().unwrap_or(true));
        }
    }

    /// The parts of effects that count at the point where this evaluation stands.
    pub(crate) fn applied(&self) -> &'a [Part] {
        let order = &self.state.effects.order;
        order.get(..self.upto as usize).unwrap_or(order)
    }

    /// The part at this place of the row: its effect, its change, and its extent. If the part reads values outside of the board, the extent
    /// is computed here.
    pub(crate) fn part(&mut self, at: usize) -> Option<(&'a Effect, &'a ChangeDef, Cow<'a, Extent>)> {
        let (program, state) = (self.program, self.state);
        let part = state.effects.order.get(at)?;
        let effect = state.effects.get(part.effect)?;
        let clause = program.clauses.get(effect.clause)?;
        let ClauseKind::Modify { changes, .. } = &clause.kind else { return None };
        let change = changes.get(usize::from(part.change))?;
        let extent = match part.kept() {
            Some(extent) => Cow::Borrowed(extent),
            None => Cow::Owned(self.extent_there(effect, part.change, at, None)?),
        };
        Some((effect, change, extent))
    }

    /// The members of a set of an effect (by which it changes a field, or whose abilities it grants): as they were when the effect began,
    /// else as they are now.
    pub(crate) fn amounts_of(&mut self, effect: &'a Effect, index: usize, set: NodeId) -> Vec<Value> {
        match effect.amounts.get(index) {
            Some(Value::List { start, len }) => listed(&effect.lists, *start, *len).to_vec(),
            Some(_) => Vec::new(),
            None => {
                let mut inner = self.inside(effect);
                let mut members = if inner.enter_amount(effect.number) { inner.members(set) } else { Vec::new() };
                if self.is_left_out() {
                    members.clear();
                }
                self.read(inner.reads.get());
                self.overflow |= inner.overflow;
                self.peeked |= inner.peeked;
                members
            }
        }
    }

    /// By how much an effect changes a field.
    pub(crate) fn amount(&mut self, effect: &'a Effect, index: usize, change: &ChangeDef) -> Value {
        if let Some(amount) = effect.amounts.get(index) {
            return *amount;
        }
        let mut inner = self.inside(effect);
        if !inner.enter_amount(effect.number) {
            return Value::Undefined;
        }
        let value = self.read_deeply(&mut inner, &mut |inner| inner.value(change.value));
        self.overflow |= inner.overflow;
        if self.is_left_out() { Value::Undefined } else { value }
    }
}

/// Whether a change sets the printed value of the effect's own card by a static ability. No shield keeps such a change off.
pub(crate) fn defines(effect: &Effect, op: ChangeKind, card: Value) -> bool {
    let own = effect.source == card && matches!(effect.holds, Holds::Static(_));
    own && matches!(op, ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted)
}

/// For games in which a change that sets the value undoes all older changes in every layer: which changes stay. Changes of the printed
/// value always stay.
pub(crate) fn stay_beside_a_set(kinds: &[ChangeKind], ages: &[(u32, u32, u16)]) -> Vec<bool> {
    let all = || kinds.iter().zip(ages);
    let youngest = all().filter(|(kind, _)| **kind == ChangeKind::Set).map(|(_, age)| *age).max();
    all().map(|(kind, age)| kind.is_of_printed() || youngest.is_none_or(|youngest| *age >= youngest)).collect()
}

/// The single changes that make up a change by a set.
pub(crate) fn by_set(op: ChangeKind, members: &[Value]) -> impl Iterator<Item = (ChangeKind, Value)> + '_ {
    let none = op.of_none().filter(|_| members.is_empty()).map(|op| (op, Value::Undefined));
    let each = members.iter().enumerate().map(move |(at, member)| (if at > 0 { op.of_further() } else { op }, *member));
    none.into_iter().chain(each)
}
