//! `gyoji coverage GAME`: what of the rulebook the scenarios show.

use super::test::{found_project, scenario_files, suite};
use super::{Context, Exit};
use crate::diagnostic::{Diagnostic, Severity, Sources};
use crate::project::Project;
use crate::scenario::coverage::{Count, Coverage, Degree, Evidence, coverage, wrong_citations};
use crate::scenario::suite::{Suite, game_of};
use std::path::PathBuf;

/// What `coverage` is told.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
    /// Fewer percent shown are findings.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub min: Option<u32>,
    /// Show every row, the shown ones too.
    #[arg(long)]
    pub all: bool,
}

/// Judges and shows the coverage.
pub fn run(args: &Args, context: &Context) -> Exit {
    match covered(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn covered(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let project = found_project(context)?;
    let first = project.as_ref().and_then(|project| project.games.first().cloned());
    let name = args.game.clone().or(first).ok_or_else(|| complaint(context, Diagnostic::global("E0566")))?;
    let suite = filled(&name, args, context, project.as_ref())?;
    let Some(book) = suite.ground.rulebook() else { return Err(complaint(context, Diagnostic::global("E0547").with("game", name))) };
    let verdicts = suite.verdicts();
    let mut found = suite.found.clone();
    found.extend(wrong_citations(book, &suite.citations()));
    let coverage = coverage(book, &Evidence { cited: &suite.cited(), verdicts: &verdicts });
    context.show(&found, &suite.sources);
    show(&coverage, args, context);
    let failed = verdicts.iter().filter(|verdict| !verdict.passed()).count();
    if failed > 0 && !context.json() {
        context.aside(&context.say("coverage.failed", &[("failed", failed.to_string())]));
    }
    let errors = found.iter().any(|finding| finding.severity == Severity::Error);
    let below = args.min.is_some_and(|min| coverage.total.percent() < min);
    Ok(if errors || below { Exit::Findings } else { Exit::Fine })
}

fn complaint(context: &Context, finding: Diagnostic) -> Exit {
    context.complain(&[finding], &Sources::default());
    Exit::CouldNotRun
}

/// The game's suite with the scenarios that are of this game.
fn filled(name: &str, args: &Args, context: &Context, project: Option<&Project>) -> Result<Suite, Exit> {
    let mut suite = suite(name, context, project)?;
    let files = scenario_files(&args.scenarios, project).map_err(|finding| complaint(context, finding))?;
    for path in files {
        let shown = path.display().to_string();
        let unread = |error: std::io::Error| complaint(context, Diagnostic::global("E0822").with("file", &shown).with("reason", error));
        let bytes = std::fs::read(&path).map_err(unread)?;
        if game_of(&String::from_utf8_lossy(&bytes)) == Some(name) {
            suite.add(&shown, &bytes);
        }
    }
    Ok(suite)
}

fn show(coverage: &Coverage, args: &Args, context: &Context) {
    if context.json() {
        let rows = coverage.rows.iter().filter_map(|row| serde_json::to_value(row).ok());
        rows.for_each(|row| context.out_json(&row));
        let (chapters, classes) = (&coverage.chapters, &coverage.classes);
        return context
            .out_json(&serde_json::json!({ "kind": "summary", "chapters": chapters, "classes": classes, "total": coverage.total }));
    }
    for row in coverage.rows.iter().filter(|row| args.all || row.degree != Degree::Shown) {
        let absent = if row.absent { " absent" } else { "" };
        context.out(&format!("@{} {}{absent}: {} – {}", row.id, row.class.word(), degree(row.degree, context), row.text));
    }
    context.out("");
    for (chapter, count) in &coverage.chapters {
        context.out(&totals(&context.say("coverage.chapter", &[("chapter", chapter.clone())]), count, context));
    }
    for (class, count) in &coverage.classes {
        context.out(&totals(class.word(), count, context));
    }
    context.out(&totals(&context.say("coverage.all", &[]), &coverage.total, context));
}

fn degree(degree: Degree, context: &Context) -> String {
    context.say(&format!("coverage.{}", degree.word().replace(' ', "_")), &[])
}

fn totals(of: &str, count: &Count, context: &Context) -> String {
    let counts =
        [(Degree::Shown, count.shown), (Degree::Traced, count.traced), (Degree::Cited, count.cited), (Degree::Missing, count.missing)];
    let parts: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(which, n)| format!("{n} {}", degree(*which, context))).collect();
    format!("{of}: {}/{} ({} %) – {}", count.shown, count.all(), count.percent(), parts.join(", "))
}
