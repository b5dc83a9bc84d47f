//! Checks a game's conditions on every position (`must` in its `given default`). If one is false, the rules can never lead to the position.
//!
//! Input: the machine at the position, before it goes on. Impossible parts of a position are found in [`crate::position::setup`].

use crate::terms;
use compile::Compiler;
use engine::eval::Eval;
use engine::machine::Machine;
use engine::value::{Player, Value};
use lang::diagnostic::{Diagnostic, Span};

/// The code of a position that fails a condition.
pub(crate) const BROKEN: &str = "E0549";

/// Checks the conditions.
///
/// # Errors
/// `E0549` for the first false one, at the position.
pub(crate) fn hold(compiler: &Compiler, machine: &Machine, at: Span) -> Result<(), Diagnostic> {
    let mut eval = Eval::new(compiler.program(), machine.state(), &[], &[], Player(0), Value::Undefined);
    let Some(broken) = compiler.musts().iter().find(|must| !eval.value(must.condition).is_true()) else { return Ok(()) };
    if eval.overflow {
        return Err(terms::too_large(broken.span));
    }
    let finding = Diagnostic::error(BROKEN, at).note(broken.span, "must").with("condition", &broken.written);
    let rules = compiler.program().rules_beside(broken.cites);
    let rules: Vec<String> = rules.iter().map(|rule| format!("@{rule}")).collect();
    Err(if rules.is_empty() { finding } else { finding.with("rules", rules.join(" ")) })
}
