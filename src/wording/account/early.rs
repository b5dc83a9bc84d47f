//! Finds questions that come too early: whether to look at cards and act on them is asked before the player has seen the cards.
//!
//! 「デッキの上から1枚を見て、捨てて[も]よい」: the player looks, and then decides. A script that asks first means something else.

use crate::account::looks::{Looks, is_end};
use crate::account::table::Account;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, AbilityBody, Block, Clause, ClauseKind, ExprKind, Stmt, StmtKind};
use lang::syntax::visit::{Visitor, walk_ability, walk_clauses, walk_stmt};
use rustc_hash::FxHashSet;

/// Collects the places of the questions.
struct Early<'a> {
    looks: &'a Looks,
    found: Vec<Span>,
    /// How many replacements are around this place. The question of a replacement is whether to replace.
    replacing: usize,
}

impl Visitor<'_> for Early<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::May(_, block, _) = &stmt.kind
            && self.replacing == 0
            && looks_first(self.looks, block, false)
        {
            self.found.push(stmt.span);
        }
        walk_stmt(self, stmt);
    }

    fn clauses(&mut self, clauses: &Vec<Clause>) {
        let replaces = |clause: &Clause| matches!(clause.kind, ClauseKind::Instead(..) | ClauseKind::NextInstead(..));
        let replacing = usize::from(clauses.iter().any(replaces));
        self.replacing += replacing;
        walk_clauses(self, clauses);
        self.replacing -= replacing;
    }

    fn ability(&mut self, ability: &Ability) {
        let replacing = usize::from(matches!(ability.kind, AbilityBody::Instead(..)));
        self.replacing += replacing;
        walk_ability(self, ability);
        self.replacing -= replacing;
    }
}

/// Whether a block begins with a look at the top or bottom cards of a zone, and goes on. `goes_on`: something stands behind the block.
fn looks_first(looks: &Looks, block: &Block, goes_on: bool) -> bool {
    let mut ends = FxHashSet::default();
    for (number, stmt) in (1..).zip(&block.statements) {
        let goes_on = goes_on || number < block.statements.len();
        let (name, args) = match &stmt.kind {
            StmtKind::Attempt(inner, _)
            | StmtKind::AsFarAsPossible(inner)
            | StmtKind::Atomically(inner)
            | StmtKind::If(_, inner, _)
            | StmtKind::Repeat(_, inner)
            | StmtKind::For(_, _, inner)
            | StmtKind::ActingAs(_, inner) => return looks_first(looks, inner, goes_on),
            StmtKind::Call(name, args) => (name, args),
            StmtKind::Let(local, value) => match &value.kind {
                ExprKind::Call(name, args) => (name, args),
                // The cards get a name before the player sees them.
                _ => {
                    if is_end(value, &ends) {
                        ends.insert(local.text.clone());
                    }
                    continue;
                }
            },
            _ => return false,
        };
        return goes_on && looks.seen(&name.text, args).is_some_and(|cards| cards.are_at_an_end(&ends));
    }
    false
}

impl Account {
    /// A finding for each question of an ability that comes before the look on which its answer depends.
    pub(crate) fn asked_early(&self, ability: &Ability) -> Vec<Diagnostic> {
        let mut early = Early { looks: &self.looks, found: Vec::new(), replacing: 0 };
        early.ability(ability);
        early.found.into_iter().map(|span| Diagnostic::error("E0459", span)).collect()
    }
}
