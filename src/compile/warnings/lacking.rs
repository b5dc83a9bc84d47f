//! Warns of values that a card does not print and should.
//!
//! A number added to nothing gives nothing. So an effect does nothing if none of the cards to which it may apply has the number.
//! `affected.rs` finds these cards.
//!
//! A card that alone of its kind has no value of a field has probably been forgotten: comparisons with nothing are false.

use super::super::Compiler;
use super::affected::{Cards, Effects};
use super::known::Facts;
use engine::ids::{AbilityId, CardId, ClauseId, FieldId, NodeId};
use engine::program::{ChangeKind, ClauseKind, Node, Program};
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;

/// So many of the cards are named.
const NAMED: usize = 3;

impl Compiler {
    /// `E0276` for changes of a number, if no card to which the effect may apply has the number and nothing in the game gives it one.
    pub(super) fn lacking(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let facts = Facts::new(program);
        let effects = Effects::new(&facts);
        let clauses = effects.clauses();
        let mut given: Vec<(FieldId, Option<Cards>)> = Vec::new();
        for (clause, around) in &clauses {
            if let Some(ClauseKind::Modify { what, changes }) = program.clauses.get(*clause).map(|clause| &clause.kind) {
                let gives =
                    changes.iter().filter(|change| matches!(change.op, ChangeKind::Set | ChangeKind::SetPrinted | ChangeKind::Provide));
                given.extend(gives.map(|change| (change.field, effects.cards(*what, around))));
            }
        }
        let mut found = Vec::new();
        // Of the card with the ability all is known.
        let mut told: FxHashSet<ClauseId> = FxHashSet::default();
        for card in program.cards.ids() {
            for clause in clauses_of(program, card) {
                let Some(field) = changed_of_itself(program, clause).find(|field| lacks(program, card, *field)) else { continue };
                let (Some(span), Some(def)) = (self.map.clause(clause), program.fields.get(field)) else { continue };
                let name = program.cards.get(card).and_then(|card| program.texts.get(card.name)).cloned().unwrap_or_default();
                found.push(Diagnostic::error("E0276", span).with("field", &def.name.name).with("card", name));
                told.insert(clause);
            }
        }
        for (clause, around) in clauses.iter().filter(|(clause, _)| !told.contains(clause)) {
            let Some((what, fields)) = raised(program, *clause) else { continue };
            let Some(cards) = effects.cards(what, around).filter(|cards| !cards.is_none()) else { continue };
            let may_have = |field: FieldId| {
                let gets = given.iter().any(|(of, to)| *of == field && to.as_ref().is_none_or(|to| to.meets(&cards)));
                gets || cards.rows().any(|row| facts.rows.get(row).is_none_or(|types| kind_has(program, types, field)))
            };
            let Some(field) = fields.into_iter().find(|field| !may_have(*field)) else { continue };
            let (Some(span), Some(def)) = (self.map.clause(*clause), program.fields.get(field)) else { continue };
            found.push(Diagnostic::error("E0276", span).with("field", &def.name.name).with("card", self.names(&facts, &cards)));
        }
        found
    }

    /// The names of some cards of these types, or the types themselves if no card has them.
    fn names(&self, facts: &Facts<'_>, cards: &Cards) -> String {
        let program = &self.program;
        let rows: Vec<&Vec<u8>> = cards.rows().filter_map(|row| facts.rows.get(row)).collect();
        let printed = program.cards.rows().iter().filter(|card| rows.contains(&&card.types));
        let mut names: Vec<String> = printed.filter_map(|card| program.texts.get(card.name).cloned()).collect();
        if names.is_empty() {
            names = rows.iter().map(|types| self.types_in_words(types)).collect();
        }
        let more = if names.len() > NAMED { "…" } else { "" };
        names.truncate(NAMED);
        names.join("」「") + more
    }
}

/// As many cards of one kind print a field before the only one that does not is probably a mistake.
const MANY: usize = 8;

impl Compiler {
    /// `E0390` for a card that alone of the cards with its types does not print a field.
    pub(super) fn unlike_others(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut kinds: Vec<&[u8]> = program.cards.rows().iter().map(|card| card.types.as_slice()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut found = Vec::new();
        for kind in kinds {
            let alike = || program.cards.ids().filter(move |card| program.cards.get(*card).is_some_and(|card| card.types == kind));
            for (field, def) in program.fields.iter().filter(|(_, def)| !def.set && def.default.is_none()) {
                let mut without = alike().filter(|card| lacks(program, *card, field));
                let (Some(card), None) = (without.next(), without.next()) else { continue };
                let (Some(span), true) = (self.map.card(card), alike().nth(MANY).is_some()) else { continue };
                let name = program.cards.get(card).and_then(|card| program.texts.get(card.name)).cloned().unwrap_or_default();
                found.push(Diagnostic::error("E0390", span).with("field", &def.name.name).with("card", name));
            }
        }
        found
    }
}

/// Whether a change makes a number greater or smaller. It makes none where there is none.
pub(super) fn is_sum(op: ChangeKind) -> bool {
    matches!(op, ChangeKind::Add | ChangeKind::Subtract | ChangeKind::Multiply | ChangeKind::Divide | ChangeKind::Floor)
}

impl Cards {
    /// Those of the cards that may have a value of a field. All of them if an effect of the game gives this value.
    pub(super) fn that_have(mut self, facts: &Facts<'_>, field: FieldId) -> Cards {
        let program = facts.program;
        let gives = |kind: &ClauseKind| matches!(kind, ClauseKind::Modify { changes, .. } if changes.iter().any(|change| change.field == field && gives(change.op)));
        let printed = program.fields.get(field).is_some_and(|def| !def.set && !def.on_players);
        if printed && !program.clauses.rows().iter().any(|clause| gives(&clause.kind)) {
            for (zones, _) in self.0.iter_mut().zip(&facts.rows).filter(|(_, types)| !kind_has(program, types, field)) {
                *zones = engine::bits::ZoneSet::NONE;
            }
        }
        self
    }
}

/// Whether a change gives a value to cards that had none.
fn gives(op: ChangeKind) -> bool {
    matches!(op, ChangeKind::Set | ChangeKind::SetPrinted | ChangeKind::Provide)
}

/// The set to which a clause applies, and the numbers that it makes greater or smaller.
fn raised(program: &Program, clause: ClauseId) -> Option<(NodeId, Vec<FieldId>)> {
    let ClauseKind::Modify { what, changes } = &program.clauses.get(clause)?.kind else { return None };
    let numbers = changes
        .iter()
        .filter(|change| is_sum(change.op))
        .map(|change| change.field)
        .filter(|field| program.fields.get(*field).is_some_and(|def| !def.set && !def.on_players));
    let numbers: Vec<FieldId> = numbers.collect();
    (!numbers.is_empty()).then_some((*what, numbers))
}

/// Whether a card of these types may have a value of a field: some card prints it, or no card has these types and one of them declares it.
fn kind_has(program: &Program, types: &[u8], field: FieldId) -> bool {
    let mut alike = program.cards.iter().filter(|(_, card)| card.types == types).map(|(card, _)| card).peekable();
    if alike.peek().is_none() {
        return has_value(program, field, &mut |printed| {
            program.fields.get(printed).is_some_and(|def| def.declared_by.is_none_or(|of| types.contains(&of)))
        });
    }
    alike.any(|card| has_value(program, field, &mut |printed| program.printed_value(card, printed) != Value::Undefined))
}

/// Whether a field has a value, if this is known of printed fields. A sum with a part that has no value has none.
fn has_value(program: &Program, field: FieldId, printed: &mut dyn FnMut(FieldId) -> bool) -> bool {
    match program.fields.get(field).and_then(|def| def.derived) {
        Some(derived) => is_defined(program, derived, printed),
        None => printed(field),
    }
}

fn is_defined(program: &Program, node: NodeId, printed: &mut dyn FnMut(FieldId) -> bool) -> bool {
    match program.nodes.get(node) {
        Some(Node::Field(of, field)) if program.nodes.get(*of) == Some(&Node::This) => has_value(program, *field, printed),
        Some(Node::Arithmetic(_, a, b)) => is_defined(program, *a, printed) && is_defined(program, *b, printed),
        Some(Node::Negate(a) | Node::Tallied(a, _)) => is_defined(program, *a, printed),
        _ => true,
    }
}

/// The clauses of the static abilities that a card prints.
fn clauses_of(program: &Program, card: CardId) -> impl Iterator<Item = ClauseId> {
    let (first, count) = program.cards.get(card).map_or((AbilityId(0), 0), |card| card.abilities);
    let abilities = (0..count).filter_map(move |at| program.abilities.get(AbilityId(first.0 + at)));
    abilities.filter(|ability| ability.keyword.is_none()).flat_map(|ability| ability.clauses.iter().copied())
}

/// The numbers of its own card that a clause makes greater or smaller.
fn changed_of_itself(program: &Program, clause: ClauseId) -> impl Iterator<Item = FieldId> {
    let changes = match program.clauses.get(clause).map(|clause| &clause.kind) {
        Some(ClauseKind::Modify { what, changes }) if is_this(program, *what) => changes.as_slice(),
        _ => &[],
    };
    changes.iter().filter(|change| is_sum(change.op)).map(|change| change.field)
}

/// Whether an expression is `this` alone, also as a set.
fn is_this(program: &Program, node: NodeId) -> bool {
    match program.nodes.get(node) {
        Some(Node::This) => true,
        Some(Node::List(members)) => matches!(program.args_of(*members), [only] if is_this(program, *only)),
        _ => false,
    }
}

/// Whether a card prints no value of a field, and no clause of the game gives it one.
fn lacks(program: &Program, card: CardId, field: FieldId) -> bool {
    let given = |kind: &ClauseKind| match kind {
        ClauseKind::Modify { changes, .. } => changes.iter().any(|change| change.field == field && gives(change.op)),
        _ => false,
    };
    let printed = program.fields.get(field).is_some_and(|def| !def.set && !def.on_players && def.derived.is_none());
    printed && program.printed_value(card, field) == Value::Undefined && !program.clauses.rows().iter().any(|clause| given(&clause.kind))
}
