//! What becomes of a printed text on the way to its script and back: one of five verdicts.

use super::back::{Back, Said};
use super::{Reading, Wording};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::Text;

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its script is said with the same signs, widths aside.
    Exact,
    /// Its script is said with other signs, which are read as the same script.
    Normalised(String),
    /// The templates do not say its script: what they say instead, if anything, is not read as the same script.
    Mismatch(Option<String>),
    /// It has two meanings.
    Ambiguous,
    /// It is not read as a script.
    Uncovered,
}

impl Verdict {
    /// The name, as tables and JSON have it.
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

    /// What the templates say of the script, where that is not the printed text.
    #[must_use]
    pub fn said(&self) -> Option<&str> {
        match self {
            Verdict::Normalised(said) => Some(said),
            Verdict::Mismatch(said) => said.as_deref(),
            Verdict::Exact | Verdict::Ambiguous | Verdict::Uncovered => None,
        }
    }

    /// `E0440` for a text whose script cannot be said back: the wording reads what it does not print.
    #[must_use]
    pub fn finding(&self, text: &Text) -> Option<Diagnostic> {
        let Verdict::Mismatch(said) = self else { return None };
        let said = said.as_deref().unwrap_or("-");
        Some(Diagnostic::warning(Diagnostic::error("E0440", text.span).with("text", &text.text).with("said", said)))
    }

    /// The names of all five.
    pub const NAMES: [&'static str; 5] = ["exact", "normalised", "mismatch", "ambiguous", "uncovered"];
}

impl Wording {
    /// The verdict on a text with what it was read as. A text of several lines has the worst of their verdicts.
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

    /// The folded signs of a text's lines, indentation and remarks aside.
    fn signs(&self, lines: &str, text: &Text) -> Vec<Vec<char>> {
        let signs = lines.split('\n').map(|line| self.line(text, 0, line).signs);
        signs.filter(|signs| !signs.is_empty()).collect()
    }
}
