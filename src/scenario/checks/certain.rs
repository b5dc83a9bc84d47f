//! Finds expectations that hold whatever happens.
//!
//! Some deny what can never be: an error with which no run ends, a rule that nothing cites. Without `not` such an expectation fails; with
//! `not` a slip would pass. Others say nothing about the game: they compare a value with itself, or only values that are written there.

use engine::program::Program;
use engine::state::FailureKind;
use lang::diagnostic::{Diagnostic, Span, known_codes};
use lang::syntax::ast::{BinaryOp, Cite, Expect, ExpectKind, Expr, ExprKind};
use tell::failure_code;
use wording::show_expr;

/// The first finding about an expectation: `E0534` for an unknown code, `E0595` for a denied code or rule that no run can show, `E0598` for a
/// condition whose result the game does not decide.
pub(super) fn finding(program: &Program, expect: &Expect) -> Option<Diagnostic> {
    let uncited = |cite: &&Cite| !program.cites.rows().iter().any(|list| list.contains(&cite.id));
    let rule = match &expect.kind {
        ExpectKind::Error(code) if !known_codes().any(|known| known == code.text) => {
            return Some(Diagnostic::error("E0534", code.span).with("code", &code.text));
        }
        ExpectKind::Error(code) if expect.negated && FailureKind::ALL.iter().all(|kind| failure_code(*kind) != code.text) => {
            return Some(Diagnostic::error("E0595", code.span).with("code", &code.text));
        }
        ExpectKind::Before(first, second) if first.id == second.id => return Some(Diagnostic::error("E0598", second.span)),
        // Elsewhere `because` has to be true, also behind `not`.
        ExpectKind::Wins(_) | ExpectKind::Drawn if expect.negated => expect.because.iter().find(uncited),
        ExpectKind::Why(why) if expect.negated => why.rules.iter().find(uncited),
        ExpectKind::Before(first, _) if expect.negated => std::slice::from_ref(first).iter().find(uncited),
        ExpectKind::Holds(condition) => return certain(condition).map(|span| Diagnostic::error("E0598", span)),
        _ => None,
    };
    rule.map(|cite| Diagnostic::error("E0595", cite.span).with("rule", &cite.id))
}

/// The first part of a condition that the game does not decide. Each part of an `and` or `or` has to say something.
fn certain(condition: &Expr) -> Option<Span> {
    match &condition.kind {
        ExprKind::Not(inner) | ExprKind::Cited(_, inner) => certain(inner),
        ExprKind::Binary(left, BinaryOp::And | BinaryOp::Or, right) => certain(left).or_else(|| certain(right)),
        ExprKind::Binary(left, op, right) if compares(*op) => {
            let one = show_expr(left) == show_expr(right);
            (one || is_written(left) && is_written(right)).then_some(condition.span)
        }
        _ => is_written(condition).then_some(condition.span),
    }
}

fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// Whether a value is written out: numbers, truths and texts, and what is reckoned from them.
fn is_written(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Text(_) => true,
        ExprKind::Negate(inner) | ExprKind::Not(inner) | ExprKind::Cited(_, inner) => is_written(inner),
        ExprKind::Binary(left, _, right) => is_written(left) && is_written(right),
        ExprKind::List(items) => items.iter().all(is_written),
        _ => false,
    }
}
