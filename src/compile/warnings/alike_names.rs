//! Warns of two cards whose names look alike: they differ only in the width or composition of signs (「Ａ」 and 「A」), in blanks, or in
//! signs of two scripts with one form (「カ」 and 「力」).
//!
//! Nobody sees the difference. Rules and scripts take the names for two names, so neither is a copy of the other. Scenarios, decks and the
//! command line compare the normal forms (NFKC), and take them for one name.

use super::super::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::{look_alike, normal};
use rustc_hash::FxHashMap;

impl Compiler {
    /// `E0398` for a card whose name looks like another card's name, but has other signs.
    pub(super) fn alike_names(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut first = FxHashMap::default();
        let mut found = Vec::new();
        for (card, def) in program.cards.iter() {
            let Some(name) = program.texts.get(def.name) else { continue };
            let (other, known) = *first.entry(as_seen(name)).or_insert((card, name));
            if let (true, Some(span)) = (known != name, self.map.card(card)) {
                let finding = Diagnostic::error("E0398", span).with("name", name).with("other", known);
                found.push(self.map.card(other).map_or(finding.clone(), |other| finding.note(other, "other")));
            }
        }
        found
    }
}

/// Kana and the ideographs or kana of the other script that look like them.
const ONE_FORM: [(char, char); 15] = [
    ('へ', 'ヘ'),
    ('べ', 'ベ'),
    ('ぺ', 'ペ'),
    ('り', 'リ'),
    ('力', 'カ'),
    ('口', 'ロ'),
    ('夕', 'タ'),
    ('工', 'エ'),
    ('卜', 'ト'),
    ('二', 'ニ'),
    ('八', 'ハ'),
    ('一', 'ー'),
    ('—', 'ー'),
    ('―', 'ー'),
    ('─', 'ー'),
];

/// A name as people see it: without blanks, and with one sign for all signs of one form.
fn as_seen(name: &str) -> String {
    let seen = |sign: char| {
        let kana = ONE_FORM.iter().find(|(other, _)| *other == sign).map(|(_, kana)| *kana);
        kana.or_else(|| look_alike(sign)).unwrap_or(sign)
    };
    normal(name).chars().filter(|sign| !sign.is_whitespace()).map(seen).collect()
}
