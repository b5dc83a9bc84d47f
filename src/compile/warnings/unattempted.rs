//! Warns of options that spend and are no attempt: if the pool holds too little, nothing is spent, and the rest of the option is done for
//! nothing.

use super::super::Compiler;
use engine::ids::{Id, NodeId, Pc, RoutineId, StateId};
use engine::program::{Node, Op, OptionDef, Program, children};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{DeclKind, Head};
use rustc_hash::{FxHashMap, FxHashSet};

impl Compiler {
    /// `E0367` at each option that spends outside of an attempt, if no condition of the option or of its body asks about the pool.
    pub(super) fn unattempted(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let named = |option: &'_ OptionDef| program.verbs.get(option.verb).map(|verb| verb.name.name.as_str());
        let options: FxHashMap<&str, &OptionDef> =
            program.options.rows().iter().filter_map(|option| Some((named(option)?, option))).collect();
        let spends = |head: &Head| {
            let option = options.get(head.name.text.as_str()).filter(|option| !option.attempt)?;
            let body = program.verbs.get(option.verb)?.body?;
            let asked = [option.condition, option.bases.condition];
            let read = |state: StateId| asked.iter().any(|condition| reads(program, *condition, state, &mut FxHashSet::default()));
            spent(program, body, &mut FxHashSet::default()).filter(|state| !read(*state))
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

/// A pool that a routine tries to spend from outside of an attempt, without a condition about the pool. `seen`: routines that were followed
/// already. A file may make the number of ways through them endless.
fn spent(program: &Program, routine: RoutineId, seen: &mut FxHashSet<RoutineId>) -> Option<StateId> {
    if !seen.insert(routine) {
        return None;
    }
    let ops = ops_of(program, routine);
    // Only the statements before the first attempt: an attempt around a later statement may undo the earlier ones.
    let mut before = ops.iter().take_while(|op| !matches!(op, Op::Try { .. }));
    let state = before.find_map(|op| match *op {
        Op::Spend { state, .. } => Some(state),
        Op::Perform { verb, .. } => spent(program, program.verbs.get(verb)?.body?, seen),
        Op::Call { routine, .. } => spent(program, routine, seen),
        _ => None,
    })?;
    let mut read = FxHashSet::default();
    let asks = |op: &Op| matches!(op, Op::JumpUnless { condition, .. } if reads(program, *condition, state, &mut read));
    (!ops.iter().any(asks)).then_some(state)
}

/// The statements of a routine.
fn ops_of(program: &Program, routine: RoutineId) -> &[Op] {
    let start = program.routines.get(routine).map_or(Pc::NOWHERE, |routine| routine.start);
    let rows = program.code.rows().get(start.index()..).unwrap_or(&[]);
    let length = rows.iter().position(|op| matches!(op, Op::End)).unwrap_or(rows.len());
    rows.get(..length).unwrap_or(&[])
}

/// Whether an expression reads a state. `seen`: parts that were looked at and do not; expressions share parts.
fn reads(program: &Program, node: NodeId, state: StateId, seen: &mut FxHashSet<NodeId>) -> bool {
    let Some(found) = program.nodes.get(node).filter(|_| seen.insert(node)) else { return false };
    if matches!(found, Node::State(_, of) if *of == state) {
        return true;
    }
    let mut inner = false;
    children(found, program, &mut |child| inner = inner || reads(program, child, state, seen));
    inner
}
