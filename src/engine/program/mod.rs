//! The program: the compiled form of a game, with its cards. A program never changes; all machines that play the game share it.
//!
//! `compile/` builds a [`Program`], and the other files of `engine/` read it. Everything with a name has a number, and tables are indexed
//! by these numbers (`engine/ids.rs`). Statements are operations of fixed size in one array (`code`). Expressions are trees in another
//! array (`nodes`), children before parents. A program holds no source text, no places in sources (the compiler's `SourceMap` has them),
//! and nothing that changes during a game.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | `Program`, and definitions of rules, roles, routines, phases and enums |
//! | `code.rs` | statements (`Op`) |
//! | `nodes.rs` | nodes of expressions (`Node`) |
//! | `facts.rs` | the table over nodes: children, and what each node itself reads |
//! | `cards.rs` | types, fields, states, cards, keywords, abilities, limits for decks |
//! | `zones.rs` | zones |
//! | `moves.rs` | what cards keep when they move |
//! | `verbs.rs` | verbs, builtin and declared |
//! | `options.rs` | options of players |
//! | `choices.rs` | choices |
//! | `clauses.rs` | clauses of continuous effects, event patterns, causes |
//! | `slots.rs` | slots, costs, prices, matches |
//! | `policies.rs` | policies, durations, principles |
//! | `table.rs` | how the table is drawn |
//! | `tally.rs` | which conditions were looked at, for the audit |
//! | `grown.rs` | programs that extend another program |
//!
//! What the compiler guarantees (INVARIANT program-shape):
//! - The frame of a routine has `registers` registers. The parameters are the first ones.
//! - The frame also holds `you` (the acting player), `this` (the source object), the cause, and `done` (whether the last action, `may` or
//!   `attempt` was carried out in full).
//! - A clause (`when`, `instead`) and a block that is put by have a body. The first registers of the body are the captures in order, then
//!   the names that the pattern binds in order. Expressions in a clause read them as `Local` with the same numbers.
//! - `Bound(n)` is the n-th binder (`where`, `some`, `all`, a function) around the node, counted from the outermost binder of the whole
//!   expression.

mod cards;
mod choices;
mod clauses;
mod code;
mod facts;
mod grown;
mod moves;
mod nodes;
mod options;
mod policies;
mod slots;
mod table;
pub mod tally;
mod verbs;
mod zones;

pub use cards::*;
pub use choices::*;
pub use clauses::*;
pub use code::*;
pub use facts::*;
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
use super::plan::Reads;
use super::value::{Place, Player, Value};
use crate::fault::listed;
use crate::program::tally::Tally;
use crate::state::shared::Shared;
use std::sync::Arc;

/// A compiled game with its cards.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The game's name.
    pub name: String,
    /// The game's printed label.
    pub label: String,
    /// A hash of all sources. A save and a recorded game name it.
    pub hash: u64,
    /// The number of players.
    pub players: u8,
    /// The number of teams, all of equal size; 0: no teams.
    pub teams: u8,
    /// Whether partners sit side by side. Otherwise the teams alternate around the table.
    pub partners_together: bool,
    /// The rules by which a player may concede. `None`: nobody may.
    pub concede: Option<CitesId>,
    /// All texts: names, labels that are values, literals, symbols.
    pub texts: Shared<Table<TextId, String>>,
    /// The enums with their values and labels.
    pub enums: Table<EnumId, EnumDef>,
    /// Declared zones.
    pub zones: Table<ZoneId, ZoneDef>,
    /// Declared fields of cards.
    pub fields: Table<FieldId, FieldDef>,
    /// States of cards and players, pools of players.
    pub states: Table<StateId, StateDef>,
    /// The card pool.
    pub cards: Table<CardId, CardDef>,
    /// The printed values of fields: one row for each card, one value for each field. A set is a list in `printed_sets`.
    pub printed: Vec<Value>,
    /// The members of printed sets.
    pub printed_sets: Vec<Value>,
    /// The printed lines of abilities that are a line of a card's text box, sorted by ability.
    pub ability_texts: Vec<AbilityText>,
    /// Kinds of ability.
    pub kinds: Table<KindId, KindDef>,
    /// Slots of abilities.
    pub slots: Table<SlotId, SlotDef>,
    /// Matches, one for each place in the sources that names one.
    pub matches: Table<MatchId, MatchDef>,
    /// The kind of abilities that wait for an event.
    pub automatic: KindId,
    /// The slot `needs_source`. If it is true for an ability, the lasting effects that the ability begins end with the ability.
    pub needs_source: Option<SlotId>,
    /// All abilities: of cards, keywords, and those that effects grant.
    pub abilities: Table<AbilityId, AbilityDef>,
    /// Declared keywords: abilities with a name.
    pub keywords: Table<KeywordId, KeywordDef>,
    /// The layers of effects in order. Empty: effects apply in the order in which they began.
    pub layers: Vec<NameDef>,
    /// Verbs; the builtin ones first, in the order of [`Builtin`].
    pub verbs: Table<VerbId, VerbDef>,
    /// Options of players.
    pub options: Table<OptionId, OptionDef>,
    /// The groups of options.
    pub groups: Table<GroupId, NameDef>,
    /// Routines: the bodies of actions, procedures, rules, abilities and phases.
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
    /// Events that happen when computed values change.
    pub value_events: Vec<ValueEventDef>,
    /// The windows of timings in which `hear_again()` can be asked.
    pub windows: Vec<WindowDef>,
    /// Declared causes.
    pub causes: Table<CauseId, NameDef>,
    /// The named fields of events.
    pub event_fields: Table<EventFieldId, EventFieldDef>,
    /// Roles.
    pub roles: Table<RoleId, RoleDef>,
    /// Rules that watch.
    pub rules: Table<RuleId, RuleDef>,
    /// The rules that the flow applies, and how it applies them.
    pub rule_set: Option<RuleSetDef>,
    /// The clauses of rules; they are always in force.
    pub standing: Vec<(RuleId, ClauseId)>,
    /// The phases in the order of the turn.
    pub phases: Table<PhaseId, PhaseDef>,
    /// Statements.
    pub code: Table<Pc, Op>,
    /// For each statement the rules that it cites.
    pub code_cites: Table<Pc, CitesId>,
    /// For each statement the rules of the nearest statement that cites any: the statement itself, or one around it in its body.
    pub around: Table<Pc, CitesId>,
    /// Conditions that cite rules of their own (usually operands of `and` and `or`), sorted by node.
    pub operands: Vec<(NodeId, CitesId)>,
    /// Statements whose condition or value contains a condition of `operands`, sorted.
    pub with_operands: Vec<Pc>,
    /// For each statement how many registers of its routine are in use there. Nobody reads the other registers any more.
    pub in_use: Table<Pc, u16>,
    /// Nodes of expressions.
    pub nodes: Table<NodeId, Node>,
    /// Argument lists: the index of the first node in `arg_nodes`, and the number of nodes.
    pub args: Table<ArgsId, (u32, u16)>,
    /// The nodes of all argument lists. `NodeId::NONE`: an argument that is not given.
    pub arg_nodes: Vec<NodeId>,
    /// Lists of rule numbers as printed. List 0 is empty.
    pub cites: Shared<Table<CitesId, Arc<[String]>>>,
    /// The routine before the first turn.
    pub setup: Option<RoutineId>,
    /// The routine of one turn. The machine runs it again and again.
    pub turn: Option<RoutineId>,
    /// The routine `judgement(losing, winning)`, which runs when verdicts are judged.
    pub judgement: Option<RoutineId>,
    /// The zone in which the cards of a deck lie at the beginning.
    pub deck_zone: Option<ZoneId>,
    /// The limits that a deck must keep.
    pub deck_check: Vec<DeckLimitDef>,
    /// The conditions that every deck must satisfy as a whole.
    pub deck_musts: Vec<DeckMustDef>,
    /// The field that identifies a card in decks. (The number of a card identifies it too.)
    pub identity: Option<FieldId>,
    /// The declared policies.
    pub policies: Policies,
    /// Card types, in order.
    pub card_types: Vec<String>,
    /// In a game with several card types: the field that holds the types of a card. Effects change it like other fields.
    pub type_field: Option<FieldId>,
    /// How the table is drawn.
    pub table: TableDef,
    /// Whether objects need [`crate::state::board::Extra`].
    pub extras: bool,
    /// The duration of the changes that a copy has beside the copied card, if some text makes such copies.
    pub as_copy: Option<DurationId>,
    /// Whether some zone owns its cards. Then the owner of a card can change, and can be nobody.
    pub owned: bool,
    /// Whether the player of some zone controls its cards. Then a move can change the controller of a card.
    pub controlled: bool,
    /// Whether something asks if an instruction was carried out in part.
    pub asks_part: bool,
    /// Whether it is noted if an instruction was done in part: the program asks for it, or has an action `replaced as_not_done`.
    pub notes_part: bool,
    /// What cards keep when they move.
    pub moves: Moves,
    /// What the program may read of cards whose life has ended.
    pub gone: GoneReads,
    /// What each declared choice says of its special cases, in the order of [`ChoiceDef::declared`].
    pub choice_cases: Vec<ChoiceCases>,
    /// The names of choices, each with the words that a pass means there. Only choices with `pass = …`.
    pub pass_words: Vec<(String, String)>,
    /// The rules that the principles cite, in the order of [`Principle`].
    pub principles: [CitesId; Principle::ALL.len()],
    /// For the audit: whether the conditions of the nodes [`Node::Tallied`] were looked at, and whether they were false at least once.
    pub tally: Tally,
    /// How many nodes, from the first one on, are common with the program that this one extends.
    pub common: usize,
}

/// A declared name with its label.
#[derive(Clone, Debug, Default)]
pub struct NameDef {
    /// The name.
    pub name: String,
    /// The printed label; if there is none, the name.
    pub label: String,
    /// The rules that the declaration cites.
    pub cites: CitesId,
}

impl NameDef {
    /// Whether players have a word for it: a label, or a name that is no identifier of Latin letters.
    #[must_use]
    pub fn is_labelled(&self) -> bool {
        self.label != self.name || !self.name.is_ascii()
    }
}

/// An enum with its values.
#[derive(Clone, Debug, Default)]
pub struct EnumDef {
    /// The name of the enum.
    pub name: NameDef,
    /// The values in order.
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
    /// The comparison with its sides exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Compare::Less => Compare::Greater,
            Compare::LessEqual => Compare::GreaterEqual,
            Compare::Greater => Compare::Less,
            Compare::GreaterEqual => Compare::LessEqual,
            same => same,
        }
    }

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

/// A routine: a body with its registers.
#[derive(Clone, Debug, Default)]
pub struct RoutineDef {
    /// What the routine is the body of, for traces (`draw`, `card 13, ability 1`).
    pub name: NameDef,
    /// Its first statement.
    pub start: Pc,
    /// The number of registers of a frame, parameters included.
    pub registers: u16,
    /// The number of parameters.
    pub parameters: u16,
    /// Whether it reads `done` or `partly_done`.
    pub reads_done: bool,
    /// For the body of a waiting ability: the register of `this_after`, if the body reads it.
    pub after: Option<Reg>,
    /// For such a body: the register of `this_before`, if the body reads it.
    pub before: Option<Reg>,
}

/// A rule that watches.
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its name.
    pub name: NameDef,
    /// Whether each player has an instance of the rule. Then the player is the first register of the body and `Local(0)` in the condition.
    pub each_player: bool,
    /// Whether the rule is immediate: it runs by itself as soon as it is due.
    pub immediately: bool,
    /// The condition. With `becomes` the rule is due when the condition was false before a change and is true after it.
    pub condition: NodeId,
    /// See `condition`.
    pub becomes: bool,
    /// The event that the rule waits for, instead of a condition. The names that the pattern binds are in the registers after the player.
    pub event: Option<PatternId>,
    /// The zones that the condition reads. All zones if it reads more than zones.
    pub reads: crate::bits::ZoneSet,
    /// The body.
    pub body: RoutineId,
}

/// A role: a name for the things that take part in a stretch of the flow.
#[derive(Clone, Debug)]
pub struct RoleDef {
    /// Its name.
    pub name: NameDef,
    /// The type of the holders.
    pub of: Type,
    /// Whether several things can hold it.
    pub several: bool,
    /// Conditions for a holder (the holder is bound), each with its rules. A holder that does not satisfy one of them loses the role.
    pub conditions: Vec<(NodeId, CitesId)>,
}

/// The rules that the flow applies, and how.
#[derive(Clone, Debug, Default)]
pub struct RuleSetDef {
    /// Its name.
    pub name: NameDef,
    /// The rules in order.
    pub order: Vec<RuleId>,
    /// Whether all rules that apply run at the same time; otherwise one after the other.
    pub together: bool,
    /// If one of these rules applies, all others wait.
    pub first: Vec<RuleId>,
    /// Whether the rules are looked at again until none applies.
    pub again: bool,
    /// For each rule what its condition reads, if that is known.
    pub reads: Vec<Option<Reads>>,
}

/// A phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseDef {
    /// Its name.
    pub name: NameDef,
    /// The [`Op::Phase`] of the phase in the routine of the turn. The position of a scenario can begin there.
    pub start: Pc,
    /// The statement after the phase.
    pub end: Pc,
}

impl Program {
    /// The team of a player. Without teams each player is a team.
    #[must_use]
    #[inline]
    pub(crate) fn team_of(&self, player: Player) -> u8 {
        match self.teams {
            0 => player.0,
            teams if self.partners_together => player.0 / (self.players / teams).max(1),
            teams => player.0 % teams,
        }
    }

    /// The players of the team of a player, in seat order.
    pub fn team(&self, player: Player) -> impl Iterator<Item = Player> + use<'_> {
        let team = self.team_of(player);
        (0..self.players).map(Player).filter(move |other| self.team_of(*other) == team)
    }

    /// The seats of the team of a player, one bit for each seat.
    #[must_use]
    pub(crate) fn team_bits(&self, player: Player) -> u8 {
        self.team(player).fold(0, |all, player| all | player.bit())
    }

    /// The first seat of the team of a player. The values of a team are kept with this player.
    #[must_use]
    #[inline]
    pub fn captain(&self, player: Player) -> Player {
        match self.teams {
            0 => player,
            teams if self.partners_together => Player(self.team_of(player) * (self.players / teams).max(1)),
            _ => Player(self.team_of(player)),
        }
    }

    /// The player with whom a player's value of a state is kept: for a state of a team the first seat of the team, otherwise the player.
    #[must_use]
    pub fn holder(&self, state: StateId, player: Player) -> Player {
        if self.states.get(state).is_some_and(|state| state.of_team) { self.captain(player) } else { player }
    }

    /// Whether a state only serves the rules: it has no label, although the game gives other states labels. Players do not see it.
    #[must_use]
    pub fn is_bookkeeping(&self, state: StateId) -> bool {
        let labelled = |state: &StateDef| state.name.is_labelled();
        self.states.get(state).is_some_and(|state| !labelled(state)) && self.states.rows().iter().any(labelled)
    }

    /// The printed types of a card of the pool, as indexes of `card_types`.
    #[must_use]
    pub fn types_of(&self, card: CardId) -> &[u8] {
        self.cards.get(card).map_or(&[], |card| &card.types)
    }

    /// The owner of a card that lies in a place. If the zone owns its cards: the player of the place, or nobody. Otherwise the owner as
    /// before.
    #[must_use]
    #[inline]
    pub(crate) fn owner_in(&self, place: Place, owner: Player) -> Player {
        if !self.owned {
            return owner;
        }
        let (zone, whose) = crate::state::board::zone_of(self, place);
        if self.zones.get(zone).is_some_and(|zone| zone.owns) { whose.unwrap_or(Player::NOBODY) } else { owner }
    }

    /// The player who controls the cards in a place, if the zone controls its cards. Effects may still give control to somebody else.
    #[must_use]
    #[inline]
    pub fn controller_in(&self, place: Place) -> Option<Player> {
        if !self.controlled {
            return None;
        }
        let (zone, whose) = crate::state::board::zone_of(self, place);
        whose.filter(|_| self.zones.get(zone).is_some_and(|zone| zone.controls))
    }

    /// The owner's zone of the same declaration as the place; the place itself if the owner is nobody.
    #[must_use]
    pub(crate) fn place_of_owner(&self, place: Place, owner: Player) -> Place {
        let zone = crate::state::board::zone_of(self, place).0;
        if owner == Player::NOBODY { place } else { crate::state::board::place_of(self, zone, owner) }
    }

    /// Whether a player is a seat of the game, or nobody in a game where cards may belong to nobody.
    #[must_use]
    pub(crate) fn is_owner(&self, player: Player) -> bool {
        player.0 < self.players || self.owned && player == Player::NOBODY
    }

    /// The nodes of an argument list.
    #[must_use]
    #[inline]
    pub fn args_of(&self, args: ArgsId) -> &[NodeId] {
        let Some(&(first, len)) = self.args.get(args) else { return &[] };
        listed(&self.arg_nodes, first, len)
    }

    /// The index in `operands` of a condition that cites rules of its own.
    #[must_use]
    pub fn operand(&self, node: NodeId) -> Option<usize> {
        self.operands.binary_search_by_key(&node, |(operand, _)| *operand).ok()
    }

    /// Whether a routine reads `done` or `partly_done`.
    #[must_use]
    #[inline]
    pub fn asks_done(&self, routine: RoutineId) -> bool {
        self.routines.get(routine).is_none_or(|routine| routine.reads_done)
    }

    /// The rules that a game cites for a principle.
    #[must_use]
    pub fn principle(&self, principle: Principle) -> CitesId {
        let own = self.principles.get(principle as usize).copied().unwrap_or_default();
        match principle {
            Principle::Missing | Principle::Replacing if own == CitesId::default() => self.principle(Principle::Impossible),
            _ => own,
        }
    }

    /// The rules of the nearest statement with citations around a statement, or of the statement itself.
    #[must_use]
    pub(crate) fn rules_around(&self, at: Pc) -> CitesId {
        self.around.get(at).copied().unwrap_or_default()
    }

    /// A list of rules; empty for an unknown number.
    #[must_use]
    pub fn rules_beside(&self, list: CitesId) -> &[String] {
        self.cites.get(list).map(AsRef::as_ref).unwrap_or_default()
    }

    /// The rules that a decision cites: those of the statement that asks, or else those of the declared choice. A choice among replacements
    /// cites the rules of its principle.
    #[must_use]
    pub fn rules_of_decision(&self, choice: super::ids::ChoiceId, statement: CitesId) -> CitesId {
        if choice == super::ids::ChoiceId::REPLACEMENT {
            return self.principle(Principle::ReplacementOrder);
        }
        if statement.0 != 0 { statement } else { self.choices.get(choice).map_or(statement, |choice| choice.name.cites) }
    }

    /// The printed value of a card's field.
    #[must_use]
    #[inline]
    pub fn printed_value(&self, card: CardId, field: FieldId) -> Value {
        self.printed.get(card.index() * self.fields.len() + field.index()).copied().unwrap_or_default()
    }

    /// The members of a printed set. None if the value is no set.
    #[must_use]
    #[inline]
    pub(crate) fn printed_members(&self, printed: Value) -> &[Value] {
        let Value::List { start, len } = printed else { return &[] };
        listed(&self.printed_sets, start, len)
    }
}
