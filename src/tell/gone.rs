//! A state forgets what has waited and which effects were in force. Their cards are kept here, so that later words can name them.

use engine::ids::AbilityId;
use engine::state::{Pending, State, Waits};
use engine::steps::Step;
use engine::value::Value;
use std::collections::BTreeMap;

/// The things that waited, and the cards of effects, by their numbers in the game.
#[derive(Clone, Debug, Default)]
pub struct Gone {
    waited: BTreeMap<u32, Waited>,
    effects: BTreeMap<u32, Value>,
}

/// Something that waited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waited {
    /// The card that it belongs to.
    pub source: Value,
    /// What waited.
    pub waits: Waits,
    /// The ability that waited, if it is one.
    pub ability: Option<AbilityId>,
}

impl From<&Pending> for Waited {
    fn from(pending: &Pending) -> Self {
        Self { source: pending.source, waits: pending.waits, ability: pending.ability }
    }
}

impl Gone {
    /// Notes everything that waits or is in force now.
    pub fn keep(&mut self, state: &State) {
        self.waited.extend(state.events.pending.iter().map(|pending| (pending.number, Waited::from(&**pending))));
        self.effects.extend(state.effects.in_force.iter().map(|effect| (effect.number, effect.source)));
    }

    /// Notes the ability that begins to wait in this step, or the effect that begins.
    pub fn keep_new(&mut self, state: &State, step: &Step) {
        match step {
            Step::Waits(number, _) => self.waited.extend(state.events.waiting(*number).map(|pending| (*number, Waited::from(pending)))),
            Step::EffectBegins(number) => self.effects.extend(state.effects.get(*number).map(|effect| (*number, effect.source))),
            _ => {}
        }
    }

    /// The card of an ability that has waited.
    #[must_use]
    pub fn card_of_waiting(&self, number: u32) -> Option<Value> {
        self.waited.get(&number).map(|waited| waited.source)
    }

    /// The card of an effect that has been in force.
    #[must_use]
    pub fn card_of_effect(&self, number: u32) -> Option<Value> {
        self.effects.get(&number).copied()
    }

    pub(crate) fn waited(&self, number: u32) -> Option<Waited> {
        self.waited.get(&number).copied()
    }
}
