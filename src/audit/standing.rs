//! Finds what cites a rule: statements, scenarios, readings.

use lang::diagnostic::Span;
use lang::syntax::ast::{DeclKind, Reading};
use project::Game;
use scenario::checks::citations::citations;
use scenario::suite::Suite;

/// Everything that cites one rule.
#[derive(Clone, Debug, Default)]
pub struct Standing<'g> {
    /// The citations of the rule in rules and cards.
    pub cited: Vec<Span>,
    /// The scenarios that name the rule, by number. The second value says whether the header names the rule.
    pub scenarios: Vec<(usize, bool)>,
    /// The readings about the rule.
    pub readings: Vec<&'g Reading>,
}

/// Everything that cites the rule.
#[must_use]
pub fn standing<'g>(game: &'g Game, suite: &Suite, id: &str) -> Standing<'g> {
    let cited = suite.citations().into_iter().filter(|(cite, _)| cite == id).map(|(_, span)| span).collect();
    let named = |at: usize| {
        let scenario = suite.scenarios.get(at)?;
        let header = scenario.cites.iter().any(|cite| cite.id == id);
        let text = suite.sources.text(scenario.span);
        let within = header || citations(scenario.span.file, text).iter().any(|(cite, _)| cite == id);
        within.then_some((at, header))
    };
    let readings = readings(game).filter(|reading| reading.head.cites.iter().any(|cite| cite.id == id)).collect();
    Standing { cited, scenarios: (0..suite.scenarios.len()).filter_map(named).collect(), readings }
}

/// The readings of a game.
pub fn readings(game: &Game) -> impl Iterator<Item = &Reading> {
    let decls = game.files.iter().flat_map(|file| &file.items);
    decls.filter_map(|decl| if let DeclKind::Reading(reading) = &decl.kind { Some(reading) } else { None })
}
