//! A project is a folder with a `gyoji.ron`; a command run in it or below it finds it.

use crate::diagnostic::{Diagnostic, Sources};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The file that makes a folder a project.
pub(super) const PROJECT_FILE: &str = "gyoji.ron";

/// The list of scenarios that wait for their rules.
const PENDING_FILE: &str = "pending.txt";

/// The languages of messages.
const LANGUAGES: [&str; 2] = ["ja", "en"];

/// A project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// Its folder.
    pub folder: PathBuf,
    /// Its games; the first is meant where none is named.
    pub games: Vec<String>,
    /// The language of messages (`ja`, `en`), where it chooses one.
    pub language: Option<String>,
}

impl Project {
    /// The scenario files that cannot pass yet, because the rules that they are about are still to be written: those named in
    /// `tests/scenarios/pending.txt`, one a line, from the project's folder (`--` begins a remark). They are left out where no
    /// file is named.
    #[must_use]
    pub fn pending(&self) -> Vec<PathBuf> {
        let list = std::fs::read_to_string(self.folder.join("tests/scenarios").join(PENDING_FILE)).unwrap_or_default();
        let named = list.lines().map(|line| line.split("--").next().unwrap_or("").trim());
        named.filter(|name| !name.is_empty()).map(|name| self.folder.join(name)).collect()
    }
}

/// What `gyoji.ron` holds: `(games: ["duel"], language: "ja")`, every part optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProjectFile {
    games: Vec<String>,
    language: Option<String>,
}

/// The project that `dir` lies in, if any.
///
/// # Errors
/// [`Diagnostic::unread`] when its file cannot be read, `E0824` and `E0852` to `E0857` when it is no RON of that form.
pub fn find(dir: &Path) -> Result<Option<Project>, Diagnostic> {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    // A folder, or a link that leads nowhere, is said to be one: else its rules would be silently left out.
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
    Ok(Some(Project { folder: folder.to_path_buf(), games: file.games, language: file.language }))
}
