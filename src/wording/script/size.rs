//! The size of a script: how many parts a phrase has, and how often a template repeats a filling. A phrase that would become too large is
//! refused before it is built.

use crate::declared::expand::TOO_MANY;
use crate::script::sayings::is_the_opponent;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, Stmt};
use lang::syntax::rewrite::{Rewriter, walk_expr, walk_stmt};

/// The most parts (expressions and statements) of one script that a text is read as. The longest real texts have some hundreds.
pub(crate) const MOST_PARTS: usize = 20_000;

/// `E0229` for a text, or a template's script, with more than [`MOST_PARTS`] parts.
pub(crate) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(TOO_MANY, span).with("what", "parts of the script").with("most", MOST_PARTS)
}

/// Counts expressions and statements.
#[derive(Default)]
struct Parts(usize);

impl Rewriter for Parts {
    fn expr(&mut self, expr: &mut Expr) {
        self.0 += 1;
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        self.0 += 1;
        walk_stmt(self, stmt);
    }
}

/// The number of parts of an expression.
pub(super) fn parts_of(expr: &Expr) -> usize {
    let mut parts = Parts::default();
    parts.expr(&mut expr.clone());
    parts.0
}

/// Counts the places where a name stands.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) count: usize,
}

impl Rewriter for Named<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        let stands = matches!(&expr.kind, ExprKind::Name(name) if name.text == self.name) || is_the_opponent(expr);
        self.count += usize::from(stands);
        walk_expr(self, expr);
    }
}
