//! What the sources must keep, read from the sources themselves: floors, docstrings, no game in Rust, nothing ignored.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The floors, lowest first; a floor imports only from those before it.
const FLOORS: [&str; 9] = ["diagnostic", "syntax", "engine", "wording", "compile", "project", "scenario", "players", "report"];

/// The list of embedded games is the one place in `src/` that may name one.
const NAMES_GAMES: &str = "src/project/embedded.rs";

fn files(dir: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(dir)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_source_says_what_it_is() {
    for (path, text) in files("src", ".rs") {
        assert!(text.starts_with("//!"), "{} has no `//!`", path.display());
    }
}

#[test]
fn no_floor_imports_a_higher_one() {
    let mut wrong = Vec::new();
    for (path, text) in files("src", ".rs") {
        let Some(floor) = path.iter().nth(1).and_then(|name| name.to_str()) else { continue };
        let Some(height) = FLOORS.iter().position(|name| *name == floor) else { continue };
        let higher = FLOORS[height + 1..].iter().chain(["cli"].iter());
        for above in higher.filter(|above| text.contains(&format!("crate::{above}::")) || text.contains(&format!("crate::{above};"))) {
            wrong.push(format!("{} imports {above}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_engine_knows_no_file_and_no_tree() {
    for (path, text) in files("src/engine", ".rs") {
        for word in ["std::fs", "std::env", "std::path", "crate::syntax", "crate::diagnostic", "println!"] {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
    }
}

#[test]
fn nothing_is_ignored() {
    for (path, text) in files("src", ".rs").into_iter().chain(files("tests", ".rs")) {
        let ignored = format!("#[{}", "ignore");
        assert!(!text.contains(&ignored), "{} ignores a test", path.display());
    }
}

#[test]
fn nothing_reads_the_shared_folder() {
    let mention = format!("..{}shared", '/');
    for dir in ["src", "tests", "benches", "rules", "cards", "grammar", "docs"] {
        for (path, text) in files(dir, "") {
            assert!(!text.contains(&mention), "{} mentions {mention}", path.display());
        }
    }
}

/// Names that a game declares: the word after a declaration's kind in column 0.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    const KINDS: [&str; 14] = [
        "param ",
        "enum ",
        "function ",
        "zone ",
        "pool ",
        "state ",
        "ability ",
        "moment ",
        "duration ",
        "choice ",
        "action ",
        "procedure ",
        "rule ",
        "keyword ",
    ];
    text.lines().filter_map(|line| {
        let rest = KINDS.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next()
    })
}

/// Words of the language (kinds of ability that the compiler looks for, the engine's own choice) and plain English words that code
/// about any game needs: a game may declare them without being leaked.
const COMMON: [&str; 30] = [
    "automatic",
    "replacement",
    "activate",
    "draw",
    "turned",
    "put_together",
    "hand",
    "deck",
    "result",
    "order",
    "check",
    "name",
    "number",
    "state",
    "turn",
    "pick",
    "sign",
    "settle",
    "won",
    "due",
    "cost",
    "lose",
    "win",
    "rank",
    "box",
    "trash",
    "score",
    "confirm",
    "refresh",
    "static",
];

/// Tests beside the code speak of made-up games.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part.to_string_lossy().trim_end_matches(".rs") == "tests")
}

#[test]
fn no_word_of_one_game_is_in_the_sources() {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in files("rules", ".rules") {
        let game = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        // The shared part is no game, and the conformance game speaks in plain words only.
        if game == "std" || game == "kernel" {
            continue;
        }
        for name in declared(&text) {
            owners.entry(name.to_owned()).or_default().insert(game.clone());
        }
        owners.entry(game.clone()).or_default().insert(game);
    }
    let only_one: Vec<&String> =
        owners.iter().filter(|(name, games)| games.len() == 1 && !COMMON.contains(&name.as_str())).map(|(name, _)| name).collect();
    let mut leaks = Vec::new();
    for (path, text) in files("src", ".rs").into_iter().filter(|(path, _)| path != Path::new(NAMES_GAMES) && !is_test(path)) {
        let code = text.lines().map(|line| line.split("//").next().unwrap_or("")).take_while(|line| !line.contains("#[cfg(test)]"));
        let words: BTreeSet<&str> = code.flat_map(|line| line.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))).collect();
        leaks.extend(only_one.iter().filter(|name| words.contains(name.as_str())).map(|name| format!("{}: {name}", path.display())));
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}
