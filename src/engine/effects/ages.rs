//! Ages of effects in games where an effect is as old as the end of the ability that began it (`policy effects { age }`).

use crate::program::Program;
use crate::run::Run;
use crate::state::readings;
use crate::state::{Branch, Effects, Role, State};
use crate::steps::Observer;

impl<O: Observer> Run<'_, O> {
    /// An effect has begun. If this happens in an ability that is being performed, the age of the effect is not known before that ability
    /// is over.
    pub(crate) fn date_later(&mut self, branch: &Branch, at: u16, effect: u32) {
        if self.program.policies.dated_at_end
            && let Some(ability) = self.ability_around(branch, at)
        {
            self.state.effects.undated.push((effect, ability));
        }
    }

    /// Abilities are over: the effects that they began are from now on as old as this moment.
    pub(crate) fn date_effects(&mut self, branch: &Branch, at: u16) {
        if self.state.effects.undated.is_empty() {
            return;
        }
        let is_over = |(of, frames): (u16, u16)| {
            let of = if of == at { Some(branch) } else { self.state.control.branches.get(usize::from(of)).map(|branch| &**branch) };
            of.is_none_or(|of| of.frames.len() < usize::from(frames))
        };
        let undated = &self.state.effects.undated;
        let over = undated.iter().filter(|(_, ability)| is_over(*ability)).map(|(effect, _)| *effect).collect::<Vec<u32>>();
        self.state.effects.undated.retain(|(effect, _)| !over.contains(effect));
        if !over.is_empty() {
            self.state.date(self.program, &over, at);
            self.state.control.changed_anywhere();
            self.settle_effects(crate::bits::Spots::ALL);
        }
    }

    /// The innermost ability that is being performed around a branch: the branch that performs it, and the number of calls there, the
    /// ability included.
    fn ability_around(&self, branch: &Branch, at: u16) -> Option<(u16, u16)> {
        let of = |branch: &Branch| branch.frames.iter().rposition(|frame| matches!(frame.role, Role::Ability(_)));
        let (mut here, mut at) = (branch, at);
        loop {
            if let Some(found) = of(here) {
                return Some((at, u16::try_from(found + 1).unwrap_or(u16::MAX)));
            }
            at = here.parent?;
            here = self.state.control.branches.get(usize::from(at))?;
        }
    }
}

impl State {
    /// Makes these effects younger than all others. They all get one age.
    fn date(&mut self, program: &Program, numbers: &[u32], branch: u16) {
        self.effects.date(numbers, 1 << (branch % 64));
        if !program.layers.is_empty() {
            self.effects.forget_extents(program);
        }
    }
}

impl Effects {
    fn date(&mut self, numbers: &[u32], branch: u64) {
        readings::note_beyond();
        let (step, mut time, mut branches) = self.dated;
        // Abilities that end in one step end together. Within one branch, the ability that ends later has the younger effects.
        if step != self.now || branches == 0 || branches & branch != 0 {
            (time, branches) = (self.next, 0);
            self.next += 1;
        }
        self.dated = (self.now, time, branches | branch);
        let times =
            self.in_force.iter().map(|effect| (effect.number, if numbers.contains(&effect.number) { time } else { effect.timestamp }));
        let times: Vec<(u32, u32)> = times.collect();
        self.put_in_order(&times);
    }
}
