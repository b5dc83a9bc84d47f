//! `gyoji rule GAME ID`: shows a rule and everything that cites it. `gyoji rule GAME --against NEW.tsv`: compares with a new edition of the
//! rulebook. `gyoji rule import FILE`: makes an index from a numbered text.
//!
//! | file | does |
//! | --- | --- |
//! | `against.rs` | `--against NEW.tsv` |
//! | `import.rs` | `rule import FILE` |

mod against;
mod import;

use super::{Context, Exit};
use crate::shared::audited::{self, Audited, complaint};
use audit::{Audit, Standing, shown_by, standing};
use lang::diagnostic::{Diagnostic, Span};
use scenario::rulebook::{Row, Rulebook};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The arguments of `rule`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// A game and a rule's number, one of both, or `import` and a file.
    #[arg(num_args = 0..=2)]
    pub what: Vec<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
    /// The index of a new edition.
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Write the new numbers into all files.
    #[arg(long, requires = "against")]
    pub renumber: bool,
    /// The numbering of a text that is imported.
    #[arg(long, value_name = "PATTERN")]
    pub scheme: Vec<String>,
    /// Where the index is written; else it is printed.
    #[arg(long, value_name = "FILE")]
    pub to: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    let done = match (args.what.as_slice(), &args.against) {
        ([word, file], None) if word == "import" => import::run(file, args, context),
        _ if args.to.is_some() || !args.scheme.is_empty() => {
            Err(complaint(context, Diagnostic::global("E0820").with("reason", context.say("misuse.import", &[]))))
        }
        ([] | [_], Some(new)) => against::run(args.what.first().map(String::as_str), new, args, context),
        ([id], None) => one(None, id, args, context),
        ([game, id], None) => one(Some(game), id, args, context),
        _ => Err(complaint(context, Diagnostic::global("E0576"))),
    };
    match done {
        Ok(exit) | Err(exit) => exit,
    }
}

/// The game's index of rules.
fn book<'a>(audited: &'a Audited, context: &Context) -> Result<&'a Rulebook, Exit> {
    let none = || complaint(context, Diagnostic::global("E0547").with("game", &audited.game.name));
    audited.suite.ground.rulebook().ok_or_else(none)
}

fn one(game: Option<&str>, id: &str, args: &Args, context: &Context) -> Result<Exit, Exit> {
    let mut audited = audited::load(game, &args.scenarios, context)?;
    let id = id.trim_start_matches('@');
    // Only scenarios that name the rule are run. Running all of them takes seconds.
    let naming: BTreeSet<usize> = standing(&audited.game, &audited.suite, id).scenarios.into_iter().map(|(at, _)| at).collect();
    audited.suite.leave_only(|at| naming.contains(&at));
    let book = book(&audited, context)?;
    let Some(row) = book.get(id) else {
        let finding = Diagnostic::global("E0541").with("rule", id).suggest(id, book.ids());
        return Err(complaint(context, finding));
    };
    let standing = standing(&audited.game, &audited.suite, id);
    let audit = Audit::new(&audited.game, &audited.suite);
    let shown = shown_by(&audit, book, &audit.bench.mutants(), id);
    let by = shown.as_ref().map(|proof| proof.scenario.as_str());
    let people = || show(id, row, &standing, by, (&audited, &audit), context);
    context.result(|| as_json(id, row, &standing, by, &audited), people);
    Ok(Exit::Fine)
}

fn show(id: &str, row: &Row, standing: &Standing<'_>, by: Option<&str>, (audited, audit): (&Audited, &Audit<'_>), context: &Context) {
    let absent = if row.absent { " absent" } else { "" };
    context.out(&format!("@{id} {}{absent} – {}", row.class.word(), row.text));
    if row.absent {
        context.out(&context.say("rule.absent", &[]));
    }
    if !row.why.is_empty() {
        context.out(&format!("  {}", row.why));
    }
    under("rule.cited", standing.cited.iter().map(|span| format!("{} {}", place(*span, audited), line_of(*span, audited))), context);
    let named = standing.scenarios.iter().filter_map(|(at, header)| {
        let (scenario, verdict) = (audited.suite.scenarios.get(*at)?, audit.verdicts.get(*at)?);
        let key = match (verdict.passed(), by == Some(scenario.title.text.as_str()), header) {
            (false, ..) => "rule.scenario.fails",
            (true, true, _) => "rule.scenario.shows",
            (true, false, true) => "rule.scenario.names",
            (true, false, false) => "rule.scenario.mentions",
        };
        let words = context.say(key, &[("title", scenario.title.text.clone())]);
        Some(format!("{} {words}", place(scenario.span, audited)))
    });
    under("rule.scenarios", named, context);
    let readings = standing.readings.iter().map(|reading| {
        let why = reading.head.label.as_ref().map_or("", |label| label.text.as_str());
        format!("{} {}: {why}", place(reading.head.span, audited), reading.head.name.text)
    });
    under("rule.readings", readings, context);
}

/// Prints a heading with lines under it, or nothing if there are no lines.
fn under(key: &str, lines: impl Iterator<Item = String>, context: &Context) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    context.out(&context.say(key, &[]));
    for line in lines {
        context.out(&format!("  {line}"));
    }
}

/// A place: `rules/x/turn.rules:12`.
fn place(span: Span, audited: &Audited) -> String {
    let sources = &audited.suite.sources;
    format!("{}:{}", sources.get(span.file).map_or("", |source| &source.name), sources.line_column(span).0)
}

/// The line at a place.
fn line_of(span: Span, audited: &Audited) -> &str {
    let text = audited.suite.sources.get(span.file).map_or("", |source| source.text.as_str());
    let start = text.get(..span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("").trim()
}

fn as_json(id: &str, row: &Row, standing: &Standing<'_>, shown: Option<&str>, audited: &Audited) -> serde_json::Value {
    let title = |at: &usize| audited.suite.scenarios.get(*at).map(|scenario| scenario.title.text.as_str());
    serde_json::json!({
        "kind": "rule",
        "id": id,
        "class": row.class,
        "absent": row.absent,
        "text": row.text,
        "why": row.why,
        "cited": standing.cited.iter().map(|span| place(*span, audited)).collect::<Vec<_>>(),
        "scenarios": standing.scenarios.iter().filter_map(|(at, header)| {
            let scenario = audited.suite.scenarios.get(*at)?;
            Some(serde_json::json!({ "title": title(at), "place": place(scenario.span, audited), "header": header }))
        }).collect::<Vec<_>>(),
        "shown_by": shown,
        "readings": standing.readings.iter().map(|reading| reading.head.name.text.as_str()).collect::<Vec<_>>(),
    })
}
