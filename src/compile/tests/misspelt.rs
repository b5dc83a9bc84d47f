//! Words of rules and cards that belong to the language or name something of the game: misspelt once, each is an error.
//!
//! The rules and cards are those of the conformance pages. Of each form that occurs there (the grammar rules around a word) some words are
//! misspelt.

use super::compiled;
use lang::diagnostic::{Severity, Sources};
use lang::syntax::FileKind;
use lang::syntax::slots::{Slot, slots};
use std::collections::BTreeMap;
use std::path::Path;

/// How many words of one form are misspelt.
const OF_A_FORM: usize = 2;

/// Forms in which a name is given to something, or where every word is a value: the rule directly around the word.
const FREE: [&str; 6] = ["slot", "head", "signature", "member", "field_head", "param"];

/// Declarations whose words the compiler does not read. Scenarios and the wording look at them.
const ELSEWHERE: [&str; 2] = ["given_default", "wording_decl"];

/// Rules in which a name must be one that is declared, or one of the language.
const KNOWN: [&str; 13] = [
    "type_name",
    "deck_limit",
    "limit_where",
    "keeps",
    "reads",
    "heard",
    "of_type",
    "move_zones",
    "table_hidden",
    "table_values",
    "keyword_ability",
    "op_is",
    "card_of",
];

/// Whether the word says something that can be wrong.
fn is_examined(slot: &Slot) -> bool {
    let around = slot.rules.iter().rev().nth(1).map_or("", String::as_str);
    if ELSEWHERE.iter().any(|rule| slot.is_in(rule)) {
        return false;
    }
    match slot.own() {
        "string" | "quotation" | "number" | "cite" | "boolean" => false,
        "name" => KNOWN.contains(&around),
        _ => !FREE.contains(&around),
    }
}

/// Whether the compiler or the grammar has an error in these files.
fn is_wrong(rules: &str, cards: &str) -> bool {
    let found = compiled(&mut Sources::default(), rules, cards).1;
    found.iter().any(|finding| finding.severity == Severity::Error)
}

#[test]
fn every_word_of_rules_and_cards_that_is_misspelt_is_an_error() {
    let pages = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/kernel");
    let mut folders: Vec<_> = std::fs::read_dir(pages).unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut slips = Vec::new();
    for folder in folders {
        let Ok(rules) = std::fs::read_to_string(folder.join("game.rules")) else { continue };
        let cards = std::fs::read_to_string(folder.join("things.cards")).unwrap_or_default();
        let cards = cards.split_once("cards ").and_then(|(_, rest)| rest.split_once('\n')).map_or("", |(_, rest)| rest).to_owned();
        // Pages that use shared folders are read by other tests.
        if is_wrong(&rules, &cards) {
            continue;
        }
        let of_cards = format!("gyoji 1\n\ncards x\n{cards}");
        for (kind, text) in [(FileKind::Rules, &rules), (FileKind::Cards, &of_cards)] {
            for slot in slots(kind, text).into_iter().flatten().filter(is_examined) {
                let form = slot.rules.join(" ");
                let count = tried.entry(form.clone()).or_default();
                if *count >= OF_A_FORM {
                    continue;
                }
                *count += 1;
                let word = &text[slot.start..slot.end];
                let changed = format!("{}{word}zq{}", &text[..slot.start], &text[slot.end..]);
                let passes = match kind {
                    FileKind::Rules => !is_wrong(&changed, &cards),
                    _ => !is_wrong(&rules, changed.split_once("cards x\n").map_or("", |(_, rest)| rest)),
                };
                if passes {
                    slips.push(format!("{}: `{word}`\n    {form}", folder.file_name().unwrap().to_string_lossy()));
                }
            }
        }
    }
    assert!(tried.len() > 200, "{}", tried.len());
    assert!(slips.is_empty(), "{} of {} forms:\n{}", slips.len(), tried.len(), slips.join("\n"));
}
