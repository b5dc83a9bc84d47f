//! Test: every rule of the grammar, and every phrase of reserved words, stands in an example of a page of `docs/`.
//!
//! The examples are those that tests/suite/documents.rs compiles and runs. Here they are only parsed, and the grammar rules found in them
//! are collected. `LATER` lists the forms that the grammar reads and the compiler refuses; they cannot have an example that compiles.

use super::FileKind;
use super::cut::pieces;
use super::parse::{Rule, is_mark, pairs};
use super::read::rule;
use super::scan::scan;
use super::spelt::grammar;
use super::words::declaration_words;
use pest::iterators::Pair;
use pest_meta::ast::{Expr, Rule as Written, RuleType};
use std::collections::{BTreeMap, BTreeSet};

/// The subjects of pages: `docs/SUBJECT.md`, and the files of the folder `docs/SUBJECT`.
const SUBJECTS: [&str; 5] = ["language", "scenarios", "wording", "families", "tutorial"];
/// Forms that the grammar reads and the compiler refuses with `E0214` or `E0216`. The pages about the language list them as not carried out.
const LATER: [&str; 19] = [
    // Only the words of a text that owes something can be excused, and the games of the examples have no such text.
    "card_unsaid",
    "zone_words: at least",
    "pool_words: at most",
    "pool_words: starts at",
    "pool_flags: hidden",
    "pool_flags: public",
    "field_words: reads at most",
    "field_flags: optional",
    "state_property",
    "state_words",
    "state_flags",
    // This rule stands inside a rule that becomes one text, so the parser gives no pair for it.
    "nested_quotation",
    // The grammar only looks ahead for these rules, before it tries the forms that begin with them.
    "operator",
    "expect_word",
    "seat_verb",
    "given_word",
    "card_detail",
    "card_relation",
    "arrow",
];

/// The texts of all pages.
fn pages() -> Vec<String> {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut paths: Vec<_> = SUBJECTS.iter().map(|subject| docs.join(subject).with_extension("md")).collect();
    for folder in SUBJECTS.iter().filter_map(|subject| std::fs::read_dir(docs.join(subject)).ok()) {
        paths.extend(folder.flatten().map(|entry| entry.path()));
    }
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        if line.starts_with("```") {
            open = !open;
            if open {
                blocks.push(String::new());
            }
        } else if let (true, Some(block)) = (open, blocks.last_mut()) {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

/// The grammar rules found, each with the texts that it covered.
type Found = BTreeMap<String, BTreeSet<String>>;

fn collect(pair: Pair<'_, Rule>, found: &mut Found) {
    let words: Vec<&str> = pair.as_str().split_whitespace().collect();
    found.entry(format!("{:?}", pair.as_rule())).or_default().insert(words.join(" "));
    for inner in pair.into_inner() {
        collect(inner, found);
    }
}

/// Whether every declaration of the text can be read in a file of this kind. If so, the rules found are added to `found`.
fn read(kind: FileKind, text: &str, found: &mut Found) -> bool {
    let scan = scan(crate::diagnostic::FileId(0), text, declaration_words(kind));
    let mut own = Found::new();
    let pieces: Vec<_> = pieces(&scan).into_iter().filter(|piece| !piece.text.starts_with("gyoji") && !heads(piece.text)).collect();
    let whole = pieces.iter().all(|piece| {
        let pair = pairs(rule(kind), *piece);
        pair.map(|pair| collect(pair, &mut own)).is_ok()
    });
    if whole {
        for (rule, texts) in own {
            found.entry(rule).or_default().extend(texts);
        }
    }
    whole && !pieces.is_empty()
}

/// Whether the piece is the second line of a file: `cards GAME` or `scenarios GAME`.
fn heads(piece: &str) -> bool {
    let words: Vec<&str> = piece.split_whitespace().collect();
    matches!(words.as_slice(), ["cards" | "scenarios", _])
}

/// Reads an example as the first thing that it can be: a file, a declaration, an ability of a card, a step of a scenario, or a statement.
fn read_example(block: &str, found: &mut Found) {
    let block = block.replace("expect { … }", "expect { game goes on }").replace("script { … }", "script { }");
    let inside = |before: &str, after: &str| {
        let lines: String = block.lines().map(|line| format!("  {line}\n")).collect();
        format!("{before} {{\n{lines}{after}}}\n")
    };
    let _ = read(FileKind::Rules, &block, found)
        || read(FileKind::Cards, &block, found)
        || read(FileKind::Scenarios, &block, found)
        || read(FileKind::Cards, &inside("card \"E\" fighter \"例\"", ""), found)
        || read(FileKind::Cards, &inside("card \"E\" fighter \"例\" { script", "}"), found)
        || read(FileKind::Scenarios, &inside("scenario \"x\"", ""), found)
        || read(FileKind::Rules, &inside("procedure probe(p: player, c: card)", ""), found)
        || read(FileKind::Rules, &inside("wording example", ""), found);
}

/// All phrases that a rule of reserved words can be; none for other rules.
fn phrases(expr: &Expr, rules: &BTreeMap<&str, &Written>) -> Option<Vec<String>> {
    match expr {
        Expr::Str(text) => Some(vec![text.clone()]),
        Expr::Ident(name) if name == "b" => Some(vec![" ".to_owned()]),
        Expr::Ident(name) if name == "w" => Some(vec![String::new()]),
        Expr::Ident(name) => {
            let rule = rules.get(name.as_str())?;
            if matches!(rule.ty, RuleType::Atomic) { phrases(&rule.expr, rules) } else { None }
        }
        Expr::PosPred(_) | Expr::NegPred(_) => Some(vec![String::new()]),
        Expr::Choice(left, right) => {
            let mut all = phrases(left, rules)?;
            all.extend(phrases(right, rules)?);
            Some(all)
        }
        Expr::Seq(left, right) => {
            let (left, right) = (phrases(left, rules)?, phrases(right, rules)?);
            Some(left.iter().flat_map(|first| right.iter().map(move |second| format!("{first}{second}"))).collect())
        }
        _ => None,
    }
}

#[test]
fn every_rule_of_the_grammar_stands_in_an_example() {
    let mut found = Found::new();
    for page in pages() {
        for block in blocks(&page) {
            read_example(&block, &mut found);
        }
    }
    let parsed = grammar();
    let rules: BTreeMap<&str, &Written> = parsed.iter().map(|rule| (rule.name.as_str(), rule)).collect();
    let marks: BTreeSet<String> = Rule::all_rules().iter().filter(|rule| is_mark(**rule)).map(|rule| format!("{rule:?}")).collect();
    let mut missing = Vec::new();
    for rule in parsed.iter().filter(|rule| rule.ty != RuleType::Silent && !marks.contains(&rule.name)) {
        if rule.name.starts_with("only_") {
            continue;
        }
        let Some(texts) = found.get(&rule.name) else {
            missing.push(rule.name.clone());
            continue;
        };
        let closed = matches!(rule.ty, RuleType::Atomic);
        let wanted = if closed { phrases(&rule.expr, &rules).unwrap_or_default() } else { Vec::new() };
        missing.extend(wanted.iter().filter(|phrase| !texts.contains(*phrase)).map(|phrase| format!("{}: {phrase}", rule.name)));
    }
    // A form that has an example now must leave the list.
    for later in LATER {
        match missing.iter().position(|name| name == later) {
            Some(at) => drop(missing.swap_remove(at)),
            None => missing.push(format!("{later}, which is said to have none, has one")),
        }
    }
    assert!(missing.is_empty(), "no example of a page has:\n{}", missing.join("\n"));
}
