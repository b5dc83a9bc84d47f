//! The pages about codes: what a message means, how it happens, how it is mended. They are data (`catalogue/pages/*.ron`, one file for each
//! folder). Every code has a page.

use super::Language;
use indexmap::IndexMap;
use serde::Deserialize;
use std::sync::LazyLock;

/// The kind of a page's examples, which says how they are run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Example {
    /// Declarations of a rules file.
    Rules,
    /// A whole rules file.
    Whole,
    /// Cards.
    Cards,
    /// A scenario.
    Scenario,
    /// Declarations of a rules file that end in an error when they are played.
    Played,
    /// Lines of a wording, and a card's text.
    Wording,
    /// A command typed in a project's folder.
    Command,
    /// Something that cannot be run.
    Unchecked {
        /// The reason.
        because: String,
    },
}

/// A page.
#[derive(Clone, Debug, Deserialize)]
pub struct Page {
    /// The kind of its examples.
    pub of: Example,
    /// What the message means, in English.
    en: String,
    /// What the message means, in Japanese.
    ja: String,
    /// An example with the mistake.
    pub wrong: String,
    /// The example without the mistake.
    pub right: String,
}

impl Page {
    /// The meaning of the message.
    #[must_use]
    pub fn meaning(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Japanese => &self.ja,
        }
    }
}

const FILES: [&str; 7] = [
    include_str!("catalogue/pages/syntax.ron"),
    include_str!("catalogue/pages/compile.ron"),
    include_str!("catalogue/pages/wording.ron"),
    include_str!("catalogue/pages/scenario.ron"),
    include_str!("catalogue/pages/engine.ron"),
    include_str!("catalogue/pages/deck.ron"),
    include_str!("catalogue/pages/program.ron"),
];

static PAGES: LazyLock<IndexMap<String, Page>> = LazyLock::new(|| {
    // The tests below find a file that cannot be parsed.
    FILES.iter().filter_map(|file| ron::from_str::<IndexMap<String, Page>>(file).ok()).flatten().collect()
});

/// The page about a code.
#[must_use]
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.get(code)
}

/// All pages with their codes.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static Page)> {
    PAGES.iter().map(|(code, page)| (code.as_str(), page))
}

/// An example as it is run: `‹x›×9` stands for nine times x.
#[must_use]
pub fn written_out(example: &str) -> String {
    let mut text = String::with_capacity(example.len());
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('‹') {
        text.push_str(before);
        let Some((part, behind)) = after.split_once("›×") else {
            text.push('‹');
            rest = after;
            continue;
        };
        let digits = behind.len() - behind.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
        let (times, behind) = behind.split_at_checked(digits).unwrap_or((behind, ""));
        text.push_str(&part.repeat(times.parse().unwrap_or(1)));
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::{Example, FILES, Page, page, pages, written_out};
    use crate::diagnostic::{Language, entry, known_codes};
    use indexmap::IndexMap;

    #[test]
    fn every_file_of_pages_can_be_read() {
        let read: Vec<_> = FILES.iter().map(|file| ron::from_str::<IndexMap<String, Page>>(file).map(|pages| pages.len())).collect();
        assert!(read.iter().all(Result::is_ok), "{read:?}");
        assert_eq!(read.into_iter().flatten().sum::<usize>(), pages().count(), "two files have a page for one code");
    }

    #[test]
    fn every_code_has_a_page() {
        let without: Vec<&str> = known_codes().filter(|code| page(code).is_none()).collect();
        assert!(without.is_empty(), "codes without a page (src/lang/diagnostic/catalogue/pages): {without:?}");
    }

    #[test]
    fn every_page_is_about_a_code_and_says_something() {
        for (code, page) in pages() {
            assert!(entry(code, Language::English).is_some(), "{code}");
            let texts = [&page.en, &page.ja, &page.wrong, &page.right];
            assert!(texts.iter().all(|text| !text.is_empty()) && page.wrong != page.right, "{code}");
            assert!(!page.ja.is_ascii() && page.en.len() > 40, "{code}");
        }
        assert!(page("E9999").is_none());
    }

    /// Test: the list of examples that cannot be run is short, and everybody sees it grow.
    #[test]
    fn hardly_any_example_is_not_run() {
        let not_run = pages().filter(|(_, page)| matches!(&page.of, Example::Unchecked { because } if because.len() > 20));
        let codes: Vec<&str> = not_run.map(|(code, _)| code).collect();
        assert_eq!(pages().filter(|(_, page)| matches!(page.of, Example::Unchecked { .. })).count(), codes.len(), "one says no reason");
        assert_eq!(
            codes,
            [
                "E0119", "E0150", "E0152", "E0371", "E0269", "E0272", "E0279", "E0293", "E0344", "E0346", "E0347", "E0372", "E0363",
                "E0364", "E0365", "E0366", "E0370", "E0444", "E0452", "E0456", "E0457", "E0458", "E0459", "E0508", "E0517", "E0558",
                "E0557", "E0555", "E0549", "E0553", "E0575", "E0589", "E0594", "E0659", "E0662", "E0646", "E0651", "E0656", "E0605",
                "E0608", "E0609", "E0610", "E0655", "E0641", "E0642", "E0643", "E0644", "E0615", "E0616", "E0617", "E0619", "E0660",
                "E0620", "E0661", "E0621", "E0859", "E0868", "E0841"
            ]
        );
    }

    #[test]
    fn what_is_repeated_is_written_out() {
        assert_eq!(written_out("a‹ + 1›×3 ‹b›"), "a + 1 + 1 + 1 ‹b›");
        assert_eq!(written_out("「‹鯛か›×2鯛」"), "「鯛か鯛か鯛」");
    }
}
