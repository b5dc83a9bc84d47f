//! Scenarios: rulings that can be run.
//!
//! Input: a loaded game and the trees of scenarios. Output: a [`Verdict`] for each scenario, with everything that a person needs to see why
//! it failed. A run stops at the first decision without an answer, or at the end of the game. The crate touches no files and no terminals.
//! The crate also answers `why` questions about a position, measures the coverage of a rulebook, and writes a game as a scenario.
//!
//! | file | does |
//! | --- | --- |
//! | `lib.rs` | runs one scenario |
//! | `suite.rs` | all scenarios of a game |
//! | `ground.rs` | the game that scenarios run in |
//! | `known_texts.rs` | printed texts of made-up cards, read once for all scenarios |
//! | `running/` | a scenario while it runs |
//! | `under.rs` | a game under other values of its readings |
//! | `position/` | `given`: the position from which a game goes on |
//! | `checks/` | what is wrong with a scenario before it runs |
//! | `outcome/` | the outcome of a run: its steps, its verdict, a failure in words |
//! | `lookup.rs` | names in a scenario |
//! | `terms.rs` | compiles a scenario's expressions |
//! | `why.rs` | answers `why` questions |
//! | `coverage.rs` | the coverage of a rulebook |
//! | `rulebook.rs` | the index of a rulebook |
//! | `writing/` | writes a position as a scenario |

pub mod checks;
pub mod coverage;
mod ground;
mod known_texts;
mod lookup;
pub mod outcome;
mod position;
pub mod rulebook;
pub mod running;
pub mod suite;
mod terms;
mod under;
pub mod why;
pub mod writing;

pub use ground::{Ground, Printed, ReadTexts, written_value};
pub use outcome::touched::{Touched, conditional_places};
pub use outcome::verdict::{Failure, Played, Sort, Verdict, json};
pub(crate) use position::setup::Aliases;
pub use position::setup::Named;
pub use running::lacking::Lacking;
use running::unasked::Keeps;

use compile::Compiler;
use engine::ids::{Id, StateId};
use engine::machine::Machine;
use engine::program::Type;
use engine::state::{FailureKind, Status};
use engine::value::Value;
use engine::why::Answer;
use lang::diagnostic::{Diagnostic, Sources};
use lang::syntax::ast::{Expect, ExpectKind, Given, Outcome, Scenario, Step, WhyQuestion};
use running::run::Run;
use running::stops::Stops;
use std::sync::Arc;
use tell::rules_error;

/// Runs one scenario of a game. `sources` must have its file.
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
    checks::header::known_rules(ground, scenario)?;
    if let Some(finding) = asserts_nothing(scenario) {
        return Err(finding.into());
    }
    let (compiler, changed) = loaded(ground, scenario, verdict)?;
    if verdict.sort != Sort::Played {
        return Ok(());
    }
    let keeps = Keeps { causes: asks_for_causes(scenario), passes: false };
    let before = verdict.clone();
    let (result, wants) = played(ground, (compiler, changed), scenario, (sources, keeps), verdict);
    // Where rules are broken on purpose, nobody reads why a scenario fails.
    let wants = Keeps { causes: wants.causes && !keeps.causes, passes: wants.passes && ground.checks_headers() };
    if wants == Keeps::default() {
        return result;
    }
    // Recording causes takes a quarter of a run, and few scenarios need causes or positions of passes. So the scenario is run a second
    // time if one does.
    *verdict = before;
    let keeps = Keeps { causes: keeps.causes || wants.causes, passes: wants.passes };
    played(ground, ground.prepared(scenario)?, scenario, (sources, keeps), verdict).0
}

/// The game with the scenario's additions, and whether it has any. The names of the scenario are checked, and its decks and loads.
fn loaded(ground: &Ground, scenario: &Scenario, verdict: &mut Verdict) -> Result<(Compiler, bool), Box<Failure>> {
    let (compiler, changed) = ground.prepared(scenario)?;
    if ground.checks_headers() {
        checks::header::twice(scenario)?;
        if let Some(finding) = checks::names::unknown_said(ground, changed.then_some(&compiler), scenario) {
            return Err(finding.into());
        }
    }
    for step in &scenario.steps {
        match step {
            Step::Deck(deck) => {
                running::decks::check(&compiler, ground.made_up(), deck, ground.language())?;
                verdict.shows(deck.refused.is_none());
            }
            Step::Load(load) if load.outcome != Outcome::Joins => {
                running::loads::check(ground, &compiler, load)?;
                verdict.shows(load.outcome == Outcome::Accepted);
            }
            _ => {}
        }
    }
    Ok((compiler, changed))
}

/// What would stop a scenario before it is played, from the game with its additions to its position. Nothing is run.
fn before_play(ground: &Ground, scenario: &Scenario) -> Result<(), Box<Failure>> {
    let (mut compiler, changed) = loaded(ground, scenario, &mut Verdict::default())?;
    if sort(scenario) != Sort::Played {
        return Ok(());
    }
    compiler.knows_all_words();
    match stand(ground, (&mut compiler, changed), scenario) {
        Err(finding) if !expected_errors(scenario).any(|expect| expects(expect, finding.code)) => Err(finding.into()),
        _ => Ok(()),
    }
}

/// The finding for a scenario without any expectation. None if the scenario has one.
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
        ExpectKind::Why(why) => matches!(why.question, WhyQuestion::Happened(..)),
        ExpectKind::Wins(_) | ExpectKind::Drawn => !expect.because.is_empty(),
        _ => false,
    };
    expectations.flatten().any(causes)
}

/// The rules errors that a scenario expects.
fn expected_errors(scenario: &Scenario) -> impl Iterator<Item = &Expect> {
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    expectations.flatten().filter(|expect| !expect.negated && matches!(expect.kind, ExpectKind::Error(_)))
}

fn expects(expect: &Expect, code: &str) -> bool {
    matches!(&expect.kind, ExpectKind::Error(name) if name.text == code)
}

/// Plays a scenario. The second result says what was needed and not recorded.
fn played(
    ground: &Ground,
    (mut compiler, changed): (Compiler, bool),
    scenario: &Scenario,
    (sources, keeps): (&Sources, Keeps),
    verdict: &mut Verdict,
) -> (Result<(), Box<Failure>>, Keeps) {
    if ground.checks_headers() {
        compiler.knows_all_words();
    }
    let stand = match stand(ground, (&mut compiler, changed), scenario) {
        Ok(stand) => stand,
        // The position is expected to be refused.
        Err(finding) if expected_errors(scenario).any(|expect| expects(expect, finding.code)) => {
            verdict.shows(false);
            return (Ok(()), Keeps::default());
        }
        Err(finding) => return (Err(finding.into()), Keeps::default()),
    };
    let begun = ground.keeps_play().then(|| (Arc::clone(stand.machine.program()), stand.machine.state().clone()));
    let mut run = Run::new(compiler, ground.made_up(), stand, (sources, ground.language()), (keeps, Stops::of(scenario)));
    let result = steps(&mut run, ground, scenario, verdict).and_then(|()| checks::header::check(ground, scenario, &run));
    verdict.traced = run.recorder.rules(run.machine.program());
    verdict.without_step = run.recorder.rules_without_step(run.machine.program());
    verdict.without_step.extend(run.judged.iter().cloned());
    verdict.traced.extend(verdict.without_step.iter().cloned());
    run.go_on();
    let wants = run.wants;
    if ground.tells_all() {
        verdict.touched = Some(Box::new(outcome::touched::touched(&run, scenario)));
    }
    if let Some((program, state)) = begun {
        verdict.play = Some(Box::new(Played { program, state, decisions: writing::decisions(&run), compiler: run.compiler }));
    }
    (result, wants)
}

/// A question put to a scenario, with its answer.
pub struct Put {
    /// The facts.
    pub answer: Answer,
    /// The game with the scenario's cards and the question.
    pub compiler: Compiler,
    /// The machine where the scenario stands.
    pub machine: Machine,
}

/// Plays `at` steps of a scenario (all if none is given) and puts a question to the position.
///
/// # Errors
/// The failure before that step (`E0581` if there are fewer steps), or findings about the question.
pub fn ask(
    ground: &Ground,
    scenario: &Scenario,
    sources: &Sources,
    (question, at): (&WhyQuestion, Option<usize>),
) -> Result<Put, Box<Failure>> {
    let plays = || scenario.steps.iter().filter_map(|step| if let Step::Play(plays) = step { Some(&**plays) } else { None });
    let lines = || plays().flat_map(|plays| &plays.lines);
    let (count, first) = (lines().count(), lines().next().map_or(scenario.title.span, |play| play.span));
    if let Some(at) = at.filter(|at| *at > count) {
        return Err(Diagnostic::error("E0581", first).with("step", at).with("steps", count).into());
    }
    let (mut compiler, changed) = ground.prepared(scenario)?;
    // What the question itself cannot mean is told first.
    let unknown = checks::names::unknown_asked(ground, changed.then_some(&compiler), (scenario, question));
    let stand = stand(ground, (&mut compiler, changed), scenario)?;
    let keeps = Keeps { causes: true, passes: true };
    let mut run = Run::new(compiler, ground.made_up(), stand, (sources, ground.language()), (keeps, Stops::of(scenario)));
    let mut left = at.unwrap_or(count);
    for plays in plays() {
        let played = if left < plays.lines.len() { run.lines(plays, left) } else { run.plays(plays) };
        played.map_err(|finding| run.failure(finding))?;
        left = left.saturating_sub(plays.lines.len());
        if left == 0 && at.is_some() {
            break;
        }
    }
    let answer = run.ask(question)?;
    if let Some(finding) = unknown {
        return Err(finding.into());
    }
    Ok(Put { answer, compiler: run.compiler, machine: run.machine })
}

/// Puts the position together. The compiler also compiles the effects in force there. `changed`: the scenario has already changed the game.
fn stand(ground: &Ground, (compiler, changed): (&mut Compiler, bool), scenario: &Scenario) -> Result<position::setup::Stand, Diagnostic> {
    let mut givens = scenario.steps.iter().filter_map(|step| if let Step::Given(given) = step { Some(given) } else { None });
    let none = Given::default();
    let given = givens.next().map_or(&none, |given| given.as_ref());
    if let Some(second) = givens.next() {
        return Err(Diagnostic::error("E0514", second.span).with("name", "given"));
    }
    let made_up = ground.made_up();
    let plan = position::setup::plan(lookup::Lookup { compiler, made_up }, given, ground.default())?;
    let in_force = position::effects::in_force(compiler, given, &plan.aliases())?;
    let begun: Vec<_> = in_force.iter().map(|(body, _)| *body).collect();
    let waiting = position::waiting::waiting(compiler, made_up, (given, &begun), &plan, &plan.aliases())?;
    // The prepared program can be used only if the scenario adds nothing to it and not every statement is recorded.
    let as_it_is = !changed && in_force.is_empty() && waiting.is_empty() && !ground.tells_all();
    let machine = if as_it_is { ground.machine() } else { ground.machine_of(compiler) };
    let mut stand = position::setup::stand(lookup::Lookup { compiler, made_up }, machine, given, &plan, (&in_force, waiting))?;
    // A broken game may fail its own `must` conditions, so they are not checked there, except if the scenario expects to be refused for
    // one.
    let asks = expected_errors(scenario).any(|expect| expects(expect, position::musts::BROKEN));
    if (ground.checks_headers() || asks) && !given.setup {
        position::musts::hold(compiler, &stand.machine, if given.span.end == 0 { scenario.title.span } else { given.span })?;
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
                // Behind a rules error, no expectation is checked.
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

/// A rules error that no expectation mentions fails the scenario. With rules broken on purpose only an exceeded budget does; the
/// expectations judge the rest.
fn no_rules_error(run: &Run<'_>, ground: &Ground, scenario: &Scenario, expected: bool) -> Result<(), Box<Failure>> {
    let Status::Failed(failure) = run.status() else { return Ok(()) };
    if expected || !ground.checks_headers() && failure.kind != FailureKind::Budget {
        return Ok(());
    }
    let place = run.compiler.map().code(failure.at).map(|span| run.place(span)).unwrap_or_default();
    let error = rules_error(failure, run.machine.program());
    let finding = Diagnostic::error("E0532", scenario.title.span).with("code", error.code).with("place", place);
    let mut finding = finding.with("sentence", error.told(run.language).message);
    finding.args.extend(error.args);
    let undefined = undefined_players(run, scenario);
    Err(run.failure(if undefined.is_empty() { finding } else { finding.with("undefined", undefined.join("`, `")) }))
}

/// The values of players that the game reads and that are undefined in a written position. Often this is a turn player that nobody named.
/// Without a turn player nobody is asked anything, and the flow never ends.
fn undefined_players(run: &Run<'_>, scenario: &Scenario) -> Vec<String> {
    let from_the_setup = scenario.steps.iter().any(|step| matches!(step, Step::Given(given) if given.setup));
    if from_the_setup {
        return Vec::new();
    }
    let (program, board) = (run.machine.program(), &run.machine.state().board);
    let undefined = |at: StateId| board.player_states.get(at.index()).is_some_and(|value| *value == Value::Undefined);
    let kept = program.states.iter().filter(|(_, state)| state.of_game && state.of == Type::Player && state.members.is_none());
    kept.filter(|(at, _)| undefined(*at)).map(|(_, state)| format!("game.{}", state.name.name)).collect()
}

#[cfg(test)]
mod tests;
