//! Test: a fixed word of the language with one letter too many. The message names the word that is meant.
//!
//! The files are those of the conformance pages. Some grammar rules are a fixed word or phrase. Each of their words is misspelt once in each
//! form. (A form is the grammar rules around the word.) The grammar reads some misspelt words as names; the compiler reports these.
#![allow(clippy::unwrap_used, clippy::string_slice, clippy::disallowed_methods, reason = "a test")]

use super::parse::Rule;
use super::slots::slots;
use super::spelt::spelt;
use super::{FileKind, parse_cards, parse_rules, parse_scenarios};
use crate::diagnostic::{Diagnostic, FileId, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// The share of forms, in percent, whose message may not name the word: the mistake shows far behind the word.
const MOST_UNNAMED: usize = 12;

fn findings(kind: FileKind, text: &str) -> Vec<Diagnostic> {
    let file = FileId(0);
    match kind {
        FileKind::Rules => parse_rules(file, text).1,
        FileKind::Cards => parse_cards(file, text).1,
        FileKind::Scenarios => parse_scenarios(file, text).1,
    }
}

#[test]
fn the_message_names_the_word_that_is_meant() {
    let fixed: FxHashMap<String, Rule> = Rule::all_rules()
        .iter()
        .filter(|rule| {
            spelt(**rule).whole && spelt(**rule).words.iter().all(|word| word.starts_with(|sign: char| sign.is_ascii_lowercase()))
        })
        .map(|rule| (format!("{rule:?}"), *rule))
        .collect();
    assert!(fixed.len() > 150, "{}", fixed.len());
    let pages = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/kernel");
    let mut folders: Vec<_> = std::fs::read_dir(pages).unwrap().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let (mut seen, mut tried, mut slips) = (FxHashSet::default(), 0, Vec::new());
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let kind = match path.extension().and_then(|ending| ending.to_str()) {
                Some("rules") => FileKind::Rules,
                Some("cards") => FileKind::Cards,
                Some("scenarios") => FileKind::Scenarios,
                _ => continue,
            };
            let text = std::fs::read_to_string(&path).unwrap();
            let is_wrong = |text: &str| findings(kind, text).iter().any(|finding| finding.severity == Severity::Error);
            if is_wrong(&text) {
                continue;
            }
            for slot in slots(kind, &text).into_iter().flatten().filter(|slot| fixed.contains_key(slot.own())) {
                // The rules around an expression say nothing about the word.
                let around = slot.rules.iter().rev().take(3).cloned().collect::<Vec<_>>().join(" ");
                let mut end = slot.start;
                for word in text[slot.start..slot.end].split_whitespace() {
                    end += text[end..].find(word).unwrap() + word.len();
                    if !seen.insert(format!("{around} {word}")) {
                        continue;
                    }
                    let last = word.chars().last().unwrap();
                    let found = findings(kind, &format!("{}{last}{}", &text[..end], &text[end..]));
                    let Some(first) = found.iter().find(|finding| finding.severity == Severity::Error) else { continue };
                    tried += 1;
                    let names = |value: &str| value.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(|part| part == word);
                    if !first.args.iter().any(|(_, value)| names(value)) {
                        let line = text[..slot.start].matches('\n').count();
                        let written = text.lines().nth(line).unwrap_or("").trim();
                        slips.push(format!("{word} in {written}\n    {} {:?}\n    {around}", first.code, first.args));
                    }
                }
            }
        }
    }
    assert!(tried > 400, "{tried}");
    assert!(slips.len() * 100 <= tried * MOST_UNNAMED, "{} of {tried}:\n{}", slips.len(), slips.join("\n"));
}
