//! Warns of declarations that have the name of a statement or a function of the language, and so hide it.

use super::super::Compiler;
use crate::expressions::function::known_functions;
use crate::statements::action::SPECIAL;
use lang::diagnostic::{Diagnostic, FileId};
use lang::syntax::ast::{DeclKind, Head};

impl Compiler {
    /// `E0290` for each declaration that hides a statement or function of the language. If a call with this name still means the statement,
    /// the declaration is an error instead: `E0361`.
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
            let of = if statements.contains(&word) { "statement" } else { "function" };
            Some(Diagnostic::error("E0290", head.name.span).with("name", word).with("what", what).with("of", of))
        });
        found.collect()
    }
}

/// The head and the kind of a declaration that can be called.
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
