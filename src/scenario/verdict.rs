//! What becomes of a scenario: passed, or a failure with all that a person needs to see why.
//!
//! Plain data, ready for JSON; the situation is told in the language that the ground speaks. Deliberately absent: the finding's words
//! (they are the diagnostic's, in the catalogue), colours, anything that would need the machine again.

use super::touched::Touched;
use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Language, Sources, Span, entry, fill};
use crate::engine::machine::Given;
use crate::engine::program::Program;
use crate::engine::state::State;
use crate::engine::value::Player;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What kind of ruling a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// A position that is played on.
    #[default]
    Played,
    /// A deck that is accepted or refused.
    Deck,
    /// A source that is loaded.
    Loaded,
}

/// What became of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub span: Span,
    /// The rules in its header.
    pub cites: Vec<String>,
    /// What it is.
    pub sort: Sort,
    /// How many expectations were met (a deck's or a load's verdict is one).
    pub met: usize,
    /// It shows that something is accepted: a deck, a source, a position that is played.
    pub accepts: bool,
    /// It shows that something is refused.
    pub refuses: bool,
    /// Every rule that some step of its trace cites.
    pub traced: BTreeSet<String>,
    /// What was touched, where the ground was to tell ([`super::Ground::telling_all`]).
    pub touched: Option<Box<Touched>>,
    /// How it was played, where the ground was to keep it ([`super::Ground::keeping_play`]).
    pub play: Option<Box<Played>>,
    /// Why it failed; passed when none.
    pub failure: Option<Box<Failure>>,
}

/// A scenario's game, to be played once more by whoever wants to see every step.
#[derive(Clone, Debug)]
pub struct Played {
    /// What a machine runs that plays it.
    pub program: Arc<Program>,
    /// The scenario's position; nothing has run.
    pub state: State,
    /// The decisions: who, and the places of what was taken (none: conceded).
    pub decisions: Vec<(Player, Option<Given>)>,
    /// The game with what the scenario adds.
    pub compiler: Compiler,
}

impl Verdict {
    /// Whether it passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }

    /// One more thing is shown to be accepted, or to be refused.
    pub(super) fn shows(&mut self, accepted: bool) {
        self.met += 1;
        self.accepts |= accepted;
        self.refuses |= !accepted;
    }
}

/// Why a scenario failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is wrong, at the play, the expectation or the citation that it is about.
    pub diagnostic: Diagnostic,
    /// What lies beneath it: what a refused source or deck was refused for.
    pub beneath: Vec<Diagnostic>,
    /// Where the game stood; none when there was none yet.
    pub situation: Option<Situation>,
}

impl Failure {
    /// The failure with what lies beneath it.
    #[must_use]
    pub fn because_of(mut self, beneath: Vec<Diagnostic>) -> Box<Self> {
        self.beneath = beneath;
        Box::new(self)
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, beneath: Vec::new(), situation: None }
    }
}

impl From<Diagnostic> for Box<Failure> {
    fn from(diagnostic: Diagnostic) -> Self {
        Box::new(Failure::from(diagnostic))
    }
}

/// Where a game stands, in the words of a person at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Situation {
    /// The number of the turn.
    pub turn: u32,
    /// The phase that runs.
    pub phase: Option<String>,
    /// How the game ended, if it has.
    pub ended: Option<String>,
    /// Each seat's things, then those of nobody.
    pub seats: Vec<SeatShown>,
    /// What is asked and not yet answered.
    pub asked: Vec<AskedShown>,
    /// The last steps of the trace.
    pub trace: Vec<String>,
}

/// What a seat has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatShown {
    /// `a`, `b`; `shared` for zones without owner.
    pub seat: String,
    /// Zones in declared order, each with its cards, top first.
    pub zones: Vec<(String, Vec<String>)>,
    /// Pools and states that are not what they are at first.
    pub values: Vec<(String, String)>,
}

/// A decision that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AskedShown {
    /// Who.
    pub seat: String,
    /// The decision's name.
    pub name: String,
    /// What can be taken.
    pub possible: Vec<String>,
    /// At least.
    pub min: u16,
    /// At most.
    pub max: u16,
    /// The rules that ask.
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
        message: failure.map(|failure| message(&failure.diagnostic, language)),
        beneath: failure.iter().flat_map(|failure| &failure.beneath).map(|finding| message(finding, language)).collect(),
        at: failure.and_then(|failure| failure.diagnostic.span).map(|span| sources.line_column(span)),
        situation: failure.and_then(|failure| failure.situation.as_ref()),
    };
    serde_json::to_value(written).unwrap_or_default()
}

/// A finding in one line; the code where the catalogue lacks words.
#[must_use]
pub fn message(diagnostic: &Diagnostic, language: Language) -> String {
    let words = entry(diagnostic.code, language).and_then(|entry| fill(&entry.message, &diagnostic.args));
    words.unwrap_or_else(|| diagnostic.code.to_owned())
}
