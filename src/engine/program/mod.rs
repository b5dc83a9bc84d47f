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

mod cards;
mod choices;
mod clauses;
mod code;
mod grown;
mod moves;
mod nodes;
mod options;
mod policies;
mod slots;
mod table;
mod verbs;
mod zones;

pub use cards::*;
pub use choices::*;
pub use clauses::*;
pub use code::*;
pub use moves::*;
pub use nodes::*;
pub use options::*;
pub use policies::*;
pub use slots::*;
pub use table::*;
pub use verbs::*;
pub use zones::*;

use super::ids::{
    AbilityId, ArgsId, CardId, CauseId, ChoiceId, CitesId, ClauseId, DurationId, EnumId, EventFieldId, FieldId, GroupId, Id, KeywordId,
    KindId, MatchId, MomentId, NodeId, OptionId, PatternId, Pc, PhaseId, Reg, RoleId, RoutineId, RuleId, SlotId, StateId, Table, TextId,
    VerbId, ZoneId,
};
use super::shared::Shared;
use super::tally::Tally;
use super::value::{Place, Player, Value};
use std::sync::Arc;

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
    /// How many teams they are in, each of as many; 0: everybody for themselves.
    pub teams: u8,
    /// Partners sit side by side; else the teams alternate round the table.
    pub partners_together: bool,
    /// The rule that lets a player concede; nobody may when none.
    pub concede: Option<CitesId>,
    /// Every text: names, labels that are values, literals, symbols.
    pub texts: Shared<Table<TextId, String>>,
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
    /// What is printed of abilities that are a line of a card's text box; by their numbers.
    pub ability_texts: Vec<(AbilityId, TextId)>,
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
    /// The windows of timings, where `hear_again()` asks for what has come while they are open.
    pub windows: Vec<WindowDef>,
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
    /// Clauses of rules that are always in force.
    pub standing: Vec<(RuleId, ClauseId)>,
    /// Phases in the turn's order.
    pub phases: Table<PhaseId, PhaseDef>,
    /// Statements.
    pub code: Table<Pc, Op>,
    /// For each statement the rules it carries out.
    pub code_cites: Table<Pc, CitesId>,
    /// Conditions that have rules of their own, as a rule operands of `and` and `or`, in the order of their nodes.
    pub operands: Vec<(NodeId, CitesId)>,
    /// Statements in whose condition or value such a condition stands, in order.
    pub hinged: Vec<Pc>,
    /// For each statement how many registers of its routine mean something there; what stands in the others nobody reads again.
    pub in_use: Table<Pc, u16>,
    /// Expression nodes.
    pub nodes: Table<NodeId, Node>,
    /// Runs of nodes: `(first in arg_nodes, how many)`.
    pub args: Table<ArgsId, (u32, u16)>,
    /// The nodes of all runs. `NodeId::NONE`: not given.
    pub arg_nodes: Vec<NodeId>,
    /// Lists of rule numbers as printed; number 0 is the empty list.
    pub cites: Shared<Table<CitesId, Arc<[String]>>>,
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
    /// What every deck has to satisfy as a whole.
    pub deck_musts: Vec<DeckMustDef>,
    /// The field by which a card is known in decks (its number is always unique too).
    pub identity: Option<FieldId>,
    /// Declared policies, in the form the engine reads.
    pub policies: Policies,
    /// Card types, in order.
    pub card_types: Vec<String>,
    /// The field that says of which types a card is, in a game with several: effects change it like any other.
    pub type_field: Option<FieldId>,
    /// How the table is drawn.
    pub table: TableDef,
    /// Something in the program needs [`super::board::Extra`].
    pub extras: bool,
    /// The duration of what copies have otherwise than what they are copies of, where the rules or cards say such a thing.
    pub as_copy: Option<DurationId>,
    /// Some zone owns what lies in it: a card's owner changes, and may be nobody.
    pub owned: bool,
    /// Something asks whether an instruction was carried out in part.
    pub asks_part: bool,
    /// What moves keep.
    pub moves: Moves,
    /// What is read of cards whose life is over.
    pub late: Late,
    /// The rules of what the kernel does by itself, in the order of [`Principle`].
    pub principles: [CitesId; Principle::ALL.len()],
    /// What became of the conditions that are tallied.
    pub tally: Tally,
    /// How many nodes, from the first one on, it has in common with the program that its compiler went on from.
    pub common: usize,
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

impl Compare {
    /// How the comparison is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::LessEqual => "<=",
            Compare::Greater => ">",
            Compare::GreaterEqual => ">=",
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
    /// It asks whether the instruction before was done.
    pub reads_done: bool,
    /// Where it reads the card of an ability that has waited, as the event left it.
    pub after: Option<Reg>,
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
    /// What must be so, with the member bound; else it falls away, by these rules.
    pub conditions: Vec<(NodeId, CitesId)>,
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

impl Program {
    /// Which team a player is in; without teams everybody is one.
    #[must_use]
    #[inline]
    pub fn team_of(&self, player: Player) -> u8 {
        match self.teams {
            0 => player.0,
            teams if self.partners_together => player.0 / (self.players / teams).max(1),
            teams => player.0 % teams,
        }
    }

    /// The players of a player's team, in seat order.
    pub fn team(&self, player: Player) -> impl Iterator<Item = Player> + use<'_> {
        let team = self.team_of(player);
        (0..self.players).map(Player).filter(move |other| self.team_of(*other) == team)
    }

    /// The seats of a player's team, a bit each.
    #[must_use]
    pub fn team_bits(&self, player: Player) -> u8 {
        self.team(player).fold(0, |all, player| all | player.bit())
    }

    /// The player with whom what a whole team holds is kept: the first seat of the team.
    #[must_use]
    #[inline]
    pub fn captain(&self, player: Player) -> Player {
        match self.teams {
            0 => player,
            teams if self.partners_together => Player(self.team_of(player) * (self.players / teams).max(1)),
            _ => Player(self.team_of(player)),
        }
    }

    /// With which player a state of players is kept that is read of this one.
    #[must_use]
    pub fn holder(&self, state: StateId, player: Player) -> Player {
        if self.states.get(state).is_some_and(|state| state.of_team) { self.captain(player) } else { player }
    }

    /// Of which card types a card of the pool is printed.
    #[must_use]
    pub fn types_of(&self, card: CardId) -> &[u8] {
        self.cards.get(card).map_or(&[], |card| &card.types)
    }

    /// Whose a card is once it lies in a place: the place's player's, or nobody's, where the zone owns its cards; else whose it was.
    #[must_use]
    #[inline]
    pub fn owner_in(&self, place: Place, owner: Player) -> Player {
        if !self.owned {
            return owner;
        }
        let (zone, whose) = super::board::zone_of(self, place);
        if self.zones.get(zone).is_some_and(|zone| zone.owns) { whose.unwrap_or(Player::NOBODY) } else { owner }
    }

    /// The zone of the same name that is the owner's; the place itself where that is nobody.
    #[must_use]
    pub fn place_of_owner(&self, place: Place, owner: Player) -> Place {
        let zone = super::board::zone_of(self, place).0;
        if owner == Player::NOBODY { place } else { super::board::place_of(self, zone, owner) }
    }

    /// Whether a number is that of a seat, or of nobody where cards may be nobody's.
    #[must_use]
    pub fn is_owner(&self, player: Player) -> bool {
        player.0 < self.players || self.owned && player == Player::NOBODY
    }

    /// The nodes of a run.
    #[must_use]
    #[inline]
    pub fn args_of(&self, args: ArgsId) -> &[NodeId] {
        let Some(&(first, len)) = self.args.get(args) else { return &[] };
        self.arg_nodes.get(first as usize..first as usize + usize::from(len)).unwrap_or(&[])
    }

    /// The number of a condition that has rules of its own.
    #[must_use]
    pub fn operand(&self, node: NodeId) -> Option<usize> {
        self.operands.binary_search_by_key(&node, |(operand, _)| *operand).ok()
    }

    /// Whether a body asks how the instruction before went.
    #[must_use]
    #[inline]
    pub fn asks_done(&self, routine: RoutineId) -> bool {
        self.routines.get(routine).is_none_or(|routine| routine.reads_done)
    }

    /// The rules that a game gives a principle.
    #[must_use]
    pub fn principle(&self, principle: Principle) -> CitesId {
        self.principles.get(principle as usize).copied().unwrap_or_default()
    }

    /// A list of rules; none where there is no such list.
    #[must_use]
    pub fn rules_beside(&self, list: CitesId) -> &[String] {
        self.cites.get(list).map(AsRef::as_ref).unwrap_or_default()
    }

    /// The rules of a decision: those of the statement that asks, else those of its declaration.
    #[must_use]
    pub fn rules_of_decision(&self, choice: super::ids::ChoiceId, statement: CitesId) -> CitesId {
        if choice == super::ids::ChoiceId::REPLACEMENT {
            return self.principle(Principle::ReplacementOrder);
        }
        if statement.0 != 0 { statement } else { self.choices.get(choice).map_or(statement, |choice| choice.name.cites) }
    }

    /// A card's printed value of a field.
    #[must_use]
    #[inline]
    pub fn printed_value(&self, card: CardId, field: FieldId) -> Value {
        self.printed.get(card.index() * self.fields.len() + field.index()).copied().unwrap_or_default()
    }
}
