//! Effects as values: which effects apply to something, and values as they would be without some effects.
//!
//! These values are read on a copy of the state in which the effects have ended and everything that depends on them is computed again.
//! The game itself is never changed.
//!
//! To leave the effects out of one reading would not be enough: the abilities that they granted or disabled, and the order of other
//! effects, would stay as they are.

use crate::eval::Eval;
use crate::eval::fields::ability_of;
use crate::ids::{FieldId, NodeId};
use crate::limits::{READINGS_OF_A_COPY, SUPPOSED};
use crate::program::{ClauseKind, Way};
use crate::state::Effect;
use crate::value::Value;
use smallvec::SmallVec;
use std::sync::Arc;

impl<'a> Eval<'a> {
    /// Reads a value as if the effects that `effects` names were not in force. Gives the default value if this is nested too deeply.
    pub(crate) fn without<T: Default>(&mut self, effects: NodeId, read: impl for<'b> FnOnce(&mut Eval<'b>) -> T) -> T {
        let numbers = self.named_effects(effects);
        if numbers.is_empty() {
            return read(self);
        }
        if self.state.effects.supposed >= SUPPOSED || self.too_deep() {
            return T::default();
        }
        let within = &self.state.effects.asked.effects_within;
        if self.of_effect.is_some() && !within.ask_more(READINGS_OF_A_COPY) {
            return T::default();
        }
        let mut copy = self.state.clone();
        copy.leave_out(self.program, &numbers, self.upto);
        let mut inner = self.elsewhere(&copy);
        let value = read(&mut inner);
        within.take_over(&copy.effects.asked.effects_within);
        let (reads, overflow, peeked) = (inner.reads.get(), inner.overflow, inner.peeked);
        self.read(reads);
        self.overflow |= overflow;
        self.peeked |= peeked;
        value
    }

    /// The members of a set, in order.
    pub(crate) fn members(&mut self, set: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        self.each(set, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    /// The numbers of the effects in force that a set names: by the effects themselves, by their abilities, or by the cards that they come
    /// from.
    pub(crate) fn named_effects(&mut self, effects: NodeId) -> Vec<u32> {
        let named = self.members(effects);
        let is_named = |effect: &&Effect| {
            let ability = ability_of(effect);
            named.iter().any(|name| match name {
                Value::Effect(number) => effect.number == *number,
                Value::Ability { .. } => ability == Some(*name),
                other => effect.source == *other,
            })
        };
        let mut numbers: Vec<u32> =
            self.state.effects.in_force.iter().map(Arc::as_ref).filter(is_named).map(|effect| effect.number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The effects in force that apply to a card or player, the oldest first.
    pub(crate) fn effects_on(&mut self, of: Value) -> Vec<Value> {
        if let Some((id, object)) = self.object(of) {
            self.look_at(id, &object);
        }
        let state = self.state;
        let of = if let Some((id, _)) = self.object(of).filter(|_| !self.is_over(of)) { state.board.reference(id) } else { of };
        // In a row, the parts are gone through once for all effects.
        let reached = if self.program.layers.is_empty() { SmallVec::new() } else { self.reached_by_row(of) };
        let applies = |effect: &&'a Effect| self.is_on(effect, of, &reached);
        state.effects.in_force.iter().map(Arc::as_ref).filter(applies).map(|effect| Value::Effect(effect.number)).collect()
    }

    /// The effects with a part in the row that applies to a card.
    fn reached_by_row(&mut self, of: Value) -> SmallVec<[u32; 8]> {
        let mut reached: SmallVec<[u32; 8]> = SmallVec::new();
        for (at, part) in self.applied().iter().enumerate() {
            if reached.contains(&part.effect) {
                continue;
            }
            let has = match part.kept() {
                Some(extent) => extent.has(of),
                None if part.field.is_some() => self.part(at).is_some_and(|(_, _, extent)| extent.has(of)),
                None => part.extent.as_ref().is_some_and(|extent| extent.has(of)),
            };
            if has {
                reached.push(part.effect);
            }
        }
        reached
    }

    /// Whether an effect applies to something. `reached`: the effects whose parts in the row apply to it.
    fn is_on(&mut self, effect: &'a Effect, of: Value, reached: &[u32]) -> bool {
        let Some(clause) = self.program.clauses.get(effect.clause) else { return false };
        let Some(what) = clause.kind.applies_to() else { return false };
        let in_layers =
            !matches!(clause.kind, ClauseKind::Control { .. } | ClauseKind::Shield { .. } | ClauseKind::ShieldFromChoices { .. });
        let applies = if in_layers && !self.program.layers.is_empty() {
            reached.contains(&effect.number)
        } else {
            self.applies(effect, clause.condition, what, of) && self.silenced(effect).is_none()
        };
        applies && !self.is_shielded(of, effect) && !self.does_nothing(of, effect, clause)
    }

    /// Whether the effect whose clause is read reaches a card, because no shield keeps it off. Always true outside of clauses.
    pub(crate) fn reaches(&mut self, card: NodeId) -> bool {
        let value = self.value(card);
        let card = self.living_reference(value);
        let effect = self.of_effect.and_then(|number| self.state.effects.get(number));
        effect.is_none_or(|effect| !self.is_shielded(card, effect))
    }

    /// Whether another effect in force shields a card from this one.
    pub(crate) fn is_shielded(&mut self, card: Value, effect: &Effect) -> bool {
        self.shielded_by(card, effect).is_some()
    }

    /// The effect that shields a card from this one.
    pub(crate) fn shielded_by(&mut self, card: Value, effect: &Effect) -> Option<u32> {
        self.shield(card, effect, None, true)
    }

    /// The effect that shields a card from this effect's change of a field.
    pub(crate) fn shielded_from_turning(&mut self, card: Value, effect: &Effect, turning: (FieldId, Way)) -> Option<u32> {
        self.shield(card, effect, Some(turning), true)
    }

    /// Whether another effect in force shields a card from this one, for the question whether an ability does anything. Whether the
    /// shield's own ability does anything is not asked then. So a card that is shielded from an effect is also shielded from being disabled
    /// by it.
    pub(crate) fn is_shielded_from_silence(&mut self, card: Value, effect: &Effect) -> bool {
        self.shield(card, effect, None, false).is_some()
    }

    fn shield(&mut self, card: Value, effect: &Effect, from: Option<(FieldId, Way)>, only_active: bool) -> Option<u32> {
        if self.state.effects.shielding == 0 {
            return None;
        }
        let (program, state) = (self.program, self.state);
        if self.is_outermost() {
            state.effects.asked.silencing.begin();
        }
        state.effects.asked.work.add(state.effects.in_force.len());
        let silences = program.clauses.get(effect.clause).is_some_and(|clause| clause.kind.silences());
        let others = state.effects.in_force.iter().filter(|shield| shield.number != effect.number);
        let mut shields = others.filter(|shield| {
            let Some(clause) = program.clauses.get(shield.clause) else { return false };
            let ClauseKind::Shield { what, before_now, turning, effects } = clause.kind else { return false };
            if turning != from {
                return false;
            }
            // Whether a shield counts may depend on another shield, and so on.
            if !state.effects.asked.silencing.ask() {
                return false;
            }
            if before_now && !state.effects.is_before(effect.number, shield.number) {
                return false;
            }
            self.applies(shield, clause.condition, what, card)
                && self.shields_from(shield, effects, effect.number)
                && (!only_active || self.silenced(shield).is_none() && !(silences && self.is_silenced_first(shield, effect.number)))
        });
        shields.next().map(|shield| shield.number)
    }

    /// Whether an older effect takes away the very ability that shields from it. Both effects depend on each other, so the older one
    /// counts.
    fn is_silenced_first(&mut self, shield: &Effect, by: u32) -> bool {
        let (program, state) = (self.program, self.state);
        let (Some(ability), Some(by)) = (ability_of(shield), state.effects.get(by)) else { return false };
        let Some(clause) = program.clauses.get(by.clause) else { return false };
        if program.layers.is_empty() || !state.effects.is_before(by.number, shield.number) {
            return false;
        }
        match &clause.kind {
            ClauseKind::Disable(what) => self.applies(by, clause.condition, *what, ability),
            ClauseKind::Strip { from, what } => {
                self.is_stripped(what, ability) && self.applies(by, clause.condition, *from, self.card_bearing(ability))
            }
            _ => false,
        }
    }

    /// Whether a shield keeps off the effect with this number.
    fn shields_from(&mut self, shield: &'a Effect, effects: NodeId, number: u32) -> bool {
        if effects == NodeId::NONE {
            return true;
        }
        let mut inner = self.inside(shield);
        // If a shield's condition asks whether the shield counts, the shield does not count for that question.
        let holds = inner.enter(shield.number) && inner.bind(Value::Effect(number), |inner| inner.holds(effects));
        let overflow = inner.overflow;
        self.overflow |= overflow;
        holds
    }
}
