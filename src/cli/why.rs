//! `gyoji why SCENARIO --at STEP 'QUESTION'`: shows where a value comes from, what prevents an action, or what led to an event.

use super::{Context, Exit, test};
use crate::shared::audited::complaint;
use crate::shared::{page, reasons};
use lang::diagnostic::{Diagnostic, Severity, Span};
use lang::syntax::ast::{Scenario, Step};
use lang::syntax::parse_question;
use project::files::{Purpose, bytes};
use scenario::suite::{Suite, game_written, without_game};
use scenario::{self, Put};
use std::path::Path;

/// The arguments of `why`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// FILE:LINE, or FILE:PART OF THE TITLE.
    pub scenario: String,
    /// `value x.power`, `can lay "X"`, `happened take(a)`.
    pub question: String,
    /// After so many play steps.
    #[arg(long, value_name = "STEP")]
    pub at: Option<usize>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match answered(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answered(args: &Args, context: &Context) -> Result<Exit, Exit> {
    // A title may contain a colon. The ending of a file cannot.
    let (file, which) = match args.scenario.split_once(".scenarios:") {
        Some((file, which)) => (format!("{file}.scenarios"), which),
        None => (args.scenario.clone(), ""),
    };
    let mut suite = suite_of(&file, context)?;
    let scenario = chosen(&suite, which, &args.scenario, context)?.clone();
    let at = suite.sources.add("question", &args.question);
    let (question, found) = parse_question(at, &args.question);
    let broken = |findings: &[Diagnostic], suite: &Suite| {
        context.complain(findings, &suite.sources);
        Exit::CouldNotRun
    };
    let Some(question) = question.filter(|_| !found.iter().any(|finding| finding.severity == Severity::Error)) else {
        return Err(broken(&found, &suite));
    };
    let put = scenario::ask(&suite.ground, &scenario, &suite.sources, (&question, args.at));
    let put = put.map_err(|failure| {
        let exit = broken(&[reasons::finding(&failure, &suite.sources, context)], &suite);
        say_earlier(&scenario, failure.diagnostic.span, args.at, context);
        exit
    })?;
    show(&put, &scenario, &suite, args, context);
    Ok(Exit::Fine)
}

/// Says how to ask before the answer that the scenario could not give.
fn say_earlier(scenario: &Scenario, failed: Option<Span>, asked_at: Option<usize>, context: &Context) {
    let plays = scenario.steps.iter().filter_map(|step| if let Step::Play(plays) = step { Some(&plays.lines) } else { None });
    let inside = |outer: Span, span: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let step = failed.and_then(|failed| plays.flatten().position(|play| inside(play.span, failed)));
    if let Some(step) = step.filter(|step| asked_at.is_none_or(|at| at > *step)) {
        context.aside(&context.say("why.earlier", &[("step", step.to_string())]));
    }
}

fn show(put: &Put, scenario: &Scenario, suite: &Suite, args: &Args, context: &Context) {
    let at = (&put.compiler, put.machine.state());
    let object = || reasons::with_reasons(at, &suite.sources, context, |reasons| reasons.object(&put.answer));
    let steps: usize = scenario.steps.iter().map(|step| if let Step::Play(plays) = step { plays.lines.len() } else { 0 }).sum();
    let step = args.at.unwrap_or(steps);
    let title = [("title", scenario.title.text.clone()), ("step", step.to_string()), ("steps", steps.to_string())];
    context.result(object, || {
        context.aside(&context.say("why.step", &title));
        for line in reasons::with_reasons(at, &suite.sources, context, |reasons| reasons.lines(&put.answer)) {
            context.out(&line);
        }
    });
}

/// The game of a scenario file, with that file's scenarios.
fn suite_of(file: &str, context: &Context) -> Result<Suite, Exit> {
    let project = test::found_project(context)?;
    let bytes = bytes(Path::new(file), Purpose::Game).map_err(|finding| complaint(context, finding))?;
    let Some(game) = game_written(&bytes) else {
        let (found, sources) = without_game(file, &bytes);
        context.complain(&found, &sources);
        return Err(Exit::CouldNotRun);
    };
    let mut suite = test::suite(&game, &page::beside(Path::new(file), &game, context), project.as_ref())?;
    suite.add(file, &bytes);
    if suite.found.iter().any(|finding| finding.severity == Severity::Error) {
        context.complain(&suite.found, &suite.sources);
        return Err(Exit::CouldNotRun);
    }
    Ok(suite)
}

/// The scenario at a line, or the one with this text in its title. Without either, the only scenario of the file.
fn chosen<'s>(suite: &'s Suite, which: &str, called: &str, context: &Context) -> Result<&'s Scenario, Exit> {
    let line_of = |scenario: &Scenario, end: bool| {
        let at = if end { Span { start: scenario.span.end.saturating_sub(1), ..scenario.span } } else { scenario.span };
        suite.sources.line_column(at).0
    };
    let line = which.parse::<usize>().ok();
    let fits = |scenario: &&Scenario| match line {
        Some(line) => line_of(scenario, false) <= line && line <= line_of(scenario, true),
        None => scenario.title.text.contains(which),
    };
    let found: Vec<&Scenario> = suite.scenarios.iter().filter(fits).collect();
    let exact = found.iter().find(|scenario| scenario.title.text == which).copied();
    match (found.as_slice(), exact) {
        ([only], _) => Ok(*only),
        (_, Some(exact)) => Ok(exact),
        ([], _) => {
            let titles = suite.scenarios.iter().map(|scenario| scenario.title.text.as_str());
            Err(complaint(context, Diagnostic::global("E0582").with("called", called).suggest(which, titles)))
        }
        (several, _) => {
            let places: Vec<String> = several.iter().take(5).map(|scenario| line_of(scenario, false).to_string()).collect();
            let finding = Diagnostic::global("E0583").with("called", called).with("count", several.len());
            Err(complaint(context, finding.with("places", places.join(", "))))
        }
    }
}
