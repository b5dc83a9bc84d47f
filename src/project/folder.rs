//! A project is a folder with a `gyoji.ron`. A command finds it from the folder itself and from folders below it.

use super::files::{self, Purpose};
use lang::diagnostic::{Diagnostic, FileId, Sources};
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
    /// Where the project file names a game: `gyoji.ron:1:10`.
    #[must_use]
    pub fn place_of(&self, game: &str) -> Option<String> {
        self.games.iter().any(|name| name == game).then_some(())?;
        let path = self.folder.join(PROJECT_FILE);
        let mut sources = Sources::default();
        let file = read(&path, &mut sources).ok()?;
        let start = sources.get(file)?.text.find(&format!("\"{game}\""))?;
        let start = u32::try_from(start).ok()?;
        let (line, column) = sources.line_column(lang::diagnostic::Span { file, start, end: start });
        Some(format!("{PROJECT_FILE}:{line}:{column}"))
    }

    /// The scenario files that cannot pass yet, because their rules are not written. They are listed in `tests/scenarios/pending.txt`, one
    /// path a line, relative to the project's folder (`--` begins a comment). They are left out if a command names no files.
    ///
    /// # Errors
    /// [`Diagnostic::unread`] and the findings of an encoding if the list cannot be read, `E0886` for a line that names no scenario file.
    pub fn pending(&self) -> Result<Vec<PathBuf>, Diagnostic> {
        let list = self.folder.join("tests/scenarios").join(PENDING_FILE);
        if list.symlink_metadata().is_err() {
            return Ok(Vec::new());
        }
        let mut sources = Sources::default();
        let source = read(&list, &mut sources)?;
        let text = sources.get(source).map_or("", |source| source.text.as_str());
        let lines = text.lines().map(|line| line.split("--").next().unwrap_or("").trim()).enumerate();
        let named = lines.filter(|(_, name)| !name.is_empty()).map(|(at, name)| {
            let place = format!("{}:{}", list.display(), at + 1);
            self.pending_file(name).ok_or_else(|| Diagnostic::global("E0886").with("file", place).with("word", name))
        });
        named.collect()
    }

    /// The scenario file of this project that a line of the list names.
    fn pending_file(&self, name: &str) -> Option<PathBuf> {
        let parts = Path::new(name).components().filter(|part| *part != Component::CurDir);
        let parts: Option<PathBuf> = parts.map(|part| matches!(part, Component::Normal(_)).then_some(part)).collect();
        let path = self.folder.join(parts?);
        (path.extension().is_some_and(|ending| ending == "scenarios") && path.is_file()).then_some(path)
    }
}

/// Reads a file of the project's own.
fn read(path: &Path, sources: &mut Sources) -> Result<FileId, Diagnostic> {
    let bytes = files::bytes(path, Purpose::Game)?;
    sources.add_bytes(path.display().to_string(), &bytes).map_err(|finding| super::placed_in_words(finding, sources))
}

/// The contents of `gyoji.ron`: `(games: ["duel"], language: "ja")`. All parts are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProjectFile {
    games: Option<Vec<String>>,
    language: Option<String>,
}

/// The project around `dir`, if there is one.
///
/// # Errors
/// [`Diagnostic::unread`] if its file cannot be read, `E0824` and `E0852` to `E0857` if it has another form, `E0885` if it names no game, `E0887` if it
/// is a pipe or a device.
pub fn find(dir: &Path) -> Result<Option<Project>, Diagnostic> {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    // A `gyoji.ron` that is a folder, a pipe or a broken link counts as a project file, so that an error is reported. Otherwise its rules
    // would silently be ignored.
    let is_there = |folder: &&Path| folder.join(PROJECT_FILE).symlink_metadata().is_ok();
    let Some(folder) = absolute.ancestors().find(is_there) else { return Ok(None) };
    let path = folder.join(PROJECT_FILE);
    let shown = path.display();
    let mut sources = Sources::default();
    let source = read(&path, &mut sources)?;
    let file: ProjectFile = super::ron_text::by_hand(source, &sources).map_err(|finding| super::placed_in_words(finding, &sources))?;
    if let Some(language) = file.language.as_deref().filter(|language| !LANGUAGES.contains(language)) {
        let finding = Diagnostic::global("E0853").with("file", &shown).with("word", language).with("known", LANGUAGES.join("`, `"));
        return Err(finding.suggest(language, LANGUAGES));
    }
    // A game's name is also the name of its folders, so it must be a single folder name.
    let is_name = |game: &&String| matches!(Path::new(game).components().collect::<Vec<_>>().as_slice(), [Component::Normal(name)] if *name == game.as_str());
    // Without `games` a project has the built-in games. A folder of rules beside it would then silently be ignored.
    let names_none = file.games.as_ref().map_or_else(|| folder.join("rules").is_dir(), Vec::is_empty);
    if names_none {
        return Err(Diagnostic::global("E0885").with("file", &shown));
    }
    let games = file.games.unwrap_or_default();
    if let Some(game) = games.iter().find(|game| !is_name(game)) {
        return Err(Diagnostic::global("E0853").with("file", &shown).with("word", game));
    }
    Ok(Some(Project { folder: folder.to_path_buf(), games, language: file.language }))
}
