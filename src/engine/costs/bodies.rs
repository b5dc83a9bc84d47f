//! Bodies of the actions that pay: whether an action of a cost can be carried out, as far as reading its body tells.
//!
//! The statements of the body are read in order, and nothing is changed. Reading stops at a statement that asks, or that depends on
//! something that an earlier statement has changed. From there on the body counts as possible. So an action is found impossible only if it
//! surely is.

use crate::actions::perform::{copied, nothing_in};
use crate::eval::Eval;
use crate::eval::watch::Happening;
use crate::ids::{ArgsId, Id, NodeId, Pc, RoutineId, StateId, VerbId};
use crate::legal::reads::{bit_of, is_unwritten};
use crate::program::{ClauseKind, Op, PartCall};
use crate::value::{Player, Value};

/// The most statements that are read for one part.
const MOST_STATEMENTS: u16 = 64;

/// The amounts that parts take from pools.
pub(crate) type Spent = Vec<(Player, StateId, i64)>;

/// A pool that holds too little: the player, the pool, what is there, and what all parts together take.
pub(crate) type Short = (Player, StateId, i32, i32);

/// What reading a body has found.
enum Found {
    /// The statements up to here can be carried out, and the next one can be read.
    Goes,
    /// A statement cannot be carried out. If a pool holds too little: the pool.
    Fails(Option<Short>),
    /// Nobody can tell what follows.
    Open,
}

/// What the statements that were read would change.
struct Reading<'s> {
    lists: Vec<Value>,
    spent: &'s mut Spent,
    /// Whether anything was changed, and which states. All bits: also something that is no state.
    written: Option<u128>,
    /// Whether only one member of a set is known. Conditions may depend on the others.
    one_of_set: bool,
    left: u16,
}

impl Reading<'_> {
    fn writes(&mut self, states: u128) {
        self.written = Some(self.written.unwrap_or(0) | states);
    }
}

impl Eval<'_> {
    /// Whether an action of a cost can be carried out: nothing prevents the action, and its body does not surely fail. If a pool holds too
    /// little, the pool is given. `spent`: the amounts that other parts take; those of this action are added.
    pub(crate) fn carries_out(&mut self, call: PartCall, spent: &mut Spent) -> Result<(), Option<Short>> {
        let lists = self.lists.to_vec();
        let mut reading = Reading { lists, spent, written: None, one_of_set: call.one_of_set, left: MOST_STATEMENTS };
        match self.read_action(call.verb, call.args, &mut reading) {
            Found::Fails(short) => Err(short),
            Found::Goes | Found::Open => Ok(()),
        }
    }

    /// Adds an amount to those that parts take from a pool. If the pool holds less than all of them together, the pool is given.
    pub(crate) fn takes_from(&mut self, (player, state): (Player, StateId), amount: i32, spent: &mut Spent) -> Result<(), Short> {
        let there = self.state_of(Value::Player(player), state).number().unwrap_or(0);
        let at = spent.iter().position(|(whose, of, _)| (*whose, *of) == (player, state)).unwrap_or_else(|| {
            spent.push((player, state, 0));
            spent.len() - 1
        });
        let sum = spent.get_mut(at).map_or(0, |(.., sum)| {
            *sum += i64::from(amount);
            *sum
        });
        if sum <= i64::from(there) { Ok(()) } else { Err((player, state, there, i32::try_from(sum).unwrap_or(i32::MAX))) }
    }

    fn read_action(&mut self, verb: VerbId, args: ArgsId, reading: &mut Reading<'_>) -> Found {
        let program = self.program;
        let Some(def) = program.verbs.get(verb) else { return Found::Open };
        let Some(routine) = def.body.filter(|_| def.option.is_none() && self.may_nest()) else { return Found::Open };
        let nodes = program.args_of(args);
        if nodes.contains(&NodeId::NONE) {
            return Found::Open;
        }
        let mut registers = Vec::with_capacity(nodes.len());
        for node in nodes {
            let value = self.argument_of(*node, reading);
            registers.push(value);
        }
        if registers.iter().any(|value| nothing_in(*value).is_some()) {
            return if def.done_with_nothing.is_some() { Found::Goes } else { Found::Fails(None) };
        }
        if self.may_be_replaced(verb, &registers, &reading.lists) {
            return Found::Open;
        }
        self.read_body(routine, registers, reading)
    }

    /// Reads the statements of a body whose parameters are the first registers.
    fn read_body(&mut self, routine: RoutineId, mut registers: Vec<Value>, reading: &mut Reading<'_>) -> Found {
        let program = self.program;
        let Some(def) = program.routines.get(routine) else { return Found::Open };
        registers.resize(usize::from(def.registers).max(registers.len()), Value::Undefined);
        let mut pc = def.start;
        loop {
            let (Some(left), Some(op)) = (reading.left.checked_sub(1), program.code.get(pc)) else { return Found::Open };
            reading.left = left;
            if matches!(op, Op::End | Op::Return(NodeId::NONE)) {
                return Found::Goes;
            }
            let lists = std::mem::take(&mut reading.lists);
            let mut inner = Eval::new(program, self.state, &registers, &lists, self.you, self.this);
            inner.carry_on(self);
            inner.cause = self.cause;
            let mut added = Vec::new();
            let found = inner.read_statement(pc, op, reading, &mut added);
            let (overflow, peeked) = (inner.overflow, inner.peeked);
            self.overflow |= overflow;
            self.peeked |= peeked;
            let start = lists.len() as u32;
            reading.lists = lists;
            if overflow || peeked {
                return Found::Open;
            }
            match found {
                Ok(Read::Next(to)) => pc = to,
                Ok(Read::Gives(to, value)) => {
                    let value = value.unwrap_or(Value::List { start, len: added.len() as u16 });
                    reading.lists.append(&mut added);
                    if let Some(slot) = registers.get_mut(usize::from(to.0)) {
                        *slot = value;
                    }
                    pc = Pc(pc.0 + 1);
                }
                Err(found) => return found,
            }
        }
    }

    /// Reads a statement with the registers of its body.
    fn read_statement(&mut self, pc: Pc, op: &Op, reading: &mut Reading<'_>, added: &mut Vec<Value>) -> Result<Read, Found> {
        if reading.one_of_set
            && !matches!(op, Op::Let { .. } | Op::LetSet { .. } | Op::MoveTop { .. } | Op::Builtin { .. } | Op::Perform { .. })
        {
            return Err(Found::Open);
        }
        let program = self.program;
        let next = Ok(Read::Next(Pc(pc.0 + 1)));
        let written = reading.written;
        let reads = |nodes: &[NodeId]| {
            let is_unwritten = |node: &NodeId| written.is_none_or(|states| is_unwritten(program, *node, states));
            if nodes.iter().all(is_unwritten) { Ok(()) } else { Err(Found::Open) }
        };
        match *op {
            Op::Let { to, value } => {
                reads(&[value])?;
                Ok(Read::Gives(to, Some(self.value(value))))
            }
            Op::LetSet { to, set } => {
                reads(&[set])?;
                *added = self.members(set);
                Ok(Read::Gives(to, None))
            }
            Op::Jump(to) => Ok(Read::Next(to)),
            Op::JumpUnless { condition, to } => {
                reads(&[condition])?;
                if self.holds(condition) { next } else { Ok(Read::Next(to)) }
            }
            Op::Spend { player, state, amount } => {
                reads(&[player, amount])?;
                let (Some(player), Some(amount)) = (self.player(player), self.number(amount)) else { return Err(Found::Fails(None)) };
                if amount > 0 {
                    self.takes_from((player, state), amount, reading.spent).map_err(|short| Found::Fails(Some(short)))?;
                }
                reading.writes(bit_of(state));
                next
            }
            Op::SetState { state, .. } => {
                reading.writes(bit_of(state));
                next
            }
            Op::Demand { zone, count } if written.is_none() => {
                if self.count(zone) < self.number(count).unwrap_or(0) {
                    Err(Found::Fails(None))
                } else {
                    next
                }
            }
            Op::MoveTop { from, .. } if written.is_none() => {
                reading.writes(u128::MAX);
                if self.count(from) < 1 { Err(Found::Fails(None)) } else { next }
            }
            Op::Builtin { verb, args, .. } if written.is_none() => {
                self.read_inner(verb.verb(), args, reading).map(|()| Read::Next(Pc(pc.0 + 1)))
            }
            Op::Perform { verb, args, .. } => {
                reads(program.args_of(args))?;
                if written.is_some() && program.verbs.get(verb).is_none_or(|def| def.condition != NodeId::NONE) {
                    return Err(Found::Open);
                }
                self.read_inner(verb, args, reading)?;
                next
            }
            Op::Refuse | Op::Fail => Err(Found::Fails(None)),
            _ => Err(Found::Open),
        }
    }

    /// Reads an action that a body performs.
    fn read_inner(&mut self, verb: VerbId, args: ArgsId, reading: &mut Reading<'_>) -> Result<(), Found> {
        let def = self.program.verbs.get(verb);
        if def.is_some_and(|def| def.done_with_nothing.is_some()) {
            return Err(Found::Open);
        }
        if !self.can(verb, args) {
            return Err(Found::Fails(None));
        }
        if def.is_none_or(|def| def.body.is_none()) {
            reading.writes(u128::MAX);
            return Ok(());
        }
        // The lists of this body have been taken out while the statement is read.
        let own = std::mem::replace(&mut reading.lists, self.lists.to_vec());
        let found = self.read_action(verb, args, reading);
        reading.lists = own;
        match found {
            Found::Goes => Ok(()),
            found => Err(found),
        }
    }

    fn argument_of(&mut self, node: NodeId, reading: &mut Reading<'_>) -> Value {
        match self.value(node) {
            Value::Undefined => {
                let (start, members) = (reading.lists.len() as u32, self.members(node));
                let len = members.len() as u16;
                reading.lists.extend(members);
                Value::List { start, len }
            }
            value => value,
        }
    }

    /// Whether an effect in force would replace the action. What is replaced counts as paid.
    fn may_be_replaced(&mut self, verb: VerbId, registers: &[Value], lists: &[Value]) -> bool {
        let (program, state) = (self.program, self.state);
        if state.effects.watching.get(verb.index()).is_none_or(|count| *count == 0) {
            return false;
        }
        let args = copied(registers);
        let what = Happening { verb, args: &args, lists, cause: self.cause };
        state.effects.in_force.iter().any(|effect| {
            let Some(ClauseKind::Instead { pattern, .. }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                return false;
            };
            self.watches(effect, effect.clause, *pattern, what)
        })
    }
}

/// What follows after a statement that was read.
enum Read {
    /// The next statement.
    Next(Pc),
    /// A register gets this value. Without a value: the list of the added members.
    Gives(crate::ids::Reg, Option<Value>),
}
