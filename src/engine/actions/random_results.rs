//! The actions with random results: `coin()`, `die(sides)`, `pick(n, what)`. A scenario can fix the results.

use crate::actions::perform::nothing_in;
use crate::ids::{ArgsId, Pc, Reg};
use crate::program::Builtin;
use crate::run::Run;
use crate::run::step::set;
use crate::state::Branch;
use crate::steps::{Observer, Why};
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// `coin()`, `die(sides)`, `pick(n, what)`: the result that a scenario fixed, or else a random result.
    pub(crate) fn draw_lots(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: ArgsId, result: Reg) {
        if self.trial.is_some() {
            // In a trial run, nobody knows the random result.
            return self.answer_trial_open();
        }
        let (mut args, _) = self.arguments(branch, args);
        match verb {
            Builtin::Coin => {
                let fixed = self.laid_down(|value| matches!(value, Value::Bool(_)));
                args[0] = fixed.unwrap_or_else(|| Value::Bool(self.state.generator.below(2) == 0));
                set(branch, result, args[0]);
            }
            Builtin::Die => {
                let Some(sides) = args[0].number().filter(|sides| *sides >= 1) else {
                    return self.not_done(branch, at, pc, verb, args, nothing_in(args[0]).unwrap_or(Why::Missing));
                };
                let fixed = self.laid_down(|value| matches!(value, Value::Number(thrown) if (1..=sides).contains(thrown)));
                let thrown = fixed.unwrap_or_else(|| Value::Number(self.state.generator.below(sides.unsigned_abs()) as i32 + 1));
                args[1] = thrown;
                set(branch, result, thrown);
            }
            _ => {
                let Some(number) = args[0].number().filter(|number| *number >= 1) else {
                    return self.not_done(branch, at, pc, verb, args, nothing_in(args[0]).unwrap_or(Why::Missing));
                };
                let (start, len) = self.members_of(branch, args[1]);
                let len = self.left_by_others(branch, at, (start, len));
                if len == 0 {
                    set(branch, result, Value::List { start, len });
                    return self.not_done(branch, at, pc, verb, args, Why::Nothing);
                }
                let picked = number.unsigned_abs().min(u32::from(len)) as u16;
                for at in 0..picked {
                    let first = start as usize + usize::from(at);
                    let fixed = if self.state.fixed_draws.is_empty() { None } else { self.laid_down_among(branch, first) };
                    let other = fixed.unwrap_or_else(|| self.state.generator.below(u32::from(len - at)) as usize);
                    branch.lists.swap(first, first + other);
                }
                branch.lists.truncate(start as usize + usize::from(picked));
                args[1] = Value::List { start, len: picked };
                set(branch, result, args[1]);
                self.emit(branch, at, pc, verb.verb(), args);
                return self.set_done_in_part(branch, at, i32::from(picked) == number, true);
            }
        }
        self.emit(branch, at, pc, verb.verb(), args);
        self.set_done(branch, at, true);
    }

    /// The position of the card that a scenario has fixed, among the remaining cards from this place of the arena on.
    fn laid_down_among(&mut self, branch: &Branch, first: usize) -> Option<usize> {
        let left = branch.lists.get(first..).unwrap_or(&[]);
        // A fixed card means the card in any of its lives.
        let same = |of: &Value, value: &Value| match (of, value) {
            (Value::Object { id, .. }, Value::Object { id: other, .. }) => id == other,
            (of, value) => of == value,
        };
        let value = self.laid_down(|value| left.iter().any(|of| same(of, value)))?;
        left.iter().position(|of| same(of, &value))
    }

    /// The next result that a scenario has fixed for this kind of draw.
    fn laid_down(&mut self, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let at = self.state.fixed_draws.iter().position(fits)?;
        Some(self.state.fixed_draws.remove(at))
    }

    /// The members of a set as a list in the arena.
    fn members_of(&mut self, branch: &mut Branch, what: Value) -> (u32, u16) {
        let mut found = Vec::new();
        {
            let mut eval = self.eval(branch);
            eval.each_of(what, &mut |_, member| {
                found.push(member);
                false
            });
        }
        let start = branch.lists.len() as u32;
        branch.lists.extend_from_slice(&found);
        (start, found.len() as u16)
    }
}
