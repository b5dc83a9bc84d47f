//! The result of a scenario: passed, or a failure with everything that a person needs to see why.
//!
//! It is plain data, ready for JSON. The situation is in the language of the ground. The words of the finding are in the catalogue.

use crate::outcome::touched::Touched;
use crate::running::unasked::Unasked;
use compile::Compiler;
use engine::machine::Given;
use engine::program::Program;
use engine::state::State;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Language, Sources, Span};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The sort of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A position that is played.
    #[default]
    Played,
    /// A deck that is accepted or refused.
    Deck,
    /// A source that is loaded.
    Loaded,
}

/// The result of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The scenario's title.
    pub title: String,
    /// Where the scenario stands.
    pub span: Span,
    /// The rules in its header.
    pub cites: Vec<String>,
    /// The sort of the scenario.
    pub sort: Sort,
    /// The number of fulfilled expectations. The verdict of a deck or a load counts as one.
    pub met: usize,
    /// Whether the scenario shows that something is accepted: a deck, a source, a played position.
    pub(crate) accepts: bool,
    /// Whether the scenario shows that something is refused.
    pub refuses: bool,
    /// All rules that its steps cite.
    pub traced: BTreeSet<String>,
    /// The rules among them that no step names: those of open decisions, of effects and abilities at the beginning of the position, and of
    /// ways to act in `possible` and `refused`.
    pub without_step: BTreeSet<String>,
    /// The touched parts, if the ground records them ([`crate::Ground::telling_all`]).
    pub touched: Option<Box<Touched>>,
    /// How the scenario was played, if the ground keeps that ([`crate::Ground::keeping_play`]).
    pub play: Option<Box<Played>>,
    /// Why the scenario failed. None if it passed.
    pub failure: Option<Box<Failure>>,
}

/// A scenario's game, to be played again by whoever wants to see every step.
#[derive(Clone, Debug)]
pub struct Played {
    /// The program of the machine that plays it.
    pub program: Arc<Program>,
    /// The scenario's position. Nothing has run.
    pub state: State,
    /// The decisions: the player, and the positions taken (none for a concession).
    pub decisions: Vec<(Player, Option<Given>)>,
    /// The game with the scenario's additions.
    pub compiler: Compiler,
}

impl Verdict {
    /// Whether the scenario passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }

    /// Counts one more thing that is shown to be accepted or refused.
    pub(crate) fn shows(&mut self, accepted: bool) {
        self.met += 1;
        self.accepts |= accepted;
        self.refuses |= !accepted;
    }
}

/// Why a scenario failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The finding, at the play, expectation or citation that it is about.
    pub diagnostic: Diagnostic,
    /// Findings behind it: why a source or deck was refused.
    pub beneath: Vec<Diagnostic>,
    /// Where the game stood. None if there was no game yet.
    pub situation: Option<Situation>,
    /// Why the written way to act was not possible, if its player could take nothing and passed unasked.
    pub unasked: Option<Box<Unasked>>,
}

impl Failure {
    /// The failure with the findings behind it.
    #[must_use]
    pub fn because_of(mut self, beneath: Vec<Diagnostic>) -> Box<Self> {
        self.beneath = beneath;
        Box::new(self)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, beneath: Vec::new(), situation: None, unasked: None }
    }
}

impl From<Diagnostic> for Box<Failure> {
    fn from(diagnostic: Diagnostic) -> Self {
        Box::new(Failure::from(diagnostic))
    }
}

/// Where a game stands, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Situation {
    /// The number of the turn.
    pub turn: u32,
    /// The phase that runs.
    pub phase: Option<String>,
    /// How the game ended, if it has.
    pub ended: Option<String>,
    /// The things of each seat, then the shared ones.
    pub seats: Vec<SeatShown>,
    /// The open decisions.
    pub asked: Vec<AskedShown>,
    /// The last steps of the trace.
    pub trace: Vec<String>,
}

/// The things of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatShown {
    /// `a`, `b`; `shared` for zones without owner.
    pub seat: String,
    /// Zones in declared order, each with its cards, top first.
    pub zones: Vec<(String, Vec<String>)>,
    /// Pools and states that differ from their first value.
    pub values: Vec<(String, String)>,
}

/// An open decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AskedShown {
    /// Who.
    pub seat: String,
    /// The decision's name.
    pub name: String,
    /// The possible answers.
    pub possible: Vec<String>,
    /// At least.
    pub min: u16,
    /// At most.
    pub max: u16,
    /// The rules of the decision.
    pub cites: Vec<String>,
}

/// A verdict as JSON.
#[derive(Serialize)]
struct Written<'a> {
    title: &'a str,
    file: &'a str,
    line: usize,
    rules: &'a [String],
    sort: Sort,
    passed: bool,
    expectations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beneath: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    situation: Option<&'a Situation>,
}

/// The verdict as one JSON object (docs/scenarios.md, "Results as JSON").
#[must_use]
pub fn json(verdict: &Verdict, sources: &Sources, language: Language) -> serde_json::Value {
    let failure = verdict.failure.as_deref();
    let written = Written {
        title: &verdict.title,
        file: sources.get(verdict.span.file).map_or("", |source| &source.name),
        line: sources.line_column(verdict.span).0,
        rules: &verdict.cites,
        sort: verdict.sort,
        passed: verdict.passed(),
        expectations: verdict.met,
        code: failure.map(|failure| failure.diagnostic.code),
        message: failure.map(|failure| failure.diagnostic.told(language).message),
        beneath: failure.iter().flat_map(|failure| &failure.beneath).map(|finding| finding.told(language).message).collect(),
        at: failure.and_then(|failure| failure.diagnostic.span).map(|span| sources.line_column(span)),
        situation: failure.and_then(|failure| failure.situation.as_ref()),
    };
    serde_json::to_value(written).unwrap_or_default()
}
