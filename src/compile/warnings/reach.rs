//! Warns of statements that nothing reaches, and of loops that nothing ends.
//!
//! Only the form of the statements counts: any condition may be true or false.

use super::super::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{
    Ability, AbilityBody, Arg, Block, Clause, ClauseKind, Decl, DeclKind, Expr, ExprKind, Granted, OptionBody, Routine, Stmt, StmtKind,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Says of the name of a routine whether it may ask or end the game.
pub(super) type Asks<'a> = &'a dyn Fn(&str) -> bool;

/// Verbs that may end the game.
const ENDING: [&str; 4] = ["lose", "win", "finish", "finish_drawn"];

impl Compiler {
    /// `E0263` for statements after one that always leaves, `E0264` for loops without an end and without a decision.
    pub(super) fn unreached(&self) -> Vec<Diagnostic> {
        let asking = asking(&self.decls);
        let mut found = Vec::new();
        let cards = self.added.iter().flat_map(|added| of_abilities(&added.1));
        for block in self.decls.iter().flat_map(|decl| bodies(decl)).chain(cards) {
            look(block, false, &|name| asking.contains(name), &mut found);
        }
        found
    }
}

/// `watched`: the block is inside a `watch`, which may leave the block at any time.
fn look(block: &Block, watched: bool, asks: Asks<'_>, found: &mut Vec<Diagnostic>) {
    let mut pairs = block.statements.iter().zip(block.statements.iter().skip(1));
    if let Some((last, next)) = pairs.find(|(statement, _)| leaves(statement)) {
        found.push(Diagnostic::error("E0263", next.span).note(last.span, "leaves"));
    }
    for statement in &block.statements {
        if let StmtKind::Loop(body) = &statement.kind
            && !watched
            && !may_end(body, Jumps::Leave, asks)
        {
            found.push(Diagnostic::error("E0264", statement.span));
        }
        for inner in inside(statement) {
            look(inner, watched || matches!(statement.kind, StmtKind::Watch(..)), asks, found);
        }
    }
}

/// Whether the flow never goes on after this statement.
fn leaves(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Return(_) | StmtKind::Stop | StmtKind::Break | StmtKind::Restart(_) => true,
        // The game is over.
        StmtKind::Call(name, _) => matches!(name.text.as_str(), "finish" | "finish_drawn"),
        StmtKind::If(_, then, Some(otherwise)) => block_leaves(then) && block_leaves(otherwise),
        StmtKind::Loop(body) => !breaks(body),
        StmtKind::ActingAs(_, body) => block_leaves(body),
        _ => false,
    }
}

fn block_leaves(block: &Block) -> bool {
    block.statements.iter().any(leaves)
}

/// Whether a `break` leaves the loop with this body.
fn breaks(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StmtKind::Break => true,
        StmtKind::Loop(_) | StmtKind::Repeat(..) | StmtKind::For(..) => false,
        _ => inside(statement).into_iter().any(breaks),
    })
}

/// What jumps in a block do to the loop that is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Jumps {
    /// `break`, `return` and `restart` leave the checked loop.
    Leave,
    /// In an inner loop: `break` leaves the inner loop, `return` and `restart` leave both.
    Inner,
    /// In a called routine: no jump leaves the checked loop.
    Called,
}

/// Whether a block may ask somebody, leave, or end the game.
fn may_end(block: &Block, jumps: Jumps, asks: Asks<'_>) -> bool {
    block.statements.iter().any(|statement| statement_may_end(statement, jumps, asks))
}

/// Whether a statement may ask somebody, leave, or end the game.
pub(super) fn statement_may_end(statement: &Stmt, jumps: Jumps, asks: Asks<'_>) -> bool {
    match &statement.kind {
        StmtKind::Break => jumps == Jumps::Leave,
        StmtKind::Return(_) | StmtKind::Restart(_) => jumps != Jumps::Called,
        StmtKind::Stop | StmtKind::Choose(_) | StmtKind::May(..) | StmtKind::Perform(_) => true,
        StmtKind::Offer(_) | StmtKind::Declare(..) | StmtKind::Interrupt(..) | StmtKind::InterruptFor { .. } | StmtKind::ApplyRules => true,
        StmtKind::Call(name, args) => call_may_end(&name.text, args, asks),
        StmtKind::Let(_, value) | StmtKind::Assign(_, value) => value_may_end(value, asks),
        StmtKind::Loop(body) | StmtKind::Repeat(_, body) | StmtKind::For(_, _, body) => {
            may_end(body, if jumps == Jumps::Leave { Jumps::Inner } else { jumps }, asks)
        }
        // Blocks that are put by, and effects, run at another time.
        StmtKind::PutBy(..) | StmtKind::Lasting(..) => false,
        _ => inside(statement).into_iter().any(|inner| may_end(inner, jumps, asks)),
    }
}

fn call_may_end(name: &str, args: &[Arg], asks: Asks<'_>) -> bool {
    ENDING.contains(&name) || asks(name) || args.iter().any(|arg| matches!(arg.value.kind, ExprKind::Pick(_)))
}

fn value_may_end(value: &Expr, asks: Asks<'_>) -> bool {
    matches!(&value.kind, ExprKind::Call(name, args) if call_may_end(&name.text, args, asks))
}

/// Actions and procedures that may ask or end the game, directly or by their calls.
pub(super) fn asking(decls: &[Arc<Decl>]) -> BTreeSet<&str> {
    let mut callers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut left = Vec::new();
    for routine in decls.iter().filter_map(|decl| routine(decl)) {
        let name = routine.head.name.text.as_str();
        let called = RefCell::new(BTreeSet::new());
        let notes = |name: &str| {
            called.borrow_mut().insert(name.to_owned());
            false
        };
        if may_end(&routine.body, Jumps::Called, &notes) {
            left.push(name);
        } else {
            called.into_inner().into_iter().for_each(|called| callers.entry(called).or_default().push(name));
        }
    }
    let mut asking = BTreeSet::new();
    while let Some(name) = left.pop() {
        if asking.insert(name) {
            left.extend(callers.get(name).into_iter().flatten());
        }
    }
    asking
}

fn routine(decl: &Decl) -> Option<&Routine> {
    match &decl.kind {
        DeclKind::Action(routine) | DeclKind::Procedure(routine) => Some(routine),
        _ => None,
    }
}

/// The blocks of a declaration.
pub(super) fn bodies(decl: &Decl) -> Vec<&Block> {
    match &decl.kind {
        DeclKind::Action(routine) | DeclKind::Procedure(routine) | DeclKind::Judgement(routine) => vec![&routine.body],
        DeclKind::Rule(rule) => vec![&rule.body],
        DeclKind::Setup(_, body) => vec![body],
        DeclKind::Turn(_, phases) => phases.iter().map(|phase| &phase.body).collect(),
        DeclKind::Option(option) => match &option.body {
            OptionBody::Plain(body) | OptionBody::Attempt(body) => vec![body],
            OptionBody::TwoParts(declare, process) => vec![declare, process],
        },
        DeclKind::Keyword(_, abilities) => of_abilities(abilities),
        _ => Vec::new(),
    }
}

pub(super) fn of_abilities<'a>(abilities: impl IntoIterator<Item = &'a Ability>) -> Vec<&'a Block> {
    abilities.into_iter().flat_map(of_ability).collect()
}

fn of_ability(ability: &Ability) -> Vec<&Block> {
    match &ability.kind {
        AbilityBody::Kind(_, body) | AbilityBody::When(_, body) => vec![body],
        AbilityBody::Instead(_, body) | AbilityBody::Whenever(_, body) => vec![body],
        AbilityBody::Static(_, clauses) => clauses.iter().flat_map(of_clause).collect(),
        _ => Vec::new(),
    }
}

fn of_clause(clause: &Clause) -> Vec<&Block> {
    match &clause.kind {
        ClauseKind::Instead(_, body) | ClauseKind::When(_, body) => vec![body],
        ClauseKind::NextTime(_, body) | ClauseKind::NextInstead(_, body) | ClauseKind::Whenever(_, body) => vec![body],
        ClauseKind::While(_, clauses) => clauses.iter().flat_map(of_clause).collect(),
        ClauseKind::Grant(_, given) => {
            let abilities = given.iter().filter_map(|given| if let Granted::Ability(ability) = given { Some(ability) } else { None });
            of_abilities(abilities)
        }
        _ => Vec::new(),
    }
}

/// The blocks in a statement, including those of its clauses.
pub(super) fn inside(statement: &Stmt) -> Vec<&Block> {
    match &statement.kind {
        StmtKind::Lasting(_, clauses) => clauses.iter().flat_map(of_clause).collect(),
        other => other.blocks(),
    }
}
