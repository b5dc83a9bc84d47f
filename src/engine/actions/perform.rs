//! Actions: the steps of each action (docs/kernel/actions.md), from its arguments to its event.

use crate::effects::keep;
use crate::eval::watch::Happening;
use crate::fault::{Fault, broken};
use crate::ids::{ArgsId, Id, NodeId, Pc, Reg, VerbId};
use crate::program::{Builtin, Op};
use crate::run::Run;
use crate::run::step::{inherited, set, top};
use crate::state::{Branch, Cause, Deciding, Doing, Event, FaceChange, Frame, MOST_ARGUMENTS, Pending, Rest, Role, Waits};
use crate::steps::{Observer, Step, Why};
use crate::value::{ObjectId, Value};
use std::sync::Arc;

/// Arguments of an action.
pub(crate) type Args = [Value; MOST_ARGUMENTS];

impl<O: Observer> Run<'_, O> {
    /// Whether some effect in force watches the verb.
    #[inline]
    pub fn watched(&self, verb: VerbId) -> bool {
        self.state.effects.watching.get(verb.index()).copied().unwrap_or(0) > 0
    }

    /// The arguments of a builtin verb or an emitted event, and the length of the list arena before them.
    pub fn arguments(&mut self, branch: &mut Branch, args: ArgsId) -> (Args, usize) {
        let program = self.program;
        let lists = branch.lists.len();
        let mut values = [Value::Undefined; MOST_ARGUMENTS];
        for (slot, node) in values.iter_mut().zip(program.args_of(args)) {
            *slot = self.argument(branch, *node);
        }
        (values, lists)
    }

    /// The cause of the actions of the top frame.
    pub fn cause(&self, branch: &Branch) -> Cause {
        branch.frames.last().map_or(Cause::Rule, |frame| frame.cause)
    }

    /// Performs a declared action: steps 1 to 3 here, its body as a call, and its event when the call ends.
    #[inline(never)]
    pub fn perform(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: VerbId, args: ArgsId, result: Reg) {
        let Some(routine) = self.program.verbs.get(verb).and_then(|def| def.body) else { return };
        let lists = branch.lists.len() as u32;
        let base = self.push_arguments(branch, args);
        if branch.paying.rest == Rest::Takes {
            let mut handed = branch.registers.split_off(base);
            self.leave_to_others(branch, at, &mut handed);
            branch.registers.append(&mut handed);
        }
        let nothing = branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)).iter().find_map(|arg| nothing_in(*arg));
        if let Some(why) = nothing {
            let values = copied(branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)));
            branch.registers.truncate(base);
            self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(verb, values, why));
            branch.lists.truncate(lists as usize);
            let done = self.done_with_nothing(branch, at, pc, verb, why);
            return self.set_done(branch, at, done);
        }
        let possible = self.is_possible(branch, verb, base);
        let beside = possible && self.is_done_beside(branch, at, verb, base);
        if beside {
            self.stays_replaced(branch);
        }
        let why_not = if possible { beside.then_some(Why::Already) } else { Some(Why::Unmet) };
        if let Some(why) = why_not {
            let values = copied(branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)));
            let decisive = if possible { Vec::new() } else { self.unmet(branch, verb, base) };
            branch.registers.truncate(base);
            let (cites, depth) = (self.statement_or_declaration(pc, verb), branch.frames.len());
            self.tell_cited(cites, pc, depth, at, &branch.lists, || Step::NotPerformed(verb, values, why));
            self.tell_operands(&decisive, pc, depth, at);
            branch.lists.truncate(lists as usize);
            return self.set_done(branch, at, false);
        }
        let collects = (result != Reg::NONE).then_some(branch.collected.len() as u32);
        let start = self.plan.routine(routine).start;
        let frame = inherited(branch, Frame { routine, pc: start, base: base as u32, lists, result, collects, ..Frame::default() });
        self.begin_action(branch, at, pc, verb, frame, true);
    }

    /// Whether the condition in the action's declaration is true. The arguments are the registers from `base` on.
    fn is_possible(&mut self, branch: &Branch, verb: VerbId, base: usize) -> bool {
        let condition = self.program.verbs.get(verb).map_or(NodeId::NONE, |def| def.condition);
        if condition == NodeId::NONE {
            return true;
        }
        let mut eval = self.eval_of_arguments(branch, base);
        let met = eval.holds(condition);
        let (overflow, peeked) = (eval.overflow, eval.peeked);
        self.noted(branch, overflow, peeked);
        met
    }

    /// The conditions with their own rules that keep an action from being possible. Only onlookers are told of them.
    fn unmet(&self, branch: &Branch, verb: VerbId, base: usize) -> Vec<(usize, bool)> {
        if !O::ON || self.trial.is_some() {
            return Vec::new();
        }
        let condition = self.program.verbs.get(verb).map_or(NodeId::NONE, |def| def.condition);
        self.eval_of_arguments(branch, base).decisive(condition)
    }

    /// An evaluation of a declaration's condition. The arguments are the registers from `base` on.
    fn eval_of_arguments<'e>(&'e self, branch: &'e Branch, base: usize) -> crate::eval::Eval<'e> {
        let (you, this) = branch.frames.last().map_or_else(Default::default, |frame| (frame.you, frame.this));
        let args = branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = crate::eval::Eval::new(self.program, self.state, args, &branch.lists, you, this);
        (eval.watcher, eval.cause) = (self.trial.map(|trial| trial.player), self.cause(branch));
        eval
    }

    /// Whether another branch of the lockstep is doing the same `once in a step` action with equal arguments. The arguments here are the
    /// registers from `base` on.
    fn is_done_beside(&self, branch: &Branch, at: u16, verb: VerbId, base: usize) -> bool {
        if self.alone || !self.program.verbs.get(verb).is_some_and(|def| def.once_in_a_step) {
            return false;
        }
        let args = copied(branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)));
        // Each branch has its own copies of sets, so sets cannot be compared.
        if args.iter().any(|arg| matches!(arg, Value::List { .. })) {
            return false;
        }
        let does = |other: &Branch, frame: &Frame| match frame.role {
            Role::Action(of) => of == verb && self.action_arguments(other, frame, verb) == args,
            _ => false,
        };
        let others = (0_u16..).zip(&self.state.control.branches);
        others.filter(|(index, other)| *index != at && other.level == branch.level && !matches!(other.doing, Doing::Ended)).any(
            |(_, other)| {
                let decides = other.deciding.iter().any(|deciding| deciding.verb == verb && deciding.args == args);
                decides || other.frames.iter().any(|frame| does(other, frame))
            },
        )
    }

    /// Puts the frame of a declared action on top. Its arguments are the last registers. `decides`: effects that watch the action decide
    /// first.
    pub(crate) fn begin_action(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: VerbId, mut frame: Frame, decides: bool) {
        self.begins_its_moves(branch, verb);
        let (base, plan) = (frame.base as usize, self.plan.routine(frame.routine));
        let watched = decides && self.watched(verb);
        frame.role = if watched { Role::Deciding } else { Role::Action(verb) };
        let registers = (base + usize::from(plan.registers)).max(branch.registers.len());
        branch.registers.resize(registers, Value::Undefined);
        if watched {
            let args = copied(branch.registers.get(base..).unwrap_or_else(|| broken(Fault::Registers)));
            branch.deciding.push(deciding(verb, None, args, Vec::new()));
        } else if O::ON {
            self.tell_began(branch, &frame, at, pc, verb);
        }
        self.push(branch, frame);
    }

    fn tell_began(&mut self, branch: &Branch, frame: &Frame, at: u16, pc: Pc, verb: VerbId) {
        let args = self.action_arguments(branch, frame, verb);
        let cause = frame.cause;
        let cites = self.statement_or_declaration(pc, verb);
        self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Began(verb, args, cause));
    }

    /// The rules of a statement, or else the rules of the verb's declaration.
    pub(crate) fn statement_or_declaration(&self, pc: Pc, verb: VerbId) -> crate::ids::CitesId {
        let cites = self.program.code_cites.get(pc).copied().unwrap_or_default();
        if cites.0 != 0 { cites } else { self.program.verbs.get(verb).map_or(cites, |verb| verb.name.cites) }
    }

    pub(crate) fn action_arguments(&self, branch: &Branch, frame: &Frame, verb: VerbId) -> Args {
        let count = self.program.verbs.get(verb).map_or(0, |verb| verb.parameters.len());
        let registers = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
        copied(registers.get(..count).unwrap_or(registers))
    }

    /// Leaves the top frame with a value. Tells its event, stores its result, and notes for the caller whether it was done.
    #[inline(never)]
    pub fn leave(&mut self, branch: &mut Branch, at: u16, value: Value) {
        if let Some(crate::run::Trial { goal: crate::run::Goal::Anything { frames }, .. }) = self.trial
            && branch.parent.is_none()
            && branch.frames.len() <= frames + 1
        {
            return self.answer_trial(false);
        }
        if let Some(crate::run::Trial { goal: crate::run::Goal::Call { frames }, .. }) = self.trial
            && branch.parent.is_none()
            && branch.frames.len() == frames + 1
        {
            let done = branch.frames.last().is_some_and(|frame| !frame.failed);
            return self.answer_trial(done);
        }
        let Some(frame) = branch.pop() else { return broken(Fault::Frame) };
        self.performed_is_over(&frame);
        if !branch.scopes.is_empty() {
            self.end_scopes(branch);
        }
        // If an ability stops in the middle of an attempt, the attempt counts as done: the ability has done as much as it wanted.
        let attempts = branch.attempts.len();
        while branch.attempts.last().is_some_and(|attempt| usize::from(attempt.frames) > branch.frames.len()) {
            let over = branch.attempts.pop();
            self.scratch.spare_before(over.and_then(|attempt| attempt.before));
        }
        if let Role::Action(verb) = frame.role
            && (O::ON || self.record_all || self.plan.is_recorded(verb) || self.plan.is_heard(verb) || self.watched(verb))
        {
            let args = self.action_arguments(branch, &frame, verb);
            if let Some(args) = self.happened_to(branch, &frame, verb, args) {
                self.emit_cited(branch, &frame, at, verb, args);
            }
        }
        if !branch.unmoved.is_empty() {
            self.leaves_unmoved(branch, &frame);
        }
        let declared = self.declared_by(&frame, value);
        let mut value = self.carry_down(branch, &frame, value);
        if let Some(start) = frame.collects {
            let changed = collected(branch, start as usize);
            // The value that the body returns counts before the cards that it has moved. An option whose second part comes at once returns
            // nothing.
            if value == Value::Undefined || declared.is_some() {
                value = changed;
            }
        }
        branch.registers.truncate(frame.base as usize);
        let done = !frame.failed;
        match frame.role {
            Role::Plain => {
                top(branch, |caller| called(caller, &frame));
                set(branch, frame.result, value);
            }
            Role::Action(_) => {
                if !branch.shown.is_empty() {
                    self.action_hides(branch);
                }
                set(branch, frame.result, value);
                self.set_done_in_part(branch, at, done, done || frame.any);
                if self.was_taken(branch) {
                    // The option has happened and its event was told, even if parts of it could not be done. An option that does not happen
                    // is refused instead.
                    top(branch, |caller| caller.failed = false);
                }
                if let Some(number) = declared {
                    self.perform_pending(branch, at, frame.pc.before(), number);
                }
                if self.alone {
                    self.immediate_rules(Some(branch));
                }
            }
            Role::Ability(shown) => {
                self.hide(branch, shown as usize);
                self.date_effects(branch, at);
                top(branch, |caller| called(caller, &frame));
                // An ability that waits again may change the conditions of rules, although nothing on the board has changed.
                if self.conditions_resolved(&[]) && self.alone {
                    self.immediate_rules(Some(branch));
                }
            }
            Role::Instead(number) => {
                if !frame.done && branch.attempts.len() == attempts && self.falls_back(branch, at, number, frame.you) {
                    return;
                }
                if let Some(deciding) = branch.decided() {
                    deciding.before = None;
                    deciding.was_replaced = true;
                    deciding.instead_done |= done;
                    deciding.instead_part |= frame.any;
                }
            }
            Role::Slot { number, at: position } => {
                let done = done && !frame.short;
                self.keep_answer(branch, at, number, usize::from(position), value, done);
            }
            Role::Payment => {
                if !branch.paying.is_part {
                    branch.paying.taken.clear();
                }
                self.set_done_in_part(branch, at, done, done || frame.any);
            }
            Role::Rule(..) => {
                self.rule_is_over(&frame);
                if self.alone {
                    self.immediate_rules(Some(branch));
                }
            }
            Role::Deciding | Role::Finally => {}
        }
    }

    /// The declared option that a frame returns and that nobody keeps. It is processed at once.
    fn declared_by(&self, frame: &Frame, value: Value) -> Option<u32> {
        let (Role::Action(verb), Value::Pending(number)) = (frame.role, value) else { return None };
        let kept = frame.result != Reg::NONE && frame.collects.is_none();
        let Waits::Declared(option) = self.state.events.waiting(number).filter(|_| !kept)?.waits else { return None };
        self.program.options.get(option).filter(|option| option.verb == verb).map(|_| number)
    }

    /// Whether the action that has ended was taken from an offer.
    fn was_taken(&self, branch: &Branch) -> bool {
        let next = branch.frames.last().and_then(|frame| self.program.code.get(frame.pc));
        matches!(next, Some(Op::Taken { .. }))
    }

    /// Ends an action that has not happened, although its body has begun: its event is neither told nor kept, and it counts as not done.
    pub fn refuse(&mut self, branch: &mut Branch, at: u16) {
        top(branch, |frame| (frame.role, frame.failed) = (Role::Plain, true));
        self.leave(branch, at, Value::Undefined);
        self.set_done(branch, at, false);
    }

    /// Empties the frame's part of the list arena. A returned list moves down.
    fn carry_down(&mut self, branch: &mut Branch, frame: &Frame, value: Value) -> Value {
        let keep = frame.lists as usize;
        let Value::List { start, len } = value else {
            branch.lists.truncate(keep.min(branch.lists.len()));
            return value;
        };
        let (from, until) = (start as usize, start as usize + usize::from(len));
        if from < keep || until > branch.lists.len() {
            branch.lists.truncate(keep.min(branch.lists.len()));
            return value;
        }
        branch.lists.copy_within(from..until, keep);
        branch.lists.truncate(keep + usize::from(len));
        Value::List { start: keep as u32, len }
    }

    /// Notes whether an instruction was carried out in full. If not, an attempt around it fails.
    #[inline]
    pub(crate) fn set_done(&mut self, branch: &mut Branch, at: u16, done: bool) {
        self.set_done_in_part(branch, at, done, done);
    }

    /// Notes whether an instruction was carried out in full (`done`) and whether a part of it was done (`part`). If it was not carried out
    /// in full, an attempt around it fails.
    #[inline]
    pub(crate) fn set_done_in_part(&mut self, branch: &mut Branch, at: u16, done: bool, part: bool) {
        let Some(frame) = branch.frames.last_mut() else { return broken(Fault::Frame) };
        if self.program.notes_part {
            frame.part = part;
            frame.any |= part;
        }
        frame.done = done && !frame.short;
        frame.short = false;
        if !frame.done {
            frame.failed = true;
            self.failed(branch, at);
        }
    }

    #[inline(never)]
    fn failed(&mut self, branch: &mut Branch, at: u16) {
        let lenient = branch.frames.last().is_some_and(|frame| frame.lenient);
        if !lenient && !crate::legal::attempt::goes_on(branch) {
            self.attempts_fail(branch, at);
        }
    }

    /// Notes that the last instruction was carried out in full, even if a choice before it found nothing.
    pub fn carried_out(&mut self, branch: &mut Branch) {
        let asked = self.program.notes_part;
        top(branch, |frame| (frame.done, frame.any) = (true, frame.any | asked));
    }

    /// Notes and tells that an instruction was not performed.
    pub fn not_done(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: Builtin, args: Args, why: Why) {
        self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::NotPerformed(verb.verb(), args, why));
        let done = self.done_with_nothing(branch, at, pc, verb.verb(), why);
        self.set_done(branch, at, done);
    }

    /// Tells an event that has happened, keeps it in the history, and lets abilities wait for it.
    pub fn emit(&mut self, branch: &mut Branch, at: u16, pc: Pc, verb: VerbId, args: Args) {
        let Some(frame) = branch.frames.last() else { return broken(Fault::Frame) };
        let frame = Frame { pc: Pc(pc.0 + 1), cause: frame.cause, this: frame.this, you: frame.you, ..Frame::default() };
        self.emit_cited(branch, &frame, at, verb, args);
    }

    pub(crate) fn emit_cited(&mut self, branch: &Branch, frame: &Frame, at: u16, verb: VerbId, args: Args) {
        let cause = frame.cause;
        if O::ON {
            let pc = frame.pc.before();
            let cites = self.statement_or_declaration(pc, verb);
            self.tell_cited(cites, pc, branch.frames.len(), at, &branch.lists, || Step::Performed(verb, args, cause));
        }
        if O::ON {
            self.tell_idle(branch, at, Happening { verb, args: &args, lists: &branch.lists, cause });
        }
        let event = self.record(verb, args, cause, &branch.lists);
        if self.plan.is_heard(verb) {
            self.hear(Happening { verb, args: &args, lists: &branch.lists, cause });
        }
        if self.scratch.batch.open && verb == Builtin::Move.verb() {
            self.scratch.batch.moved.push((args, cause, event));
        } else if self.watched(verb) {
            self.trigger(branch, at, Happening { verb, args: &args, lists: &branch.lists, cause }, event);
        }
    }

    /// Keeps an event in the history, if the program asks for it. Gives its place there.
    fn record(&mut self, verb: VerbId, args: Args, cause: Cause, lists: &[Value]) -> Option<u32> {
        let recorded = self.record_all || self.plan.is_recorded(verb);
        if !recorded || self.trial.is_some() && !self.plan.asks_events {
            return None;
        }
        let events = &mut self.state.events;
        let args = args.map(|arg| keep(arg, lists, &mut events.lists));
        let place = events.keep(Event { verb, args, cause });
        if let Some(at) = place {
            self.state.witness(self.program, verb, at);
        }
        self.settle_abilities();
        place
    }

    /// Lets an ability begin to wait. Gives its number. `later`: how many moves of the same batch were told after the ability's event.
    pub(crate) fn wait(&mut self, branch: &Branch, at: u16, mut pending: Pending, later: u16) -> u32 {
        let number = self.state.events.next;
        self.state.events.next += 1;
        pending.number = number;
        // A condition that becomes true may be noticed outside of all branches. Then the ability begins to wait at no statement.
        let pc = branch.now();
        self.wait_within_bounds(pc);
        self.state.events.pending.unnoted_mut().push_back(Arc::new(pending));
        self.tell(pc, branch.frames.len(), at, &branch.lists, || Step::Waits(number, later));
        self.settle_abilities();
        number
    }
}

pub(crate) fn deciding(verb: VerbId, builtin: Option<Builtin>, args: Args, members: Vec<Value>) -> Deciding {
    Deciding {
        verb,
        builtin,
        args,
        members,
        kept: Vec::new(),
        declined: Vec::new(),
        candidates: Vec::new(),
        claims: None,
        granted: false,
        was_replaced: false,
        forbidden: false,
        instead_done: false,
        instead_part: false,
        before: None,
    }
}

/// Why an argument makes an action impossible: it is undefined, an empty list, or an amount below one.
pub(crate) fn nothing_in(arg: Value) -> Option<Why> {
    match arg {
        Value::Undefined => Some(Why::Missing),
        Value::List { len: 0, .. } => Some(Why::Nothing),
        Value::Number(amount) if amount < 1 => Some(Why::NoTimes),
        _ => None,
    }
}

/// Values as arguments. Arguments that are not given are undefined.
pub(crate) fn copied(values: &[Value]) -> Args {
    let mut args = [Value::Undefined; MOST_ARGUMENTS];
    for (slot, value) in args.iter_mut().zip(values) {
        *slot = *value;
    }
    args
}

/// Notes in the caller's frame whether the call that has ended was done.
fn called(caller: &mut Frame, callee: &Frame) {
    caller.done = !callee.failed;
    caller.part = callee.any;
    caller.any |= callee.any;
}

fn collected(branch: &mut Branch, from: usize) -> Value {
    let start = branch.lists.len() as u32;
    let own = branch.collected.get(from..).unwrap_or(&[]);
    let len = own.len() as u16;
    branch.lists.extend_from_slice(own);
    if !crate::actions::moves::collects(branch) {
        branch.collected.truncate(from);
    }
    Value::List { start, len }
}

/// A face argument.
#[must_use]
pub(crate) fn face_of(value: Value) -> FaceChange {
    match value {
        Value::Bool(true) => FaceChange::Up,
        Value::Bool(false) => FaceChange::Down,
        _ => FaceChange::AsZone,
    }
}

/// The card of a reference.
#[must_use]
pub(crate) fn id_of(value: Value) -> Option<ObjectId> {
    if let Value::Object { id, .. } = value { Some(id) } else { None }
}
