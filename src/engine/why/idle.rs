//! Finds why an action that nothing prevents would do nothing: conditions in its body that are false, and loops over empty sets.
//!
//! Walks through the body on a position that does not change. The caller has already found that the body does nothing.

use super::{Answer, Fact};
use crate::eval::Eval;
use crate::ids::{NodeId, Pc, Reg};
use crate::program::{Op, Program};
use crate::state::State;
use crate::value::{Player, Value};

/// The most statements of a walk. The body of an action has fewer.
const LONGEST: usize = 2_000;

/// The state of the walk.
pub(super) struct Walk<'a> {
    program: &'a Program,
    state: &'a State,
    lists: &'a [Value],
    you: Player,
    registers: Vec<Value>,
    /// The remaining members of loops, by the register that holds the list.
    loops: Vec<(Reg, std::vec::IntoIter<Value>)>,
    /// The branches that are still to be walked: their loop, where they begin, their member, and where they join.
    forks: Vec<Fork>,
}

struct Fork {
    members: std::vec::IntoIter<Value>,
    item: Reg,
    start: Pc,
    join: Pc,
}

impl<'a> Walk<'a> {
    /// A walk through a body with these arguments.
    pub(super) fn new(program: &'a Program, state: &'a State, lists: &'a [Value], (you, registers): (Player, Vec<Value>)) -> Self {
        Walk { program, state, lists, you, registers, loops: Vec::new(), forks: Vec::new() }
    }

    /// Reports everything that keeps the body from doing anything. Gives whether the walk reached the end of the body.
    pub(super) fn through(mut self, start: Pc, cites: &[crate::ids::CitesId], answer: &mut Answer) -> bool {
        let mut at = start;
        for _ in 0..LONGEST {
            match self.step(at, cites, answer) {
                Some(next) => at = next,
                None => return matches!(self.program.code.get(at), Some(Op::Return(_) | Op::End | Op::Stop)),
            }
        }
        false
    }

    /// Walks one statement. Gives the next statement, if the walk knows it.
    fn step(&mut self, at: Pc, cites: &[crate::ids::CitesId], answer: &mut Answer) -> Option<Pc> {
        let next = Pc(at.0 + 1);
        match *self.program.code.get(at)? {
            Op::Let { to, value } => {
                let value = self.eval(|eval| eval.value(value));
                self.set(to, value)?;
                Some(next)
            }
            Op::Jump(to) => Some(to),
            Op::JumpUnless { condition, to } => {
                if self.eval(|eval| eval.value(condition).is_true()) {
                    return Some(next);
                }
                let decisive = self.eval(|eval| eval.rules_of_decisive(condition));
                self.say(Fact::Idle(at, false), at, &[cites, &decisive].concat(), answer);
                let mut parts = Answer::default();
                self.eval(|eval| eval.parts(condition, 2, &mut parts));
                // Another round of a loop may evaluate the same condition again.
                for line in parts.lines {
                    if !answer.lines.contains(&line) {
                        answer.lines.push(line);
                    }
                }
                Some(to)
            }
            Op::Iterate { list, set } => {
                let members = self.members(set);
                if members.is_empty() {
                    self.say(Fact::Idle(at, true), at, cites, answer);
                }
                self.loops.push((list, members.into_iter()));
                Some(next)
            }
            Op::Next { list, item, end } => {
                let of = self.loops.iter_mut().rfind(|(of, _)| *of == list)?;
                match of.1.next() {
                    Some(member) => {
                        self.set(item, member)?;
                        Some(next)
                    }
                    None => {
                        self.loops.retain(|(of, _)| *of != list);
                        Some(end)
                    }
                }
            }
            Op::CountDown { counter, end } => {
                let left = self.registers.get(usize::from(counter.0)).and_then(|value| value.number()).unwrap_or(0);
                if left >= 1 {
                    return None;
                }
                self.say(Fact::Idle(at, true), at, cites, answer);
                Some(end)
            }
            Op::ForkFor { set, item, join, .. } => {
                let members = self.members(set);
                if members.is_empty() {
                    self.say(Fact::Idle(at, true), at, cites, answer);
                }
                self.forks.push(Fork { members: members.into_iter(), item, start: next, join });
                self.branch()
            }
            Op::BranchEnd => self.branch(),
            Op::Judge
            | Op::JudgeEnd
            | Op::Veil
            | Op::VeilEnd
            | Op::Hold
            | Op::HoldEnd
            | Op::TryEnd
            | Op::Measure { .. }
            | Op::Try { asked: None, .. } => Some(next),
            _ => None,
        }
    }

    /// The next branch of the innermost fork, or the place where the branches join.
    fn branch(&mut self) -> Option<Pc> {
        let fork = self.forks.last_mut()?;
        let (item, start) = (fork.item, fork.start);
        match fork.members.next() {
            Some(member) => {
                self.set(item, member)?;
                Some(start)
            }
            None => self.forks.pop().map(|fork| fork.join),
        }
    }

    fn set(&mut self, to: Reg, value: Value) -> Option<()> {
        *self.registers.get_mut(usize::from(to.0))? = value;
        Some(())
    }

    fn eval<T>(&self, read: impl FnOnce(&mut Eval<'_>) -> T) -> T {
        read(&mut Eval::new(self.program, self.state, &self.registers, self.lists, self.you, Value::Undefined))
    }

    fn members(&self, set: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        self.eval(|eval| {
            eval.each(set, &mut |_, member| {
                members.push(member);
                false
            })
        });
        members
    }

    fn say(&self, fact: Fact, at: Pc, cites: &[crate::ids::CitesId], answer: &mut Answer) {
        if !answer.lines.iter().any(|line| line.fact == fact) {
            answer.say(1, fact, self.program.code_cites.get(at).into_iter().chain(cites).copied());
        }
    }
}
