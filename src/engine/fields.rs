//! Properties of cards: printed, then changed by the effects in force, in the order in which these began.
//!
//! Computed, never stored. With no effect on a field in force a read is one look into the printed column.

use super::board::Object;
use super::eval::{Eval, lives};
use super::ids::{ClauseId, FieldId, Id, NodeId};
use super::limits::EFFECT_DEPTH;
use super::program::{ChangeDef, ChangeKind, ClauseKind};
use super::state::Effect;
use super::value::{ObjectId, Value};

impl<'a> Eval<'a> {
    /// A field of a card as it is now.
    pub fn field(&mut self, card: Value, field: FieldId) -> Value {
        let Some((id, object)) = self.object(card) else { return Value::Undefined };
        let Some(def) = self.program.fields.get(field) else { return Value::Undefined };
        self.look_at(id);
        if let Some(derived) = def.derived {
            return self.derived(id, &object, derived, self.as_printed);
        }
        if self.as_printed {
            return self.printed(card, field);
        }
        let printed = self.plain(&object, field);
        let touched = self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0;
        let value =
            if touched && lives(card, object.life) { self.changed(self.state.board.reference(id), field, printed, true) } else { printed };
        match (value, def.at_least) {
            (Value::Number(number), Some(least)) => Value::Number(number.max(least)),
            (value, _) => value,
        }
    }

    /// A computed field: its expression with the card as `this`. Expressions that come round to one another end as undefined.
    fn derived(&mut self, id: ObjectId, object: &Object, expression: NodeId, as_printed: bool) -> Value {
        let mut inner = Eval::new(self.program, self.state, &[], &[], object.owner, self.state.board.reference(id));
        inner.carry_on(self);
        inner.as_printed = as_printed;
        if inner.too_deep() {
            return Value::Undefined;
        }
        let value = inner.value(expression);
        self.read(inner.reads.get());
        self.overflow |= inner.overflow;
        self.peeked |= inner.peeked;
        value
    }

    /// Notes that a card is looked at: in a trial run what the watcher may not see ends it.
    pub fn look_at(&mut self, id: ObjectId) {
        self.peeked |= self.watcher.is_some_and(|player| !self.state.board.sees(self.program, player, id));
    }

    /// A field as printed; a computed one is computed from what is printed. Effects that set the printed value itself count, others do not.
    pub fn printed(&mut self, card: Value, field: FieldId) -> Value {
        let Some((id, object)) = self.object(card) else {
            let Value::Card(card) = card else { return Value::Undefined };
            return self.program.printed_value(card, field);
        };
        self.look_at(id);
        if let Some(derived) = self.program.fields.get(field).and_then(|field| field.derived) {
            return self.derived(id, &object, derived, true);
        }
        let printed = self.plain(&object, field);
        let touched = self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0;
        if touched && lives(card, object.life) { self.changed(self.state.board.reference(id), field, printed, false) } else { printed }
    }

    fn changed(&mut self, card: Value, field: FieldId, printed: Value, all: bool) -> Value {
        let mut value = printed;
        self.each_change(card, field, &mut |kind, amount| {
            if kind == ChangeKind::SetPrinted {
                value = amount;
            }
            true
        });
        if !all {
            return value;
        }
        let mut overflow = false;
        self.each_change(card, field, &mut |kind, amount| {
            value = match (kind, value, amount) {
                (ChangeKind::SetPrinted, ..) => return true,
                (ChangeKind::Set, _, amount) => amount,
                (ChangeKind::Add, Value::Number(a), Value::Number(b)) => number(a.checked_add(b), &mut overflow),
                (ChangeKind::Subtract, Value::Number(a), Value::Number(b)) => number(a.checked_sub(b), &mut overflow),
                (ChangeKind::Multiply, Value::Number(a), Value::Number(b)) => number(a.checked_mul(b), &mut overflow),
                (_, value, _) => value,
            };
            true
        });
        self.overflow |= overflow;
        value
    }

    /// Whether a set-valued field of a card has that member now (or a single-valued one is it).
    pub fn field_has(&mut self, card: Value, field: FieldId, what: Value) -> bool {
        if self.program.fields.get(field).is_some_and(|field| field.set) {
            self.field_members(card, field).contains(&what)
        } else {
            self.field(card, field) == what
        }
    }

    /// The members of a set-valued field now.
    pub fn field_members(&mut self, card: Value, field: FieldId) -> Vec<Value> {
        let Some((id, object)) = self.object(card) else { return Vec::new() };
        self.look_at(id);
        let mut members = self.printed_members(self.plain(&object, field));
        if self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0 && lives(card, object.life) {
            self.each_change(self.state.board.reference(id), field, &mut |kind, amount| {
                match kind {
                    ChangeKind::Add if !members.contains(&amount) => members.push(amount),
                    ChangeKind::Subtract => members.retain(|member| *member != amount),
                    ChangeKind::Set | ChangeKind::SetPrinted => members = vec![amount],
                    _ => {}
                }
                true
            });
        }
        members
    }

    /// The members of a set-valued field as printed: only effects that set the printed value itself count.
    pub fn original_members(&mut self, card: Value, field: FieldId) -> Vec<Value> {
        let Some((id, object)) = self.object(card) else { return Vec::new() };
        self.look_at(id);
        let mut members = self.printed_members(self.plain(&object, field));
        if self.state.effects.modifying.get(field.index()).copied().unwrap_or(0) > 0 && lives(card, object.life) {
            self.each_change(self.state.board.reference(id), field, &mut |kind, amount| {
                if kind == ChangeKind::SetPrinted {
                    members = vec![amount];
                }
                true
            });
        }
        members
    }

    fn printed_members(&self, printed: Value) -> Vec<Value> {
        match printed {
            Value::List { start, len } => {
                let members = self.program.printed_sets.get(start as usize..start as usize + usize::from(len));
                members.unwrap_or(&[]).to_vec()
            }
            Value::Undefined => Vec::new(),
            value => vec![value],
        }
    }

    /// Visits the changes of a field of a card that are in force, oldest first.
    fn each_change(&mut self, card: Value, field: FieldId, visit: &mut dyn FnMut(ChangeKind, Value) -> bool) {
        let (program, state) = (self.program, self.state);
        for effect in &state.effects.in_force {
            let Some(clause) = program.clauses.get(effect.clause) else { continue };
            let ClauseKind::Modify { what, changes } = &clause.kind else { continue };
            if !changes.iter().any(|change| change.field == field) || !self.applies(effect, clause.condition, *what, card) {
                continue;
            }
            if ability_of(effect).is_some_and(|ability| self.is_disabled(ability)) {
                continue;
            }
            for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.field == field) {
                let amount = self.amount(effect, index, change);
                if amount != Value::Undefined {
                    visit(change.op, amount);
                }
            }
        }
    }

    fn amount(&mut self, effect: &'a Effect, index: usize, change: &ChangeDef) -> Value {
        if let Some(amount) = effect.amounts.get(index) {
            return *amount;
        }
        let mut inner = self.inside(effect);
        if !inner.enter(effect.number) {
            return Value::Undefined;
        }
        let value = inner.value(change.value);
        self.overflow |= inner.overflow;
        value
    }

    /// Whether an effect in force applies to a card: its condition holds, read without the effect itself, and the card is among
    /// what it was begun on, or (static) what its set has now.
    fn applies(&mut self, effect: &'a Effect, condition: NodeId, what: NodeId, member: Value) -> bool {
        let mut inner = self.inside(effect);
        if !inner.enter(effect.number) {
            return false;
        }
        let among = match &effect.targets {
            Some(targets) => targets.contains(&member),
            None => inner.contains(what, member),
        };
        let applies = among && inner.holds(condition);
        self.overflow |= inner.overflow;
        applies
    }

    /// Whether an ability is disabled: there, but does nothing.
    pub fn is_disabled(&mut self, ability: Value) -> bool {
        self.disabled_by(ability).is_some()
    }

    /// The first effect in force that disables an ability.
    pub fn disabled_by(&mut self, ability: Value) -> Option<u32> {
        if self.state.effects.disabling == 0 {
            return None;
        }
        self.disabler(ability, &mut Vec::new())
    }

    /// The first effect that disables an ability and counts. One that disables counts unless another that counts disables it; where
    /// they come round to one another the earlier one counts, and of one batch all do (`path`: those that are being asked about).
    fn disabler(&mut self, ability: Value, path: &mut Vec<&'a Effect>) -> Option<u32> {
        let (program, state) = (self.program, self.state);
        let asked = path.last().map(|effect| effect.timestamp);
        let disables = |effect: &&'a Effect| {
            let Some(clause) = program.clauses.get(effect.clause) else { return false };
            let ClauseKind::Disable(what) = clause.kind else { return false };
            if !self.applies(effect, clause.condition, what, ability) {
                return false;
            }
            if path.iter().any(|other| other.number == effect.number) || path.len() >= EFFECT_DEPTH {
                return asked.is_none_or(|asked| effect.timestamp <= asked);
            }
            let Some(itself) = ability_of(effect) else { return true };
            path.push(effect);
            let counts = self.disabler(itself, path).is_none();
            path.pop();
            counts
        };
        state.effects.in_force.iter().find(disables).map(|effect| effect.number)
    }

    /// Whether the clause of an effect in force counts now: its condition holds and its ability is not disabled.
    pub fn is_active(&mut self, effect: &'a Effect, clause: ClauseId) -> bool {
        let Some(clause) = self.program.clauses.get(clause) else { return false };
        if ability_of(effect).is_some_and(|ability| self.is_disabled(ability)) {
            return false;
        }
        let mut inner = self.inside(effect);
        inner.enter(effect.number) && inner.holds(clause.condition)
    }
}

/// The static ability that an effect comes from.
fn ability_of(effect: &Effect) -> Option<Value> {
    let (super::state::Holds::Static(ability), Value::Object { id, life }) = (effect.holds, effect.source) else { return None };
    Some(Value::Ability { of: id, ability, life: life as u16 })
}

fn number(sum: Option<i32>, overflow: &mut bool) -> Value {
    *overflow |= sum.is_none();
    sum.map_or(Value::Undefined, Value::Number)
}
