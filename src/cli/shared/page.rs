//! A game in a single folder that holds its rules, cards and scenarios.
//!
//! Where a command wants a game's name, it also accepts such a folder. A scenario file in such a folder belongs to the folder's game.

use crate::Context;
use crate::shared::loading;
use std::path::{Path, PathBuf};

/// The name of a game, and the context in which it is loaded. If a folder was named, the context has this folder's rules.
#[must_use]
pub(crate) fn named(called: &str, context: &Context) -> (String, Context) {
    let folder = Path::new(called);
    match if folder.is_dir() { loading::game_in(folder) } else { None } {
        Some(game) => (game, context.with_rules(folder)),
        None => (called.to_owned(), context.clone()),
    }
}

/// The folder of a file, if the rules in it declare that game.
#[must_use]
pub(crate) fn of(file: &Path, game: &str) -> Option<PathBuf> {
    (loading::game_in(folder(file)).as_deref() == Some(game)).then(|| folder(file).to_path_buf())
}

/// The folder of a file.
#[must_use]
pub(crate) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The context in which the game of a scenario file is loaded.
#[must_use]
pub(crate) fn beside(file: &Path, game: &str, context: &Context) -> Context {
    match of(file, game) {
        Some(folder) => context.with_rules(&folder),
        None => context.clone(),
    }
}
