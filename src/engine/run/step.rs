//! Carries out one statement.

use crate::eval::quick::{Names, names};
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, NodeId, Pc, Reg, RoutineId, TextId};
use crate::limits::BRANCHES;
use crate::plan::shapes::Shape;
use crate::program::{Builtin, FaceWord, Op, Principle};
use crate::run::Run;
use crate::short_ways::{ShortWay, took};
use crate::state::{Branch, Cause, Change, Doing, Frame, Outcome, Role, ScopeKind};
use crate::steps::{Observer, Step, Stretch};
use crate::value::{Player, Value};

/// The most blocks of one `simultaneously`. Only a damaged program has more.
const MOST_BRANCHES: usize = 64;

impl<O: Observer> Run<'_, O> {
    /// Carries out one statement of a branch.
    #[inline]
    pub fn carry_out(&mut self, branch: &mut Branch, at: u16, pc: Pc, op: &Op) {
        if O::ON {
            self.tell_statement(branch, at, pc, *op);
            if op.reads_or_acts() {
                self.tell_reading(branch, pc, at);
            }
        }
        match *op {
            Op::Call { routine, args, result } => self.call(branch, routine, args, result),
            Op::Perform { verb, args, result } => self.perform(branch, at, pc, verb, args, result),
            Op::Builtin { verb, args, result } => self.builtin(branch, at, pc, verb, args, result),
            Op::MoveTop { from, to, face, result } => self.move_top(branch, at, pc, (from, to), face, result),
            Op::SetState { subject, state, value } => self.set_state_of(branch, at, subject, state, value),
            Op::Return(node) => self.return_from(branch, at, node),
            Op::End => self.leave_call(branch, at, Value::Undefined),
            Op::Choose { choice, result } => self.choose(branch, at, pc, choice, result),
            Op::ForkFor { set, item, join, in_order } => self.fork_for(branch, at, pc, set, (item, join, in_order)),
            Op::BranchEnd => branch.doing = Doing::Ended,
            Op::Judge => self.state.control.judge_together(branch.withheld_beside_others(), true),
            Op::JudgeEnd => {
                self.state.control.judge_together(branch.withheld_beside_others(), false);
                self.check_verdicts();
            }
            Op::Came(cards) => self.came(branch, cards),
            Op::Phase(phase) => {
                self.tell_what_begins(Stretch::Phase);
                self.state.board.phase = Some(phase);
                if O::ON {
                    let cites = self.program.phases.get(phase).map_or_else(Default::default, |phase| phase.name.cites);
                    self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Phase(phase));
                }
            }
            _ => self.carry_out_rare(branch, at, pc, op),
        }
    }

    /// Carries out the statements that are neither long nor frequent.
    #[inline(never)]
    fn carry_out_rare(&mut self, branch: &mut Branch, at: u16, pc: Pc, op: &Op) {
        match *op {
            Op::Let { to, value } => {
                let value = self.value(branch, value);
                set(branch, to, value);
            }
            Op::LetSet { to, set: node } => {
                let value = self.list(branch, node);
                set(branch, to, value);
            }
            Op::Demand { zone, count } => self.demand(branch, at, pc, zone, count),
            Op::Jump(to) => jump(branch, to),
            Op::JumpUnless { condition, to } => self.jump_unless(branch, condition, to),
            Op::Stop => self.stop(branch, at),
            Op::May { choice, otherwise } => self.ask_may(branch, at, pc, choice, otherwise),
            Op::Try { asked, otherwise } => self.try_(branch, at, pc, asked, otherwise),
            Op::TryEnd => self.try_end(branch, at),
            Op::Measure { on, saved, lenient } => self.measure(branch, on, saved, lenient),
            Op::Iterate { list, set: node } => {
                let value = self.list(branch, node);
                set(branch, list, value);
                set(branch, Reg(list.0 + 1), Value::Number(0));
                if !self.counts_all()
                    && let Value::List { len: 0, .. } = value
                    && let Some(Op::Next { end, .. }) = self.program.code.get(Pc(pc.0 + 1))
                {
                    jump(branch, *end);
                }
            }
            Op::Next { list, item, end } if branch.paying.is_part => self.next_untaken(branch, at, (list, item, end)),
            Op::Next { list, item, end } => next(branch, list, item, end),
            Op::CountDown { counter, end } => match get(branch, counter) {
                Value::Number(number) if number >= 1 => set(branch, counter, Value::Number(number - 1)),
                _ => jump(branch, end),
            },
            Op::Offer { choice, from, taken, passed } => self.offer(branch, at, pc, (choice, from), (taken, passed)),
            Op::Take { taken, result } => self.take(branch, at, pc, taken, result),
            Op::Taken { taken, result, again } => self.taken(branch, at, (taken, result), again),
            Op::Declare { option, captures, to } => self.declare(branch, option, captures, to),
            Op::Refuse => self.refuse(branch, at),
            Op::EndPhase { turn } => self.end_phase(turn),
            Op::Watch { condition, aborted } => self.begin_watch(branch, condition, aborted),
            Op::During { duration } => self.begin_during(branch, duration),
            Op::Bind { role, value } => self.bind_role(branch, role, value),
            Op::ScopeEnd => {
                self.scope_ends(branch);
                if !self.begin_finals(branch, at) {
                    self.immediate_rules(Some(branch));
                }
            }
            Op::Finally { body, captures } => self.begin_finally(branch, pc, body, captures),
            Op::BeenHere { to } => self.been_here(branch, at, pc, to),
            Op::ApplyRules { next } => self.apply_rules(branch, at, pc, next),
            Op::Fork { other, join } => self.fork(branch, at, other, join),
            Op::TakeRest => Self::take_rest(branch),
            Op::Meet => branch.doing = if self.alone { Doing::Run } else { Doing::Meet },
            Op::Veil => self.veil(branch),
            Op::VeilEnd => branch.unveil(branch.veils.saturating_sub(1)),
            Op::Hold => self.state.control.hold(branch.withheld_beside_others(), true),
            Op::HoldEnd => {
                self.state.control.hold(branch.withheld_beside_others(), false);
                self.after_atomically(branch, at);
                self.immediate_rules(Some(branch));
            }
            Op::ActAs { player, saved } => {
                let player = self.value(branch, player).player();
                let before = branch.frames.last().map_or(Player(0), |frame| frame.you);
                set(branch, saved, Value::Player(before));
                act_as(branch, player.unwrap_or(before));
            }
            Op::ActEnd { saved } => {
                if let Value::Player(player) = get(branch, saved) {
                    act_as(branch, player);
                }
            }
            Op::Because { cause, saved } => {
                let cause = self.value(branch, cause);
                if O::ON
                    && let Cause::Declared { cause: declared, .. } = Cause::of(cause)
                {
                    let cites = self.program.causes.get(declared).map_or_else(Default::default, |cause| cause.cites);
                    self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::Statement(None));
                }
                let before = self.cause(branch).value();
                set(branch, saved, before);
                top(branch, |frame| frame.cause = Cause::of(cause));
            }
            Op::BecauseEnd { saved } => {
                let before = Cause::of(get(branch, saved));
                top(branch, |frame| frame.cause = before);
            }
            Op::Install { clause, duration } => self.change(branch, at, Change::Install(clause, duration)),
            Op::Expire(duration) => self.change(branch, at, Change::Expire(duration)),
            Op::Open { duration, open } => self.change(branch, at, Change::Open(duration, open)),
            Op::Proceed(args) => self.proceed(branch, at, pc, args),
            Op::PutBy { moment, body, captures } => self.put_by(branch, at, moment, body, captures),
            Op::PerformAbility(node) => self.perform_ability(branch, at, pc, node),
            Op::Drop(node) => self.drop_pending(branch, at, pc, node),
            Op::CountUse(node) => self.count_use_of(branch, at, node),
            Op::Arrange(node) => self.arrange(branch, node),
            Op::CauseHere { to } => {
                let cause = self.cause(branch).value();
                set(branch, to, cause);
            }
            Op::Announce { args, result } => self.announce(branch, at, pc, args, result),
            Op::WindowOpens { since } => set(branch, since, Value::Number(self.state.effects.next as i32)),
            Op::NoteTold { args, told } => self.note_told(branch, args, told),
            Op::HearAgain { result } => self.hear_again(branch, at, result),
            Op::Enter { ability, zone } => self.enter(branch, at, ability, zone),
            Op::Ask { ability, slot, by } => self.ask_slot(branch, at, ability, slot, by),
            Op::Fix { ability, slot } => self.fix(branch, at, ability, slot),
            Op::Pay { ability, slot } => self.pay(branch, at, ability, slot),
            Op::Spend { player, state, amount } => self.spend(branch, at, player, state, amount),
            Op::Fail => {
                self.tell_failing(branch, pc);
                self.set_done(branch, at, false);
            }
            Op::Match { of, choice, taken, picked, end } => self.ask_match(branch, at, pc, (of, choice), (taken, picked), end),
            Op::Emit { verb, args, once } => {
                let (args, start) = self.arguments(branch, args);
                self.once = once;
                self.emit(branch, at, pc, verb, args);
                self.once = TextId::NONE;
                branch.lists.truncate(start);
                if self.alone {
                    self.immediate_rules(Some(branch));
                }
            }
            Op::Mark(name) if self.record_all || self.plan.reads_mark(name) => {
                self.state.events.mark(name);
                self.settle_abilities();
            }
            Op::MarkFrom(name, of) if self.record_all || self.plan.reads_mark(name) => {
                self.state.events.copy_mark(name, of);
                self.settle_abilities();
            }
            Op::MarkHere(name) if self.record_all || self.plan.reads_mark(name) => {
                let within = branch.scopes.iter().rev().find(|scope| matches!(scope.kind, ScopeKind::During { .. }));
                if let Some(scope) = within {
                    self.state.events.keep_mark(name, scope.number);
                }
                self.state.events.mark(name);
                self.settle_abilities();
            }
            Op::TurnBegins => {
                self.tell_what_begins(Stretch::Turn);
                self.state.board.turn += 1;
                self.state.events.uses.retain(|used| used.until.is_some());
                let turn = self.state.board.turn;
                self.tell(pc, branch.frames.len(), at, &[], || Step::Turn(turn));
                self.settle_abilities();
            }
            Op::Finish(node) => {
                let won = if node == NodeId::NONE { None } else { self.value(branch, node).player() };
                self.over(won.map_or(Outcome::Drawn, |player| self.won(player)));
            }
            Op::FinishPlaces(set, number) => self.finish_places(branch, set, number),
            // [`Run::op`] has carried out the other statements.
            _ => {}
        }
    }

    fn finish_places(&mut self, branch: &Branch, set: NodeId, number: NodeId) {
        let players = self.program.players;
        let mut eval = self.eval(branch);
        let mut ranks: Vec<Option<i32>> = vec![None; usize::from(players)];
        let mut winners = Vec::new();
        eval.each(set, &mut |eval, member| {
            let Value::Player(player) = member else { return false };
            if !winners.contains(&player) {
                winners.push(player);
            }
            let rank = if number == NodeId::NONE { None } else { eval.bind(member, |eval| eval.number(number)) };
            if let Some(slot) = ranks.get_mut(usize::from(player.0)) {
                *slot = rank;
            }
            false
        });
        let (overflow, program) = (eval.overflow, self.program);
        self.noted(branch, overflow, false);
        if program.teams > 0 {
            // Partners win together. Their rank is the best rank of any of them.
            let all = |player: &Player| program.team(*player).any(|partner| winners.contains(&partner));
            let best =
                |player: Player| program.team(player).filter_map(|partner| ranks.get(usize::from(partner.0)).copied()).max().flatten();
            let teams: Vec<Option<i32>> = (0..players).map(|seat| best(Player(seat))).collect();
            winners = (0..players).map(Player).filter(all).collect();
            ranks = teams;
        }
        if !self.stopped {
            self.over(if number == NodeId::NONE { Outcome::won_by(&winners, players) } else { Outcome::ranked(&ranks) });
        }
    }

    fn jump_unless(&mut self, branch: &mut Branch, condition: NodeId, to: Pc) {
        if !self.value(branch, condition).is_true() {
            jump(branch, to);
        }
    }

    /// Tells the observer that a zone has fewer cards than an action demands, and notes that the action falls short.
    fn demand(&mut self, branch: &mut Branch, at: u16, pc: Pc, zone: NodeId, count: NodeId) {
        let (zone, demanded) = (self.value(branch, zone), self.value(branch, count));
        let (Value::Zone(place), Value::Number(demanded)) = (zone, demanded) else { return };
        let there = self.state.board.cards(place).len();
        if usize::try_from(demanded).is_ok_and(|demanded| there < demanded) {
            let (demanded, there) = (u16::try_from(demanded).unwrap_or(u16::MAX), there as u16);
            let cites = self.program.principle(Principle::Impossible);
            self.tell_cited(cites, pc, branch.frames.len(), at, &[], || Step::TooFew { demanded, there, zone: place });
            top(branch, |frame| frame.short = true);
        }
    }

    /// Tells the observer of a statement of control flow, if it cites a rule. Actions tell of themselves.
    fn tell_statement(&mut self, branch: &Branch, at: u16, pc: Pc, op: Op) {
        let silent = match op {
            Op::Phase(_) | Op::TurnBegins | Op::Demand { .. } | Op::Finally { .. } => true,
            // If nothing waits, nothing is dropped, and nothing is told.
            Op::Drop(set) => !self.eval(branch).each(set, &mut |_, _| true),
            Op::Ask { ability, slot, .. } => !self.has_to_ask(branch, ability, slot),
            _ => false,
        };
        let cites = self.program.code_cites.get(pc).copied().unwrap_or_default();
        if !silent && cites.0 != 0 {
            let node = match op {
                Op::JumpUnless { condition, .. } => Some(condition),
                Op::Let { value, .. } => Some(value),
                _ => None,
            };
            let value = node.map(|node| self.eval(branch).value(node));
            self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::Statement(value));
        }
        if self.program.with_operands.binary_search(&pc).is_ok()
            && let Some(node) = op.read_first(self.program)
        {
            let mut found = self.eval(branch).decisive(node);
            if self.is_condition_of_body(op) {
                // The condition of an action or an option as a whole says only why the action is not done.
                found.retain(|(number, met)| !met || self.program.operand(node) != Some(*number));
            }
            self.tell_operands(&found, pc, branch.frames.len(), at);
        }
    }

    /// Whether the statement looks at the `when` of an action or an option. If it is false, the body is refused.
    fn is_condition_of_body(&self, op: Op) -> bool {
        matches!(op, Op::JumpUnless { to, .. } if matches!(self.program.code.get(to), Some(Op::Refuse)))
    }

    #[inline(never)]
    fn call(&mut self, branch: &mut Branch, routine: RoutineId, args: ArgsId, result: Reg) {
        let plan = self.plan.routine(routine);
        if plan.guard != NodeId::NONE && result == Reg::NONE && !self.counts_all() {
            // At the beginning of a call nothing has been done yet.
            let (locals, names) = names(branch);
            if self.quick(locals, &Names { done: false, ..names }, plan.guard) == Some(Value::Bool(true)) {
                took(ShortWay::CallGuard);
                // Nothing is done in this call, as at the end of one that does nothing.
                return top(branch, |frame| (frame.done, frame.part) = (true, false));
            }
        }
        let lists = branch.lists.len() as u32;
        let base = self.push_arguments(branch, args);
        let registers = (base + usize::from(plan.registers)).max(branch.registers.len());
        branch.registers.resize(registers, Value::Undefined);
        let frame = inherited(branch, Frame { routine, pc: plan.start, base: base as u32, lists, result, ..Frame::default() });
        self.push(branch, frame);
    }

    /// Evaluates arguments into new registers on top. Returns the first of these registers.
    #[inline]
    pub(crate) fn push_arguments(&mut self, branch: &mut Branch, args: ArgsId) -> usize {
        let program = self.program;
        let base = branch.registers.len();
        for node in program.args_of(args) {
            let value = self.argument(branch, *node);
            branch.registers.push(value);
        }
        base
    }

    /// The value of an argument. A set is evaluated now and becomes a list.
    #[inline]
    pub fn argument(&mut self, branch: &mut Branch, node: NodeId) -> Value {
        match self.plan.shapes.get(node) {
            Shape::Const(value) => value,
            Shape::Local(reg) => get(branch, reg),
            _ if node == NodeId::NONE => Value::Undefined,
            _ if self.plan.shapes.sets.get(node) == Some(&true) => self.list(branch, node),
            _ => self.value(branch, node),
        }
    }

    #[inline(never)]
    fn return_from(&mut self, branch: &mut Branch, at: u16, node: NodeId) {
        let value = self.argument(branch, node);
        self.leave_call(branch, at, value);
    }

    /// Leaves the top frame. If the frame is that of a procedure, only frames change, unless a stretch ends with it.
    fn leave_call(&mut self, branch: &mut Branch, at: u16, value: Value) {
        let plain = branch.frames.last().is_some_and(|frame| matches!(frame.role, Role::Plain) && frame.performs.is_none());
        let scopes = branch.scopes.len();
        self.leave(branch, at, value);
        self.still = plain && scopes == branch.scopes.len();
        if self.state.control.laid && branch.frames.len() == 1 {
            self.look_at_position(Some(branch));
        }
    }

    /// Ends the ability or action whose body runs. The procedures called in between end with it. In a branch of a lockstep the branch ends;
    /// if all branches of a lockstep are stopped, the ability or action around the lockstep ends.
    pub(super) fn stop(&mut self, branch: &mut Branch, at: u16) {
        loop {
            let plain = branch.frames.last().is_some_and(|frame| matches!(frame.role, Role::Plain));
            let outermost = branch.frames.len() == 1;
            branch.stopped = plain && outermost && branch.parent.is_some();
            self.leave(branch, at, Value::Undefined);
            if !plain || outermost {
                return;
            }
        }
    }

    #[inline(never)]
    fn move_top(&mut self, branch: &mut Branch, at: u16, pc: Pc, (from, to): (NodeId, NodeId), face: FaceWord, result: Reg) {
        let (from, to) = (self.value(branch, from), self.value(branch, to));
        let (Value::Zone(from), Value::Zone(to)) = (from, to) else {
            return self.not_done(branch, at, pc, Builtin::Move, [Value::Undefined; 6], crate::steps::Why::Missing);
        };
        let Some(card) = self.state.board.cards(from).last().copied() else {
            let args = [Value::Undefined, Value::Zone(to), Value::Undefined, Value::Undefined, Value::Zone(from), Value::Undefined];
            return self.not_done(branch, at, pc, Builtin::Move, args, crate::steps::Why::Nothing);
        };
        if from != to && self.is_full(to) {
            let card = self.state.board.reference(card);
            let args = [card, Value::Zone(to), face_value(face), Value::Undefined, Value::Zone(from), Value::Undefined];
            return self.not_done(branch, at, pc, Builtin::Move, args, crate::steps::Why::Full);
        }
        if self.watched(Builtin::Move.verb()) {
            let card = self.state.board.reference(card);
            let at_end = Value::Undefined;
            let args = [card, Value::Zone(to), face_value(face), at_end, Value::Zone(from), Value::Undefined];
            return self.decide_builtin(branch, pc, Builtin::Move, args, vec![card], result);
        }
        self.change(branch, at, Change::MoveTop { from, to, face: face.into(), result });
    }

    #[inline(never)]
    fn fork_for(&mut self, branch: &mut Branch, at: u16, pc: Pc, set: NodeId, (item, join, in_order): (Reg, Pc, bool)) {
        let Value::List { start, len } = self.list(branch, set) else { return broken(Fault::List) };
        if self.state.control.branches.len() + usize::from(len) > BRANCHES {
            return self.fail(crate::state::FailureKind::Branches, pc);
        }
        let body = branch.next();
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

    /// Carries out `simultaneously { } { } { }`, which is a chain of forks with one join. Each block becomes a branch.
    fn fork(&mut self, branch: &mut Branch, at: u16, mut other: Pc, join: Pc) {
        let first = branch.next();
        top(branch, |frame| frame.pc = join);
        branch.paying.taken.clear();
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
            return self.fail(crate::state::FailureKind::Branches, other);
        }
        for body in &bodies {
            let child = self.child(branch, at, *body);
            self.state.control.branches.push(child);
        }
        self.wait_for(branch, bodies.len() as u16);
    }

    fn wait_for(&mut self, branch: &mut Branch, children: u16) {
        (branch.children, branch.went_through) = (children, false);
        let program = self.program;
        top(branch, |frame| {
            if program.asks_done(frame.routine) {
                // `done` starts true, and each branch that ends can make it false. `part` starts false, and each branch can make it true.
                // Without branches nothing is done.
                (frame.done, frame.part) = (children > 0, false);
            }
        });
        branch.doing = if children == 0 { Doing::Run } else { Doing::Wait };
    }

    /// A new branch that goes on at `pc` in a copy of the top frame.
    fn child(&mut self, branch: &Branch, at: u16, pc: Pc) -> Box<Branch> {
        let mut child = self.fresh_branch();
        child.parent = Some(at);
        child.level = branch.level;
        child.own = branch.own;
        (child.veil, child.veils) = (branch.veil.clone(), branch.veils);
        let pays = branch.frames.last().is_some_and(|frame| matches!(frame.role, Role::Payment));
        (child.paying.is_part, child.in_order) = (pays || branch.paying.is_part, pays);
        child.touched.extend_from_slice(&branch.touched);
        if let Some(frame) = branch.frames.last() {
            child.registers.extend_from_slice(branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers)));
            child.lists.extend_from_slice(&branch.lists);
            child.frames.push(Frame {
                pc,
                base: 0,
                lists: child.lists.len() as u32,
                role: Role::Plain,
                result: Reg::NONE,
                collects: crate::actions::moves::collects(branch).then_some(0),
                failed: false,
                any: false,
                ..*frame
            });
        }
        child
    }

    /// Sets verdicts to be judged, if nothing holds them back and no other branch is running.
    pub(crate) fn check_verdicts(&mut self) {
        if self.alone && self.state.control.is_to_judge() {
            self.judge = true;
            self.stop_here();
        }
    }
}

/// Changes the top frame.
#[inline]
pub(crate) fn top(branch: &mut Branch, change: impl FnOnce(&mut Frame)) {
    if let Some(frame) = branch.frames.last_mut() {
        change(frame);
    }
}

/// Lets the top frame go on at another statement.
#[inline]
pub(crate) fn jump(branch: &mut Branch, to: Pc) {
    top(branch, |frame| frame.pc = to);
}

/// Lets a player act in the top frame. An effect that is the cause there is performed by this player.
fn act_as(branch: &mut Branch, player: Player) {
    top(branch, |frame| (frame.you, frame.cause) = (player, frame.cause.performed_by(player)));
}

/// A register of the top frame.
#[inline]
pub(crate) fn get(branch: &Branch, reg: Reg) -> Value {
    let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
    branch.registers.get(base + usize::from(reg.0)).copied().unwrap_or_default()
}

/// Sets a register of the top frame.
#[inline]
pub(crate) fn set(branch: &mut Branch, reg: Reg, value: Value) {
    let base = branch.frames.last().map_or(0, |frame| frame.base as usize);
    if reg != Reg::NONE
        && let Some(slot) = branch.registers.get_mut(base + usize::from(reg.0))
    {
        *slot = value;
    }
}

pub(crate) fn next(branch: &mut Branch, list: Reg, item: Reg, end: Pc) {
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

/// The frame of a call, with the values that it takes over from its caller.
#[inline]
pub(crate) fn inherited(branch: &Branch, frame: Frame) -> Frame {
    let Some(Frame { you, this, cause, replaced, lenient, .. }) = branch.frames.last() else { return frame };
    Frame { you: *you, this: *this, cause: *cause, replaced: *replaced, lenient: *lenient, ..frame }
}

/// A face word as an argument of an event: up is `true`, down is `false`.
pub(crate) fn face_value(face: FaceWord) -> Value {
    match face {
        FaceWord::AsZone => Value::Undefined,
        FaceWord::Up => Value::Bool(true),
        FaceWord::Down => Value::Bool(false),
    }
}
