//! Tells an onlooker about effects that stay in force: the condition of an effect becomes true or false, or an ability of a card that
//! everybody sees is taken away or comes back.
//!
//! The engine checks this between statements, only if somebody watches. The earlier result is no part of a state. It is computed again
//! whenever a run begins, because nothing changes between two runs.

use crate::effects::works;
use crate::eval::fields::ability_of;
use crate::eval::{Eval, unread};
use crate::ids::{AbilityId, CitesId, NodeId};
use crate::program::{ClauseKind, Op, Principle};
use crate::run::Run;
use crate::state::{Branch, Circle};
use crate::steps::{Observer, Step};
use crate::value::{ObjectId, Place, Player, Value};

/// The results of the last check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The effects with a condition, by their numbers, and whether the condition is true.
    conditions: Vec<(u32, bool)>,
    /// The abilities that are taken away, each with the effect that does so.
    silenced: Vec<(Value, u32)>,
    /// The circles of effects.
    circles: Vec<Circle>,
}

/// Whether a statement can change the condition of an effect. A statement cannot if it touches only registers, asks, or begins or ends a
/// block.
pub(crate) fn may_change(op: &Op) -> bool {
    !matches!(
        op,
        Op::Let { .. }
            | Op::LetSet { .. }
            | Op::Iterate { .. }
            | Op::Next { .. }
            | Op::CountDown { .. }
            | Op::Jump(_)
            | Op::JumpUnless { .. }
            | Op::Call { .. }
            | Op::Perform { .. }
            | Op::Choose { .. }
            | Op::May { .. }
            | Op::Offer { .. }
            | Op::Judge
            | Op::Veil
            | Op::VeilEnd
            | Op::Hold
            | Op::Meet
            | Op::TakeRest
            | Op::Fork { .. }
            | Op::ForkFor { .. }
            | Op::BranchEnd
            | Op::ActAs { .. }
            | Op::ActEnd { .. }
            | Op::Because { .. }
            | Op::BecauseEnd { .. }
            | Op::CauseHere { .. }
            | Op::Demand { .. }
    )
}

impl<O: Observer> Run<'_, O> {
    /// Notes the present results without telling anything.
    pub(crate) fn note_standing(&mut self) {
        if O::ON && self.trial.is_none() {
            let mut now = unread::unnoted(|| self.standing());
            if self.state.control.laid {
                // In a position that has just been laid out, no circle has been told yet.
                now.circles.clear();
            }
            self.scratch.standing = now;
        }
    }

    /// Tells everything that has changed since the last check.
    pub(crate) fn tell_standing(&mut self, branch: &Branch, at: u16) {
        let before = &self.scratch.standing;
        let nothing = self.state.effects.in_force.is_empty() && before.conditions.is_empty() && before.silenced.is_empty();
        if nothing || self.trial.is_some() {
            return;
        }
        let now = unread::unnoted(|| self.standing());
        if now == self.scratch.standing {
            return;
        }
        let before = std::mem::replace(&mut self.scratch.standing, now.clone());
        let (pc, depth) = (branch.now(), branch.frames.len());
        for (number, met) in &now.conditions {
            if before.conditions.contains(&(*number, !met)) {
                let (cites, decisive) = self.condition_of(*number);
                self.tell_cited(cites, pc, depth, at, &[], || Step::Condition { effect: *number, met: *met });
                self.tell_operands(&decisive, pc, depth, at);
            }
        }
        for circle in now.circles.iter().filter(|circle| !before.circles.contains(circle)) {
            let cites = self.program.principle(Principle::EffectCircle);
            self.tell_cited(cites, pc, depth, at, &[], || Step::EffectCircle(circle.clone()));
        }
        for (ability, by) in &now.silenced {
            if !before.silenced.iter().any(|(other, _)| other == ability) {
                let (cites, lost) = self.silencing(*by);
                self.tell_cited(cites, pc, depth, at, &[], || Step::Silenced { ability: *ability, by: *by, lost });
            }
        }
        for (ability, _) in &before.silenced {
            if !now.silenced.iter().any(|(other, _)| other == ability) && self.is_at_work(*ability) {
                self.tell_cited(CitesId::default(), pc, depth, at, &[], || Step::Back(*ability));
            }
        }
    }

    fn standing(&self) -> Standing {
        let effects = &self.state.effects;
        let conditions = effects.in_force.iter().filter_map(|effect| {
            let clause = self.program.clauses.get(effect.clause)?;
            // Clauses under one `while` count as one effect.
            let another = clause.under.is_some_and(|first| first != effect.clause);
            if clause.condition == NodeId::NONE || another {
                return None;
            }
            let outer = Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
            let mut inner = outer.inside(effect);
            inner.enter(effect.number).then(|| (effect.number, inner.holds(clause.condition)))
        });
        let conditions = conditions.collect();
        let mut silenced = Vec::new();
        let circles = self.state.circles(self.program, || {
            silenced = self.silenced_abilities();
            self.look_at_controllers();
        });
        // What goes first in a circle has been applied before the others could take it away.
        silenced.retain(|(ability, by)| {
            let is_of = |number: &u32| effects.get(*number).and_then(ability_of) == Some(*ability);
            !circles.iter().any(|circle| circle.others.contains(by) && circle.first.iter().any(is_of))
        });
        Standing { conditions, silenced, circles }
    }

    /// In a game without layers, finds out who controls each card, so that circles of effects are found.
    fn look_at_controllers(&self) {
        if self.state.effects.controlling == 0 || !self.program.layers.is_empty() {
            return;
        }
        let mut eval = Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
        for id in 0..self.state.board.objects.len() {
            eval.controller_of(self.state.board.reference(ObjectId(id as u16)));
        }
    }

    /// The abilities that are taken away from cards that everybody sees, if the abilities would work there.
    fn silenced_abilities(&self) -> Vec<(Value, u32)> {
        let (program, board, effects) = (self.program, &self.state.board, &self.state.effects);
        if effects.disabling == 0 && effects.stripping == 0 {
            return Vec::new();
        }
        let mut eval = Eval::new(program, self.state, &[], &[], Player(0), Value::Undefined);
        let mut found = Vec::new();
        for (at, object) in board.objects.iter().enumerate().filter(|(_, object)| object.place != Place::NOWHERE) {
            let (id, card) = (ObjectId(at as u16), program.cards.get(object.card));
            let Some(card) = card.filter(|_| (0..program.players).all(|player| board.sees(program, Player(player), id))) else { continue };
            let granted = effects.granted.iter().filter(|granted| granted.to == board.reference(id)).map(|granted| granted.ability);
            for ability in (0..card.abilities.1).map(|at| AbilityId(card.abilities.0.0 + at)).chain(granted) {
                let value = Value::Ability { of: id, ability, life: object.life as u16 };
                if works(program, object, ability)
                    && let Some(by) = eval.disabled_by(value)
                {
                    found.push((value, by));
                }
            }
        }
        found
    }

    /// Whether an ability is back at work, and not gone together with its card.
    fn is_at_work(&self, ability: Value) -> bool {
        let Value::Ability { of, ability, life } = ability else { return false };
        self.state.board.object(of).is_some_and(|object| object.life as u16 == life && works(self.program, object, ability))
    }

    /// The rules of an effect's clause, and the conditions with their own rules that decide whether the effect counts.
    fn condition_of(&self, number: u32) -> (CitesId, Vec<(usize, bool)>) {
        let Some(effect) = self.state.effects.get(number) else { return Default::default() };
        let Some(clause) = self.program.clauses.get(effect.clause) else { return Default::default() };
        let outer = Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
        let mut inner = outer.inside(effect);
        let decisive = if inner.enter(number) { inner.decisive(clause.condition) } else { Vec::new() };
        (clause.cites, decisive)
    }

    /// The rules of the clause that takes an ability away, and whether the card has lost the ability.
    fn silencing(&self, number: u32) -> (CitesId, bool) {
        let clause = self.state.effects.get(number).and_then(|effect| self.program.clauses.get(effect.clause));
        clause.map_or((CitesId::default(), false), |clause| (clause.cites, matches!(clause.kind, ClauseKind::Strip { .. })))
    }
}
