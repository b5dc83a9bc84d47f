//! Counts how often abilities have been used: for each card's life, for each player, or for both, in a turn or while a duration lasts.

use crate::abilities::usable::counts_when_performed;
use crate::eval::fields::is_printed;
use crate::ids::{AbilityId, NodeId};
use crate::program::{Counted, Program};
use crate::run::Run;
use crate::state::{Branch, Events, State, Used};
use crate::steps::Observer;
use crate::value::{ObjectId, Player, Value};

impl Events {
    /// Counts a use. `none` says for whom and for how long the use is counted.
    fn count(&mut self, none: Used) {
        match self.uses.binary_search_by_key(&none.key(), Used::key) {
            Ok(at) => {
                if let Some(used) = self.uses.get_mut(at) {
                    used.count = used.count.saturating_add(1);
                }
            }
            Err(at) => self.uses.insert(at, Used { count: 1, ..none }),
        }
    }
}

impl State {
    /// How the uses of an ability are counted (for the card, the player or both, and for how long), with a count of 0.
    #[must_use]
    pub(crate) fn counted_as(&self, program: &Program, ability: Value, you: Player) -> Used {
        let Value::Ability { ability: which, .. } = ability else { return Used { ability, whose: None, until: None, count: 0 } };
        let def = program.abilities.get(which);
        let until = def.and_then(|def| def.per);
        match def.map_or(Counted::Card, |def| def.counted) {
            Counted::Card => Used { ability, whose: None, until, count: 0 },
            Counted::CardAndPlayer => Used { ability, whose: Some(you), until, count: 0 },
            Counted::Player => {
                let ability = Value::Ability { of: ObjectId::default(), ability: which, life: 0 };
                Used { ability, whose: Some(you), until, count: 0 }
            }
        }
    }

    /// How often an ability can be used in all. None: without a limit. A card that has an ability several times, from several effects, has
    /// the uses of each.
    #[must_use]
    pub(crate) fn most_uses(&self, program: &Program, ability: Value) -> Option<i32> {
        let Value::Ability { of, ability: which, .. } = ability else { return None };
        let def = program.abilities.get(which)?;
        let most = def.uses_per_turn?;
        if self.effects.granted.is_empty() || def.counted == Counted::Player {
            return Some(most);
        }
        let card = self.board.reference(of);
        let given = self.effects.granted.iter().filter(|granted| granted.ability == which && granted.to == card).count();
        let times = given + usize::from(is_printed(program, self, ability));
        Some(most.saturating_mul(i32::try_from(times.max(1)).unwrap_or(i32::MAX)))
    }

    /// The number of uses of an ability so far.
    #[must_use]
    pub(crate) fn used(&self, program: &Program, ability: Value, you: Player) -> i32 {
        let counted = self.counted_as(program, ability, you);
        let at = self.events.uses.binary_search_by_key(&counted.key(), Used::key);
        at.ok().and_then(|at| self.events.uses.get(at)).map_or(0, |used| i32::from(used.count))
    }

    /// Counts a use of a card's ability. An ability without a limit is not counted, because nobody can ask for the number.
    pub(crate) fn count_use(&mut self, program: &Program, ability: Value, you: Player) {
        if self.most_uses(program, ability).is_some() {
            let none = self.counted_as(program, ability, you);
            self.events.count(none);
        }
    }
}

/// The ability of a card whose use is counted. None for a body that is no ability of a card.
pub(crate) fn use_of(source: Value, ability: Option<AbilityId>) -> Option<Value> {
    let (Some(ability), Value::Object { id, life }) = (ability, source) else { return None };
    Some(Value::Ability { of: id, ability, life: life as u16 })
}

impl<O: Observer> Run<'_, O> {
    /// Whether an ability has a use left.
    pub(crate) fn has_use(&self, source: Value, ability: Option<AbilityId>, you: Player) -> bool {
        let Some(of) = use_of(source, ability) else { return true };
        self.state.most_uses(self.program, of).is_none_or(|most| self.state.used(self.program, of, you) < most)
    }

    /// Counts a use of a triggered or replacing ability. `false` if the ability has no use left.
    pub(crate) fn take_use(&mut self, source: Value, ability: Option<AbilityId>, you: Player) -> bool {
        let left = self.has_use(source, ability, you);
        if let Some(of) = use_of(source, ability).filter(|_| left) {
            self.state.count_use(self.program, of, you);
        }
        left
    }

    /// `count_use(a)`: counts a use of a waiting ability that is not performed, as if the ability had been performed now. An ability whose
    /// use was counted when it was announced or triggered is not counted again.
    pub(crate) fn count_use_of(&mut self, branch: &mut Branch, at: u16, node: NodeId) {
        let waits = if let Value::Pending(number) = self.value(branch, node) { self.state.events.waiting(number) } else { None };
        let counted = waits.map(|pending| {
            let counts = counts_when_performed(&self.program.policies, pending);
            (pending.source, pending.ability, pending.you, counts)
        });
        let done = counted.is_some_and(|(source, ability, you, counts)| !counts || self.take_use(source, ability, you));
        self.set_done(branch, at, done);
    }

    /// Takes back a counted use that was not made.
    pub(crate) fn give_back_use(&mut self, source: Value, ability: Option<AbilityId>, you: Player) {
        let Some(of) = use_of(source, ability) else { return };
        let used = self.state.counted_as(self.program, of, you);
        let uses = &mut self.state.events.uses;
        if let Some(used) = uses.iter_mut().find(|known| known.key() == used.key()) {
            used.count = used.count.saturating_sub(1);
        }
    }
}
