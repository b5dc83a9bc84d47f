//! What begins to wait: abilities whose event has happened, or whose condition has become true; and whether one that waits may still
//! be performed.

use super::eval::{Eval, lives};
use super::fields::is_printed;
use super::ids::{AbilityId, ClauseId, RoutineId, TextId};
use super::observe::{Observer, Step};
use super::program::ClauseKind;
use super::run::Run;
use super::state::{Branch, Effect, Holds, Pending, State, Waits};
use super::value::{Player, Value};
use super::watch::Happening;

/// An ability that is about to begin to wait.
struct Triggered {
    effect: u32,
    clause: ClauseId,
    holds: Holds,
    once: bool,
    body: RoutineId,
    source: Value,
    you: Player,
    captures: Vec<Value>,
    lists: Vec<Value>,
}

impl Triggered {
    fn of(effect: &Effect, you: Player, body: RoutineId, once: bool, bound: impl IntoIterator<Item = Value>) -> Self {
        let captures = effect.captures.iter().copied().chain(bound).collect();
        let lists = effect.lists.clone();
        Self { effect: effect.number, clause: effect.clause, holds: effect.holds, once, body, source: effect.source, you, captures, lists }
    }

    fn ability(&self) -> Option<AbilityId> {
        match self.holds {
            Holds::Static(ability) | Holds::Granted(ability, _) => Some(ability),
            Holds::Lasting(_) => None,
        }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Abilities that wait for an event begin to wait for their turn.
    pub(super) fn trigger(&mut self, branch: &Branch, at: u16, what: Happening<'_>) {
        let mut found = Vec::new();
        {
            let mut eval = self.eval(branch);
            for effect in &self.state.effects.in_force {
                let Some(clause) = self.program.clauses.get(effect.clause) else { continue };
                let ClauseKind::When { pattern, body, once } = clause.kind else { continue };
                let Some(bound) = eval.watches(effect, effect.clause, pattern, what) else { continue };
                if self.has_waited(effect) {
                    continue;
                }
                let binds = self.program.patterns.get(pattern).map_or(0, |pattern| usize::from(pattern.binds)).min(bound.len());
                found.push(Triggered::of(effect, eval.you_of(effect), body, once, bound.into_iter().take(binds)));
            }
        }
        for triggered in found {
            self.begin_to_wait(branch, at, triggered);
        }
    }

    /// The event being emitted lets abilities wait only once since a mark, and this one has.
    fn has_waited(&self, effect: &Effect) -> bool {
        let since = self.once;
        since != TextId(u32::MAX)
            && self
                .state
                .events
                .once
                .iter()
                .any(|(mark, clause, source)| *mark == since && *clause == effect.clause && *source == effect.source)
    }

    fn begin_to_wait(&mut self, branch: &Branch, at: u16, triggered: Triggered) {
        if self.once != TextId(u32::MAX) {
            self.state.events.once.push((self.once, triggered.clause, triggered.source));
        }
        let ability = triggered.ability();
        if self.program.policies.limit_at_trigger && !self.take_use(triggered.source, ability) {
            return;
        }
        let kind = ability.map_or(self.program.automatic, |ability| {
            self.program.abilities.get(ability).map_or_else(Default::default, |ability| ability.kind)
        });
        let Triggered { effect, clause, once, body, source, you, captures, lists, .. } = triggered;
        let mut pending = Pending { ability, captures, lists, ..Pending::new(Waits::Triggered(kind, clause), body, source, you) };
        pending.slots.resize(pending.fills(self.program).len(), Value::Undefined);
        self.wait(branch, at, pending);
        if once {
            for number in self.state.effects.end(self.program, |other| other.number == effect) {
                self.tell_cited(Default::default(), super::ids::Pc(u32::MAX), 0, at, &[], || Step::EffectEnds(number));
            }
        }
    }

    /// Whether an ability has a use left this turn.
    pub(super) fn has_use(&self, source: Value, ability: Option<AbilityId>) -> bool {
        let (Some(ability), Value::Object { id, life }) = (ability, source) else { return true };
        let Some(most) = self.program.abilities.get(ability).and_then(|def| def.uses_per_turn) else { return true };
        let used = Value::Ability { of: id, ability, life: life as u16 };
        let count = self.state.events.uses.iter().find(|(known, _)| *known == used).map_or(0, |(_, count)| i32::from(*count));
        count < most
    }

    /// Counts a use of a triggered ability, or of one that replaces; `false` when it has none left this turn.
    pub(super) fn take_use(&mut self, source: Value, ability: Option<AbilityId>) -> bool {
        let (Some(ability), Value::Object { id, life }) = (ability, source) else { return true };
        let Some(most) = self.program.abilities.get(ability).and_then(|def| def.uses_per_turn) else { return true };
        let used = Value::Ability { of: id, ability, life: life as u16 };
        let uses = &mut self.state.events.uses;
        let at = uses.iter().position(|(known, _)| *known == used);
        let at = at.unwrap_or_else(|| {
            uses.push((used, 0));
            uses.len() - 1
        });
        let Some((_, count)) = uses.get_mut(at) else { return false };
        if i32::from(*count) >= most {
            return false;
        }
        *count = count.saturating_add(1);
        true
    }

    /// Whether an ability that waits is still performed when its turn comes: always, unless the game says that one which its card
    /// has no longer, or that does nothing there, is not, or its uses are counted now and used up.
    pub(super) fn may_be_performed(&mut self, branch: &Branch, pending: &Pending) -> bool {
        // What was announced was used then, and goes on whatever becomes of its source.
        if let Waits::Announced(_) = pending.waits {
            return true;
        }
        if self.program.policies.lost_are_dropped && !self.still_there(branch, pending) {
            return false;
        }
        self.program.policies.limit_at_trigger || self.take_use(pending.source, pending.ability)
    }

    fn still_there(&mut self, branch: &Branch, pending: &Pending) -> bool {
        let (Some(ability), Value::Object { id, life }) = (pending.ability, pending.source) else { return true };
        let of = Value::Ability { of: id, ability, life: life as u16 };
        let lives = self.state.board.object(id).is_some_and(|object| lives(pending.source, object.life));
        lives && (is_printed(self.program, self.state, of) || self.has(of)) && self.eval(branch).disabled_by(of).is_none()
    }

    /// Abilities whose condition has become true begin to wait.
    #[inline(never)]
    pub(super) fn look_at_conditions(&mut self) {
        let mut found = Vec::new();
        let until_resolved = self.program.policies.state_until_resolved;
        for at in 0..self.state.effects.in_force.len() {
            let Some(effect) = self.state.effects.in_force.get(at) else { break };
            let Some(ClauseKind::Whenever { condition, body }) = self.program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            let mut eval = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
            let holds = eval.is_active(effect, effect.clause) && eval.inside(effect).holds(*condition);
            if holds && !effect.was {
                found.push(Triggered::of(effect, eval.you_of(effect), *body, false, []));
            }
            if let Some(effect) = self.state.effects.in_force.get_mut(at) {
                effect.was = holds || until_resolved && effect.was;
            }
        }
        let nobody = Branch::default();
        for triggered in found {
            self.begin_to_wait(&nobody, 0, triggered);
        }
    }

    /// A state trigger that has been performed may wait again.
    pub(super) fn conditions_resolved(&mut self) {
        if self.state.effects.awaiting == 0 || !self.program.policies.state_until_resolved {
            return;
        }
        let State { effects, events, .. } = &mut *self.state;
        for effect in effects.in_force.iter_mut().filter(|effect| effect.was) {
            effect.was = events.pending.iter().any(|pending| {
                pending.source == effect.source && matches!(pending.waits, Waits::Triggered(_, clause) if clause == effect.clause)
            });
        }
        self.look_at_conditions();
    }
}
