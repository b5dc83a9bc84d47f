//! Decides which branch goes on: the branches of the highest level that can run, one after the other. Also decides what happens when none
//! can run, and handles branches that end.
//!
//! Input: the branches. [`Run::steps`] runs a branch. Statements and batches are elsewhere.

use crate::ids::{Pc, RoutineId};
use crate::program::{Op, Program};
use crate::run::{Run, next_op};
use crate::state::readings;
use crate::state::{Branch, Doing, FailureKind, Frame, Shown, Withheld};
use crate::steps::Observer;
use crate::value::{ObjectId, Value};

/// Why a branch that has run now waits.
enum Blocked {
    /// It does not wait for the other branches of its lockstep.
    Not,
    /// It has a question.
    Asks,
    /// It is about to change something.
    Changes,
    /// It waits until the other branches have come as far.
    Meets,
}

/// The values that an ended branch gives to the branch that forked it.
struct Outcome {
    shown: Vec<Shown>,
    collected: Vec<Value>,
    touched: Vec<ObjectId>,
    /// The cards that it took as a part of a cost.
    taken: Vec<ObjectId>,
    broke: bool,
    stopped: bool,
    /// Its first frame. Absent for the branch of a rule: the frame is gone, and the results of a rule belong to the rule alone.
    frame: Option<Frame>,
}

impl Outcome {
    fn of(branch: &mut Branch) -> Self {
        let frame = branch.frames.first().copied();
        let collects = frame.is_some_and(|frame| frame.collects.is_some());
        let collected = if collects { std::mem::take(&mut branch.collected) } else { Vec::new() };
        let (shown, touched) = (std::mem::take(&mut branch.shown), std::mem::take(&mut branch.touched));
        Outcome {
            shown,
            collected,
            touched,
            taken: std::mem::take(&mut branch.paying.taken),
            broke: branch.broke,
            stopped: branch.stopped,
            frame,
        }
    }

    fn hand_to(self, parent: &mut Branch, program: &Program) {
        // Cards that a branch shows are shown until the ability that forked the branch ends.
        parent.shown.extend_from_slice(&self.shown);
        parent.collected.extend_from_slice(&self.collected);
        parent.touch(self.touched);
        parent.paying.taken.extend_from_slice(&self.taken);
        parent.broke |= self.broke;
        parent.went_through |= !self.stopped;
        let told = parent.parent.is_some() || parent.frames.len() > 1;
        if let (Some(own), Some(frame)) = (self.frame, parent.frames.last_mut()) {
            if program.asks_done(frame.routine) {
                (frame.done, frame.part) = (frame.done && own.done, frame.part || own.part);
            }
            // At the end of the flow nobody reads these values.
            if told {
                (frame.failed, frame.any) = (frame.failed || own.failed, frame.any || own.any);
            }
        }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Runs the branches that can run, one after the other. If none can run, does what follows then.
    pub(crate) fn run_branches(&mut self) {
        let control = &self.state.control;
        let level = control.level;
        let (mut live, mut next, mut asks, mut changes, mut late) = (0_u16, None, false, false, false);
        let mut around = false;
        for (at, branch) in control.branches.iter().enumerate() {
            if branch.level != level {
                continue;
            }
            match branch.doing {
                Doing::Ended => continue,
                Doing::Wait => {
                    around |= !branch.scopes.is_empty();
                    continue;
                }
                Doing::Run => next = next.or(Some(at)),
                Doing::Ask(_) => asks = true,
                Doing::Change(_) => changes = true,
                Doing::AfterRules(_) => late = true,
                Doing::Meet => {}
            }
            live += 1;
        }
        if around && self.look_around_those_who_wait() {
            return;
        }
        self.alone = live == 1 || self.trial.is_some();
        if late {
            return self.finish_step(level);
        }
        while let Some(at) = next {
            if self.ends_at_once(at) {
                return;
            }
            match self.run_branch(at) {
                Blocked::Asks => asks = true,
                Blocked::Changes => changes = true,
                Blocked::Meets => {}
                Blocked::Not => return,
            }
            if self.stopped || self.state.control.level != level {
                return;
            }
            next = self.next_after(at, level);
        }
        self.all_blocked(asks, changes);
    }

    /// The next branch of a level that can run.
    fn next_after(&self, at: usize, level: u16) -> Option<usize> {
        let mut others = self.state.control.branches.iter().enumerate().skip(at + 1);
        others.find(|(_, branch)| branch.level == level && matches!(branch.doing, Doing::Run)).map(|(at, _)| at)
    }

    /// Ends a branch that has only its end left, without taking the branch out of the state. Does the same with the branches after it.
    /// Returns whether a branch was ended in this way.
    #[inline]
    fn ends_at_once(&mut self, first: usize) -> bool {
        let ends = |branch: &Branch| matches!(next_op(self.program, branch), Some(Op::BranchEnd));
        !self.counts_all() && self.state.control.branches.get(first).is_some_and(|branch| ends(branch)) && self.ends_from(first)
    }

    #[inline(never)]
    fn ends_from(&mut self, first: usize) -> bool {
        let level = self.state.control.level;
        for at in first.. {
            let control = &mut self.state.control;
            let may = control.steps < self.budget && control.level == level;
            let Some(branch) = control.branches.get_mut(at).filter(|_| may) else { return at > first };
            let runs = branch.level == level && matches!(branch.doing, Doing::Run);
            if !runs || !matches!(next_op(self.program, branch), Some(Op::BranchEnd)) {
                return at > first;
            }
            control.steps += 1;
            crate::run::step::top(branch, |frame| frame.pc.0 += 1);
            branch.doing = Doing::Ended;
            let (parent, ended) = (branch.parent, Outcome::of(branch));
            self.branch_ended(parent, ended);
            let parent = parent.and_then(|parent| self.state.control.branches.get(usize::from(parent)));
            if !parent.is_some_and(|parent| matches!(parent.doing, Doing::Wait)) {
                return true;
            }
        }
        true
    }

    /// Runs a branch. Returns why it now waits for the others.
    fn run_branch(&mut self, at: usize) -> Blocked {
        let Some(mut branch) = self.take_out(at) else { return Blocked::Not };
        self.steps(&mut branch, at as u16);
        let blocked = match branch.doing {
            Doing::Ask(_) => Blocked::Asks,
            Doing::Change(_) => Blocked::Changes,
            Doing::Meet => Blocked::Meets,
            Doing::Ended if !self.judge => {
                let (parent, ended) = (branch.parent, Outcome::of(&mut branch));
                self.put_back(branch, at);
                self.branch_ended(parent, ended);
                return Blocked::Not;
            }
            _ => Blocked::Not,
        };
        self.put_back(branch, at);
        blocked
    }

    /// Takes a branch out of the state to run it.
    #[inline]
    pub(crate) fn take_out(&mut self, at: usize) -> Option<Box<Branch>> {
        let slot = self.state.control.branches.get_mut(at)?;
        Some(std::mem::replace(slot, self.scratch.empty.take().unwrap_or_default()))
    }

    /// Puts a branch back into its place in the state.
    #[inline]
    pub(crate) fn put_back(&mut self, branch: Box<Branch>, at: usize) {
        if let Some(slot) = self.state.control.branches.get_mut(at) {
            self.scratch.empty = Some(std::mem::replace(slot, branch));
        }
    }

    #[inline(never)]
    fn branch_ended(&mut self, parent: Option<u16>, ended: Outcome) {
        let (control, program) = (&mut self.state.control, self.program);
        if let Some(at) = parent
            && let Some(parent) = control.branches.get_mut(usize::from(at))
        {
            parent.children = parent.children.saturating_sub(1);
            ended.hand_to(parent, program);
            let all_stopped = parent.children == 0 && !std::mem::take(&mut parent.went_through);
            if parent.children == 0 && matches!(parent.doing, Doing::Wait) {
                (parent.doing, parent.stopped) = (Doing::Run, all_stopped);
                if parent.broke {
                    self.lockstep_broke(usize::from(at));
                }
            }
        }
        let control = &mut self.state.control;
        while control.branches.len() > 1
            && let Some(ended) = control.branches.pop_if(|branch| matches!(branch.doing, Doing::Ended))
        {
            self.scratch.branches.push(ended);
        }
        if control.level > 0 {
            let before = control.level;
            let going = control.branches.iter().filter(|branch| !matches!(branch.doing, Doing::Ended));
            control.level = going.map(|branch| branch.level).max().unwrap_or(0);
            if control.level < before && (!control.dirty.is_none() || control.wrote) {
                // The changes that rules have made can make another rule due.
                self.immediate_rules(None);
            }
            // Verdicts that the rules have raised are judged when the rules have ended. The step that made the rules due may be one of
            // several.
            self.verdicts_after_batch();
        }
        let control = &mut self.state.control;
        if control.branches.first().is_some_and(|root| matches!(root.doing, Doing::Ended)) {
            self.flow_ended();
        }
    }

    /// Called when a lockstep of the branch `at` has ended and some instruction in it was not carried out in full. If an attempt in this
    /// branch or around it demands that, the attempt fails.
    fn lockstep_broke(&mut self, at: usize) {
        let Some(mut branch) = self.take_out(at) else { return };
        if self.in_attempt(&branch) {
            branch.broke = false;
            self.attempt_failed(&mut branch, at as u16);
        }
        self.put_back(branch, at);
    }

    /// Called when the flow has ended. After the set-up and after each turn the next turn begins. A judgement has to end the game, so its
    /// end is an error.
    fn flow_ended(&mut self) {
        let turn = self.program.turn.filter(|_| !self.state.control.judged);
        let Some(turn) = turn else {
            if self.program.turn.is_none() && !self.state.control.judged {
                // No statement is the cause, so none is named.
                return self.fail(FailureKind::NoTurn, Pc::NOWHERE);
            }
            let judgement = self.program.judgement.and_then(|id| self.program.routines.get(id));
            return self.fail(FailureKind::NoResult, judgement.map_or(Pc::NOWHERE, |judgement| judgement.start));
        };
        if let Some(mut root) = self.take_out(0) {
            self.begin_turn(&mut root, turn);
            self.put_back(root, 0);
        }
    }

    /// Begins a turn in the branch of the flow.
    pub fn begin_turn(&self, root: &mut Branch, turn: RoutineId) {
        root.doing = Doing::Run;
        let registers = self.registers_of(turn);
        root.registers.truncate(registers);
        root.registers.fill(Value::Undefined);
        root.registers.resize(registers, Value::Undefined);
        root.lists.clear();
        root.collected.clear();
        root.frames.clear();
        root.deciding.clear();
        root.frames.push(self.frame(turn, 0));
    }

    /// Carries out `end_phase()` and `end_turn()`. Outside of phases nothing happens.
    pub fn end_phase(&mut self, turn: bool) {
        let phases = &self.program.phases;
        readings::note_whole(readings::part::PHASE);
        let now = self.state.board.phase.and_then(|phase| if turn { phases.rows().last() } else { phases.get(phase) });
        let Some(to) = now.map(|phase| phase.end) else { return };
        if self.trial.is_some() {
            return self.answer_trial_open();
        }
        self.lifted_bars_end();
        self.leaves = Some(to);
        self.stop_here();
    }

    /// Ends everything that goes on, innermost first. Then the turn goes on at `to`.
    pub(crate) fn leave_for(&mut self, to: Pc) {
        let mut finals = Vec::new();
        for at in (0..self.state.control.branches.len()).rev() {
            let Some(mut branch) = self.take_out(at) else { continue };
            let kept = usize::from(at == 0).min(branch.frames.len());
            for frame in branch.frames.split_off(kept) {
                self.performed_is_over(&frame);
            }
            self.end_scopes(&mut branch);
            while !branch.scopes.is_empty() {
                self.scope_ends(&mut branch);
            }
            finals.append(&mut branch.finals);
            self.hide(&mut branch, 0);
            self.put_back(branch, at);
        }
        let control = &mut self.state.control;
        while control.branches.len() > 1
            && let Some(over) = control.branches.pop()
        {
            self.scratch.branches.push(over);
        }
        (control.level, control.judging, control.holding) = (0, 0, 0);
        control.running.clear();
        let registers = self.program.turn.map_or(0, |turn| self.registers_of(turn));
        let Some(root) = self.state.control.branches.first_mut() else { return };
        root.registers.truncate(registers);
        root.collected.clear();
        root.deciding.clear();
        root.attempts.clear();
        root.unveil(0);
        root.withheld = Withheld::default();
        (root.children, root.went_through, root.doing) = (0, false, Doing::Run);
        if let Some(frame) = root.frames.first_mut() {
            *frame = Frame {
                routine: frame.routine,
                base: frame.base,
                lists: frame.lists,
                result: crate::ids::Reg::NONE,
                pc: to,
                ..Frame::default()
            };
        }
        // All stretches of the branches have ended, so these blocks are due.
        root.finals = finals;
        let control = &self.state.control;
        self.judge = control.losing | control.winning != 0 && !control.judged;
        self.immediate_rules(None);
    }
}
