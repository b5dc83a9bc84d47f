//! Warns of effects that change a value of cards of which nothing reads the value: a field, a state, a keyword that is only a mark.
//!
//! `affected.rs` finds the cards that an effect may change and the cards of which an expression reads a value, by their types and zones. An
//! expression whose cards are not known reads the value of every card. A value that is read only to change the same value is not read.

use super::super::Compiler;
use super::affected::{Cards, Effects};
use super::known::Facts;
use super::lacking::is_sum;
use super::places_of_nodes::Tree;
use super::unset::in_scenarios;
use engine::ids::{FieldId, KeywordId, NodeId, StateId};
use engine::program::{ClauseKind, Node, Op, Program, StripDef};
use lang::diagnostic::{Diagnostic, Sources, Span};
use lang::syntax::ast::DeclKind;
use lang::syntax::{TokenKind, tokens};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value that an effect changes and an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Field(FieldId),
    State(StateId),
    Keyword(KeywordId),
}

/// The cards of which a value is read. `None`: every card.
type Readers = FxHashMap<Of, Option<Cards>>;

impl Compiler {
    /// `E0344` at each effect that changes a value of cards of which nothing reads it. The cards of scenarios are not compiled here. So a
    /// value that a scenario names counts as read.
    pub(super) fn unfelt(&self, sources: &Sources) -> Vec<Diagnostic> {
        let program = &self.program;
        let facts = Facts::new(program);
        let effects = Effects::new(&facts);
        let changed = self.changed(&effects);
        if changed.is_empty() {
            return Vec::new();
        }
        let readers = readers(&effects);
        let mut mentioned = in_scenarios(sources);
        mentioned.extend(self.under_readings(sources));
        mentioned.extend(self.read_by_templates(sources));
        let mut told = FxHashSet::default();
        let mut found = Vec::new();
        for (of, cards, span) in changed {
            let (name, thing) = named(program, of);
            let felt = match readers.get(&of) {
                None => false,
                Some(None) => true,
                Some(Some(read)) => cards.as_ref().is_none_or(|cards| cards.is_none() || cards.later(&facts).meets(read)),
            };
            let read_of = readers.get(&of).and_then(Option::as_ref);
            // Where nothing at all reads a value, one finding is enough.
            if felt || mentioned.contains(name) || !told.insert((of, read_of.map(|_| span))) {
                continue;
            }
            let mut finding = Diagnostic::error("E0344", span).with("thing", thing).with("name", name);
            if let (Some(read), Some(cards)) = (read_of, cards) {
                finding = finding.with("cards", self.in_words(&facts, &cards)).with("read", self.in_words(&facts, read));
            }
            found.push(finding);
        }
        found
    }

    /// The words of the declarations that mention a reading. Under another value of the reading, other parts of them are in the program.
    pub(super) fn under_readings<'s>(&self, sources: &'s Sources) -> FxHashSet<&'s str> {
        let mut found = FxHashSet::default();
        if self.symbols.readings.is_empty() {
            return found;
        }
        let readings: FxHashSet<&str> = self.symbols.readings.words().collect();
        for decl in self.decls.iter().filter(|decl| !matches!(decl.kind, DeclKind::Wording(_) | DeclKind::Reading(_))) {
            let words = || tokens(sources.text(decl.span)).filter(|token| token.kind == TokenKind::Word).map(|token| token.text);
            if words().any(|word| readings.contains(word)) {
                found.extend(words());
            }
        }
        found
    }

    /// The words by which templates read values: `it.power`, `has swift`, and all words of the functions that templates call. A template
    /// that no card uses is not in the program.
    fn read_by_templates<'s>(&self, sources: &'s Sources) -> FxHashSet<&'s str> {
        let (mut found, mut called) = (FxHashSet::default(), Vec::new());
        for decl in self.decls.iter().filter(|decl| matches!(decl.kind, DeclKind::Wording(_))) {
            let mut before = "";
            for token in tokens(sources.text(decl.span)) {
                if token.kind == TokenKind::Word {
                    called.push(token.text);
                    found.extend([".", "has", "is"].contains(&before).then_some(token.text));
                }
                before = token.text;
            }
        }
        let mut functions: FxHashMap<&str, Span> = FxHashMap::default();
        for decl in self.decls.iter() {
            if let DeclKind::Function { head, .. } = &decl.kind {
                functions.insert(head.name.text.as_str(), decl.span);
            }
        }
        while let Some(name) = called.pop() {
            let Some(place) = functions.remove(name) else { continue };
            let words = tokens(sources.text(place)).filter(|token| token.kind == TokenKind::Word).map(|token| token.text);
            words.for_each(|word| {
                found.insert(word);
                called.push(word);
            });
        }
        found
    }

    /// The values that effects and statements change, with the cards (`None`: not known) and the place.
    fn changed(&self, effects: &Effects<'_, '_>) -> Vec<(Of, Option<Cards>, Span)> {
        let program = &self.program;
        let mut all = Vec::new();
        for (clause, around) in effects.clauses() {
            let Some(def) = program.clauses.get(clause) else { continue };
            let span = self.map.clause(clause).unwrap_or_default();
            let cards = || def.kind.applies_to().and_then(|what| effects.cards(what, &around));
            match &def.kind {
                ClauseKind::Modify { changes, .. } => {
                    for change in changes.iter().filter(|change| Some(change.field) != program.type_field) {
                        // A number added to nothing gives nothing.
                        let has = |cards: Cards| if is_sum(change.op) { cards.that_have(effects.facts, change.field) } else { cards };
                        all.push((Of::Field(change.field), cards().map(has), span));
                    }
                }
                ClauseKind::Grant { abilities, .. } => {
                    let marks = abilities.iter().filter_map(|ability| program.abilities.get(*ability)?.keyword);
                    let marks = marks.filter(|keyword| program.keywords.get(*keyword).is_some_and(|keyword| keyword.mark));
                    all.extend(marks.map(|keyword| (Of::Keyword(keyword), cards(), span)));
                }
                _ => {}
            }
        }
        for (pc, op) in program.code.iter() {
            let Op::SetState { subject, state, .. } = *op else { continue };
            // A state of a player or of the game may be a score. Only people read a score.
            let of_cards = program.states.get(state).is_some_and(|state| !state.on_players && !state.of_game && state.members.is_none());
            if of_cards && let Some(span) = self.map.code(pc).filter(|span| span.start < span.end) {
                all.push((Of::State(state), effects.cards(subject, &effects.around(pc)), span));
            }
        }
        all
    }
}

fn named(program: &Program, of: Of) -> (&str, &'static str) {
    match of {
        Of::Field(id) => (program.fields.get(id).map_or("", |def| def.name.name.as_str()), "field"),
        Of::State(id) => (program.states.get(id).map_or("", |def| def.name.name.as_str()), "state"),
        Of::Keyword(id) => (program.keywords.get(id).map_or("", |def| def.name.name.as_str()), "keyword"),
    }
}

/// The value that a node reads, and the card of which.
fn read(node: &Node) -> Option<(Of, NodeId)> {
    match *node {
        Node::Field(card, field) | Node::Printed(card, field) | Node::FieldHas(card, field, _) => Some((Of::Field(field), card)),
        Node::State(holder, state) => Some((Of::State(state), holder)),
        Node::HasKeyword(card, keyword) => Some((Of::Keyword(keyword), card)),
        _ => None,
    }
}

/// For each value that an expression of the game reads, the cards of which it is read.
fn readers(effects: &Effects<'_, '_>) -> Readers {
    let program = effects.facts.program;
    let tree = Tree::new(program);
    // Some expressions only change the value itself, or only compute a field. These are no readers by themselves.
    let mut apart: FxHashMap<NodeId, Of> = FxHashMap::default();
    for op in program.code.rows() {
        if let Op::SetState { value, state, .. } = *op {
            apart.insert(value, Of::State(state));
        }
    }
    for clause in program.clauses.rows() {
        if let ClauseKind::Modify { changes, .. } = &clause.kind {
            apart.extend(changes.iter().map(|change| (change.value, Of::Field(change.field))));
        }
    }
    for (field, def) in program.fields.iter() {
        apart.extend(def.derived.map(|derived| (derived, Of::Field(field))));
    }
    let mut found: Readers = FxHashMap::default();
    let mut within: FxHashMap<Of, Vec<Of>> = FxHashMap::default();
    for (node, what) in program.nodes.iter() {
        let Some((of, card)) = read(what) else { continue };
        let root = tree.root(node);
        match apart.get(&root) {
            Some(changed) if *changed == of => continue,
            Some(changed @ Of::Field(field)) if program.fields.get(*field).is_some_and(|def| def.derived == Some(root)) => {
                within.entry(*changed).or_default().push(of);
                continue;
            }
            _ => {}
        }
        note(&mut found, of, tree.cards(effects, card));
    }
    for clause in program.clauses.rows() {
        if let ClauseKind::Strip { what, .. } = &clause.kind {
            what.iter().for_each(|what| {
                if let StripDef::Keyword(keyword) = what {
                    note(&mut found, Of::Keyword(*keyword), None)
                }
            });
        }
    }
    for op in program.code.rows() {
        if let Op::Spend { state, .. } = *op {
            note(&mut found, Of::State(state), None);
        }
    }
    if let Some(identity) = program.identity {
        note(&mut found, Of::Field(identity), None);
    }
    // A computed field that is read reads what it is computed from.
    let mut left: Vec<Of> = within.keys().filter(|of| found.contains_key(of)).copied().collect();
    while let Some(of) = left.pop() {
        for inner in within.remove(&of).unwrap_or_default() {
            note(&mut found, inner, None);
            left.push(inner);
        }
    }
    found
}

fn note(found: &mut Readers, of: Of, cards: Option<Cards>) {
    match (found.get_mut(&of), cards) {
        (Some(Some(known)), Some(cards)) => known.add(&cards),
        (_, cards) => _ = found.insert(of, cards.filter(|_| !found.contains_key(&of))),
    }
}
