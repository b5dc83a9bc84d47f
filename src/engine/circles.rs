//! Effects that silence one another in a circle: which of them count where the game says that all do (`policy effects`).

use super::eval::Eval;
use super::fields::ability_of;
use super::program::ClauseKind;
use super::state::{Effect, Holds};
use super::value::Value;

impl<'a> Eval<'a> {
    /// Whether an effect disables or strips an ability as it is printed, or as that effect grants it, if the effect itself counts.
    pub(super) fn would_silence(&mut self, effect: &'a Effect, (ability, by): (Value, Option<u32>), only_strips: bool) -> bool {
        let (program, state) = (self.program, self.state);
        let Some(clause) = program.clauses.get(effect.clause) else { return false };
        match &clause.kind {
            ClauseKind::Disable(_) | ClauseKind::Strip { .. } if !state.effects.silencing.ask() => false,
            ClauseKind::Disable(what) => {
                let applies = !only_strips && self.applies(effect, clause.condition, *what, ability);
                applies && !self.is_shielded_from_silence(self.bearer(ability), effect)
            }
            // What is granted later is not stripped.
            ClauseKind::Strip { from, what }
                if by.is_none_or(|by| state.effects.is_before(by, effect.number)) && self.is_stripped(what, ability) =>
            {
                let card = self.bearer(ability);
                self.applies(effect, clause.condition, *from, card) && !self.is_shielded_from_silence(card, effect)
            }
            _ => false,
        }
    }

    /// Whether an effect counts where all of a circle do: nothing that counts silences it from outside of the circles in which it
    /// stands itself. Between circles there is no circle, so that this ends.
    pub(super) fn counts_in_circles(&mut self, effect: &'a Effect) -> bool {
        let state = self.state;
        !state.effects.in_force.iter().any(|other| {
            self.would_end(other, effect) && !self.comes_round(effect, other, &mut Vec::new()) && self.counts_in_circles(other)
        })
    }

    /// Whether the first effect silences the ability that the second comes from.
    fn would_end(&mut self, first: &'a Effect, second: &'a Effect) -> bool {
        let Some(itself) = ability_of(second) else { return false };
        let by = if let Holds::Granted(_, by) = second.holds { Some(by) } else { None };
        self.would_silence(first, (itself, by), false)
    }

    /// Whether the first effect silences the second, or one that does so, and so on.
    fn comes_round(&mut self, first: &'a Effect, second: &'a Effect, seen: &mut Vec<u32>) -> bool {
        let state = self.state;
        seen.push(first.number);
        self.would_end(first, second)
            || state
                .effects
                .in_force
                .iter()
                .any(|next| !seen.contains(&next.number) && self.would_end(first, next) && self.comes_round(next, second, seen))
    }
}
