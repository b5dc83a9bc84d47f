//! Warns of durations that have effects and that nothing ends.
//!
//! Not warned of: durations that are in force only inside a stretch, and durations whose effects all end by themselves (`next time`).

use super::super::Compiler;
use super::about;
use engine::ids::{ClauseId, DurationId};
use engine::program::{ClauseKind, Op, Program};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{DeclKind, Property};

impl Compiler {
    /// `E0274` for durations with effects that no `expire` and no `during` ends.
    pub(super) fn unended(&self) -> Vec<Diagnostic> {
        let program = &self.program;
        let ops = || program.code.iter().map(|(_, op)| op);
        let begins =
            |id: DurationId| ops().any(|op| matches!(op, Op::Install { clause, duration } if *duration == id && stays(program, *clause)));
        let ends = |id: DurationId| {
            ops().any(|op| matches!(op, Op::Expire(duration) if *duration == id))
                || ops().any(|op| matches!(op, Op::During { duration: Some(duration) } if *duration == id))
        };
        let declared = self.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Duration(head, properties) if !properties.iter().any(says_when) => Some(head),
            _ => None,
        });
        let unended = declared.filter(|head| {
            let id = self.symbols.durations.id::<DurationId>(&head.name.text);
            id.is_some_and(|id| begins(id) && !ends(id))
        });
        unended.map(|head| about("E0274", head, "duration").with("open", "{").with("close", "}")).collect()
    }
}

/// Whether a duration's declaration says that it ends with a stretch, or never ends.
fn says_when(property: &Property) -> bool {
    let words: Vec<&str> = property.words.iter().map(|word| word.text.as_str()).collect();
    words.windows(2).any(|pair| matches!(pair, ["only", "inside"] | ["never", "ends"]))
}

/// Whether an effect of a clause lasts until its duration ends.
fn stays(program: &Program, clause: ClauseId) -> bool {
    let once = |kind: &ClauseKind| matches!(kind, ClauseKind::Instead { once: true, .. } | ClauseKind::When { once: true, .. });
    program.clauses.get(clause).is_some_and(|clause| !once(&clause.kind))
}
