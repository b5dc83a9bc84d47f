//! The run: which branch goes on, when all are blocked, what happens together.
//!
//! A branch runs until it asks, is about to change something that others must not see yet, waits for its own branches, or ends.
//! When none can run, the open questions are the decision; when all are about to change something (or have ended), the changes
//! are performed as one batch, then the immediate rules that it calls for run, then they go on (docs/kernel.md, "Simultaneity").

use super::eval::Eval;
use super::ids::{CitesId, Pc, Reg, RoutineId};
use super::limits::{CALL_DEPTH, STEP_BUDGET};
use super::observe::{Observer, Step, Traced, View};
use super::plan::Plan;
use super::program::{Node, Program};
use super::quick::Names;
use super::state::{Branch, Cause, Doing, Failure, FailureKind, Frame, Outcome, Role, State, Status};
use super::value::{Player, Value};
use std::sync::Arc;

/// Memory that is used again: never saved, compared or hashed.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Branches that have ended.
    pub branches: Vec<Branch>,
    /// Values on their way.
    pub values: Vec<Value>,
    /// What is known of the program beforehand.
    pub plan: Arc<Plan>,
    /// Immediate rules that a change calls for.
    pub due: Vec<(super::ids::RuleId, Player)>,
    /// Moves of a batch.
    pub moves: Vec<super::change::Moving>,
    /// What a lockstep without branches has done so far.
    pub sequence: super::sequence::Sequence,
    /// Statements carried out, for measuring.
    pub statements: u64,
}

/// What a trial run wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Whether the attempt that is open can succeed.
    Attempt,
    /// Whether anything at all can be done before the top frame ends.
    Anything {
        /// The frames that there are without it.
        frames: usize,
    },
}

/// A trial run.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// What it is for.
    pub goal: Goal,
    /// For whom.
    pub player: Player,
    /// What it found.
    pub found: Option<bool>,
}

/// One run of the machine.
pub struct Run<'r, O: Observer> {
    /// The compiled game.
    pub program: &'r Program,
    /// The state.
    pub state: &'r mut State,
    /// Memory.
    pub scratch: &'r mut Scratch,
    /// Who is told.
    pub observer: &'r mut O,
    /// Every event is kept.
    pub record_all: bool,
    /// Statements between two decisions.
    pub budget: u32,
    /// It is a trial.
    pub trial: Option<Trial>,
    /// Verdicts are to be judged as soon as the running branch is put back.
    pub judge: bool,
    /// The branch that runs changes things at once: no other has to wait for it.
    pub alone: bool,
}

impl<'r, O: Observer> Run<'r, O> {
    /// Runs until decisions are needed, the game is over, a rules error, or (a trial) the answer is found.
    pub fn go(&mut self) -> Status {
        self.resume();
        while matches!(self.state.control.status, Status::Running) && !self.found() {
            if self.judge {
                self.judge_now();
                continue;
            }
            match self.next_branch() {
                Some(at) => self.run_branch(at),
                None => self.all_blocked(),
            }
        }
        // Not part of where a game is: short cuts save some of them.
        self.scratch.statements += u64::from(std::mem::take(&mut self.state.control.steps));
        self.state.control.status
    }

    /// A trial has its answer.
    #[inline]
    pub fn found(&self) -> bool {
        matches!(self.trial, Some(Trial { found: Some(_), .. }))
    }

    /// Gives a trial its answer; nothing outside of one.
    pub fn find(&mut self, answer: bool) {
        if let Some(trial) = &mut self.trial
            && trial.found.is_none()
        {
            trial.found = Some(answer);
        }
    }

    fn next_branch(&mut self) -> Option<usize> {
        let control = &self.state.control;
        if let [only] = control.branches.as_slice() {
            self.alone = true;
            return matches!(only.doing, Doing::Run).then_some(0);
        }
        let level = control.level;
        let live = |branch: &Branch| branch.level == level && !matches!(branch.doing, Doing::Ended | Doing::Wait);
        self.alone = self.trial.is_some() || control.branches.iter().filter(|branch| live(branch)).count() == 1;
        control.branches.iter().position(|branch| branch.level == level && matches!(branch.doing, Doing::Run))
    }

    fn run_branch(&mut self, at: usize) {
        let Some(slot) = self.state.control.branches.get_mut(at) else { return };
        let mut branch = std::mem::take(slot);
        self.steps(&mut branch, at as u16);
        let ended = matches!(branch.doing, Doing::Ended);
        let parent = branch.parent;
        let shown = if ended { std::mem::take(&mut branch.shown) } else { Vec::new() };
        if let Some(slot) = self.state.control.branches.get_mut(at) {
            std::mem::swap(slot, &mut branch);
        }
        if ended && !self.judge {
            // What a branch shows is shown until the ability that forked it ends.
            if let Some(parent) = parent.and_then(|parent| self.state.control.branches.get_mut(usize::from(parent))) {
                parent.shown.extend(shown);
            }
            self.branch_ended(parent);
        }
    }

    fn branch_ended(&mut self, parent: Option<u16>) {
        let control = &mut self.state.control;
        if let Some(parent) = parent.and_then(|parent| control.branches.get_mut(usize::from(parent))) {
            parent.children = parent.children.saturating_sub(1);
            if parent.children == 0 && matches!(parent.doing, Doing::Wait) {
                parent.doing = Doing::Run;
            }
        }
        while control.branches.len() > 1 && control.branches.last().is_some_and(|branch| matches!(branch.doing, Doing::Ended)) {
            self.scratch.branches.extend(control.branches.pop());
        }
        control.level =
            control.branches.iter().filter(|branch| !matches!(branch.doing, Doing::Ended)).map(|branch| branch.level).max().unwrap_or(0);
        if control.branches.first().is_some_and(|root| matches!(root.doing, Doing::Ended)) {
            self.flow_ended();
        }
    }

    /// The flow ended: set-up and each turn are followed by a turn.
    fn flow_ended(&mut self) {
        let turn = self.program.turn.filter(|_| !self.state.control.judged);
        let Some(turn) = turn else { return self.fail(FailureKind::NoResult, Pc(0)) };
        let frame = self.frame(turn, 0);
        let registers = self.registers_of(turn);
        if let Some(root) = self.state.control.branches.first_mut() {
            root.doing = Doing::Run;
            root.registers.clear();
            root.registers.resize(registers, Value::Undefined);
            root.lists.clear();
            root.collected.clear();
            root.frames.clear();
            root.frames.push(frame);
        }
    }

    /// How many registers a routine's frame has.
    pub fn registers_of(&self, routine: RoutineId) -> usize {
        self.program.routines.get(routine).map_or(0, |routine| usize::from(routine.registers))
    }

    /// A frame at the beginning of a routine.
    pub fn frame(&self, routine: RoutineId, base: usize) -> Frame {
        Frame {
            routine,
            pc: self.program.routines.get(routine).map_or(Pc(u32::MAX), |routine| routine.start),
            base: base as u32,
            result: Reg::NONE,
            ..Frame::default()
        }
    }

    /// Ends the run with a rules error.
    pub fn fail(&mut self, kind: FailureKind, at: Pc) {
        let failure = Failure { kind, at };
        self.state.control.status = Status::Failed(failure);
        self.find(true);
        self.tell(at, 0, 0, &[], || Step::Failed(failure));
    }

    /// Tells the onlooker.
    #[inline]
    pub fn tell(&mut self, at: Pc, depth: usize, branch: u16, lists: &[Value], step: impl FnOnce() -> Step) {
        if O::ON && self.trial.is_none() {
            let cites = self.program.code_cites.get(at).copied().unwrap_or_default();
            self.tell_cited(cites, at, depth, branch, lists, step);
        }
    }

    /// Tells the onlooker of something that the kernel did by itself, where the game has a rule for it.
    pub fn tell_principle(&mut self, principle: super::program::Principle, at: Pc, depth: usize, branch: u16) {
        let cites = self.program.principle(principle);
        if O::ON && cites != CitesId::default() {
            self.tell_cited(cites, at, depth, branch, &[], || Step::Statement);
        }
    }

    /// Tells the onlooker, with the rules of something else than the statement.
    pub fn tell_cited(&mut self, cites: CitesId, at: Pc, depth: usize, branch: u16, lists: &[Value], step: impl FnOnce() -> Step) {
        if O::ON && self.trial.is_none() {
            let traced = Traced { cites, at, depth: depth as u16, branch, step: step() };
            self.observer.step(&View { program: self.program, state: self.state, lists }, &traced);
        }
    }

    /// Carries out a branch's statements until it is blocked.
    fn steps(&mut self, branch: &mut Branch, at: u16) {
        while matches!(branch.doing, Doing::Run) && matches!(self.state.control.status, Status::Running) && !self.judge && !self.found() {
            self.state.control.steps += 1;
            if self.state.control.steps > self.budget {
                let pc = branch.frames.last().map_or(Pc(0), |frame| frame.pc);
                return self.fail(FailureKind::Budget, pc);
            }
            let Some(frame) = branch.frames.last_mut() else {
                branch.doing = Doing::Ended;
                return;
            };
            if let Role::Deciding(_) = frame.role {
                self.decide(branch, at);
                continue;
            }
            let pc = frame.pc;
            frame.pc.0 += 1;
            let Some(&op) = self.program.code.get(pc) else { return self.fail(FailureKind::NoResult, pc) };
            self.op(branch, at, pc, op);
        }
    }

    /// An evaluation in the top frame of a branch.
    #[inline]
    pub fn eval<'e>(&'e self, branch: &'e Branch) -> Eval<'e> {
        let Some(frame) = branch.frames.last() else {
            return Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
        };
        let locals = branch.registers.get(frame.base as usize..).unwrap_or(&[]);
        let mut eval = Eval::new(self.program, self.state, locals, &branch.lists, frame.you, frame.this);
        eval.done = frame.done;
        eval.watcher = self.trial.map(|trial| trial.player);
        eval
    }

    /// The value of a node in the top frame of a branch.
    #[inline]
    pub fn value(&mut self, branch: &Branch, node: super::ids::NodeId) -> Value {
        match self.program.nodes.get(node) {
            Some(Node::Const(value)) => *value,
            Some(Node::Local(reg)) => super::step::get(branch, *reg),
            _ => self.worked_out(branch, node),
        }
    }

    /// The value of a node that is neither a constant nor a register.
    fn worked_out(&mut self, branch: &Branch, node: super::ids::NodeId) -> Value {
        if let Some(value) = Names::of(branch).and_then(|names| self.quick(&names, node)) {
            return value;
        }
        let (value, overflow, peeked, reads) = {
            let mut eval = self.eval(branch);
            let value = eval.value(node);
            (value, eval.overflow, eval.peeked, eval.reads.get())
        };
        self.scratch.sequence.read(reads);
        self.noted(branch, overflow, peeked);
        value
    }

    /// What an evaluation noted: an overflow is a rules error; a look at what the watcher of a trial may not see ends the trial.
    pub fn noted(&mut self, branch: &Branch, overflow: bool, peeked: bool) {
        if overflow {
            let pc = branch.frames.last().map_or(Pc(0), |frame| frame.pc);
            self.fail(FailureKind::Overflow, pc);
        }
        if peeked {
            self.find(true);
        }
    }

    /// The members of a set, as a list in the branch's arena.
    pub fn list(&mut self, branch: &mut Branch, node: super::ids::NodeId) -> Value {
        let start = branch.lists.len() as u32;
        let mut lists = std::mem::take(&mut branch.lists);
        let quick = Names::of(branch).is_some_and(|names| self.quick_list(&names, node, &mut lists));
        branch.lists = lists;
        if quick {
            return Value::List { start, len: (branch.lists.len() - start as usize) as u16 };
        }
        let mut values = std::mem::take(&mut self.scratch.values);
        values.clear();
        let (overflow, peeked, reads) = {
            let mut eval = self.eval(branch);
            eval.each(node, &mut |_, member| {
                values.push(member);
                false
            });
            (eval.overflow, eval.peeked, eval.reads.get())
        };
        self.scratch.sequence.read(reads);
        self.noted(branch, overflow, peeked);
        branch.lists.extend_from_slice(&values);
        let len = values.len() as u16;
        self.scratch.values = values;
        Value::List { start, len }
    }

    /// Puts a call on top of a branch. Too deep is a rules error.
    pub fn push(&mut self, branch: &mut Branch, frame: Frame) {
        if branch.frames.len() >= CALL_DEPTH {
            return self.fail(FailureKind::Depth, frame.pc);
        }
        branch.frames.push(frame);
    }

    /// A branch like new.
    pub fn fresh_branch(&mut self) -> Branch {
        let mut branch = self.scratch.branches.pop().unwrap_or_default();
        branch.reset();
        branch
    }

    /// Judges what verdicts there are: the flow ends, the judgement begins.
    pub fn judge_now(&mut self) {
        self.judge = false;
        if self.trial.is_some() {
            return self.find(true);
        }
        self.tell(Pc(u32::MAX), 0, 0, &[], || Step::Judged);
        let (losing, winning) = (self.state.control.losing, self.state.control.winning);
        let players = self.program.players;
        let mut root = self.fresh_branch();
        let control = &mut self.state.control;
        self.scratch.branches.append(&mut control.branches);
        control.level = 0;
        control.judging = 0;
        control.holding = 0;
        control.judged = true;
        let Some(judgement) = self.program.judgement else {
            let left: Vec<u8> = (0..players).filter(|player| losing & (1 << player) == 0).collect();
            let won =
                (0..players).find(|player| winning & (1 << player) != 0).or(if let [only] = left.as_slice() { Some(*only) } else { None });
            return self.over(won.map_or(Outcome::Drawn, |player| Outcome::Won(Player(player))));
        };
        let mut list = |mask: u8| {
            let start = root.lists.len() as u32;
            root.lists.extend((0..players).filter(|player| mask & (1 << player) != 0).map(|player| Value::Player(Player(player))));
            Value::List { start, len: root.lists.len() as u16 - start as u16 }
        };
        let (losing, winning) = (list(losing), list(winning));
        root.registers.resize(self.registers_of(judgement).max(2), Value::Undefined);
        for (slot, value) in root.registers.iter_mut().zip([losing, winning]) {
            *slot = value;
        }
        let mut frame = self.frame(judgement, 0);
        frame.lists = root.lists.len() as u32;
        frame.cause = Cause::Rule;
        root.frames.push(frame);
        self.state.control.branches.push(root);
    }

    /// The game is over.
    pub fn over(&mut self, outcome: Outcome) {
        self.state.control.status = Status::Over(outcome);
        self.find(true);
        self.tell(Pc(u32::MAX), 0, 0, &[], || Step::Over(outcome));
    }
}

/// The budget where nothing else is said.
#[must_use]
pub fn default_budget() -> u32 {
    STEP_BUDGET
}
