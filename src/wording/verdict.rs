//! The verdict on a printed text that was read into a script and printed back: one of five.

use super::back::{Back, Said};
use super::{Reading, Wording};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::Text;

/// The verdict on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The script is printed with the same signs, apart from width.
    Exact,
    /// The script is printed with these other signs, which are read as the same script.
    Normalised(String),
    /// The templates cannot print the script. Their text for it, if any, is not read as the same script.
    Mismatch(Option<String>),
    /// The text has two meanings.
    Ambiguous,
    /// The text cannot be read.
    Uncovered,
}

impl Verdict {
    /// The name in tables and JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Normalised(_) => "normalised",
            Verdict::Mismatch(_) => "mismatch",
            Verdict::Ambiguous => "ambiguous",
            Verdict::Uncovered => "uncovered",
        }
    }

    /// The templates' text for the script, if it differs from the printed text.
    #[must_use]
    pub fn said(&self) -> Option<&str> {
        match self {
            Verdict::Normalised(said) => Some(said),
            Verdict::Mismatch(said) => said.as_deref(),
            Verdict::Exact | Verdict::Ambiguous | Verdict::Uncovered => None,
        }
    }

    /// `E0440` for a text whose script cannot be printed back.
    #[must_use]
    pub fn finding(&self, text: &Text) -> Option<Diagnostic> {
        let Verdict::Mismatch(said) = self else { return None };
        let said = said.as_deref().unwrap_or("-");
        Some(Diagnostic::warning(Diagnostic::error("E0440", text.span).with("text", &text.text).with("said", said)))
    }

    /// The names of all five verdicts.
    pub const NAMES: [&'static str; 5] = ["exact", "normalised", "mismatch", "ambiguous", "uncovered"];
}

impl Wording {
    /// The verdict on a text and its reading. For several lines, the worst verdict.
    #[must_use]
    pub fn verdict(&self, back: &Back<'_>, text: &Text, reading: &Reading) -> Verdict {
        if reading.diagnostics.iter().any(|finding| finding.code == super::AMBIGUOUS) {
            return Verdict::Ambiguous;
        }
        if !reading.diagnostics.is_empty() {
            return Verdict::Uncovered;
        }
        let mut lines = Vec::new();
        let mut whole = true;
        for ability in &reading.abilities {
            match back.text_on(ability, &reading.types) {
                Said::Text(line) => lines.push(line),
                Said::Other(line) => {
                    whole = false;
                    lines.push(line);
                }
                Said::Nothing => return Verdict::Mismatch(None),
            }
        }
        let said = lines.join("\n");
        if !whole {
            return Verdict::Mismatch(Some(said));
        }
        if self.signs(&said, text) == self.signs(&text.text, text) { Verdict::Exact } else { Verdict::Normalised(said) }
    }

    /// The folded signs of each line, without indentation and remarks.
    fn signs(&self, lines: &str, text: &Text) -> Vec<Vec<char>> {
        let text = Text { text: lines.to_owned(), span: text.span };
        self.lines(&text).into_iter().map(|line| line.signs).collect()
    }
}
