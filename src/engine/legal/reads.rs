//! Finds what statements and expressions read, and which actions may be prevented. This is known before any game and is used by guards.

use crate::ids::{Id, NodeId, StateId};
use crate::program::{ClauseKind, Node, Op, OwnRead, Program, children};
use crate::value::Value;

/// For each verb: whether some clause of the program forbids or replaces it.
#[must_use]
pub(crate) fn hindered(program: &Program) -> Vec<bool> {
    let mut hindered = vec![false; program.verbs.len()];
    for clause in program.clauses.rows() {
        let (ClauseKind::Forbid(pattern) | ClauseKind::Instead { pattern, .. }) = clause.kind else { continue };
        for event in program.patterns.get(pattern).map_or(&[][..], |pattern| &pattern.events) {
            if let Some(slot) = hindered.get_mut(event.verb.index()) {
                *slot = true;
            }
        }
    }
    hindered
}

/// For each state: whether it is always a number, for each player. This is so if it begins as a number and nothing sets it to `none`.
#[must_use]
pub(crate) fn definite(program: &Program) -> Vec<bool> {
    let none = |node: NodeId| matches!(program.nodes.get(node), Some(Node::Const(Value::Undefined)));
    let emptied =
        |id: StateId| program.code.rows().iter().any(|op| matches!(op, Op::SetState { state, value, .. } if *state == id && none(*value)));
    program.states.iter().map(|(id, state)| state.on_players && state.initial.number().is_some() && !emptied(id)).collect()
}

/// Whether an expression reads nothing that an option's body may have written before. It may read registers, constants, and states other
/// than the written ones (`states`).
#[must_use]
pub(crate) fn is_unwritten(program: &Program, node: NodeId, states: u128) -> bool {
    let Some(found) = program.nodes.get(node) else { return false };
    let mut unwritten = match found.own_read() {
        OwnRead::Nothing => true,
        OwnRead::Frame => !matches!(found, Node::PartlyDone),
        OwnRead::State(state) => states & bit_of(state) == 0,
        _ => false,
    };
    children(found, program, &mut |child| unwritten = unwritten && is_unwritten(program, child, states));
    unwritten
}

/// The bit of a state in a set of written states. States without a bit of their own share the last bit.
#[must_use]
pub(crate) fn bit_of(state: StateId) -> u128 {
    1 << state.index().min(127)
}
