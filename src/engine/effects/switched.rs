//! Effects whose conditions come true together (`policy effects { ties = of_conditions }`): finds these effects, and notes since when the
//! condition of each is true. `equal_ages.rs` says whether their order matters, and puts them into an order.

use crate::eval::Eval;
use crate::ids::NodeId;
use crate::program::Program;
use crate::run::Run;
use crate::state::{Effect, Effects, Holds, Pairs};
use crate::steps::Observer;

impl Effects {
    /// All pairs of static effects in force that have conditions. Two effects of one ability are no pair.
    pub(super) fn conditional(&self, program: &Program) -> impl Iterator<Item = (&Effect, &Effect)> {
        let has_condition = |effect: &Effect| program.clauses.get(effect.clause).is_some_and(|clause| clause.condition != NodeId::NONE);
        let is_one = |effect: &Effect| matches!(effect.holds, Holds::Static(_) | Holds::Granted(..)) && has_condition(effect);
        let mut all: Vec<&Effect> = Vec::new();
        let mut pairs = Vec::new();
        for effect in self.in_force.iter().map(AsRef::as_ref).filter(|effect| is_one(effect)) {
            let others = all.iter().filter(|other| other.source != effect.source || other.holds != effect.holds);
            pairs.extend(others.map(|other| (*other, effect)));
            all.push(effect);
        }
        pairs.into_iter()
    }

    /// Whether the conditions of two effects have come true together, and nobody has put the two into an order since.
    pub(super) fn came_true_together(&self, one: u32, other: u32) -> bool {
        let since = |number: u32| self.switched.iter().find(|(of, _)| *of == number).and_then(|(_, since)| *since);
        since(one).is_some_and(|moment| since(other) == Some(moment))
    }

    /// These effects have been put into an order. Each gets a moment of its own, so they no longer count as having come true together.
    pub(super) fn are_in_order(&mut self, numbers: &[u32]) {
        let first = self.later_moment();
        let named = self.switched.iter_mut().filter(|(of, since)| numbers.contains(of) && since.is_some());
        for (moment, (_, since)) in (first..).zip(named) {
            *since = Some(moment);
        }
    }

    fn later_moment(&self) -> u32 {
        self.switched.iter().filter_map(|(_, since)| *since).max().map_or(0, |last| last.saturating_add(1))
    }
}

impl<O: Observer> Run<'_, O> {
    /// Notes which conditions are true, for the effects of these pairs. Conditions that are found to have come true at the same time have
    /// come true together. The condition of an effect that has just begun has not come true.
    pub(crate) fn note_switched(&mut self, pairs: &Pairs) {
        let mut numbers: Vec<u32> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let effects = &self.state.effects;
        let now = effects.later_moment();
        let mut own = now;
        let mut switched = Vec::with_capacity(numbers.len());
        for number in numbers {
            let Some(effect) = effects.get(number) else { continue };
            let mut eval = Eval::new(self.program, self.state, &[], &[], effect.you, effect.source);
            let is_true = eval.is_active(effect, effect.clause);
            let known = effects.switched.iter().find(|(of, _)| *of == number).map(|(_, since)| *since);
            let since = match known {
                _ if !is_true => None,
                Some(Some(since)) => Some(since),
                Some(None) => Some(now),
                None => {
                    own += 1;
                    Some(own)
                }
            };
            switched.push((number, since));
        }
        if self.state.effects.switched != switched {
            self.state.effects.switched = switched;
        }
    }
}
