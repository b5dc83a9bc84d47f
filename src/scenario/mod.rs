//! Scenarios: rulings that run.
//!
//! Takes a loaded game and the trees of scenarios; gives a [`Verdict`] for each, with everything that a person needs to see why
//! one failed. A run stops at the first decision that is not answered, or at the end of the game. Deliberately absent: files and
//! folders, terminals.

pub mod answers;
pub mod citations;
pub mod coverage;
mod decks;
mod expect;
mod ground;
mod header;
mod loads;
mod lookup;
mod play;
pub mod rulebook;
mod run;
mod setup;
pub mod show;
mod situation;
pub mod suite;
mod terms;
pub mod trace;
mod verdict;
pub mod words;

pub use ground::Ground;
pub use verdict::{AskedShown, Failure, SeatShown, Situation, Sort, Verdict, json, message};

use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Sources};
use crate::engine::program::Program;
use crate::engine::state::{FailureKind, Status};
use crate::syntax::ast::{Expect, ExpectKind, Given, Scenario, Step};
use run::Run;
use std::sync::Arc;

/// The code of a rules error, as `expect { error … }` writes it.
#[must_use]
pub fn failure_code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Budget => "E0601",
        FailureKind::Overflow => "E0602",
        FailureKind::Depth => "E0603",
        FailureKind::NoResult => "E0604",
        FailureKind::Order => "E0605",
    }
}

/// Runs one scenario of a game. `sources` has its file.
#[must_use]
pub fn run(ground: &Ground, scenario: &Scenario, sources: &Sources) -> Verdict {
    let mut verdict = Verdict {
        title: scenario.title.text.clone(),
        span: scenario.span,
        cites: scenario.cites.iter().map(|cite| cite.id.clone()).collect(),
        sort: sort(scenario),
        ..Verdict::default()
    };
    if let Err(failure) = carry_out(ground, scenario, sources, &mut verdict) {
        verdict.failure = Some(failure);
    }
    verdict
}

fn sort(scenario: &Scenario) -> Sort {
    let has = |test: fn(&Step) -> bool| scenario.steps.iter().any(test);
    if has(|step| matches!(step, Step::Given(_) | Step::Play(_) | Step::Expect(_))) {
        Sort::Played
    } else if has(|step| matches!(step, Step::Deck(_))) {
        Sort::Deck
    } else if has(|step| matches!(step, Step::Load(_))) {
        Sort::Loaded
    } else {
        Sort::Played
    }
}

fn carry_out(ground: &Ground, scenario: &Scenario, sources: &Sources, verdict: &mut Verdict) -> Result<(), Box<Failure>> {
    header::known_rules(ground, scenario)?;
    if !scenario.steps.iter().any(asserts) {
        return Err(Diagnostic::error("E0543", scenario.title.span).into());
    }
    let (compiler, program) = ground.prepared(scenario)?;
    for step in &scenario.steps {
        match step {
            Step::Deck(deck) => {
                decks::check(&compiler, ground.made_up(), deck)?;
                verdict.shows(deck.refused.is_none());
            }
            Step::Load(load) => {
                loads::check(ground, &compiler, load)?;
                verdict.shows(load.refused.is_none());
            }
            _ => {}
        }
    }
    if verdict.sort == Sort::Played { played(ground, (compiler, program), scenario, sources, verdict) } else { Ok(()) }
}

fn asserts(step: &Step) -> bool {
    match step {
        Step::Expect(expectations) => !expectations.is_empty(),
        Step::Deck(_) | Step::Load(_) => true,
        Step::Card(_) | Step::Reading(..) | Step::Given(_) | Step::Play(_) => false,
    }
}

/// The errors that a scenario expects.
fn expected_errors(scenario: &Scenario) -> impl Iterator<Item = &Expect> {
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    expectations.flatten().filter(|expect| !expect.negated && matches!(expect.kind, ExpectKind::Error(_)))
}

fn expects(expect: &Expect, code: &str) -> bool {
    matches!(&expect.kind, ExpectKind::Error(name) if name.text == code)
}

fn played(
    ground: &Ground,
    (compiler, program): (Compiler, Arc<Program>),
    scenario: &Scenario,
    sources: &Sources,
    verdict: &mut Verdict,
) -> Result<(), Box<Failure>> {
    let stand = match stand(ground, &compiler, program, scenario) {
        Ok(stand) => stand,
        // A position that is to be refused.
        Err(finding) if expected_errors(scenario).any(|expect| expects(expect, finding.code)) => {
            verdict.shows(false);
            return Ok(());
        }
        Err(finding) => return Err(finding.into()),
    };
    let mut run = Run::new(compiler, ground.made_up(), stand, sources);
    let result = steps(&mut run, scenario, verdict).and_then(|()| header::check(ground, scenario, &run));
    verdict.traced = run.recorder.rules(run.machine.program());
    result
}

/// Puts the position together.
fn stand(ground: &Ground, compiler: &Compiler, program: Arc<Program>, scenario: &Scenario) -> Result<setup::Stand, Diagnostic> {
    let mut givens = scenario.steps.iter().filter_map(|step| if let Step::Given(given) = step { Some(given) } else { None });
    let none = Given::default();
    let given = givens.next().unwrap_or(&none);
    if let Some(second) = givens.next() {
        return Err(Diagnostic::error("E0514", second.span).with("name", "given"));
    }
    let lookup = lookup::Lookup { compiler, made_up: ground.made_up() };
    setup::stand(lookup, program, given, ground.default())
}

fn steps(run: &mut Run<'_>, scenario: &Scenario, verdict: &mut Verdict) -> Result<(), Box<Failure>> {
    let failing = expected_errors(scenario).next().is_some();
    no_rules_error(run, scenario, failing)?;
    for step in &scenario.steps {
        match step {
            Step::Play(plays) => {
                for play in plays {
                    run.play(play).map_err(|finding| run.failure(finding))?;
                    no_rules_error(run, scenario, failing)?;
                }
            }
            Step::Expect(expectations) => {
                for expect in expectations {
                    run.expect(expect).map_err(|finding| run.failure(finding))?;
                    verdict.met += 1;
                }
            }
            _ => {}
        }
    }
    verdict.accepts |= !failing;
    verdict.refuses |= failing;
    Ok(())
}

/// A rules error that no expectation of the scenario speaks of fails it.
fn no_rules_error(run: &Run<'_>, scenario: &Scenario, expected: bool) -> Result<(), Box<Failure>> {
    let Status::Failed(failure) = run.status() else { return Ok(()) };
    if expected {
        return Ok(());
    }
    let place = run.compiler.map().code(failure.at).map(|span| run.place(span)).unwrap_or_default();
    let finding = Diagnostic::error("E0532", scenario.title.span).with("code", failure_code(failure.kind)).with("place", place);
    Err(run.failure(finding))
}

#[cfg(test)]
mod tests;
