//! Rules for the sources, checked in the sources themselves: imports, docstrings, lists of files, no word of a game in Rust, no ignored test.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, reason = "a test")]

mod declared;
mod leaks;
mod walks;

use leaks::Word;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// The crates, which are the folders of `src/`. Each uses only crates before it. The program at the top uses all of them.
const CRATES: [&str; 11] = ["lang", "engine", "wording", "compile", "project", "tell", "scenario", "players", "audit", "report", "cli"];

/// The list of embedded games. Only this file in `src/` may name a game.
const NAMES_GAMES: &str = "src/project/embedded.rs";

/// Words of one game that the sources may have, each with the reason.
const ALLOWED: [(&str, &str); 11] = [
    ("at_head", "a policy's word, which a reading about that policy has as well"),
    ("with_the_choice", "the same"),
    ("earlier_counts", "the same"),
    ("in_each_layer", "the same"),
    ("in_its_layer", "the same"),
    ("over_all_older", "the same"),
    ("str", "Rust's name for text"),
    ("def", "what a declaration has become in a program"),
    ("EVENT", "a constant: the tree's tag of an event"),
    ("BASE", "a constant of the tests: what every rules file begins with"),
    ("as_printed", "the engine's: the language's `printed`, asked of a field"),
];

pub(crate) fn files(dir: &str, ending: &str) -> Vec<(PathBuf, String)> {
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

/// The pages about a subject: `docs/SUBJECT.md`, and those of the folder `docs/SUBJECT/`.
pub(crate) fn documents(subject: &str) -> Vec<(PathBuf, String)> {
    let inside = PathBuf::from("docs").join(subject);
    let found: Vec<_> =
        files("docs", ".md").into_iter().filter(|(path, _)| path.starts_with(&inside) || *path == inside.with_extension("md")).collect();
    assert!(!found.is_empty(), "no page about {subject}");
    found
}

/// All pages about a subject as one text.
pub(crate) fn document(subject: &str) -> String {
    documents(subject).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_source_says_what_it_is() {
    for (path, text) in files("src", ".rs") {
        assert!(text.starts_with("//!"), "{} has no `//!`", path.display());
    }
}

/// The head of a folder is the `//!` of its `mod.rs` or `lib.rs`, or of the file beside it with the folder's name.
#[test]
fn the_head_of_each_folder_lists_its_files() {
    let sources = files("src", ".rs");
    let mut wrong = Vec::new();
    for (path, _) in &sources {
        let (folder, name) = (path.parent().unwrap(), path.file_name().unwrap().to_string_lossy());
        let heads = [folder.join("mod.rs"), folder.join("lib.rs"), folder.with_extension("rs")];
        let Some((_, text)) = sources.iter().find(|(path, _)| heads.contains(path)) else { continue };
        let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let is_test = folder.components().any(|part| part.as_os_str() == "tests") || name == "tests.rs";
        let listed = [format!("{name}`"), format!("{}/`", name.trim_end_matches(".rs"))];
        if name != "mod.rs" && name != "lib.rs" && !is_test && !listed.iter().any(|name| head.contains(name)) {
            wrong.push(path.display());
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_files_that_the_pages_name_are_there() {
    let sources: Vec<_> = ["src", "tests", "benches"].into_iter().flat_map(|dir| files(dir, ".rs")).map(|(path, _)| path).collect();
    // CHANGELOG.md may name files of older versions.
    let is_old = |page: &Path| page.ends_with("CHANGELOG.md");
    for (page, text) in files("docs", ".md").into_iter().chain(top_files()).filter(|(page, _)| !is_old(page)) {
        for name in text.split('`').filter(|word| word.ends_with(".rs") && !word.contains([' ', '\n', '*'])) {
            assert!(sources.iter().any(|path| path.ends_with(name)), "{} names {name}", page.display());
        }
    }
}

/// The crates of this program that a crate may use, as its `Cargo.toml` says.
fn uses(name: &str) -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name).join("Cargo.toml");
    let text = std::fs::read_to_string(manifest).unwrap();
    let named = text.lines().filter_map(|line| line.strip_suffix(".workspace = true"));
    named.filter(|other| CRATES.contains(other)).map(str::to_owned).collect()
}

#[test]
fn no_crate_uses_a_later_one() {
    let folders = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().map(|entry| entry.unwrap().path());
    let folders: BTreeSet<_> = folders.filter(|path| path.is_dir()).map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(folders, CRATES.iter().map(Into::into).collect(), "every folder is a crate");
    for (at, name) in CRATES.iter().enumerate() {
        for other in uses(name) {
            assert!(CRATES[..at].contains(&other.as_str()), "{name} uses {other}");
        }
    }
    for (path, text) in files("src/lang/diagnostic", ".rs") {
        assert!(!text.contains("crate::syntax"), "{} knows a tree", path.display());
    }
}

/// A public function, constant, trait or field that no other crate names is public for nobody. (A type may be public because one of
/// these shows it; the lint `unreachable_pub` finds the rest.)
#[test]
fn what_is_public_is_named_by_another_crate() {
    let words =
        |text: &str| -> BTreeSet<String> { text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).map(str::to_owned).collect() };
    let sources: Vec<_> = ["src", "tests", "benches"].into_iter().flat_map(|dir| files(dir, ".rs")).collect();
    let mut by_crate = BTreeMap::<String, BTreeSet<String>>::new();
    let owner = |path: &Path| match path.iter().take(3).collect::<Vec<_>>()[..] {
        [top, folder, _] if top == "src" => folder.to_string_lossy().into_owned(),
        _ => "gyoji".to_owned(),
    };
    for (path, text) in &sources {
        by_crate.entry(owner(path)).or_default().extend(words(text));
    }
    let mut wrong = Vec::new();
    for (path, text) in sources.iter().filter(|(path, _)| owner(path) != "gyoji") {
        let others = by_crate.iter().filter(|(name, _)| **name != owner(path)).map(|(_, words)| words);
        let others: Vec<_> = others.collect();
        for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("pub ")) {
            let mut parts = line.split_whitespace().skip_while(|word| ["const", "fn", "trait", "static"].contains(word));
            let is_item = line.starts_with("const ") || line.starts_with("fn ") || line.starts_with("trait ");
            let name = parts.next().unwrap_or("");
            let word = name.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next().unwrap_or("");
            if (is_item || name.ends_with(':')) && !others.iter().any(|words| words.contains(word)) {
                wrong.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One file opens files, so that every reader has the limits and every writer leaves a file whole. Tests inside of `src/` may do as they like.
#[test]
fn one_place_opens_files() {
    let opens = ["fs::read(", "read_to_string(", "fs::write(", "File::open", "File::create", "OpenOptions", "fs::rename", "fs::copy"];
    let mut wrong = Vec::new();
    for (path, text) in files("src", ".rs") {
        let is_test = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if is_test || path == Path::new("src/project/files.rs") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        wrong.extend(opens.iter().filter(|word| code.contains(**word)).map(|word| format!("{}: {word}", path.display())));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let text = files("src/project", "files.rs").pop().unwrap().1;
    assert!(text.contains("File::open") && text.contains("sync_all"), "the place is another one");
}

/// One file asks for the format of the output, so that another format is added there. A command gives each result in both forms.
#[test]
fn one_place_chooses_the_form_of_the_output() {
    let asks = [".json()", "Format::"];
    let allowed = [
        ("src/cli/shared/context/output.rs", "the place"),
        ("src/cli/shared/context.rs", "the flag with its default"),
        ("src/cli/shared/arguments.rs", "says why a command line cannot be read, so there is no flag yet"),
    ];
    let mut found = BTreeSet::new();
    for (path, text) in files("src/cli", ".rs") {
        found.extend(asks.iter().filter(|word| text.contains(**word)).map(|_| path.display().to_string()));
    }
    assert_eq!(found, allowed.map(|(path, _)| path.to_owned()).into());
}

/// What a file holds and nobody knows is an error. Only two readers take a part of a file on purpose.
#[test]
fn every_value_that_is_read_from_a_file_refuses_unknown_keys() {
    let mut wrong = Vec::new();
    for folder in ["src/engine", "src/players", "src/project"] {
        for (path, text) in files(folder, ".rs") {
            for item in text.split("#[derive(").skip(1).filter(|item| item.lines().next().unwrap().contains("Deserialize")) {
                let head: Vec<&str> = item.lines().skip(1).take_while(|line| !line.ends_with(['{', ';'])).collect();
                let name = item.lines().nth(head.len() + 1).unwrap_or("");
                let strict = head.iter().any(|line| line.contains("deny_unknown_fields") || line.contains("from = "));
                if name.contains("struct ") && name.ends_with('{') && !strict {
                    wrong.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_engine_knows_no_file_and_no_tree() {
    assert!(uses("engine").is_empty());
    for (path, text) in files("src/engine", ".rs") {
        for word in ["std::fs", "std::env", "std::path", "println!"] {
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
    for dir in ["src", "tests", "benches", "rules", "cards", "grammar", "docs", ".ci", ".cargo"] {
        for (path, text) in files(dir, "").into_iter().chain(top_files()) {
            assert!(!text.contains(&mention), "{} mentions {mention}", path.display());
        }
    }
}

/// The files of the top folder for readers, and the files that say how the project is built.
fn top_files() -> Vec<(PathBuf, String)> {
    let names = ["ARCHITECTURE.md", "CHANGELOG.md", "README.md", "README.ja.md", "Cargo.toml", "clippy.toml", "gyoji.ron", "rustfmt.toml"];
    let read = |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    names.map(|name| (PathBuf::from(name), read(name))).to_vec()
}

/// The words on the language's own pages, without code and backticks. Code about any game may use them.
fn page_words() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let house = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    for text in [document("kernel"), house] {
        let outside = text.split("```").step_by(2).flat_map(|part| part.split('`').step_by(2));
        found.extend(outside.flat_map(leaks::words).map(str::to_owned));
    }
    found
}

/// The words that only one game declares.
fn words_of_one_game() -> Vec<Word> {
    let everyones = &(&declared::language() | &page_words()) | &declared::of_the_suite();
    let shared: String = files("rules/std", ".rules").into_iter().map(|(_, text)| text).collect();
    declared::words()
        .into_iter()
        .filter(|(word, games)| games.len() == 1 && !everyones.contains(word))
        // A number that is printed on a card is no word.
        .filter(|(word, _)| !word.chars().all(|sign| sign.is_ascii_digit()))
        .filter(|(word, _)| word.is_ascii() || !shared.contains(word.as_str()))
        .map(|(word, _)| Word::new(word.nfkc().collect()))
        .collect()
}

#[test]
fn no_word_of_one_game_is_in_the_sources() {
    let words = words_of_one_game();
    let mut found = BTreeSet::new();
    for (path, text) in files("src", "").into_iter().filter(|(path, _)| path != Path::new(NAMES_GAMES)) {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        // A word in half-width kana is the same word.
        let text: String = text.nfkc().collect();
        let stretches = leaks::stretches(&ending, &text);
        let met = |word: &&Word| word.is_in(&text) && stretches.iter().any(|stretch| word.leaks(*stretch));
        found.extend(words.iter().filter(met).map(|word| (word.to_string(), path.display().to_string())));
    }
    let allowed = |word: &str| ALLOWED.iter().any(|(allowed, _)| *allowed == word);
    let leaks: Vec<_> = found.iter().filter(|(word, _)| !allowed(word)).collect();
    assert!(leaks.is_empty(), "{} words:\n{leaks:#?}", leaks.len());
    for (word, _) in ALLOWED {
        assert!(found.iter().any(|(met, _)| met == word), "`{word}` is allowed for nothing");
    }
}

#[test]
fn the_pages_of_meaning_name_no_game() {
    let games: BTreeSet<String> = declared::words().into_values().flatten().collect();
    for (path, text) in documents("kernel") {
        for word in leaks::words(&text) {
            assert!(!games.contains(word), "{} names {word}", path.display());
        }
    }
}
