//! Decides whether an ability of a card, or a waiting ability, can be used now (docs/kernel/abilities.md).
//!
//! `perform` and `usable(a)` get the same answer. Costs and slots are not checked here; they have questions of their own (`can pay`,
//! `still`).

use crate::abilities::use_counts::use_of;
use crate::eval::Eval;
use crate::eval::fields::is_printed;
use crate::ids::NodeId;
use crate::program::{Policies, Program};
use crate::state::{Pending, State, Waits};
use crate::steps::Why;
use crate::value::{Player, Value};

impl Eval<'_> {
    /// `usable(a)`: whether `perform` would carry the ability out now. `by`: the player who would use it (`NodeId::NONE`: its controller).
    pub(crate) fn usable(&mut self, ability: NodeId, by: NodeId) -> Value {
        let by = if by == NodeId::NONE { None } else { self.player(by) };
        match self.value(ability) {
            Value::Pending(number) => {
                let state = self.state;
                Value::Bool(state.events.waiting(number).is_some_and(|pending| self.not_performed(pending).is_none()))
            }
            of @ Value::Ability { .. } => Value::Bool(self.unusable(of, by).is_none()),
            _ => Value::Undefined,
        }
    }

    /// The printed line of an ability, or its body: the line without its headings. Undefined if the value is no ability, or if no card
    /// prints the ability.
    pub(crate) fn ability_text(&mut self, ability: NodeId, body: bool) -> Value {
        let which = match self.value(ability) {
            Value::Pending(number) => self.state.events.waiting(number).and_then(|pending| pending.ability),
            Value::Ability { of, ability, .. } => {
                if let Some(object) = self.state.board.object(of).copied() {
                    self.look_at(of, &object);
                }
                Some(ability)
            }
            _ => None,
        };
        let found = which.and_then(|which| self.program.ability_line(which));
        found.map_or(Value::Undefined, |text| Value::Text(if body { text.body } else { text.line }))
    }

    /// Why an ability of a card cannot be used now.
    pub(crate) fn unusable(&mut self, ability: Value, by: Option<Player>) -> Option<Why> {
        self.unusable_in(ability, by, false)
    }

    /// Why an ability of a card cannot be used now. `by`: the player who would use it, if not its controller. `anywhere`: the ability may
    /// be used in every zone.
    pub(crate) fn unusable_in(&mut self, ability: Value, by: Option<Player>, anywhere: bool) -> Option<Why> {
        let Value::Ability { of, ability: which, .. } = ability else { return Some(Why::Missing) };
        let object = *self.state.board.object(of)?;
        if !ability.lives(object.life)
            || !(anywhere || crate::effects::works(self.program, &object, which))
            || !self.state.has_ability(self.program, ability)
        {
            return Some(Why::Inactive);
        }
        if let Some(effect) = self.disabled_by(ability) {
            return Some(Why::Disabled(effect));
        }
        let most = self.state.most_uses(self.program, ability)?;
        let you = by.or_else(|| self.controller_or_nobody(self.state.board.reference(of))).unwrap_or_default();
        (self.state.used(self.program, ability, you) >= most).then_some(Why::UsedUp)
    }

    /// Why a waiting ability would not be performed now.
    fn not_performed(&mut self, pending: &Pending) -> Option<Why> {
        let why = self.not_there(pending);
        let of = used(pending);
        why.or_else(|| {
            let of = of.filter(|_| counts_when_performed(&self.program.policies, pending))?;
            let most = self.state.most_uses(self.program, of)?;
            (self.state.used(self.program, of, pending.you) >= most).then_some(Why::UsedUp)
        })
    }

    /// Why the game drops a waiting ability. An announced ability goes on whatever happens to its card, except that some games drop it if
    /// it is disabled.
    pub(crate) fn not_there(&mut self, pending: &Pending) -> Option<Why> {
        let Policies { lost_are_dropped: lost, left_are_dropped: left, disabled_are_dropped: disabled, .. } = self.program.policies;
        if matches!(pending.waits, Waits::Announced(_)) {
            let of = used(pending).filter(|_| self.program.policies.announced_disabled_are_dropped)?;
            return self.disabled_by(of).map(Why::Disabled);
        }
        if !(lost || left || disabled) {
            return None;
        }
        self.what_became_of(pending).filter(|why| match why {
            Why::Left => left,
            Why::Lost(_) => lost,
            _ => disabled,
        })
    }

    /// What has happened to a waiting ability: its card has left, the card has lost the ability, or the ability is disabled. The game's
    /// policies decide whether the ability is dropped for that.
    pub(crate) fn what_became_of(&mut self, pending: &Pending) -> Option<Why> {
        let of = used(pending)?;
        let Value::Object { id, .. } = pending.source else { return None };
        if !self.state.board.object(id).is_some_and(|object| pending.source.lives(object.life)) {
            return Some(Why::Left);
        }
        let taken = self.silenced_by(of, true);
        if taken.is_some() || !self.state.has_ability(self.program, of) {
            return Some(Why::Lost(taken));
        }
        self.disabled_by(of).map(Why::Disabled)
    }
}

/// Whether the use of a waiting ability is counted when it is performed.
pub(crate) fn counts_when_performed(policies: &Policies, pending: &Pending) -> bool {
    match pending.waits {
        // The use of an announced ability was counted when it was announced, or is counted now.
        Waits::Announced(_) => policies.announced_at_use,
        _ => !policies.limit_at_trigger,
    }
}

/// The card's ability that a waiting ability is a use of.
pub(crate) fn used(pending: &Pending) -> Option<Value> {
    use_of(pending.source, pending.ability)
}

impl State {
    /// Whether the card has the ability: the ability is printed on the card, or an effect gives it.
    pub(crate) fn has_ability(&self, program: &Program, ability: Value) -> bool {
        let Value::Ability { of, ability: which, .. } = ability else { return false };
        let card = self.board.reference(of);
        is_printed(program, self, ability) || self.effects.granted.iter().any(|granted| granted.ability == which && granted.to == card)
    }
}
