//! The texts of failures beside the catalogue's messages (headings, steps, results), in English and Japanese. They are data: `sayings.ron`.

use crate::diagnostic::{Language, fill};
use indexmap::IndexMap;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
struct Both {
    en: String,
    ja: String,
}

static SAYINGS: LazyLock<IndexMap<String, Both>> = LazyLock::new(|| {
    // The test below finds a file that cannot be read.
    ron::from_str(include_str!("sayings.ron")).unwrap_or_default()
});

/// A text with its placeholders filled. Without a text, its key is shown.
#[must_use]
pub fn say(language: Language, key: &str, args: &[(&'static str, String)]) -> String {
    let found = SAYINGS.get(key).map(|both| match language {
        Language::English => &both.en,
        Language::Japanese => &both.ja,
    });
    found.and_then(|template| fill(template, args)).unwrap_or_else(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::SAYINGS;
    use std::collections::BTreeSet;

    fn placeholders(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(key, _)| key).collect()
    }

    /// Test: every text that the sources ask for exists.
    #[test]
    fn no_saying_is_missing() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenario");
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let calls = ["say(\"", "say(language, \"", "what(\"", "named(\"", "number(\"", "self.not(\"", "counted(\"", "=> \"why."];
            for call in calls {
                for asked in text.split(call).skip(1) {
                    let prefix = if call.ends_with("why.") { "why." } else { "" };
                    let key = format!("{prefix}{}", asked.split('"').next().unwrap_or(""));
                    assert!(SAYINGS.contains_key(&key) || path.ends_with("sayings.rs"), "{}: {key}", path.display());
                }
            }
        }
    }

    #[test]
    fn both_languages_say_the_same_things() {
        assert!(!SAYINGS.is_empty());
        for (key, both) in SAYINGS.iter() {
            assert_eq!(placeholders(&both.en), placeholders(&both.ja), "{key}");
        }
    }
}
