//! The state of a game: everything that changes, as plain data. Cloned, compared, hashed, saved and restored at every decision.
//!
//! Five parts: the board, continuous effects, events (history and what waits), control (branches with their frames,
//! registers and lists, open questions, verdicts) and what attempts would undo. No closures, nothing shared, nothing borrowed.

use super::board::Board;
use super::ids::{
    AbilityId, CauseId, ChoiceId, ClauseId, DurationId, KindId, MomentId, NodeId, OptionId, Pc, Reg, RoleId, RoutineId, RuleId, TextId, VerbId,
};
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
    /// The same of coins (a truth), dice (a number) and picks (a card): the next one of its kind gives this.
    pub fixed_draws: Vec<Value>,
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
    /// How many in force give control of cards.
    pub controlling: u16,
    /// How many in force strip abilities.
    pub stripping: u16,
    /// How many in force grant abilities.
    pub granting: u16,
    /// How many in force shield cards from others.
    pub shielding: u16,
    /// How many in force have a fact taken for true.
    pub assuming: u16,
    /// How many in force demand something in a choice.
    pub requiring: u16,
    /// In a game with layers: what the effects in force do to cards, part by part, in the order in which it applies.
    pub order: Vec<Part>,
    /// What the extents of all parts were read from (bits of `lane::spot`).
    pub looks: u64,
    /// Abilities that effects give cards now.
    pub granted: Vec<GrantedAbility>,
    /// How many in force wait for a condition to become true.
    pub awaiting: u16,
    /// Effects of durations that have not begun.
    pub later: Vec<Effect>,
    /// Beginnings and ends are events in this game.
    pub tells: bool,
    /// Those that have begun and of which nobody has been told yet.
    pub begun: Vec<u32>,
    /// Those that have ended and of which nobody has been told yet.
    pub ended: Vec<Effect>,
    /// Durations that have begun and are not over, of those outside of which their effects never begin.
    pub open: Vec<DurationId>,
}

/// A part of an effect that applies in one layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The layer.
    pub layer: u8,
    /// The effect's timestamp.
    pub timestamp: u32,
    /// The effect.
    pub effect: u32,
    /// Which of its changes; 0 for one that is no change of fields.
    pub change: u16,
    /// What it applies to; none until it has been looked at.
    pub extent: Option<Extent>,
}

/// What a part of an effect applies to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Extent {
    /// The cards, or the abilities that are disabled, sorted; none where it does not count.
    pub members: Vec<Value>,
    /// By how much it changes them.
    pub amount: Value,
    /// What this was read from (bits of `lane::spot`).
    pub reads: u64,
}

/// An ability that an effect gives a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrantedAbility {
    /// The effect.
    pub by: u32,
    /// The ability.
    pub ability: AbilityId,
    /// The card.
    pub to: Value,
    /// It works where the card lies: its clauses are in force.
    pub works: bool,
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
    /// The condition that it waits for was true when it was last looked at (and, where that counts, is not yet resolved).
    pub was: bool,
}

/// Why an effect holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Holds {
    /// A static ability: while its card is where the ability works.
    Static(AbilityId),
    /// Resolved: until the flow says that the duration ends.
    Lasting(DurationId),
    /// Of an ability that an effect (by its number) gives the card, as long as it does.
    Granted(AbilityId, u32),
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
    /// What rules that wait for events have heard and not yet run for, oldest first.
    pub heard: Vec<RuleEvent>,
    /// Who holds which role, outermost first.
    pub held: Vec<Held>,
    /// The number of the next one.
    pub next: u32,
    /// Which clauses of which cards have let an ability wait since a mark, for events that do so only once.
    pub once: Vec<(TextId, ClauseId, Value)>,
    /// Of each event of a value: what the values were when they were last looked at.
    pub values: Vec<Vec<(Value, Value)>>,
    /// Uses of abilities with a limit, and of those without.
    pub uses: Vec<Used>,
}

impl Events {
    /// The ability that waits with that number.
    #[must_use]
    pub fn waiting(&self, number: u32) -> Option<&Pending> {
        let at = self.pending.binary_search_by_key(&number, |pending| pending.number).ok()?;
        self.pending.get(at)
    }

    /// Adds to history, as long as there is room; where it is then.
    pub fn keep(&mut self, event: Event) -> Option<u32> {
        let at = self.history.len();
        if at >= super::limits::HISTORY {
            return None;
        }
        self.history.push(event);
        Some(at as u32)
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
    /// What is due for an ability of that card is paid.
    Cost {
        /// The card.
        source: Value,
        /// Who pays.
        you: Player,
    },
    /// A cause that the game declares.
    Declared {
        /// Which.
        cause: CauseId,
        /// The card that it is of; undefined: of none.
        of: Value,
        /// Whose.
        you: Player,
    },
    /// It was laid to something that there is not.
    Unknown,
}

/// An ability that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pending {
    /// Its own number.
    pub number: u32,
    /// Triggered: of this kind, by this clause. Put by: until this moment.
    pub waits: Waits,
    /// The ability that was triggered or announced, in which its slots are filled; none of a resolved effect and of what was put by.
    pub ability: Option<AbilityId>,
    /// What it does.
    pub body: RoutineId,
    /// The card it comes from, as it was.
    pub source: Value,
    /// Whose it is.
    pub you: Player,
    /// The first registers of its body.
    pub captures: Vec<Value>,
    /// The zone that it waits in.
    pub place: Option<Place>,
    /// When it came there: greater is later.
    pub entered: u32,
    /// What has been asked for and determined, slot by slot: the registers after the captures. Of a cost the amounts of its parts.
    pub slots: Vec<Value>,
    /// Its other sources.
    pub also: Vec<Value>,
    /// The event that let it wait, by its place in history, where the program asks for such.
    pub event: Option<u32>,
    /// Lists among all these.
    pub lists: Vec<Value>,
}

/// How often an ability has been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Used {
    /// Which ability of which card's life; where uses are counted for players, of no card in particular.
    pub ability: Value,
    /// By whom, where uses are counted for players.
    pub whose: Option<Player>,
    /// They are counted until this duration ends; else until the turn does.
    pub until: Option<DurationId>,
    /// How often.
    pub count: u16,
}

/// A role that is held.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Held {
    /// In which stretch.
    pub scope: u32,
    /// Which.
    pub role: RoleId,
    /// By whom.
    pub members: Vec<Value>,
}

/// Something that a rule has heard.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RuleEvent {
    /// Which rule.
    pub rule: RuleId,
    /// Whose instance.
    pub player: Player,
    /// The first registers of its body.
    pub captures: Vec<Value>,
}

/// Why it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "see Pending::waits")]
pub enum Waits {
    Triggered(KindId, ClauseId),
    PutBy(MomentId),
    Announced(KindId),
    Declared(OptionId),
}

/// Where the game is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Control {
    /// The flow is branch 0; the others are branches of `simultaneously` and of immediate rules. One is taken out while it runs,
    /// which moves a pointer.
    pub branches: Vec<Box<Branch>>,
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
    /// What has been tried in the present position and came to nothing.
    pub idle: Option<Box<Idle>>,
    /// Rules in state form that run now.
    pub running: Vec<(RuleId, Player)>,
}

/// What has been tried in one position and is not tried there again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Idle {
    /// The position: board and effects.
    pub board: Board,
    /// See `board`.
    pub effects: Effects,
    /// Rules in state form that have run.
    pub rules: Vec<(RuleId, Player)>,
    /// Options that were taken and failed: whose, which, with what.
    pub plays: Vec<(Player, OptionId, [Value; MOST_ARGUMENTS])>,
}

/// What the machine is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
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
    /// More ways to act in one offer than there may be.
    Plays,
    /// The flow goes round in a circle without a decision.
    Loop,
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
    /// Actions whose prohibitions and replacements are being decided: one for each frame of [`Role::Deciding`], in their order.
    pub deciding: Vec<Deciding>,
    /// Attempts that are open.
    pub attempts: Vec<Attempt>,
    /// Cards that an ability in progress shows.
    pub shown: Vec<Shown>,
    /// Stretches that it is in, outermost first.
    pub scopes: Vec<Scope>,
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
    /// How deep in `judge together`.
    pub judging: u16,
    /// How deep in `atomically`.
    pub holding: u16,
    /// How many cards were shown.
    pub shown: u32,
    /// How many results had been collected.
    pub collected: u32,
    /// What is around it.
    pub kind: ScopeKind,
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
    /// An answer that is not empty has the first so many members of the domain: effects demand them.
    pub must: u16,
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
    /// What is taken goes into the register; if nothing is, the branch goes on there.
    Offer(Pc),
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
    /// A card moves.
    MoveCard {
        /// The card, in the life that is meant.
        card: Value,
        /// To.
        to: Place,
        /// Which way it lies then.
        face: FaceChange,
        /// At the bottom.
        bottom: bool,
        /// In which place of the zone.
        slot: u8,
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
        /// In which place of the zone.
        slot: u8,
        /// Where the moved objects go.
        result: Reg,
    },
    /// Cards are attached to a card, or (undefined) to nothing.
    Attach {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// To which.
        host: Value,
    },
    /// An object is made.
    Make {
        /// Which card it is.
        card: super::ids::CardId,
        /// Whose.
        owner: Player,
        /// Where.
        to: Place,
        /// In which place of the zone.
        slot: u8,
        /// Which way it lies.
        face: FaceChange,
        /// What it stands for.
        original: Value,
        /// Where the made object goes.
        result: Reg,
    },
    /// Cards become copies of a card, or (none) themselves again.
    Become {
        /// The list.
        start: u32,
        /// How many.
        len: u16,
        /// Of which.
        card: Option<super::ids::CardId>,
    },
    /// Somebody decides for a player from now on.
    Control {
        /// The player.
        player: Player,
        /// Who.
        by: Player,
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
        /// How long; else as long as what shows them goes on.
        until: Option<Until>,
    },
    /// Effects end.
    Expire(DurationId),
    /// A duration begins or is over.
    Open(DurationId, bool),
}

/// How long cards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Until {
    /// Until a duration ends.
    Ends(DurationId),
    /// While the ability with this number waits, and is performed.
    Waits(u32),
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
    /// What the frame in which it began was laid to.
    pub cause: Cause,
    /// It is a trial: the machine only wants to know whether it can be done.
    pub trial: bool,
}

impl State {
    /// Makes this a copy of another state, keeping its memory and that of branches which are spare.
    pub fn copy_from(&mut self, other: &State, spare: &mut Vec<Box<Branch>>) {
        self.board.copy_from(&other.board);
        self.effects.copy_from(&other.effects);
        self.events.copy_from(&other.events);
        self.generator = other.generator.clone();
        self.fixed_shuffles.clone_from(&other.fixed_shuffles);
        self.fixed_draws.clone_from(&other.fixed_draws);
        let mut branches = std::mem::take(&mut self.control.branches);
        spare.append(&mut branches);
        for branch in &other.control.branches {
            let mut copy = spare.pop().unwrap_or_default();
            copy.copy_from(branch);
            branches.push(copy);
        }
        let Control { level, judging, holding, losing, winning, judged, status, dirty, steps, ref idle, ref running, branches: _ } =
            other.control;
        let (idle, running) = (idle.clone(), running.clone());
        self.control = Control { branches, level, judging, holding, losing, winning, judged, status, dirty, steps, idle, running };
    }
}

impl Effects {
    fn copy_from(&mut self, other: &Effects) {
        let Effects { in_force, next, now, watching, modifying, order, granted, .. } = other;
        self.in_force.clone_from(in_force);
        self.watching.clone_from(watching);
        self.modifying.clone_from(modifying);
        self.order.clone_from(order);
        self.granted.clone_from(granted);
        (self.next, self.now, self.looks) = (*next, *now, other.looks);
        (self.disabling, self.stripping, self.granting) = (other.disabling, other.stripping, other.granting);
        self.controlling = other.controlling;
        self.awaiting = other.awaiting;
        self.later.clone_from(&other.later);
        self.open.clone_from(&other.open);
        self.tells = other.tells;
        self.begun.clone_from(&other.begun);
        self.ended.clone_from(&other.ended);
        (self.shielding, self.assuming, self.requiring) = (other.shielding, other.assuming, other.requiring);
    }
}

impl Events {
    fn copy_from(&mut self, other: &Events) {
        let Events { history, lists, marks, pending, heard, held, next, uses, once, values } = other;
        self.values.clone_from(values);
        self.once.clone_from(once);
        self.history.clone_from(history);
        self.lists.clone_from(lists);
        self.marks.clone_from(marks);
        self.pending.clone_from(pending);
        self.heard.clone_from(heard);
        self.held.clone_from(held);
        self.uses.clone_from(uses);
        self.next = *next;
    }
}

impl Branch {
    fn copy_from(&mut self, other: &Branch) {
        let Branch {
            parent,
            level,
            children,
            own,
            in_order,
            doing,
            frames,
            registers,
            lists,
            collected,
            deciding,
            attempts,
            shown,
            scopes,
        } = other;
        (self.parent, self.level, self.children, self.own) = (*parent, *level, *children, *own);
        (self.in_order, self.doing) = (*in_order, *doing);
        self.frames.clone_from(frames);
        self.registers.clone_from(registers);
        self.lists.clone_from(lists);
        self.collected.clone_from(collected);
        self.deciding.clone_from(deciding);
        self.attempts.clone_from(attempts);
        self.shown.clone_from(shown);
        self.scopes.clone_from(scopes);
    }

    /// Makes this a branch like new, keeping its memory.
    pub fn reset(&mut self) {
        let Branch {
            parent,
            level,
            children,
            own,
            in_order,
            doing,
            frames,
            registers,
            lists,
            collected,
            deciding,
            attempts,
            shown,
            scopes,
        } = self;
        (*parent, *level, *children, *own, *in_order, *doing) = (None, 0, 0, None, false, Doing::Run);
        frames.clear();
        registers.clear();
        lists.clear();
        collected.clear();
        deciding.clear();
        attempts.clear();
        shown.clear();
        scopes.clear();
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
