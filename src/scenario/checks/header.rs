//! Checks the rules that a scenario names: each must be in the rulebook, and some step must carry out each rule of the header.
//!
//! Rows that say that something does not happen, definitions, and rules about decks need no step. Decks and loads have no trace.

use crate::ground::Ground;
use crate::outcome::verdict::Failure;
use crate::rulebook::Class;
use crate::running::run::Run;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Cite, Expect, ExpectKind, Scenario, Step};

/// Checks that every rule that the scenario names is in the game's index. A game without an index is not checked.
///
/// # Errors
/// `E0541` for the first rule that is not in the index.
pub(crate) fn known_rules(ground: &Ground, scenario: &Scenario) -> Result<(), Diagnostic> {
    let Some(book) = ground.rulebook() else { return Ok(()) };
    match cites(scenario).find(|cite| book.get(&cite.id).is_none()) {
        Some(cite) => Err(Diagnostic::error("E0541", cite.span).with("rule", &cite.id).suggest(&cite.id, book.ids())),
        None => Ok(()),
    }
}

/// Checks that no list of rules names a rule twice.
///
/// # Errors
/// `E0514` for the second one.
pub(crate) fn twice(scenario: &Scenario) -> Result<(), Diagnostic> {
    let second = |cites: &[Cite]| {
        let known = |at: usize, cite: &Cite| cites.iter().take(at).any(|other| other.id == cite.id);
        cites.iter().enumerate().find(|(at, cite)| known(*at, cite)).map(|(_, cite)| cite.clone())
    };
    let of_expectation = |expect: &Expect| {
        let named = if let ExpectKind::Why(why) = &expect.kind { why.rules.as_slice() } else { &[] };
        second(&expect.because).or_else(|| second(named))
    };
    let of_step = |step: &Step| match step {
        Step::Expect(expectations) => expectations.iter().find_map(of_expectation),
        Step::Deck(deck) => second(deck.refused.as_deref().unwrap_or_default()),
        _ => None,
    };
    match second(&scenario.cites).or_else(|| scenario.steps.iter().find_map(of_step)) {
        Some(cite) => Err(Diagnostic::error("E0514", cite.span).with("name", format!("@{}", cite.id))),
        None => Ok(()),
    }
}

/// All rules that a scenario names: in its header, as reasons, in orders, in answers of `why`.
fn cites(scenario: &Scenario) -> impl Iterator<Item = &Cite> {
    scenario.cites.iter().chain(scenario.steps.iter().flat_map(of_step))
}

fn of_step(step: &Step) -> Vec<&Cite> {
    match step {
        Step::Expect(expectations) => expectations.iter().flat_map(of_expectation).collect(),
        Step::Deck(deck) => deck.refused.iter().flatten().collect(),
        _ => Vec::new(),
    }
}

fn of_expectation(expect: &Expect) -> Vec<&Cite> {
    let own: Vec<&Cite> = match &expect.kind {
        ExpectKind::Before(first, then) => vec![first, then],
        ExpectKind::Why(why) => why.rules.iter().collect(),
        _ => Vec::new(),
    };
    own.into_iter().chain(&expect.because).collect()
}

/// Checks that some step carries out every rule of the header.
///
/// # Errors
/// `E0540` for the first rule that no step carries out.
pub(crate) fn check(ground: &Ground, scenario: &Scenario, run: &Run<'_>) -> Result<(), Box<Failure>> {
    if !ground.checks_headers() {
        return Ok(());
    }
    let exempt = |id: &str| {
        ground
            .rulebook()
            .and_then(|book| book.get(id))
            .is_some_and(|row| row.absent || matches!(row.class, Class::Definition | Class::Deck))
    };
    let program = run.machine.program();
    let missing = scenario
        .cites
        .iter()
        .find(|cite| !exempt(&cite.id) && !run.recorder.carries_out(program, &cite.id) && !run.judged.contains(&cite.id));
    match missing {
        Some(cite) => Err(run.failure(Diagnostic::error("E0540", cite.span).with("rule", &cite.id))),
        None => Ok(()),
    }
}
