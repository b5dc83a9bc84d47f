//! Diagnostics: what is wrong with a file, an answer or a save, at which place, for which reason, and what may have been meant.
//!
//! All other folders make [`Diagnostic`]s; `report/` shows them. The words are in `catalogue/*.ron`, by code, in Japanese and English. This
//! folder knows no terminals, formats or colours.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | `Diagnostic`: one finding |
//! | `catalogue.rs` | the words for each code (`catalogue/*.ron`) |
//! | `pages.rs` | the pages of `gyoji explain CODE` (`catalogue/pages/*.ron`) |
//! | `sources.rs`, `span.rs` | the source files of a run; places in them |
//! | `nearest.rs` | the name that may have been meant |
//! | `habits.rs` | words of other languages, with what is written here |
//! | `unseen.rs` | signs that nobody sees or that a terminal obeys |
//! | `system.rs` | errors of the system when files are read or written |
//! | `things.rs` | Japanese words for the things that messages name (`catalogue/things.ron`) |
//! | `texts.rs` | texts without codes, in two languages |
//! | `told.rs` | the words of a finding, filled in |
//! | `limits.rs` | how many findings are shown |

mod catalogue;
mod habits;
pub mod limits;
mod nearest;
mod pages;
mod sources;
mod span;
mod system;
pub(crate) mod texts;
mod things;
mod told;
mod unseen;

pub use catalogue::{Entry, Language, entry, fill, known_codes, with_names_of_placeholders};
pub use habits::{type_written_here, written_here};
pub use nearest::nearest;
pub use pages::{Example, Page, page, pages, written_out};
pub use sources::{Source, Sources, composed};
pub use span::{FileId, Span};
pub use texts::Texts;
pub use told::Told;
pub(crate) use unseen::is_variant;
pub use unseen::{is_obeyed, is_shown_by_number, is_unseen, may_hide, shown_name, with_numbers};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Severity {
    Error,
    Warning,
}

/// One finding. Its words are the catalogue's entry for `code`, filled with `args`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, like `E0203`. Its first two digits name the folder that makes it.
    pub code: &'static str,
    /// How bad the finding is.
    pub severity: Severity,
    /// The place. None for a finding about a whole run.
    pub span: Option<Span>,
    /// The placeholders of the entry's message, label and helps. A help line with a missing placeholder is left out.
    pub args: Vec<(&'static str, String)>,
    /// Other places, each with the key of its text (`notes` in the catalogue).
    pub notes: Vec<(Span, &'static str)>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span) -> Self {
        Self { code, severity: Severity::Error, span: Some(span), args: Vec::new(), notes: Vec::new() }
    }

    /// An error without a place in a file.
    #[must_use]
    pub fn global(code: &'static str) -> Self {
        Self { code, severity: Severity::Error, span: None, args: Vec::new(), notes: Vec::new() }
    }

    /// The finding with this place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The finding as a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Whether the value of a placeholder begins with a text.
    #[must_use]
    pub fn is(&self, key: &str, begins: &str) -> bool {
        self.args.iter().any(|(known, value)| *known == key && value.starts_with(begins))
    }

    /// Fills a placeholder.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        self.args.push((key, value.to_string()));
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn note(mut self, span: Span, key: &'static str) -> Self {
        self.notes.push((span, key));
        self
    }

    /// The placeholders of a message in this language. `{thing}` is the argument `what` in the words of the language.
    #[must_use]
    pub fn args_in(&self, language: Language) -> Vec<(&'static str, String)> {
        let what = self.args.iter().find(|(key, _)| *key == "what");
        let thing = what.map(|(_, what)| ("thing", things::in_language(what, language).to_owned()));
        self.args.iter().cloned().chain(thing).collect()
    }

    /// Fills `{nearest}` with the nearest of `names` to `written`, if one is near.
    #[must_use]
    pub fn suggest<'a>(self, written: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(written, names) {
            Some(name) => self.with("nearest", name),
            None => self,
        }
    }
}
