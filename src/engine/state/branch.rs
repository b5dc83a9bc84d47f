//! A branch of the flow: its calls, what it asks, attempts, decides.

use super::{Cause, Change, Effects, Events, MOST_ARGUMENTS};
use crate::engine::board::Board;
use crate::engine::ids::{ChoiceId, DurationId, NodeId, Pc, Reg, RoutineId, RuleId, VerbId};
use crate::engine::program::Builtin;
use crate::engine::value::{ObjectId, Place, Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A branch of the flow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Branch {
    /// The branch that forked it.
    pub parent: Option<u16>,
    /// Its level (see [`Control::level`]).
    pub level: u16,
    /// How many branches it waits for.
    pub children: u16,
    /// Whose branch it is: the member of `for p in players`.
    pub own: Option<Player>,
    /// Its choices are made in the branches' order.
    pub in_order: bool,
    /// Something in it, or in its branches, was not carried out in full that an attempt around it demands.
    pub broke: bool,
    /// What it is doing.
    pub doing: Doing,
    /// Calls, outermost first.
    pub frames: Vec<Frame>,
    /// The registers of all frames.
    pub registers: Vec<Value>,
    /// The list arena.
    pub lists: Vec<Value>,
    /// Objects that actions were done to, for results.
    pub collected: Vec<Value>,
    /// Actions whose prohibitions and replacements are being decided: one for each frame of [`Role::Deciding`], in their order.
    pub deciding: Vec<Deciding>,
    /// Attempts that are open.
    pub attempts: Vec<Attempt>,
    /// Cards that an ability in progress shows.
    pub shown: Vec<Shown>,
    /// Stretches that it is in, outermost first.
    pub scopes: Vec<Scope>,
    /// What is to be carried out finally: of the stretches that it is in, and of those that have just ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finals: Vec<Final>,
    /// How the table was when the outermost `veiled` block around it began.
    pub veil: Option<Arc<Veil>>,
    /// How many such blocks it is in.
    pub veils: u16,
    /// Cards to which it has done something itself behind the veil.
    pub touched: Vec<ObjectId>,
    /// What it holds back itself. Of a branch beside which no other of its kind runs that is not kept: all that is held back is its own.
    pub withheld: Withheld,
}

/// How many blocks hold something back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Withheld {
    /// `judge together`: verdicts.
    pub judging: u16,
    /// `atomically`: immediate rules.
    pub holding: u16,
}

/// How the table was: what a choice behind a veil is made by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Veil {
    /// Cards and zones.
    pub board: Board,
    /// Continuous effects.
    pub effects: Effects,
}

/// A stretch of the flow with something around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// Its own number.
    pub number: u32,
    /// How many frames there were.
    pub frames: u16,
    /// How many attempts were open.
    pub attempts: u16,
    /// Who acted.
    pub you: Player,
    /// What that was laid to.
    pub cause: Cause,
    /// Whether instructions had to be done in full.
    pub lenient: bool,
    /// What was held back.
    pub withheld: Withheld,
    /// In how many `veiled` blocks.
    pub veils: u16,
    /// How many cards were shown.
    pub shown: u32,
    /// How many results had been collected.
    pub collected: u32,
    /// What is around it.
    pub kind: ScopeKind,
}

/// A block that is carried out when a stretch has ended, however it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Final {
    /// The number of the stretch; none where it has ended.
    pub scope: Option<u32>,
    /// The statement.
    pub pc: Pc,
    /// The block.
    pub body: RoutineId,
    /// What it takes with it.
    pub captures: Vec<Value>,
    /// Lists among that.
    pub lists: Vec<Value>,
    /// Who acted.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// What was done there was laid to that.
    pub cause: Cause,
}

/// What is around a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ScopeKind {
    /// A condition that ends it.
    Watch {
        /// The condition.
        condition: NodeId,
        /// Where the flow goes on.
        aborted: Pc,
    },
    /// Roles, and a duration that ends with it.
    During {
        /// The duration.
        duration: Option<DurationId>,
    },
    /// Nothing: when it ends something is carried out.
    Finally,
}

/// A card that is shown, where it lies, until the ability that does it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shown {
    /// The card.
    pub id: ObjectId,
    /// Where it was shown; elsewhere it is not.
    pub place: Place,
    /// To which players, a bit each.
    pub to: u8,
    /// No ability shows it: until the outermost action ends that does.
    pub by_action: bool,
}

/// What a branch is doing. It is asked for at every turn, so its tag is a byte of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Doing {
    /// It can run.
    #[default]
    Run,
    /// It has asked.
    Ask(Question),
    /// It is about to change something and waits for the others.
    Change(Change),
    /// It waits for its branches.
    Wait,
    /// It waits until the others have come as far.
    Meet,
    /// It has ended.
    Ended,
    /// It was about to take the top card of a zone whose last card another branch has taken in the same step: it does so when the immediate
    /// rules that this calls for have ended, before anybody goes on.
    Late(Change),
}

/// A question: who chooses, among what, how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Question {
    /// Who.
    pub player: Player,
    /// Which choice.
    pub choice: ChoiceId,
    /// The domain: a list in the branch's arena.
    pub start: u32,
    /// How many members it has.
    pub len: u16,
    /// At least.
    pub min: u16,
    /// At most.
    pub max: u16,
    /// The answer goes there.
    pub result: Reg,
    /// An answer that is not empty has the first so many members of the domain: effects demand them. In a choice with a joint condition:
    /// how many demands it obeys.
    pub must: u16,
    /// It may be answered now (others first otherwise).
    pub open: bool,
    /// The answer: a list in the branch's arena.
    pub answer: Option<(u32, u16)>,
    /// What follows the answer.
    pub then: Then,
    /// Where its answers come from.
    #[serde(default)]
    pub source: Source,
}

/// Where the answers to a question come from (see `engine/source.rs`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// The domain alone.
    #[default]
    Listed,
    /// The domain, and it is that of an offer whose ways to act can be drawn as well: nothing changes before it is answered.
    Drawable,
    /// The same, and the domain is still to be listed.
    Unlisted,
}

/// What follows an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Then {
    /// The picked values go into the register.
    Store {
        /// One value rather than a list.
        single: bool,
        /// How many would have been demanded: fewer is not done in full.
        demanded: u16,
    },
    /// On no the branch goes on there.
    May(Pc),
    /// On yes an attempt begins, on no the branch goes on there.
    Try(Pc),
    /// On yes that effect replaces the action of the top frame.
    Replace(u32),
    /// The picked one of the candidates of the top frame replaces its action.
    PickReplacement,
    /// Of the events of this step the picked one is replaced by that effect.
    PickEvent(u32),
    /// What is taken goes into the register; if nothing is, the branch goes on there.
    Offer(Pc),
    /// So often is repeated what has brought the position back; then comes the offer there.
    Repeat(Pc),
}

/// A call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// Which body.
    pub routine: RoutineId,
    /// The next statement.
    pub pc: Pc,
    /// Its first register.
    pub base: u32,
    /// The list arena's length when it began.
    pub lists: u32,
    /// Who acts.
    pub you: Player,
    /// The source object.
    pub this: Value,
    /// Why.
    pub cause: Cause,
    /// The last instruction was carried out in full.
    pub done: bool,
    /// Some instruction was not.
    pub failed: bool,
    /// Something of the last instruction was done; kept only where the program asks for it ([`crate::engine::program::Program::asks_part`]).
    pub part: bool,
    /// Something of some instruction was; kept in the same way.
    pub any: bool,
    /// A choice before the next instruction found fewer than were demanded.
    pub short: bool,
    /// Instructions need not be done in full although an attempt is open.
    pub lenient: bool,
    /// What is done here belongs to an event that was replaced and is not replaced again.
    pub replaced: bool,
    /// Where the caller wants the result.
    pub result: Reg,
    /// Where in `collected` its results begin, if the caller wants them.
    pub collects: Option<u32>,
    /// What it is the frame of.
    pub role: Role,
    /// What waits until the frame has ended, in a zone in which it stays so long.
    pub performs: Option<u32>,
}

impl Frame {
    /// The last instruction was not carried out, nor anything of it.
    pub fn nothing_done(&mut self) {
        (self.done, self.part) = (false, false);
    }
}

/// What a frame is the frame of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// A procedure, the flow.
    #[default]
    Plain,
    /// An action: its event is emitted at the end.
    Action(VerbId),
    /// An ability that is performed: what it shows is hidden again at the end; the length of `Branch::shown` when it began.
    Ability(u32),
    /// A slot of the waiting ability with this number is asked for: what it returns is the answer.
    Slot {
        /// The ability.
        number: u32,
        /// Which of its slots.
        at: u8,
    },
    /// A cost is paid.
    Payment,
    /// An immediate rule.
    Rule(RuleId, Player),
    /// An action whose prohibitions and replacements are being decided: see [`Branch::deciding`].
    Deciding,
    /// What is done instead, by the effect with this number; at its end the frame below is done.
    Instead(u32),
    /// What is carried out behind a stretch that has ended: whoever goes on behind it learns nothing of it.
    Finally,
}

/// An action before its body.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deciding {
    /// The verb.
    pub verb: VerbId,
    /// A builtin one.
    pub builtin: Option<Builtin>,
    /// Its arguments; for a builtin on a set the set's member that is decided now is in `members`.
    pub args: [Value; MOST_ARGUMENTS],
    /// Cards still to be decided (builtin verbs on sets).
    pub members: Vec<Value>,
    /// Cards that are neither forbidden nor replaced.
    pub kept: Vec<Value>,
    /// Replacements that were declined or taken.
    pub declined: Vec<u32>,
    /// Replacements among which somebody chooses now.
    pub candidates: Vec<u32>,
    /// An effect that would replace it and is over then: others may claim it, and it is said whose it is.
    pub claims: Option<u32>,
    /// It is this action's.
    pub granted: bool,
    /// It was replaced (the present member, for a builtin).
    pub was_replaced: bool,
    /// Something of it was forbidden.
    pub forbidden: bool,
    /// What was done instead was done.
    pub instead_done: bool,
    /// Something of it was.
    pub instead_part: bool,
}

/// An open attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attempt {
    /// How many frames there were.
    pub frames: u16,
    /// Where the flow goes on if it fails.
    pub otherwise: Pc,
    /// The board and effects as they were; none inside a branch of a lockstep, where what was done stays.
    pub before: Option<Arc<Before>>,
    /// The verdicts that had been raised before it: one raised inside is undone with it.
    pub verdicts: (u8, u8),
    /// What the frame in which it began was laid to.
    pub cause: Cause,
    /// Whether something had been done in that frame before.
    pub any: bool,
    /// Who acted.
    pub you: Player,
    /// Whether instructions had to be done in full.
    pub lenient: bool,
    /// What was held back, and in how many `veiled` blocks it began.
    pub inside: (Withheld, u16),
    /// How many results had been collected.
    pub collected: u32,
    /// How much was being shown.
    pub shown: u32,
    /// It is a trial: the machine only wants to know whether it can be done.
    pub trial: bool,
}

/// What an attempt goes back to: the board, effects, events.
pub type Before = (Board, Effects, Events);

/// Empties a list, and fills it with that one.
#[inline(always)] // with nothing to fill it with it is one store
fn refill<T: Clone>(list: &mut Vec<T>, with: Option<&Vec<T>>) {
    list.clear();
    if let Some(with) = with {
        list.extend_from_slice(with);
    }
}

impl Question {
    /// One of those members, nothing else demanded.
    #[must_use]
    pub fn for_one(player: Player, choice: ChoiceId, (start, len): (u32, u16), then: Then) -> Self {
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
        }
    }
}

impl Branch {
    /// Makes this a copy of another branch, keeping its memory.
    pub fn copy_from(&mut self, other: &Branch) {
        self.become_like(Some(other));
    }

    /// Makes this a branch like new, keeping its memory.
    pub fn reset(&mut self) {
        self.become_like(None);
    }

    /// Makes this a copy of another branch, or one like new, keeping its memory.
    #[inline(always)] // branches begin at every question: nothing is to be asked for each list
    fn become_like(&mut self, other: Option<&Branch>) {
        // All are named here, so that a new one is not forgotten.
        let Branch {
            parent,
            level,
            children,
            own,
            in_order,
            broke,
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
        } = self;
        let plain = other.map_or_else(Default::default, |o| (o.parent, o.level, o.children, o.own, o.in_order, o.broke, o.doing, o.veils));
        *withheld = other.map_or_else(Withheld::default, |other| other.withheld);
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
    }

    /// What it holds back itself, where that is kept.
    pub fn withheld_beside_others(&mut self) -> Option<&mut Withheld> {
        self.parent.is_some().then_some(&mut self.withheld)
    }

    /// Takes the top frame off, with what is decided in it.
    pub fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        if matches!(frame.role, Role::Deciding) {
            self.deciding.pop();
        }
        Some(frame)
    }

    /// What is being decided in the top frame.
    pub fn decided(&mut self) -> Option<&mut Deciding> {
        match self.frames.last() {
            Some(Frame { role: Role::Deciding, .. }) => self.deciding.last_mut(),
            _ => None,
        }
    }
}
