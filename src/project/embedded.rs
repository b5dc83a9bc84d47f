//! The games built into the program.

use include_dir::{Dir, include_dir};

static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../rules");
static CARDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../cards");

/// The folder with example games. Its games are found by their own names too.
const EXAMPLES: &str = "examples";
/// The folder with shared modules. It is no game itself.
pub const SHARED: &str = "std";

/// The names of all built-in games, in order.
#[must_use]
pub fn embedded_games() -> Vec<String> {
    let examples = RULES.get_dir(EXAMPLES).into_iter().flat_map(Dir::dirs);
    let games = RULES.dirs().filter(|dir| ![EXAMPLES, SHARED].iter().any(|name| dir.path().ends_with(name)));
    let name = |dir: &Dir<'_>| dir.path().file_name().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = games.chain(examples).filter_map(name).collect();
    names.sort();
    names
}

/// The folders of shared modules (`use draw`), in order.
pub(super) fn shared_rules() -> Vec<String> {
    let folders = RULES.get_dir(SHARED).into_iter().flat_map(Dir::dirs);
    let mut names: Vec<String> = folders.filter_map(|dir| dir.path().file_name()).map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The tree of rules or the tree of cards.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tree {
    Rules,
    Cards,
}

/// The files with an ending in an embedded folder, by name: name and bytes. None if there is no such folder.
pub(super) fn files(tree: Tree, folder: &str, ending: &str) -> Option<Vec<(String, &'static [u8])>> {
    let root = match tree {
        Tree::Rules => &RULES,
        Tree::Cards => &CARDS,
    };
    let dir = root.get_dir(folder).or_else(|| root.get_dir(format!("{EXAMPLES}/{folder}")))?;
    let mut found: Vec<(String, &'static [u8])> = dir
        .files()
        .filter(|file| file.path().extension().is_some_and(|found| found == ending))
        .map(|file| (file.path().to_string_lossy().into_owned(), file.contents()))
        .collect();
    found.sort();
    Some(found)
}
