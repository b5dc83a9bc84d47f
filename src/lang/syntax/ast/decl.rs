//! The tree of a rules file's declarations.

use super::{Block, Cite, Expr, Head, Name, Pattern, ScenarioDefault, Text, WordingDecl};
use crate::diagnostic::Span;
use std::sync::Arc;

/// A declaration with its place. It begins in column 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// The kind of declaration.
    pub kind: DeclKind,
    /// Where the declaration stands.
    pub span: Span,
}

/// The kinds of declaration in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the example beside each form names its parts")]
pub enum DeclKind {
    /// `use std`, or `use draw { draw "引く" @4-3 }`: a module, with the labels and rules that the game gives to its declarations.
    Use(Name, Vec<Head>),
    /// `game duel "決闘の庭" @1 { rulebook "ver.1"  players 2  concede @1-2-4 }`.
    Game(Head, Vec<Property>),
    /// `param shield_size "…" @5-2-1-3 = 5`.
    Param(Head, Expr),
    /// `reading empty_deck "why" @9-3-2 { repeat default  once }` or `reading x "why" @… : number = 40`.
    Reading(Reading),
    /// `enum colour "色" @2-2-2 { red "赤" @… }`.
    Enum(Head, Vec<Head>),
    /// `function outranks(a: colour, b: colour) -> bool @2-2-3 = e`. A `fact` is a function with a truth as its result that clauses may
    /// assume.
    Function { head: Head, params: Vec<Param>, result: TypeName, body: Expr, fact: bool },
    /// `zone deck "山札" @3-2 { each player  ordered  hidden }`.
    Zone(Head, Vec<Property>),
    /// `pool ep "EP" @302.1 { each player  at least 0 }`: a number of each player.
    Pool(Head, Vec<Property>),
    /// `card unit "カード" @… { fields }`.
    CardType(Head, Vec<Field>),
    /// `player { hand_limit "手札の上限" @6-8 : number = 7 }`: properties of players.
    Player(Vec<Field>),
    /// `state fought "…" @…: bool on card { until leaves field }`: a flag or value that rules put on cards or players.
    State { head: Head, on: Name, of: TypeName, properties: Vec<Property> },
    /// `deck check @5-1-2 { size == 30  copies by number <= 3 }`.
    Deck(Head, Vec<DeckLimit>),
    /// `ability on_show "【公開時】" @10-1-1 { limit: uses per turn = 1 }`.
    AbilityKind(KindDecl),
    /// `moment result "この回の終わりに" @10-2-2`: a moment that `put by … until` can name.
    Moment(Head),
    /// `event weakened(c: card in field) when c.power falls`.
    Event(EventDecl),
    /// `cause battle "バトル" @1102`.
    Cause(Head),
    /// `duration this_turn "この番の間" @… { begins later }`.
    Duration(Head, Vec<Property>),
    /// `choice prey "獲物" @3.5 { @3.5.1 too_few = all_there_are }`.
    Choice(Head, Vec<PolicyEntry>),
    /// `action refill_penalty(p: player) "…" @9-3-4 { body }`.
    Action(Routine),
    /// `procedure payment() @7-1 { body }`.
    Procedure(Routine),
    /// `option play(c: card in hand(p)) "…" @… by p in group when C attempt { body }`, also `declare { } process { }`.
    Option(OptionDecl),
    /// `rule refill(p: player) "補充" @9-3-2 immediately when deck(p) becomes empty { body }`.
    Rule(Rule),
    /// `rules rule_effects @1001.2a { in order [a, b]  until none applies }`.
    Rules(Head, Vec<Property>),
    /// `setup @5-2 { body }`: run once, before the first turn.
    Setup(Head, Block),
    /// `turn @6-1-1 { phases }`.
    Turn(Head, Vec<Phase>),
    /// `judgement(losing: players, winning: players) @1-2 { body }`: runs when verdicts are judged.
    Judgement(Routine),
    /// `keyword swift "【速】" @14.2 { static { clauses } }`.
    Keyword(Head, Vec<super::Ability>),
    /// `policy replacement @8-1-2-3-2 { each = one_in_all  never = [concede] }`.
    Policy(Head, Vec<PolicyEntry>),
    /// `layers @15.1 { kinds @… { grant kinds } … }`.
    Layers(Head, Vec<(Head, Vec<Property>)>),
    /// `moves @502.3 { from field to hand keeps nothing }`: what a card keeps when it moves.
    Moves(Head, Vec<MoveRow>),
    /// `timing joining "…" also ["…"] @20-4[6] opens round`.
    Timing(Timing),
    /// `match payment(p: player, signs: set of sign) @8-2-1 { … }`.
    Match(MatchDecl),
    /// `role attacker "…" @804.5 { … }`.
    Role(Head, Vec<Property>),
    /// `wording duel { … }`. The declaration is shared, because it is by far the longest one, and the audit copies whole trees.
    Wording(Arc<WordingDecl>),
    /// `table { row hand … }`: how the table is drawn.
    Table(TableDecl),
    /// `given default { … }`: fills the zones that a scenario does not name.
    GivenDefault(ScenarioDefault),
}

/// `table { row field "場" where it is unit, field  row hand  hide stack  values power }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableDecl {
    /// Rows of a player, from the middle of the table outward. Rows of shared zones, from the top.
    pub rows: Vec<Vec<TablePart>>,
    /// Zones, states and pools that are not drawn.
    pub hidden: Vec<Name>,
    /// The fields that are drawn on each card. Empty: all printed fields.
    pub values: Vec<Name>,
}

/// A zone in a row, or the cards of a zone that fulfil a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePart {
    /// The zone.
    pub zone: Name,
    /// The label of this part, if it has one of its own.
    pub label: Option<Text>,
    /// The condition that selects cards of the zone. In the condition, a card is `it`.
    pub condition: Option<Expr>,
}

/// `@502.3a from base to [field, hand] keeps states, effects reads before`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// The rules that the row states.
    pub cites: Vec<Cite>,
    /// The zones that the card leaves. Empty: any.
    pub from: Vec<Name>,
    /// The zones that the card enters. Empty: any.
    pub to: Vec<Name>,
    /// What the card keeps, by name. Empty: the row says nothing about that.
    pub keeps: Vec<Name>,
    /// Which state of the card a waiting ability reads: the one before or the one after the move.
    pub reads: Option<Name>,
    /// Which triggers notice the move.
    pub heard: Option<Name>,
    /// Where the row stands.
    pub span: Span,
}

/// A word or phrase in a declaration's braces: `each player`, `at most 1`, `rulebook "ver.1"`, `players 2`.
///
/// The words are a closed list for each kind of declaration; `compile/` checks them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The words, in order (`each`, `player`).
    pub words: Vec<Name>,
    /// A value after the words.
    pub value: Option<Expr>,
    /// The rules beside it.
    pub cites: Vec<Cite>,
    /// Where the property stands.
    pub span: Span,
}

/// `@8-1-2-3-2 each = one_in_all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyEntry {
    /// The rules that the entry states.
    pub cites: Vec<Cite>,
    /// The entry.
    pub name: Name,
    /// The value of the entry.
    pub value: Expr,
}

/// A type as written: `number`, `player`, `card`, `set of symbol`, an enum's or card type's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// `set of`.
    pub set: bool,
    /// The type.
    pub name: Name,
}

/// `p: player`, `c: card in hand(p)`, `free: bool = false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The parameter's name.
    pub name: Name,
    /// The parameter's type.
    pub of: TypeName,
    /// The values that the parameter ranges over.
    pub domain: Option<Expr>,
    /// The default value.
    pub default: Option<Expr>,
}

/// A field of a card type: `win "強さ" @2-3 : number  reads at least 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, label, citations.
    pub head: Head,
    /// The field's type.
    pub of: TypeName,
    /// `reads at least 0`, `identity in decks`.
    pub properties: Vec<Property>,
    /// `= e`: a derived field. It is not printed but computed from other fields of `this`.
    pub derived: Option<Expr>,
}

/// A requirement of a deck check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckLimit {
    /// `size == 30`, `copies by number <= 3`.
    Bound(Box<DeckBound>),
    /// `must count(deck where it.fee > 2) == 1`.
    Must(DeckMust),
}

impl DeckLimit {
    /// The rules that the limit carries out.
    #[must_use]
    pub fn cites(&self) -> &[Cite] {
        match self {
            DeckLimit::Bound(bound) => &bound.cites,
            DeckLimit::Must(must) => &must.cites,
        }
    }

    /// The rules that the limit carries out, for changing them.
    pub fn cites_mut(&mut self) -> &mut Vec<Cite> {
        match self {
            DeckLimit::Bound(bound) => &mut bound.cites,
            DeckLimit::Must(must) => &mut must.cites,
        }
    }

    /// Where the limit stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            DeckLimit::Bound(bound) => bound.span,
            DeckLimit::Must(must) => must.span,
        }
    }
}

/// A condition on the whole deck. In the condition the cards of the deck are `deck`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckMust {
    /// The rules that the demand carries out.
    pub cites: Vec<Cite>,
    /// The condition.
    pub condition: Expr,
    /// Where the demand stands.
    pub span: Span,
}

/// A bound on the deck's size, or on copies of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckBound {
    /// The rules that the limit carries out.
    pub cites: Vec<Cite>,
    /// `size` or `copies`.
    pub what: Name,
    /// `by FIELD, FIELD`.
    pub by: Vec<Name>,
    /// The comparison.
    pub op: super::BinaryOp,
    /// The bound.
    pub bound: Expr,
    /// `where FIELD != VALUE`: only these cards are counted.
    pub counted: Option<(Name, super::BinaryOp, Expr)>,
    /// `when READING is VALUE`.
    pub when: Option<Expr>,
    /// Where the limit stands.
    pub span: Span,
}

/// A kind of ability with its slots. With `of TYPE`, every card of that type has an ability of the kind without printing it; its body
/// stands after the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindDecl {
    /// Name, label, citations.
    pub head: Head,
    /// `of unit`.
    pub of: Option<Name>,
    /// The slots.
    pub slots: Vec<Slot>,
    /// The body of the abilities that are not printed.
    pub body: Option<Block>,
}

/// A match: requirements, each of which is met by a unit of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchDecl {
    /// Name, label, citations.
    pub head: Head,
    /// The match's parameters.
    pub params: Vec<Param>,
    /// The match's lines, in order.
    pub parts: Vec<MatchPart>,
}

/// A line of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPart {
    /// The rules beside it.
    pub cites: Vec<Cite>,
    /// What the line says.
    pub kind: MatchKind,
    /// Where the line stands.
    pub span: Span,
}

/// What a line of a match says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// `units u in purse(p)`: what there is to pay with.
    Units(Name, Expr),
    /// `demands d in costs`: the lines below are about each of these things by itself; all share the units.
    Demands(Name, Expr),
    /// `each i in icons needs u where usable(u, i)`: one unit for each member; `joins`: one of the units that pay.
    Each {
        /// The member.
        member: Name,
        /// The requirements.
        of: Expr,
        /// `joins`: the member needs no unit of its own. It joins a unit that already pays, and only as many members join as there are such
        /// units.
        joins: bool,
        /// The unit's name, as in `units`.
        unit: Name,
        /// The condition that a unit must fulfil.
        condition: Expr,
    },
    /// `left over needs C`: the condition for a member that joins no unit.
    LeftOver(Expr),
    /// `spare u where C`: the chooser may name further units that meet no requirement.
    Spare(Name, Expr),
}

/// A slot of an ability kind's header: `limit: uses per turn = 1`, `zones: set of zone = [field]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The slot's name.
    pub name: Name,
    /// The words of the slot's type (`uses per turn`, `set of zone`).
    pub of: Vec<Name>,
    /// The default.
    pub default: Option<Expr>,
    /// `if read`: only an ability that reads the slot, in its body or in a later slot, has the default.
    pub if_read: bool,
    /// The rules beside it.
    pub cites: Vec<Cite>,
}

/// An action, a procedure or the judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// Name, label, citations.
    pub head: Head,
    /// Parameters.
    pub params: Vec<Param>,
    /// What `return(e)` gives.
    pub result: Option<TypeName>,
    /// For an action, `secretly`: not every player sees the action.
    pub secretly: bool,
    /// For an action, `once in a step`: if several branches do the action to the same things at the same time, it is done once.
    pub once_in_a_step: bool,
    /// For an action, `replaced WORD`: whether the action counts as done to cards that its moves have not moved. The word is one of the
    /// policy entry `counts`, or the name of a reading.
    pub replaced: Option<Expr>,
    /// For an action, `when C`: the condition under which the action is possible.
    pub condition: Option<Expr>,
    /// The body.
    pub body: Block,
}

/// A player's option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Name, label, citations.
    pub head: Head,
    /// Parameters with their domains.
    pub params: Vec<Param>,
    /// `by p`: the name of the acting player.
    pub by: Name,
    /// `in group, group`.
    pub groups: Vec<Name>,
    /// `when C`.
    pub condition: Option<Expr>,
    /// The body.
    pub body: OptionBody,
}

/// How an option is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionBody {
    /// `{ }`.
    Plain(Block),
    /// `attempt { }`.
    Attempt(Block),
    /// `declare { } process { }`.
    TwoParts(Block, Block),
}

/// An event that happens when a value changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDecl {
    /// The event's name.
    pub head: Head,
    /// The things that have the value, with their domains.
    pub params: Vec<Param>,
    /// The value.
    pub value: Expr,
    /// How the event changes.
    pub how: ValueTurn,
}

/// How a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum ValueTurn {
    Falls,
    Rises,
    Changes,
    BecomesTrue,
    BecomesFalse,
}

/// A named timing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Name, label, citations.
    pub head: Head,
    /// The parameters of the timing's event.
    pub params: Vec<Param>,
    /// `also ["…"]`: other labels.
    pub also: Option<Expr>,
    /// `opens CALL`: the procedure that is its window.
    pub opens: Option<Expr>,
}

/// A rule that watches the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Name, label, citations.
    pub head: Head,
    /// `p: player`: the rule watches each player separately.
    pub params: Vec<Param>,
    /// `immediately`.
    pub immediately: bool,
    /// When.
    pub when: RuleWhen,
    /// The body.
    pub body: Block,
}

/// When a rule runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleWhen {
    /// `when S becomes empty`: the condition was false before the change and is true after it.
    Becomes(Expr, Name),
    /// `when C`: as long as it is true.
    State(Expr),
    /// `when EVENT`.
    Event(Pattern),
    /// `forbids EVENT`: the rule never runs. Actions that match the pattern are not done.
    Forbids(Pattern),
}

/// A phase of the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Name, label, citations.
    pub head: Head,
    /// The body.
    pub body: Block,
}

/// `reading NAME "why" @… { value default  other }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name, the reason as label, the rules.
    pub head: Head,
    /// What the reading can be.
    pub choices: ReadingChoices,
}

/// The values of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadingChoices {
    /// Named values. The value marked `default` is the one in force.
    Names(Vec<(Name, bool)>),
    /// A typed value.
    Value(TypeName, Expr),
}
