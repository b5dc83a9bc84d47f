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

mod clauses;
mod code;
mod moves;
mod nodes;
mod options;
mod slots;

pub use clauses::*;
pub use code::*;
pub use moves::*;
pub use nodes::*;
pub use options::*;
pub use slots::*;

use super::ids::{
    AbilityId, ArgsId, CardId, CauseId, ChoiceId, CitesId, ClauseId, DurationId, EnumId, EventFieldId, FieldId, GroupId, Id, KeywordId, KindId, MatchId, MomentId,
    NodeId, OptionId, PatternId, Pc, PhaseId, RoleId, RoutineId, RuleId, SlotId, StateId, Table, TextId, VerbId, ZoneId,
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
    /// Slots of abilities.
    pub slots: Table<SlotId, SlotDef>,
    /// Matches, one for each place that names one.
    pub matches: Table<MatchId, MatchDef>,
    /// The kind of abilities that wait for an event.
    pub automatic: KindId,
    /// Printed abilities.
    pub abilities: Table<AbilityId, AbilityDef>,
    /// Declared keywords: abilities with a name.
    pub keywords: Table<KeywordId, KeywordDef>,
    /// The layers in which effects apply, in order; none: all in the order in which they began.
    pub layers: Vec<NameDef>,
    /// Verbs; the builtin ones first, in the order of [`Builtin`].
    pub verbs: Table<VerbId, VerbDef>,
    /// Options of players.
    pub options: Table<OptionId, OptionDef>,
    /// Their groups.
    pub groups: Table<GroupId, NameDef>,
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
    /// When the effects of each duration begin.
    pub duration_kinds: Vec<DurationKind>,
    /// Moments.
    pub moments: Table<MomentId, NameDef>,
    /// What computed values do that is an event.
    pub value_events: Vec<ValueEventDef>,
    /// Declared causes.
    pub causes: Table<CauseId, NameDef>,
    /// What can be asked of events by name.
    pub event_fields: Table<EventFieldId, EventFieldDef>,
    /// Roles.
    pub roles: Table<RoleId, RoleDef>,
    /// Rules that watch.
    pub rules: Table<RuleId, RuleDef>,
    /// The rules that the flow applies, and how.
    pub rule_set: Option<RuleSetDef>,
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
    /// Card types, in order.
    pub card_types: Vec<String>,
    /// Something in the program needs [`super::board::Extra`].
    pub extras: bool,
    /// What moves keep.
    pub moves: Moves,
    /// What is read of cards whose life is over.
    pub late: Late,
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
    /// Who may know the cards that lie face down in it.
    pub down: Seen,
    /// Hard capacity: a move into a full zone is impossible.
    pub capacity: Option<u16>,
    /// Its places: values of this enum.
    pub places: Option<EnumId>,
    /// Hard capacity of each place.
    pub capacity_each: Option<u16>,
    /// What becomes of cards in it that are attached to one that leaves.
    pub follows: Follows,
    /// A card that goes to some player's zone of this kind goes to its owner's.
    pub redirects: bool,
    /// It holds abilities that wait, and no cards.
    pub abilities: bool,
    /// The rules beside its capacity.
    pub capacity_cites: CitesId,
}

/// What becomes of attached cards when the one that they are attached to leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Follows {
    /// They stay, attached to nothing.
    #[default]
    No,
    /// They go where it goes, in the same batch.
    Along,
    /// They go to this zone, in the same batch.
    To(ZoneId),
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
    Options,
    /// Of the verbs in that row of the compiler's; the first row: of any.
    Event(u16),
    Cause,
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
    /// Of which of [`Program::card_types`] it is.
    pub of: u8,
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

/// A keyword.
#[derive(Clone, Debug, Default)]
pub struct KeywordDef {
    /// Its name.
    pub name: NameDef,
    /// The abilities of a card that has it: first and how many.
    pub abilities: (AbilityId, u16),
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
    /// Uses are counted for this duration, not for a turn.
    pub per: Option<DurationId>,
    /// They are counted for each player, not for each card.
    pub each_player: bool,
    /// `costs: first`: in a lockstep every branch has paid what stands at its body's head before any goes on.
    pub costs_first: bool,
    /// The rules beside the slot `zones`.
    pub zones_cites: CitesId,
    /// The rules beside the slot `limit`.
    pub limit_cites: CitesId,
    /// The rules beside the slot `costs`.
    pub costs_cites: CitesId,
    /// Its other slots, in order, with what they hold where a card says nothing and the rules beside them.
    pub slots: Vec<(SlotId, Fill, CitesId)>,
    /// Cards of this type have an ability of the kind without its being printed.
    pub of: Option<u8>,
    /// The body of those.
    pub body: Option<RoutineId>,
}

/// An ability as printed.
#[derive(Clone, Debug)]
pub struct AbilityDef {
    /// Its kind.
    pub kind: KindId,
    /// The keyword that it came with.
    pub keyword: Option<KeywordId>,
    /// Where it works (a bit for each zone).
    pub zones: u64,
    /// `limit`.
    pub uses_per_turn: Option<i32>,
    /// Uses are counted for this duration, not for a turn.
    pub per: Option<DurationId>,
    /// They are counted for each player, not for each card.
    pub each_player: bool,
    /// What `perform` runs; none for a static ability.
    pub body: Option<RoutineId>,
    /// What holds while it is active: static, `when`, `instead`.
    pub clauses: Vec<ClauseId>,
    /// What is in the slots of its kind, in their order.
    pub fills: Vec<Fill>,
    /// Of a trigger: whether it hears of moves by what worked before or after, and reads the card so.
    pub looks: Option<Looks>,
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
    /// Doing it to nothing, or no times, is doing it, by these rules.
    pub done_with_nothing: Option<CitesId>,
    /// It is an option of players.
    pub option: Option<OptionId>,
}

/// The verbs that the engine carries out itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `move(what, to, face?, at?)`: cards to a zone; on top unless `at: bottom`. Pattern arguments: `what`, `to`, `from`, `was`
    /// (the card as it was before).
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
    /// `attach(what, to)`: cards to a card; those that were attached to another are no longer.
    Attach,
    /// `detach(what)`.
    Detach,
    /// `make(what, in, of?, owner?, face?, at?)`: a new object that is that card; `of`: what it stands for.
    Make,
    /// `become(what, like?)`: they are a copy of that card for the rest of their lives; without one they are themselves again.
    Become,
    /// `control(player, by)`: decides for a player from now on.
    Control,
    /// `coin()`: heads is true.
    Coin,
    /// `die(sides)`: from 1.
    Die,
    /// `pick(n, what)`: so many of them at random.
    Pick,
    /// A continuous effect has begun: whose card it is of, what it was begun for. It happens by itself.
    EffectBegins,
    /// A continuous effect has ended.
    EffectEnds,
}

impl Builtin {
    /// All, in the order of their numbers.
    pub const ALL: [Builtin; 19] = [
        Builtin::Move,
        Builtin::TurnUp,
        Builtin::TurnDown,
        Builtin::Shuffle,
        Builtin::Reveal,
        Builtin::Look,
        Builtin::Lose,
        Builtin::Win,
        Builtin::Order,
        Builtin::Attach,
        Builtin::Detach,
        Builtin::Make,
        Builtin::Become,
        Builtin::Control,
        Builtin::Coin,
        Builtin::Die,
        Builtin::Pick,
        Builtin::EffectBegins,
        Builtin::EffectEnds,
    ];

    /// It happens by itself: nobody performs it.
    #[must_use]
    pub fn happens(self) -> bool {
        matches!(self, Builtin::EffectBegins | Builtin::EffectEnds)
    }

    /// The arguments of an event that people are told of: that a card which moved is also the one that it was says nothing to them.
    #[must_use]
    pub fn told(verb: VerbId, args: &[Value]) -> &[Value] {
        let known = if verb == Builtin::Move.verb() { 5 } else { args.len() };
        args.get(..known).unwrap_or(args)
    }

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
            Builtin::Attach => "attach",
            Builtin::Detach => "detach",
            Builtin::Make => "make",
            Builtin::Become => "become",
            Builtin::Control => "control",
            Builtin::Coin => "coin",
            Builtin::Die => "die",
            Builtin::Pick => "pick",
            Builtin::EffectBegins => "effect_begins",
            Builtin::EffectEnds => "effect_ends",
        }
    }

    /// Names of the parameters, in order; those that only patterns see come last.
    #[must_use]
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            Builtin::Move => &["what", "to", "face", "at", "from", "was"],
            Builtin::TurnUp | Builtin::TurnDown | Builtin::Detach => &["what"],
            Builtin::Reveal => &["what", "until", "while"],
            Builtin::Shuffle => &["zone"],
            Builtin::Look => &["what", "by", "until", "while"],
            Builtin::Lose | Builtin::Win => &["player"],
            Builtin::Order => &["zone", "cards"],
            Builtin::Attach => &["what", "to"],
            Builtin::Make => &["what", "in", "of", "owner", "face", "at"],
            Builtin::Become => &["what", "like"],
            Builtin::Control => &["player", "by"],
            Builtin::Coin => &["result"],
            Builtin::Die => &["sides", "result"],
            Builtin::Pick => &["n", "what"],
            Builtin::EffectBegins | Builtin::EffectEnds => &["source", "on"],
        }
    }
}

/// A body.
#[derive(Clone, Debug, Default)]
pub struct RoutineDef {
    /// What it is the body of, for traces (`draw`, `card 13, ability 1`).
    pub name: NameDef,
    /// Its first statement.
    pub start: Pc,
    /// How many registers a frame has; at least the parameters.
    pub registers: u16,
    /// How many parameters.
    pub parameters: u16,
}

/// A choice.
#[derive(Clone, Debug)]
pub struct ChoiceDef {
    /// Its name: the declared one, else the local name. Its rules are the statement's, where that cites any.
    pub name: NameDef,
    /// The rules beside the declared choice.
    pub declared_cites: CitesId,
    /// `or none`: nothing that is demanded keeps the chooser from taking none.
    pub or_none: bool,
    /// Which declared choice it is; `u16::MAX`: none.
    pub declared: u16,
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
    /// Ways to act are offered: none taken is a pass.
    pub offer: bool,
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
    /// What it waits for, instead of a condition; the names that the pattern binds follow the player in the body's registers.
    pub event: Option<PatternId>,
    /// Zones that the condition reads (a bit for each declared zone).
    pub reads: u64,
    /// The body.
    pub body: RoutineId,
}

/// A role: a name for what takes part in something as long as it lasts.
#[derive(Clone, Debug)]
pub struct RoleDef {
    /// Its name.
    pub name: NameDef,
    /// What holds it.
    pub of: Type,
    /// Several can hold it.
    pub several: bool,
    /// What must be so, with the member bound; else it falls away.
    pub condition: NodeId,
}

/// The rules that the flow applies.
#[derive(Clone, Debug, Default)]
pub struct RuleSetDef {
    /// Its name.
    pub name: NameDef,
    /// Its rules, in order.
    pub order: Vec<RuleId>,
    /// All that apply run at the same time; else one after the other.
    pub together: bool,
    /// Where one of these applies, the others wait.
    pub first: Vec<RuleId>,
    /// They are looked at again until none applies.
    pub again: bool,
}

/// A phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseDef {
    /// Its name.
    pub name: NameDef,
    /// Its [`Op::Phase`] in the turn's routine: a position can begin there.
    pub start: Pc,
    /// What follows it.
    pub end: Pc,
}

/// Policies (docs/kernel.md, "Policies").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policies {
    /// An event that was replaced once is not replaced again; else each replacement at most once per event.
    pub one_replacement_in_all: bool,
    /// An optional replacement is offered only when something of it can be done.
    pub offer_replacement_only_if_possible: bool,
    /// How prices change.
    pub prices: Prices,
    /// A circle without a decision ends the game, drawn; else the run.
    pub mandatory_loop_is_drawn: bool,
    /// What a resolved clause on a set applies to.
    pub sets: SetPolicy,
    /// Who orders several replacements of one event (`NONE`: the affected player); its locals are the object, who does it, and the
    /// player affected.
    pub replacement_order: NodeId,
    /// A state trigger waits again only after it has been performed; else when its condition has been false in between.
    pub state_until_resolved: bool,
    /// A limit on triggered abilities counts when they begin to wait; else when they are performed.
    pub limit_at_trigger: bool,
    /// An ability that its card has lost while it waits is not performed.
    pub lost_are_dropped: bool,
    /// One whose card has left is not performed.
    pub left_are_dropped: bool,
    /// One that does nothing there is not performed.
    pub disabled_are_dropped: bool,
    /// The card of a trigger that somebody may not see is shown while the ability waits.
    pub hidden_are_shown: bool,
    /// Which triggers hear of a move where neither its row nor the trigger says.
    pub looks: Looks,
    /// Who chooses among cards that only they see cannot fail to find there.
    pub known_are_found: bool,
}

/// When effects of a duration begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DurationKind {
    /// At once.
    #[default]
    AtOnce,
    /// When the flow says so the next time.
    Later,
    /// At once, but only between the flow's `begin` and `expire`; never at another time.
    OnlyInside,
}

/// What a resolved clause that names a set (and no bound name) applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SetPolicy {
    /// What was in the set when it began.
    #[default]
    Locked,
    /// What is in the set.
    Live,
    /// What was in the set when it began and is in it now.
    LockedFallingOut,
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
        Self {
            one_replacement_in_all: false,
            offer_replacement_only_if_possible: true,
            sets: SetPolicy::Locked,
            replacement_order: NodeId::NONE,
            state_until_resolved: false,
            limit_at_trigger: false,
            lost_are_dropped: false,
            left_are_dropped: false,
            disabled_are_dropped: false,
            hidden_are_shown: false,
            looks: Looks::After,
            prices: Prices::default(),
            mandatory_loop_is_drawn: false,
            known_are_found: false,
        }
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
