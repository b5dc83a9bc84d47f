//! Refuses declarations whose name is a word that expressions have already: `none`, `it`, `you`, `players`.

use crate::Compiler;
use crate::expressions::language::is_word;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Decl, DeclKind, Name, Reading, ReadingChoices};
use std::sync::Arc;

/// Words that stand after `is` or between other words too. No declaration at all may have such a name.
const NEVER: [&str; 4] = ["none", "it", "you", "this"];

/// Whether a word is a value of the language: nothing else that stands alone in an expression may have its name.
#[must_use]
pub fn is_own_word(word: &str) -> bool {
    NEVER.contains(&word) || is_word(word) || word == "game"
}

impl Compiler {
    /// `E0385` for each name that expressions could not read, or that they would read instead of the word.
    pub(crate) fn check_own_words(&mut self, decls: &[Arc<Decl>]) {
        for decl in decls {
            let stands_alone = matches!(
                decl.kind,
                DeclKind::Param(..)
                    | DeclKind::Reading(_)
                    | DeclKind::Enum(..)
                    | DeclKind::Function { .. }
                    | DeclKind::Zone(..)
                    | DeclKind::Role(..)
            );
            if let Some(head) = decl.kind.head() {
                self.check_own_word(&head.name, stands_alone);
            }
            match &decl.kind {
                DeclKind::Enum(_, values) => values.iter().for_each(|value| self.check_own_word(&value.name, true)),
                DeclKind::Reading(Reading { choices: ReadingChoices::Names(names), .. }) => {
                    names.iter().for_each(|(name, _)| self.check_own_word(name, true));
                }
                _ => {}
            }
        }
    }

    fn check_own_word(&mut self, name: &Name, stands_alone: bool) {
        let word = name.text.as_str();
        if NEVER.contains(&word) || stands_alone && is_own_word(word) {
            self.report(Diagnostic::error("E0385", name.span).with("name", word));
        }
    }
}
