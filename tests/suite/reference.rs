//! The pages about the language against the tables of the compiler: every word that the compiler knows stands on a page.
//!
//! The words are read from the sources of `src/compile`: from the arms of its matches, its comparisons and its lists. `NOT_WORDS` lists
//! what stands there and is no word of the language. `src/lang/syntax/tests/reference.rs` checks that every rule of the grammar has an example.

#![allow(clippy::indexing_slicing, clippy::string_slice, reason = "a test")]

use super::tidy::{document, files};
use gyoji::engine::program::Builtin;
use gyoji::syntax::{CLAUSE_WORDS, FileKind, WORDS, declaration_words};
use std::collections::BTreeSet;

/// These words stand in the sources, but on the page a number always stands between them (`at most 1 each`).
const NOT_WORDS: [&str; 1] = ["at most each"];

/// The texts between the quotation marks of a line.
fn literals(line: &str) -> Vec<&str> {
    line.split('"').skip(1).step_by(2).collect()
}

fn is_words(text: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|sign: char| sign.is_ascii_lowercase()) && word.chars().all(|sign| sign.is_ascii_lowercase() || sign == '_')
    };
    !text.is_empty() && text.split(' ').all(word)
}

/// The words that a line compares names with. The line is an arm of a match, a comparison, or a part of a list.
fn compared(line: &str, in_list: bool) -> Vec<&str> {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//") {
        return Vec::new();
    }
    if in_list {
        return literals(line);
    }
    let arm = trimmed.split_once(" =>").filter(|(pattern, _)| pattern.starts_with('"') || pattern.starts_with("(\""));
    let mut found = arm.map_or(Vec::new(), |(pattern, _)| literals(pattern.split(" if ").next().unwrap_or(pattern)));
    if let Some((_, phrases)) = line.split_once(".phrases(") {
        found.extend(literals(phrases).into_iter().skip(1));
    }
    for mark in ["text == \"", "word == \"", "policy_word(value, &[\"", "matches!(word, \"", "phrase.words == \"", "known != \""] {
        if let Some(at) = line.find(mark) {
            let rest = &line[at + mark.len() - 1..];
            found.extend(literals(rest.split([')', ']']).next().unwrap_or(rest)));
        }
    }
    found
}

/// Every word of the language that the compiler knows, and the file that knows it.
fn known() -> BTreeSet<(String, String)> {
    let mut words = BTreeSet::new();
    for (path, text) in files("src/compile", ".rs") {
        let path = path.display().to_string();
        if ["tests", "listing", "report", "warnings"].iter().any(|other| path.contains(other)) {
            continue;
        }
        let mut in_list = false;
        for line in text.lines() {
            in_list |= line.contains("const ") && (line.contains(": [&str;") || line.contains(": [(&str,") || line.contains(": [Entry;"));
            words.extend(compared(line, in_list).into_iter().filter(|word| is_words(word)).map(|word| (word.to_owned(), path.clone())));
            in_list &= !line.contains("];");
        }
    }
    words
}

/// Whether a page has the word in a code span or in an example.
fn says(page: &str, word: &str) -> bool {
    let is_part = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
    let mut fenced = false;
    page.lines().any(|line| {
        fenced ^= line.starts_with("```");
        let spans: Vec<&str> = if fenced { vec![line] } else { line.split('`').skip(1).step_by(2).collect() };
        spans.iter().any(|span| {
            let mut places = span.match_indices(word);
            places.any(|(at, _)| !is_part(span[..at].chars().next_back()) && !is_part(span[at + word.len()..].chars().next()))
        })
    })
}

#[test]
fn the_page_has_every_word_that_the_compiler_knows() {
    let (known, page) = (known(), document("language"));
    assert!(known.len() > 100, "the sources could not be read: {}", known.len());
    let missing: Vec<_> = known.iter().filter(|(word, _)| !NOT_WORDS.contains(&word.as_str()) && !says(&page, word)).collect();
    assert!(missing.is_empty(), "docs/language lacks {missing:#?}");
    let idle: Vec<_> = NOT_WORDS.iter().filter(|word| !known.iter().any(|(known, _)| known == *word) || says(&page, word)).collect();
    assert!(idle.is_empty(), "these need no exception: {idle:?}");
    // One example for each way in which the compiler knows a word: a table, a list of policy words, an arm, a phrase.
    for word in ["decider", "surely_found", "text_against_rule", "host", "identity in decks"] {
        assert!(known.iter().any(|(known, _)| known == word), "{word} was not read");
        assert!(!says(&page.replace(word, ""), word), "{word}");
    }
}

#[test]
fn the_page_has_every_verb_and_every_word_of_the_syntax() {
    let verbs = Builtin::ALL.iter().map(|verb| verb.name());
    let kinds = [FileKind::Rules, FileKind::Cards, FileKind::Scenarios].into_iter().flat_map(declaration_words);
    let words = [WORDS.heads, WORDS.infix, WORDS.prefix, CLAUSE_WORDS].into_iter().flatten();
    let page = document("language");
    let missing: Vec<&str> = verbs.chain(kinds.copied()).chain(words.copied()).filter(|word| !says(&page, word)).collect();
    assert!(missing.is_empty(), "docs/language lacks {missing:?}");
}

/// The names behind `family` or `meaning` in the lines of std.
fn declared(word: &str) -> BTreeSet<String> {
    let name = |line: &str| Some(line.trim_start().strip_prefix(word)?.strip_prefix(' ')?.split('(').next()?.to_owned());
    files("rules/std", ".rules").iter().flat_map(|(_, text)| text.lines().filter_map(name).collect::<Vec<_>>()).collect()
}

#[test]
fn the_pages_have_every_family_and_meaning_of_std() {
    for (word, least, subject) in [("family", 100, "families"), ("meaning", 40, "wording")] {
        let (names, page) = (declared(word), document(subject));
        assert!(names.len() >= least, "{} of {word}", names.len());
        let missing: Vec<_> = names.iter().filter(|name| !page.contains(&format!("`{name}("))).collect();
        assert!(missing.is_empty(), "docs/{subject} has no {word} {missing:?}");
    }
}

/// Of two entries with one key only the second would be read.
#[test]
fn no_key_of_words_and_messages_stands_twice() {
    let key = |line: &str| Some(line.strip_prefix("    \"")?.split_once("\": (")?.0.to_owned());
    let mut all = 0;
    for (path, text) in files("src", ".ron") {
        let mut seen = BTreeSet::new();
        let twice: Vec<String> = text.lines().filter_map(key).filter(|key| !seen.insert(key.clone())).collect();
        assert!(twice.is_empty(), "{}: {twice:?}", path.display());
        all += seen.len();
    }
    assert!(all > 1000, "{all}");
}
