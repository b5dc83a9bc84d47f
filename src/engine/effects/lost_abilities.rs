//! Abilities that effects take away, or *silence*: a disabled ability is there and does nothing, a stripped ability is not there.

use crate::eval::Eval;
use crate::eval::fields::{ability_of, is_printed};
use crate::limits::EFFECT_DEPTH;
use crate::program::{ClauseKind, StripDef};
use crate::state::{Effect, Holds};
use crate::value::Value;
use std::sync::Arc;

impl<'a> Eval<'a> {
    /// The first effect in force that disables an ability (it is there and does nothing) or strips it (it is not there). If a card has the
    /// ability several times, each of them must be disabled or stripped; the result is the effect for the last one.
    pub(crate) fn disabled_by(&mut self, ability: Value) -> Option<u32> {
        self.silenced_by(ability, false)
    }

    /// Like `disabled_by`. With `only_strips` only effects that strip count, because the question is only whether the ability is there.
    pub(crate) fn silenced_by(&mut self, ability: Value, only_strips: bool) -> Option<u32> {
        let effects = &self.state.effects;
        if effects.stripping == 0 && (only_strips || effects.disabling == 0) {
            return None;
        }
        let Value::Ability { of, ability: which, .. } = ability else { return None };
        let card = self.state.board.reference(of);
        let granted = effects.granted.iter().filter(|granted| granted.to == card && granted.ability == which);
        let granted: Vec<u32> = granted.map(|granted| granted.by).collect();
        let mut found = None;
        if granted.is_empty() || is_printed(self.program, self.state, ability) {
            found = Some(self.silencer(ability, None, only_strips)?);
        }
        for by in granted {
            found = Some(self.silencer(ability, Some(by), only_strips)?);
        }
        found
    }

    /// The first effect that disables or strips the ability from which an effect comes.
    pub(crate) fn silenced(&mut self, effect: &Effect) -> Option<u32> {
        let (ability, by) = asked_about(effect)?;
        self.silencer(ability, by, false)
    }

    /// The first effect that disables or strips an ability: the printed one, or with `by` the one that this effect grants.
    pub(crate) fn silencer(&mut self, ability: Value, by: Option<u32>, only_strips: bool) -> Option<u32> {
        let effects = &self.state.effects;
        if effects.stripping == 0 && (only_strips || effects.disabling == 0) {
            return None;
        }
        if self.is_outermost() {
            effects.asked.silencing.begin();
        }
        if self.program.layers.is_empty() {
            return self.disabler((ability, by), only_strips);
        }
        let granted_at = by.and_then(|by| effects.order.iter().position(|part| part.effect == by));
        let parts = self.applied().iter().enumerate();
        let mut silences = parts.filter(|(_, part)| part.field.is_none()).filter(|(at, part)| {
            let Some(clause) = effects.get(part.effect).and_then(|effect| self.program.clauses.get(effect.clause)) else { return false };
            let Some(extent) = &part.extent else { return false };
            match &clause.kind {
                ClauseKind::Disable(_) => !only_strips && extent.has(ability),
                ClauseKind::Strip { what, .. } => {
                    granted_at.is_none_or(|granted| granted < *at)
                        && extent.has(self.card_bearing(ability))
                        && self.is_stripped(what, ability)
                }
                _ => false,
            }
        });
        silences.next().map(|(_, part)| part.effect)
    }

    /// The card that has an ability.
    pub(crate) fn card_bearing(&self, ability: Value) -> Value {
        if let Value::Ability { of, .. } = ability { self.state.board.reference(of) } else { Value::Undefined }
    }

    /// Whether an ability is among those that a clause strips.
    pub(crate) fn is_stripped(&self, what: &[StripDef], ability: Value) -> bool {
        let Value::Ability { ability, .. } = ability else { return false };
        let Some(def) = self.program.abilities.get(ability) else { return false };
        what.iter().any(|what| match what {
            // A card does not lose what its type gives it, such as the way to play it.
            StripDef::All => !def.of_type,
            StripDef::Kind(kind) => def.kind == *kind,
            StripDef::Keyword(keyword) => def.keyword == Some(*keyword),
            StripDef::Script(script) => def.keyword.is_none() && def.script == *script,
        })
    }

    /// The first effect that disables or strips an ability and counts. An effect counts unless another effect that counts disables or
    /// strips its own ability. In a circle the earlier effect counts ([`Eval::silencer_in_circles`]). By policy all effects of a circle
    /// count ([`Eval::counts_in_circles`]).
    fn disabler(&mut self, asked: Asked, only_strips: bool) -> Option<u32> {
        let state = self.state;
        if self.program.policies.circles_count {
            let silences = |effect: &&'a Effect| self.would_silence(effect, asked, only_strips) && self.counts_in_circles(effect);
            return state.effects.in_force.iter().map(Arc::as_ref).find(silences).map(|effect| effect.number);
        }
        match self.disabler_in_rows(asked, only_strips, &mut Vec::new()) {
            Ok(found) => found,
            Err(InCircle) => self.silencer_in_circles(asked, only_strips),
        }
    }

    /// Like `disabler`, as long as effects that take abilities away stand in rows: each is asked only about effects that it has not led to.
    /// `path`: the effects that are being asked about.
    fn disabler_in_rows(&mut self, asked: Asked, only_strips: bool, path: &mut Vec<u32>) -> Result<Option<u32>, InCircle> {
        let state = self.state;
        for effect in state.effects.in_force.iter().map(Arc::as_ref) {
            if !self.would_silence(effect, asked, only_strips) {
                continue;
            }
            let Some(itself) = asked_about(effect) else { return Ok(Some(effect.number)) };
            if path.len() >= EFFECT_DEPTH || path.contains(&effect.number) || itself == asked {
                return Err(InCircle);
            }
            path.push(effect.number);
            let counts = self.disabler_in_rows(itself, false, path)?.is_none();
            path.pop();
            if counts {
                return Ok(Some(effect.number));
            }
        }
        Ok(None)
    }
}

/// An ability about which is asked whether it is silenced, and the effect that grants it (`None`: it is printed).
pub(crate) type Asked = (Value, Option<u32>);

/// Effects that take abilities away may stand in a circle.
struct InCircle;

/// The ability from which an effect comes.
pub(crate) fn asked_about(effect: &Effect) -> Option<Asked> {
    let by = if let Holds::Granted(_, by) = effect.holds { Some(by) } else { None };
    Some((ability_of(effect)?, by))
}
