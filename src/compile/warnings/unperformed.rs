//! Warns of games in which abilities wait and nothing performs them.

use super::super::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{Pc, RoutineId};
use crate::engine::program::{AbilityDef, ClauseKind, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

impl Compiler {
    /// `E0387` at the first ability that waits for an event, if no statement that can be reached performs abilities.
    pub(super) fn unperformed(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let waits = |ability: &AbilityDef| {
            let mut kinds = ability.clauses.iter().filter_map(|clause| Some(&program.clauses.get(*clause)?.kind));
            kinds.any(|kind| matches!(kind, ClauseKind::When { .. }))
        };
        let spans = program.abilities.iter().zip(self.map.abilities.iter());
        let Some(span) = spans.filter(|((_, ability), _)| waits(ability)).map(|(_, span)| *span).min() else { return Vec::new() };
        if performs(program, &self.symbols.procedure_signatures.iter().map(|(routine, _)| *routine).collect()) {
            return Vec::new();
        }
        vec![Diagnostic::error("E0387", span).with("open", "{").with("close", "}")]
    }
}

/// Whether a routine performs abilities: one that is no procedure, or a procedure that such a routine calls, directly or through others.
fn performs(program: &Program, procedures: &FxHashSet<RoutineId>) -> bool {
    // The statements of a routine end where those of another begin.
    let mut begins: Vec<(Pc, RoutineId)> = program.routines.iter().map(|(id, routine)| (routine.start, id)).collect();
    begins.sort_unstable();
    let mut calls: FxHashMap<RoutineId, Vec<RoutineId>> = FxHashMap::default();
    let mut performing: FxHashSet<RoutineId> = FxHashSet::default();
    for (pc, op) in program.code.iter() {
        let at = begins.partition_point(|(start, _)| *start <= pc);
        let Some((_, routine)) = at.checked_sub(1).and_then(|at| begins.get(at)) else { continue };
        match op {
            Op::Call { routine: called, .. } => calls.entry(*routine).or_default().push(*called),
            Op::PerformAbility(_) => _ = performing.insert(*routine),
            _ => {}
        }
    }
    let mut left: Vec<RoutineId> = program.routines.ids().filter(|routine| !procedures.contains(routine)).collect();
    let mut seen: FxHashSet<RoutineId> = left.iter().copied().collect();
    while let Some(routine) = left.pop() {
        if performing.contains(&routine) {
            return true;
        }
        left.extend(calls.get(&routine).into_iter().flatten().filter(|called| seen.insert(**called)));
    }
    false
}
