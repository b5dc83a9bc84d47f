//! Finds denials that hold whatever happens, because the denied thing can never be: an error with which no run ends, a rule that nothing
//! cites.
//!
//! Without `not` such an expectation fails. With `not` a slip would pass.

use crate::diagnostic::{Diagnostic, known_codes};
use crate::engine::program::Program;
use crate::engine::state::FailureKind;
use crate::scenario::failure_code;
use crate::syntax::ast::{Cite, Expect, ExpectKind};

/// The first finding about a denial: `E0534` for an unknown code, `E0595` for a code or a rule that no run can show.
pub(super) fn finding(program: &Program, expect: &Expect) -> Option<Diagnostic> {
    let uncited = |cite: &&Cite| !program.cites.rows().iter().any(|list| list.contains(&cite.id));
    let rule = match &expect.kind {
        ExpectKind::Error(code) if !known_codes().any(|known| known == code.text) => {
            return Some(Diagnostic::error("E0534", code.span).with("code", &code.text));
        }
        ExpectKind::Error(code) if expect.negated && FailureKind::ALL.iter().all(|kind| failure_code(*kind) != code.text) => {
            return Some(Diagnostic::error("E0595", code.span).with("code", &code.text));
        }
        // Elsewhere `because` has to be true, also behind `not`.
        ExpectKind::Wins(_) | ExpectKind::Drawn if expect.negated => expect.because.iter().find(uncited),
        ExpectKind::Why(why) if expect.negated => why.rules.iter().find(uncited),
        ExpectKind::Before(first, _) if expect.negated => std::slice::from_ref(first).iter().find(uncited),
        _ => None,
    };
    rule.map(|cite| Diagnostic::error("E0595", cite.span).with("rule", &cite.id))
}
