//! `gyoji coverage GAME`: which rules of the rulebook the scenarios show, and which parts of the rules files no scenario reaches.

use super::{Context, Exit};
use crate::shared::audited::{self, Audited, complaint};
use audit::{Audit, Dead, Gap, Kind, Mutant, Proof, dead, gap, shown};
use lang::diagnostic::{Diagnostic, Severity, Span};
use report::{Beside, coverage_page};
use scenario::coverage::{Count, Coverage, Covered, Degree, Evidence, coverage};
use scenario::rulebook::{Class, Rulebook};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments of `coverage`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
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
    /// Only look at what the scenarios carry out; break nothing.
    #[arg(long)]
    pub traced: bool,
}

/// The results of the command.
struct Found {
    coverage: Coverage,
    proofs: BTreeMap<String, Proof>,
    /// For each other row, why it is not shown. Empty if nothing was broken.
    gaps: BTreeMap<String, Gap>,
    mutants: Vec<Mutant>,
    dead: Dead,
    failed: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match covered(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn covered(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let audited = audited::load(args.game.as_deref(), &args.scenarios, context)?;
    let suite = &audited.suite;
    let no_book = || complaint(context, Diagnostic::global("E0547").with("game", &audited.game.name));
    let book = suite.ground.rulebook().ok_or_else(no_book)?;
    let found = if args.traced { by_trace(&audited, book) } else { by_breaking(&audited, book, context) };
    let mut wrong = suite.found.clone();
    wrong.extend(suite.wrong_citations());
    if context.is_page() {
        context.complain(&wrong, &suite.sources);
        let note = args.traced.then(|| context.say("coverage.traced", &[]));
        let beside = Beside {
            proofs: proofs_in_words(&found, &audited, context),
            lists: alone(&found.dead, &audited, context).into_iter().chain([unread_shared(&found.dead, &audited, context)]).collect(),
            note,
        };
        context.out(&coverage_page(&audited.game.name, &found.coverage, &beside, context.words()));
    } else {
        context.show(&wrong, &suite.sources);
        show(&found, args, &audited, context);
    }
    if found.failed > 0 {
        context.for_people(|| context.aside(&context.say("coverage.failed", &[("failed", found.failed.to_string())])));
    }
    let errors = wrong.iter().any(|finding| finding.severity == Severity::Error);
    let below = args.min.is_some_and(|min| found.coverage.total.percent() < min);
    Ok(if errors || below { Exit::Findings } else { Exit::Fine })
}

fn by_trace(audited: &Audited, book: &Rulebook) -> Found {
    let verdicts = audited.suite.verdicts();
    let coverage = coverage(book, &Evidence { cited: &audited.suite.cited(), verdicts: &verdicts });
    let failed = verdicts.iter().filter(|verdict| !verdict.passed()).count();
    Found { coverage, proofs: BTreeMap::new(), gaps: BTreeMap::new(), mutants: Vec::new(), dead: Dead::default(), failed }
}

fn by_breaking(audited: &Audited, book: &Rulebook, context: &Context) -> Found {
    let audit = Audit::new(&audited.game, &audited.suite);
    let mutants = audit.bench.mutants();
    let rows = book.iter().filter(|(_, row)| row.class != Class::None).count();
    let bar = context.bar(rows as u64);
    let (coverage, proofs) = shown(&audit, book, &mutants, &|| bar.inc(1));
    bar.finish_and_clear();
    let failed = audit.verdicts.iter().filter(|verdict| !verdict.passed()).count();
    let open = coverage.rows.iter().filter(|row| row.degree != Degree::Shown);
    let gaps = open.map(|row| (row.id.clone(), gap(&audit, book, &mutants, &row.id))).collect();
    // If a mark says that a break makes no difference, no scenario has to show the place.
    let (marks, _) = audited.marks();
    let marked = |mutant: &Mutant| marks.iter().any(|mark| mark.covers(mutant, &audited.suite.sources));
    let marked = mutants.iter().enumerate().filter(|(_, mutant)| mutant.site.kind == Kind::LeftOut && marked(mutant)).map(|(at, _)| at);
    let settled = proofs.values().filter_map(|proof| proof.mutant).chain(marked).collect();
    let dead = dead(&audit, &mutants, &settled);
    Found { coverage, proofs, gaps, mutants, dead, failed }
}

/// For each shown row: the scenario, and the break in the rules that makes it fail.
fn proofs_in_words(found: &Found, audited: &Audited, context: &Context) -> BTreeMap<String, String> {
    let in_words = |proof: &Proof| {
        let scenario = ("scenario", proof.scenario.clone());
        match proof.mutant.and_then(|at| found.mutants.get(at)) {
            None => context.say("coverage.proof.absent", &[scenario]),
            Some(mutant) => {
                let kind = context.say(&format!("mutants.kind.{}", mutant.site.kind.word()), &[]);
                context.say("coverage.proof", &[scenario, ("kind", kind), ("place", place(mutant.site.span, audited))])
            }
        }
    };
    found.proofs.iter().map(|(id, proof)| (id.clone(), in_words(proof))).collect()
}

/// A place: `rules/x/turn.rules:12`.
fn place(span: Span, audited: &Audited) -> String {
    let sources = &audited.suite.sources;
    format!("{}:{}", sources.get(span.file).map_or("", |source| &source.name), sources.line_column(span).0)
}

fn show(found: &Found, args: &Args, audited: &Audited, context: &Context) {
    let proofs = proofs_in_words(found, audited, context);
    for row in &found.coverage.rows {
        let people = || {
            if row.degree == Degree::Shown && !args.all {
                return;
            }
            let absent = if row.absent { " absent" } else { "" };
            context.out(&format!("@{} {}{absent}: {} – {}", row.id, row.class.word(), degree(row.degree, context), row.text));
            if let Some(proof) = proofs.get(&row.id) {
                context.out(&format!("    {proof}"));
            }
            if let Some(gap) = found.gaps.get(&row.id) {
                context.out(&format!("    {}", context.say(&format!("coverage.gap.{}", gap.word()), &[])));
            }
        };
        context.result(|| row_object(row, found, audited), people);
    }
    context.result(|| alone_object(&found.dead, audited), || show_alone(&found.dead, args, audited, context));
    context.result(|| summary_object(&found.coverage, args), || show_summary(&found.coverage, args, audited, context));
}

fn show_alone(dead: &Dead, args: &Args, audited: &Audited, context: &Context) {
    for (title, places) in alone(dead, audited, context).into_iter().filter(|(_, places)| !places.is_empty()) {
        context.out("");
        context.out(&title);
        places.iter().for_each(|place| context.out(&format!("    {place}")));
    }
    let apart = unread_shared(dead, audited, context);
    if !dead.unread_shared.is_empty() {
        context.out("");
        context.out(&apart.0);
        apart.1.iter().filter(|_| args.all).for_each(|place| context.out(&format!("    {place}")));
    }
}

fn show_summary(coverage: &Coverage, args: &Args, audited: &Audited, context: &Context) {
    context.out("");
    for (chapter, count) in &coverage.chapters {
        context.out(&totals(&context.say("coverage.chapter", &[("chapter", chapter.clone())]), count, context));
    }
    for (class, count) in &coverage.classes {
        context.out(&totals(class.word(), count, context));
    }
    context.out(&totals(&context.say("coverage.all", &[]), &coverage.total, context));
    let otherwise = audited.suite.ground.rulebook().map_or(0, |book| book.iter().filter(|(_, row)| !row.why.is_empty()).count());
    if otherwise > 0 {
        context.out(&context.say("coverage.otherwise", &[("count", otherwise.to_string())]));
    }
    if args.traced {
        context.out(&context.say("coverage.traced", &[]));
    }
}

fn row_object(row: &Covered, found: &Found, audited: &Audited) -> serde_json::Value {
    let Ok(serde_json::Value::Object(mut object)) = serde_json::to_value(row) else { return serde_json::Value::Null };
    object.insert("kind".to_owned(), "row".into());
    if let Some(proof) = found.proofs.get(&row.id) {
        let mutant = proof.mutant.and_then(|at| found.mutants.get(at));
        let broken = mutant.map(|mutant| serde_json::json!({ "break": mutant.site.kind, "place": place(mutant.site.span, audited) }));
        object.insert("shown_by".to_owned(), serde_json::json!({ "scenario": proof.scenario, "broken": broken }));
    }
    object.into()
}

fn alone_object(dead: &Dead, audited: &Audited) -> serde_json::Value {
    let places = |spans: &[Span]| spans.iter().map(|span| place(*span, audited)).collect::<Vec<_>>();
    serde_json::json!({
        "kind": "alone",
        "uncited": places(&dead.uncited),
        "untaken": places(&dead.untaken),
        "never_false": places(&dead.never_false),
        "idle": places(&dead.idle),
        "unread": places(&dead.unread),
        "unread_shared": places(&dead.unread_shared),
    })
}

fn summary_object(coverage: &Coverage, args: &Args) -> serde_json::Value {
    serde_json::json!({
        "kind": "summary",
        "broken": !args.traced,
        "chapters": coverage.chapters,
        "classes": coverage.classes,
        "total": coverage.total,
    })
}

/// Parts of the rules without citation, never carried out, or never read. Each list has a title and its places.
fn alone(dead: &Dead, audited: &Audited, context: &Context) -> Vec<(String, Vec<String>)> {
    let lists = [
        ("coverage.uncited", &dead.uncited),
        ("coverage.untaken", &dead.untaken),
        ("coverage.never_false", &dead.never_false),
        ("coverage.idle", &dead.idle),
        ("coverage.unread", &dead.unread),
    ];
    lists.into_iter().map(|(key, spans)| listed(key, spans, audited, context)).collect()
}

/// Templates of shared modules that this game does not use.
fn unread_shared(dead: &Dead, audited: &Audited, context: &Context) -> (String, Vec<String>) {
    listed("coverage.unread_shared", &dead.unread_shared, audited, context)
}

/// A title with its places, each with the first line of its text.
fn listed(key: &str, spans: &[Span], audited: &Audited, context: &Context) -> (String, Vec<String>) {
    let sources = &audited.suite.sources;
    let told = |span: &Span| format!("{} {}", place(*span, audited), sources.text(*span).lines().next().unwrap_or("").trim_end());
    (context.say(key, &[("count", spans.len().to_string())]), spans.iter().map(told).collect())
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
