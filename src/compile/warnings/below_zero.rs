//! Warns of effects that may lower a price below zero. A pool from which a price below zero is subtracted grows: the price pays the player.

use super::super::Compiler;
use engine::ids::{FieldId, NodeId, StateId};
use engine::program::{Arithmetic, ChangeDef, ChangeKind, ClauseKind, Node, Op, Program, children};
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;

impl Compiler {
    /// `E0372` at the first clause that lowers a field without a bound, if the rules subtract this field from a state or pool.
    pub(super) fn below_zero(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let mut subtracted = Vec::new();
        for op in program.code.rows() {
            let Op::SetState { state, value, .. } = *op else { continue };
            let Some(Node::Arithmetic(Arithmetic::Subtract, from, amount)) = program.nodes.get(value).copied() else { continue };
            if matches!(program.nodes.get(from), Some(Node::State(_, of)) if *of == state) {
                without_bound(program, amount, &mut FxHashSet::default(), &mut |field| subtracted.push((field, state)));
            }
        }
        let mut told: FxHashSet<FieldId> = FxHashSet::default();
        let mut found = Vec::new();
        for (clause, def) in program.clauses.iter() {
            let ClauseKind::Modify { changes, .. } = &def.kind else { continue };
            for change in changes.iter().filter(|change| lowers(program, change)) {
                let of = subtracted.iter().find(|(field, _)| *field == change.field);
                let Some((field, state)) = of.filter(|(field, _)| told.insert(*field)) else { continue };
                found.extend(
                    self.map.clause(clause).map(|span| {
                        Diagnostic::error("E0372", span).with("field", name(program, *field)).with("pool", pool(program, *state))
                    }),
                );
            }
        }
        found
    }
}

/// The fields of cards without a bound that an expression adds up. A field below an operation other than a sum may be bounded by it.
fn without_bound(program: &Program, node: NodeId, seen: &mut FxHashSet<NodeId>, see: &mut dyn FnMut(FieldId)) {
    let Some(found) = program.nodes.get(node).filter(|_| seen.insert(node)) else { return };
    match *found {
        Node::Field(_, field) if program.fields.get(field).is_some_and(|def| def.at_least.is_none() && !def.set) => see(field),
        Node::Arithmetic(Arithmetic::Add, ..) => children(found, program, &mut |child| without_bound(program, child, seen, see)),
        _ => {}
    }
}

/// Whether a change makes a number smaller.
fn lowers(program: &Program, change: &ChangeDef) -> bool {
    let constant = || program.nodes.get(change.value).copied();
    match change.op {
        ChangeKind::Subtract => !matches!(constant(), Some(Node::Const(Value::Number(amount))) if amount <= 0),
        ChangeKind::Add => matches!(constant(), Some(Node::Const(Value::Number(amount))) if amount < 0),
        _ => false,
    }
}

fn name(program: &Program, field: FieldId) -> &str {
    program.fields.get(field).map_or("", |def| def.name.name.as_str())
}

fn pool(program: &Program, state: StateId) -> &str {
    program.states.get(state).map_or("", |def| def.name.name.as_str())
}
