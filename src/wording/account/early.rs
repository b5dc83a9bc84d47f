//! Finds questions that come too early: whether to look at cards and act on them is asked before the player has seen the cards.
//!
//! 「デッキの上から1枚を見て、捨てて[も]よい」: the player looks, and then decides. A script that asks first means something else.

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Ability, AbilityBody, Block, Clause, ClauseKind, ExprKind, Stmt, StmtKind};
use crate::wording::script::rewrite::{Rewriter, walk_clauses, walk_stmt};

/// The builtin action with which a player looks at cards.
const LOOK: &str = "look";

/// Collects the places of the questions.
#[derive(Default)]
struct Early {
    found: Vec<Span>,
    /// How many replacements are around this place. The question of a replacement is whether to replace.
    replacing: usize,
}

impl Rewriter for Early {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::May(_, block, _) = &stmt.kind
            && self.replacing == 0
            && looks_first(block)
        {
            self.found.push(stmt.span);
        }
        walk_stmt(self, stmt);
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        let replaces = |clause: &Clause| matches!(clause.kind, ClauseKind::Instead(..) | ClauseKind::NextInstead(..));
        let replacing = usize::from(clauses.iter().any(replaces));
        self.replacing += replacing;
        walk_clauses(self, clauses);
        self.replacing -= replacing;
    }
}

/// Whether a block begins with a look at the top or bottom cards of a zone, and goes on.
fn looks_first(block: &Block) -> bool {
    let Some(first) = block.statements.first() else { return false };
    let (name, args) = match &first.kind {
        StmtKind::Attempt(inner, _) | StmtKind::AsFarAsPossible(inner) => return looks_first(inner),
        StmtKind::Call(name, args) => (name, args),
        StmtKind::Let(_, value) => match &value.kind {
            ExprKind::Call(name, args) => (name, args),
            _ => return false,
        },
        _ => return false,
    };
    let at_an_end = args.first().is_some_and(|arg| matches!(arg.value.kind, ExprKind::End { .. }));
    name.text == LOOK && at_an_end && block.statements.len() > 1
}

/// A finding for each question of an ability that comes before the look on which its answer depends.
pub(in crate::wording) fn asked_early(ability: &Ability) -> Vec<Diagnostic> {
    let mut early = Early { replacing: usize::from(matches!(ability.kind, AbilityBody::Instead(..))), ..Early::default() };
    early.ability(&mut ability.clone());
    early.found.into_iter().map(|span| Diagnostic::error("E0459", span)).collect()
}
