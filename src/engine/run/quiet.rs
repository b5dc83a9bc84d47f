//! Quiet statements: statements that touch nothing but the registers of their own frame, carried out in one go.
//!
//! Most of the statements between two changes are quiet. So this code keeps the frame at hand and asks only [`crate::eval::quick`].
//! It stops in front of the first statement that needs more, and of any statement that an onlooker has to be told of.

use crate::eval::quick::Names;
use crate::fault::{Fault, broken};
use crate::ids::{Pc, Reg};
use crate::program::Op;
use crate::run::Run;
use crate::short_ways::{ShortWay, took_times};
use crate::state::{Branch, Frame};
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Carries out the quiet statements that come next in the top frame of a branch.
    #[inline]
    pub fn quiet(&mut self, branch: &mut Branch) {
        // In a part of a cost, changes are noted, and loops pass over cards. The general way does both.
        if branch.paying.is_part {
            return;
        }
        let Branch { frames, registers, lists, parent, withheld, .. } = branch;
        let Some(Frame { base, pc, you, this, done, short, part, any, .. }) = frames.last_mut() else { return broken(Fault::Frame) };
        let notes_part = self.program.notes_part;
        let Some(registers) = registers.get_mut(*base as usize..) else { return broken(Fault::Registers) };
        let mut names = Names { you: *you, this: *this, done: *done };
        let code = self.program.code.rows();
        let mut at = *pc;
        let mut steps = self.state.control.steps;
        let most = self.budget;
        // Changes are made at once if no other branch has to wait for them and all immediate rules read only zones.
        let alone = self.alone && !self.plan.ruled.is_all() && !*short && self.state.events.together.unnoted().is_empty();
        while let Some(op) = code.get(at.0 as usize)
            && steps < most
        {
            let next = Pc(at.0 + 1);
            at = match *op {
                Op::Jump(to) => to,
                Op::JumpUnless { condition, to } => match self.quick(registers, &names, condition) {
                    Some(Value::Bool(true)) => next,
                    Some(_) => to,
                    None => break,
                },
                Op::Let { to, value } => match self.quick(registers, &names, value) {
                    Some(value) => {
                        set(registers, to, value);
                        next
                    }
                    None => break,
                },
                Op::Next { list, item, end } => match next_member(registers, lists, list) {
                    Some(member) => {
                        set(registers, item, member);
                        next
                    }
                    None => end,
                },
                Op::CountDown { counter, end } => match get(registers, counter) {
                    Value::Number(number) if number >= 1 => {
                        set(registers, counter, Value::Number(number - 1));
                        next
                    }
                    _ => end,
                },
                Op::Iterate { list, set: node } => {
                    let start = lists.len() as u32;
                    if !self.quick_list(registers, &names, node, lists) {
                        break;
                    }
                    let len = (lists.len() - start as usize) as u16;
                    set(registers, list, Value::List { start, len });
                    set(registers, Reg(list.0 + 1), Value::Number(0));
                    match code.get(next.0 as usize) {
                        Some(Op::Next { end, .. }) if len == 0 => *end,
                        _ => next,
                    }
                }
                Op::SetState { subject, state, value } if alone && self.state.effects.is_settled() && !self.looks_at_values() => {
                    let (Some(subject), Some(value)) = (self.quick(registers, &names, subject), self.quick(registers, &names, value))
                    else {
                        break;
                    };
                    if value == Value::Undefined || !self.state.board.write_state(self.program, subject, state, value) {
                        break;
                    }
                    self.state.control.written.state(state);
                    self.state.effects.now = self.state.effects.next;
                    names.done = true;
                    (*part, *any) = (if notes_part { true } else { *part }, *any || notes_part);
                    next
                }
                Op::Expire(_) if alone && self.state.effects.in_force.is_empty() && !self.plan.counts_uses => {
                    self.state.effects.now = self.state.effects.next;
                    names.done = true;
                    (*part, *any) = (if notes_part { true } else { *part }, *any || notes_part);
                    next
                }
                Op::Judge => {
                    self.state.control.judge_together(parent.is_some().then_some(&mut *withheld), true);
                    next
                }
                Op::JudgeEnd if self.state.control.losing | self.state.control.winning == 0 => {
                    self.state.control.judge_together(parent.is_some().then_some(&mut *withheld), false);
                    next
                }
                Op::Phase(phase) => {
                    self.state.board.phase = Some(phase);
                    next
                }
                Op::Drop(_) if self.state.events.pending.is_empty() => next,
                _ => break,
            };
            steps += 1;
        }
        *pc = at;
        *done = names.done;
        took_times(ShortWay::Quiet, u64::from(steps - self.state.control.steps));
        self.state.control.steps = steps;
    }
}

#[inline]
fn get(registers: &[Value], reg: Reg) -> Value {
    registers.get(usize::from(reg.0)).copied().unwrap_or_default()
}

#[inline]
fn set(registers: &mut [Value], reg: Reg, value: Value) {
    if let Some(slot) = registers.get_mut(usize::from(reg.0)) {
        *slot = value;
    }
}

/// The next member of the list in a register. The register after it holds the index.
#[inline]
fn next_member(registers: &mut [Value], lists: &[Value], list: Reg) -> Option<Value> {
    let counter = Reg(list.0 + 1);
    let (Value::List { start, len }, Value::Number(index)) = (get(registers, list), get(registers, counter)) else { return None };
    if !(0..i32::from(len)).contains(&index) {
        return None;
    }
    set(registers, counter, Value::Number(index + 1));
    Some(lists.get(start as usize + index as usize).copied().unwrap_or_default())
}
