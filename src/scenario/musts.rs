//! What a game says of every position (`must` in its `given default`): where one of these is not so, the rules could never come there.
//!
//! Takes the machine as it stands before it goes on. Deliberately absent: what a position's parts by themselves cannot be; that is
//! for [`super::setup`].

use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::eval::Eval;
use crate::engine::machine::Machine;
use crate::engine::value::{Player, Value};

/// The code of a position in which something is not so that has to be.
pub const BROKEN: &str = "E0549";

/// `E0549` for the first that is not so.
///
/// # Errors
/// The finding, at the position.
pub fn hold(compiler: &Compiler, machine: &Machine, at: Span) -> Result<(), Diagnostic> {
    let mut eval = Eval::new(compiler.program(), machine.state(), &[], &[], Player(0), Value::Undefined);
    let Some(broken) = compiler.musts().iter().find(|must| !eval.value(must.condition).is_true()) else { return Ok(()) };
    let finding = Diagnostic::error(BROKEN, at).note(broken.span, "must");
    let rules = compiler.program().rules_beside(broken.cites);
    let rules: Vec<String> = rules.iter().map(|rule| format!("@{rule}")).collect();
    Err(if rules.is_empty() { finding } else { finding.with("rules", rules.join(" ")) })
}
