//! The tree of scenarios, which are rulings that can be run, and of questions.

use super::{Arg, Block, CardDecl, Cite, Clause, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;
use std::sync::Arc;

/// `scenario "title" @9-3-3 { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// The ruling in one sentence.
    pub title: Text,
    /// The rules that the scenario shows, at most three.
    pub cites: Vec<Cite>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Where the scenario stands.
    pub span: Span,
}

/// A part of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `card "X" like "石" { … }`: a card made up on the spot. All scenarios of a file share the cards of the file.
    Card(Arc<CardDecl>),
    /// `reading NAME = value`.
    Reading(Name, Expr),
    /// `given { … }`.
    Given(Box<Given>),
    /// `play { … }`, `play { … } until end of turn`, `play { … } stop`.
    Play(Box<Plays>),
    /// `expect { … }`.
    Expect(Vec<Expect>),
    /// `deck { 3 "石" … } accepted` / `refused because @5-1-2`.
    Deck(DeckStep),
    /// `load cards 「…」 refused E0204` / `accepted`.
    Load(Load),
}

/// `given { phase pay  turn 3  a { … } b { … } }`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Given {
    /// `given NAME with { … }`: the named position that the rest is added to. None once the file has been read.
    pub base: Option<Name>,
    /// The phase at whose beginning the game stands. The first phase of the turn when not given.
    pub phase: Option<Name>,
    /// The number of the turn (from 1).
    pub turn: Option<Expr>,
    /// `setup`: the game stands before its set-up, which is then run.
    pub setup: bool,
    /// `seed 7`.
    pub seed: Option<Expr>,
    /// The things of each seat.
    pub seats: Vec<GivenSeat>,
    /// `shuffle deck(a): "X", "Y"`: the next random results.
    pub random: Vec<Fixed>,
    /// `lasting luck by x { … }`, `put by x { … } until result`: effects in force and blocks put by, in the order in which they began.
    pub effects: Vec<GivenEffect>,
    /// `waits art of x in standby { targets = y }`: what waits, in the order in which it began to wait.
    pub waiting: Vec<GivenWaiting>,
    /// Where the statement stands.
    pub span: Span,
}

/// An effect that began before the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenEffect {
    /// The card whose effect it is, by its name in the scenario.
    pub source: Option<Name>,
    /// What the effect has put in force or put by.
    pub kind: GivenBegun,
    /// Where the statement stands.
    pub span: Span,
}

/// The kinds of effects that can have begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenBegun {
    /// `lasting luck by x { modify x { win + 2 } }`: the duration and the clauses.
    Lasting(Name, Vec<Clause>),
    /// `put by x { … } until result`: a block that waits for a moment. Without a moment it waits like an ability whose event has happened.
    PutBy(Block, Option<Name>),
    /// `came x, y`: these cards entered at this moment, together. Their own continuous effects are younger than the effects written above.
    Came(Vec<Name>),
}

/// `waits art 2 of x by a in standby as w { targets = y }`: an ability that waits. Without a source it is an option that was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenWaiting {
    /// The kind of ability.
    pub kind: Name,
    /// The position of the ability among the card's abilities of that kind, from 1, if the card has several.
    pub which: Option<u32>,
    /// The sources of the ability, by their names in the scenario. The card that the ability belongs to comes first.
    pub sources: Vec<Name>,
    /// The card that gave the source this ability, by its name in the scenario.
    pub from: Option<Name>,
    /// Who controls it; the card's owner when not given.
    pub by: Option<Name>,
    /// The zone in which the ability waits, if any.
    pub zone: Option<Expr>,
    /// A name for it in this scenario.
    pub alias: Option<Name>,
    /// The values in its slots and the names bound by its event.
    pub values: Vec<(Name, Expr)>,
    /// Where the statement stands.
    pub span: Span,
}

/// `a { field: "鳥" up  deck: "石" x3  shield: none }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenSeat {
    /// `a`, `b`, …; `shared` for zones without owner.
    pub seat: Name,
    /// `decided by b`: who makes this player's decisions.
    pub decider: Option<Name>,
    /// Zones with their cards, top first.
    pub zones: Vec<(Name, Vec<GivenCard>)>,
    /// `ep = 3`: pools and states.
    pub values: Vec<(Name, Expr)>,
}

/// `"石" x3 up as x`. A scenario has more of these than of anything else, and most of them name only a card. So the optional parts are boxed
/// and take little memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenCard {
    /// A card's name or number.
    pub card: Text,
    /// How many.
    pub count: u32,
    /// `of b`: the card's owner, if the zone is another player's.
    pub owner: Option<Box<Name>>,
    /// `like "石"`: the card of which this card is a copy.
    pub like: Option<Box<Text>>,
    /// `made`, `made for x`: the card was made during the game, and stands for card `x`.
    pub made: Option<Option<Box<Name>>>,
    /// `up` or `down`, in zones that have both.
    pub face: Option<Box<Name>>,
    /// `at left`: its place in the zone.
    pub place: Option<Box<Name>>,
    /// `on x`: the card that it is attached to.
    pub host: Option<Box<Name>>,
    /// `as x`: a name for it in this scenario.
    pub alias: Option<Box<Name>>,
    /// `{ fought = true }`: states of the card.
    pub states: Vec<(Name, Expr)>,
}

/// A fixed random result: `shuffle deck(a): "X", "Y"` (top first), `coin: heads`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// `shuffle`, `pick`, `coin`, `die`.
    pub what: Name,
    /// The set that is shuffled or picked from, for a shuffle or a pick.
    pub of: Option<Expr>,
    /// The results.
    pub results: Vec<Expr>,
}

/// `play { … }`: decisions in order, and where the run stops after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    /// The decisions.
    pub lines: Vec<Play>,
    /// `b passes`: these players pass everything that is offered to them and that no line answers.
    pub passing: Vec<Name>,
    /// Where the run stops. None: at the first decision without an answer.
    pub until: Option<(Until, Span)>,
}

/// Where a run stops before the next decision without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// `until end of turn`.
    EndOfTurn,
    /// `until end of phase`.
    EndOfPhase,
    /// `stop`: before the next decision, asked or not, and at the latest at the end of the phase.
    Decision,
}

/// One decision: `a: lay "鯛"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The seat.
    pub seat: Name,
    /// The answer.
    pub answer: PlayAnswer,
    /// Where the statement stands.
    pub span: Span,
}

/// An answer in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayAnswer {
    /// `concede`.
    Concede,
    /// `target "Z", "W"`, `lay none`, `swap yes`: the decision's name and the values taken.
    Choice(Name, Vec<Expr>),
    /// `attack("X", target: "Y")`, `pass`.
    Option(Name, Vec<Arg>),
}

/// One expected fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// `not`.
    pub negated: bool,
    /// The expected fact.
    pub kind: ExpectKind,
    /// `because @803.5a`.
    pub because: Vec<Cite>,
    /// Where the statement stands.
    pub span: Span,
}

/// The kinds of expected facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectKind {
    /// `a wins`.
    Wins(Name),
    /// `game drawn`.
    Drawn,
    /// `game goes on`.
    GoesOn,
    /// `happened refill(a) 2 times`.
    Happened(Box<Pattern>, Option<Expr>),
    /// `asked a: lay`, `asked a` (any decision).
    Asked(Name, Option<Name>),
    /// `possible a: lay "Z"`: that answer is legal for the open decision.
    Possible(Name, PlayAnswer),
    /// `refused a: lay "Z"`: that answer is refused and changes nothing.
    Refused(Name, PlayAnswer),
    /// `rule @6-2-1 before @6-3-1`: the trace has both, in this order.
    Before(Cite, Cite),
    /// `a sees b: lay`, `a does not see b: lay`: the seat that looks, whether it sees the answer (`false`: does not see), the seat that
    /// decided, the decision.
    SeesAnswer(Name, bool, Name, Name),
    /// Any expression that must be true.
    Holds(Expr),
    /// `error E0123`: the run ends in this error.
    Error(Name),
    /// `why value x.power because "鷹" @8-1-2`: the answer to that question names these cards and rules.
    Why(Box<Why>),
}

/// A question with the cards and rules that its answer must name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The question.
    pub question: WhyQuestion,
    /// The cards.
    pub cards: Vec<Text>,
    /// The rules.
    pub rules: Vec<Cite>,
}

/// The questions that can be asked of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyQuestion {
    /// `value x.power`: where the value comes from.
    Value(Expr),
    /// `can a: lay "鯛"`, `can draw(a, 1)`: whether something can be done, and what prevents it. `false`: the question is asked as `cannot`.
    Can(bool, Option<Name>, PlayAnswer),
    /// `happened take(a)`: the causes of the last matching event. `happened 2 of take(a)`: of the second one since the beginning.
    Happened(Pattern, Option<u32>),
}

/// `deck { … } accepted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckStep {
    /// How many of which card.
    pub cards: Vec<(u32, Text)>,
    /// None: accepted. Else the rules for which the deck is refused.
    pub refused: Option<Vec<Cite>>,
    /// Where the statement stands.
    pub span: Span,
}

/// `load rules 「…」 refused E0204`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// `rules`, `cards` or `deck`.
    pub what: Name,
    /// The source.
    pub source: Text,
    /// The expected outcome.
    pub outcome: Outcome,
    /// Where the statement stands.
    pub span: Span,
}

/// The expected outcome of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing said: the source joins the game for this scenario.
    Joins,
    /// `accepted`.
    Accepted,
    /// `refused E0204`.
    Refused(Name),
}

/// `given default { … }` of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioDefault {
    /// The number of the turn.
    pub turn: Option<Expr>,
    /// Zones of every seat with their cards.
    pub zones: Vec<(Name, Vec<GivenCard>)>,
    /// Pools and states of every seat.
    pub values: Vec<(Name, Expr)>,
    /// Conditions that hold in every position that the rules allow.
    pub musts: Vec<GivenMust>,
    /// Where the statement stands.
    pub span: Span,
}

/// `@1-1 must C`: a position in which C is false is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMust {
    /// The condition.
    pub condition: Expr,
    /// The rules that state the demand.
    pub cites: Vec<Cite>,
}
