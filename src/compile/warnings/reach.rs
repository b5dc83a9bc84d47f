//! Warns of statements that nothing reaches, and of loops that nothing ends.
//!
//! Only the form of the statements counts: any condition may be true or false.

use super::super::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Ability, Arg, Block, Decl, DeclKind, Expr, ExprKind, Name, Routine, Stmt, StmtKind, Stripped};
use lang::syntax::visit::{EachName, Visitor, walk_decl, walk_stmt};
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

/// Collects the outermost blocks.
struct Bodies<'t>(Vec<&'t Block>);

impl<'t> Visitor<'t> for Bodies<'t> {
    fn block(&mut self, block: &'t Block) {
        self.0.push(block);
    }

    /// An ability that is taken away is only compared.
    fn taken(&mut self, _taken: &'t Vec<Stripped>) {}
}

fn blocks_in<'t>(walk: impl FnOnce(&mut Bodies<'t>)) -> Vec<&'t Block> {
    let mut found = Bodies(Vec::new());
    walk(&mut found);
    found.0
}

/// The blocks of a declaration.
pub(super) fn bodies(decl: &Decl) -> Vec<&Block> {
    blocks_in(|found| walk_decl(found, &decl.kind))
}

pub(super) fn of_abilities<'a>(abilities: impl IntoIterator<Item = &'a Ability>) -> Vec<&'a Block> {
    blocks_in(|found| abilities.into_iter().for_each(|ability| found.ability(ability)))
}

/// The blocks in a statement, including those of its clauses.
pub(super) fn inside(statement: &Stmt) -> Vec<&Block> {
    blocks_in(|found| walk_stmt(found, statement))
}

/// How often a statement itself has a name, without its blocks.
pub(super) fn says(statement: &Stmt, name: &str) -> usize {
    let (mut all, mut inner) = (0, 0);
    EachName(|found: &Name| all += usize::from(found.text == name)).stmt(statement);
    let mut of_block = EachName(|found: &Name| inner += usize::from(found.text == name));
    statement.blocks().into_iter().for_each(|block| of_block.block(block));
    all - inner
}

/// How often a declaration has a name.
pub(super) fn names(decl: &Decl, name: &str) -> usize {
    let mut count = 0;
    walk_decl(&mut EachName(|found: &Name| count += usize::from(found.text == name)), &decl.kind);
    count
}
