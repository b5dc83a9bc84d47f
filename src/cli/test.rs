//! `gyoji test [PATHS]`: runs scenarios and shows those that fail.
//!
//! A path may name one scenario of a file (`FILE:LINE`, `FILE:PART OF THE TITLE`). Without paths: the project's `tests/scenarios`, and the
//! scenario files beside its rules. How a scenario is run is in `scenario/`.
//!
//! | file | does |
//! | --- | --- |
//! | `traced.rs` | `--trace` |

mod traced;

use super::{Context, Exit};
use crate::shared::paths::{each_once, whole};
use crate::shared::which::Which;
use crate::shared::{loading, page, reasons};
use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Severity, Sources};
use lang::syntax::ast::Scenario;
use project::files::{Purpose, bytes};
use project::{self, Game, Places, Project, Taken};
use scenario::outcome::show;
use scenario::suite::{Files, Suite, game_written, without_game};
use scenario::{self, Failure, Verdict};
use std::path::{Path, PathBuf};

/// The arguments of `test`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Files and folders with scenarios; FILE:LINE, FILE:PART OF THE TITLE.
    pub paths: Vec<PathBuf>,
    /// Show every step of each scenario.
    #[arg(long)]
    pub trace: bool,
    /// Another value of a reading: NAME=VALUE.
    #[arg(long, value_name = "NAME=VALUE")]
    pub reading: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match tested(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn tested(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let project = found_project(context)?;
    let chosen: Vec<(PathBuf, Option<Which>)> = args.paths.iter().map(|path| Which::of(path)).collect();
    let paths: Vec<PathBuf> = chosen.iter().map(|(path, _)| path.clone()).collect();
    let files = scenario_files(&paths, project.as_ref()).map_err(|finding| complaint(context, &[finding], &Sources::default()))?;
    let mut tally = Tally::default();
    for ((game, page), files) in by_game(&files, context)? {
        let context = &page.map_or_else(|| context.clone(), |folder| context.with_rules(&folder));
        let mut suite = suite_of(&game, &files, context, project.as_ref())?;
        for (at, reading) in args.reading.iter().enumerate() {
            let name = |reading: &str| reading.split_once('=').map(|(name, _)| name.to_owned());
            if args.reading.iter().take(at).any(|other| name(other) == name(reading)) {
                return Err(complaint(context, &[Diagnostic::global("E0514").with("name", reading)], &Sources::default()));
            }
            set_reading(&mut suite, reading, context)?;
        }
        choose(&mut suite, &chosen).map_err(|finding| complaint(context, &[finding], &suite.sources))?;
        if args.trace {
            suite.ground = suite.ground.keeping_play();
        }
        context.show(&suite.found, &suite.sources);
        tally.broken += suite.found.iter().filter(|finding| finding.severity == Severity::Error).count();
        suite.leave_whole();
        context.show(&suite.warnings_of_additions(true), &suite.sources);
        for verdict in suite.verdicts() {
            tally.count(&verdict);
            traced::show(&verdict, &suite, context);
            show_verdict(&verdict, &suite.sources, context);
        }
    }
    if tally.passed + tally.failed + tally.broken == 0 {
        return Err(complaint(context, &[Diagnostic::global("E0567")], &Sources::default()));
    }
    tally.show(context);
    Ok(if tally.failed + tally.broken == 0 { Exit::Fine } else { Exit::Findings })
}

/// Where a path names single scenarios of a file, keeps only these scenarios.
fn choose(suite: &mut Suite, chosen: &[(PathBuf, Option<Which>)]) -> Result<(), Diagnostic> {
    let Suite { sources, scenarios, .. } = suite;
    for (path, which) in chosen {
        let Some(which) = which else { continue };
        let name = path.display().to_string();
        // The paths may write one file in two ways.
        let file = whole(path);
        let of_file = |scenario: &Scenario| {
            sources.get(scenario.span.file).is_some_and(|source| source.name == name || whole(Path::new(&source.name)) == file)
        };
        let lines: Vec<String> = scenarios.iter().filter(|scenario| of_file(scenario)).map(|scenario| line(scenario, sources)).collect();
        // A file may be named twice, for two of its scenarios.
        let meant = |scenario: &Scenario| {
            let of_path = chosen.iter().filter(|(other, _)| other == path || whole(other) == file);
            of_path.into_iter().any(|(_, which)| which.as_ref().is_none_or(|which| which.fits(scenario, sources)))
        };
        if !lines.is_empty() && !scenarios.iter().any(|scenario| of_file(scenario) && which.fits(scenario, sources)) {
            return Err(Diagnostic::global("E0871").with("file", name).with("lines", lines.join(", ")));
        }
        scenarios.retain(|scenario| !of_file(scenario) || meant(scenario));
    }
    Ok(())
}

fn line(scenario: &Scenario, sources: &Sources) -> String {
    sources.line_column(scenario.span).0.to_string()
}

fn complaint(context: &Context, findings: &[Diagnostic], sources: &Sources) -> Exit {
    context.complain(findings, sources);
    Exit::CouldNotRun
}

/// The project around the current folder.
pub(super) fn found_project(context: &Context) -> Result<Option<Project>, Exit> {
    loading::project_here(context)
}

/// The numbers of passed and failed scenarios.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    /// Errors in scenario files.
    broken: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        if verdict.passed() { self.passed += 1 } else { self.failed += 1 }
    }

    fn show(self, context: &Context) {
        let object = || serde_json::json!({ "kind": "summary", "passed": self.passed, "failed": self.failed, "broken": self.broken });
        let args = [("passed", self.passed.to_string()), ("failed", self.failed.to_string()), ("broken", self.broken.to_string())];
        context.result_in_one_line(object, || context.say(if self.broken == 0 { "test.summary" } else { "test.summary.broken" }, &args));
    }
}

fn show_verdict(verdict: &Verdict, sources: &Sources, context: &Context) {
    let failure = || verdict.failure.iter().for_each(|failure| show_failure(failure, &verdict.title, sources, context));
    context.result(|| scenario::json(verdict, sources, context.language), failure);
}

fn show_failure(failure: &Failure, title: &str, sources: &Sources, context: &Context) {
    context.out(&context.say("test.failed", &[("title", title.to_owned())]));
    context.show(&[reasons::finding(failure, sources, context)], sources);
    for finding in &failure.beneath {
        context.out(&format!("  {} {}", finding.code, finding.told(context.language).message));
    }
    if let Some(situation) = &failure.situation {
        context.out(&show::lines_of(situation, context.language));
    }
}

/// The scenario files that the paths name, in order.
///
/// # Errors
/// [`Diagnostic::unread`] for a path that cannot be read.
pub(crate) fn scenario_files(paths: &[PathBuf], project: Option<&Project>) -> Result<Vec<PathBuf>, Diagnostic> {
    let root = project.map_or_else(PathBuf::new, |project| project.folder.clone());
    let mut files = Vec::new();
    if paths.is_empty() {
        let folders = [root.join("tests").join("scenarios"), root.join("rules")];
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            collect(folder, &mut files)?;
        }
        let pending = project.map(Project::pending).transpose()?.unwrap_or_default();
        files.retain(|file| !pending.contains(file));
    }
    for path in paths.iter().flat_map(|path| crate::shared::paths::of_game(path, project)) {
        if path.is_dir() {
            collect(&path, &mut files)?;
        } else {
            crate::shared::paths::is_there(&path, project)?;
            files.push(path);
        }
    }
    each_once(&mut files);
    Ok(files)
}

/// The scenario files in a folder and its subfolders, in the order of their names.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Diagnostic> {
    files.extend(
        crate::shared::paths::below(folder)?.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "scenarios")),
    );
    Ok(())
}

/// A file's name and bytes.
type File = (String, Vec<u8>);

/// The files of each game, in the order in which the games are first named. A game in a single folder has its folder in the key.
fn by_game(files: &[PathBuf], context: &Context) -> Result<IndexMap<(String, Option<PathBuf>), Vec<File>>, Exit> {
    let mut games: IndexMap<_, Vec<File>> = IndexMap::new();
    for path in files {
        let name = path.display().to_string();
        let bytes = bytes(path, Purpose::Game).map_err(|finding| complaint(context, &[finding], &Sources::default()))?;
        let Some(game) = game_written(&bytes) else {
            let (found, sources) = without_game(&name, &bytes);
            return Err(complaint(context, &found, &sources));
        };
        let page = page::of(path, &game);
        games.entry((game, page)).or_default().push((name, bytes));
    }
    Ok(games)
}

/// A game's suite, still without scenarios. Where the rules came from is printed beside the result.
pub(super) fn suite(name: &str, context: &Context, project: Option<&Project>) -> Result<Suite, Exit> {
    suite_of(name, &[], context, project)
}

/// A game's suite with the scenarios of these files, which are read while the game loads.
fn suite_of(name: &str, files: &[File], context: &Context, project: Option<&Project>) -> Result<Suite, Exit> {
    let places = Places { rules: context.rules.clone(), cards: context.cards.clone(), on: context.on };
    let loaded = project::load_beside(name, &places, project, || Files::read(files));
    let ((game, found), files) = loaded.map_err(|finding| complaint(context, &[finding], &Sources::default()))?;
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(complaint(context, &found, &game.sources));
    }
    say_origin(&game, context);
    let mut suite = Suite::with_files(&game, files);
    suite.ground = suite.ground.with_language(context.language).saying_phrases();
    // The game is not freed: freeing it piece by piece takes longer than many a test.
    std::mem::forget(game);
    Ok(suite)
}

fn say_origin(game: &Game, context: &Context) {
    let from = match &game.rules_from {
        Taken::Named(folder) | Taken::Project(folder) => folder.display().to_string(),
        Taken::Embedded(_) | Taken::Nowhere => context.say("test.embedded", &[]),
    };
    context.aside(&context.say("test.rules", &[("game", game.name.clone()), ("from", from)]));
}

fn set_reading(suite: &mut Suite, reading: &str, context: &Context) -> Result<(), Exit> {
    let Some((name, value)) = reading.split_once('=') else {
        return Err(complaint(context, &[Diagnostic::global("E0565").with("given", reading)], &Sources::default()));
    };
    let ground = suite.ground.clone().with_reading(name, value);
    // The headers describe the rules under the default readings. Under other readings, only the expectations of a scenario are checked.
    suite.ground = ground.map_err(|found| complaint(context, &found, &suite.sources))?.without_header_check();
    Ok(())
}
