//! Effects that disable one another in a circle, in games where all of them count (`policy effects`). Also, in games without layers,
//! effects that use one another's results as their amounts: the oldest effect goes first.

use crate::engine::eval::Eval;
use crate::engine::eval::fields::ability_of;
use crate::engine::program::ClauseKind;
use crate::engine::state::{Effect, Holds};
use crate::engine::value::Value;

impl<'a> Eval<'a> {
    /// Notes that the amount of an effect is being read. `false` if the amount may not be read here (see [`Eval::enter`]).
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

    /// Whether the effect whose amount has just been read counts as not there. It is if it leads back to an older effect that is being
    /// read.
    pub(in crate::engine) fn is_left_out(&self) -> bool {
        self.state.effects.left_out.is(self.readings)
    }

    /// An effect that is being read has been reached again. If the circle consists of amounts only, its oldest effect reads the value
    /// without the change that leads back to it. So the effect that the oldest one reads next is left out.
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

    /// Whether an effect, if it counts itself, disables or strips an ability. `by`: the effect that grants the ability; `None`: it is
    /// printed.
    pub(in crate::engine) fn would_silence(&mut self, effect: &'a Effect, (ability, by): (Value, Option<u32>), only_strips: bool) -> bool {
        let (program, state) = (self.program, self.state);
        let Some(clause) = program.clauses.get(effect.clause) else { return false };
        match &clause.kind {
            ClauseKind::Disable(_) | ClauseKind::Strip { .. } if !state.effects.asked.silencing.ask() => false,
            ClauseKind::Disable(what) => {
                let applies = !only_strips && self.applies(effect, clause.condition, *what, ability);
                applies && !self.is_shielded_from_silence(self.bearer(ability), effect)
            }
            // An ability that is granted later than the strip is not stripped.
            ClauseKind::Strip { from, what }
                if by.is_none_or(|by| state.effects.is_before(by, effect.number)) && self.is_stripped(what, ability) =>
            {
                let card = self.bearer(ability);
                self.applies(effect, clause.condition, *from, card) && !self.is_shielded_from_silence(card, effect)
            }
            _ => false,
        }
    }

    /// Whether an effect counts in a game where all effects of a circle count. It counts unless an effect from outside of its circles
    /// silences its ability and counts itself. Circles form no circle with one another, so this ends.
    pub(in crate::engine) fn counts_in_circles(&mut self, effect: &'a Effect) -> bool {
        let state = self.state;
        !state.effects.in_force.iter().any(|other| {
            self.would_end(other, effect) && !self.comes_round(effect, other, &mut Vec::new()) && self.counts_in_circles(other)
        })
    }

    /// Whether the first effect silences the ability from which the second comes.
    fn would_end(&mut self, first: &'a Effect, second: &'a Effect) -> bool {
        let Some(itself) = ability_of(second) else { return false };
        let by = if let Holds::Granted(_, by) = second.holds { Some(by) } else { None };
        self.would_silence(first, (itself, by), false)
    }

    /// Whether the first effect silences the second, directly or through a chain of effects of which each silences the next.
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
