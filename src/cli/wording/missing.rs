//! `gyoji wording --missing`: shows what keeps texts from being read, ranked by the number of cards.
//!
//! Texts marked `todo` are read too, because they are missing.

use super::super::Context;
use crate::shared::loading::Loaded;
use indexmap::IndexMap;
use lang::diagnostic::Diagnostic;
use serde_json::json;

/// A gap: the code of the message, and the text there with `N` for numbers.
type Gap = (&'static str, String);

/// Ranks the gaps.
pub(super) fn run(loaded: &Loaded, context: &Context) {
    let mut gaps: IndexMap<Gap, Vec<&str>> = IndexMap::new();
    let (mut read, mut blocked) = (0, 0);
    for card in loaded.game.cards.iter().filter(|card| !card.decl.texts.is_empty()) {
        let found: Vec<Diagnostic> =
            card.decl.texts.iter().flat_map(|text| loaded.game.wording.read_of(text, &card.decl).diagnostics).collect();
        if found.is_empty() {
            read += 1
        } else {
            blocked += 1
        }
        for finding in &found {
            let cards = gaps.entry((finding.code, gap(finding, loaded))).or_default();
            if cards.last() != Some(&card.decl.number.text.as_str()) {
                cards.push(&card.decl.number.text);
            }
        }
    }
    // Gaps with the same number of cards stay in their order.
    gaps.sort_by(|_, left, _, right| right.len().cmp(&left.len()));
    for ((code, text), cards) in &gaps {
        let object = || json!({ "kind": "missing", "code": code, "text": text, "cards": cards.len(), "example": cards.first() });
        let first = cards.first().copied().unwrap_or_default();
        let args = [("count", cards.len().to_string()), ("code", (*code).to_owned()), ("text", text.clone()), ("card", first.to_owned())];
        context.result_in_one_line(object, || context.say("wording.gap", &args));
    }
    let line = || context.say("wording.missing", &[("read", read.to_string()), ("blocked", blocked.to_string())]);
    context.result_in_one_line(|| json!({ "kind": "read", "cards": read, "blocked": blocked }), line);
}

/// The signs at which reading stopped, each number as `N`: a gap for two cards is the same gap for three.
fn gap(finding: &Diagnostic, loaded: &Loaded) -> String {
    let text = finding.span.map_or("", |span| loaded.sources.text(span));
    let mut gap = String::new();
    for sign in text.chars() {
        let is_digit = sign.is_ascii_digit() || ('０'..='９').contains(&sign);
        match is_digit {
            true if gap.ends_with('N') => {}
            true => gap.push('N'),
            false => gap.push(sign),
        }
    }
    gap
}
