//! Texts in English and Japanese: a RON file with a key for each use. Messages with codes are in the catalogue.

use crate::diagnostic::{Language, fill};
use indexmap::IndexMap;
use serde::Deserialize;

#[derive(Deserialize)]
struct Both {
    en: String,
    ja: String,
}

/// The texts of one file.
pub struct Texts(IndexMap<String, Both>);

impl Texts {
    /// The texts of a file of the program. A test finds a file that cannot be read ([`Texts::faults`]).
    #[must_use]
    pub fn read(file: &str) -> Self {
        Self(ron::from_str(file).unwrap_or_default())
    }

    /// A text as it stands in the file.
    #[must_use]
    pub fn find(&self, language: Language, key: &str) -> Option<&str> {
        self.0.get(key).map(|both| match language {
            Language::English => both.en.as_str(),
            Language::Japanese => both.ja.as_str(),
        })
    }

    /// A text with its placeholders filled. Without a text, the key is shown.
    #[must_use]
    pub fn say(&self, language: Language, key: &str, args: &[(&'static str, String)]) -> String {
        self.find(language, key).and_then(|text| fill(text, args)).unwrap_or_else(|| key.to_owned())
    }

    /// For tests: the keys whose texts are missing in one language, or have other placeholders in it. `(none)` if there are no texts.
    #[must_use]
    pub fn faults(&self) -> Vec<&str> {
        let placeholders = |text: &str| -> std::collections::BTreeSet<String> {
            text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(key, _)| key.to_owned()).collect()
        };
        let faulty = |both: &Both| both.en.is_empty() || both.ja.is_empty() || placeholders(&both.en) != placeholders(&both.ja);
        let none = self.0.is_empty().then_some("(none)");
        self.0.iter().filter(|(_, both)| faulty(both)).map(|(key, _)| key.as_str()).chain(none).collect()
    }
}
