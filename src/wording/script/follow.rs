//! Moves an `if done` to the sentence that it depends on.
//!
//! Input: a woven ability, before its references are bound. `if C { A }  if done { B }` becomes `if C { A  if done { B } }`. Without the
//! move, `done` would be about an earlier sentence if C is false. Templates write the `if done`; this file decides which sentence it asks
//! about.

use lang::syntax::ast::{Ability, BinaryOp, Block, Expr, ExprKind, Stmt, StmtKind};
use lang::syntax::rewrite::{Rewriter, walk_block};

/// Moves every `if done` after a condition into this condition.
pub(crate) fn follow(ability: &mut Ability) {
    Follow.ability(ability);
}

/// The words that ask about the sentence before.
pub(crate) const DONE: [&str; 2] = ["done", "partly_done"];

struct Follow;

impl Rewriter for Follow {
    fn block(&mut self, block: &mut Block) {
        let mut statements: Vec<Stmt> = Vec::new();
        for stmt in std::mem::take(&mut block.statements) {
            match (last_condition(&mut statements), asks_done(&stmt)) {
                (Some(inner), true) => inner.statements.push(stmt),
                _ => statements.push(stmt),
            }
        }
        block.statements = statements;
        walk_block(self, block);
    }
}

/// Whether a condition asks about the sentence before.
pub(crate) fn is_done(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Name(name) => DONE.contains(&name.text.as_str()),
        ExprKind::Binary(a, BinaryOp::And | BinaryOp::Or, b) => is_done(a) || is_done(b),
        _ => false,
    }
}

fn asks_done(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::If(condition, _, _) if is_done(condition))
}

/// The innermost block at the end of these statements, if the way to it has a condition other than `done`.
fn last_condition(statements: &mut [Stmt]) -> Option<&mut Block> {
    let depth = last_asked(statements)?;
    let mut block = last_then(statements)?;
    for _ in 0..depth {
        block = last_then(&mut block.statements)?;
    }
    Some(block)
}

/// The depth of the innermost condition at the end of these statements that asks for something other than `done`.
fn last_asked(statements: &[Stmt]) -> Option<usize> {
    let (mut at, mut depth, mut found) = (statements, 0, None);
    while let Some(StmtKind::If(condition, then, other)) = at.last().map(|stmt| &stmt.kind)
        && is_alone(other.as_ref())
    {
        if !is_done(condition) {
            found = Some(depth);
        }
        (at, depth) = (&then.statements, depth + 1);
    }
    found
}

/// The block of the condition at the end of these statements.
fn last_then(statements: &mut [Stmt]) -> Option<&mut Block> {
    match &mut statements.last_mut()?.kind {
        StmtKind::If(_, then, other) if is_alone(other.as_ref()) => Some(then),
        _ => None,
    }
}

/// Whether a condition has no other branch, or one that names nothing. Then later sentences speak of the first branch.
pub(crate) fn is_alone(other: Option<&Block>) -> bool {
    other.is_none_or(names_nothing)
}

/// Whether a block names no cards: it ends the effect, or calls a procedure without arguments, with or without a condition.
fn names_nothing(block: &Block) -> bool {
    block.statements.iter().all(|stmt| match &stmt.kind {
        StmtKind::Stop => true,
        StmtKind::Call(_, args) => args.is_empty(),
        StmtKind::If(_, then, other) => names_nothing(then) && is_alone(other.as_ref()),
        _ => false,
    })
}
