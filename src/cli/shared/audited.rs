//! Shared by the commands of the audit: loads a game with its scenarios and the marks in its rules.

use crate::Context;
use crate::Exit;
use crate::shared::page;
use crate::test::{found_project, scenario_files};
use audit::{Mark, marks};
use lang::diagnostic::{Diagnostic, Severity, Sources};
use project::files::{Purpose, bytes};
use project::{self, Game, Places, Project, Taken};
use scenario::suite::{Suite, game_of};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

/// A game with its scenarios.
pub(crate) struct Audited {
    /// The game. It is never freed, because the command ends soon after it has used its game.
    pub game: ManuallyDrop<Game>,
    /// The game's scenarios.
    pub suite: Suite,
    /// The project in which it was found.
    pub project: Option<Project>,
}

/// Loads a game and its scenarios. Without names: the project's first game, and the project's scenarios.
///
/// # Errors
/// The exit code, if there is no such game or its rules have errors. The reason has been shown.
pub(crate) fn load(game: Option<&str>, scenarios: &[PathBuf], context: &Context) -> Result<Audited, Exit> {
    let project = found_project(context)?;
    let first = project.as_ref().and_then(|project| project.games.first().cloned());
    let name = game.map(str::to_owned).or(first).ok_or_else(|| complaint(context, Diagnostic::global("E0566")))?;
    let called = Path::new(&name);
    // A game in a single folder has its scenarios in that folder.
    let beside = if scenarios.is_empty() && called.is_dir() { vec![called.to_path_buf()] } else { scenarios.to_vec() };
    let (name, context) = &page::named(&name, context);
    let places = Places { rules: context.rules.clone(), cards: context.cards.clone(), on: context.on };
    let (game, found) = project::load(name, &places, project.as_ref()).map_err(|finding| complaint(context, finding))?;
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        context.complain(&found, &game.sources);
        return Err(Exit::CouldNotRun);
    }
    say_origin(&game, context);
    let mut suite = Suite::new(&game);
    for path in scenario_files(&beside, project.as_ref()).map_err(|finding| complaint(context, finding))? {
        let shown = path.display().to_string();
        let bytes = bytes(&path, Purpose::Game).map_err(|finding| complaint(context, finding))?;
        if game_of(&String::from_utf8_lossy(&bytes)) == Some(name) {
            suite.add(&shown, &bytes);
        }
    }
    Ok(Audited { game: ManuallyDrop::new(game), suite, project })
}

fn say_origin(game: &Game, context: &Context) {
    let from = match &game.rules_from {
        Taken::Named(folder) | Taken::Project(folder) => folder.display().to_string(),
        Taken::Embedded(_) | Taken::Nowhere => context.say("test.embedded", &[]),
    };
    context.aside(&context.say("test.rules", &[("game", game.name.clone()), ("from", from)]));
}

/// Shows why the command cannot run, and gives its exit code.
pub(crate) fn complaint(context: &Context, finding: Diagnostic) -> Exit {
    context.complain(&[finding], &Sources::default());
    Exit::CouldNotRun
}

impl Audited {
    /// The marks in the game's rules files, and findings about them: `E0570`, `E0571`, and `E0541` for an unknown rule.
    pub(crate) fn marks(&self) -> (Vec<Mark>, Vec<Diagnostic>) {
        let (mut all, mut found) = (Vec::new(), Vec::new());
        for (file, source) in self.game.sources.iter().filter(|(_, source)| source.name.trim_end_matches('>').ends_with(".rules")) {
            let (read, more) = marks(file, &source.text);
            all.extend(read);
            found.extend(more);
        }
        if let Some(book) = self.suite.ground.rulebook() {
            for mark in &all {
                let unknown = mark.rules.iter().filter(|rule| book.get(rule).is_none());
                found.extend(unknown.map(|rule| Diagnostic::error("E0541", mark.span).with("rule", rule).suggest(rule, book.ids())));
            }
        }
        (all, found)
    }
}
