//! How old effects are that abilities begin, where the game says that they are as old as the end of the ability (`policy effects { age }`).

use super::observe::Observer;
use super::program::Program;
use super::run::Run;
use super::state::{Branch, Effects, Role, State};

impl<O: Observer> Run<'_, O> {
    /// An effect has begun: in an ability that is being performed its age is not known before that is over.
    pub fn date_later(&mut self, branch: &Branch, effect: u32) {
        if self.program.policies.dated_at_end {
            let depth = self.abilities_around(branch);
            if depth > 0 {
                self.state.effects.undated.push((effect, depth));
            }
        }
    }

    /// Abilities are over: what they began is from now on as old as this moment.
    pub fn date_effects(&mut self, branch: &Branch) {
        if self.state.effects.undated.is_empty() {
            return;
        }
        let depth = self.abilities_around(branch);
        let undated = &mut self.state.effects.undated;
        let over = undated.iter().filter(|(_, of)| *of > depth).map(|(effect, _)| *effect).collect::<Vec<u32>>();
        undated.retain(|(_, of)| *of <= depth);
        if !over.is_empty() {
            self.state.date(self.program, &over);
            self.state.control.changed_anywhere();
            self.settle_effects(u64::MAX);
        }
    }

    /// How many abilities are being performed around what a branch does.
    fn abilities_around(&self, branch: &Branch) -> u16 {
        let of = |branch: &Branch| branch.frames.iter().filter(|frame| matches!(frame.role, Role::Ability(_))).count();
        let (mut count, mut parent) = (of(branch), branch.parent);
        while let Some(outer) = parent.and_then(|at| self.state.control.branches.get(usize::from(at))) {
            count += of(outer);
            parent = outer.parent;
        }
        u16::try_from(count).unwrap_or(u16::MAX)
    }
}

impl State {
    /// These effects are younger than all others, and as old as one another.
    fn date(&mut self, program: &Program, numbers: &[u32]) {
        self.effects.date(numbers);
        if !program.layers.is_empty() {
            self.effects.forget_extents(program);
        }
    }
}

impl Effects {
    fn date(&mut self, numbers: &[u32]) {
        let time = self.next;
        self.next += 1;
        let times =
            self.in_force.iter().map(|effect| (effect.number, if numbers.contains(&effect.number) { time } else { effect.timestamp }));
        let times: Vec<(u32, u32)> = times.collect();
        self.put_in_order(&times);
    }
}
