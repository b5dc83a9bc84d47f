//! The size of a script: how many parts a phrase has, and how often a template repeats a filling. A phrase that would become too large is
//! refused before it is built.

use crate::declared::expand::TOO_MANY;
use crate::script::sayings::is_the_opponent;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Stmt};
use lang::syntax::visit::{Visitor, walk_expr, walk_stmt};
use rustc_hash::FxHashMap;

/// The most parts (expressions and statements) of one script that a text is read as. The longest real texts have some hundreds.
pub(crate) const MOST_PARTS: usize = 20_000;

/// `E0229` for a text, or a template's script, with more than [`MOST_PARTS`] parts.
pub(crate) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(TOO_MANY, span).with("what", "parts of the script").with("most", MOST_PARTS)
}

/// Counts the expressions and statements of a script with its arguments.
#[derive(Default)]
pub(crate) struct Parts<'f> {
    /// The parts of each argument.
    pub(crate) of_args: FxHashMap<&'f str, usize>,
    pub(crate) count: usize,
}

impl Visitor<'_> for Parts<'_> {
    fn expr(&mut self, expr: &Expr) {
        let filled = if let ExprKind::Hole(name) = &expr.kind { self.of_args.get(name.text.as_str()).copied() } else { None };
        self.count = self.count.saturating_add(filled.unwrap_or(1));
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.count = self.count.saturating_add(1);
        walk_stmt(self, stmt);
    }
}

/// The number of parts of an expression.
pub(crate) fn parts_of(expr: &Expr) -> usize {
    let mut parts = Parts::default();
    parts.expr(expr);
    parts.count
}

/// Whether a name stands here, or the opponent.
pub(super) fn is_named(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(known) if known.text == name) || is_the_opponent(expr)
}
