//! Warns of two cards whose names differ only in the width or composition of their signs (「Ａ」 and 「A」).
//!
//! Nobody sees the difference. Rules and scripts take the names for two names, so neither is a copy of the other. Scenarios, decks and the
//! command line compare the normal forms (NFKC), and take them for one name.

use super::super::Compiler;
use crate::diagnostic::Diagnostic;
use crate::syntax::normal;
use rustc_hash::FxHashMap;

impl Compiler {
    /// `E0398` for a card whose name has the normal form of another card's name, but other signs.
    pub(super) fn alike_names(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut first = FxHashMap::default();
        let mut found = Vec::new();
        for (card, def) in program.cards.iter() {
            let Some(name) = program.texts.get(def.name) else { continue };
            let (other, known) = *first.entry(normal(name)).or_insert((card, name));
            if let (true, Some(span)) = (known != name, self.map.card(card)) {
                let finding = Diagnostic::error("E0398", span).with("name", name).with("other", known);
                found.push(self.map.card(other).map_or(finding.clone(), |other| finding.note(other, "other")));
            }
        }
        found
    }
}
