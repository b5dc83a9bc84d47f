//! The texts of tests/fixtures. Tests of the suite use them, and tests inside of the library.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;

/// The texts of the cards, and the texts of a game in these folders of tests/fixtures. Each text comes once; texts of several lines are left
/// out.
pub(crate) fn texts(game: &str, folders: &[&str], cards: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = cards.collect();
    for folder in folders {
        let mut files: Vec<_> = std::fs::read_dir(format!("tests/fixtures/{folder}")).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.file_name().is_some_and(|file| file.to_string_lossy().starts_with(game))) {
            let table = std::fs::read_to_string(file).unwrap();
            let mut rows = table.lines().map(|row| row.split('\t'));
            let Some(text) = rows.next().unwrap().position(|name| name == "text") else { continue };
            found.extend(rows.filter_map(|mut row| row.nth(text)).map(str::to_owned));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|text| !text.contains('\n') && seen.insert(text.clone()));
    found
}
