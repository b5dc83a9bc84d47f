//! A branch of the flow: its calls, questions, attempts and stretches.

use super::{BeenInCall, Cause, Change, Effects, Events, MOST_ARGUMENTS};
use crate::fault::{Fault, broken};
use crate::ids::{ChoiceId, DurationId, NodeId, Pc, Reg, RoutineId, RuleId, VerbId};
use crate::program::{Builtin, Program};
use crate::state::board::Board;
use crate::value::{Few, ObjectId, Place, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A branch of the flow. The flow itself is a branch; a lockstep has one branch for each member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// The index of the branch that began it.
    pub parent: Option<u16>,
    /// The branch's level (see [`super::Control::level`]).
    pub level: u16,
    /// The number of branches that it waits for.
    pub children: u16,
    /// The player whose branch it is: the member of `for p in players`.
    pub own: Option<Player>,
    /// Whether the branches ask one after the other.
    pub in_order: bool,
    /// Whether the branch, or a branch that it began, left out a part of something that an attempt around it demands.
    pub broke: bool,
    /// Whether a `stop` has ended the branch. For a branch that waited: whether `stop` has ended all the branches for which it waited, so that
    /// the ability or action around them ends too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// Whether one of the branches for which it waits has ended without a `stop`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) went_through: bool,
    /// What the branch is doing now.
    pub doing: Doing,
    /// Calls, outermost first.
    pub frames: Vec<Frame>,
    /// The registers of all frames.
    pub registers: Vec<Value>,
    /// The arena for lists. A `Value::List` is a range in it.
    pub lists: Vec<Value>,
    /// The objects to which actions were done, for the results of calls.
    pub(crate) collected: Vec<Value>,
    /// Actions whose prohibitions and replacements are being decided: one for each frame with [`Role::Deciding`], in the order of the
    /// frames.
    pub deciding: Vec<Deciding>,
    /// The open attempts, outermost first.
    pub attempts: Vec<Attempt>,
    /// The cards that abilities in progress show.
    pub shown: Vec<Shown>,
    /// The stretches in which it is, outermost first.
    pub scopes: Vec<Scope>,
    /// The blocks of `finally` for these stretches, and for stretches that have just ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) finals: Vec<Final>,
    /// The table at the beginning of the outermost `veiled` block around it.
    pub veil: Option<Arc<Veil>>,
    /// The number of `veiled` blocks in which it is.
    pub(crate) veils: u16,
    /// The cards to which the branch itself has done something behind the veil.
    pub touched: Vec<ObjectId>,
    /// The verdicts and immediate rules that this branch holds back. This field is not used while a branch runs alone: then all held-back
    /// verdicts and rules are its own.
    pub withheld: Withheld,
    /// If several parts of a cost are paid at the same time: what this branch has to do with them.
    #[serde(default, skip_serializing_if = "Paying::is_none")]
    pub paying: Paying,
    /// Where its calls have asked `been_here`, the outermost call first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub been: Vec<BeenInCall>,
    /// The cards that the moves of an action `replaced as_not_done` have not moved. The action has not been done to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unmoved: Vec<Value>,
}

/// The things that parts of a cost take if these parts are paid at the same time (see `engine/costs/parts.rs`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paying {
    /// Whether the branch pays a part of a cost at the same time as other parts, or belongs to a branch that does.
    pub is_part: bool,
    /// The cards that the part takes. For the paying branch: the cards that the ended parts have taken.
    pub taken: Vec<ObjectId>,
    /// The number of cards that the other parts had taken when its choice was asked.
    pub(crate) heeded: u16,
    /// Whether the part takes what the other parts leave.
    #[serde(default)]
    pub rest: Rest,
}

/// Whether a part of a cost takes what the other parts leave of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Rest {
    /// The part takes the cards that it names or chooses.
    #[default]
    No,
    /// The part waits until the other parts have chosen.
    Waits,
    /// The part takes the cards that the others leave.
    Takes,
}

/// How many blocks hold something back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withheld {
    /// `judge together`: blocks that hold verdicts back.
    pub judging: u16,
    /// `atomically`: blocks that hold immediate rules back.
    pub holding: u16,
}

/// A kept table, for choices behind a veil.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Veil {
    /// The cards and zones.
    pub board: Board,
    /// The continuous effects.
    pub effects: Effects,
}

/// A stretch of the flow that is watched, holds roles, or has a `finally`. Most fields hold values at its beginning, which are restored
/// when the stretch is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The number of the stretch.
    pub number: u32,
    /// The number of frames.
    pub frames: u16,
    /// The number of open attempts.
    pub attempts: u16,
    /// The acting player.
    pub you: Player,
    /// The cause.
    pub cause: Cause,
    /// Whether instructions did not have to be carried out in full.
    pub lenient: bool,
    /// What was held back.
    pub withheld: Withheld,
    /// The number of `veiled` blocks.
    pub(crate) veils: u16,
    /// The number of shown cards.
    pub shown: u32,
    /// The number of collected results.
    pub(crate) collected: u32,
    /// The kind of stretch.
    pub kind: ScopeKind,
}

/// A block that is carried out when a stretch has ended, in whatever way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Final {
    /// The number of the stretch; `None`: it has ended.
    pub scope: Option<u32>,
    /// The `finally` statement.
    pub pc: Pc,
    /// The block.
    pub body: RoutineId,
    /// The captures of the block.
    pub captures: Few,
    /// Lists among the captures.
    pub lists: Few,
    /// The acting player.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// The cause.
    pub cause: Cause,
}

/// Why a part of the flow is a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ScopeKind {
    /// The stretch is watched: the flow leaves the stretch when a condition is true.
    Watch {
        /// The condition.
        condition: NodeId,
        /// The statement where the flow continues then.
        aborted: Pc,
    },
    /// The stretch holds roles, and effects of a duration may hold in it.
    During {
        /// The duration, which ends with the stretch.
        duration: Option<DurationId>,
    },
    /// A block is carried out at its end.
    Finally,
}

/// A card that is shown where it lies, until the ability or action that shows it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The card.
    pub id: ObjectId,
    /// The place where the card was shown. In another place it is not shown.
    pub place: Place,
    /// The players to whom it is shown, one bit each.
    pub to: u8,
    /// Whether an action shows the card, and no ability. Then the card is shown until the outermost action that shows it ends.
    pub(crate) by_action: bool,
}

/// What a branch is doing. The machine asks for it very often, so its tag is a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Doing {
    /// The branch can run.
    #[default]
    Run,
    /// The branch has asked a question.
    Ask(Question),
    /// The branch is about to change something and waits for the other branches.
    Change(Change),
    /// The branch waits for the branches that it began.
    Wait,
    /// The branch waits at a `Meet` for the other branches.
    Meet,
    /// The branch has ended.
    Ended,
    /// The branch was about to take the top card of a zone, but another branch has taken the last card in the same step. The branch takes
    /// the card after the immediate rules for the empty zone have ended, before any branch goes on.
    #[serde(rename = "Late")]
    AfterRules(Change),
}

/// A question: the player, the possible answers, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The player who is asked.
    pub player: Player,
    /// The choice.
    pub choice: ChoiceId,
    /// Where the domain, a list, begins in the arena of the branch.
    pub start: u32,
    /// The number of members of the domain.
    pub len: u16,
    /// The least number of members in an answer.
    pub min: u16,
    /// The greatest number of members in an answer.
    pub max: u16,
    /// The register for the answer.
    pub result: Reg,
    /// Effects demand the first `must` members of the domain: every answer that is not empty contains them. In a choice with a joint
    /// condition: how many demands an answer obeys.
    pub must: u16,
    /// Whether the question may be answered now. Otherwise other questions are answered first.
    pub open: bool,
    /// The answer: a list in the arena of the branch (start, length).
    pub answer: Option<(u32, u16)>,
    /// What follows the answer.
    pub then: Then,
    /// Where the possible answers come from.
    #[serde(default)]
    pub source: Source,
    /// Whether the player may also answer with nothing, although that is not offered: the player takes back a use instead of paying.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) backs_out: bool,
}

/// Where the possible answers to a question come from (see `engine/legal/source.rs`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// From the domain alone.
    #[default]
    Listed,
    /// From the domain of an offer whose ways to act can also be drawn without the list, because nothing changes before the answer.
    Drawable,
    /// From the domain of an offer, as for `Drawable`. The domain has not been listed yet.
    Unlisted,
}

/// What follows an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Then {
    /// The answer goes into the register.
    Store {
        /// Whether the register takes one value instead of a list.
        single: bool,
        /// How many members were demanded. With fewer the choice is not done in full.
        demanded: u16,
    },
    /// On no, the branch continues at this statement.
    May(Pc),
    /// On yes an attempt begins. On no the branch continues at this statement.
    Try(Pc),
    /// On yes, the effect with this number replaces the action of the top frame.
    Replace(u32),
    /// The chosen candidate of the top frame replaces its action.
    PickReplacement,
    /// The effect with this number replaces the chosen event of this step.
    PickEvent(u32),
    /// The taken option goes into the register. On a pass the branch continues at this statement.
    Offer(Pc),
    /// The number says how often the round is repeated. Then the offer at this statement follows.
    Repeat(Pc),
}

/// A call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The routine.
    pub routine: RoutineId,
    /// The next statement.
    pub pc: Pc,
    /// The first register.
    pub base: u32,
    /// The length of the list arena when the call began.
    pub lists: u32,
    /// The acting player.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// The cause.
    pub cause: Cause,
    /// Whether the last instruction was carried out in full.
    pub done: bool,
    /// Whether some instruction was not carried out in full.
    pub failed: bool,
    /// Whether a part of the last instruction was carried out. Kept only if the program asks for it
    /// ([`crate::program::Program::notes_part`]).
    pub part: bool,
    /// Whether a part of some instruction was carried out. Kept under the condition of `part`.
    pub any: bool,
    /// Whether a choice before the next instruction found fewer members than were demanded.
    pub short: bool,
    /// Whether instructions need not be carried out in full although an attempt is open.
    pub lenient: bool,
    /// Whether the actions here belong to an event that was replaced and may not be replaced again.
    pub replaced: bool,
    /// The register of the caller for the result.
    pub result: Reg,
    /// Where the results begin in `collected`, if the caller wants them.
    pub(crate) collects: Option<u32>,
    /// What the frame is for.
    pub role: Role,
    /// The number of the waiting ability that is performed, if the ability stays in its zone until the frame ends.
    pub performs: Option<u32>,
}

impl Frame {
    /// Notes that nothing was carried out.
    pub(crate) fn nothing_done(&mut self) {
        (self.done, self.part) = (false, false);
    }

    /// Whether the last instruction was carried out in full, and in part, as far as the routine asks for this.
    #[must_use]
    #[inline]
    pub fn asked(&self, program: &Program) -> (bool, bool) {
        let asks = program.asks_done(self.routine);
        (asks && self.done, asks && self.part)
    }
}

/// What a frame is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Role {
    /// A procedure, or the flow.
    #[default]
    Plain,
    /// An action. Its event is told at the end.
    Action(VerbId),
    /// An ability that is performed. The number is the length of `Branch::shown` at the beginning; what the ability shows is hidden at the
    /// end.
    Ability(u32),
    /// A slot of a waiting ability is asked. The returned value is the answer.
    Slot {
        /// The number of the waiting ability.
        number: u32,
        /// The index of the slot.
        at: u8,
    },
    /// A cost is paid.
    Payment,
    /// An immediate rule of a player.
    Rule(RuleId, Player),
    /// An action whose prohibitions and replacements are being decided (see [`Branch::deciding`]).
    Deciding,
    /// The block of a replacement; the number is that of the effect. When the block ends, the decided action is noted as replaced.
    Instead(u32),
    /// A block of a `finally`. The code after the stretch learns nothing about it.
    Finally,
}

/// An action before its body: its prohibitions and replacements are being decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deciding {
    /// The verb.
    pub verb: VerbId,
    /// The builtin verb, if the verb is builtin.
    pub builtin: Option<Builtin>,
    /// The arguments. For a builtin verb on a set the members are in `members`.
    pub args: [Value; MOST_ARGUMENTS],
    /// The members that are still to be decided, for a builtin verb on a set.
    pub members: Vec<Value>,
    /// The members that are neither forbidden nor replaced.
    pub kept: Vec<Value>,
    /// The numbers of the replacements that were declined, or that have replaced the action already.
    pub declined: Vec<u32>,
    /// The numbers of the replacements among which a player is choosing.
    pub candidates: Vec<u32>,
    /// The number of an effect that would replace the action and then end. Other actions of the step can claim it too; then it is decided
    /// whose action it replaces.
    pub(crate) claims: Option<u32>,
    /// Whether that effect replaces this action.
    pub granted: bool,
    /// Whether the action was replaced; for a builtin verb: the present member.
    pub(crate) was_replaced: bool,
    /// Whether a part of the action was forbidden.
    pub forbidden: bool,
    /// Whether the replacement was carried out in full.
    pub(crate) instead_done: bool,
    /// Whether a part of the replacement was carried out.
    pub(crate) instead_part: bool,
    /// The decisions before a replacement began that is an attempt. If the attempt fails, the action is decided again from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<Deciding>>,
}

/// An open attempt. Fields without another comment hold the values at its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The number of frames.
    pub frames: u16,
    /// The statement where the flow continues if the attempt fails.
    pub otherwise: Pc,
    /// The board, effects and events at the beginning. `None` in a branch of a lockstep, where changes stay.
    pub before: Option<Arc<Before>>,
    /// The verdicts (losing, winning) before it. A verdict that is raised in the attempt is undone with it.
    pub verdicts: (u8, u8),
    /// The cause of the frame in which it began.
    pub cause: Cause,
    /// Whether a part of some instruction of that frame had been carried out.
    pub any: bool,
    /// The acting player.
    pub you: Player,
    /// Whether instructions did not have to be carried out in full.
    pub lenient: bool,
    /// What was held back, and the number of `veiled` blocks.
    pub inside: (Withheld, u16),
    /// The number of collected results.
    pub(crate) collected: u32,
    /// The number of shown cards.
    pub shown: u32,
    /// Whether this is a trial run, which only finds out whether the attempt can succeed.
    pub trial: bool,
}

/// The board, effects and events to which a failed attempt goes back.
pub type Before = (Board, Effects, Events);

/// Empties a list and fills it with the members of another list.
#[inline(always)] // with no list to copy from, this is a single store
fn refill<T: Clone>(list: &mut Vec<T>, with: Option<&Vec<T>>) {
    list.clear();
    if let Some(with) = with {
        list.extend_from_slice(with);
    }
}

impl Paying {
    /// Whether the branch pays no part of a cost.
    fn is_none(&self) -> bool {
        !self.is_part && self.taken.is_empty()
    }
}

impl Question {
    /// A question for exactly one member of a domain, with no demands; callers change what they want otherwise. The domain is a list
    /// (start, length).
    #[must_use]
    pub(crate) fn for_one(player: Player, choice: ChoiceId, (start, len): (u32, u16), then: Then) -> Self {
        Question {
            player,
            choice,
            start,
            len,
            min: 1,
            max: 1,
            result: Reg::NONE,
            must: 0,
            open: false,
            answer: None,
            then,
            source: Source::Listed,
            backs_out: false,
        }
    }
}

impl Branch {
    /// Makes this a copy of another branch. The allocated memory is kept.
    pub(crate) fn copy_from(&mut self, other: &Branch) {
        self.become_like(Some(other));
    }

    /// Makes this a new branch. The allocated memory is kept.
    pub fn reset(&mut self) {
        self.become_like(None);
    }

    /// Makes this a copy of another branch, or a new branch. The allocated memory is kept.
    #[inline(always)] // branches begin at every question, so no test may be made for each list
    fn become_like(&mut self, other: Option<&Branch>) {
        // All fields are named here, so that the compiler reports a forgotten one.
        let Branch {
            parent,
            level,
            children,
            own,
            in_order,
            broke,
            stopped,
            went_through,
            doing,
            frames,
            registers,
            lists,
            collected,
            deciding,
            attempts,
            shown,
            scopes,
            finals,
            veil,
            veils,
            touched,
            withheld,
            paying,
            been,
            unmoved,
        } = self;
        let plain = other.map_or_else(Default::default, |o| (o.parent, o.level, o.children, o.own, o.in_order, o.broke, o.doing, o.veils));
        (*stopped, *went_through) = other.map_or_else(Default::default, |other| (other.stopped, other.went_through));
        *withheld = other.map_or_else(Withheld::default, |other| other.withheld);
        (paying.is_part, paying.heeded, paying.rest) =
            other.map_or_else(Default::default, |other| (other.paying.is_part, other.paying.heeded, other.paying.rest));
        refill(&mut paying.taken, other.map(|other| &other.paying.taken));
        (*parent, *level, *children, *own, *in_order, *broke, *doing, *veils) = plain;
        *veil = other.and_then(|other| other.veil.clone());
        refill(frames, other.map(|other| &other.frames));
        refill(registers, other.map(|other| &other.registers));
        refill(lists, other.map(|other| &other.lists));
        refill(collected, other.map(|other| &other.collected));
        refill(deciding, other.map(|other| &other.deciding));
        refill(attempts, other.map(|other| &other.attempts));
        refill(shown, other.map(|other| &other.shown));
        refill(scopes, other.map(|other| &other.scopes));
        refill(finals, other.map(|other| &other.finals));
        refill(touched, other.map(|other| &other.touched));
        refill(unmoved, other.map(|other| &other.unmoved));
        refill(been, other.map(|other| &other.been));
    }

    /// The counts of what the branch itself holds back, if they are kept.
    pub(crate) fn withheld_beside_others(&mut self) -> Option<&mut Withheld> {
        self.parent.is_some().then_some(&mut self.withheld)
    }

    /// The statement that comes next. A branch that runs has a frame.
    #[must_use]
    #[inline]
    pub(crate) fn next(&self) -> Pc {
        self.frames.last().map(|frame| frame.pc).or_else(|| broken(Fault::Frame)).unwrap_or(Pc::NOWHERE)
    }

    /// The statement that the top frame carries out. None ([`Pc::NOWHERE`]) if something happens outside of all calls: an example is a
    /// condition that comes true.
    #[must_use]
    #[inline]
    pub(crate) fn now(&self) -> Pc {
        self.frames.last().map_or(Pc::NOWHERE, |frame| frame.pc.before())
    }

    /// Removes the top frame, with the action that is decided in it.
    pub fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        if matches!(frame.role, Role::Deciding) {
            self.deciding.pop();
        }
        Some(frame)
    }

    /// The action that is being decided in the top frame.
    pub fn decided(&mut self) -> Option<&mut Deciding> {
        match self.frames.last() {
            Some(Frame { role: Role::Deciding, .. }) => self.deciding.last_mut(),
            _ => None,
        }
    }
}
