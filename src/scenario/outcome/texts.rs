//! The texts of failures beside the catalogue's messages (headings, steps, results). They are data: `texts.ron`.

use lang::diagnostic::{Language, Texts};
use std::sync::LazyLock;

static TEXTS: LazyLock<Texts> = LazyLock::new(|| Texts::read(include_str!("texts.ron")));

/// A text with its placeholders filled. Without a text, its key is shown.
#[must_use]
pub(crate) fn say(language: Language, key: &str, args: &[(&'static str, String)]) -> String {
    TEXTS.say(language, key, args)
}

#[cfg(test)]
mod tests {
    use super::TEXTS;
    use crate::asked_texts::asked_texts;
    use lang::diagnostic::Language;

    #[test]
    fn no_text_is_missing() {
        let calls = ["say(\"", "say(language, \"", "what(\"", "named(\"", "number(\"", "self.not(\"", "counted(\""];
        let reasons = asked_texts("src/scenario", &["=> \"why."]).into_iter().map(|(key, path)| (format!("why.{key}"), path));
        for (key, path) in asked_texts("src/scenario", &calls).into_iter().chain(reasons) {
            assert!(TEXTS.find(Language::English, &key).is_some(), "{}: {key}", path.display());
        }
    }

    #[test]
    fn both_languages_say_the_same_things() {
        assert_eq!(TEXTS.faults(), [""; 0]);
    }
}
