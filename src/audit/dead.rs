//! Finds parts of the rules that nothing needs: statements without a rule, branches never taken, conditions never needed, templates without
//! texts.

use super::breaker::Reach;
use super::mutant::Mutant;
use super::notice::{Audit, Outcome};
use lang::diagnostic::Span;
use lang::syntax::ast::{Ability, Block, Cite, Clause, Decl, DeclKind, Stmt, StmtKind, Stripped, WordingItem, WordingKind};
use lang::syntax::visit::{Visitor, walk_ability, walk_block, walk_clause, walk_decl, walk_stmt};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Parts of the rules that neither the scenarios nor the rulebook need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dead {
    /// Statements without any citation on or around them.
    pub uncited: Vec<Span>,
    /// Statements that no passing scenario carries out.
    pub untaken: Vec<Span>,
    /// Conditions that might as well always be true: no scenario shows that nothing is done when the condition is false.
    pub never_false: Vec<Span>,
    /// Statements with a rule that are carried out, and that no scenario would miss.
    pub idle: Vec<Span>,
    /// Templates that read no card of any passing scenario.
    pub unread: Vec<Span>,
    /// Templates of shared modules that read no card of this game. They are no gap of this game.
    pub unread_shared: Vec<Span>,
}

/// The unneeded parts of the game's own rules, and the shared templates that it does not use. `settled`: see [`Audit::idle`].
#[must_use]
pub fn dead(audit: &Audit<'_>, mutants: &[Mutant], settled: &BTreeSet<usize>) -> Dead {
    let mut dead = Dead::default();
    for decl in audit.bench.own_decls() {
        let cited = decl.kind.head().is_some_and(|head| !head.cites.is_empty());
        Walk { audit, dead: &mut dead, cited }.decl(decl);
    }
    dead.never_false = never_false(audit);
    dead.idle = audit.idle(mutants, settled);
    dead.unread_shared = audit.unread_shared();
    dead
}

impl Audit<'_> {
    /// The shared templates that read no card of this game.
    #[must_use]
    pub fn unread_shared(&self) -> Vec<Span> {
        let unread = self.bench.shared_decls().flat_map(templates).filter(|template| !self.template_used(*template));
        // A template that the game repeats is counted as the game's own.
        unread.filter(|template| !self.bench.is_said_again(*template)).collect()
    }
}

/// Conditions that no scenario would miss.
fn never_false(audit: &Audit<'_>) -> Vec<Span> {
    let unmissed = |mutant: &Mutant| matches!(audit.outcome(mutant), Outcome::Unnoticed(_) | Outcome::Untouched | Outcome::Stopped(_));
    let conditions = audit.bench.conditions().into_iter().map(|mut mutant| {
        mutant.site.reach = match (mutant.site.reach, audit.bench.holds_by_default(mutant.site.span)) {
            (Reach::Template(template), _) => Reach::Template(template),
            (_, Some(reading)) => Reach::Reading(reading),
            (Reach::Statement(statement), None) => Reach::Condition(statement),
            (other, None) => other,
        };
        mutant
    });
    let conditions: Vec<Mutant> = conditions.collect();
    conditions.par_iter().filter(|mutant| unmissed(mutant)).map(|mutant| mutant.site.span).collect()
}

/// The places of a declaration's templates.
fn templates(decl: &Decl) -> impl Iterator<Item = Span> {
    let items = if let DeclKind::Wording(wording) = &decl.kind { wording.items.as_slice() } else { &[] };
    let lines = |item: &'_ WordingItem| match &item.kind {
        WordingKind::Template(_) | WordingKind::Frame(_) => vec![item.span],
        WordingKind::Family(family) => family.items.iter().map(|item| item.span).collect(),
        _ => Vec::new(),
    };
    items.iter().flat_map(lines)
}

/// Finds the statements without a rule, and those that are never carried out.
struct Walk<'a, 'g> {
    audit: &'a Audit<'g>,
    dead: &'a mut Dead,
    /// Whether a rule stands beside something around this place.
    cited: bool,
}

impl Walk<'_, '_> {
    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Turn(_, phases) => phases.iter().for_each(|phase| self.under(&phase.head.cites, |walk| walk.block(&phase.body))),
            DeclKind::Wording(_) => {
                self.dead.unread.extend(templates(decl).filter(|template| !self.audit.template_used(*template)));
            }
            other => walk_decl(self, other),
        }
    }

    /// Walks something beside which these rules stand.
    fn under(&mut self, cites: &[Cite], walk: impl FnOnce(&mut Self)) {
        let cited = self.cited;
        self.cited |= !cites.is_empty();
        walk(self);
        self.cited = cited;
    }
}

impl Visitor<'_> for Walk<'_, '_> {
    /// All statements of a cited block are covered by the block's rules, so one entry is enough.
    fn block(&mut self, block: &Block) {
        self.under(&block.head, |walk| walk_block(walk, block));
    }

    fn stmt(&mut self, statement: &Stmt) {
        if matches!(statement.kind, StmtKind::Label(_)) {
            return;
        }
        self.under(&statement.cites, |walk| {
            if !walk.cited {
                walk.dead.uncited.push(statement.span);
            }
            // If a statement is never carried out, the statements inside it are not listed again.
            if walk.audit.carried_out(statement.span) {
                walk_stmt(walk, statement);
            } else {
                walk.dead.untaken.push(statement.span);
            }
        });
    }

    fn clause(&mut self, clause: &Clause) {
        self.under(&clause.cites, |walk| walk_clause(walk, clause));
    }

    fn ability(&mut self, ability: &Ability) {
        self.under(&ability.cites, |walk| walk_ability(walk, ability));
    }

    /// An ability that is taken away is only compared.
    fn taken(&mut self, _taken: &Vec<Stripped>) {}
}
