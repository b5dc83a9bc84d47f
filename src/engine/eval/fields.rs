//! Properties of cards: the printed value, then the changes by effects in force (`changes` finds these changes).
//!
//! The values are computed and never stored. If no effect on a field is in force, reading the field is one look into the printed column.

use crate::eval::changes::Changes;
use crate::eval::{Eval, divided, floored};
use crate::ids::{FieldId, Id, NodeId};
use crate::program::{ChangeDef, ChangeKind, ClauseKind, Program};
use crate::short_ways::{ShortWay, took};
use crate::state::board::Object;
use crate::state::{Effect, Holds, State};
use crate::value::{Few, ObjectId, Value};
use smallvec::smallvec;

impl<'a> Eval<'a> {
    /// A field of a card as it is now.
    pub fn field(&mut self, card: Value, field: FieldId) -> Value {
        let Some(def) = self.program.fields.get(field) else { return Value::Undefined };
        let Some((id, object)) = self.object(card) else {
            let Value::Card(card) = card else { return self.of_player(card, field, true) };
            return floored(self.program.printed_value(card, field), def.at_least);
        };
        self.look_at(id, &object);
        if let Some(derived) = def.derived {
            return self.computed(card, (id, &object), field, derived);
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

    /// The reference to a card that an expression used. For the card of a place, the reference to its present life.
    fn reference_of(&self, card: Value, id: ObjectId) -> Value {
        if let Value::Object { .. } = card { card } else { self.state.board.reference(id) }
    }

    /// A computed field of a card as it is now: what its expression gives, then the changes by effects in force.
    fn computed(&mut self, card: Value, (id, object): (ObjectId, &Object), field: FieldId, derived: NodeId) -> Value {
        if self.as_printed {
            return self.derived(self.reference_of(card, id), object, derived, true);
        }
        let over = self.is_over(card);
        if over && let Some(known) = self.last_known(card).and_then(|row| row.fields.iter().find(|(of, _)| *of == field)) {
            return known.1;
        }
        let base = self.derived(self.reference_of(card, id), object, derived, false);
        let changed = !over && self.may_change(field);
        let value = if changed { self.changed(self.state.board.reference(id), field, base, true) } else { base };
        floored(value, self.program.fields.get(field).and_then(|def| def.at_least))
    }

    /// The value of the expression of a computed field, with the card as `this`. Expressions that depend on each other in a circle give
    /// undefined.
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

    /// A property of a player: the value that the rules compute, then (if `all`) the changes by effects in force.
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

    /// Notes that a card is read: as it lies now, or as it lay at the end of an earlier life. In a trial run this ends the trial if the watcher
    /// may not see the card there.
    pub(crate) fn look_at(&mut self, id: ObjectId, object: &Object) {
        self.peeked |= self.watcher.is_some_and(|player| !self.state.board.sees_as(self.program, player, (id, object)));
    }

    /// Notes that a card is read, if the game is a game as a seat sees it (`why::as_seen`). There, cards that the seat may not see are no
    /// cards of the pool.
    #[inline]
    pub(crate) fn note_unseen(&mut self, object: &Object) {
        self.peeked |= self.watcher.is_some() && self.program.cards.get(object.card).is_none();
    }

    /// A field as printed. A computed field is computed from printed values. Only effects that set the printed value count.
    pub fn printed(&mut self, card: Value, field: FieldId) -> Value {
        let Some((id, object)) = self.object(card) else {
            return match card {
                Value::Card(card) => self.program.printed_value(card, field),
                of => self.of_player(of, field, false),
            };
        };
        self.look_at(id, &object);
        if let Some(derived) = self.program.fields.get(field).and_then(|field| field.derived) {
            return self.derived(self.reference_of(card, id), &object, derived, true);
        }
        let printed = self.plain(&object, field);
        if self.may_change(field) && !self.is_over(card) && self.prints_anew(field) {
            self.changed(self.state.board.reference(id), field, printed, false)
        } else {
            printed
        }
    }

    /// Whether some effect in force says what counts as printed for a field. The amounts of other effects are not read for a printed value.
    fn prints_anew(&self, field: FieldId) -> bool {
        let prints = |change: &ChangeDef| change.field == field && change.op.is_of_printed();
        self.state.effects.in_force.iter().any(|effect| match self.program.clauses.get(effect.clause).map(|clause| &clause.kind) {
            Some(ClauseKind::Modify { changes, .. }) => changes.iter().any(prints),
            _ => false,
        })
    }

    fn changed(&mut self, card: Value, field: FieldId, printed: Value, all: bool) -> Value {
        let changes = if self.is_weighed(field) { self.weighed_changes(card, field, printed) } else { self.changes(card, field, None) };
        let (value, overflow) = self.carried_out(field, printed, &changes, all);
        self.overflow |= overflow;
        value
    }

    /// A value after the changes of a field, and whether a number was too great on the way. Unless `all`, only changes of the printed value
    /// count.
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
                // Without layers, `at least` counts after all other changes.
                (ChangeKind::Floor, value, Value::Number(least)) => {
                    floors = Some(floors.map_or(least, |other| other.max(least)));
                    value
                }
                (ChangeKind::Set, Value::Undefined, _) if left_out => Value::Undefined,
                (ChangeKind::Set, _, amount) => amount,
                (ChangeKind::Add, Value::Number(a), Value::Number(b)) => number(a.checked_add(b), &mut overflow),
                (ChangeKind::Subtract, Value::Number(a), Value::Number(b)) => number(a.checked_sub(b), &mut overflow),
                // A multiplication reads the value, so the field's lower bound counts first. Sums may go below the bound in between.
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

    /// Whether a set-valued field of a card has this member now. For a single-valued field: whether it has this value.
    pub(crate) fn field_has(&mut self, card: Value, field: FieldId, what: Value) -> bool {
        if self.program.fields.get(field).is_some_and(|field| field.set) {
            let Some((id, object)) = self.object(card).filter(|_| !self.is_over(card)) else {
                return self.field_members(card, field).contains(&what);
            };
            self.look_at(id, &object);
            if self.may_change(field)
                && let Some(has) = self.cached_members(id, &object, field, |members| members.contains(&what))
            {
                return has;
            }
            let printed = self.plain(&object, field);
            let changes = self.changes_if_any(self.state.board.reference(id), field);
            if changes.is_empty() {
                return match printed {
                    Value::List { .. } => self.program.printed_members(printed).contains(&what),
                    printed => printed != Value::Undefined && printed == what,
                };
            }
            altered(self.printed_members(printed), &changes, true).contains(&what)
        } else {
            self.field(card, field) == what
        }
    }

    /// Whether some effect in force changes the field.
    pub(super) fn may_change(&self, field: FieldId) -> bool {
        self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0
    }

    /// The members of a set-valued field now.
    pub fn field_members(&mut self, card: Value, field: FieldId) -> Few {
        self.members_of(card, field, true)
    }

    /// The members of a set-valued field as printed: only effects that set the printed value itself count.
    pub(crate) fn original_members(&mut self, card: Value, field: FieldId) -> Few {
        self.members_of(card, field, false)
    }

    fn members_of(&mut self, card: Value, field: FieldId, all: bool) -> Few {
        let Some((id, object)) = self.object(card) else {
            let Value::Card(card) = card else { return Few::new() };
            return self.printed_members(self.program.printed_value(card, field));
        };
        self.look_at(id, &object);
        if all
            && self.may_change(field)
            && !self.is_over(card)
            && let Some(members) = self.cached_members(id, &object, field, Few::from_slice)
        {
            return members;
        }
        let members = self.printed_members(self.plain(&object, field));
        if self.is_over(card) {
            let known = self.last_known(card).and_then(|row| row.sets.iter().find(|(of, _)| *of == field));
            return known.filter(|_| all).map_or(members, |(_, members)| members.clone());
        }
        let changes = self.changes_if_any(self.state.board.reference(id), field);
        altered(members, &changes, all)
    }

    /// Reads the members of a set-valued field of a card in the game, from the cache. Members that are not in the cache are computed and
    /// kept there.
    fn cached_members<T>(&mut self, id: ObjectId, object: &Object, field: FieldId, read: impl Fn(&[Value]) -> T) -> Option<T> {
        let cache = self.plain_cache()?;
        if let Some(known) = cache.read(id, field, &read) {
            took(ShortWay::FieldCache);
            return Some(known);
        }
        let printed = self.printed_members(self.plain(object, field));
        let members = altered(printed, &self.changes(self.state.board.reference(id), field, None), true);
        let found = read(&members);
        cache.keep(id, field, members);
        Some(found)
    }

    fn printed_members(&self, printed: Value) -> Few {
        match printed {
            Value::List { .. } => Few::from_slice(self.program.printed_members(printed)),
            Value::Undefined => Few::new(),
            value => smallvec![value],
        }
    }
}

/// The members of a set-valued field after the changes. Unless `all`, only changes of the printed value count.
fn altered(mut members: Few, changes: &Changes, all: bool) -> Few {
    for (kind, amount) in changes {
        match kind {
            ChangeKind::SetPrinted => members = smallvec![*amount],
            ChangeKind::AddPrinted if !members.contains(amount) => members.push(*amount),
            ChangeKind::RemovePrinted => members.clear(),
            _ => {}
        }
    }
    for (kind, amount) in changes.iter().copied().filter(|_| all) {
        match kind {
            ChangeKind::Set => members = smallvec![amount],
            ChangeKind::Add if !members.contains(&amount) => members.push(amount),
            ChangeKind::Subtract => members.retain(|member| *member != amount),
            ChangeKind::Provide if members.is_empty() => members = smallvec![amount],
            ChangeKind::Remove => members.clear(),
            _ => {}
        }
    }
    members
}

/// The static ability that an effect belongs to.
pub(crate) fn ability_of(effect: &Effect) -> Option<Value> {
    let (Holds::Static(ability) | Holds::Granted(ability, _), Value::Object { id, life }) = (effect.holds, effect.source) else {
        return None;
    };
    Some(Value::Ability { of: id, ability, life: life as u16 })
}

/// Whether an ability is printed on its card.
#[must_use]
pub(crate) fn is_printed(program: &Program, state: &State, ability: Value) -> bool {
    let Value::Ability { of, ability, .. } = ability else { return false };
    let card = state.board.object(of).and_then(|object| program.cards.get(object.card));
    card.is_some_and(|card| ability.0 >= card.abilities.0.0 && ability.0 - card.abilities.0.0 < card.abilities.1)
}

/// The number that values of all other kinds share. A search by number does not tell them apart ([`is_one_of`] compares them then).
const WITHOUT_RANK: u64 = u64::MAX;

/// A number for a value, by which members of an extent are found. Different values of one kind have different numbers.
#[must_use]
pub(crate) fn rank_of(value: Value) -> u64 {
    match value {
        Value::Object { id, life } => u64::from(id.0) << 32 | u64::from(life),
        Value::Ability { of, ability, life } => 1 << 62 | u64::from(of.0) << 32 | u64::from(ability.0) << 16 | u64::from(life),
        Value::Player(player) => 2 << 62 | u64::from(player.0),
        Value::Pending(number) => 3 << 62 | u64::from(number),
        Value::Zone(place) => 1 << 61 | u64::from(place.0),
        _ => WITHOUT_RANK,
    }
}

/// Up to this many values a search goes through all of them.
const FEW: usize = 16;

/// Whether a value is one of these. The cards of an effect mostly stand in their order. So in a long list the value is first looked for as in
/// a sorted list. Only if this search fails, all values are compared.
#[must_use]
pub(crate) fn is_one_of(values: &[Value], value: Value) -> bool {
    let at = || values.binary_search_by_key(&rank_of(value), |other| rank_of(*other));
    values.len() > FEW && at().is_ok_and(|at| values.get(at) == Some(&value)) || values.contains(&value)
}

fn number(sum: Option<i32>, overflow: &mut bool) -> Value {
    *overflow |= sum.is_none();
    sum.map_or(Value::Undefined, Value::Number)
}
