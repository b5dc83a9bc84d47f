//! Guards: decide whether an option's body can be carried out, by walking through the body without changing anything.
//!
//! A guard reads each statement in turn and evaluates expressions in the present state. This is exact as long as no expression reads a
//! value that an earlier statement of the same body writes. In other cases, and at statements that ask, pay or do something that a guard
//! does not know, the guard cannot tell, and a trial run has to find out ([`Verdict::Unknown`]). Debug builds run both and compare
//! (`offer.rs`).

use super::reads::{bit_of, is_unwritten};
use crate::actions::perform::{copied, nothing_in};
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, Id, NodeId, OptionId, Pc, Reg, RoutineId, StateId, VerbId};
use crate::legal::options::Row;
use crate::plan::Plan;
use crate::program::{Arithmetic, ClauseKind, Node, Op, Program};
use crate::run::Run;
use crate::short_ways::{ShortWay, took};
use crate::state::{Branch, Cause, ScopeKind, State};
use crate::steps::{Observer, Why};
use crate::value::{Player, Value};

/// The most statements that a guard walks through. Then it leaves the rest to a trial run.
const MOST_STATEMENTS: u16 = 256;

/// The deepest nesting of calls that a guard follows.
const MOST_CALLS: u8 = 16;

/// What a guard has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The body can be carried out.
    Can,
    /// The body cannot be carried out.
    Cannot,
    /// Only a trial run can tell.
    Unknown,
}

/// Memory for walks. It is used again.
#[derive(Debug, Default)]
pub struct GuardMemory {
    registers: Vec<Value>,
    lists: Vec<Value>,
}

/// The things that the statements of the walk would have written.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    /// Whether anything was written.
    any: bool,
    /// Whether rules may have run in between. They may have done anything.
    unknown: bool,
    /// The written states, one bit each. The last bit stands for all states that have no bit of their own.
    states: u128,
}

/// The frame that is walked through.
#[derive(Clone, Copy, Debug)]
struct At {
    base: usize,
    you: Player,
    this: Value,
    /// Whether the last instruction was carried out.
    done: bool,
    /// The number of open attempts.
    attempts: u16,
    /// Whether nothing can fail in any caller after this call.
    sure_after: bool,
    calls: u8,
}

/// A walk through one body.
struct Walk<'w> {
    program: &'w Program,
    plan: &'w Plan,
    state: &'w State,
    memory: &'w mut GuardMemory,
    watcher: Player,
    cause: Cause,
    /// Whether a watched condition stands around the branch. A watched condition ends the branch as soon as it is true.
    watched_around: bool,
    written: Written,
    left: u16,
}

/// The result of a part of a walk, or the verdict with which the walk ends.
type Walked<T> = Result<T, Verdict>;

impl<O: Observer> Run<'_, O> {
    /// Whether a player can carry out an option with these arguments, as far as reading can tell.
    pub fn guard(&mut self, branch: &Branch, player: Player, option: OptionId, row: &Row) -> Verdict {
        let program = self.program;
        let Some(def) = program.options.get(option) else { return Verdict::Unknown };
        let Some(routine) = program.verbs.get(def.verb).and_then(|verb| verb.body) else { return Verdict::Unknown };
        if self.watched(def.verb) || row.iter().any(|value| matches!(value, Value::List { .. })) {
            return Verdict::Unknown;
        }
        let mut memory = std::mem::take(&mut self.scratch.guard);
        memory.lists.clear();
        memory.registers.clear();
        memory.registers.extend(row.iter().take(def.params.len() + 1));
        let (this, cause) = branch.frames.last().map_or((Value::Undefined, Cause::Rule), |frame| (frame.this, frame.cause));
        let mut walk = Walk {
            program,
            plan: self.plan,
            state: self.state,
            memory: &mut memory,
            watcher: player,
            cause,
            watched_around: branch.scopes.iter().any(|scope| matches!(scope.kind, ScopeKind::Watch { .. })),
            written: Written::default(),
            left: MOST_STATEMENTS,
        };
        let at = At { base: 0, you: player, this, done: false, attempts: 0, sure_after: true, calls: 0 };
        let found = match walk.body(routine, at) {
            Ok(_) => Verdict::Can,
            Err(verdict) => verdict,
        };
        self.scratch.guard = memory;
        found
    }
}

impl Walk<'_> {
    /// Walks through a routine whose arguments are the registers from `at.base` on. Returns the routine's result.
    fn body(&mut self, routine: RoutineId, mut at: At) -> Walked<Value> {
        let plan = self.plan.routine(routine);
        let registers = (at.base + usize::from(plan.registers)).max(self.memory.registers.len());
        self.memory.registers.resize(registers, Value::Undefined);
        let mut pc = plan.start;
        loop {
            self.left = self.left.checked_sub(1).ok_or(Verdict::Unknown)?;
            if at.sure_after && !self.watched_around && self.plan.sure.is(pc) {
                took(ShortWay::GuardIsSure);
                return Err(Verdict::Can);
            }
            let Some(op) = self.program.code.get(pc) else { return Err(Verdict::Unknown) };
            pc = match *op {
                Op::Return(node) => return self.argument(&at, node),
                Op::End => return Ok(Value::Undefined),
                Op::Refuse => return Err(self.failure(&at)),
                _ => self.statement(&mut at, pc, op)?,
            };
        }
    }

    /// Walks through one statement. Returns the next statement.
    fn statement(&mut self, at: &mut At, pc: Pc, op: &Op) -> Walked<Pc> {
        let next = Pc(pc.0 + 1);
        match *op {
            Op::Let { to, value } => {
                let value = self.value(at, value)?;
                self.set(at, to, value);
            }
            Op::LetSet { to, set } => {
                let list = self.list(at, set)?;
                self.set(at, to, list);
            }
            Op::Jump(to) => return Ok(to),
            Op::JumpUnless { condition, to } => return Ok(if self.value(at, condition)?.is_true() { next } else { to }),
            Op::Iterate { list, set } => {
                let members = self.list(at, set)?;
                self.set(at, list, members);
                self.set(at, Reg(list.0 + 1), Value::Number(0));
            }
            Op::Next { list, item, end } => return Ok(self.next_member(at, (list, item), (next, end))),
            Op::Try { asked: None, .. } => at.attempts += 1,
            Op::TryEnd => {
                at.attempts = at.attempts.saturating_sub(1);
                at.done = true;
            }
            Op::Call { routine, args, result } => {
                let value = self.call(at, next, routine, args)?;
                self.set(at, result, value);
                at.done = true;
            }
            Op::Perform { verb, args, result: Reg::NONE } => self.perform(at, next, verb, args)?,
            Op::SetState { subject, state, value } => self.set_state(at, subject, state, value)?,
            Op::PutBy { captures, .. } => {
                for node in self.program.args_of(captures) {
                    self.argument(at, *node)?;
                }
                self.writes(None)?;
                at.done = true;
            }
            _ => return Err(Verdict::Unknown),
        }
        Ok(next)
    }

    fn next_member(&mut self, at: &At, (list, item): (Reg, Reg), (next, end): (Pc, Pc)) -> Pc {
        let index = self.get(at, Reg(list.0 + 1)).number().and_then(|index| u32::try_from(index).ok());
        let (Value::List { start, len }, Some(index)) = (self.get(at, list), index) else { return end };
        if index >= u32::from(len) {
            return end;
        }
        let member = self.memory.lists.get((start + index) as usize).copied().unwrap_or_default();
        self.set(at, item, member);
        self.set(at, Reg(list.0 + 1), Value::Number(index as i32 + 1));
        next
    }

    fn call(&mut self, at: &At, next: Pc, routine: RoutineId, args: ArgsId) -> Walked<Value> {
        let base = self.arguments(at, args)?;
        let inner = self.inner(at, next, base)?;
        let value = self.body(routine, inner)?;
        self.memory.registers.truncate(base);
        Ok(value)
    }

    /// Walks through a declared action like `Run::perform`, if nothing prevents the action.
    fn perform(&mut self, at: &mut At, next: Pc, verb: VerbId, args: ArgsId) -> Walked<()> {
        let program = self.program;
        let Some((def, routine)) = program.verbs.get(verb).and_then(|def| Some((def, def.body?))) else { return Err(Verdict::Unknown) };
        let base = self.arguments(at, args)?;
        let nothing = self.memory.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)).iter().find_map(|arg| nothing_in(*arg));
        if let Some(why) = nothing {
            if def.done_with_nothing.is_none() || !matches!(why, Why::Nothing | Why::NoTimes) {
                return Err(self.failure(at));
            }
            self.memory.registers.truncate(base);
            at.done = true;
            return Ok(());
        }
        let inner = self.inner(at, next, base)?;
        if def.condition != NodeId::NONE && !self.value(&inner, def.condition)?.is_true() {
            return Err(self.failure(at));
        }
        self.not_kept_from(&inner, verb)?;
        self.body(routine, At { done: false, ..inner })?;
        self.memory.registers.truncate(base);
        at.done = true;
        Ok(())
    }

    /// Makes sure that no effect forbids or replaces the action whose arguments are the registers from `at.base` on.
    fn not_kept_from(&mut self, at: &At, verb: VerbId) -> Walked<()> {
        if !self.plan.hindered.get(verb.index()).copied().unwrap_or(true) {
            return Ok(());
        }
        // The writes may have begun effects, or changed the conditions of effects.
        if self.written.any {
            return Err(Verdict::Unknown);
        }
        if self.state.effects.watching.get(verb.index()).is_none_or(|count| *count == 0) {
            return Ok(());
        }
        let count = self.program.verbs.get(verb).map_or(0, |def| def.parameters.len());
        let own = self.memory.registers.get(at.base..).unwrap_or_else(|| broken(Fault::Registers));
        let args = copied(own.get(..count).unwrap_or(own));
        let what = Happening { verb, args: &args, lists: &self.memory.lists, cause: self.cause };
        let mut eval = Eval::new(self.program, self.state, own, &self.memory.lists, at.you, at.this);
        eval.watcher = Some(self.watcher);
        let hinders = self.state.effects.in_force.iter().any(|effect| {
            let clause = self.program.clauses.get(effect.clause).map(|clause| &clause.kind);
            let Some(ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. }) = clause else { return false };
            eval.watches(effect, effect.clause, *pattern, what)
        });
        if hinders { Err(Verdict::Unknown) } else { Ok(()) }
    }

    fn set_state(&mut self, at: &mut At, subject: NodeId, state: StateId, value: NodeId) -> Walked<()> {
        let none = matches!(self.program.nodes.get(value), Some(Node::Const(Value::Undefined)));
        let subject = self.value(at, subject)?;
        match self.value(at, value) {
            Ok(Value::Undefined) if !none => return Err(self.failure(at)),
            Err(Verdict::Unknown) if self.is_definite(at, value) => {}
            found => {
                found?;
            }
        }
        let on_players = self.plan.states.get(state.index()).is_some_and(|state| state.on_players);
        let there = match subject {
            Value::Player(player) => on_players && player.0 < self.program.players,
            Value::Object { id, .. } => !on_players && self.state.board.object(id).is_some_and(|object| subject.lives(object.life)),
            _ => false,
        };
        if !there {
            return Err(Verdict::Unknown);
        }
        self.writes(Some(state))?;
        at.done = true;
        Ok(())
    }

    /// Notes that something is written: a state, or (`None`) something that no expression evaluated afterwards reads.
    fn writes(&mut self, state: Option<StateId>) -> Walked<()> {
        // The write may make the watched condition around the branch true.
        if self.watched_around {
            return Err(Verdict::Unknown);
        }
        self.written.any = true;
        let rules_may_run = !self.plan.rules.is_empty() && (self.plan.ruled.is_all() || !self.state.effects.is_settled());
        if self.plan.hears || rules_may_run {
            (self.written.unknown, self.written.states) = (true, u128::MAX);
        }
        self.written.states |= state.map_or(0, bit_of);
        Ok(())
    }

    /// The verdict if an instruction cannot be carried out.
    fn failure(&self, at: &At) -> Verdict {
        let sure = at.attempts > 0 && !self.written.unknown;
        if sure { Verdict::Cannot } else { Verdict::Unknown }
    }

    fn inner(&self, at: &At, next: Pc, base: usize) -> Walked<At> {
        if at.calls >= MOST_CALLS {
            return Err(Verdict::Unknown);
        }
        Ok(At { base, done: false, sure_after: at.sure_after && self.plan.sure.is(next), calls: at.calls + 1, ..*at })
    }

    /// Evaluates arguments into new registers on top. Returns the first of these registers.
    fn arguments(&mut self, at: &At, args: ArgsId) -> Walked<usize> {
        let base = self.memory.registers.len();
        for node in self.program.args_of(args) {
            let value = self.argument(at, *node)?;
            self.memory.registers.push(value);
        }
        Ok(base)
    }

    fn argument(&mut self, at: &At, node: NodeId) -> Walked<Value> {
        if node == NodeId::NONE {
            return Ok(Value::Undefined);
        }
        if self.plan.shapes.sets.get(node) == Some(&true) { self.list(at, node) } else { self.value(at, node) }
    }

    fn value(&self, at: &At, node: NodeId) -> Walked<Value> {
        self.look(at, node, |eval| eval.value(node))
    }

    fn list(&mut self, at: &At, node: NodeId) -> Walked<Value> {
        let members = self.look(at, node, |eval| {
            let mut members = Vec::new();
            eval.each(node, &mut |_, member| {
                members.push(member);
                false
            });
            members
        })?;
        let start = self.memory.lists.len() as u32;
        self.memory.lists.extend_from_slice(&members);
        Ok(Value::List { start, len: members.len() as u16 })
    }

    /// Evaluates in a frame. If a number leaves its bounds, or something is read that the player may not see, a trial run would end with
    /// "possible". So the walk ends with [`Verdict::Can`].
    fn look<T>(&self, at: &At, node: NodeId, read: impl FnOnce(&mut Eval<'_>) -> T) -> Walked<T> {
        if self.written.any && !is_unwritten(self.program, node, self.written.states) {
            return Err(Verdict::Unknown);
        }
        let own = self.memory.registers.get(at.base..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = Eval::new(self.program, self.state, own, &self.memory.lists, at.you, at.this);
        (eval.done, eval.watcher, eval.cause) = (at.done, Some(self.watcher), self.cause);
        let found = read(&mut eval);
        if eval.overflow || eval.peeked { Err(Verdict::Can) } else { Ok(found) }
    }

    /// Whether an expression has a number, whatever was written before. (If the number leaves its bounds, a trial run ends with
    /// "possible".)
    fn is_definite(&self, at: &At, node: NodeId) -> bool {
        match self.program.nodes.get(node) {
            Some(Node::Const(value)) => value.number().is_some(),
            Some(Node::Local(reg)) => self.get(at, *reg).number().is_some(),
            Some(Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply, a, b)) => {
                self.is_definite(at, *a) && self.is_definite(at, *b)
            }
            Some(Node::State(of, state)) => {
                let whose = match self.program.nodes.get(*of) {
                    Some(Node::Local(reg)) => self.get(at, *reg).player(),
                    Some(Node::You) => Some(at.you),
                    _ => None,
                };
                whose.is_some() && self.plan.definite.get(state.index()) == Some(&true)
            }
            _ => false,
        }
    }

    fn get(&self, at: &At, reg: Reg) -> Value {
        self.memory.registers.get(at.base + usize::from(reg.0)).copied().unwrap_or_default()
    }

    fn set(&mut self, at: &At, reg: Reg, value: Value) {
        if reg != Reg::NONE
            && let Some(slot) = self.memory.registers.get_mut(at.base + usize::from(reg.0))
        {
            *slot = value;
        }
    }
}
