//! Rules errors as findings with their place.

use crate::shared::loading::Loaded;
use engine::state::Failure;
use lang::diagnostic::Diagnostic;
use tell::rules_error;

/// A rules error at its place in the rules.
#[must_use]
pub(crate) fn diagnostic(failure: Failure, loaded: &Loaded) -> Diagnostic {
    let finding = rules_error(failure, &loaded.program);
    match loaded.place(failure.at) {
        Some(span) => finding.at(span),
        None => finding,
    }
}
