//! Statements in the lane: control flow, calls, and locksteps member by member.

use super::together::Together;
use super::{Entry, HISTORY, LaneStack, Unfit};
use crate::engine::eval::quick::Names;
use crate::engine::ids::{ArgsId, Id, NodeId, Pc, Reg, RoutineId, VerbId};
use crate::engine::limits::CALL_DEPTH;
use crate::engine::observe::Observer;
use crate::engine::plan::shapes::Shape;
use crate::engine::program::{FaceWord, Op};
use crate::engine::run::Run;
use crate::engine::state::{Cause, Event, MOST_ARGUMENTS};
use crate::engine::value::Value;

/// The end of a call.
pub struct Ended {
    /// The returned value.
    value: Value,
    /// Whether everything in it was carried out in full.
    pub whole: bool,
    /// Whether the last instruction was carried out in full.
    done: bool,
}

/// The end of a lockstep.
#[derive(Clone, Copy)]
pub struct Went {
    /// Whether everything in it was carried out in full.
    pub whole: bool,
    /// Whether the last instruction of each branch was carried out in full; false without branches.
    pub done: bool,
}

impl Default for Went {
    fn default() -> Self {
        Went { whole: true, done: false }
    }
}

impl Went {
    fn with(self, first: bool, member: &Ended) -> Self {
        Went { whole: self.whole && member.whole, done: (first || self.done) && member.done }
    }
}

/// The greatest number of registers of all calls together.
const MOST_REGISTERS: usize = CALL_DEPTH * 32;

/// The greatest number of blocks of one lockstep.
const MOST_BLOCKS: usize = 64;

impl<O: Observer> Run<'_, O> {
    /// Calls a procedure.
    pub(super) fn called(&mut self, stack: &mut LaneStack<'_>, caller: Entry, routine: RoutineId, args: ArgsId) -> Result<Ended, Unfit> {
        let plan = self.plan.routine(routine);
        let lists = stack.lists.len();
        let base = self.pushed(stack, caller, args)?;
        let ended = self.callee(stack, caller, base, plan)?;
        stack.registers.truncate(base);
        if let Value::List { .. } = ended.value {
            return Err(Unfit);
        }
        stack.lists.truncate(lists);
        Ok(ended)
    }

    fn callee(
        &mut self,
        stack: &mut LaneStack<'_>,
        caller: Entry,
        base: usize,
        plan: crate::engine::plan::RoutinePlan,
    ) -> Result<Ended, Unfit> {
        let registers = (base + usize::from(plan.registers)).max(stack.registers.len());
        if registers > MOST_REGISTERS || caller.depth > CALL_DEPTH {
            return Err(Unfit);
        }
        stack.registers.resize(registers, Value::Undefined);
        self.statements(stack, Entry { pc: plan.start, base, names: Names { done: false, ..caller.names }, depth: caller.depth + 1 })
    }

    /// Puts arguments into new registers. The result: the index of the first one.
    fn pushed(&mut self, stack: &mut LaneStack<'_>, caller: Entry, args: ArgsId) -> Result<usize, Unfit> {
        let program = self.program;
        let base = stack.registers.len();
        for node in program.args_of(args) {
            let value = self.argument_in_lane(stack, caller, *node)?;
            stack.registers.push(value);
        }
        Ok(base)
    }

    /// The value of an argument. A set becomes a list of its present members.
    pub(super) fn argument_in_lane(&mut self, stack: &mut LaneStack<'_>, entry: Entry, node: NodeId) -> Result<Value, Unfit> {
        match self.plan.shapes.get(node) {
            Shape::Const(value) => Ok(value),
            Shape::Local(reg) => Ok(stack.get(entry.base, reg)),
            _ if node == NodeId::NONE => Ok(Value::Undefined),
            _ if self.plan.shapes.sets.get(node) == Some(&true) => self.list_in_lane(stack, entry, node),
            _ => self.value_in_lane(stack, entry, node),
        }
    }

    /// The value of a node.
    #[inline]
    pub(super) fn value_in_lane(&mut self, stack: &LaneStack<'_>, entry: Entry, node: NodeId) -> Result<Value, Unfit> {
        let locals = stack.registers.get(entry.base..).unwrap_or(&[]);
        match self.quick(locals, &entry.names, node) {
            Some(value) => Ok(value),
            None => self.evaluated(stack, entry, node),
        }
    }

    fn evaluated(&mut self, stack: &LaneStack<'_>, entry: Entry, node: NodeId) -> Result<Value, Unfit> {
        let locals = stack.registers.get(entry.base..).unwrap_or(&[]);
        let Names { you, this, done } = entry.names;
        let mut eval = crate::engine::eval::Eval::new(self.program, self.state, locals, stack.lists, you, this);
        eval.done = done;
        let value = eval.value(node);
        self.noted_in_lane(eval.reads.get(), eval.overflow)?;
        Ok(value)
    }

    /// Takes over what an evaluation has read. It does not fit if the evaluation reads history while events are not in history yet.
    fn noted_in_lane(&self, reads: u64, overflow: bool) -> Result<(), Unfit> {
        self.scratch.lane.read(reads);
        if overflow || reads & HISTORY != 0 && self.scratch.lane.has_events() { Err(Unfit) } else { Ok(()) }
    }

    /// The members of a set, as a list in the arena.
    pub(super) fn list_in_lane(&mut self, stack: &mut LaneStack<'_>, entry: Entry, node: NodeId) -> Result<Value, Unfit> {
        let start = stack.lists.len();
        let locals = stack.registers.get(entry.base..).unwrap_or(&[]);
        if !self.quick_list(locals, &entry.names, node, stack.lists) {
            let mut values = std::mem::take(&mut self.scratch.values);
            values.clear();
            let Names { you, this, done } = entry.names;
            let mut eval = crate::engine::eval::Eval::new(self.program, self.state, locals, stack.lists, you, this);
            eval.done = done;
            eval.each(node, &mut |_, member| {
                values.push(member);
                false
            });
            let (reads, overflow) = (eval.reads.get(), eval.overflow);
            stack.lists.extend_from_slice(&values);
            self.scratch.values = values;
            self.noted_in_lane(reads, overflow)?;
        }
        Ok(Value::List { start: start as u32, len: (stack.lists.len() - start) as u16 })
    }

    /// Runs the members of a lockstep over a list. Each has its own copy of the registers.
    pub(super) fn members(
        &mut self,
        stack: &mut LaneStack<'_>,
        from: Entry,
        (start, len): (u32, u16),
        item: Reg,
        outermost: bool,
    ) -> Result<Went, Unfit> {
        let mut went = Went::default();
        let mut together = Together::begin(&self.scratch.lane, outermost)?;
        let until = stack.registers.len();
        for index in 0..usize::from(len) {
            let member = stack.lists.get(start as usize + index).copied().unwrap_or_default();
            let base = stack.copy(from.base, until)?;
            stack.set(base, item, member);
            let member = self.member(stack, Entry { base, ..from }, &mut together)?;
            went = went.with(index == 0, &member);
            stack.registers.truncate(until);
        }
        together.end(&mut self.scratch.lane)?;
        Ok(went)
    }

    /// Runs the blocks of a lockstep. Each has its own copy of the registers.
    fn blocks(&mut self, stack: &mut LaneStack<'_>, from: Entry, mut other: Pc, join: Pc) -> Result<Went, Unfit> {
        let mut went = Went::default();
        let mut together = Together::begin(&self.scratch.lane, false)?;
        let until = stack.registers.len();
        let mut body = Pc(from.pc.0 + 1);
        for number in 0..MOST_BLOCKS {
            let base = stack.copy(from.base, until)?;
            let member = self.member(stack, Entry { pc: body, base, ..from }, &mut together)?;
            went = went.with(number == 0, &member);
            stack.registers.truncate(until);
            if body == other {
                together.end(&mut self.scratch.lane)?;
                return Ok(went);
            }
            body = other;
            if let Some(Op::Fork { other: next, join: same }) = self.program.code.get(other)
                && *same == join
            {
                (body, other) = (Pc(other.0 + 1), *next);
            }
        }
        Err(Unfit)
    }

    /// Runs one member, up to the end of its branch.
    fn member(&mut self, stack: &mut LaneStack<'_>, entry: Entry, together: &mut Together) -> Result<Ended, Unfit> {
        self.scratch.lane.begin_member();
        let lists = stack.lists.len();
        let ended = self.statements(stack, entry)?;
        stack.lists.truncate(lists);
        together.member_ended(&self.scratch.lane)?;
        Ok(ended)
    }

    /// Carries out statements until the call or the branch ends.
    pub(super) fn statements(&mut self, stack: &mut LaneStack<'_>, entry: Entry) -> Result<Ended, Unfit> {
        let code = self.program.code.rows();
        let base = entry.base;
        let mut here = entry;
        let mut whole = true;
        loop {
            self.state.control.steps += 1;
            if self.state.control.steps > self.budget {
                return Err(Unfit);
            }
            let pc = here.pc;
            here.pc = Pc(pc.0 + 1);
            match *code.get(pc.0 as usize).ok_or(Unfit)? {
                Op::Jump(to) => here.pc = to,
                Op::JumpUnless { condition, to } => {
                    if !self.value_in_lane(stack, here, condition)?.is_true() {
                        here.pc = to;
                    }
                }
                Op::Let { to, value } => {
                    let value = self.value_in_lane(stack, here, value)?;
                    stack.set(base, to, value);
                }
                Op::LetSet { to, set } => {
                    let value = self.list_in_lane(stack, here, set)?;
                    stack.set(base, to, value);
                }
                Op::Iterate { list, set } => {
                    let value = self.list_in_lane(stack, here, set)?;
                    stack.set(base, list, value);
                    stack.set(base, Reg(list.0 + 1), Value::Number(0));
                }
                Op::Next { list, item, end } => match stack.next(base, list) {
                    Some(member) => stack.set(base, item, member),
                    None => here.pc = end,
                },
                Op::CountDown { counter, end } => match stack.get(base, counter) {
                    Value::Number(number) if number >= 1 => stack.set(base, counter, Value::Number(number - 1)),
                    _ => here.pc = end,
                },
                Op::MoveTop { from, to, face: FaceWord::AsZone, result: Reg::NONE } => {
                    let (from, to) = (self.value_in_lane(stack, here, from)?, self.value_in_lane(stack, here, to)?);
                    here.names.done = self.move_top_in_lane(from, to)?;
                    whole &= here.names.done;
                }
                Op::Builtin { verb, args, result: Reg::NONE } => {
                    here.names.done = self.builtin_in_lane(stack, here, verb, args)?;
                    whole &= here.names.done;
                }
                Op::SetState { subject, state, value } => {
                    here.names.done = self.set_state_in_lane(stack, here, subject, state, value)?;
                    whole &= here.names.done;
                }
                Op::Call { routine, args, result } => {
                    let guard = self.plan.routine(routine).guard;
                    let returns = guard != NodeId::NONE && result == Reg::NONE && {
                        let locals = stack.registers.get(base..).unwrap_or(&[]);
                        self.quick(locals, &Names { done: false, ..here.names }, guard) == Some(Value::Bool(true))
                    };
                    here.names.done = true;
                    if !returns {
                        let ended = self.called(stack, here, routine, args)?;
                        stack.set(base, result, ended.value);
                        here.names.done = ended.whole;
                    }
                }
                Op::Perform { verb, args, result: Reg::NONE } => {
                    here.names.done = self.performed(stack, here, verb, args)?;
                    whole &= here.names.done;
                }
                Op::ForkFor { set, item, join, .. } => {
                    let Value::List { start, len } = self.list_in_lane(stack, here, set)? else { return Err(Unfit) };
                    let went = self.members(stack, here, (start, len), item, false)?;
                    here.names.done = went.done;
                    whole &= went.whole;
                    here.pc = join;
                }
                Op::Fork { other, join } => {
                    let went = self.blocks(stack, Entry { pc, ..here }, other, join)?;
                    here.names.done = went.done;
                    whole &= went.whole;
                    here.pc = join;
                }
                Op::Expire(_) => {
                    // No effect is in force.
                    self.state.effects.now = self.state.effects.next;
                    here.names.done = true;
                }
                Op::Drop(_) if self.state.events.pending.is_empty() => {}
                Op::Judge => self.state.control.judging += 1,
                Op::JudgeEnd => self.state.control.judging = self.state.control.judging.saturating_sub(1),
                Op::BranchEnd | Op::End => return Ok(Ended { value: Value::Undefined, whole, done: here.names.done }),
                Op::Return(node) => {
                    return Ok(Ended { value: self.argument_in_lane(stack, here, node)?, whole, done: here.names.done });
                }
                _ => return Err(Unfit),
            }
        }
    }

    /// Performs a declared action. The result: whether it was carried out in full.
    fn performed(&mut self, stack: &mut LaneStack<'_>, caller: Entry, verb: VerbId, args: ArgsId) -> Result<bool, Unfit> {
        // An action that is done once in a step depends on the other members, so it does not fit.
        let def = self.program.verbs.get(verb).filter(|def| !def.once_in_a_step);
        let routine = def.and_then(|def| def.body).ok_or(Unfit)?;
        let lists = stack.lists.len();
        let base = self.pushed(stack, caller, args)?;
        let given = stack.registers.get(base..).unwrap_or(&[]);
        if given.iter().any(|arg| crate::engine::actions::perform::nothing_in(*arg).is_some()) {
            stack.registers.truncate(base);
            stack.lists.truncate(lists);
            return Ok(false);
        }
        let ended = self.callee(stack, caller, base, self.plan.routine(routine))?;
        if self.plan.is_recorded(verb) {
            self.keep_event(stack, base, verb)?;
        }
        stack.registers.truncate(base);
        stack.lists.truncate(lists);
        Ok(ended.whole)
    }

    /// Keeps the event of an action that has ended. It does not fit if an argument is a list, or if what cards were must be kept: both are
    /// stored in the order of the long way.
    fn keep_event(&mut self, stack: &LaneStack<'_>, base: usize, verb: VerbId) -> Result<(), Unfit> {
        let count = self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len());
        let registers = stack.registers.get(base..).unwrap_or(&[]);
        let args: [Value; MOST_ARGUMENTS] = crate::engine::actions::perform::copied(registers.get(..count).unwrap_or(registers));
        let witnessed = self.program.verbs.get(verb).is_some_and(|verb| verb.witnessed);
        if witnessed || args.iter().any(|arg| matches!(arg, Value::List { .. })) {
            return Err(Unfit);
        }
        self.scratch.lane.keep(Event { verb, args, cause: Cause::Rule });
        Ok(())
    }
}

impl LaneStack<'_> {
    #[inline]
    fn get(&self, base: usize, reg: Reg) -> Value {
        self.registers.get(base + reg.index()).copied().unwrap_or_default()
    }

    #[inline]
    fn set(&mut self, base: usize, reg: Reg, value: Value) {
        if reg != Reg::NONE
            && let Some(slot) = self.registers.get_mut(base + reg.index())
        {
            *slot = value;
        }
    }

    /// Copies the registers from `base` to `until` to the top of the stack. The result: the index of the copy.
    fn copy(&mut self, base: usize, until: usize) -> Result<usize, Unfit> {
        let own = self.registers.len();
        if own > MOST_REGISTERS {
            return Err(Unfit);
        }
        self.registers.extend_from_within(base.min(until)..until.min(own));
        Ok(own)
    }

    /// The next member of the list in a register. Its index is in the next register.
    #[inline]
    fn next(&mut self, base: usize, list: Reg) -> Option<Value> {
        let counter = Reg(list.0 + 1);
        let (Value::List { start, len }, Value::Number(index)) = (self.get(base, list), self.get(base, counter)) else { return None };
        if !(0..i32::from(len)).contains(&index) {
            return None;
        }
        self.set(base, counter, Value::Number(index + 1));
        Some(self.lists.get(start as usize + index as usize).copied().unwrap_or_default())
    }
}
