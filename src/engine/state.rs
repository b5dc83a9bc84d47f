//! The state of a game: everything that changes, as plain data. Cloned, compared, hashed, saved and restored at every decision.
//!
//! Five parts: the board, continuous effects, events (history and what waits), control (branches with their frames,
//! registers and lists, open questions, verdicts) and what attempts would undo. No closures, nothing shared, nothing borrowed.

use super::board::Board;
use super::ids::{AbilityId, ChoiceId, ClauseId, DurationId, KindId, MomentId, Pc, Reg, RoutineId, RuleId, TextId, VerbId};
use super::program::{Builtin, FaceWord};
use super::random::Generator;
use super::value::{Place, Player, Value};
use serde::{Deserialize, Serialize};

/// Everything that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Cards and zones.
    pub board: Board,
    /// Continuous effects.
    pub effects: Effects,
    /// History and what waits.
    pub events: Events,
    /// Where the game is.
    pub control: Control,
    /// Chance.
    pub generator: Generator,
    /// Random results laid down beforehand (scenarios): the next shuffle of a place gives this order, top first.
    pub fixed_shuffles: Vec<(Place, Vec<super::value::ObjectId>)>,
}

impl std::hash::Hash for State {
    /// The generator is left out: it has no hash, and equal states have equal hashes without it.
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        self.effects.hash(hasher);
        self.events.hash(hasher);
        self.control.hash(hasher);
    }
}

/// Continuous effects in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Effects {
    /// In the order in which they began.
    pub in_force: Vec<Effect>,
    /// The number of the next one.
    pub next: u32,
    /// The timestamp of effects that begin now: one for each batch.
    pub now: u32,
    /// How many in force watch each verb (forbid, instead, when).
    pub watching: Vec<u16>,
    /// How many in force change each field.
    pub modifying: Vec<u16>,
    /// How many in force disable abilities.
    pub disabling: u16,
}

/// A clause in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Effect {
    /// Its own number.
    pub number: u32,
    /// When it began: effects of one batch have the same.
    pub timestamp: u32,
    /// What it does.
    pub clause: ClauseId,
    /// The card it comes from, as it was.
    pub source: Value,
    /// Whose it is.
    pub you: Player,
    /// Why it holds.
    pub holds: Holds,
    /// What its clause captured when it began.
    pub captures: Vec<Value>,
    /// Lists among the captures.
    pub lists: Vec<Value>,
    /// What a resolved `modify` or `disable` applies to, taken when it began.
    pub targets: Option<Vec<Value>>,
    /// The values of its changes, taken when it began.
    pub amounts: Vec<Value>,
}

/// Why an effect holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Holds {
    /// A static ability: while its card is where the ability works.
    Static(AbilityId),
    /// Resolved: until the flow says that the duration ends.
    Lasting(DurationId),
}

/// What happened and what waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Events {
    /// Events of recorded verbs.
    pub history: Vec<Event>,
    /// Members of lists among the arguments of history.
    pub lists: Vec<Value>,
    /// Named places in history.
    pub marks: Vec<(TextId, u32)>,
    /// Abilities that wait, oldest first.
    pub pending: Vec<Pending>,
    /// The number of the next one.
    pub next: u32,
    /// Uses this turn: which ability of which card's life, how often.
    pub uses: Vec<(Value, u16)>,
}

impl Events {
    /// Adds to history, as long as there is room.
    pub fn keep(&mut self, event: Event) {
        if self.history.len() < super::limits::HISTORY {
            self.history.push(event);
        }
    }
}

/// How many arguments an event can have.
pub const MOST_ARGUMENTS: usize = 6;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// What was done.
    pub verb: VerbId,
    /// With what.
    pub args: [Value; MOST_ARGUMENTS],
    /// Why.
    pub cause: Cause,
}

/// What caused an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cause {
    /// The flow or a rule.
    #[default]
    Rule,
    /// An ability of that card (as it was), whose player is `you`.
    Effect {
        /// The card.
        source: Value,
        /// Whose effect.
        you: Player,
    },
}

/// An ability that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pending {
    /// Its own number.
    pub number: u32,
    /// Triggered: of this kind, by this clause. Put by: until this moment.
    pub waits: Waits,
    /// What it does.
    pub body: RoutineId,
    /// The card it comes from, as it was.
    pub source: Value,
    /// Whose it is.
    pub you: Player,
    /// The first registers of its body.
    pub captures: Vec<Value>,
    /// Lists among them.
    pub lists: Vec<Value>,
}

/// Why it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "see Pending::waits")]
pub enum Waits {
    Triggered(KindId, ClauseId),
    PutBy(MomentId),
}

/// Where the game is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Control {
    /// The flow is branch 0; the others are branches of `simultaneously` and of immediate rules.
    pub branches: Vec<Branch>,
    /// Only branches of the highest level run; immediate rules in the middle of something are one level higher.
    pub level: u16,
    /// How deep in `judge together`.
    pub judging: u16,
    /// How deep in `atomically`.
    pub holding: u16,
    /// Verdicts of losing, a bit for each player.
    pub losing: u8,
    /// Verdicts of winning.
    pub winning: u8,
    /// The judgement has begun: verdicts are no longer raised.
    pub judged: bool,
    /// What the machine is doing.
    pub status: Status,
    /// Places whose cards changed since immediate rules were looked at, a bit each (modulo 64).
    pub dirty: u64,
    /// Statements carried out since the last decision.
    pub steps: u32,
}

/// What the machine is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// Nothing yet.
    #[default]
    New,
    /// It can go on.
    Running,
    /// It waits for answers.
    Asking,
    /// The game is over.
    Over(Outcome),
    /// A rules error ended it.
    Failed(Failure),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Outcome {
    Won(Player),
    Drawn,
}

/// Why a run could not go on; a defect of the rules, not of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Failure {
    /// What.
    pub kind: FailureKind,
    /// At which statement.
    pub at: Pc,
}

/// The kinds of rules error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// More statements between two decisions than the budget allows.
    Budget,
    /// A number outside of 32 bits.
    Overflow,
    /// Calls nested too deeply.
    Depth,
    /// The flow ended without a result.
    NoResult,
    /// Two branches take from one ordered zone without an owner and no order is declared.
    Order,
}

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
    /// Attempts that are open.
    pub attempts: Vec<Attempt>,
    /// Cards that an ability in progress shows.
    pub shown: Vec<Shown>,
}

/// A card that is shown, where it lies, until the ability that does it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shown {
    /// The card.
    pub id: super::value::ObjectId,
    /// Where it was shown; elsewhere it is not.
    pub place: Place,
    /// To which players, a bit each.
    pub to: u8,
}

/// What a branch is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// It may be answered now (others first otherwise).
    pub open: bool,
    /// The answer: a list in the branch's arena.
    pub answer: Option<(u32, u16)>,
    /// What follows the answer.
    pub then: Then,
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
}

/// A change that is prepared: its arguments are known, its prohibitions and replacements decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// The top card of a place moves.
    MoveTop {
        /// From.
        from: Place,
        /// To.
        to: Place,
        /// Which way it lies then.
        face: FaceChange,
        /// Where the moved object goes.
        result: Reg,
    },
    /// Cards of a list of the branch move.
    Move {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To.
        to: Place,
        /// Which way they lie then.
        face: FaceChange,
        /// At the bottom.
        bottom: bool,
        /// Where the moved objects go.
        result: Reg,
    },
    /// Cards are turned.
    Turn {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// Up.
        up: bool,
    },
    /// A place is put into random order.
    Shuffle(Place),
    /// A state is set.
    SetState {
        /// The card or player.
        subject: Value,
        /// Which.
        state: super::ids::StateId,
        /// To.
        value: Value,
    },
    /// A continuous effect begins.
    Install(ClauseId, DurationId),
    /// Cards are put on top of an ordered place in this order, first on top.
    Order {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// The place.
        place: Place,
    },
    /// Cards are shown.
    Show {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To which players, a bit each.
        to: u8,
        /// The verb: `reveal`, or `look` by one player.
        by: Option<Player>,
    },
    /// Effects end.
    Expire(DurationId),
}

/// Which way a card lies after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum FaceChange {
    #[default]
    AsZone,
    Up,
    Down,
}

impl From<FaceWord> for FaceChange {
    fn from(word: FaceWord) -> Self {
        match word {
            FaceWord::AsZone => FaceChange::AsZone,
            FaceWord::Up => FaceChange::Up,
            FaceWord::Down => FaceChange::Down,
        }
    }
}

/// A call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
}

/// What a frame is the frame of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    /// A procedure, the flow.
    #[default]
    Plain,
    /// An action: its event is emitted at the end.
    Action(VerbId),
    /// An ability that is performed: what it shows is hidden again at the end; the length of `Branch::shown` when it began.
    Ability(u32),
    /// An immediate rule.
    Rule(RuleId, Player),
    /// An action whose prohibitions and replacements are being decided.
    Deciding(Box<Deciding>),
    /// What is done instead, by the effect with this number; at its end the frame below is done.
    Instead(u32),
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
    /// It was replaced (the present member, for a builtin).
    pub was_replaced: bool,
    /// Something of it was forbidden.
    pub forbidden: bool,
    /// What was done instead was done.
    pub instead_done: bool,
}

/// An open attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attempt {
    /// How many frames there were.
    pub frames: u16,
    /// Where the flow goes on if it fails.
    pub otherwise: Pc,
    /// The board and effects as they were; none inside a branch of a lockstep, where what was done stays.
    pub before: Option<Box<(Board, Effects, Events)>>,
    /// The verdicts that had been raised before it: one raised inside is undone with it.
    pub verdicts: (u8, u8),
    /// It is a trial: the machine only wants to know whether it can be done.
    pub trial: bool,
}

impl Branch {
    /// Makes this a branch like new, keeping its memory.
    pub fn reset(&mut self) {
        let Branch { parent, level, children, own, in_order, doing, frames, registers, lists, collected, attempts, shown } = self;
        (*parent, *level, *children, *own, *in_order, *doing) = (None, 0, 0, None, false, Doing::Run);
        frames.clear();
        registers.clear();
        lists.clear();
        collected.clear();
        attempts.clear();
        shown.clear();
    }
}
