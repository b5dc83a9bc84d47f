//! The run: decides which branch goes on, what happens when all are blocked, and what happens together.
//!
//! A branch runs until it asks, is about to change something that others must not see yet, waits for its own branches, or ends. When none
//! can run, the open questions are the decision. When all are about to change something (or have ended), the changes are performed as one
//! batch. Then the due immediate rules run, and then the branches go on (docs/kernel/simultaneity.md).
//!
//! A branch of `simultaneously` has its own stack of frames. An action with a body is an ordinary call, so the branches go through the body
//! step by step. At `Op::Meet` a branch waits for the others, so that the prices of all are paid before any effect goes on.
//!
//! | file | does |
//! | --- | --- |
//! | `assign.rs` | the assignment to a state or a pool |
//! | `branches.rs` | decides which branch goes on: the branches of the highest level that can run, one after the other |
//! | `circles.rs` | positions that come back by themselves |
//! | `finally.rs` | blocks of `finally`, which are carried out when the stretch around them has ended |
//! | `growth.rs` | loops without decisions whose rounds differ only in numbers and effects |
//! | `quiet.rs` | quiet statements: statements that touch nothing but the registers of their own frame, carried out in one go |
//! | `repeats.rs` | repeats that players choose |
//! | `rounds.rs` | rounds that players choose and that leave something that grows |
//! | `immediate_rules.rs` | finds and runs the immediate rules that are due after a change |
//! | `rules.rs` | rules that watch: which rules apply now, how they run, and which events they have heard |
//! | `scopes.rs` | stretches of the flow with something around them: a watched condition, or names and effects that hold meanwhile |
//! | `step.rs` | carries out one statement |
//! | `taken.rs` | the things that players take in rounds |
//! | `trial.rs` | what a trial run asks, and the copy of the state on which it runs |
//! | `work.rs` | the work of a statement, between two decisions, and of the whole game |

mod assign;
pub(crate) mod branches;
pub(crate) mod circles;
pub(crate) mod finally;
mod growth;
pub(crate) mod immediate_rules;
pub(crate) mod quiet;
pub(crate) mod repeats;
pub(crate) mod rounds;
pub(crate) mod rules;
pub(crate) mod scopes;
pub(crate) mod step;
mod taken;
mod trial;
mod work;

pub(crate) use growth::Ahead;
pub(crate) use trial::Goal;
pub use trial::Trial;

use super::eval::Eval;
use super::ids::{CitesId, Pc, Reg, RoutineId};
use super::limits::{CALL_DEPTH, LOOP_AFTER, STEP_BUDGET};
use super::plan::Plan;
use super::program::{Builtin, Op, Program};
use super::state::{Branch, Cause, Doing, Failure, FailureKind, Frame, Outcome, Role, State, Status};
use super::steps::{Observer, Step};
use super::value::{Player, Value};
use crate::eval::quick::{names, place_at};
use crate::fault::{Fault, broken};
use crate::machine::scratch::Scratch;
use crate::plan::shapes::Shape;
use crate::run::scopes::MayChange;
use crate::run::step::jump;
use crate::short_ways::{ShortWay, took};
use crate::steps::standing_effects;

/// One run of the machine.
pub struct Run<'r, O: Observer> {
    /// The compiled game.
    pub program: &'r Program,
    /// What is known of the game before it is played.
    pub plan: &'r Plan,
    /// The state.
    pub state: &'r mut State,
    /// Spare memory, and results that are kept.
    pub scratch: &'r mut Scratch,
    /// The observer who is told of the steps.
    pub observer: &'r mut O,
    /// Whether every event is kept, not only the events that the program asks for.
    pub record_all: bool,
    /// The most statements between two decisions.
    pub budget: u32,
    /// The trial, if this run is a trial run.
    pub trial: Option<Trial>,
    /// Set if a phase or the turn has been ended: the statement at which the flow goes on. It goes on there as soon as the running branch
    /// is put back.
    pub leaves: Option<Pc>,
    /// Whether verdicts are to be judged as soon as the running branch is put back.
    pub judge: bool,
    /// Whether the running branch has to be put back now. See [`Run::stop_here`].
    pub stopped: bool,
    /// Whether the last statement has changed nothing but frames.
    pub still: bool,
    /// Whether the running branch makes its changes at once, because no other branch has to wait for them.
    pub alone: bool,
    /// Whether a duration is beginning. Then the effects that waited for it come into force.
    pub begins: bool,
    /// The work since the last decision that the number of statements does not show ([`WORK_BUDGET`]).
    pub work: u64,
    /// The event being emitted lets an ability wait only once since this mark. `TextId::NONE`: each time.
    pub once: super::ids::TextId,
    /// Whether offers may be asked without a list of their answers.
    pub samples: bool,
    /// Whether the run stops in front of the first statement that asks or uses chance.
    pub(crate) scouts: bool,
    /// The statement that is being carried out. Its frame points at the next one already. `None` between statements.
    pub carried: Option<Pc>,
    /// On a copy of the game: the look ahead for which the copy is played.
    pub ahead: Option<Ahead>,
    /// In a trial run: the replacements that are being carried out around the branch that is tried.
    pub within: Vec<u32>,
}

impl<'r, O: Observer> Run<'r, O> {
    /// A run of a state: no trial, with the usual budget of statements. Only events that the program asks for are kept.
    pub(super) fn new(
        (program, plan): (&'r Program, &'r Plan),
        state: &'r mut State,
        scratch: &'r mut Scratch,
        observer: &'r mut O,
    ) -> Self {
        Run {
            program,
            plan,
            state,
            scratch,
            observer,
            record_all: false,
            budget: STEP_BUDGET,
            trial: None,
            leaves: None,
            judge: false,
            stopped: false,
            still: false,
            alone: false,
            scouts: false,
            carried: None,
            ahead: None,
            within: Vec::new(),
            samples: false,
            once: super::ids::TextId::NONE,
            begins: false,
            work: 0,
        }
    }

    /// Runs until players have to decide, the game is over, or a rules error has come up. A trial run also ends when its answer is found.
    pub fn go(&mut self) -> Status {
        if !self.is_tried() {
            self.state.control.spent.add(u64::from(self.state.effects.asked.answers.take()));
        }
        if self.trial.is_none() {
            self.state.effects.asked.forget();
        }
        self.scratch.forget_candidates();
        self.resume();
        self.scratch.nobody_goes_round();
        self.overseen_anew();
        self.note_standing();
        self.look_at_conditions();
        if self.state.control.laid && self.state.control.branches.last().is_some_and(|root| root.frames.len() == 1) {
            self.look_at_position(None);
        }
        loop {
            while matches!(self.state.control.status, Status::Running) && !self.found() {
                self.round();
            }
            if !matches!(self.state.control.status, Status::Asking) || !self.repeats() {
                break;
            }
            // An answer that is given in a player's stead is a decision too, and a circle lies between two decisions.
            self.scratch.nobody_goes_round();
            self.state.nobody_was_here();
            self.state.control.goes_round = false;
            self.count_spent();
            self.work = 0;
        }
        if matches!(self.state.control.status, Status::Asking) {
            self.look_for_a_way_out();
        }
        // The number of statements is no part of where a game is, because short cuts save some of them.
        self.count_spent();
        self.look_at_work_of_game();
        self.state.control.goes_round = false;
        self.remember_where_it_was();
        // Not in a trial run: there it would be forgotten for that run only, and again in the next one.
        if self.trial.is_none() && !self.state.board.known.is_empty() {
            self.state.forget_much();
        }
        self.state.control.status
    }

    /// Runs up to the first statement that asks or uses chance. Returns whether there is one.
    pub fn scout(&mut self) -> bool {
        self.scouts = true;
        while matches!(self.state.control.status, Status::Running) && self.scouts {
            self.round();
        }
        !std::mem::take(&mut self.scouts)
    }

    #[inline]
    fn round(&mut self) {
        self.stopped = false;
        if let Some(to) = self.leaves.take() {
            self.leave_for(to);
        } else if self.judge {
            self.judge_now();
        } else {
            self.run_branches();
        }
    }

    /// Whether this is a trial run that has its answer.
    #[inline]
    pub fn found(&self) -> bool {
        matches!(self.trial, Some(Trial { found: Some(_), .. }))
    }

    /// Stops before the next statement. Called when the game is over, has failed or is to be judged, or when a trial has its answer.
    pub(crate) fn stop_here(&mut self) {
        self.stopped = true;
    }

    /// Gives a trial its answer. Outside of a trial nothing happens.
    pub(crate) fn answer_trial(&mut self, answer: bool) {
        if let Some(trial) = &mut self.trial
            && trial.found.is_none()
        {
            trial.found = Some(answer);
            self.stopped = true;
        }
    }

    /// Called when a trial has come to something that cannot be known beforehand. It counts as possible. For a trial that looks for a
    /// certain way, it counts as impossible.
    pub(crate) fn answer_trial_open(&mut self) {
        let certain = self.trial.is_some_and(|trial| trial.certain);
        self.answer_trial(!certain);
    }

    /// The number of registers of a routine's frame.
    #[inline]
    pub(crate) fn registers_of(&self, routine: RoutineId) -> usize {
        usize::from(self.plan.routine(routine).registers)
    }

    /// A frame at the beginning of a routine.
    #[inline]
    pub fn frame(&self, routine: RoutineId, base: usize) -> Frame {
        Frame { routine, pc: self.plan.routine(routine).start, base: base as u32, result: Reg::NONE, ..Frame::default() }
    }

    /// Ends the run with a rules error. A loop without decisions that only makes something grow is none, if the game says what follows.
    pub fn fail(&mut self, kind: FailureKind, at: Pc) {
        let is_limit = matches!(kind, FailureKind::Budget | FailureKind::Effects | FailureKind::Overflow);
        if is_limit && self.program.policies.mandatory_loop_is_drawn && self.trial.is_none() && self.has_grown_for_long() {
            self.tell_circle(at, 0, 0);
            return self.over(Outcome::Drawn);
        }
        let control = &self.state.control;
        let verdicts = if control.judged { (control.losing, control.winning) } else { (0, 0) };
        let waiting = match kind {
            FailureKind::Waiting => self.state.most_waiting(),
            FailureKind::Silencing | FailureKind::LooksWithin | FailureKind::EffectsWithin => self.state.named_effect(self.program),
            _ => None,
        };
        let failure = Failure { kind, at, verdicts, waiting };
        self.state.control.status = Status::Failed(failure);
        self.stop_here();
        self.answer_trial_open();
        self.tell(at, 0, 0, &[], || Step::Failed(failure));
    }

    /// Whether every statement is carried out and counted by itself. This is so if somebody looks on, and in games that use `goes_round`.
    /// The count decides when a circle is noticed (`run/circles.rs`), so short cuts would move that point.
    #[inline]
    pub(super) fn counts_all(&self) -> bool {
        O::ON || self.plan.asks_goes_round
    }

    /// Carries out a branch's statements until it is blocked.
    #[inline(never)]
    pub fn steps(&mut self, branch: &mut Branch, at: u16) {
        let code = self.program.code.rows();
        // The surrounding stretches are looked at after changes. This is the kind of change since the last look.
        let quietly = !self.counts_all() && self.trial.is_none();
        let mut stirred = MayChange::Anything;
        let mut changed = true;
        if std::mem::take(&mut branch.stopped) && matches!(branch.doing, Doing::Run) {
            self.stop(branch, at);
        }
        while matches!(branch.doing, Doing::Run) && !self.stopped {
            if !branch.finals.is_empty() && self.begin_finals(branch, at) {
                stirred = MayChange::Anything;
            }
            if O::ON && std::mem::replace(&mut changed, false) {
                self.tell_standing(branch, at);
                // Questions of onlookers are no work of the game. The statement's own work stands for them.
                self.state.effects.asked.work.forget();
            }
            let steps = self.state.control.steps + 1;
            let before = std::mem::replace(&mut stirred, MayChange::Anything);
            if !branch.scopes.is_empty() && self.look_around(branch, at, before) {
                continue;
            }
            if steps > LOOP_AFTER && self.trial.is_none() {
                // A branch that has left its last call is about to end.
                let pc = branch.frames.last().map_or(Pc::NOWHERE, |frame| frame.pc);
                if self.goes_round(branch, pc, steps) {
                    return;
                }
            }
            let Some(frame) = branch.frames.last_mut() else {
                self.state.control.steps = steps;
                branch.doing = Doing::Ended;
                return;
            };
            let pc = frame.pc;
            if steps > self.budget {
                self.state.control.steps = steps;
                return self.fail(FailureKind::Budget, pc);
            }
            if matches!(frame.role, Role::Deciding) {
                self.state.control.steps = steps;
                self.decide(branch, at);
                continue;
            }
            let Some(op) = code.get(pc.0 as usize) else { return self.fail(FailureKind::NoResult, pc) };
            let is_quiet = is_quiet(op);
            if is_quiet && quietly && self.state.control.steps < LOOP_AFTER {
                self.quiet(branch);
                if self.state.control.steps >= steps {
                    continue;
                }
                jump(branch, Pc(pc.0 + 1));
            } else if self.scouts && is_open(op) {
                self.scouts = false;
                return self.stop_here();
            } else {
                frame.pc = Pc(pc.0 + 1);
            }
            self.state.control.steps = steps;
            self.carried = Some(pc);
            self.carry_out(branch, at, pc, op);
            self.carried = None;
            if self.asks_too_much(pc, is_quiet) {
                return;
            }
            stirred = if std::mem::take(&mut self.still) { MayChange::Registers } else { MayChange::of(op) };
            changed = O::ON && standing_effects::may_change(op);
        }
    }

    /// An evaluation in the top frame of a branch.
    #[inline]
    pub fn eval<'e>(&'e self, branch: &'e Branch) -> Eval<'e> {
        let Some(frame) = branch.frames.last() else {
            return Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
        };
        let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = Eval::new(self.program, self.state, locals, &branch.lists, frame.you, frame.this);
        (eval.done, eval.part, eval.cause) = (frame.done, frame.part, frame.cause);
        eval.watcher = self.trial.map(|trial| trial.player);
        eval
    }

    /// The value of a node in the top frame of a branch.
    #[inline]
    pub fn value(&mut self, branch: &Branch, node: super::ids::NodeId) -> Value {
        match self.plan.shapes.get(node) {
            Shape::Const(value) => value,
            Shape::Local(reg) => crate::run::step::get(branch, reg),
            Shape::Zone(spot) => place_at(locals(branch), spot).map_or(Value::Undefined, Value::Zone),
            _ => self.worked_out(branch, node),
        }
    }

    /// The value of a node that has no short way (constant, register, zone).
    #[inline(never)]
    fn worked_out(&mut self, branch: &Branch, node: super::ids::NodeId) -> Value {
        let (locals, names) = names(branch);
        if let Some(value) = self.quick(locals, &names, node) {
            took(ShortWay::Quick);
            debug_assert_eq!(value, self.eval(branch).value(node), "{:?}", self.program.nodes.get(node));
            return value;
        }
        let (value, overflow, peeked) = {
            let mut eval = self.eval(branch);
            let value = eval.value(node);
            (value, eval.overflow, eval.peeked)
        };
        self.noted(branch, overflow, peeked);
        value
    }

    /// Handles what an evaluation noted. An overflow is a rules error. A look at a card that the watcher of a trial may not see ends the
    /// trial.
    pub fn noted(&mut self, branch: &Branch, overflow: bool, peeked: bool) {
        if overflow {
            self.fail(FailureKind::Overflow, self.carried.unwrap_or_else(|| branch.next()));
        }
        if peeked {
            self.answer_trial_open();
        }
    }

    /// The members of a set, as a list in the branch's arena.
    #[inline]
    pub fn list(&mut self, branch: &mut Branch, node: super::ids::NodeId) -> Value {
        let start = branch.lists.len() as u32;
        match self.plan.shapes.get(node) {
            Shape::Players => {
                for player in 0..self.program.players {
                    branch.lists.push(Value::Player(Player(player)));
                }
            }
            Shape::Zone(spot) => {
                if let Some(place) = place_at(locals(branch), spot) {
                    self.state.board.add_references(place, &mut branch.lists);
                }
            }
            _ => return self.worked_out_list(branch, node),
        }
        self.list_from(branch, start)
    }

    /// The list of the values in a branch's arena from `start` to the end. A list has at most 65,535 members. A longer one (of events, for
    /// example) is a rules error.
    fn list_from(&mut self, branch: &Branch, start: u32) -> Value {
        let Ok(len) = u16::try_from(branch.lists.len() - start as usize) else {
            self.fail(FailureKind::Members, branch.next());
            return Value::List { start, len: 0 };
        };
        Value::List { start, len }
    }

    /// The members of a set that is neither the players nor a zone, as a list in the branch's arena.
    #[inline(never)]
    fn worked_out_list(&mut self, branch: &mut Branch, node: super::ids::NodeId) -> Value {
        let start = branch.lists.len() as u32;
        let mut lists = std::mem::take(&mut branch.lists);
        let (locals, names) = names(branch);
        let quick = self.quick_list(locals, &names, node, &mut lists);
        branch.lists = lists;
        if quick {
            return self.list_from(branch, start);
        }
        let mut values = std::mem::take(&mut self.scratch.values);
        values.clear();
        let (overflow, peeked) = {
            let mut eval = self.eval(branch);
            eval.each(node, &mut |_, member| {
                values.push(member);
                false
            });
            (eval.overflow, eval.peeked)
        };
        self.noted(branch, overflow, peeked);
        branch.lists.extend_from_slice(&values);
        self.scratch.values = values;
        self.list_from(branch, start)
    }

    /// Puts a call on top of a branch. If calls are nested too deeply, that is a rules error.
    pub fn push(&mut self, branch: &mut Branch, frame: Frame) {
        if branch.frames.len() >= CALL_DEPTH {
            return self.fail(FailureKind::Depth, frame.pc);
        }
        branch.forget_where_calls_were(branch.frames.len());
        branch.frames.push(frame);
    }

    /// An empty branch, in memory that is used again.
    pub(crate) fn fresh_branch(&mut self) -> Box<Branch> {
        let mut branch = self.scratch.branches.pop().unwrap_or_default();
        branch.reset();
        branch
    }

    /// Begins the judgement of the verdicts that were raised. The flow ends. Without a judgement in the program, the game is over at once.
    pub(crate) fn judge_now(&mut self) {
        self.judge = false;
        if self.trial.is_some() {
            return self.answer_trial_open();
        }
        let judgement = self.program.judgement.and_then(|id| self.program.routines.get(id));
        let cites = judgement.map_or_else(CitesId::default, |routine| routine.name.cites);
        self.tell_cited(cites, Pc::NOWHERE, 0, 0, &[], || Step::Judged);
        let (losing, winning) = (self.state.control.losing, self.state.control.winning);
        let players = self.program.players;
        let mut root = self.fresh_branch();
        let control = &mut self.state.control;
        self.scratch.branches.append(&mut control.branches);
        control.level = 0;
        control.judging = 0;
        control.holding = 0;
        control.judged = true;
        control.urgent = false;
        control.running.clear();
        let Some(judgement) = self.program.judgement else {
            let left: Vec<u8> = (0..players).filter(|player| losing & (1 << player) == 0).collect();
            let first =
                left.first().copied().filter(|first| left.iter().all(|seat| self.program.team_bits(Player(*first)) & (1 << seat) != 0));
            let won = (0..players).find(|player| winning & (1 << player) != 0).or(first);
            return self.over(won.map_or(Outcome::Drawn, |player| self.won(Player(player))));
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

    /// The outcome if a player has won. The player's team has won too.
    pub fn won(&self, player: Player) -> Outcome {
        if self.program.teams == 0 {
            return Outcome::Won(player);
        }
        Outcome::won_by(&self.program.team(player).collect::<Vec<_>>(), self.program.players)
    }

    /// Ends the game with an outcome.
    pub fn over(&mut self, outcome: Outcome) {
        self.state.control.status = Status::Over(outcome);
        self.stop_here();
        self.answer_trial_open();
        self.tell(Pc::NOWHERE, 0, 0, &[], || Step::Over(outcome));
    }
}

/// The registers of the top frame.
#[inline]
fn locals(branch: &Branch) -> &[Value] {
    let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
    branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers))
}

/// The statement that a branch carries out next. `None` while an action is being decided in its top frame.
#[inline]
pub(crate) fn next_op<'p>(program: &'p Program, branch: &Branch) -> Option<&'p Op> {
    let frame = branch.frames.last().filter(|frame| !matches!(frame.role, Role::Deciding))?;
    program.code.get(frame.pc)
}

/// Whether [`Run::quiet`] can carry out this kind of statement.
#[inline]
fn is_quiet(op: &Op) -> bool {
    matches!(op, Op::Jump(_) | Op::JumpUnless { .. } | Op::Let { .. } | Op::Next { .. } | Op::CountDown { .. } | Op::Iterate { .. })
}

/// Whether a statement asks, or uses chance.
fn is_open(op: &Op) -> bool {
    matches!(
        op,
        Op::Choose { .. }
            | Op::Offer { .. }
            | Op::May { .. }
            | Op::Try { .. }
            | Op::Builtin { verb: Builtin::Shuffle | Builtin::Coin | Builtin::Die | Builtin::Pick, .. }
    )
}
