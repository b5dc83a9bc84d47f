//! Stretches of the flow with something around them: a watched condition, or names and effects that hold meanwhile.
//!
//! A stretch can end in several ways: at its end, by a jump, when the call around it ends, when an attempt around it is undone, or when a
//! condition further out stops it. The compiler closes `judge together` and similar blocks.
//!
//! Stretches are kept on the branch, and are not looked up in the code. So everything that begins inside a stretch can be left from
//! anywhere by taking frames off the stack.

use crate::eval::Eval;
use crate::fault::{Fault, broken, listed};
use crate::ids::{CitesId, DurationId, Id, NodeId, Pc, RoleId};
use crate::program::{Op, RoleDef};
use crate::run::Run;
use crate::run::step::{jump, top};
use crate::state::readings;
use crate::state::{Branch, Doing, Final, Held, Holds, Role, Scope, ScopeKind, Withheld};
use crate::steps::{Observer, Step};
use crate::value::{Few, Player, Value};
use smallvec::smallvec;

/// What a statement can change that the stretches around it depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MayChange {
    /// Nothing.
    Nothing,
    /// Only registers. Only watched conditions can read them.
    Registers,
    /// Anything.
    Anything,
}

impl MayChange {
    /// What a statement of this kind can change.
    #[inline]
    #[must_use]
    pub(crate) fn of(op: &Op) -> Self {
        match op {
            Op::Jump(_) | Op::JumpUnless { .. } => Self::Nothing,
            Op::Let { .. } | Op::LetSet { .. } | Op::Iterate { .. } | Op::Next { .. } | Op::CountDown { .. } => Self::Registers,
            // These statements change frames only. An attempt that begins only copies the state.
            Op::Call { .. }
            | Op::Try { asked: None, .. }
            | Op::Measure { .. }
            | Op::ActAs { .. }
            | Op::ActEnd { .. }
            | Op::Because { .. }
            | Op::BecauseEnd { .. }
            | Op::CauseHere { .. } => Self::Registers,
            _ => Self::Anything,
        }
    }
}

/// A member that no longer fits its role.
struct Fallen {
    /// The index of the role's binding in `Events::held`.
    at: usize,
    member: Value,
    /// The rules of the condition that is false.
    cites: CitesId,
    /// For the trace: the operands with rules of their own that decided the condition.
    decisive: Vec<(usize, bool)>,
}

impl<O: Observer> Run<'_, O> {
    pub(crate) fn begin_scope(&mut self, branch: &mut Branch, kind: ScopeKind) {
        let number = self.state.events.next;
        self.state.events.next += 1;
        let Some(frame) = branch.frames.last() else { return broken(Fault::Frame) };
        let control = &self.state.control;
        branch.scopes.push(Scope {
            number,
            frames: branch.frames.len() as u16,
            attempts: branch.attempts.len() as u16,
            you: frame.you,
            cause: frame.cause,
            lenient: frame.lenient,
            withheld: control.withheld(branch),
            veils: branch.veils,
            shown: branch.shown.len() as u32,
            collected: branch.collected.len() as u32,
            kind,
        });
    }

    /// Begins a stretch of `watch C {`.
    pub(crate) fn begin_watch(&mut self, branch: &mut Branch, condition: NodeId, aborted: Pc) {
        self.begin_scope(branch, ScopeKind::Watch { condition, aborted });
    }

    /// Begins a stretch of `during D {`.
    pub(crate) fn begin_during(&mut self, branch: &mut Branch, duration: Option<DurationId>) {
        self.begin_scope(branch, ScopeKind::During { duration });
    }

    /// Whether the branch is in a stretch of this duration. The stretches of the branches around it count too.
    pub(crate) fn is_during(&self, branch: &Branch, duration: DurationId) -> bool {
        readings::note(readings::part::OPEN, usize::from(duration.0));
        let within = |branch: &Branch| {
            branch.scopes.iter().any(|scope| matches!(scope.kind, ScopeKind::During { duration: Some(of) } if of == duration))
        };
        let mut outer = Some(branch);
        while let Some(here) = outer {
            if within(here) {
                return true;
            }
            outer = here.parent.and_then(|parent| self.state.control.branches.get(usize::from(parent))).map(|branch| &**branch);
        }
        false
    }

    /// Gives a role to its members, for the innermost stretch.
    pub(crate) fn bind_role(&mut self, branch: &mut Branch, role: RoleId, value: NodeId) {
        let Some(scope) = branch.scopes.last().map(|scope| scope.number) else { return };
        let mark = branch.lists.len();
        let several = self.program.roles.get(role).is_some_and(|role| role.several);
        let value = if several { self.list(branch, value) } else { self.value(branch, value) };
        let members: Few = match value {
            Value::List { start, len } => Few::from_slice(listed(&branch.lists, start, len)),
            Value::Undefined => Few::new(),
            one => smallvec![one],
        };
        branch.lists.truncate(mark);
        self.state.events.held.unnoted_mut().push(Held { scope, role, members });
    }

    /// Ends the innermost stretch: at its `}`, or by a jump out of it.
    pub(crate) fn scope_ends(&mut self, branch: &mut Branch) {
        if let Some(scope) = branch.scopes.pop() {
            self.end_scope(branch, scope);
        }
    }

    /// Does what has to be done when a stretch has ended. A stretch of `finally` makes its block due. A `during` gives up its roles and
    /// marks and ends the effects of its duration. A `watch` leaves nothing.
    fn end_scope(&mut self, branch: &mut Branch, scope: Scope) {
        let duration = match scope.kind {
            ScopeKind::During { duration } => duration,
            ScopeKind::Finally => return branch.finally_due(scope.number),
            ScopeKind::Watch { .. } => return,
        };
        self.state.events.held.unnoted_mut().retain(|held| held.scope != scope.number);
        self.state.events.bring_back_marks(scope.number);
        let Some(duration) = duration else { return };
        let ended = self.state.effects.end(self.program, |effect| effect.holds == Holds::Lasting(duration));
        if !ended.is_empty() {
            self.state.control.changed_by_effects();
        }
        for number in ended {
            self.tell(branch.now(), branch.frames.len(), 0, &[], || Step::EffectEnds(number));
        }
        self.settle_after_end(branch, 0);
    }

    /// Called when calls have ended. Ends the stretches that began in them, innermost first.
    #[inline]
    pub(crate) fn end_scopes(&mut self, branch: &mut Branch) {
        while branch.scopes.last().is_some_and(|scope| usize::from(scope.frames) > branch.frames.len()) {
            self.scope_ends(branch);
        }
    }

    /// Called when an attempt has been undone. Ends the stretches that began in it.
    pub(crate) fn drop_scopes(&mut self, branch: &mut Branch) {
        while branch.scopes.last().is_some_and(|scope| usize::from(scope.attempts) > branch.attempts.len()) {
            self.scope_ends(branch);
        }
    }

    /// Looks at the stretches around a branch, before its next statement. `stirred` says what the statement before can have changed.
    /// Members that no longer fit their role drop out of it. The outermost watched condition that is true stops its stretch. Conditions are
    /// not looked at in the middle of an action that is being decided, or inside an open attempt that began in the stretch. Returns whether
    /// a stretch was stopped.
    #[inline]
    pub(crate) fn look_around(&mut self, branch: &mut Branch, at: u16, stirred: MayChange) -> bool {
        let looks = match stirred {
            MayChange::Nothing => false,
            MayChange::Registers => watches(branch) || cfg!(debug_assertions),
            MayChange::Anything => watches(branch) || !self.state.events.held.unnoted().is_empty(),
        };
        looks && self.look_around_now(branch, at, stirred)
    }

    #[inline(never)]
    fn look_around_now(&mut self, branch: &mut Branch, at: u16, stirred: MayChange) -> bool {
        let decides = branch.frames.last().is_some_and(|frame| matches!(frame.role, Role::Deciding));
        if decides {
            return false;
        }
        if stirred == MayChange::Anything {
            self.drop_out(branch);
        }
        debug_assert!(stirred == MayChange::Anything || self.fallen::<false>().is_empty(), "a statement has changed more than registers");
        if !watches(branch) || branch.is_in_finally() {
            return false;
        }
        for index in 0..branch.scopes.len() {
            let Some(scope) = branch.scopes.get(index).copied() else { return false };
            let ScopeKind::Watch { condition, aborted } = scope.kind else { continue };
            if usize::from(scope.attempts) == branch.attempts.len() && self.is_met(branch, scope, condition) {
                self.abort(branch, at, index, aborted);
                return true;
            }
        }
        false
    }

    /// Takes members that no longer fit their role out of it, for good. All members are checked in the same position, so if the conditions
    /// of two roles depend on each other, neither role is checked first. A member that drops out may make others unfit, so the check is
    /// repeated.
    fn drop_out(&mut self, branch: &Branch) {
        loop {
            let fallen = self.fallen::<true>();
            if fallen.is_empty() {
                return;
            }
            for Fallen { at, member, cites, decisive } in fallen {
                let role = self.state.events.held.unnoted().get(at).map_or_else(RoleId::default, |binding| binding.role);
                self.tell_cited(cites, branch.now(), branch.frames.len(), 0, &[], || Step::RoleLost(role, member));
                self.tell_operands(&decisive, branch.now(), branch.frames.len(), 0);
                if let Some(binding) = self.state.events.held.unnoted_mut().get_mut(at) {
                    binding.members.retain(|other| *other != member);
                }
            }
        }
    }

    /// The members that no longer fit their roles. With `TOLD`, and if somebody looks on, each with the operands that decided its
    /// condition.
    fn fallen<const TOLD: bool>(&self) -> Vec<Fallen> {
        let mut fallen = Vec::new();
        readings::note_whole(readings::part::HELD);
        for (at, binding) in self.state.events.held.unnoted().iter().enumerate() {
            let Some(def) = self.program.roles.get(binding.role).filter(|def| can_be_lost(def, binding)) else { continue };
            let mut eval = Eval::new(self.program, self.state, &[], &[], Player(0), Value::Undefined);
            eval.as_held = true;
            for member in &binding.members {
                if let Some(cites) = eval.unfit(def, *member) {
                    let decisive = if TOLD && O::ON { eval.unfit_because(def, *member) } else { Vec::new() };
                    fallen.push(Fallen { at, member: *member, cites, decisive });
                }
            }
        }
        fallen
    }

    fn is_met(&mut self, branch: &Branch, scope: Scope, condition: NodeId) -> bool {
        let Some(frame) = branch.frames.get(usize::from(scope.frames).wrapping_sub(1)) else { return false };
        readings::note_whole(readings::part::REGISTERS);
        let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
        let mut eval = Eval::new(self.program, self.state, locals, &branch.lists, frame.you, frame.this);
        eval.watcher = self.trial.map(|trial| trial.player);
        let met = eval.holds(condition);
        let (overflow, peeked) = (eval.overflow, eval.peeked);
        let decisive = if O::ON && met { eval.decisive(condition) } else { Vec::new() };
        self.noted(branch, overflow, peeked);
        self.tell_operands(&decisive, branch.now(), branch.frames.len(), 0);
        met
    }

    /// Stops a stretch. Everything that began inside it ends, innermost first. The flow goes on at `aborted`.
    fn abort(&mut self, branch: &mut Branch, at: u16, index: usize, aborted: Pc) {
        self.lifted_bars_end();
        let Some(scope) = branch.scopes.get(index).copied() else { return broken(Fault::Begun) };
        if self.trial.is_some() {
            // A trial run stops here, unfinished. Its attempt has not failed.
            return self.answer_trial_open();
        }
        // A rule or block that waits for `goes_round` has now been told of it.
        self.state.control.goes_round = false;
        let theirs = self.end_children(at);
        branch.finals.extend(theirs);
        while branch.scopes.len() > index + 1 {
            self.scope_ends(branch);
        }
        branch.scopes.truncate(index);
        while branch.frames.len() > usize::from(scope.frames) {
            let Some(frame) = branch.pop() else { break };
            self.rule_is_over(&frame);
            self.performed_is_over(&frame);
            branch.registers.truncate(frame.base as usize);
            branch.lists.truncate(frame.lists as usize);
        }
        self.date_effects(branch, at);
        branch.collected.truncate(scope.collected as usize);
        self.hide(branch, scope.shown as usize);
        self.state.control.hold_again(branch, scope.withheld);
        branch.unveil(scope.veils);
        (branch.children, branch.went_through, branch.doing) = (0, false, Doing::Run);
        top(branch, |frame| {
            (frame.you, frame.lenient) = (scope.you, scope.lenient);
            frame.nothing_done();
            frame.cause = scope.cause;
        });
        jump(branch, aborted);
        self.tell(branch.now(), branch.frames.len(), at, &[], || Step::Aborted);
        self.begin_finals(branch, at);
    }

    /// Ends the branches that the branch `of` has forked, and the branches of those. Returns the `finally` blocks of their stretches.
    fn end_children(&mut self, of: u16) -> Vec<Final> {
        let (mut over, mut finals) = (vec![of], Vec::new());
        for at in 0..self.state.control.branches.len() {
            let Some(branch) = self.state.control.branches.get(at) else { continue };
            if !branch.parent.is_some_and(|parent| over.contains(&parent)) || matches!(branch.doing, Doing::Ended) {
                continue;
            }
            over.push(at as u16);
            let Some(mut branch) = self.take_out(at) else { continue };
            for frame in std::mem::take(&mut branch.frames) {
                self.performed_is_over(&frame);
            }
            branch.deciding.clear();
            self.state.control.hold_again(&mut branch, Withheld::default());
            self.end_scopes(&mut branch);
            // The blocks of inner branches come first. An inner branch stands later in the list than the branch that forked it.
            finals.splice(0..0, branch.finals.drain(..));
            branch.doing = Doing::Ended;
            self.put_back(branch, at);
        }
        finals
    }

    /// Stops branches that wait for others, if they are in a stretch whose condition is true. The branches for which they wait are stopped
    /// too. Returns whether any branch was stopped.
    #[inline(never)]
    pub(crate) fn look_around_those_who_wait(&mut self) -> bool {
        let mut any = false;
        let level = self.state.control.level;
        for at in 0..self.state.control.branches.len() {
            let waits = self.state.control.branches.get(at);
            if !waits.is_some_and(|branch| matches!(branch.doing, Doing::Wait) && branch.level == level && !branch.scopes.is_empty()) {
                continue;
            }
            let Some(mut branch) = self.take_out(at) else { continue };
            any |= self.look_around(&mut branch, at as u16, MayChange::Anything);
            self.put_back(branch, at);
        }
        any
    }
}

/// Whether a member of a role can lose it: the role has a condition, or a card holds it.
#[must_use]
pub(crate) fn can_be_lost(def: &RoleDef, binding: &Held) -> bool {
    !def.conditions.is_empty() || binding.members.iter().any(|member| !matches!(member, Value::Player(_)))
}

/// Whether the branch is in a stretch with a watched condition.
#[inline]
fn watches(branch: &Branch) -> bool {
    branch.scopes.iter().any(|scope| matches!(scope.kind, ScopeKind::Watch { .. }))
}

impl Eval<'_> {
    /// The rules by which a member no longer fits its role. `None` if the member still fits.
    pub fn unfit(&mut self, def: &RoleDef, member: Value) -> Option<CitesId> {
        let there = match member {
            Value::Object { .. } => !self.state.board.is_over(member),
            _ => member != Value::Undefined,
        };
        let unmet = def.conditions.iter().find(|(condition, _)| !self.bind(member, |eval| eval.holds(*condition)));
        let gone = || def.conditions.first().map_or(CitesId::default(), |(_, cites)| *cites);
        unmet.map(|(_, cites)| *cites).or_else(|| (!there).then(gone))
    }

    /// For the trace: the operands with rules of their own that decided that the member does not fit its role.
    fn unfit_because(&mut self, def: &RoleDef, member: Value) -> Vec<(usize, bool)> {
        let unmet = def.conditions.iter().find(|(condition, _)| !self.bind(member, |eval| eval.holds(*condition)));
        unmet.map_or_else(Vec::new, |(condition, _)| self.bind(member, |eval| eval.decisive(*condition)))
    }

    /// The players or cards that hold a role now. The innermost stretch that gives the role counts. Inside the condition of a role, the
    /// members of the last check count.
    pub(crate) fn members_in(&mut self, role: RoleId) -> Few {
        let Some(def) = self.program.roles.get(role) else { return Few::new() };
        readings::note(readings::part::ROLES, role.index());
        let held = self.state.events.held.unnoted().iter().rev().find(|held| held.role == role);
        let members = held.map(|held| held.members.as_slice()).unwrap_or_default();
        if self.as_held {
            return Few::from_slice(members);
        }
        // The condition is about the member alone. So it must not see what is bound around this expression.
        let mut eval = Eval::new(self.program, self.state, &[], &[], self.you, Value::Undefined);
        eval.carry_on(self);
        eval.as_held = true;
        let mut fit = Few::new();
        for member in members {
            if eval.unfit(def, *member).is_none() {
                fit.push(*member);
            }
        }
        fit
    }
}
