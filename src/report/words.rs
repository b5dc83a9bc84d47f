//! The texts of the interface: prompts, headings, words of the trace, in English and Japanese.
//!
//! They are data (`words.ron`), with a key for each use. Messages about errors are not here; they have codes and are in the catalogue of
//! diagnostics.

use crate::diagnostic::{Language, fill};
use indexmap::IndexMap;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Both {
    en: String,
    ja: String,
}

const FILE: &str = include_str!("words.ron");

static WORDS: LazyLock<IndexMap<String, Both>> = LazyLock::new(|| {
    // The test below finds a file that cannot be read.
    ron::from_str(FILE).unwrap_or_default()
});

/// The interface's texts in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    language: Language,
}

impl Words {
    /// In that language.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self { language }
    }

    /// The language.
    #[must_use]
    pub fn language(self) -> Language {
        self.language
    }

    /// A text with its placeholders filled. Without a text, the key is shown.
    #[must_use]
    pub fn say(self, key: &str, args: &[(&'static str, String)]) -> String {
        self.find(key).and_then(|text| fill(text, args)).unwrap_or_else(|| key.to_owned())
    }

    /// A text without placeholders.
    #[must_use]
    pub fn plain(self, key: &str) -> &str {
        self.find(key).unwrap_or("")
    }

    /// A text as it stands in the file.
    #[must_use]
    pub fn find(self, key: &str) -> Option<&'static str> {
        WORDS.get(key).map(|both| match self.language {
            Language::English => both.en.as_str(),
            Language::Japanese => both.ja.as_str(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Both, FILE, WORDS};
    use indexmap::IndexMap;
    use std::collections::BTreeSet;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(key, _)| key).collect()
    }

    /// Test: every text that the sources ask for exists.
    #[test]
    fn no_text_is_missing() {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
                // Scenarios have sayings of their own.
                if path.is_dir() && !path.ends_with("scenario") {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap_or_default();
                    for asked in ["say(\"", "plain(\"", "tell(\""].iter().flat_map(|call| text.split(call).skip(1)) {
                        let key = asked.split('"').next().unwrap_or("");
                        assert!(WORDS.contains_key(key) || key.contains('{'), "{}: {key}", path.display());
                    }
                }
            }
        }
    }

    #[test]
    fn the_file_can_be_read_and_says_the_same_in_both_languages() {
        let read = ron::from_str::<IndexMap<String, Both>>(FILE);
        assert!(read.is_ok(), "{:?}", read.err());
        for (key, both) in WORDS.iter() {
            assert!(!both.en.is_empty() && !both.ja.is_empty(), "{key}");
            assert_eq!(placeholders(&both.en), placeholders(&both.ja), "{key}");
        }
    }
}
