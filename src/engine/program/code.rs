//! Statements: coarse operations of fixed size, one array of them for a whole program.

use super::{Builtin, Program};
use crate::engine::ids::{
    ArgsId, ChoiceId, ClauseId, DurationId, MatchId, MomentId, NodeId, OptionId, Pc, PhaseId, Reg, RoleId, RoutineId, SlotId, StateId,
    TextId, VerbId,
};

/// Whether cards lie face up or down after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FaceWord {
    /// As the zone has it (a public zone: up; a hidden one: down; one with faces: up).
    #[default]
    AsZone,
    /// `up`.
    Up,
    /// `down`.
    Down,
}

/// A statement. The fields of an operation are explained with it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of an operation are explained with it")]
pub enum Op {
    /// A scalar into a register.
    Let { to: Reg, value: NodeId },
    /// A set, taken now, into a register (as a `Value::List`).
    LetSet { to: Reg, set: NodeId },
    /// The action that follows demands so many cards of the place: with fewer there it is not done in full.
    Demand { zone: NodeId, count: NodeId },
    /// Go on there.
    Jump(Pc),
    /// Go on there unless the condition is true.
    JumpUnless { condition: NodeId, to: Pc },
    /// Run a procedure; its parameters are the arguments. `you`, `this` and the cause stay.
    Call { routine: RoutineId, args: ArgsId, result: Reg },
    /// Perform a declared action (docs/kernel.md, "Actions"); sets `done`.
    Perform { verb: VerbId, args: ArgsId, result: Reg },
    /// Perform a builtin verb; sets `done`; the result is the objects it was done to.
    Builtin { verb: Builtin, args: ArgsId, result: Reg },
    /// `move(top of Z, to)`, fused; `from` and `to` are zones.
    MoveTop { from: NodeId, to: NodeId, face: FaceWord, result: Reg },
    /// A state of a card or player, or a pool.
    SetState { subject: NodeId, state: StateId, value: NodeId },
    /// Offer options of groups to the choice's player. What is taken goes into the register (the two after it are the statement's own);
    /// the flow goes on at `passed` when nothing is.
    Offer { choice: ChoiceId, from: ArgsId, taken: Reg, passed: Pc },
    /// The rules that the flow applies, one after the other or together; the register holds how far it has come.
    ApplyRules { next: Reg },
    /// A stretch begins: as soon as the condition is met it is left, and the flow goes on there.
    Watch { condition: NodeId, aborted: Pc },
    /// A stretch begins in which roles are held and effects of a duration may hold.
    During { duration: Option<DurationId> },
    /// A role is held in it.
    Bind { role: RoleId, value: NodeId },
    /// The innermost stretch ends.
    ScopeEnd,
    /// The phase ends at once, or the turn, with all that goes on in it.
    EndPhase { turn: bool },
    /// Perform what was taken; what it gives goes into the other register.
    Take { taken: Reg, result: Reg },
    /// What was taken is over: if it failed it is not offered here again, and the flow goes back.
    Taken { taken: Reg, result: Reg, again: Pc },
    /// An action is declared: it waits to be processed, with these captures.
    Declare { option: OptionId, captures: ArgsId, to: Reg },
    /// The action whose body this is has not happened, and is not done.
    Refuse,
    /// Leave the routine, with a value or none.
    Return(NodeId),
    /// End the ability or action whose body this is, whatever procedures are in between.
    Stop,
    /// Ask; the register takes the object (`single`: exactly or up to one) or the list.
    Choose { choice: ChoiceId, result: Reg },
    /// Ask yes or no; on no go on there. Sets `done`.
    May { choice: ChoiceId, otherwise: Pc },
    /// Begin an attempt: on failure the board is as here and the flow goes on there with `done` false. `asked`: the choice (yes or no)
    /// that is put first, unless a trial run finds the attempt impossible (`may p attempt`).
    Try { asked: Option<ChoiceId>, otherwise: Pc },
    /// The attempt succeeded; sets `done`.
    TryEnd,
    /// Inside an attempt: instructions need not be done in full until the matching end. At the end `done` is whether all of them were.
    Lenient { on: bool, saved: Reg },
    /// Take the members of a set for a `for`: `list` holds the list, the register after it the index.
    Iterate { list: Reg, set: NodeId },
    /// The next member into `item`, or go on there.
    Next { list: Reg, item: Reg, end: Pc },
    /// `repeat n`: when the counter is below one go on there, else count it down.
    CountDown { counter: Reg, end: Pc },
    /// One branch for each member, `item` set, beginning at the next statement; the flow goes on at `join` when all have ended.
    /// `in_order`: choices are made one after the other.
    ForkFor { set: NodeId, item: Reg, join: Pc, in_order: bool },
    /// A branch that begins at the next statement and one at `other` (chained: `other` may be a `Fork` again); the flow goes on at `join`.
    Fork { other: Pc, join: Pc },
    /// A branch ends.
    BranchEnd,
    /// `judge together {`: verdicts wait.
    Judge,
    /// `}`: verdicts are judged (if this is the outermost).
    JudgeEnd,
    /// `veiled {`: how the table is now is kept.
    Veil,
    /// `}`: no longer (if this is the outermost).
    VeilEnd,
    /// `atomically {`.
    Hold,
    /// `}`.
    HoldEnd,
    /// `acting as p {`: `you` is p until the matching end; the old one is kept in the register.
    ActAs { player: NodeId, saved: Reg },
    /// `}`.
    ActEnd { saved: Reg },
    /// What follows is laid to a cause until the matching end; what it was laid to before is kept in the register.
    Because { cause: NodeId, saved: Reg },
    /// `)` of such a call.
    BecauseEnd { saved: Reg },
    /// A continuous effect begins: one clause, for a duration. Its captures are copied from the current frame.
    Install { clause: ClauseId, duration: DurationId },
    /// Effects of that duration end.
    Expire(DurationId),
    /// A duration begins, or (not `open`) is over: effects that wait for it begin, others of it may begin only inside.
    Open { duration: DurationId, open: bool },
    /// Inside of what is done instead: the original action, perhaps with other arguments (`NONE`: as they were).
    Proceed(ArgsId),
    /// An ability is put by until a moment; its captures are copied from the registers listed in the routine's captures.
    PutBy { moment: Option<MomentId>, body: RoutineId, captures: ArgsId },
    /// From here on to the matching end of a stretch: the body is carried out when that has ended, however it has. Its captures are copied.
    Finally { body: RoutineId, captures: ArgsId },
    /// Whether the flow was here before in the same position, and has come back by itself.
    BeenHere { to: Reg },
    /// `perform a`: an ability of a card, or a waiting one (which is then no longer waiting).
    PerformAbility(NodeId),
    /// An ability of a card waits from now on, in no zone, its slots not asked for. The arguments: the ability, who plays it (its
    /// controller when not given), its other sources. The result is the waiting ability.
    Announce { args: ArgsId, result: Reg },
    /// The window of a timing opens: from which effect on abilities have come later goes into the register.
    WindowOpens { since: Reg },
    /// Abilities that have come since the innermost window opened, or since this was last asked there, and that hear its timing begin to wait;
    /// the set of them is the result.
    HearAgain { result: Reg },
    /// What is done here is laid to goes into the register.
    CauseHere { to: Reg },
    /// A waiting ability enters a zone.
    Enter { ability: NodeId, zone: NodeId },
    /// A slot of a waiting ability is asked for, of this player.
    Ask { ability: NodeId, slot: SlotId, by: NodeId },
    /// A cost of a waiting ability is determined: it stays so until it is paid.
    Fix { ability: NodeId, slot: SlotId },
    /// A cost of a waiting ability is paid, part for part.
    Pay { ability: NodeId, slot: SlotId },
    /// A player's pool goes down by so much, or this is not done.
    Spend { player: NodeId, state: StateId, amount: NodeId },
    /// The instruction before was not carried out in full.
    Fail,
    /// Ask for the unit of the next requirement: `taken` holds those of the ones before, the answer goes into `picked`. When all have
    /// theirs go on there.
    Match { of: MatchId, choice: ChoiceId, taken: Reg, picked: Reg, end: Pc },
    /// Effects that began together apply in this order.
    Arrange(NodeId),
    /// Waiting abilities are dropped.
    Drop(NodeId),
    /// A branch waits here until every other has come to such a place or has ended; outside of a lockstep nothing.
    Meet,
    /// An event without a body. `once`: an ability waits for it only once since that mark was set (`TextId(u32::MAX)`: each time).
    Emit { verb: VerbId, args: ArgsId, once: TextId },
    /// History since here has a name.
    Mark(TextId),
    /// In a position: these cards came later than all that is in force.
    Came(ArgsId),
    /// A phase begins (trace, views).
    Phase(PhaseId),
    /// A turn begins: the number goes up, use counters are cleared.
    TurnBegins,
    /// The game is over: this player has won (`NONE`: a draw). Only in the judgement.
    Finish(NodeId),
    /// The game is over: these players have won; or (with a number of each, bound) they have places, the greatest number first.
    FinishPlaces(NodeId, NodeId),
    /// An immediate rule's body, a clause's body or an ability's body ends; same as returning nothing.
    End,
}

impl Op {
    /// What a statement reads before it does anything: its condition, the value that it gives a name, the set that it goes through or chooses from.
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

    /// It only ends a block, or goes to its beginning: what is done there has been told where the block began.
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
