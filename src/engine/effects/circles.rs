//! Effects that disable one another in a circle, in games where all of them count (`policy effects`). Also, in games without layers,
//! effects that read one another's results as their amounts: the oldest goes first.

use crate::engine::eval::Eval;
use crate::engine::eval::fields::ability_of;
use crate::engine::program::ClauseKind;
use crate::engine::state::{Effect, Holds};
use crate::engine::value::Value;

impl<'a> Eval<'a> {
    /// Notes that the amount of an effect is being read; `false` where that may not be (see [`Eval::enter`]).
    pub(in crate::engine) fn enter_amount(&mut self, effect: u32) -> bool {
        let place = self.readings;
        if !self.enter(effect) {
            self.note_circle(effect);
            return false;
        }
        self.amounts |= 1 << place;
        self.state.effects.left_out.begin(place);
        true
    }

    /// Whether the effect whose amount has just been read counts as not there, because it leads back to an older one that is being read.
    pub(in crate::engine) fn is_left_out(&self) -> bool {
        self.state.effects.left_out.is(self.readings)
    }

    /// An effect that is being read has been come to again. If there are only amounts in the circle, its oldest effect reads what was there
    /// before: the effect that it has come to first is left out.
    pub(in crate::engine) fn note_circle(&self, effect: u32) {
        let reading = self.reading.get(..self.readings).unwrap_or(&[]);
        let Some(first) = reading.iter().position(|number| *number == effect) else { return };
        if !self.program.layers.is_empty() || (first..reading.len()).any(|place| self.amounts & 1 << place == 0) {
            return;
        }
        let age = |number: u32| self.state.effects.in_force.iter().position(|effect| effect.number == number);
        let circle = reading.iter().enumerate().skip(first);
        let Some((oldest, _)) = circle.min_by_key(|(_, number)| age(**number)) else { return };
        if oldest + 1 < reading.len() {
            self.state.effects.left_out.note(oldest + 1);
        }
    }

    /// Whether an effect disables or strips an ability as it is printed, or as that effect grants it, if the effect itself counts.
    pub(in crate::engine) fn would_silence(&mut self, effect: &'a Effect, (ability, by): (Value, Option<u32>), only_strips: bool) -> bool {
        let (program, state) = (self.program, self.state);
        let Some(clause) = program.clauses.get(effect.clause) else { return false };
        match &clause.kind {
            ClauseKind::Disable(_) | ClauseKind::Strip { .. } if !state.effects.asked.silencing.ask() => false,
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
    pub(in crate::engine) fn counts_in_circles(&mut self, effect: &'a Effect) -> bool {
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
