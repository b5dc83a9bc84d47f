//! Where files are taken from; reading files into the run's sources.

use super::embedded::{self, Tree};
use super::files::{self, Purpose};
use super::folder::Project;
use lang::diagnostic::{Diagnostic, FileId, Sources};
use lang::syntax::ast::Date;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Folders from the command line. They replace all others.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `--rules DIR`.
    pub rules: Option<PathBuf>,
    /// `--cards DIR`.
    pub cards: Option<PathBuf>,
    /// `--on DATE`: the day whose texts count. Without it, every erratum is in force.
    pub on: Option<Date>,
}

/// Where rules or cards came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A folder from the command line.
    Named(PathBuf),
    /// The project's folder.
    Project(PathBuf),
    /// The copy built into the program, by its folder there.
    Embedded(String),
    /// Nowhere (for example a game without cards).
    Nowhere,
}

/// Where a game's files of one kind are.
pub(super) fn place(tree: Tree, game: &str, named: Option<&PathBuf>, project: Option<&Project>) -> Taken {
    if let Some(named) = named {
        return Taken::Named(named.clone());
    }
    let kind = match tree {
        Tree::Rules => "rules",
        Tree::Cards => "cards",
    };
    // A game has a name, not a path: a path could lead out of the project.
    let mut parts = Path::new(game).components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    let folders = project.filter(|_| is_name).into_iter().flat_map(|project| {
        let root = project.folder.join(kind);
        [root.join(game), root.join("examples").join(game)]
    });
    if let Some(folder) = folders.into_iter().find(|folder| folder.is_dir()) {
        return Taken::Project(folder);
    }
    if embedded::files(tree, game, kind).is_some() { Taken::Embedded(game.to_owned()) } else { Taken::Nowhere }
}

/// Where the files of `use NAME` are: a folder of rules with that name in the project, a shared module in the project, else a built-in
/// module.
pub(super) fn place_of_used(name: &str, project: Option<&Project>) -> Taken {
    let shared = project.map(|project| project.folder.join("rules").join(embedded::SHARED).join(name)).filter(|folder| folder.is_dir());
    match (place(Tree::Rules, name, None, project), shared) {
        (Taken::Embedded(_) | Taken::Nowhere, Some(folder)) => Taken::Project(folder),
        (Taken::Nowhere, None) if embedded::shared_rules().iter().any(|known| known == name) => {
            Taken::Embedded(format!("{}/{name}", embedded::SHARED))
        }
        (found, _) => found,
    }
}

/// Adds the files with an ending to the sources, by name. A file that is no text is a finding.
pub(super) fn read(
    tree: Tree,
    taken: &Taken,
    below: &str,
    ending: &str,
    sources: &mut Sources,
    found: &mut Vec<Diagnostic>,
) -> Vec<FileId> {
    let mut files = Vec::new();
    match taken {
        Taken::Named(folder) | Taken::Project(folder) => {
            for path in listed(&folder.join(below), ending, found) {
                files.extend(read_file(&path, sources, found));
            }
        }
        Taken::Embedded(game) => {
            let folder = if below.is_empty() { game.clone() } else { format!("{game}/{below}") };
            for (name, bytes) in embedded::files(tree, &folder, ending).unwrap_or_default() {
                files.extend(add(&format!("<{name}>"), bytes, sources, found));
            }
        }
        Taken::Nowhere => {}
    }
    files
}

/// The names of the folders in `rules` that hold rules themselves.
pub(super) fn folders_with_rules(rules: &Path) -> Vec<String> {
    let folders = std::fs::read_dir(rules).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let with_rules = folders.filter(|folder| !listed(folder, "rules", &mut Vec::new()).is_empty());
    with_rules.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned())).collect()
}

/// The files with an ending in a folder. A missing folder has no files; a folder that cannot be read is a finding.
fn listed(folder: &Path, ending: &str, found: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let finding = Diagnostic::unread(folder, &error);
            // The folder is listed once for each kind of file, so the finding may already be there.
            if error.kind() != ErrorKind::NotFound && !found.contains(&finding) {
                found.push(finding);
            }
            return Vec::new();
        }
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths
}

fn read_file(path: &Path, sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Option<FileId> {
    let name = path.display().to_string();
    match files::bytes(path, Purpose::Game) {
        Ok(bytes) => add(&name, &bytes, sources, found),
        Err(finding) => {
            found.push(finding);
            None
        }
    }
}

fn add(name: &str, bytes: &[u8], sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Option<FileId> {
    match sources.add_bytes(name, bytes) {
        Ok(file) => Some(file),
        Err(finding) => {
            found.push(finding);
            None
        }
    }
}
