//! Warns of games in which abilities wait and nothing performs them, or rules are declared and nothing applies them.

use super::super::Compiler;
use engine::ids::{Pc, RoutineId};
use engine::program::{AbilityDef, ClauseKind, Op, Program};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Decl, DeclKind, RuleWhen};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

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
        if self.reaches(|op| matches!(op, Op::PerformAbility(_))) {
            return Vec::new();
        }
        vec![Diagnostic::error("E0387", span).with("open", "{").with("close", "}")]
    }

    /// `E0389` at the first rule that is not immediate, if no statement that can be reached applies rules.
    pub(super) fn unapplied(&self) -> Option<Diagnostic> {
        let is_put_off = |decl: &Arc<Decl>| match &decl.kind {
            DeclKind::Rule(rule) if !rule.immediately && !matches!(rule.when, RuleWhen::Forbids(_)) => Some(rule.head.span),
            _ => None,
        };
        let span = self.decls.iter().filter_map(is_put_off).min()?;
        (!self.reaches(|op| matches!(op, Op::ApplyRules { .. }))).then(|| Diagnostic::error("E0389", span))
    }

    /// Whether some statement that can be reached is one of these.
    pub(super) fn reaches(&self, is: fn(&Op) -> bool) -> bool {
        reaches(&self.program, &self.symbols.procedure_signatures.iter().map(|(routine, _)| *routine).collect(), is)
    }
}

/// Whether a routine has such a statement: one that is no procedure, or a procedure that such a routine calls, directly or through others.
fn reaches(program: &Program, procedures: &FxHashSet<RoutineId>, is: fn(&Op) -> bool) -> bool {
    // The statements of a routine end where those of another begin.
    let mut begins: Vec<(Pc, RoutineId)> = program.routines.iter().map(|(id, routine)| (routine.start, id)).collect();
    begins.sort_unstable();
    let mut calls: FxHashMap<RoutineId, Vec<RoutineId>> = FxHashMap::default();
    let mut having: FxHashSet<RoutineId> = FxHashSet::default();
    for (pc, op) in program.code.iter() {
        let at = begins.partition_point(|(start, _)| *start <= pc);
        let Some((_, routine)) = at.checked_sub(1).and_then(|at| begins.get(at)) else { continue };
        match op {
            Op::Call { routine: called, .. } => calls.entry(*routine).or_default().push(*called),
            op if is(op) => _ = having.insert(*routine),
            _ => {}
        }
    }
    let mut left: Vec<RoutineId> = program.routines.ids().filter(|routine| !procedures.contains(routine)).collect();
    let mut seen: FxHashSet<RoutineId> = left.iter().copied().collect();
    while let Some(routine) = left.pop() {
        if having.contains(&routine) {
            return true;
        }
        left.extend(calls.get(&routine).into_iter().flatten().filter(|called| seen.insert(**called)));
    }
    false
}
