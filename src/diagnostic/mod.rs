//! Diagnostics: what is wrong with a file, an answer, a save; where; why; and what was meant.
//!
//! A floor below all others: every floor gives [`Diagnostic`]s, `report/` shows them. The words are not here but in
//! `catalogue/*.ron`, keyed by code, in Japanese and English. Deliberately absent: terminals, formats, colours.

mod catalogue;
pub mod limits;
mod nearest;
mod pages;
mod sources;
mod span;
mod system;
mod unseen;

pub use catalogue::{Entry, Language, entry, fill, known_codes, with_names_of_placeholders};
pub use nearest::{fold_for_nearness, nearest};
pub use pages::{Example, Page, page, pages, written_out};
pub use sources::{Source, Sources};
pub use span::{FileId, Span};
pub use unseen::{is_obeyed, is_unseen, with_numbers};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum Severity {
    Error,
    Warning,
}

/// One finding. Its words come from the catalogue's entry for `code`, filled with `args`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code, like `E0203`; its first two digits name the floor.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where; none for a finding about a whole run.
    pub span: Option<Span>,
    /// What fills the placeholders of the entry's message, label and helps. A help line with a placeholder that is not given is left out.
    pub args: Vec<(&'static str, String)>,
    /// Other places, each with the entry's text of that key (`notes` in the catalogue).
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

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// With a placeholder filled.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        self.args.push((key, value.to_string()));
        self
    }

    /// With another place.
    #[must_use]
    pub fn note(mut self, span: Span, key: &'static str) -> Self {
        self.notes.push((span, key));
        self
    }

    /// With the nearest of `names` to `written` as `{nearest}`, if one is near.
    #[must_use]
    pub fn suggest<'a>(self, written: &str, names: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(written, names) {
            Some(name) => self.with("nearest", name),
            None => self,
        }
    }
}
