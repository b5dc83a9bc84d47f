//! `gyoji mutants GAME`: breaks the rules on purpose and shows which scenarios notice.
//!
//! | file | does |
//! | --- | --- |
//! | `result.rs` | the results of all breaks, with the marks in the rules |
//! | `store.rs` | stores results while they are found, so that a stopped run can go on |

mod result;
mod store;

use super::{Context, Exit};
use crate::shared::audited::{self, Audited, complaint};
use audit::{Audit, Kind, Mutant, Outcome};
use lang::diagnostic::{Diagnostic, Severity, Span};
use project::fnv1a;
use rayon::prelude::*;
use result::{Results, Row};
use scenario::rulebook::Rulebook;
use std::collections::BTreeSet;
use std::path::PathBuf;
use store::Store;

/// The arguments of `mutants`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
    /// Only places that cite this rule.
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
    /// Only in rules files with this text in their path.
    #[arg(long, value_name = "NAME")]
    pub file: Option<String>,
    /// Fewer percent noticed are findings.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub min: Option<u32>,
    /// Number of threads; by default one for each core.
    #[arg(long, value_parser = crate::shared::arguments::one_or_more::<usize>)]
    pub threads: Option<usize>,
    /// The file of results; else one in the project's `target`.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Show every one, those that are noticed too.
    #[arg(long)]
    pub all: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match mutants(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn mutants(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let audited = audited::load(args.game.as_deref(), &args.scenarios, context)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(crate::shared::arguments::threads(args.threads)).build();
    let pool = pool.map_err(|error| complaint(context, Diagnostic::global("E0820").with("reason", error)))?;
    let store = store(args, &audited, context).map_err(|finding| complaint(context, finding))?;
    let audit = pool.install(|| Audit::new(&audited.game, &audited.suite));
    if let Some(finding) = named_nothing(args, &audit, &audited) {
        return Err(complaint(context, finding));
    }
    let mut found = audited.suite.found.clone();
    let (wanted, left_out) = wanted(args, &audit, &audited);
    let outcomes = pool.install(|| outcomes(&audit, &wanted, &store, context));
    let every_place = (args.rule.is_none() && args.file.is_none()).then_some(left_out);
    let results = pool.install(|| Results::new(&audited, &audit, wanted, outcomes, every_place));
    found.extend(results.found.iter().cloned());
    context.show(&found, &audited.suite.sources);
    show(&results, args, &audited, context);
    if left_out > 0 {
        context.for_people(|| context.aside(&context.say("mutants.left_out", &[("count", left_out.to_string())])));
    }
    let failed = audit.verdicts.iter().filter(|verdict| !verdict.passed()).count();
    if failed > 0 {
        context.for_people(|| context.aside(&context.say("mutants.failed", &[("failed", failed.to_string())])));
    }
    let errors = found.iter().any(|finding| finding.severity == Severity::Error);
    let below = args.min.is_some_and(|min| results.percent() < min);
    Ok(if errors || below { Exit::Findings } else { Exit::Fine })
}

/// The store with earlier results for the same rules and scenarios.
fn store(args: &Args, audited: &Audited, context: &Context) -> Result<Store, Diagnostic> {
    let place = args.results.clone().unwrap_or_else(|| {
        let root = audited.project.as_ref().map_or_else(PathBuf::new, |project| project.folder.clone());
        root.join("target").join("gyoji").join(format!("{}.mutants", audited.game.name))
    });
    let program = this_program();
    let files = audited.suite.sources.iter().flat_map(|(_, source)| [source.name.as_str(), source.text.as_str()]);
    let store = Store::open(&place, fnv1a(std::iter::once(program.as_str()).chain(files)), context.force)?;
    if store.len() > 0 {
        let args = [("count", store.len().to_string()), ("file", place.display().to_string())];
        context.aside(&context.say("mutants.resumed", &args));
    }
    Ok(store)
}

/// Identifies this build of the program, because results of another build do not count.
fn this_program() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata);
    let built = file.map(|file| (file.len(), file.modified().ok()));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), built.ok())
}

/// The finding for a `--rule` that is neither in the index nor cited, or for a `--file` that no rules file fits. Without it, a slip of the
/// finger would give 100 %.
fn named_nothing(args: &Args, audit: &Audit<'_>, audited: &Audited) -> Option<Diagnostic> {
    if let Some(rule) = &args.rule {
        let book = audited.suite.ground.rulebook();
        let cited: BTreeSet<String> = audit.bench.mutants().into_iter().flat_map(|mutant| mutant.rules).collect();
        if !cited.contains(rule) && book.is_none_or(|book| book.get(rule).is_none()) {
            let known: Vec<&str> = book.into_iter().flat_map(Rulebook::ids).chain(cited.iter().map(String::as_str)).collect();
            return Some(Diagnostic::global("E0541").with("rule", rule).suggest(rule, known));
        }
    }
    let wanted = args.file.as_ref()?;
    let names =
        audited.game.sources.iter().map(|(_, source)| source.name.as_str()).filter(|name| name.trim_end_matches('>').ends_with(".rules"));
    let names: Vec<&str> = names.collect();
    (!names.iter().any(|name| name.contains(wanted.as_str())))
        .then(|| Diagnostic::global("E0881").with("name", wanted).suggest(wanted, names))
}

/// The wanted breaks, and the number of breaks that are left out. Breaks in shared wordings are left out if no card of this game prints the
/// phrase, unless the file is named.
fn wanted(args: &Args, audit: &Audit<'_>, audited: &Audited) -> (Vec<Mutant>, usize) {
    let in_file = |mutant: &Mutant| {
        let name = audited.game.sources.get(mutant.site.span.file).map_or("", |source| &source.name);
        args.file.as_ref().is_none_or(|wanted| name.contains(wanted.as_str()))
    };
    let of_rule = |mutant: &Mutant| args.rule.as_ref().is_none_or(|rule| mutant.rules.contains(rule));
    let unread = if args.file.is_some() { Vec::new() } else { audit.unread_shared() };
    let is_read = |mutant: &Mutant| {
        let Span { file, start, end } = mutant.site.span;
        unread.iter().all(|words| words.file != file || start < words.start || words.end < end)
    };
    let asked = audit.bench.mutants().into_iter().filter(|mutant| in_file(mutant) && of_rule(mutant));
    let (wanted, left_out): (Vec<Mutant>, Vec<Mutant>) = asked.partition(is_read);
    (wanted, left_out.len())
}

fn outcomes(audit: &Audit<'_>, wanted: &[Mutant], store: &Store, context: &Context) -> Vec<Outcome> {
    let bar = context.bar(wanted.len() as u64);
    let outcome = |mutant: &Mutant| {
        let key = mutant.key(&audit.suite().sources);
        let outcome = store.get(&key).cloned().unwrap_or_else(|| {
            let outcome = audit.outcome(mutant);
            store.keep(&key, &outcome);
            outcome
        });
        bar.inc(1);
        outcome
    };
    let outcomes = wanted.par_iter().map(outcome).collect();
    bar.finish_and_clear();
    outcomes
}

fn show(results: &Results, args: &Args, audited: &Audited, context: &Context) {
    for row in results.rows.iter().filter(|row| args.all || row.is_missed()) {
        context.result_in_one_line(|| row.json(audited), || line(row, audited, context));
    }
    context.result(|| results.summary(), || show_sums(results, args, context));
}

fn show_sums(results: &Results, args: &Args, context: &Context) {
    if results.rows.iter().any(|row| args.all || row.is_missed()) {
        context.out("");
    }
    for kind in Kind::ALL {
        let of_kind = results.counted(|row| row.mutant.site.kind == kind);
        if of_kind.1 > 0 {
            let args = [("kind", said(kind, context)), ("noticed", of_kind.0.to_string()), ("all", of_kind.1.to_string())];
            context.out(&context.say("mutants.of_kind", &args));
        }
    }
    let mut args = vec![("percent", results.percent().to_string())];
    args.extend(results.numbers().map(|(name, count)| (name, count.to_string())));
    context.out(&context.say("mutants.summary", &args));
}

fn said(kind: Kind, context: &Context) -> String {
    context.say(&format!("mutants.kind.{}", kind.word()), &[])
}

/// A result in one line: `rules/x/turn.rules:12:3 @6-2-1 a statement left out: unnoticed – draw(p, 1)`.
fn line(row: &Row, audited: &Audited, context: &Context) -> String {
    let site = &row.mutant.site;
    let sources = &audited.game.sources;
    let (line, column) = sources.line_column(site.span);
    let name = sources.get(site.span.file).map_or("", |source| &source.name);
    let rules: String = site.cites.iter().map(|id| format!(" @{id}")).collect();
    let text = sources.text(site.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = if text.chars().count() > 60 { text.chars().take(59).chain(['…']).collect() } else { text };
    format!("{name}:{line}:{column}{rules} {}: {} – {text}", said(site.kind, context), row.in_words(context))
}
