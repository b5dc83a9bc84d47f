//! Warns of declarations that are called like a statement or a function of the language. Only one of the two can be called.

use super::super::Compiler;
use crate::compile::expressions::function::known_functions;
use crate::compile::statements::action::SPECIAL;
use crate::diagnostic::{Diagnostic, FileId};
use crate::syntax::ast::{DeclKind, Head};

/// The statements that are meant even if something else has their name.
const MEANT: [&str; 4] = ["finish", "finish_drawn", "expire", "drop"];

impl Compiler {
    /// `E0290` for each declaration that hides a statement or function of the language, `E0291` for each that a statement of the language hides.
    pub(super) fn hidden(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let (statements, functions) = (SPECIAL, known_functions());
        let hides = |word: &str, what: &str| match what {
            "action" | "procedure" | "event" | "option" => statements.contains(&word) || functions.contains(&word),
            _ => functions.contains(&word),
        };
        let found = self.decls.iter().filter(|decl| own.contains(&decl.span.file)).filter_map(|decl| {
            let (head, what) = callable(&decl.kind)?;
            let word = head.name.text.as_str();
            if !hides(word, what) {
                return None;
            }
            let statement = statements.contains(&word);
            let code = if statement && MEANT.contains(&word) { "E0291" } else { "E0290" };
            let of = if statement { "statement" } else { "function" };
            Some(Diagnostic::error(code, head.name.span).with("name", word).with("what", what).with("of", of))
        });
        found.collect()
    }
}

/// What can be called: its head, and its kind.
fn callable(kind: &DeclKind) -> Option<(&Head, &'static str)> {
    match kind {
        DeclKind::Action(routine) => Some((&routine.head, "action")),
        DeclKind::Procedure(routine) => Some((&routine.head, "procedure")),
        DeclKind::Event(event) => Some((&event.head, "event")),
        DeclKind::Option(option) => Some((&option.head, "option")),
        DeclKind::Function { head, .. } => Some((head, "function")),
        DeclKind::Zone(head, _) => Some((head, "zone")),
        _ => None,
    }
}
