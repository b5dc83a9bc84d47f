//! Pages about codes: what a message means, how it happens, how it is mended. Data (`catalogue/pages.ron`), for those codes that
//! people meet most.

use super::Language;
use indexmap::IndexMap;
use serde::Deserialize;
use std::sync::LazyLock;

/// What the examples of a page are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Example {
    /// Declarations of a rules file.
    Rules,
    /// A whole rules file.
    Whole,
    /// Cards.
    Cards,
    /// A scenario.
    Scenario,
    /// Something that only a game, a command or a deck could show.
    Unchecked,
}

/// A page.
#[derive(Clone, Debug, Deserialize)]
pub struct Page {
    /// What its examples are.
    pub of: Example,
    /// What it means, in English.
    en: String,
    /// What it means, in Japanese.
    ja: String,
    /// How it happens.
    pub wrong: String,
    /// How it is mended.
    pub right: String,
}

impl Page {
    /// What the message means.
    #[must_use]
    pub fn meaning(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Japanese => &self.ja,
        }
    }
}

static PAGES: LazyLock<IndexMap<String, Page>> = LazyLock::new(|| {
    // A file that does not parse is caught by the test below; a user never meets it.
    ron::from_str(include_str!("catalogue/pages.ron")).unwrap_or_default()
});

/// The page about a code, where there is one.
#[must_use]
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.get(code)
}

/// All pages with their codes.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static Page)> {
    PAGES.iter().map(|(code, page)| (code.as_str(), page))
}

#[cfg(test)]
mod tests {
    use super::{page, pages};
    use crate::diagnostic::{Language, entry};

    #[test]
    fn every_page_is_about_a_code_and_says_something() {
        assert!(pages().count() >= 99);
        for (code, page) in pages() {
            assert!(entry(code, Language::English).is_some(), "{code}");
            let texts = [&page.en, &page.ja, &page.wrong, &page.right];
            assert!(texts.iter().all(|text| !text.is_empty()) && page.wrong != page.right, "{code}");
            assert!(!page.ja.is_ascii(), "{code}");
        }
        assert!(page("E9999").is_none());
    }
}
