//! Every scenario is a test of its own, named `game/file:line title`.

#![allow(clippy::unwrap_used, reason = "a test")]

use gyoji::diagnostic::{Language, Severity, Sources};
use gyoji::project::{self, Places, Project};
use gyoji::scenario::outcome::show;
use gyoji::scenario::suite::{Suite, game_of};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for ((game, page), files) in by_game() {
        match suite(&game, page.clone(), &files) {
            Ok((suite, findings)) => {
                trials.push(Trial::test(
                    format!("{game}: files"),
                    move || if findings.is_empty() { Ok(()) } else { Err(Failed::from(findings)) },
                ));
                trials.extend(scenarios(&game, &Arc::new(suite)));
            }
            Err(why) => trials.push(Trial::test(format!("{game}: rules"), move || Err(Failed::from(why)))),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The conformance suite, and pages that declare what the phrases of a game need. Each folder of these is a game on one page.
const PAGES: [&str; 2] = ["tests/kernel", "tests/fixtures/wording"];

/// A game. If the game is on one page, also its folder.
type Key = (String, Option<PathBuf>);

/// All scenario files, by the game that they name.
fn by_game() -> BTreeMap<Key, Vec<PathBuf>> {
    let mut open = vec![root().join("tests/scenarios"), root().join("rules")];
    open.extend(PAGES.map(|pages| root().join(pages)));
    let mut games: BTreeMap<Key, Vec<PathBuf>> = BTreeMap::new();
    let pending = Project { folder: root().to_owned(), ..Project::default() }.pending().unwrap();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "scenarios") && !pending.contains(&path) {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let page = path.parent().filter(|_| PAGES.iter().any(|pages| path.starts_with(root().join(pages)))).map(Path::to_path_buf);
                games.entry((game_of(&text).unwrap_or("").to_owned(), page)).or_default().push(path);
            }
        }
    }
    games.values_mut().for_each(|files| files.sort());
    games
}

/// The suite of a game with its scenarios, and the findings in their files; or the reason why there is no suite.
fn suite(game: &str, page: Option<PathBuf>, files: &[PathBuf]) -> Result<(Suite, String), String> {
    let is_page = page.is_some();
    // The files of this folder count, not the files that are built into the program.
    let project = Project { folder: root().to_owned(), ..Project::default() };
    let (loaded, found) =
        project::load(game, &Places { rules: page, cards: None, on: None }, Some(&project)).map_err(|finding| format!("{finding:?}"))?;
    let errors = said(found.iter(), &loaded.sources);
    if !errors.is_empty() {
        return Err(errors);
    }
    // A folder without the rules of these scenarios would be an empty game.
    if loaded.program.name != game {
        return Err(format!("the rules are those of `{}`", loaded.program.name));
    }
    let mut suite = Suite::new(&loaded);
    for path in files {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        suite.add(&name, &bytes);
    }
    let errors = said(suite.found.iter(), &suite.sources);
    // Warnings are no errors, but the project's own files shall have none. Nobody plays the micro-games of the conformance pages, so their
    // questions need no labels.
    let mut warnings = loaded.compiler.warnings(&suite.sources, &loaded.own);
    warnings.retain(|finding| !is_page || finding.code != "E0377");
    let warnings = warnings.iter().map(|finding| show::finding_line(finding, &suite.sources, Language::English)).collect::<String>();
    Ok((suite, errors + &warnings))
}

fn said<'f>(found: impl Iterator<Item = &'f gyoji::diagnostic::Diagnostic>, sources: &Sources) -> String {
    let errors = found.filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| show::finding_line(finding, sources, Language::English)).collect::<Vec<_>>().join("")
}

fn scenarios(game: &str, suite: &Arc<Suite>) -> Vec<Trial> {
    let trial = |index: usize| {
        let suite = Arc::clone(suite);
        let scenario = suite.scenarios.get(index)?;
        let file = suite.sources.get(scenario.span.file).map_or("", |source| &source.name);
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = format!("{game}/{stem}:{} {}", suite.sources.line_column(scenario.span).0, scenario.title.text);
        Some(Trial::test(name, move || {
            let Some(scenario) = suite.scenarios.get(index) else { return Ok(()) };
            let verdict = suite.verdict(scenario);
            if verdict.passed() { Ok(()) } else { Err(Failed::from(show::failure(&verdict, &suite.sources, Language::English))) }
        }))
    };
    (0..suite.scenarios.len()).filter_map(trial).collect()
}
