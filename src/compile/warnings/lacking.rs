//! Warns of values that a card does not print and should.
//!
//! A number added to nothing gives nothing. Only changes of `this` in the abilities that a card prints are checked. Which cards belong to
//! another set is known only in a game.
//!
//! A card that alone of its kind has no value of a field has probably been forgotten: comparisons with nothing are false.

use super::super::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{AbilityId, CardId, ClauseId, FieldId, NodeId};
use crate::engine::program::{ChangeKind, ClauseKind, Node, Program};
use crate::engine::value::Value;

impl Compiler {
    /// `E0276` for changes of a number of `this`, if the card has no such number and nothing in the game gives it one.
    pub(super) fn lacking(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut found = Vec::new();
        for card in program.cards.ids() {
            for clause in clauses_of(program, card) {
                let Some(field) = changed_of_itself(program, clause).find(|field| lacks(program, card, *field)) else { continue };
                let (Some(span), Some(def)) = (self.map.clause(clause), program.fields.get(field)) else { continue };
                let name = program.cards.get(card).and_then(|card| program.texts.get(card.name)).cloned().unwrap_or_default();
                found.push(Diagnostic::error("E0276", span).with("field", &def.name.name).with("card", name));
            }
        }
        found
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
    let sums = changes.iter().filter(|change| {
        matches!(change.op, ChangeKind::Add | ChangeKind::Subtract | ChangeKind::Multiply | ChangeKind::Divide | ChangeKind::Floor)
    });
    sums.map(|change| change.field)
}

/// Whether an expression is `this` alone, also as a set.
fn is_this(program: &Program, node: NodeId) -> bool {
    match program.nodes.get(node) {
        Some(Node::This) => true,
        Some(Node::List(members)) => matches!(program.args_of(*members), [only] if is_this(program, *only)),
        _ => false,
    }
}

/// Whether a card has no value of a field, and no clause of the game gives it one.
fn lacks(program: &Program, card: CardId, field: FieldId) -> bool {
    let given = |kind: ChangeKind| matches!(kind, ChangeKind::Set | ChangeKind::SetPrinted | ChangeKind::Provide);
    let gives = |kind: &ClauseKind| match kind {
        ClauseKind::Modify { changes, .. } => changes.iter().any(|change| change.field == field && given(change.op)),
        _ => false,
    };
    let printed = program.fields.get(field).is_some_and(|def| !def.set && !def.on_players && def.derived.is_none());
    printed && program.printed_value(card, field) == Value::Undefined && !program.clauses.rows().iter().any(|clause| gives(&clause.kind))
}
