//! Compiles a scenario's expressions, with its seats and its names for cards.

use compile::{Compiler, Scope, Ty};
use engine::ids::StateId;
use engine::state::FailureKind;
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind};

/// The seats, and names for cards and for waiting abilities.
pub(crate) fn scope<'n>(compiler: &Compiler, names: impl IntoIterator<Item = (&'n str, Value)>) -> Scope {
    let seats = Scope::seats(compiler.program().players);
    let of = |value: Value| if let Value::Pending(_) = value { Ty::ABILITY } else { Ty::CARD };
    names.into_iter().fold(seats, |scope, (name, value)| scope.with(name, value, of(value)))
}

/// The first of several findings.
pub(crate) fn first(found: Vec<Diagnostic>, span: Span, wanted: &str) -> Diagnostic {
    found.into_iter().next().unwrap_or_else(|| Diagnostic::error("E0508", span).with("wanted", wanted))
}

/// `E0602` for a calculation whose result is too large. Its value is undefined, so each comparison with it would be false without a reason.
pub(crate) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(tell::failure_code(FailureKind::Overflow), span)
}

/// A constant number.
///
/// # Errors
/// The compiler's findings about it.
pub(crate) fn number(compiler: &Compiler, expr: &Expr) -> Result<i32, Diagnostic> {
    match expr.kind {
        ExprKind::Number(number) => Ok(number),
        _ => constant(compiler, expr, Ty::NUMBER)?.number().ok_or_else(|| first(Vec::new(), expr.span, "number")),
    }
}

/// A value of a state.
///
/// # Errors
/// The compiler's findings about it.
pub(crate) fn of_state(compiler: &Compiler, state: StateId, expr: &Expr) -> Result<Value, Diagnostic> {
    let of = compiler.program().states.get(state).map_or(Ty::UNKNOWN, |state| Ty::one(state.of));
    if of == Ty::PLAYER
        && let ExprKind::Name(name) = &expr.kind
        && let Some(player) = tell::player_of(compiler.program(), &name.text)
    {
        return Ok(Value::Player(player));
    }
    let read = constant(compiler, expr, of);
    match &expr.kind {
        // A word that is no seat and nothing else.
        ExprKind::Name(name) if of == Ty::PLAYER && read.is_err() => Err(super::lookup::no_seat(compiler.program(), name)),
        _ => read,
    }
}

/// A constant. The compiler is not changed.
fn constant(compiler: &Compiler, expr: &Expr, want: Ty) -> Result<Value, Diagnostic> {
    compiler.constant_beside(expr, want).map_err(|found| first(found, expr.span, "value"))
}
