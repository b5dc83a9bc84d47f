//! A project is a folder with a `gyoji.ron`. A command finds it from the folder itself and from folders below it.

use crate::diagnostic::{Diagnostic, Sources};
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// The file that makes a folder a project.
pub(super) const PROJECT_FILE: &str = "gyoji.ron";

/// The list of scenarios whose rules are not written yet.
const PENDING_FILE: &str = "pending.txt";

/// The languages of messages.
const LANGUAGES: [&str; 2] = ["ja", "en"];

/// A project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The project's folder.
    pub folder: PathBuf,
    /// The project's games. The first one is used if a command names none.
    pub games: Vec<String>,
    /// The language of messages (`ja`, `en`), if the project chooses one.
    pub language: Option<String>,
}

impl Project {
    /// The scenario files that cannot pass yet, because their rules are not written. They are listed in `tests/scenarios/pending.txt`, one
    /// path a line, relative to the project's folder (`--` begins a comment). They are left out if a command names no files.
    #[must_use]
    pub fn pending(&self) -> Vec<PathBuf> {
        let list = Some(self.folder.join("tests/scenarios").join(PENDING_FILE)).filter(|path| !super::is_something_else(path));
        let list = list.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let named = list.lines().map(|line| line.split("--").next().unwrap_or("").trim());
        named.filter(|name| !name.is_empty()).map(|name| self.folder.join(name)).collect()
    }
}

/// The contents of `gyoji.ron`: `(games: ["duel"], language: "ja")`. All parts are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProjectFile {
    games: Vec<String>,
    language: Option<String>,
}

/// The project around `dir`, if there is one.
///
/// # Errors
/// [`Diagnostic::unread`] if its file cannot be read, `E0824` and `E0852` to `E0857` if it has another form.
pub fn find(dir: &Path) -> Result<Option<Project>, Diagnostic> {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    // A `gyoji.ron` that is a folder or a broken link counts as a project file, so that an error is reported. Otherwise its rules would
    // silently be ignored.
    let is_there = |folder: &&Path| {
        let path = folder.join(PROJECT_FILE);
        path.symlink_metadata().is_ok() && !super::is_something_else(&path)
    };
    let Some(folder) = absolute.ancestors().find(is_there) else { return Ok(None) };
    let path = folder.join(PROJECT_FILE);
    let shown = path.display();
    let bytes = std::fs::read(&path).map_err(|error| Diagnostic::unread(&path, &error))?;
    let mut sources = Sources::default();
    let source = sources.add_bytes(shown.to_string(), &bytes).map_err(|finding| super::placed_in_words(finding, &sources));
    let source = source?;
    let file: ProjectFile = super::ron_text::by_hand(source, &sources).map_err(|finding| super::placed_in_words(finding, &sources))?;
    if let Some(language) = file.language.as_deref().filter(|language| !LANGUAGES.contains(language)) {
        let finding = Diagnostic::global("E0853").with("file", &shown).with("word", language).with("known", LANGUAGES.join("`, `"));
        return Err(finding.suggest(language, LANGUAGES));
    }
    // A game's name is also the name of its folders, so it must be a single folder name.
    let is_name = |game: &&String| matches!(Path::new(game).components().collect::<Vec<_>>().as_slice(), [Component::Normal(name)] if *name == game.as_str());
    if let Some(game) = file.games.iter().find(|game| !is_name(game)) {
        return Err(Diagnostic::global("E0853").with("file", &shown).with("word", game));
    }
    Ok(Some(Project { folder: folder.to_path_buf(), games: file.games, language: file.language }))
}
