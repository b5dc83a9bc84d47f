//! The texts of the interface: prompts, headings, words of the trace, in English and Japanese.
//!
//! They are data (`words.ron`), with a key for each use. Messages about errors are not here; they have codes and are in the catalogue of
//! diagnostics.

use lang::diagnostic::{Language, Texts};
use std::sync::LazyLock;

static WORDS: LazyLock<Texts> = LazyLock::new(|| Texts::read(include_str!("words.ron")));

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
        WORDS.say(self.language, key, args)
    }

    /// A text without placeholders.
    #[must_use]
    pub fn plain(self, key: &str) -> &str {
        self.find(key).unwrap_or("")
    }

    /// A text as it stands in the file.
    #[must_use]
    pub fn find(self, key: &str) -> Option<&'static str> {
        WORDS.find(self.language, key)
    }
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::asked_texts::asked_texts;
    use lang::diagnostic::Language;

    #[test]
    fn no_text_is_missing() {
        for (key, path) in asked_texts("src", &["say(\"", "plain(\"", "tell(\""]) {
            let known = WORDS.find(Language::English, &key).is_some();
            assert!(known || key.contains('{'), "{}: {key}", path.display());
        }
    }

    #[test]
    fn both_languages_say_the_same_things() {
        assert_eq!(WORDS.faults(), [""; 0]);
    }
}
