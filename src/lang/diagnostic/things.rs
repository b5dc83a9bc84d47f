//! The words for the things that a game declares (an action, a zone, a part of a policy), in Japanese. In English a thing has the word that
//! the program uses.

use super::Language;
use indexmap::IndexMap;
use std::sync::LazyLock;

static JAPANESE: LazyLock<IndexMap<String, String>> = LazyLock::new(|| {
    // The test below finds a file that cannot be parsed.
    ron::from_str(include_str!("catalogue/things.ron")).unwrap_or_default()
});

/// The word for a thing. A word that the table does not have is a word of the language of rules, and stays.
pub(super) fn in_language(what: &str, language: Language) -> &str {
    match language {
        Language::English => what,
        Language::Japanese => JAPANESE.get(what).map_or(what, String::as_str),
    }
}

#[cfg(test)]
mod tests {
    use super::JAPANESE;
    use crate::asked_texts::asked_texts;

    /// The beginnings of calls whose next argument names a thing.
    const CALLS: [&str; 7] =
        [".declare(\"", "declared::<KeywordId>(\"", "declared::<FieldId>(\"", ".unknown(\"", ".phrases(\"", ".once(\"", "(\"what\", \""];

    #[test]
    fn every_thing_that_a_message_names_has_a_japanese_word() {
        let asked = ["src/compile", "src/wording", "src/scenario", "src/project"].map(|folder| asked_texts(folder, &CALLS));
        let lacking: Vec<_> = asked.into_iter().flatten().filter(|(what, _)| !JAPANESE.contains_key(what)).collect();
        assert!(!JAPANESE.is_empty() && lacking.is_empty(), "{lacking:?}");
    }
}
