//! One statement.

use super::ids::{ArgsId, NodeId, Pc, Reg, RoutineId};
use super::limits::BRANCHES;
use super::observe::{Observer, Step};
use super::program::{Builtin, FaceWord, Node, Op};
use super::quick::Names;
use super::run::Run;
use super::state::{Branch, Change, Doing, Frame, Outcome, Role};
use super::value::{Player, Value};

/// Blocks of one `simultaneously`; only a damaged program has more.
const MOST_BRANCHES: usize = 64;

impl<O: Observer> Run<'_, O> {
    /// Carries out one statement of a branch.
    pub fn op(&mut self, branch: &mut Branch, at: u16, pc: Pc, op: Op) {
        if O::ON {
            self.tell_statement(branch, at, pc, op);
        }
        match op {
            Op::Let { to, value } => {
                let value = self.value(branch, value);
                set(branch, to, value);
            }
            Op::LetSet { to, set: node } => {
                let value = self.list(branch, node);
                set(branch, to, value);
            }
            Op::Jump(to) => jump(branch, to),
            Op::JumpUnless { condition, to } => {
                if !self.value(branch, condition).is_true() {
                    jump(branch, to);
                }
            }
            Op::Call { routine, args, result } => self.call(branch, routine, args, result),
            Op::Perform { verb, args, result } => self.perform(branch, at, pc, verb, args, result),
            Op::Builtin { verb, args, result } => self.builtin(branch, at, pc, verb, args, result),
            Op::MoveTop { from, to, face, result } => self.move_top(branch, at, pc, (from, to), face, result),
            Op::SetState { subject, state, value } => {
                let none = self.program.nodes.get(value) == Some(&Node::Const(Value::Undefined));
                let (subject, value) = (self.value(branch, subject), self.value(branch, value));
                if value == Value::Undefined && !none {
                    return self.settle(branch, at, false);
                }
                self.change(branch, at, Change::SetState { subject, state, value });
            }
            Op::Return(node) => self.return_from(branch, at, node),
            Op::End => self.leave(branch, at, Value::Undefined),
            Op::Stop => self.stop(branch, at),
            Op::Choose { choice, result } => self.choose(branch, at, pc, choice, result),
            Op::May { choice, otherwise } => self.ask_may(branch, at, pc, choice, otherwise),
            Op::Try { asked, otherwise } => self.try_(branch, at, pc, asked, otherwise),
            Op::TryEnd => self.try_end(branch),
            Op::Lenient(on) => top(branch, |frame| frame.lenient = on),
            Op::Iterate { list, set: node } => {
                let value = self.list(branch, node);
                set(branch, list, value);
                set(branch, Reg(list.0 + 1), Value::Number(0));
                if !O::ON
                    && let Value::List { len: 0, .. } = value
                    && let Some(Op::Next { end, .. }) = self.program.code.get(Pc(pc.0 + 1))
                {
                    jump(branch, *end);
                }
            }
            Op::Next { list, item, end } => next(branch, list, item, end),
            Op::CountDown { counter, end } => match get(branch, counter) {
                Value::Number(number) if number >= 1 => set(branch, counter, Value::Number(number - 1)),
                _ => jump(branch, end),
            },
            Op::ForkFor { set, item, join, in_order } => self.fork_for(branch, at, pc, set, (item, join, in_order)),
            Op::Fork { other, join } => self.fork(branch, at, other, join),
            Op::BranchEnd => branch.doing = Doing::Ended,
            Op::Meet => {
                if !self.alone {
                    branch.doing = Doing::Meet;
                }
            }
            Op::Judge => self.state.control.judging += 1,
            Op::JudgeEnd => {
                self.state.control.judging = self.state.control.judging.saturating_sub(1);
                self.check_verdicts();
            }
            Op::Hold => self.state.control.holding += 1,
            Op::HoldEnd => {
                self.state.control.holding = self.state.control.holding.saturating_sub(1);
                self.immediate_rules(Some(branch));
            }
            Op::ActAs { player, saved } => {
                let player = self.value(branch, player).player();
                let before = branch.frames.last().map_or(Player(0), |frame| frame.you);
                set(branch, saved, Value::Player(before));
                top(branch, |frame| frame.you = player.unwrap_or(before));
            }
            Op::ActEnd { saved } => {
                if let Value::Player(player) = get(branch, saved) {
                    top(branch, |frame| frame.you = player);
                }
            }
            Op::Install { clause, duration } => self.change(branch, at, Change::Install(clause, duration)),
            Op::Expire(duration) => self.change(branch, at, Change::Expire(duration)),
            Op::PutBy { moment, body, captures } => self.put_by(branch, at, moment, body, captures),
            Op::PerformAbility(node) => self.perform_ability(branch, at, pc, node),
            Op::Drop(node) => self.drop_pending(branch, node),
            Op::Emit { verb, args } => {
                let (args, start) = self.arguments(branch, args);
                self.emit(branch, at, pc, verb, args);
                branch.lists.truncate(start);
            }
            Op::Mark(name) => {
                let now = self.state.events.history.len() as u32;
                self.state.events.marks.retain(|(other, _)| *other != name);
                self.state.events.marks.push((name, now));
            }
            Op::Phase(phase) => {
                self.state.board.phase = Some(phase);
                let cites = self.program.phases.get(phase).map_or_else(Default::default, |phase| phase.name.cites);
                self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Phase(phase));
            }
            Op::TurnBegins => {
                self.state.board.turn += 1;
                self.state.events.uses.clear();
                let turn = self.state.board.turn;
                self.tell(pc, branch.frames.len(), at, &[], || Step::Turn(turn));
            }
            Op::Finish(node) => {
                let won = if node == NodeId::NONE { None } else { self.value(branch, node).player() };
                self.over(won.map_or(Outcome::Drawn, Outcome::Won));
            }
        }
    }

    /// Statements of control flow are told where they cite a rule; actions tell of themselves.
    fn tell_statement(&mut self, branch: &Branch, at: u16, pc: Pc, op: Op) {
        let silent = matches!(op, Op::Phase(_) | Op::TurnBegins);
        let cites = self.program.code_cites.get(pc).copied().unwrap_or_default();
        if !silent && cites.0 != 0 {
            self.tell(pc, branch.frames.len(), at, &[], || Step::Statement);
        }
    }

    fn call(&mut self, branch: &mut Branch, routine: RoutineId, args: ArgsId, result: Reg) {
        let guard = self.scratch.plan.guard(routine);
        if !O::ON && guard != NodeId::NONE && result == Reg::NONE {
            // A call begins with nothing done.
            let truth = Names::of(branch).and_then(|names| self.quick(&Names { done: false, ..names }, guard));
            if truth == Some(Value::Bool(true)) {
                return top(branch, |frame| frame.done = true);
            }
        }
        let lists = branch.lists.len() as u32;
        let base = self.push_arguments(branch, args);
        branch.registers.resize(base + self.registers_of(routine).max(self.program.args_of(args).len()), Value::Undefined);
        let mut frame = self.frame(routine, base);
        frame.lists = lists;
        frame.result = result;
        inherit(&mut frame, branch);
        self.push(branch, frame);
    }

    /// Evaluates arguments into new registers on top; where they begin.
    pub fn push_arguments(&mut self, branch: &mut Branch, args: ArgsId) -> usize {
        let program = self.program;
        let base = branch.registers.len();
        for node in program.args_of(args) {
            let value = self.argument(branch, *node);
            branch.registers.push(value);
        }
        base
    }

    /// The value of an argument: a set is taken now, as a list.
    pub fn argument(&mut self, branch: &mut Branch, node: NodeId) -> Value {
        if node == NodeId::NONE {
            Value::Undefined
        } else if let Some(Node::Const(_) | Node::Local(_) | Node::Zone(..)) = self.program.nodes.get(node) {
            self.value(branch, node)
        } else if self.is_set(node) {
            self.list(branch, node)
        } else {
            self.value(branch, node)
        }
    }

    fn is_set(&self, node: NodeId) -> bool {
        match self.program.nodes.get(node) {
            Some(Node::If(_, args)) => self.program.args_of(*args).iter().any(|branch| self.is_set(*branch)),
            Some(Node::With { body, .. }) => self.is_set(*body),
            Some(Node::Field(_, field) | Node::Printed(_, field)) => self.program.fields.get(*field).is_some_and(|field| field.set),
            Some(
                Node::Ends(..)
                | Node::Where(..)
                | Node::Except(..)
                | Node::Union(..)
                | Node::List(_)
                | Node::ZoneOfAll(_)
                | Node::Players
                | Node::Opponents(_)
                | Node::EnumValues(_)
                | Node::Abilities(_)
                | Node::Pending,
            ) => true,
            _ => false,
        }
    }

    fn return_from(&mut self, branch: &mut Branch, at: u16, node: NodeId) {
        let value = self.argument(branch, node);
        self.leave(branch, at, value);
    }

    /// Ends the ability or action whose body runs, with the procedures in between.
    fn stop(&mut self, branch: &mut Branch, at: u16) {
        loop {
            let plain = branch.frames.last().is_some_and(|frame| frame.role == Role::Plain) && branch.frames.len() > 1;
            self.leave(branch, at, Value::Undefined);
            if !plain {
                return;
            }
        }
    }

    fn move_top(&mut self, branch: &mut Branch, at: u16, pc: Pc, (from, to): (NodeId, NodeId), face: FaceWord, result: Reg) {
        let (from, to) = (self.value(branch, from), self.value(branch, to));
        let (Value::Zone(from), Value::Zone(to)) = (from, to) else {
            return self.not_done(branch, at, pc, Builtin::Move, [Value::Undefined; 6], super::observe::Why::Undefined);
        };
        self.scratch.sequence.read(super::sequence::spot(from) | super::sequence::spot(to));
        let Some(card) = self.state.board.cards(from).last().copied() else {
            let args = [Value::Undefined, Value::Zone(to), Value::Undefined, Value::Undefined, Value::Zone(from), Value::Undefined];
            return self.not_done(branch, at, pc, Builtin::Move, args, super::observe::Why::Nothing);
        };
        if self.watched(Builtin::Move.verb()) {
            let card = self.state.board.reference(card);
            let at_end = Value::Undefined;
            let args = [card, Value::Zone(to), face_value(face), at_end, Value::Zone(from), Value::Undefined];
            return self.decide_builtin(branch, pc, Builtin::Move, args, vec![card], result);
        }
        self.change(branch, at, Change::MoveTop { from, to, face: face.into(), result });
    }

    fn fork_for(&mut self, branch: &mut Branch, at: u16, pc: Pc, set: NodeId, (item, join, in_order): (Reg, Pc, bool)) {
        let Value::List { start, len } = self.list(branch, set) else { return };
        if self.in_sequence(branch, pc, (start, len), item, join) {
            return;
        }
        if self.state.control.branches.len() + usize::from(len) > BRANCHES {
            return self.fail(super::state::FailureKind::Depth, pc);
        }
        let body = branch.frames.last().map_or(Pc(0), |frame| frame.pc);
        top(branch, |frame| frame.pc = join);
        for index in 0..u32::from(len) {
            let member = branch.lists.get((start + index) as usize).copied().unwrap_or_default();
            let mut child = self.child(branch, at, body);
            child.in_order = in_order;
            child.own = member.player().or(child.own);
            if let Some(slot) = child.registers.get_mut(usize::from(item.0)) {
                *slot = member;
            }
            self.state.control.branches.push(child);
        }
        self.wait_for(branch, len);
    }

    /// `simultaneously { } { } { }` is a chain of forks with one join: a branch for each block.
    fn fork(&mut self, branch: &mut Branch, at: u16, mut other: Pc, join: Pc) {
        let first = branch.frames.last().map_or(Pc(0), |frame| frame.pc);
        top(branch, |frame| frame.pc = join);
        let mut bodies = vec![first];
        while let Some(Op::Fork { other: next, join: same }) =
            self.program.code.get(other).copied().filter(|_| bodies.len() < MOST_BRANCHES)
            && same == join
        {
            bodies.push(Pc(other.0 + 1));
            other = next;
        }
        bodies.push(other);
        if self.state.control.branches.len() + bodies.len() > BRANCHES {
            return self.fail(super::state::FailureKind::Depth, other);
        }
        for body in &bodies {
            let child = self.child(branch, at, *body);
            self.state.control.branches.push(child);
        }
        self.wait_for(branch, bodies.len() as u16);
    }

    fn wait_for(&mut self, branch: &mut Branch, children: u16) {
        branch.children = children;
        branch.doing = if children == 0 { Doing::Run } else { Doing::Wait };
    }

    /// A branch that goes on in a copy of the present frame.
    fn child(&mut self, branch: &Branch, at: u16, pc: Pc) -> Branch {
        let mut child = self.fresh_branch();
        child.parent = Some(at);
        child.level = branch.level;
        child.own = branch.own;
        if let Some(frame) = branch.frames.last() {
            child.registers.extend_from_slice(branch.registers.get(frame.base as usize..).unwrap_or(&[]));
            child.lists.extend_from_slice(&branch.lists);
            child.frames.push(Frame {
                pc,
                base: 0,
                lists: child.lists.len() as u32,
                role: Role::Plain,
                result: Reg::NONE,
                collects: None,
                ..frame.clone()
            });
        }
        child
    }

    /// A verdict is judged when no flow holds it back and no other branch is on its way.
    pub fn check_verdicts(&mut self) {
        let control = &self.state.control;
        if control.judging == 0 && !control.judged && control.losing | control.winning != 0 && self.alone && control.level == 0 {
            self.judge = true;
        }
    }
}

/// Changes the top frame.
#[inline]
pub fn top(branch: &mut Branch, change: impl FnOnce(&mut Frame)) {
    if let Some(frame) = branch.frames.last_mut() {
        change(frame);
    }
}

/// Goes on elsewhere.
#[inline]
pub fn jump(branch: &mut Branch, to: Pc) {
    top(branch, |frame| frame.pc = to);
}

/// A register of the top frame.
#[inline]
pub fn get(branch: &Branch, reg: Reg) -> Value {
    let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
    branch.registers.get(base + usize::from(reg.0)).copied().unwrap_or_default()
}

/// Sets a register of the top frame.
#[inline]
pub fn set(branch: &mut Branch, reg: Reg, value: Value) {
    let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
    if reg != Reg::NONE
        && let Some(slot) = branch.registers.get_mut(base + usize::from(reg.0))
    {
        *slot = value;
    }
}

fn next(branch: &mut Branch, list: Reg, item: Reg, end: Pc) {
    let index = get(branch, Reg(list.0 + 1)).number().unwrap_or(0);
    match get(branch, list) {
        Value::List { start, len } if (0..i32::from(len)).contains(&index) => {
            let member = branch.lists.get(start as usize + index as usize).copied().unwrap_or_default();
            set(branch, item, member);
            set(branch, Reg(list.0 + 1), Value::Number(index + 1));
        }
        _ => jump(branch, end),
    }
}

/// What a call takes over from its caller.
pub fn inherit(frame: &mut Frame, branch: &Branch) {
    if let Some(caller) = branch.frames.last() {
        frame.you = caller.you;
        frame.this = caller.this;
        frame.cause = caller.cause;
        frame.replaced = caller.replaced;
        frame.lenient = caller.lenient;
    }
}

/// A face word as an argument of an event: up is true.
pub fn face_value(face: FaceWord) -> Value {
    match face {
        FaceWord::AsZone => Value::Undefined,
        FaceWord::Up => Value::Bool(true),
        FaceWord::Down => Value::Bool(false),
    }
}
