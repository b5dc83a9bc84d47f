//! The statements of a program: operations of fixed size, all in one array ([`Program::code`]).

use super::{Builtin, Program};
use crate::ids::{
    ArgsId, ChoiceId, ClauseId, DurationId, MatchId, MomentId, NodeId, OptionId, Pc, PhaseId, Reg, RoleId, RoutineId, SlotId, StateId,
    TextId, VerbId,
};

/// Which way cards lie after a move, as a statement says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FaceWord {
    /// As the zone says (up in a public zone and in a zone with faces, down in a hidden zone).
    #[default]
    AsZone,
    /// `up`.
    Up,
    /// `down`.
    Down,
}

/// A statement. "There" is the statement in the field of type `Pc`. A block begins with one operation and ends with its partner (`Try` and
/// `TryEnd`).
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of an operation are explained with it")]
pub enum Op {
    /// Puts a single value into a register.
    Let { to: Reg, value: NodeId },
    /// Puts the present members of a set into a register, as a `Value::List`.
    LetSet { to: Reg, set: NodeId },
    /// The action that follows demands this number of cards in the zone. With fewer cards the action is not carried out in full.
    Demand { zone: NodeId, count: NodeId },
    /// Continues there.
    Jump(Pc),
    /// Continues there unless the condition is true.
    JumpUnless { condition: NodeId, to: Pc },
    /// Calls a procedure; its parameters are the arguments. `you`, `this` and the cause stay the same.
    Call { routine: RoutineId, args: ArgsId, result: Reg },
    /// Performs a declared action (docs/kernel/actions.md); sets `done`.
    Perform { verb: VerbId, args: ArgsId, result: Reg },
    /// Performs a builtin verb; sets `done`. The result is the list of the objects to which it was done.
    Builtin { verb: Builtin, args: ArgsId, result: Reg },
    /// `move(top of Z, to)` as one operation; `from` and `to` are zones.
    MoveTop { from: NodeId, to: NodeId, face: FaceWord, result: Reg },
    /// Sets a state of a card or player, or a pool.
    SetState { subject: NodeId, state: StateId, value: NodeId },
    /// Offers the options of some groups to the player of the choice. The register `taken` gets the taken option; the next two registers
    /// are for internal use. If the player passes, the flow continues at `passed`.
    Offer { choice: ChoiceId, from: ArgsId, taken: Reg, passed: Pc },
    /// Applies the declared rules, one after the other or together. The register holds the progress.
    ApplyRules { next: Reg },
    /// Begins a watched stretch. When the condition is true, the stretch is left and the flow continues at `aborted`.
    Watch { condition: NodeId, aborted: Pc },
    /// Begins a stretch in which roles are held, and in which effects of a duration may hold.
    During { duration: Option<DurationId> },
    /// Gives a role to members; the role belongs to the innermost stretch.
    Bind { role: RoleId, value: NodeId },
    /// Ends the innermost stretch.
    ScopeEnd,
    /// Ends the phase, or the turn, at once, with everything that runs in it.
    EndPhase { turn: bool },
    /// Performs the taken option; its result goes into `result`.
    Take { taken: Reg, result: Reg },
    /// Ends the handling of a taken option. If the option failed, the flow goes back to `again`. There the failed option is not offered again
    /// in the same position, unless a policy (`failed = offered_again`) says so.
    Taken { taken: Reg, result: Reg, again: Pc },
    /// Declares an action in two parts: it waits to be processed, with these captures.
    Declare { option: OptionId, captures: ArgsId, to: Reg },
    /// Ends the body of an action: the action has not happened and is not done.
    Refuse,
    /// Leaves the routine, with a value or without one (`NONE`).
    Return(NodeId),
    /// Ends the ability or action to which this statement belongs, and all procedures in between.
    Stop,
    /// Asks. The register gets one object (`single`: the choice is for at most one) or a list.
    Choose { choice: ChoiceId, result: Reg },
    /// Asks yes or no; sets `done`. On no the flow continues there.
    May { choice: ChoiceId, otherwise: Pc },
    /// Begins an attempt. On failure the board is as it was here, `done` is false and the flow continues at `otherwise`. `asked` (`may p
    /// attempt`): the yes-or-no choice that comes first, unless a trial run finds the attempt impossible.
    Try { asked: Option<ChoiceId>, otherwise: Pc },
    /// Ends an attempt that succeeded; sets `done`.
    TryEnd,
    /// Begins and ends a block after which `done` says whether everything in the block was carried out in full. `lenient`: instructions of the
    /// block need not be carried out in full for an attempt around it.
    Measure { on: bool, saved: Reg, lenient: bool },
    /// Begins a `for`: `list` gets the members of the set, the next register the index.
    Iterate { list: Reg, set: NodeId },
    /// Puts the next member into `item`; after the last one the flow continues there.
    Next { list: Reg, item: Reg, end: Pc },
    /// `repeat n`: if the counter is below one, the flow continues there; otherwise it is counted down.
    CountDown { counter: Reg, end: Pc },
    /// Begins one branch for each member of the set, at the next statement, with the member in `item`. When all branches have ended, the
    /// flow continues at `join`. `in_order`: the branches ask one after the other.
    ForkFor { set: NodeId, item: Reg, join: Pc, in_order: bool },
    /// Begins two branches: one at the next statement, one at `other`, which may be a `Fork` too. When all branches have ended, the flow
    /// continues at `join`.
    Fork { other: Pc, join: Pc },
    /// Ends a branch.
    BranchEnd,
    /// `judge together {`: verdicts wait from here on.
    Judge,
    /// `}`: if this is the outermost such block, the verdicts are judged.
    JudgeEnd,
    /// `veiled {`: the present table is kept. In the block, choosers see the cards of other players as they were on this table.
    Veil,
    /// `}`: the outermost such block drops the kept table.
    VeilEnd,
    /// `atomically {`: immediate rules wait from here on.
    Hold,
    /// `}` of `atomically`.
    HoldEnd,
    /// `acting as p {`: `you` is p until the matching end. The register keeps the old `you`.
    ActAs { player: NodeId, saved: Reg },
    /// `}` of `acting as`.
    ActEnd { saved: Reg },
    /// From here to the matching end, actions have this cause. The register keeps the old cause.
    Because { cause: NodeId, saved: Reg },
    /// `)` of a call that names its cause.
    BecauseEnd { saved: Reg },
    /// Begins a continuous effect: one clause, for a duration. Its captures are copied from the current frame.
    Install { clause: ClauseId, duration: DurationId },
    /// Ends the effects of a duration.
    Expire(DurationId),
    /// Begins a duration, or ends it (not `open`). Effects that wait for the duration begin. Effects that exist only inside it can begin.
    Open { duration: DurationId, open: bool },
    /// In the block of a replacement: performs the original action. An argument that is not `NONE` replaces the original argument.
    Proceed(ArgsId),
    /// Puts an ability by until a moment. The arguments are its captures.
    PutBy { moment: Option<MomentId>, body: RoutineId, captures: ArgsId },
    /// Begins a stretch. When the stretch has ended, in whatever way, the body is carried out. The captures are copied here.
    Finally { body: RoutineId, captures: ArgsId },
    /// Sets the register: whether the flow was at this statement before in the same position, with no decision and no random number in
    /// between.
    BeenHere { to: Reg },
    /// `perform a`: performs an ability of a card, or a waiting ability, which then waits no longer.
    PerformAbility(NodeId),
    /// An ability of a card waits from now on, in no zone, with empty slots. The arguments: the ability, its player (default: its
    /// controller), its other sources. The result is the waiting ability.
    Announce { args: ArgsId, result: Reg },
    /// Opens the window of a timing. The register gets the number of the next effect.
    WindowOpens { since: Reg },
    /// Sets the first mark where the second one stands. If the second is not set, neither is the first.
    MarkFrom(TextId, TextId),
    /// Adds the arguments of an event to those that the register holds already, one event after the other.
    NoteTold { args: ArgsId, told: Reg },
    /// Abilities that hear the timing begin to wait if they came after the innermost window opened, or after the last `hear_again` in this
    /// window. The result is the set of these abilities.
    HearAgain { result: Reg },
    /// Puts the present cause into a register.
    CauseHere { to: Reg },
    /// Puts a waiting ability into a zone.
    Enter { ability: NodeId, zone: NodeId },
    /// Asks a player for a slot of a waiting ability.
    Ask { ability: NodeId, slot: SlotId, by: NodeId },
    /// Fixes a cost of a waiting ability. It does not change any more.
    Fix { ability: NodeId, slot: SlotId },
    /// Pays a cost of a waiting ability, part by part.
    Pay { ability: NodeId, slot: SlotId },
    /// Takes an amount from a player's pool; if the pool holds less, this is not done.
    Spend { player: NodeId, state: StateId, amount: NodeId },
    /// The instruction before counts as not carried out in full.
    Fail,
    /// Asks for the unit of the next requirement. `taken` holds the units of the earlier requirements, `picked` gets the answer. When all
    /// requirements have units, the flow continues at `end`.
    Match { of: MatchId, choice: ChoiceId, taken: Reg, picked: Reg, end: Pc },
    /// Effects that began together apply in this order.
    Arrange(NodeId),
    /// Drops waiting abilities.
    Drop(NodeId),
    /// Counts a use of a waiting ability without performing the ability.
    CountUse(NodeId),
    /// In a lockstep: the branch waits until every other branch has come to a `Meet` or has ended. Otherwise nothing.
    Meet,
    /// Begins a part of a payment that takes all of a set. The branch waits until the other parts know what they take. It leaves these
    /// things out of the sets that it passes to actions.
    TakeRest,
    /// Tells an event that has no body. `once`: each ability waits for it only once since that mark was set (`TextId::NONE`: each
    /// time).
    Emit { verb: VerbId, args: ArgsId, once: TextId },
    /// Sets a mark in history.
    Mark(TextId),
    /// Sets a mark until the innermost `during` stretch ends. Then the mark is again as it was before.
    MarkHere(TextId),
    /// For positions of scenarios: these cards came later than all effects in force.
    Came(ArgsId),
    /// Begins a phase (for the trace and for views).
    Phase(PhaseId),
    /// Begins a turn: the turn's number grows by one, and counted uses begin anew.
    TurnBegins,
    /// Ends the game: this player has won (`NONE`: a draw). Only in the judgement.
    Finish(NodeId),
    /// Ends the game: these players have won. With a second node, which binds the player: players have places by this number, the greatest
    /// first.
    FinishPlaces(NodeId, NodeId),
    /// Ends the body of a rule, clause or ability; like a `Return` without a value.
    End,
}

impl Op {
    /// The nodes that a statement reads, except for what its choice or its match reads. Names every statement, so a new one does not compile
    /// before its nodes are said.
    pub fn operands(&self, program: &Program, see: &mut dyn FnMut(NodeId)) {
        let mut all = |nodes: &[NodeId]| nodes.iter().filter(|node| **node != NodeId::NONE).for_each(|node| see(*node));
        match *self {
            Op::Let { value: node, .. }
            | Op::LetSet { set: node, .. }
            | Op::JumpUnless { condition: node, .. }
            | Op::Watch { condition: node, .. }
            | Op::Bind { value: node, .. }
            | Op::Return(node)
            | Op::Iterate { set: node, .. }
            | Op::ForkFor { set: node, .. }
            | Op::ActAs { player: node, .. }
            | Op::Because { cause: node, .. }
            | Op::PerformAbility(node)
            | Op::Fix { ability: node, .. }
            | Op::Pay { ability: node, .. }
            | Op::Arrange(node)
            | Op::Drop(node)
            | Op::CountUse(node)
            | Op::Finish(node) => all(&[node]),
            Op::Demand { zone: a, count: b }
            | Op::MoveTop { from: a, to: b, .. }
            | Op::SetState { subject: a, value: b, .. }
            | Op::Enter { ability: a, zone: b }
            | Op::Ask { ability: a, by: b, .. }
            | Op::Spend { player: a, amount: b, .. }
            | Op::FinishPlaces(a, b) => all(&[a, b]),
            Op::Call { args, .. }
            | Op::Perform { args, .. }
            | Op::Builtin { args, .. }
            | Op::Announce { args, .. }
            | Op::NoteTold { args, .. }
            | Op::Emit { args, .. }
            | Op::Declare { captures: args, .. }
            | Op::PutBy { captures: args, .. }
            | Op::Finally { captures: args, .. }
            | Op::Proceed(args)
            | Op::Offer { from: args, .. }
            | Op::Came(args) => all(program.args_of(args)),
            Op::Choose { .. } | Op::May { .. } | Op::Try { .. } | Op::Match { .. } => {}
            Op::Jump(_)
            | Op::ApplyRules { .. }
            | Op::During { .. }
            | Op::ScopeEnd
            | Op::EndPhase { .. }
            | Op::Take { .. }
            | Op::Taken { .. }
            | Op::Refuse
            | Op::Stop
            | Op::TryEnd
            | Op::Measure { .. }
            | Op::Next { .. }
            | Op::CountDown { .. }
            | Op::Fork { .. }
            | Op::BranchEnd
            | Op::Judge
            | Op::JudgeEnd
            | Op::Veil
            | Op::VeilEnd
            | Op::Hold
            | Op::HoldEnd
            | Op::ActEnd { .. }
            | Op::BecauseEnd { .. }
            | Op::Install { .. }
            | Op::Expire(_)
            | Op::Open { .. }
            | Op::BeenHere { .. }
            | Op::WindowOpens { .. }
            | Op::MarkFrom(..)
            | Op::HearAgain { .. }
            | Op::CauseHere { .. }
            | Op::Fail
            | Op::Meet
            | Op::TakeRest
            | Op::Mark(_)
            | Op::MarkHere(_)
            | Op::Phase(_)
            | Op::TurnBegins
            | Op::End => {}
        }
    }

    /// The node that a statement reads first: its condition, its value, the set that it goes through, or the domain of its choice.
    #[must_use]
    pub fn read_first(&self, program: &Program) -> Option<NodeId> {
        match *self {
            Op::JumpUnless { condition, .. } => Some(condition),
            Op::Let { value, .. } | Op::Return(value) | Op::SetState { value, .. } => Some(value),
            Op::LetSet { set, .. } | Op::Iterate { set, .. } | Op::ForkFor { set, .. } => Some(set),
            Op::Choose { choice, .. } => program.choices.get(choice).map(|choice| choice.domain),
            _ => None,
        }
        .filter(|node| *node != NodeId::NONE)
    }

    /// Whether the statement reads a condition or a set, or has arguments.
    #[must_use]
    pub(crate) fn reads_or_acts(&self) -> bool {
        matches!(
            self,
            Op::JumpUnless { .. }
                | Op::Let { .. }
                | Op::LetSet { .. }
                | Op::Iterate { .. }
                | Op::ForkFor { .. }
                | Op::Perform { .. }
                | Op::Call { .. }
                | Op::Builtin { .. }
        )
    }

    /// Whether the statement only ends a block or jumps to the beginning of a block. The trace has told the block where it began.
    #[must_use]
    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Op::Jump(_)
                | Op::Next { .. }
                | Op::CountDown { .. }
                | Op::BranchEnd
                | Op::JudgeEnd
                | Op::HoldEnd
                | Op::VeilEnd
                | Op::TryEnd
                | Op::ScopeEnd
                | Op::ActEnd { .. }
                | Op::BecauseEnd { .. }
        )
    }
}
