//! The catalogue of messages: the words for each code in English and Japanese.
//!
//! The entries are data (`catalogue/*.ron`, one file for each folder), built into the program.

use indexmap::IndexMap;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The language of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Language {
    #[default]
    English,
    Japanese,
}

/// The words of one code in one language. `{key}` is a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Entry {
    /// What is wrong: one line, lower case, without a full stop.
    pub message: String,
    /// The text beside the underlined place.
    #[serde(default)]
    pub label: String,
    /// What to do. A line with a missing placeholder is left out.
    #[serde(default)]
    pub help: Vec<String>,
    /// The texts of other places, by key.
    #[serde(default)]
    pub notes: IndexMap<String, String>,
}

#[derive(Deserialize)]
struct Both {
    en: Entry,
    ja: Entry,
}

const FILES: [&str; 7] = [
    include_str!("catalogue/syntax.ron"),
    include_str!("catalogue/compile.ron"),
    include_str!("catalogue/wording.ron"),
    include_str!("catalogue/scenario.ron"),
    include_str!("catalogue/engine.ron"),
    include_str!("catalogue/deck.ron"),
    include_str!("catalogue/program.ron"),
];

static CATALOGUE: LazyLock<IndexMap<String, Both>> = LazyLock::new(|| {
    // The test below finds a file that cannot be parsed.
    FILES.iter().filter_map(|file| ron::from_str::<IndexMap<String, Both>>(file).ok()).flatten().collect()
});

/// The words for a code. None for an unknown code.
#[must_use]
pub fn entry(code: &str, language: Language) -> Option<&'static Entry> {
    CATALOGUE.get(code).map(|both| match language {
        Language::English => &both.en,
        Language::Japanese => &both.ja,
    })
}

/// All codes, in the order of the catalogue.
pub fn known_codes() -> impl Iterator<Item = &'static str> {
    CATALOGUE.keys().map(String::as_str)
}

/// The most signs of a value that a message shows: names in a file may have any length.
const LONGEST: usize = 2000;

/// The placeholders for names of files and folders. A name is shown in one line.
const NAMES_OF_FILES: [&str; 5] = ["file", "folder", "from", "near", "place"];

/// `template` with its placeholders filled. None if one is missing.
#[must_use]
pub fn fill(template: &str, args: &[(&'static str, String)]) -> Option<String> {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        // Braces around anything else than a key belong to a source that the message shows.
        let Some((key, behind)) = after.split_once('}').filter(|(key, _)| is_key(key)) else {
            filled.push('{');
            rest = after;
            continue;
        };
        let find = |wanted: &str| args.iter().find(|(name, _)| *name == wanted);
        // In English a thing has the word that the program uses.
        let value = &find(key).or_else(|| find("what").filter(|_| key == "thing"))?.1;
        let value = if NAMES_OF_FILES.contains(&key) { super::shown_name(value) } else { Cow::Borrowed(value.as_str()) };
        let cut = value.char_indices().nth(LONGEST).and_then(|(end, _)| value.get(..end));
        cut.unwrap_or(&value).chars().for_each(|sign| push_seen(&mut filled, sign));
        filled.push_str(if cut.is_some() { "…" } else { "" });
        rest = behind;
    }
    filled.push_str(rest);
    Some(filled)
}

/// Adds a sign of a value. A sign that nobody sees, or that a terminal obeys, is shown by its number.
fn push_seen(text: &mut String, sign: char) {
    if super::is_unseen(sign) {
        text.push_str(&format!("U+{:04X}", u32::from(sign)));
    } else {
        text.push(sign);
    }
}

/// `template` with `‹key›` for each placeholder: the message without a particular finding.
#[must_use]
pub fn with_names_of_placeholders(template: &str) -> String {
    let mut shown = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        shown.push_str(before);
        match after.split_once('}').filter(|(key, _)| is_key(key)) {
            Some((key, behind)) => {
                shown.push_str(&format!("‹{}›", key.replace('_', " ")));
                rest = behind;
            }
            None => {
                shown.push('{');
                rest = after;
            }
        }
    }
    shown + rest
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|sign| sign.is_ascii_lowercase() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::{Both, CATALOGUE, Entry, FILES, is_key};
    use indexmap::IndexMap;
    use std::collections::BTreeSet;

    fn placeholders(entry: &Entry) -> BTreeSet<String> {
        let notes = entry.notes.values();
        let texts = entry.help.iter().chain([&entry.message, &entry.label]).chain(notes);
        texts
            .flat_map(|text| text.split('{').skip(1).filter_map(|rest| rest.split_once('}')))
            .map(|(key, _)| key.to_owned())
            .filter(|key| is_key(key))
            .collect()
    }

    #[test]
    fn every_file_of_the_catalogue_can_be_read() {
        let read: Vec<_> = FILES.iter().map(|file| ron::from_str::<IndexMap<String, Both>>(file).map(|entries| entries.len())).collect();
        assert!(read.iter().all(Result::is_ok), "{read:?}");
        assert_eq!(read.into_iter().flatten().sum::<usize>(), CATALOGUE.len(), "two files have an entry for one code");
    }

    #[test]
    fn braces_of_a_source_are_no_placeholders() {
        let args = [("name", "x".to_owned())];
        assert_eq!(super::fill("`enum {name} { a }` or { }", &args).as_deref(), Some("`enum x { a }` or { }"));
        assert_eq!(super::fill("{nearest}?", &args), None);
    }

    #[test]
    fn signs_that_nobody_sees_are_shown_by_their_numbers() {
        let args = [("found", "a\u{A0}b\u{202E}\u{1B}[31m　c".to_owned())];
        assert_eq!(super::fill("`{found}`", &args).as_deref(), Some("`aU+00A0bU+202EU+001B[31m　c`"));
    }

    #[test]
    fn values_without_end_are_cut() {
        let args = [("name", "語".repeat(3000))];
        assert_eq!(super::fill("`{name}`", &args).map(|text| text.chars().count()), Some(2003));
    }

    #[test]
    fn both_languages_say_the_same_things() {
        for (code, both) in CATALOGUE.iter() {
            assert_eq!(placeholders(&both.en), placeholders(&both.ja), "{code}");
            assert_eq!(both.en.help.len(), both.ja.help.len(), "{code}");
            assert!(both.en.notes.keys().eq(both.ja.notes.keys()), "{code}");
        }
    }
}
