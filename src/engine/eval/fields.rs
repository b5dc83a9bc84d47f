//! Properties of cards: printed, then changed by the effects in force, in the order in which these began.
//!
//! They are computed and never stored. If no effect on a field is in force, a read is one look into the printed column.

use crate::engine::effects::leaves_newcomers_out;
use crate::engine::eval::{Eval, divided, floored};
use crate::engine::ids::{ClauseId, FieldId, Id, NodeId};
use crate::engine::legal::cache::Changing;
use crate::engine::program::{ChangeDef, ChangeKind, ClauseKind, Program, Seen, SetPolicy};
use crate::engine::state::board::{Object, zone_of};
use crate::engine::state::{Effect, Extent, Holds, Part, State};
use crate::engine::value::{ObjectId, Value};
use std::borrow::Cow;
use std::rc::Rc;

/// With so many effects in force, those that change a field are listed by the cards that they can apply to.
const MANY_EFFECTS: usize = 8;

/// Where a change of a field comes from.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Origin {
    /// The effect, by its number.
    pub effect: u32,
    /// In a game with layers: the place of the part in the row.
    pub place: Option<u32>,
    /// How old the part is ([`Part::age`]).
    pub age: (u32, u32, u16),
}

impl<'a> Eval<'a> {
    /// A field of a card as it is now.
    pub fn field(&mut self, card: Value, field: FieldId) -> Value {
        let Some(def) = self.program.fields.get(field) else { return Value::Undefined };
        let Some((id, object)) = self.object(card) else {
            let Value::Card(card) = card else { return self.of_player(card, field, true) };
            return floored(self.program.printed_value(card, field), def.at_least);
        };
        self.look_at(id);
        if let Some(derived) = def.derived {
            return self.derived(self.reference_of(card, id), &object, derived, self.as_printed);
        }
        if self.as_printed {
            return self.printed(card, field);
        }
        let printed = self.plain(&object, field);
        if self.is_over(card) {
            let known = self.last_known(card).and_then(|row| row.fields.iter().find(|(of, _)| *of == field));
            return known.map_or(floored(printed, def.at_least), |(_, value)| *value);
        }
        let value = if self.may_change(field) { self.changed(self.state.board.reference(id), field, printed, true) } else { printed };
        floored(value, def.at_least)
    }

    /// The reference that was read through; of a place's card that to its present life.
    fn reference_of(&self, card: Value, id: ObjectId) -> Value {
        if let Value::Object { .. } = card { card } else { self.state.board.reference(id) }
    }

    /// A computed field: its expression with the card as `this`. Expressions that come round to one another end as undefined.
    fn derived(&mut self, this: Value, object: &Object, expression: NodeId, as_printed: bool) -> Value {
        let you =
            if self.state.owners_control(self.program) { object.owner } else { self.controller_or_nobody(this).unwrap_or(object.owner) };
        let mut inner = Eval::new(self.program, self.state, &[], &[], you, this);
        inner.carry_on(self);
        (inner.as_printed, inner.witness) = (as_printed, self.witness);
        if inner.too_deep() {
            return Value::Undefined;
        }
        let value = inner.value(expression);
        self.read(inner.reads.get());
        self.overflow |= inner.overflow;
        self.peeked |= inner.peeked;
        value
    }

    /// A property of a player: what the rules say that it is, then (`all`) changed by the effects in force.
    fn of_player(&mut self, of: Value, field: FieldId, all: bool) -> Value {
        let (Value::Player(player), Some(def)) = (of, self.program.fields.get(field)) else { return Value::Undefined };
        let Some(base) = def.derived.filter(|_| def.on_players) else { return Value::Undefined };
        let mut inner = Eval::new(self.program, self.state, &[], &[], player, Value::Undefined);
        inner.carry_on(self);
        if inner.too_deep() {
            return Value::Undefined;
        }
        let base = inner.value(base);
        self.read(inner.reads.get());
        self.overflow |= inner.overflow;
        self.peeked |= inner.peeked;
        let value = if all && self.may_change(field) { self.changed(of, field, base, true) } else { base };
        floored(value, def.at_least)
    }

    /// Notes that a card is looked at: in a trial run what the watcher may not see ends it.
    pub fn look_at(&mut self, id: ObjectId) {
        self.peeked |= self.watcher.is_some_and(|player| !self.state.board.sees(self.program, player, id));
    }

    /// A field as printed; a computed one is computed from what is printed. Effects that set the printed value itself count, others do not.
    pub fn printed(&mut self, card: Value, field: FieldId) -> Value {
        let Some((id, object)) = self.object(card) else {
            return match card {
                Value::Card(card) => self.program.printed_value(card, field),
                of => self.of_player(of, field, false),
            };
        };
        self.look_at(id);
        if let Some(derived) = self.program.fields.get(field).and_then(|field| field.derived) {
            return self.derived(self.reference_of(card, id), &object, derived, true);
        }
        let printed = self.plain(&object, field);
        if self.may_change(field) && !self.is_over(card) {
            self.changed(self.state.board.reference(id), field, printed, false)
        } else {
            printed
        }
    }

    fn changed(&mut self, card: Value, field: FieldId, printed: Value, all: bool) -> Value {
        let changes = if self.is_weighed(field) { self.weighed_changes(card, field, printed) } else { self.changes(card, field, None) };
        let (value, overflow) = self.carried_out(field, printed, &changes, all);
        self.overflow |= overflow;
        value
    }

    /// A value after changes of a field, and whether a number was too great on the way; after those of what is printed alone where not `all` count.
    pub(super) fn carried_out(&self, field: FieldId, printed: Value, changes: &[(ChangeKind, Value)], all: bool) -> (Value, bool) {
        let mut overflow = false;
        let mut value = changes.iter().fold(printed, |value, (kind, amount)| match (kind, value, *amount) {
            (ChangeKind::SetPrinted, _, amount) => amount,
            (ChangeKind::AddPrinted, Value::Number(a), Value::Number(b)) => number(a.checked_add(b), &mut overflow),
            (_, value, _) => value,
        });
        if !all {
            return (value, overflow);
        }
        let mut floors: Option<i32> = None;
        let layered = !self.program.layers.is_empty();
        let left_out = self.program.policies.missing_is_left_out;
        let at_least = self.program.fields.get(field).and_then(|field| field.at_least);
        for (kind, amount) in changes.iter().copied() {
            value = match (kind, value, amount) {
                (ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted, value, _) => value,
                (ChangeKind::Floor, Value::Number(number), Value::Number(least)) if layered => Value::Number(number.max(least)),
                // Without layers what keeps a value from falling comes behind all that changes it.
                (ChangeKind::Floor, value, Value::Number(least)) => {
                    floors = Some(floors.map_or(least, |other| other.max(least)));
                    value
                }
                (ChangeKind::Set, Value::Undefined, _) if left_out => Value::Undefined,
                (ChangeKind::Set, _, amount) => amount,
                (ChangeKind::Add, Value::Number(a), Value::Number(b)) => number(a.checked_add(b), &mut overflow),
                (ChangeKind::Subtract, Value::Number(a), Value::Number(b)) => number(a.checked_sub(b), &mut overflow),
                // Who multiplies reads it; only sums go on below.
                (ChangeKind::Multiply, value, Value::Number(b)) => match floored(value, at_least) {
                    Value::Number(a) => number(a.checked_mul(b), &mut overflow),
                    value => value,
                },
                (ChangeKind::Divide, value, Value::Number(b)) => match floored(value, at_least) {
                    Value::Number(a) => number(divided(a, b), &mut overflow),
                    value => value,
                },
                (ChangeKind::Provide, Value::Undefined, amount) => amount,
                (ChangeKind::Remove, ..) => Value::Undefined,
                (_, value, _) => value,
            };
        }
        (if layered { value } else { floored(value, floors) }, overflow)
    }

    /// Whether a set-valued field of a card has that member now (or a single-valued one is it).
    pub fn field_has(&mut self, card: Value, field: FieldId, what: Value) -> bool {
        if self.program.fields.get(field).is_some_and(|field| field.set) {
            let Some((id, object)) = self.object(card).filter(|_| !self.is_over(card)) else {
                return self.field_members(card, field).contains(&what);
            };
            self.look_at(id);
            if self.may_change(field)
                && let Some(members) = self.cached_members(id, &object, field)
            {
                return members.contains(&what);
            }
            let printed = self.printed_members(self.plain(&object, field));
            let changes = self.changes_if_any(self.state.board.reference(id), field);
            if changes.is_empty() { printed.contains(&what) } else { altered(printed.into_owned(), changes, true).contains(&what) }
        } else {
            self.field(card, field) == what
        }
    }

    /// Some effect in force changes the field.
    fn may_change(&self, field: FieldId) -> bool {
        self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0
    }

    /// The members of a set-valued field now.
    pub fn field_members(&mut self, card: Value, field: FieldId) -> Vec<Value> {
        self.members_of(card, field, true)
    }

    /// The members of a set-valued field as printed: only effects that set the printed value itself count.
    pub fn original_members(&mut self, card: Value, field: FieldId) -> Vec<Value> {
        self.members_of(card, field, false)
    }

    fn members_of(&mut self, card: Value, field: FieldId, all: bool) -> Vec<Value> {
        let Some((id, object)) = self.object(card) else {
            let Value::Card(card) = card else { return Vec::new() };
            return self.printed_members(self.program.printed_value(card, field)).into_owned();
        };
        self.look_at(id);
        if all
            && self.may_change(field)
            && !self.is_over(card)
            && let Some(members) = self.cached_members(id, &object, field)
        {
            return members.to_vec();
        }
        let members = self.printed_members(self.plain(&object, field)).into_owned();
        if self.is_over(card) {
            let known = self.last_known(card).and_then(|row| row.sets.iter().find(|(of, _)| *of == field));
            return known.filter(|_| all).map_or(members, |(_, members)| members.clone());
        }
        altered(members, self.changes_if_any(self.state.board.reference(id), field), all)
    }

    /// The members of a set-valued field of a card that is there, from the cache; worked out and kept where they are not in it.
    fn cached_members(&mut self, id: ObjectId, object: &Object, field: FieldId) -> Option<Rc<[Value]>> {
        let cache = self.plain_cache()?;
        if let Some(known) = cache.get(id, field) {
            return Some(known);
        }
        let printed = self.printed_members(self.plain(object, field)).into_owned();
        let members = altered(printed, self.changes(self.state.board.reference(id), field, None), true);
        cache.keep(id, field, &members);
        cache.get(id, field)
    }

    fn printed_members(&self, printed: Value) -> Cow<'a, [Value]> {
        match printed {
            Value::List { start, len } => {
                let members = self.program.printed_sets.get(start as usize..start as usize + usize::from(len));
                Cow::Borrowed(members.unwrap_or(&[]))
            }
            Value::Undefined => Cow::Borrowed(&[]),
            value => Cow::Owned(vec![value]),
        }
    }

    fn changes_if_any(&mut self, card: Value, field: FieldId) -> Vec<(ChangeKind, Value)> {
        if self.may_change(field) { self.changes(card, field, None) } else { Vec::new() }
    }

    /// The changes of a field of a card that are in force, in the order in which they apply. With `origins`: of each where it comes from, also
    /// of those that a younger one undoes.
    pub(super) fn changes(&mut self, card: Value, field: FieldId, mut origins: Option<&mut Vec<Origin>>) -> Vec<(ChangeKind, Value)> {
        let (program, state) = (self.program, self.state);
        let mut found = Vec::new();
        if !program.layers.is_empty() {
            self.changes_in_layers(card, field, &mut found, origins);
            return found;
        }
        match self.changing(card, field) {
            None => state
                .effects
                .in_force
                .iter()
                .for_each(|effect| self.change_by_effect(effect, (card, field), &mut found, origins.as_deref_mut())),
            Some((index, id)) => {
                for effect in index.on(id).filter_map(|at| state.effects.in_force.get(at)) {
                    self.change_by_effect(effect, (card, field), &mut found, origins.as_deref_mut());
                }
                #[cfg(debug_assertions)]
                self.assert_complete(&index, card, field, id);
            }
        }
        found
    }

    /// The changes of a field of a card by one effect.
    #[inline]
    fn change_by_effect(
        &mut self,
        effect: &'a Effect,
        (card, field): (Value, FieldId),
        found: &mut Vec<(ChangeKind, Value)>,
        origins: Option<&mut Vec<Origin>>,
    ) {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return };
        let ClauseKind::Modify { what, changes } = &clause.kind else { return };
        if !changes.iter().any(|change| change.field == field) || !self.applies(effect, clause.condition, *what, card) {
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
                let members = self.amounts_of(effect, index, change);
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

    /// The effects that an index leaves out do not apply to the card.
    #[cfg(debug_assertions)]
    fn assert_complete(&mut self, index: &Changing, card: Value, field: FieldId, id: ObjectId) {
        let (program, state) = (self.program, self.state);
        for (at, effect) in state.effects.in_force.iter().enumerate().filter(|(at, _)| !index.on(id).any(|place| place == *at)) {
            let Some(ClauseKind::Modify { what, changes }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            let here = changes.iter().any(|change| change.field == field);
            debug_assert!(!here || !self.applies(effect, NodeId::NONE, *what, card), "effect {at} applies: {effect:?}");
        }
    }

    /// The effects that can change a field of a card, where many effects are in force and many cards are looked at.
    fn changing(&self, card: Value, field: FieldId) -> Option<(Rc<Changing>, ObjectId)> {
        let (Value::Object { id, .. }, true) = (card, self.state.effects.in_force.len() >= MANY_EFFECTS) else { return None };
        Some((self.plain_cache()?.changing(self.program, self.state, field)?, id))
    }

    /// The same in a game with layers: what each part applies to is known.
    fn changes_in_layers(
        &mut self,
        card: Value,
        field: FieldId,
        found: &mut Vec<(ChangeKind, Value)>,
        mut origins: Option<&mut Vec<Origin>>,
    ) {
        let (program, state) = (self.program, self.state);
        // How old each change is that has been found, where that decides which stay.
        let dated = program.policies.set_is_over_older && origins.is_none();
        let mut ages = Vec::new();
        for (at, part) in self.applied().iter().enumerate().filter(|(_, part)| part.field == Some(field)) {
            if part.kept().is_some_and(|extent| !extent.has(card)) {
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

    /// The parts of effects that count where this evaluation stands.
    pub(in crate::engine) fn applied(&self) -> &'a [Part] {
        let order = self.state.row(self.program);
        order.get(..self.upto as usize).unwrap_or(order)
    }

    /// A part that changes a field: its effect, the change, what it applies to. A part that looks at what is no part of the board
    /// is worked out where it is read.
    pub(in crate::engine) fn part(&mut self, at: usize) -> Option<(&'a Effect, &'a ChangeDef, Cow<'a, Extent>)> {
        let (program, state) = (self.program, self.state);
        let part = state.row(program).get(at)?;
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

    /// The cards to which an effect that grants abilities gives them.
    pub(in crate::engine) fn granted_to(&mut self, effect: &'a Effect) -> Vec<Value> {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Vec::new() };
        let Some(what) = clause.kind.applies_to() else { return Vec::new() };
        if !self.program.layers.is_empty() {
            let part = self.state.row(self.program).iter().find(|part| part.effect == effect.number);
            let mut members = part.and_then(|part| part.extent.as_ref()).map_or_else(Vec::new, |extent| extent.members.clone());
            members.retain(|member| !self.is_shielded(*member, effect));
            return members;
        }
        let mut inner = self.inside(effect);
        if self.silenced(effect).is_some() || !inner.enter(effect.number) || !inner.holds(clause.condition) {
            return Vec::new();
        }
        let mut members = inner.members_now(effect, what);
        members.retain(|member| !self.is_shielded(*member, effect));
        members
    }

    /// The members of the set by which an effect changes a field.
    pub(in crate::engine) fn amounts_of(&mut self, effect: &'a Effect, index: usize, change: &ChangeDef) -> Vec<Value> {
        match effect.amounts.get(index) {
            Some(Value::List { start, len }) => {
                effect.lists.get(*start as usize..*start as usize + usize::from(*len)).unwrap_or(&[]).to_vec()
            }
            Some(_) => Vec::new(),
            None => {
                let mut inner = self.inside(effect);
                let mut members = if inner.enter_amount(effect.number) { inner.members(change.value) } else { Vec::new() };
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
    pub(in crate::engine) fn amount(&mut self, effect: &'a Effect, index: usize, change: &ChangeDef) -> Value {
        if let Some(amount) = effect.amounts.get(index) {
            return *amount;
        }
        let mut inner = self.inside(effect);
        if !inner.enter_amount(effect.number) {
            return Value::Undefined;
        }
        let value = inner.value(change.value);
        self.overflow |= inner.overflow;
        if self.is_left_out() { Value::Undefined } else { value }
    }

    /// Whether an effect in force applies to a card: its condition holds, read without the effect itself, and the card is among
    /// what it was begun on, or (static) what its set has now.
    pub(in crate::engine) fn applies(&mut self, effect: &'a Effect, condition: NodeId, what: NodeId, member: Value) -> bool {
        // Most effects were begun on a few cards, and this is none of them.
        let mut known = None;
        if let Some(targets) = &effect.targets {
            let pinned = effect.pinned.contains(&member);
            let sets = self.program.policies.sets;
            let live = sets == SetPolicy::LockedInPublicZones && self.lies_unseen(member);
            let described = leaves_newcomers_out(self.program, what);
            if !pinned && (described && self.is_newcomer(effect, member) || !live && !described && !targets.contains(&member)) {
                return false;
            }
            known = (pinned || !live && !described && !sets.falls_out()).then_some(true);
        }
        let mut inner = self.inside(effect);
        if !inner.enter(effect.number) {
            self.note_circle(effect.number);
            return false;
        }
        let applies = known.unwrap_or_else(|| inner.is_among(effect, what, member)) && inner.holds(condition);
        self.overflow |= inner.overflow;
        self.peeked |= inner.peeked;
        if !self.program.layers.is_empty() {
            // What is kept of a part hangs on what whoever controls a card was found out from.
            self.read(inner.reads.get());
        }
        applies
    }

    /// Whether a card lies in a zone that is not public, or a value is no card at all and no ability of one.
    pub(in crate::engine) fn lies_unseen(&self, member: Value) -> bool {
        let card = if let Value::Ability { .. } = member { self.bearer(member) } else { member };
        let Some((_, object)) = self.object(card) else { return false };
        let (zone, _) = zone_of(self.program, object.place);
        self.program.zones.get(zone).is_some_and(|zone| zone.seen != Seen::ByAll)
    }

    /// Whether a card, or the card of an ability, has come to its public zone since an effect began.
    pub(in crate::engine) fn is_newcomer(&mut self, effect: &Effect, member: Value) -> bool {
        let card = if let Value::Ability { .. } = member { self.bearer(member) } else { member };
        matches!(card, Value::Object { .. }) && !self.lies_unseen(card) && !effect.there.contains(&card)
    }

    /// Whether a card is among what an effect was begun on, or (static) what its set has now. `self` reads the effect's clause.
    pub(in crate::engine) fn is_among(&mut self, effect: &Effect, what: NodeId, member: Value) -> bool {
        let sets = self.program.policies.sets;
        let falls_out = sets.falls_out();
        match &effect.targets {
            _ if effect.pinned.contains(&member) => true,
            Some(_) if sets == SetPolicy::LockedInPublicZones && self.lies_unseen(member) => self.contains(what, member),
            Some(_) if leaves_newcomers_out(self.program, what) => !self.is_newcomer(effect, member) && self.contains(what, member),
            Some(targets) => targets.contains(&member) && (!falls_out || self.contains(what, member)),
            None => self.contains(what, member),
        }
    }

    /// Whether the clause of an effect in force counts now: its condition holds and its ability is not disabled.
    pub fn is_active(&mut self, effect: &'a Effect, clause: ClauseId) -> bool {
        let Some(clause) = self.program.clauses.get(clause) else { return false };
        if self.silenced(effect).is_some() {
            return false;
        }
        if clause.condition == NodeId::NONE {
            return self.may_enter(effect.number);
        }
        let mut inner = self.inside(effect);
        inner.enter(effect.number) && inner.holds(clause.condition)
    }
}

/// A card's own ability says what counts as printed on it: no shield keeps that off.
pub(in crate::engine) fn defines(effect: &Effect, op: ChangeKind, card: Value) -> bool {
    let own = effect.source == card && matches!(effect.holds, Holds::Static(_));
    own && matches!(op, ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted)
}

/// The members of a set-valued field after the changes; of those of what is printed alone where not `all` count.
fn altered(mut members: Vec<Value>, changes: Vec<(ChangeKind, Value)>, all: bool) -> Vec<Value> {
    for (kind, amount) in &changes {
        match kind {
            ChangeKind::SetPrinted => members = vec![*amount],
            ChangeKind::AddPrinted if !members.contains(amount) => members.push(*amount),
            ChangeKind::RemovePrinted => members.clear(),
            _ => {}
        }
    }
    for (kind, amount) in changes.into_iter().filter(|_| all) {
        match kind {
            ChangeKind::Set => members = vec![amount],
            ChangeKind::Add if !members.contains(&amount) => members.push(amount),
            ChangeKind::Subtract => members.retain(|member| *member != amount),
            ChangeKind::Provide if members.is_empty() => members = vec![amount],
            ChangeKind::Remove => members.clear(),
            _ => {}
        }
    }
    members
}

/// Which changes of a value stay where one that sets it undoes all older ones, in whichever layers they are. What counts as printed is none of
/// these.
pub(in crate::engine) fn stay_beside_a_set(kinds: &[ChangeKind], ages: &[(u32, u32, u16)]) -> Vec<bool> {
    let all = || kinds.iter().zip(ages);
    let youngest = all().filter(|(kind, _)| **kind == ChangeKind::Set).map(|(_, age)| *age).max();
    all().map(|(kind, age)| kind.is_of_printed() || youngest.is_none_or(|youngest| *age >= youngest)).collect()
}

/// The changes that a change by a set is made of.
pub(in crate::engine) fn by_set(op: ChangeKind, members: &[Value]) -> impl Iterator<Item = (ChangeKind, Value)> + '_ {
    let none = op.of_none().filter(|_| members.is_empty()).map(|op| (op, Value::Undefined));
    let each = members.iter().enumerate().map(move |(at, member)| (if at > 0 { op.of_further() } else { op }, *member));
    none.into_iter().chain(each)
}

/// The static ability that an effect comes from.
pub(in crate::engine) fn ability_of(effect: &Effect) -> Option<Value> {
    let (Holds::Static(ability) | Holds::Granted(ability, _), Value::Object { id, life }) = (effect.holds, effect.source) else {
        return None;
    };
    Some(Value::Ability { of: id, ability, life: life as u16 })
}

/// Whether an ability is printed on its card.
#[must_use]
pub fn is_printed(program: &Program, state: &State, ability: Value) -> bool {
    let Value::Ability { of, ability, .. } = ability else { return false };
    let card = state.board.object(of).and_then(|object| program.cards.get(object.card));
    card.is_some_and(|card| ability.0 >= card.abilities.0.0 && ability.0 - card.abilities.0.0 < card.abilities.1)
}

/// A number for a value, by which members of an extent are found again: different for different values of one kind.
#[must_use]
pub fn rank_of(value: Value) -> u64 {
    match value {
        Value::Object { id, life } => u64::from(id.0) << 32 | u64::from(life),
        Value::Ability { of, ability, life } => 1 << 62 | u64::from(of.0) << 32 | u64::from(ability.0) << 16 | u64::from(life),
        Value::Player(player) => 2 << 62 | u64::from(player.0),
        Value::Pending(number) => 3 << 62 | u64::from(number),
        Value::Zone(place) => 1 << 61 | u64::from(place.0),
        _ => u64::MAX,
    }
}

fn number(sum: Option<i32>, overflow: &mut bool) -> Value {
    *overflow |= sum.is_none();
    sum.map_or(Value::Undefined, Value::Number)
}
