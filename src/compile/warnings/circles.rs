//! Warns of procedures that call themselves again before anything can ask, leave or end the game.

use super::super::Compiler;
use super::reach::{Jumps, asking, statement_may_end};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Block, Decl, DeclKind, Routine, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// For each procedure, the procedures that it calls in any case, with the first call of each.
type Calls<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Stmt>>;

impl Compiler {
    /// `E0275` at the call with which a procedure returns to itself.
    pub(super) fn circles(&self) -> Vec<Diagnostic> {
        let asking = asking(&self.decls);
        let procedures = || self.decls.iter().filter_map(|decl| procedure(decl));
        let known: BTreeSet<&str> = procedures().map(|of| of.head.name.text.as_str()).collect();
        let mut calls = Calls::new();
        for of in procedures() {
            let mut found = BTreeMap::new();
            surely_called(&of.body, &known, &asking, &mut found);
            calls.insert(&of.head.name.text, found);
        }
        let mut found = Vec::new();
        for (name, called) in &calls {
            let back = called.iter().find(|(next, _)| leads_to(&calls, next, name));
            found.extend(
                back.map(|(_, statement)| {
                    Diagnostic::error("E0275", statement.span).with("name", name).with("open", "{").with("close", "}")
                }),
            );
        }
        found
    }
}

fn procedure(decl: &Decl) -> Option<&Routine> {
    if let DeclKind::Procedure(routine) = &decl.kind { Some(routine) } else { None }
}

/// Notes the calls that a block makes in any case. It stops at the first statement that may ask, leave or end the game.
fn surely_called<'a>(block: &'a Block, known: &BTreeSet<&str>, asking: &BTreeSet<&str>, found: &mut BTreeMap<&'a str, &'a Stmt>) {
    for statement in &block.statements {
        match &statement.kind {
            StmtKind::Call(name, _) if known.contains(name.text.as_str()) => _ = found.entry(&name.text).or_insert(statement),
            StmtKind::ActingAs(_, body) | StmtKind::Atomically(body) => surely_called(body, known, asking, found),
            _ => {}
        }
        if statement_may_end(statement, Jumps::Inner, asking) {
            return;
        }
    }
}

/// Whether one procedure calls another in any case, directly or through others.
fn leads_to(calls: &Calls<'_>, from: &str, to: &str) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(next) = left.pop() {
        if next == to {
            return true;
        }
        if seen.insert(next) {
            left.extend(calls.get(next).into_iter().flatten().map(|(name, _)| *name));
        }
    }
    false
}
