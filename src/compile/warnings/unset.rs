//! Warns of states and pools that nothing sets, and of decks that nothing shuffles.

use super::super::Compiler;
use super::starts_with_deck;
use engine::ids::{StateId, ZoneId};
use engine::program::{Builtin, Op, Program, Seen};
use lang::diagnostic::{Diagnostic, FileId, Sources};
use lang::syntax::ast::{Decl, DeclKind, Head};
use lang::syntax::{TokenKind, tokens};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Compiler {
    /// `E0366` at each state or pool of the game's own files that no statement sets. Such a state always has its first value. The cards of
    /// scenarios are not compiled here. So a state that a scenario sets or spends in some line is not reported.
    pub(super) fn unset(&self, sources: &Sources, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        let set: FxHashSet<StateId> = program
            .code
            .rows()
            .iter()
            .filter_map(|op| match op {
                Op::SetState { state, .. } | Op::Spend { state, .. } => Some(*state),
                _ => None,
            })
            .collect();
        let is_unset = |head: &Head| self.symbols.states.id::<StateId>(&head.name.text).is_some_and(|state| !set.contains(&state));
        let declared = self.decls.iter().filter(|decl| own.contains(&decl.span.file)).filter_map(state_or_pool);
        let unset: Vec<_> = declared.filter(|(head, _)| is_unset(head)).collect();
        let mentioned = if unset.is_empty() { FxHashSet::default() } else { in_scenarios(sources) };
        unset
            .into_iter()
            .filter(|(head, _)| !mentioned.contains(head.name.text.as_str()))
            .map(|(head, what)| Diagnostic::error("E0366", head.name.span).with("what", what).with("name", &head.name.text))
            .collect()
    }

    /// `E0365` at the zone in which the decks begin, if its order matters, nobody sees its cards, and nothing in the game shuffles cards.
    #[must_use]
    pub fn unshuffled(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        let hidden = |zone: ZoneId| program.zones.get(zone).is_some_and(|zone| zone.ordered && zone.seen == Seen::ByNobody);
        if !self.symbols.readings.is_empty() {
            return Vec::new();
        }
        let Some(deck) = program.deck_zone.filter(|zone| hidden(*zone) && !uses_chance(program)) else { return Vec::new() };
        let is_deck = |decl: &&Arc<Decl>| match &decl.kind {
            DeclKind::Zone(head, properties) => {
                starts_with_deck(properties) && program.zones.get(deck).is_some_and(|zone| zone.name.name == head.name.text)
            }
            _ => false,
        };
        let heads = self.decls.iter().filter(is_deck).filter(|decl| own.contains(&decl.span.file)).filter_map(|decl| decl.kind.head());
        heads.map(|head| Diagnostic::error("E0365", head.name.span).with("name", &head.name.text).warning()).collect()
    }
}

/// The words of the scenarios where something may be performed or set. Titles, and what has happened (`happened NAME(…)`), do not count.
pub(super) fn in_scenarios(sources: &Sources) -> FxHashSet<&str> {
    const ASKS: [&str; 6] = ["happened", "when", "or", "possible", "refused", "scenario"];
    let mut mentioned = FxHashSet::default();
    for (_, source) in sources.iter().filter(|(_, source)| source.name.contains(".scenarios")) {
        let mut before = "";
        for token in tokens(&source.text).filter(|token| token.kind != TokenKind::Comment) {
            if token.kind == TokenKind::Word && !ASKS.contains(&before) {
                mentioned.insert(token.text);
            }
            before = token.text;
        }
    }
    mentioned
}

/// The head of a declared state or pool, and which of the two it is.
fn state_or_pool(decl: &Arc<Decl>) -> Option<(&Head, &'static str)> {
    match &decl.kind {
        DeclKind::State { head, .. } => Some((head, "state")),
        DeclKind::Pool(head, _) => Some((head, "pool")),
        _ => None,
    }
}

/// Whether a statement shuffles something, or takes cards at random. The game may have moved the cards of the decks before.
fn uses_chance(program: &Program) -> bool {
    program.code.rows().iter().any(|op| matches!(op, Op::Builtin { verb: Builtin::Shuffle | Builtin::Pick, .. }))
}
