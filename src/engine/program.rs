//! The compiled form of a game: immutable, flat, shared by every machine that plays it.
//!
//! Statements are coarse fixed-size operations in one array (`code`); expressions are trees in another (`nodes`, children
//! before parents), evaluated without a frame. Everything named is a dense number. Deliberately absent: source text,
//! spans (they are in the compiler's `SourceMap`, by `Pc` and by number), and anything that changes during a game.
//!
//! Conventions that the compiler keeps (INVARIANT program-shape):
//! - A routine's frame has `registers` registers; its parameters are the first ones.
//! - The frame also holds `you` (the acting player), `this` (the source object), the cause, and `done` (whether the last
//!   action, `may` or `attempt` was carried out in full).
//! - The body of a clause (`when`, `instead`) and of a put-by block has as its first registers the captures, in order, then
//!   the names that the pattern binds, in order. Expressions inside a clause read them as `Local` in the same numbering.
//! - `Bound(n)` is the n-th binder around an expression inside that expression (`where`, `some`, `all`, functions).

use super::ids::{
    AbilityId, ArgsId, CardId, ChoiceId, CitesId, ClauseId, DurationId, EnumId, FieldId, Id, KindId, MomentId, NodeId, PatternId, Pc,
    PhaseId, Reg, RoutineId, RuleId, StateId, Table, TextId, VerbId, ZoneId,
};
use super::value::Value;
use serde::{Deserialize, Serialize};

/// A compiled game with its card pool.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The game's name.
    pub name: String,
    /// The game's printed label.
    pub label: String,
    /// A hash of all sources: a save or replay names it.
    pub hash: u64,
    /// How many players.
    pub players: u8,
    /// The rule that lets a player concede; nobody may when none.
    pub concede: Option<CitesId>,
    /// Every text: names, labels that are values, literals, symbols.
    pub texts: Table<TextId, String>,
    /// The printed labels of symbols where they differ from their names.
    pub enums: Table<EnumId, EnumDef>,
    /// Declared zones.
    pub zones: Table<ZoneId, ZoneDef>,
    /// Declared fields of cards.
    pub fields: Table<FieldId, FieldDef>,
    /// States of cards and players, pools of players.
    pub states: Table<StateId, StateDef>,
    /// The card pool.
    pub cards: Table<CardId, CardDef>,
    /// `cards × fields`: the printed values, row by row. Sets are lists into `printed_sets`.
    pub printed: Vec<Value>,
    /// Members of printed sets.
    pub printed_sets: Vec<Value>,
    /// Kinds of ability.
    pub kinds: Table<KindId, KindDef>,
    /// The kind of abilities that wait for an event.
    pub automatic: KindId,
    /// Printed abilities.
    pub abilities: Table<AbilityId, AbilityDef>,
    /// Verbs; the builtin ones first, in the order of [`Builtin`].
    pub verbs: Table<VerbId, VerbDef>,
    /// Bodies.
    pub routines: Table<RoutineId, RoutineDef>,
    /// Clauses.
    pub clauses: Table<ClauseId, ClauseDef>,
    /// Event patterns.
    pub patterns: Table<PatternId, PatternDef>,
    /// Choices.
    pub choices: Table<ChoiceId, ChoiceDef>,
    /// Durations.
    pub durations: Table<DurationId, NameDef>,
    /// Moments.
    pub moments: Table<MomentId, NameDef>,
    /// Rules that watch.
    pub rules: Table<RuleId, RuleDef>,
    /// Phases in the turn's order.
    pub phases: Table<PhaseId, PhaseDef>,
    /// Statements.
    pub code: Table<Pc, Op>,
    /// For each statement the rules it carries out.
    pub code_cites: Table<Pc, CitesId>,
    /// Expression nodes.
    pub nodes: Table<NodeId, Node>,
    /// Runs of nodes: `(first in arg_nodes, how many)`.
    pub args: Table<ArgsId, (u32, u16)>,
    /// The nodes of all runs. `NodeId::NONE`: not given.
    pub arg_nodes: Vec<NodeId>,
    /// Lists of rule numbers as printed; number 0 is the empty list.
    pub cites: Table<CitesId, Vec<String>>,
    /// Run before the first turn.
    pub setup: Option<RoutineId>,
    /// One turn; the machine runs it again and again.
    pub turn: Option<RoutineId>,
    /// `judgement(losing, winning)`: what follows when verdicts are judged.
    pub judgement: Option<RoutineId>,
    /// The zone in which the cards of a deck begin.
    pub deck_zone: Option<ZoneId>,
    /// What a deck must satisfy.
    pub deck_check: Vec<DeckLimitDef>,
    /// The field by which a card is known in decks (its number is always unique too).
    pub identity: Option<FieldId>,
    /// Declared policies, in the form the engine reads.
    pub policies: Policies,
    /// The rules of what the kernel does by itself, in the order of [`Principle`].
    pub principles: [CitesId; Principle::ALL.len()],
}

/// A declared name with its label.
#[derive(Clone, Debug, Default)]
pub struct NameDef {
    /// The name.
    pub name: String,
    /// The printed label; the name where there is none.
    pub label: String,
    /// The rules beside it.
    pub cites: CitesId,
}

/// An enum's values.
#[derive(Clone, Debug, Default)]
pub struct EnumDef {
    /// The enum.
    pub name: NameDef,
    /// Its values in order.
    pub values: Vec<NameDef>,
}

/// A zone.
#[derive(Clone, Debug, Default)]
pub struct ZoneDef {
    /// Its name.
    pub name: NameDef,
    /// Each player has one; else it is shared.
    pub each_player: bool,
    /// Its order means something, and nobody changes it.
    pub ordered: bool,
    /// Who may know the cards in it.
    pub seen: Seen,
    /// Cards in it are face up or down; else all are as `seen` says.
    pub has_faces: bool,
    /// Hard capacity: a move into a full zone is impossible.
    pub capacity: Option<u16>,
    /// A card that leaves it is a new object.
    pub renews: bool,
    /// The rules beside its capacity.
    pub capacity_cites: CitesId,
    /// The rules beside `renews`.
    pub renews_cites: CitesId,
}

/// Who may know the cards in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Seen {
    /// All players.
    #[default]
    ByAll,
    /// Its owner.
    ByOwner,
    /// Nobody.
    ByNobody,
}

/// A type as the compiler fixed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the types of docs/language.md")]
pub enum Type {
    Bool,
    Number,
    Player,
    Card,
    Zone,
    Ability,
    Enum(EnumId),
    Symbol,
    Text,
    CatalogueCard,
    Unknown,
}

/// A field of cards.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: NameDef,
    /// Its type, or its members' type.
    pub of: Type,
    /// It is a set.
    pub set: bool,
    /// `reads at least n`.
    pub at_least: Option<i32>,
    /// The rules beside that.
    pub at_least_cites: CitesId,
    /// Computed from this node with `this` as the card; not printed.
    pub derived: Option<NodeId>,
}

/// A state or a pool.
#[derive(Clone, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: NameDef,
    /// On players; else on cards, where it ends with the card's life.
    pub on_players: bool,
    /// Its type.
    pub of: Type,
    /// What it is at first.
    pub initial: Value,
    /// `at least n`.
    pub at_least: Option<i32>,
}

/// A card of the pool.
#[derive(Clone, Debug, Default)]
pub struct CardDef {
    /// Its number: unique in the pool.
    pub number: String,
    /// Its printed name.
    pub name: TextId,
    /// Its abilities: first and how many, in printed order.
    pub abilities: (AbilityId, u16),
    /// Something is printed in its text box that is an effect.
    pub has_effect: bool,
    /// What it changes in the deck check.
    pub deck_limits: Vec<DeckLimitDef>,
    /// The printed text as a person reads it, with the story.
    pub text: String,
}

/// A limit of the deck check.
#[derive(Clone, Debug)]
pub struct DeckLimitDef {
    /// `size`, or `copies by` a field (none: by number).
    pub what: DeckMeasure,
    /// The comparison.
    pub op: Compare,
    /// The bound.
    pub bound: i32,
    /// The rules.
    pub cites: CitesId,
}

/// What a deck limit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum DeckMeasure {
    Size,
    Copies(Option<FieldId>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A kind of ability.
#[derive(Clone, Debug, Default)]
pub struct KindDef {
    /// Its name.
    pub name: NameDef,
    /// Default of `zones`: where it works (a bit for each zone).
    pub zones: u64,
    /// Default of `limit: uses per turn`.
    pub uses_per_turn: Option<i32>,
    /// `costs: first`: in a lockstep every branch has paid what stands at its body's head before any goes on.
    pub costs_first: bool,
    /// The rules beside the slot `zones`.
    pub zones_cites: CitesId,
    /// The rules beside the slot `limit`.
    pub limit_cites: CitesId,
    /// The rules beside the slot `costs`.
    pub costs_cites: CitesId,
}

/// An ability as printed.
#[derive(Clone, Debug)]
pub struct AbilityDef {
    /// Its kind.
    pub kind: KindId,
    /// The card.
    pub card: CardId,
    /// Where it works (a bit for each zone).
    pub zones: u64,
    /// `limit`.
    pub uses_per_turn: Option<i32>,
    /// What `perform` runs; none for a static ability.
    pub body: Option<RoutineId>,
    /// What holds while it is active: static, `when`, `instead`.
    pub clauses: Vec<ClauseId>,
    /// The rules beside it.
    pub cites: CitesId,
}

/// A verb.
#[derive(Clone, Debug)]
pub struct VerbDef {
    /// Its name.
    pub name: NameDef,
    /// Its parameters' names, in order (for builtin ones as in [`Builtin::parameters`]).
    pub parameters: Vec<String>,
    /// The parameter that is the player who does it, if there is one.
    pub actor: Option<u8>,
    /// Its body; none for a builtin.
    pub body: Option<RoutineId>,
    /// Some `happened` or `latest` in the program asks for it, so its events are kept.
    pub recorded: bool,
    /// Some clause of the program matches it (else nobody can ever watch it).
    pub watched: bool,
}

/// The verbs that the engine carries out itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `move(what, to, face?, at?)`: cards to a zone; on top unless `at: bottom`. Pattern arguments: `what`, `to`, `from`.
    Move,
    /// `turn_up(what)`.
    TurnUp,
    /// `turn_down(what)`.
    TurnDown,
    /// `shuffle(zone)`.
    Shuffle,
    /// `reveal(what)`: to all players, until the ability or action that does it ends.
    Reveal,
    /// `look(what, by)`: to one player.
    Look,
    /// `lose(player)`: a verdict, judged when the flow says.
    Lose,
    /// `win(player)`: a verdict.
    Win,
    /// `order(zone, cards)`: puts the named cards on top of the ordered zone in the given order (first = top).
    Order,
}

impl Builtin {
    /// All, in the order of their numbers.
    pub const ALL: [Builtin; 9] = [
        Builtin::Move,
        Builtin::TurnUp,
        Builtin::TurnDown,
        Builtin::Shuffle,
        Builtin::Reveal,
        Builtin::Look,
        Builtin::Lose,
        Builtin::Win,
        Builtin::Order,
    ];

    /// Its verb.
    #[must_use]
    pub fn verb(self) -> VerbId {
        VerbId(self as u16)
    }

    /// The name in the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Move => "move",
            Builtin::TurnUp => "turn_up",
            Builtin::TurnDown => "turn_down",
            Builtin::Shuffle => "shuffle",
            Builtin::Reveal => "reveal",
            Builtin::Look => "look",
            Builtin::Lose => "lose",
            Builtin::Win => "win",
            Builtin::Order => "order",
        }
    }

    /// Names of the parameters, in order; those that only patterns see come last.
    #[must_use]
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Builtin::Move => &["what", "to", "face", "at", "from"],
            Builtin::TurnUp | Builtin::TurnDown | Builtin::Reveal => &["what"],
            Builtin::Shuffle => &["zone"],
            Builtin::Look => &["what", "by"],
            Builtin::Lose | Builtin::Win => &["player"],
            Builtin::Order => &["zone", "cards"],
        }
    }
}

/// A body.
#[derive(Clone, Debug, Default)]
pub struct RoutineDef {
    /// What it is the body of, for traces (`draw`, `KC-013/1`).
    pub name: NameDef,
    /// Its first statement.
    pub start: Pc,
    /// How many registers a frame has; at least the parameters.
    pub registers: u16,
    /// How many parameters.
    pub parameters: u16,
}

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
    /// Inside an attempt: instructions need not be done in full until the matching end.
    Lenient(bool),
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
    /// `atomically {`.
    Hold,
    /// `}`.
    HoldEnd,
    /// `acting as p {`: `you` is p until the matching end; the old one is kept in the register.
    ActAs { player: NodeId, saved: Reg },
    /// `}`.
    ActEnd { saved: Reg },
    /// A continuous effect begins: one clause, for a duration. Its captures are copied from the current frame.
    Install { clause: ClauseId, duration: DurationId },
    /// Effects of that duration end.
    Expire(DurationId),
    /// An ability is put by until a moment; its captures are copied from the registers listed in the routine's captures.
    PutBy { moment: MomentId, body: RoutineId, captures: ArgsId },
    /// `perform a`: an ability of a card, or a waiting one (which is then no longer waiting).
    PerformAbility(NodeId),
    /// Waiting abilities are dropped.
    Drop(NodeId),
    /// A branch waits here until every other has come to such a place or has ended; outside of a lockstep nothing.
    Meet,
    /// An event without a body.
    Emit { verb: VerbId, args: ArgsId },
    /// History since here has a name.
    Mark(TextId),
    /// A phase begins (trace, views).
    Phase(PhaseId),
    /// A turn begins: the number goes up, use counters are cleared.
    TurnBegins,
    /// The game is over: this player has won (`NONE`: a draw). Only in the judgement.
    Finish(NodeId),
    /// An immediate rule's body, a clause's body or an ability's body ends; same as returning nothing.
    End,
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of a node are explained with it")]
pub enum Node {
    /// A constant (never a list).
    Const(Value),
    /// A register.
    Local(Reg),
    /// A binder around this expression, from the outermost.
    Bound(u8),
    /// The acting player.
    You,
    /// The source object.
    This,
    /// Whether the last action, `may` or `attempt` was carried out in full.
    Done,
    /// The number of the turn.
    Turn,
    /// `not`.
    Not(NodeId),
    /// Both.
    And(NodeId, NodeId),
    /// Either.
    Or(NodeId, NodeId),
    /// `-x`.
    Negate(NodeId),
    /// Arithmetic.
    Arithmetic(Arithmetic, NodeId, NodeId),
    /// Comparison of scalars; with an undefined side false.
    Compare(Compare, NodeId, NodeId),
    /// `if`; the third is the node after the second in `args`.
    If(NodeId, ArgsId),
    /// A binder with a value, for a function's argument: binds `Bound(depth)` to the first, gives the second.
    With { value: NodeId, body: NodeId },
    /// Membership.
    In(NodeId, NodeId),
    /// A field of a card as it is now.
    Field(NodeId, FieldId),
    /// A field as printed.
    Printed(NodeId, FieldId),
    /// A set-valued field contains the value.
    FieldHas(NodeId, FieldId, NodeId),
    /// A state of a card or player.
    State(NodeId, StateId),
    /// A card's owner.
    Owner(NodeId),
    /// A card's controller; of an ability its controller.
    Controller(NodeId),
    /// An ability's source card.
    Source(NodeId),
    /// The zone that a card is in.
    ZoneOf(NodeId),
    /// The card is face up.
    FaceUp(NodeId),
    /// An effect is printed on the card (not a story).
    HasEffect(NodeId),
    /// The card's printed name, or as changed.
    CardName(NodeId),
    /// The card of the pool that it is.
    CardOf(NodeId),
    /// The card is an instance of that card of the pool.
    IsCard(NodeId, CardId),
    /// An ability (printed or waiting) is of that kind.
    IsKind(NodeId, KindId),
    /// A waiting ability is put by until that moment.
    IsMoment(NodeId, MomentId),
    /// A text contains another.
    TextContains(NodeId, NodeId),
    /// A player's zone (`NodeId::NONE`: the shared one): usable as place and as set.
    Zone(ZoneId, NodeId),
    /// How many.
    Count(NodeId),
    /// None.
    IsEmpty(NodeId),
    /// At least one member, bound at the next depth, satisfies the condition.
    Some(NodeId, NodeId),
    /// Every member does.
    All(NodeId, NodeId),
    /// The only member of a set of at most one; undefined when empty.
    Only(NodeId),
    /// The top (`true`) or bottom card of a zone; undefined when empty.
    End(bool, NodeId),
    /// The top or bottom n cards, top first: a set.
    Ends(bool, NodeId, NodeId),
    /// Members that satisfy the condition.
    Where(NodeId, NodeId),
    /// Members of the first that are not in the second.
    Except(NodeId, NodeId),
    /// Members of both.
    Union(NodeId, NodeId),
    /// A list; members that are undefined are left out.
    List(ArgsId),
    /// Every card in every player's zone of that kind.
    ZoneOfAll(ZoneId),
    /// All players in seat order.
    Players,
    /// The other of two players.
    Opponent(NodeId),
    /// The player next in seat order.
    NextPlayer(NodeId),
    /// All other players.
    Opponents(NodeId),
    /// Every value of an enum.
    EnumValues(EnumId),
    /// A card's abilities in printed order.
    Abilities(NodeId),
    /// Abilities that wait.
    Pending,
    /// It is not undefined.
    Exists(NodeId),
    /// Such an event is in history since the mark (`TextId(u32::MAX)`: since the beginning).
    Happened(PatternId, TextId),
    /// The verb with these arguments would be neither forbidden nor impossible.
    Can(VerbId, ArgsId),
    /// That player may know that card.
    Sees(NodeId, NodeId),
    /// A verdict of losing has been raised on that player.
    Losing(NodeId),
    /// A verdict of winning.
    Winning(NodeId),
    /// A text is a card's name (scenarios): member of the set with that name or number, undefined when there is none.
    Named(NodeId, TextId),
    /// The smaller or larger.
    Least(NodeId, NodeId),
    /// The larger.
    Greatest(NodeId, NodeId),
}

/// Arithmetic; overflow is a rules error with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct ClauseDef {
    /// What it does.
    pub kind: ClauseKind,
    /// It holds only while this is true (`NONE`: always). Read without the clause's own contribution.
    pub condition: NodeId,
    /// Registers of the installing frame that the clause reads, copied when it begins (none for a static one).
    pub captures: Vec<Reg>,
    /// The rules beside it.
    pub cites: CitesId,
}

/// What a clause does.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// Changes fields of the cards of a set. A resolved effect takes the set and the amounts when it begins.
    Modify {
        /// The cards.
        what: NodeId,
        /// The fields.
        changes: Vec<ChangeDef>,
    },
    /// Abilities of the set do nothing.
    Disable(NodeId),
    /// Matching actions are not performed.
    Forbid(PatternId),
    /// Instead of a matching action the body runs.
    Instead {
        /// What is replaced.
        pattern: PatternId,
        /// Asked first (`may p { … }` was the whole body): the yes-or-no choice.
        optional: Option<ChoiceId>,
        /// What is done instead.
        body: RoutineId,
    },
    /// After a matching action an ability waits.
    When {
        /// What is waited for.
        pattern: PatternId,
        /// What it does.
        body: RoutineId,
    },
}

/// A change of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeDef {
    /// The field.
    pub field: FieldId,
    /// How.
    pub op: ChangeKind,
    /// By what.
    pub value: NodeId,
}

/// How a change changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum ChangeKind {
    SetPrinted,
    Set,
    Add,
    Subtract,
    Multiply,
}

/// An event pattern.
#[derive(Clone, Debug)]
pub struct PatternDef {
    /// Any of these.
    pub events: Vec<EventDef>,
    /// And this (`NONE`: always); the bound names are registers after the captures.
    pub condition: NodeId,
    /// How many names are bound.
    pub binds: u16,
}

/// A verb with the values its arguments must have.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// The verb.
    pub verb: VerbId,
    /// Position of the argument and what it must be.
    pub args: Vec<(u8, ArgMatch)>,
    /// What caused it.
    pub cause: Option<CauseMatch>,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArgMatch {
    /// Anything; bound to the n-th bound name.
    Bind(u16),
    /// This value (a set or zone: a member, or for a zone argument that very zone).
    Is(NodeId),
    /// A zone of that declaration, anybody's.
    AnyZone(ZoneId),
}

/// What must have caused an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CauseMatch {
    /// An effect (an ability that is performed).
    Effect,
    /// A rule.
    Rule,
    /// An effect of that card or of a card of that player.
    Of(NodeId),
}

/// A choice.
#[derive(Clone, Debug)]
pub struct ChoiceDef {
    /// Its name: the declared one, else the local name. Its rules are the statement's, where that cites any.
    pub name: NameDef,
    /// The rules beside the declared choice.
    pub declared_cites: CitesId,
    /// Who chooses.
    pub by: NodeId,
    /// Among what (yes-or-no choices: none).
    pub domain: NodeId,
    /// At least.
    pub min: AmountDef,
    /// At most.
    pub max: AmountDef,
    /// One object rather than a list goes into the register.
    pub single: bool,
    /// Yes or no.
    pub yes_no: bool,
    /// How.
    pub manner: MannerDef,
    /// The chooser may fail to find: the domain was narrowed by a card's properties in a zone that others cannot see.
    pub may_fail: bool,
}

/// A bound of a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum AmountDef {
    Fixed(u16),
    Node(NodeId),
    All,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "see the language's words")]
pub enum MannerDef {
    Openly,
    Secretly,
    Blindly,
    Ranked,
}

/// A rule that watches.
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its name.
    pub name: NameDef,
    /// One instance for each player; the player is the body's first register and `Local(0)` in the condition.
    pub each_player: bool,
    /// `immediately`.
    pub immediately: bool,
    /// The condition; `becomes`: it was false before the change and is true after it.
    pub condition: NodeId,
    /// See `condition`.
    pub becomes: bool,
    /// Zones that the condition reads (a bit for each declared zone).
    pub reads: u64,
    /// The body.
    pub body: RoutineId,
}

/// A phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseDef {
    /// Its name.
    pub name: NameDef,
    /// Its [`Op::Phase`] in the turn's routine: a position can begin there.
    pub start: Pc,
}

/// Policies (docs/kernel.md, "Policies").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policies {
    /// An event that was replaced once is not replaced again; else each replacement at most once per event.
    pub one_replacement_in_all: bool,
    /// An optional replacement is offered only when something of it can be done.
    pub offer_replacement_only_if_possible: bool,
}

/// What the kernel does by itself and a rulebook states in its own words: a game gives each its rules, so that the steps that
/// obey it are traced with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principle {
    /// What cannot be done is left out; of an amount as much as can be is done.
    Impossible,
    /// What is so already is not made so again.
    Already,
    /// What is to be done no time, or fewer times than that, is not done.
    NoTimes,
    /// What an effect forbids is not done, whoever says to do it.
    Forbidden,
    /// An effect forbids or replaces what a rule does: it prevails.
    OverRules,
    /// What was replaced once is not replaced again.
    ReplacedOnce,
    /// A part of what an effect does is replaced by itself; the rest goes on.
    ReplacedWithin,
    /// Revealed cards are hidden again when the effect ends.
    Revealed,
    /// Cards that are looked at are seen by the one player only, and lie where they lie.
    Looked,
}

impl Principle {
    /// All, in the order of their numbers.
    pub const ALL: [Principle; 9] = [
        Principle::Impossible,
        Principle::Already,
        Principle::NoTimes,
        Principle::Forbidden,
        Principle::OverRules,
        Principle::ReplacedOnce,
        Principle::ReplacedWithin,
        Principle::Revealed,
        Principle::Looked,
    ];
}

impl Default for Policies {
    fn default() -> Self {
        Self { one_replacement_in_all: false, offer_replacement_only_if_possible: true }
    }
}

impl Program {
    /// The nodes of a run.
    #[must_use]
    #[inline]
    pub fn args_of(&self, args: ArgsId) -> &[NodeId] {
        let Some(&(first, len)) = self.args.get(args) else { return &[] };
        self.arg_nodes.get(first as usize..first as usize + usize::from(len)).unwrap_or(&[])
    }

    /// The rules that a game gives a principle.
    #[must_use]
    pub fn principle(&self, principle: Principle) -> CitesId {
        self.principles.get(principle as usize).copied().unwrap_or_default()
    }

    /// A card's printed value of a field.
    #[must_use]
    #[inline]
    pub fn printed_value(&self, card: CardId, field: FieldId) -> Value {
        self.printed.get(card.index() * self.fields.len() + field.index()).copied().unwrap_or_default()
    }
}
