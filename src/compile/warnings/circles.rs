//! Warns of procedures that call themselves again before anything can ask, leave or end the game.

use super::super::Compiler;
use super::reach::{Asks, Jumps, asking, statement_may_end};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Block, Decl, DeclKind, Routine, Stmt, StmtKind};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
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
            surely_called(&of.body, &known, &|name| asking.contains(name), &mut found);
            calls.insert(&of.head.name.text, found);
        }
        let groups = groups(&calls);
        let mut found = Vec::new();
        for (name, called) in &calls {
            let back = called.iter().find(|(next, _)| groups.get(*next) == groups.get(name));
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
fn surely_called<'a>(block: &'a Block, known: &BTreeSet<&str>, asks: Asks<'_>, found: &mut BTreeMap<&'a str, &'a Stmt>) {
    for statement in &block.statements {
        match &statement.kind {
            StmtKind::Call(name, _) if known.contains(name.text.as_str()) => _ = found.entry(&name.text).or_insert(statement),
            StmtKind::ActingAs(_, body) | StmtKind::Atomically(body) => surely_called(body, known, asks, found),
            _ => {}
        }
        if statement_may_end(statement, Jumps::Inner, asks) {
            return;
        }
    }
}

/// For each procedure, the number of its group. Two procedures are in one group if each calls the other in any case, directly or through
/// others.
fn groups<'a>(calls: &Calls<'a>) -> BTreeMap<&'a str, usize> {
    let mut graph = DiGraph::<&str, ()>::new();
    let nodes: BTreeMap<&str, NodeIndex> = calls.keys().map(|name| (*name, graph.add_node(*name))).collect();
    for (name, called) in calls {
        for (one, other) in called.keys().filter_map(|next| Some((nodes.get(name)?, nodes.get(next)?))) {
            graph.add_edge(*one, *other, ());
        }
    }
    // This search does not call itself: a chain of calls may be as long as a file.
    let groups = kosaraju_scc(&graph);
    let members = groups.iter().enumerate().flat_map(|(at, group)| group.iter().map(move |node| (at, *node)));
    members.filter_map(|(at, node)| Some((*graph.node_weight(node)?, at))).collect()
}
