//! Scenarios: rulings that run.
//!
//! Takes a loaded game and the trees of scenarios; gives a [`Verdict`] for each, with everything that a person needs to see why
//! one failed. A run stops at the first decision that is not answered, or at the end of the game. Deliberately absent: files and
//! folders, terminals.

pub mod answers;
pub mod citations;
pub mod coverage;
mod decks;
mod effects;
mod expect;
mod ground;
mod header;
mod lacking;
mod loads;
mod lookup;
mod lots;
mod musts;
mod names;
mod overlay;
mod play;
pub mod rulebook;
mod run;
mod sayings;
mod setup;
pub mod show;
mod situation;
mod stops;
pub mod suite;
mod terms;
mod touched;
pub mod trace;
mod under;
mod verdict;
mod waiting;
pub mod why;
pub mod words;
pub mod written;

pub use ground::{Ground, ReadTexts, written_value};
pub use lacking::Lacking;
pub use names::unknown_names;
pub use setup::{Aliases, Named};
pub use touched::{Touched, conditional_places};
pub use verdict::{AskedShown, Failure, Played, SeatShown, Situation, Sort, Verdict, json, message};

use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Language, Sources, Span, entry, fill};
use crate::engine::limits::{PLAYS, STEP_BUDGET};
use crate::engine::machine::Machine;
use crate::engine::state::{FailureKind, Status};
use crate::engine::why::Answer;
use crate::syntax::ast::{Expect, ExpectKind, Given, Outcome, Scenario, Step, WhyQuestion};
use run::Run;
use std::sync::Arc;
use stops::Stops;

/// The code of a rules error, as `expect { error … }` writes it.
#[must_use]
pub fn failure_code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Budget => "E0601",
        FailureKind::Overflow => "E0602",
        FailureKind::Depth => "E0603",
        FailureKind::NoResult => "E0604",
        FailureKind::Order => "E0605",
        FailureKind::Plays => "E0606",
        FailureKind::Loop => "E0607",
        FailureKind::Joint => "E0608",
        FailureKind::Silencing => "E0609",
        FailureKind::LooksWithin => "E0610",
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
    } else if has(|step| matches!(step, Step::Load(load) if load.outcome != Outcome::Joins)) {
        Sort::Loaded
    } else {
        Sort::Played
    }
}

fn carry_out(ground: &Ground, scenario: &Scenario, sources: &Sources, verdict: &mut Verdict) -> Result<(), Box<Failure>> {
    header::known_rules(ground, scenario)?;
    if let Some(finding) = asserts_nothing(scenario) {
        return Err(finding.into());
    }
    if let Some(finding) = names::unknown_expected(ground, scenario).filter(|_| ground.checks_headers()) {
        return Err(finding.into());
    }
    let (compiler, changed) = ground.prepared(scenario)?;
    for step in &scenario.steps {
        match step {
            Step::Deck(deck) => {
                decks::check(&compiler, ground.made_up(), deck, ground.language())?;
                verdict.shows(deck.refused.is_none());
            }
            Step::Load(load) if load.outcome != Outcome::Joins => {
                loads::check(ground, &compiler, load)?;
                verdict.shows(load.outcome == Outcome::Accepted);
            }
            _ => {}
        }
    }
    if verdict.sort != Sort::Played {
        return Ok(());
    }
    let (causes, before) = (asks_for_causes(scenario), verdict.clone());
    let (result, wants_causes) = played(ground, (compiler, changed), scenario, (sources, causes), verdict);
    if causes || !wants_causes {
        return result;
    }
    // To keep what came from what takes a quarter of a run, and few expectations ask for it: they are looked at in a second one.
    *verdict = before;
    played(ground, ground.prepared(scenario)?, scenario, (sources, true), verdict).0
}

/// That a scenario says nothing that could be wrong; none when it does.
#[must_use]
pub fn asserts_nothing(scenario: &Scenario) -> Option<Diagnostic> {
    (!scenario.steps.iter().any(asserts)).then(|| Diagnostic::error("E0543", scenario.title.span))
}

fn asserts(step: &Step) -> bool {
    match step {
        Step::Expect(expectations) => !expectations.is_empty(),
        Step::Deck(_) => true,
        Step::Load(load) => load.outcome != Outcome::Joins,
        Step::Card(_) | Step::Reading(..) | Step::Given(_) | Step::Play(_) => false,
    }
}

/// Whether a scenario asks what led to an event, or to the end of the game.
fn asks_for_causes(scenario: &Scenario) -> bool {
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    let causes = |expect: &Expect| match &expect.kind {
        ExpectKind::Why(why) => matches!(why.question, WhyQuestion::Happened(_)),
        ExpectKind::Wins(_) | ExpectKind::Drawn => !expect.because.is_empty(),
        _ => false,
    };
    expectations.flatten().any(causes)
}

/// The errors that a scenario expects.
fn expected_errors(scenario: &Scenario) -> impl Iterator<Item = &Expect> {
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    expectations.flatten().filter(|expect| !expect.negated && matches!(expect.kind, ExpectKind::Error(_)))
}

fn expects(expect: &Expect, code: &str) -> bool {
    matches!(&expect.kind, ExpectKind::Error(name) if name.text == code)
}

/// Plays a scenario; and whether an expectation wanted to know what came from what, where that was not kept.
fn played(
    ground: &Ground,
    (mut compiler, changed): (Compiler, bool),
    scenario: &Scenario,
    (sources, causes): (&Sources, bool),
    verdict: &mut Verdict,
) -> (Result<(), Box<Failure>>, bool) {
    let stand = match stand(ground, (&mut compiler, changed), scenario) {
        Ok(stand) => stand,
        // A position that is to be refused.
        Err(finding) if expected_errors(scenario).any(|expect| expects(expect, finding.code)) => {
            verdict.shows(false);
            return (Ok(()), false);
        }
        Err(finding) => return (Err(finding.into()), false),
    };
    let begun = ground.keeps_play().then(|| (Arc::clone(stand.machine.program()), stand.machine.state().clone()));
    let mut run = Run::new(compiler, ground.made_up(), stand, (sources, ground.language()), (causes, Stops::of(scenario)));
    let result = steps(&mut run, ground, scenario, verdict).and_then(|()| header::check(ground, scenario, &run));
    verdict.traced = run.recorder.rules(run.machine.program());
    verdict.traced.extend(run.judged.iter().cloned());
    run.go_on();
    let wants_causes = run.wants_causes;
    if ground.tells_all() {
        verdict.touched = Some(Box::new(touched::touched(&run, scenario)));
    }
    if let Some((program, state)) = begun {
        verdict.play = Some(Box::new(Played { program, state, decisions: written::decisions(&run), compiler: run.compiler }));
    }
    (result, wants_causes)
}

/// A question that was put to a scenario.
pub struct Put {
    /// The facts.
    pub answer: Answer,
    /// The game with the scenario's cards and with the question.
    pub compiler: Compiler,
    /// Where the scenario stands.
    pub machine: Machine,
}

/// Plays so many steps of a scenario (all when none is said) and puts a question to where it stands then.
///
/// # Errors
/// What keeps the scenario from getting so far (`E0581` where it has fewer steps), and what is wrong with the question.
pub fn ask(
    ground: &Ground,
    scenario: &Scenario,
    sources: &Sources,
    (question, span, at): (&WhyQuestion, Span, Option<usize>),
) -> Result<Put, Box<Failure>> {
    let plays = || scenario.steps.iter().filter_map(|step| if let Step::Play(plays) = step { Some(&**plays) } else { None });
    let lines = || plays().flat_map(|plays| &plays.lines);
    let (count, first) = (lines().count(), lines().next().map_or(scenario.title.span, |play| play.span));
    if let Some(at) = at.filter(|at| *at > count) {
        return Err(Diagnostic::error("E0581", first).with("step", at).with("steps", count).into());
    }
    let (mut compiler, changed) = ground.prepared(scenario)?;
    let stand = stand(ground, (&mut compiler, changed), scenario)?;
    let mut run = Run::new(compiler, ground.made_up(), stand, (sources, ground.language()), (true, Stops::of(scenario)));
    let mut left = at.unwrap_or(count);
    for plays in plays() {
        let played = if left < plays.lines.len() { run.lines(plays, left) } else { run.plays(plays) };
        played.map_err(|finding| run.failure(finding))?;
        left = left.saturating_sub(plays.lines.len());
        if left == 0 && at.is_some() {
            break;
        }
    }
    let answer = run.ask(question, span)?;
    Ok(Put { answer, compiler: run.compiler, machine: run.machine })
}

/// Puts the position together; the compiler takes in what is in force there. `changed`: the scenario has changed the game before.
fn stand(ground: &Ground, (compiler, changed): (&mut Compiler, bool), scenario: &Scenario) -> Result<setup::Stand, Diagnostic> {
    let mut givens = scenario.steps.iter().filter_map(|step| if let Step::Given(given) = step { Some(given) } else { None });
    let none = Given::default();
    let given = givens.next().map_or(&none, |given| given.as_ref());
    if let Some(second) = givens.next() {
        return Err(Diagnostic::error("E0514", second.span).with("name", "given"));
    }
    let made_up = ground.made_up();
    let plan = setup::plan(lookup::Lookup { compiler, made_up }, given, ground.default())?;
    let in_force = effects::in_force(compiler, given, &plan.aliases())?;
    let begun: Vec<_> = in_force.iter().map(|(body, _)| *body).collect();
    let waiting = waiting::waiting(compiler, made_up, (given, &begun), &plan, &plan.aliases())?;
    // What a scenario touches is tallied in a program of its own.
    let as_it_is = !changed && in_force.is_empty() && waiting.is_empty() && !ground.tells_all();
    let machine = if as_it_is { ground.machine() } else { ground.machine_of(compiler) };
    let mut stand = setup::stand(lookup::Lookup { compiler, made_up }, machine, given, &plan, (&in_force, waiting))?;
    // A broken game may have broken what has to be so; a scenario that expects to be refused for it asks for just that.
    let asks = expected_errors(scenario).any(|expect| expects(expect, musts::BROKEN));
    if (ground.checks_headers() || asks) && !given.setup {
        musts::hold(compiler, &stand.machine, if given.span.end == 0 { scenario.title.span } else { given.span })?;
    }
    if let Some(budget) = ground.budget() {
        stand.machine.step_budget(budget);
    }
    Ok(stand)
}

fn steps(run: &mut Run<'_>, ground: &Ground, scenario: &Scenario, verdict: &mut Verdict) -> Result<(), Box<Failure>> {
    let failing = expected_errors(scenario).next().is_some();
    no_rules_error(run, ground, scenario, failing)?;
    for step in &scenario.steps {
        match step {
            Step::Play(plays) => {
                let played = run.plays(plays);
                // Behind a rules error nothing is asked.
                no_rules_error(run, ground, scenario, failing)?;
                played.map_err(|finding| run.failure(finding))?;
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

/// A rules error that no expectation of the scenario speaks of fails it. Where the rules were broken on purpose the expectations judge
/// what came of it, but for a budget that was passed.
fn no_rules_error(run: &Run<'_>, ground: &Ground, scenario: &Scenario, expected: bool) -> Result<(), Box<Failure>> {
    let Status::Failed(failure) = run.status() else { return Ok(()) };
    if expected || !ground.checks_headers() && failure.kind != FailureKind::Budget {
        return Ok(());
    }
    let place = run.compiler.map().code(failure.at).map(|span| run.place(span)).unwrap_or_default();
    let finding = Diagnostic::error("E0532", scenario.title.span).with("code", failure_code(failure.kind)).with("place", place);
    Err(run.failure(finding.with("sentence", failure_sentence(failure.kind, run.language))))
}

/// What a rules error says, in one line.
fn failure_sentence(kind: FailureKind, language: Language) -> String {
    let args = [("budget", STEP_BUDGET.to_string()), ("most", PLAYS.to_string())];
    entry(failure_code(kind), language).and_then(|entry| fill(&entry.message, &args)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
