//! Scenarios: rulings that run.

use super::{Arg, CardDecl, Cite, Expr, Name, Pattern, Text};
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
    /// `card "X" like "だるま" { … }`: a card made up on the spot.
    Card(CardDecl),
    /// `reading NAME = value`.
    Reading(Name, Expr),
    /// `given { … }`.
    Given(Given),
    /// `play { … }`.
    Play(Vec<Play>),
    /// `expect { … }`.
    Expect(Vec<Expect>),
    /// `deck { 3 "だるま" … } accepted` / `refused because @5-1-2`.
    Deck(DeckStep),
    /// `load cards 「…」 refused E0204` / `accepted`.
    Load(Load),
}

/// `given { phase pay  turn 3  a { … } b { … } }`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Given {
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
    /// Where it stands.
    pub span: Span,
}

/// `a { battle: "招き福助" up  deck: "だるま" x3  barrier: none }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenSeat {
    /// `a`, `b`, …; `shared` for zones without owner.
    pub seat: Name,
    /// Zones with their cards, top first.
    pub zones: Vec<(Name, Vec<GivenCard>)>,
    /// `ep = 3`: pools and states.
    pub values: Vec<(Name, Expr)>,
}

/// `"だるま" x3 up as x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenCard {
    /// A card's name or number.
    pub card: Text,
    /// How many.
    pub count: u32,
    /// `up` or `down` where the zone has both.
    pub face: Option<Name>,
    /// `as x`: a name for it in this scenario.
    pub alias: Option<Name>,
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

/// One decision: `a: set_card "鯛"`.
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
    /// `target "Z", "W"`, `set_card none`, `swap yes`: the decision's name and what is taken.
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
    /// `happened refresh(a) 2 times`.
    Happened(Pattern, Option<Expr>),
    /// `asked a: set_card`, `asked a` (anything).
    Asked(Name, Option<Name>),
    /// `possible a: set_card "Z"`: that answer is legal for the open decision.
    Possible(Name, PlayAnswer),
    /// `refused a: set_card "Z"`: that answer is refused and changes nothing.
    Refused(Name, PlayAnswer),
    /// `rule @6-2-1 before @6-3-1`: the trace has both, in this order.
    Before(Cite, Cite),
    /// Any expression that must be true.
    Holds(Expr),
    /// `error E0123`: the run ends in this error.
    Error(Name),
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
    /// The code; accepted when none.
    pub refused: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `given default { … }` of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioDefault {
    /// Zones of every seat with their cards.
    pub zones: Vec<(Name, Vec<GivenCard>)>,
    /// Where it stands.
    pub span: Span,
}
