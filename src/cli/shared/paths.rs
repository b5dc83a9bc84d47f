//! The files that paths name, in the order of their names.

use lang::diagnostic::{Diagnostic, nearest};
use lang::syntax::FileKind;
use project::Project;
use project::files::none_of_a_kind;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The kind of file by its ending.
#[must_use]
pub(crate) fn kind_of(path: &Path) -> Option<FileKind> {
    match path.extension()?.to_str()? {
        "rules" => Some(FileKind::Rules),
        "cards" => Some(FileKind::Cards),
        "scenarios" => Some(FileKind::Scenarios),
        _ => None,
    }
}

/// Whether a file is a deck: a `.ron` file in a folder `decks`.
#[must_use]
pub(crate) fn is_deck(path: &Path) -> bool {
    let in_decks = path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "decks");
    in_decks && path.extension().is_some_and(|ending| ending == "ron")
}

/// A path that names its file's folder, and for a deck also the folder around it. A bare file name does not name them.
#[must_use]
pub(crate) fn placed(path: PathBuf) -> PathBuf {
    let folder = |path: &Path| path.parent().filter(|folder| folder.file_name().is_some()).map(Path::to_path_buf);
    let said = match folder(&path) {
        Some(above) => kind_of(&path).is_some() || folder(&above).is_some(),
        None => false,
    };
    if said { path } else { path.canonicalize().unwrap_or(path) }
}

/// Whether a path is only the name of a project's game.
#[must_use]
pub(crate) fn is_game(path: &Path, project: Option<&Project>) -> bool {
    !path.exists() && project.is_some_and(|project| project.games.iter().any(|game| Path::new(game) == path))
}

/// If the path is only the name of a project's game: the folders of that game. Otherwise the path itself.
#[must_use]
pub(crate) fn of_game(path: &Path, project: Option<&Project>) -> Vec<PathBuf> {
    let named = project.filter(|_| is_game(path, project));
    let folders = |project: &Project| {
        let folders = ["rules", "cards", "tests/scenarios"].map(|kind| project.folder.join(kind).join(path));
        folders.into_iter().filter(|folder| folder.is_dir()).collect::<Vec<_>>()
    };
    named.map(folders).filter(|folders| !folders.is_empty()).unwrap_or_else(|| vec![path.to_path_buf()])
}

/// Makes sure that a path exists. A path of one word may be meant as the name of a game.
///
/// # Errors
/// [`Diagnostic::unread`], with the nearest game of the project if there is one.
pub(crate) fn is_there(path: &Path, project: Option<&Project>) -> Result<(), Diagnostic> {
    let Err(error) = path.metadata() else { return Ok(()) };
    let games = project.map_or(&[][..], |project| &project.games);
    let near = path.to_str().and_then(|written| nearest(written, games.iter().map(String::as_str)));
    Err(match near.filter(|_| error.kind() == ErrorKind::NotFound) {
        Some(game) => Diagnostic::global("E0858").with("file", path.display()).with("near", game),
        None => Diagnostic::unread(path, &error),
    })
}

/// The named files, the files in named folders, and the files of named games. Without paths: those of the project, else of the current
/// folder.
///
/// # Errors
/// [`Diagnostic::unread`] for a path that cannot be read, `E0887` for a pipe or a device, `E0891` for a named folder without files, `E0892` if nothing is named and there
/// is no project.
pub(crate) fn meant(paths: &[PathBuf], project: Option<&Project>) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut found = Vec::new();
    for named in paths {
        let before = found.len();
        for path in of_game(named, project) {
            if path.is_dir() {
                found.extend(below(&path)?);
            } else {
                is_there(&path, project)?;
                if let Some(finding) = none_of_a_kind(&path) {
                    return Err(finding);
                }
                found.push(path);
            }
        }
        if found.len() == before {
            return Err(Diagnostic::global("E0891").with("folder", named.display()));
        }
    }
    if paths.is_empty() {
        let root = project.map_or_else(PathBuf::new, |project| project.folder.clone());
        for folder in ["rules", "cards", "tests/scenarios"].map(|folder| root.join(folder)).iter().filter(|folder| folder.is_dir()) {
            found.extend(below(folder)?);
        }
        if found.is_empty() && project.is_none() {
            return Err(no_project());
        }
    }
    each_once(&mut found);
    Ok(found)
}

/// Leaves each file once, however often and by whatever way the paths lead to it.
pub(crate) fn each_once(files: &mut Vec<PathBuf>) {
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(whole(file)));
}

/// The path of a file without links. A file that cannot be found is its own path.
pub(crate) fn whole(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| file.to_path_buf())
}

/// `E0892`: the command names nothing, and there is no project. The built-in games are not meant: nobody would look for a mistake there.
pub(crate) fn no_project() -> Diagnostic {
    let folder = std::path::absolute(".").unwrap_or_else(|_| PathBuf::from("."));
    Diagnostic::global("E0892").with("folder", folder.display())
}

/// The finding for a named folder that cannot be read.
#[must_use]
pub(crate) fn unread_folder(folder: &Path) -> Option<Diagnostic> {
    std::fs::read_dir(folder).err().map(|error| Diagnostic::unread(folder, &error))
}

/// The files in a folder and its subfolders that gyoji can read, in the order of their names. A folder counts only once, even if several
/// links lead to it.
///
/// # Errors
/// [`Diagnostic::unread`] for a folder that cannot be read, `E0866` and `E0887` for something named like such a file that is none.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut found = Vec::new();
    let whole = folder.canonicalize().ok();
    collect((folder, whole), &mut BTreeSet::new(), &mut found)?;
    Ok(found)
}

/// `whole`: the folder's path without links. In a deep folder the system takes long to find it, so it is asked only for links.
fn collect((folder, whole): (&Path, Option<PathBuf>), seen: &mut BTreeSet<PathBuf>, found: &mut Vec<PathBuf>) -> Result<(), Diagnostic> {
    if whole.as_ref().is_some_and(|whole| !seen.insert(whole.clone())) {
        return Ok(());
    }
    let unread = |error: std::io::Error| Diagnostic::unread(folder, &error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        paths.push(entry.map_err(unread)?.path());
    }
    paths.sort();
    for path in paths {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_one = kind_of(&path).is_some() || is_deck(&path);
        if let Some(finding) = none_of_a_kind(&path).filter(|_| is_one && !hidden) {
            return Err(finding);
        }
        if path.is_dir() && !hidden {
            let of_plain = || Some(whole.as_ref()?.join(path.file_name()?));
            let inner = if path.is_symlink() { path.canonicalize().ok() } else { of_plain() };
            collect((&path, inner), seen, found)?;
        } else if is_one {
            found.push(path);
        }
    }
    Ok(())
}
