//! Scenarios: rulings that run.

use super::{Arg, Block, CardDecl, Cite, Clause, Expr, Name, Pattern, Text};
use crate::diagnostic::Span;

/// `scenario "title" @9-3-3 { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// What is specified, in one sentence.
    pub title: Text,
    /// The rules that it shows (at most three).
    pub cites: Vec<Cite>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `card "X" like "石" { … }`: a card made up on the spot.
    Card(Box<CardDecl>),
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
    /// `given NAME with { … }`: the template that the rest is added to. None once the file has been read.
    pub base: Option<Name>,
    /// The phase at whose beginning the position stands; the first of the turn when not given.
    pub phase: Option<Name>,
    /// The number of the turn (from 1).
    pub turn: Option<Expr>,
    /// `setup`: the position is the one before the set-up, which is then run.
    pub setup: bool,
    /// `seed 7`.
    pub seed: Option<Expr>,
    /// Each seat's things.
    pub seats: Vec<GivenSeat>,
    /// `shuffle deck(a): "X", "Y"`: what the next random results are.
    pub random: Vec<Fixed>,
    /// `lasting luck by x { … }`, `put by x { … } until result`: what is in force or put by, in the order in which it began.
    pub effects: Vec<GivenEffect>,
    /// `waits art of x in standby { targets = y }`: what waits, in the order in which it began to.
    pub waiting: Vec<GivenWaiting>,
    /// Where it stands.
    pub span: Span,
}

/// What an effect has begun before the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenEffect {
    /// The card whose effect it is, by its name in the scenario.
    pub source: Option<Name>,
    /// What it has begun.
    pub kind: GivenBegun,
    /// Where it stands.
    pub span: Span,
}

/// What began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenBegun {
    /// `lasting luck by x { modify x { win + 2 } }`: for how long, and what holds.
    Lasting(Name, Vec<Clause>),
    /// `put by x { … } until result`: a block that waits for a moment, or like an ability whose event has happened.
    PutBy(Block, Option<Name>),
    /// `came x, y`: these cards came then, together; what holds by itself of them is younger than what is said above.
    Came(Vec<Name>),
}

/// `waits art 2 of x by a in standby as w { targets = y }`; without a source an option that was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenWaiting {
    /// The kind of ability.
    pub kind: Name,
    /// Which of the card's abilities of that kind, from 1, where it has several.
    pub which: Option<u32>,
    /// Its sources by their names in the scenario, the card that it is of first.
    pub sources: Vec<Name>,
    /// The card that has given its source the ability, by its name in the scenario.
    pub from: Option<Name>,
    /// Who controls it; else the card's owner.
    pub by: Option<Name>,
    /// The zone that it waits in; else none.
    pub zone: Option<Expr>,
    /// A name for it in this scenario.
    pub alias: Option<Name>,
    /// What is in its slots, or was bound by its event.
    pub values: Vec<(Name, Expr)>,
    /// Where it stands.
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

/// `"石" x3 up as x`. There are more of them than of all else, and most say nothing but a card: so what else they may say takes little room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenCard {
    /// A card's name or number.
    pub card: Text,
    /// How many.
    pub count: u32,
    /// `of b`: whose card it is, where that is not whose zone it is.
    pub owner: Option<Box<Name>>,
    /// `like "石"`: the card whose copy it is.
    pub like: Option<Box<Text>>,
    /// `made`, `made for x`: it was made in the game, and stands for that card.
    pub made: Option<Option<Box<Name>>>,
    /// `up` or `down` where the zone has both.
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

/// A random result laid down: `shuffle deck(a): "X", "Y"` (top first), `coin: heads`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// `shuffle`, `pick`, `coin`, `die`.
    pub what: Name,
    /// Of what.
    pub of: Option<Expr>,
    /// The results.
    pub results: Vec<Expr>,
}

/// `play { … }`: decisions in order, and where the run stops behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    /// The decisions.
    pub lines: Vec<Play>,
    /// `b passes`: who passes whatever is offered to them that no line answers.
    pub passing: Vec<Name>,
    /// Where the run stops; none: at the first decision that is not answered.
    pub until: Option<(Until, Span)>,
}

/// Where a run stops that is not to go on to the next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// `until end of turn`.
    EndOfTurn,
    /// `until end of phase`.
    EndOfPhase,
    /// `stop`: before the next decision, asked or not, and at the end of the phase at the latest.
    Decision,
}

/// One decision: `a: lay "鯛"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// Who.
    pub seat: Name,
    /// What is answered.
    pub answer: PlayAnswer,
    /// Where it stands.
    pub span: Span,
}

/// An answer in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayAnswer {
    /// `concede`.
    Concede,
    /// `target "Z", "W"`, `lay none`, `swap yes`: the decision's name and what is taken.
    Choice(Name, Vec<Expr>),
    /// `attack("X", target: "Y")`, `pass`.
    Option(Name, Vec<Arg>),
}

/// One expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// `not`.
    pub negated: bool,
    /// What.
    pub kind: ExpectKind,
    /// `because @803.5a`.
    pub because: Vec<Cite>,
    /// Where it stands.
    pub span: Span,
}

/// What can be expected.
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
    /// `asked a: lay`, `asked a` (anything).
    Asked(Name, Option<Name>),
    /// `possible a: lay "Z"`: that answer is legal for the open decision.
    Possible(Name, PlayAnswer),
    /// `refused a: lay "Z"`: that answer is refused and changes nothing.
    Refused(Name, PlayAnswer),
    /// `rule @6-2-1 before @6-3-1`: the trace has both, in this order.
    Before(Cite, Cite),
    /// `a sees b: lay`, `a does not see b: lay`: who reads (`false`: does not see), whose decision, which.
    SeesAnswer(Name, bool, Name, Name),
    /// Any expression that must be true.
    Holds(Expr),
    /// `error E0123`: the run ends in this error.
    Error(Name),
    /// `why value x.power because "鷹" @8-1-2`: the answer to that question names these cards and rules.
    Why(Box<Why>),
}

/// A question with what its answer has to name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The question.
    pub question: WhyQuestion,
    /// The cards.
    pub cards: Vec<Text>,
    /// The rules.
    pub rules: Vec<Cite>,
}

/// What can be asked of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyQuestion {
    /// `value x.power`: what the value comes from.
    Value(Expr),
    /// `can a: lay "鯛"`, `can draw(a, 1)`: whether it can be done, and what is in the way. `false`: asked as `cannot`.
    Can(bool, Option<Name>, PlayAnswer),
    /// `happened take(a)`: what led to it.
    Happened(Pattern),
}

/// `deck { … } accepted`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckStep {
    /// How many of which card.
    pub cards: Vec<(u32, Text)>,
    /// Accepted, or refused for which rules.
    pub refused: Option<Vec<Cite>>,
    /// Where it stands.
    pub span: Span,
}

/// `load rules 「…」 refused E0204`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// `rules`, `cards` or `deck`.
    pub what: Name,
    /// The source.
    pub source: Text,
    /// What is to come of it.
    pub outcome: Outcome,
    /// Where it stands.
    pub span: Span,
}

/// What a scenario says of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: it joins the game for this scenario.
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
    /// What is so in every position that the rules allow.
    pub musts: Vec<GivenMust>,
    /// Where it stands.
    pub span: Span,
}

/// `@1-1 must C`: a position where it is not so is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenMust {
    /// What has to be so.
    pub condition: Expr,
    /// The rules that say so.
    pub cites: Vec<Cite>,
}
