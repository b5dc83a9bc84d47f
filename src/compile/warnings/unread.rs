//! Warns of a `let` whose name is used nowhere else, if its value performs nothing. Then the statement does nothing.
//!
//! A call of an action or procedure does something, even if nobody reads its value.

use super::super::Compiler;
use super::reach::{bodies, inside};
use lang::diagnostic::{Diagnostic, FileId, Sources};
use lang::syntax::ast::{Block, Expr, Name, StmtKind};
use lang::syntax::{TokenKind, normal, tokens};

/// Words of expressions that ask or note something.
const ASKING: [&str; 3] = ["from", "announce", "hear_again"];

impl Compiler {
    /// `E0278` for each such `let` in the game's own rules files.
    pub(super) fn unread(&self, sources: &Sources, own: &[FileId]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for decl in self.decls.iter().filter(|decl| own.contains(&decl.span.file)) {
            let mut named = Vec::new();
            bodies(decl).into_iter().for_each(|block| lets(block, &mut named));
            if named.is_empty() {
                continue;
            }
            let words = words(sources.text(decl.span));
            let once = |name: &Name| words.iter().filter(|word| **word == name.text).count() == 1;
            let unread = named.into_iter().filter(|(name, value)| once(name) && !self.performs(value, sources));
            found.extend(unread.map(|(name, _)| Diagnostic::error("E0278", name.span).with("name", &name.text)));
        }
        found
    }

    /// Whether a value asks, performs or notes something when it is read.
    fn performs(&self, value: &Expr, sources: &Sources) -> bool {
        let does =
            |word: &str| ASKING.contains(&word) || self.symbols.verbs.find(word).is_some() || self.symbols.procedures.find(word).is_some();
        words(sources.text(value.span)).iter().any(|word| does(word))
    }
}

/// The names that `let` introduces in a block, with their values.
fn lets<'b>(block: &'b Block, named: &mut Vec<(&'b Name, &'b Expr)>) {
    for statement in &block.statements {
        if let StmtKind::Let(name, value) = &statement.kind {
            named.push((name, value));
        }
        inside(statement).into_iter().for_each(|inner| lets(inner, named));
    }
}

fn words(text: &str) -> Vec<String> {
    tokens(text).filter(|token| token.kind == TokenKind::Word).map(|token| normal(token.text).into_owned()).collect()
}
