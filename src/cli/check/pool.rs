//! Counts for each set of cards how many texts can be read. Used by `check`.
//!
//! A set is a file of cards. What a text lacks is shown by `gyoji wording --missing`.

use crate::Context;
use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Severity, Span};
use project::Game;
use serde_json::json;
use std::collections::BTreeSet;

/// The number of cards of a set with readable texts, with texts still to do, with errors, and with texts that were not read. Cards without a
/// text are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    /// Cards whose texts can be read.
    pub covered: usize,
    /// Cards with a text marked `todo`.
    pub todo: usize,
    /// Cards with an error.
    pub errors: usize,
    /// Cards whose texts were not read, because the rules or the wording have an error.
    pub unread: usize,
}

/// The sets by file name, in the order in which they were read.
#[must_use]
pub(super) fn sets(game: &Game, found: &[Diagnostic]) -> IndexMap<String, Set> {
    let mut sets: IndexMap<String, Set> = IndexMap::new();
    let errors: Vec<Span> = found.iter().filter(|finding| finding.severity == Severity::Error).filter_map(|finding| finding.span).collect();
    for card in game.cards.iter().filter(|card| !card.decl.texts.is_empty()) {
        let place = card.decl.span;
        let name = game.sources.get(place.file).map_or_else(String::new, |source| source.name.clone());
        let set = sets.entry(name).or_default();
        let is_wrong = errors.iter().any(|span| span.file == place.file && (place.start..place.end).contains(&span.start));
        match (is_wrong, card.decl.todos.is_empty()) {
            (true, _) => set.errors += 1,
            (false, false) => set.todo += 1,
            (false, true) if !game.texts_read => set.unread += 1,
            (false, true) => set.covered += 1,
        }
    }
    sets
}

/// Shows the sets in the wanted files.
pub(super) fn show(sets: &IndexMap<String, Set>, asked: Option<&BTreeSet<String>>, context: &Context) {
    for (name, set) in sets.iter().filter(|(name, _)| asked.is_none_or(|asked| asked.contains(*name))) {
        let object =
            || json!({ "kind": "set", "set": name, "covered": set.covered, "todo": set.todo, "errors": set.errors, "unread": set.unread });
        let args = [
            ("set", name.clone()),
            ("covered", set.covered.to_string()),
            ("todo", set.todo.to_string()),
            ("errors", set.errors.to_string()),
            ("unread", set.unread.to_string()),
        ];
        let key = if set.unread > 0 { "check.set.unread" } else { "check.set" };
        context.result(object, || context.aside(&context.say(key, &args)));
    }
}
