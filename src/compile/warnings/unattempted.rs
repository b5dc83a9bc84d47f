//! Warns of options that spend and are no attempt: if the pool holds too little, nothing is spent, and the rest of the option is done for
//! nothing.

use super::super::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{Id, NodeId, Pc, RoutineId, StateId};
use crate::engine::program::{Node, Op, OptionDef, Program, children};
use crate::syntax::ast::{DeclKind, Head};

/// How many actions and procedures within one another are followed.
const FOLLOWED: u8 = 3;

impl Compiler {
    /// `E0367` at each option that spends outside of an attempt, if no condition of the option or of its body asks about the pool.
    pub(super) fn unattempted(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let spends = |head: &Head| {
            let named = |option: &&OptionDef| program.verbs.get(option.verb).is_some_and(|verb| verb.name.name == head.name.text);
            let option = program.options.rows().iter().find(named).filter(|option| !option.attempt)?;
            let body = program.verbs.get(option.verb)?.body?;
            let asked = [option.condition, option.bases.condition];
            spent(program, body, FOLLOWED).filter(|state| !asked.iter().any(|condition| reads(program, *condition, *state)))
        };
        let heads = self.decls.iter().filter_map(|decl| if let DeclKind::Option(option) = &decl.kind { Some(&option.head) } else { None });
        heads
            .filter_map(|head| {
                let state = program.states.get(spends(head)?)?;
                Some(
                    Diagnostic::error("E0367", head.name.span)
                        .with("name", &head.name.text)
                        .with("pool", &state.name.name)
                        .with("open", "{")
                        .with("close", "}"),
                )
            })
            .collect()
    }
}

/// A pool that a routine surely tries to spend from outside of an attempt, without a condition about the pool.
fn spent(program: &Program, routine: RoutineId, follow: u8) -> Option<StateId> {
    let ops = ops_of(program, routine);
    let asks = |state: StateId| ops.iter().any(|op| matches!(op, Op::JumpUnless { condition, .. } if reads(program, *condition, state)));
    // Only the statements before the first attempt: an attempt around a later statement may undo the earlier ones.
    let before = ops.iter().take_while(|op| !matches!(op, Op::Try { .. }));
    before
        .into_iter()
        .find_map(|op| match *op {
            Op::Spend { state, .. } => Some(state),
            Op::Perform { verb, .. } if follow > 0 => spent(program, program.verbs.get(verb)?.body?, follow - 1),
            Op::Call { routine, .. } if follow > 0 => spent(program, routine, follow - 1),
            _ => None,
        })
        .filter(|state| !asks(*state))
}

/// The statements of a routine.
fn ops_of(program: &Program, routine: RoutineId) -> &[Op] {
    let start = program.routines.get(routine).map_or(Pc(u32::MAX), |routine| routine.start);
    let rows = program.code.rows().get(start.index()..).unwrap_or(&[]);
    let length = rows.iter().position(|op| matches!(op, Op::End)).unwrap_or(rows.len());
    rows.get(..length).unwrap_or(&[])
}

/// Whether an expression reads a state.
fn reads(program: &Program, node: NodeId, state: StateId) -> bool {
    let Some(found) = program.nodes.get(node) else { return false };
    if matches!(found, Node::State(_, of) if *of == state) {
        return true;
    }
    let mut inner = false;
    children(found, program, &mut |child| inner |= reads(program, child, state));
    inner
}
