//! Binding: the references of a whole ability to what its earlier phrases gave, and plain names for what is bound.
//!
//! `the CLASS` becomes the name under which the nearest earlier giver of that class left its objects. A giver counts once it
//! is closed (never a sibling argument of the same phrase), and one inside a branch of an `if` is not seen outside it. None,
//! or two that one phrase gave, is an error.

use super::rewrite::{Rewriter, walk_ability, walk_expr, walk_stmt};
use super::weave::{Given, MARK};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Ability, Arg, Block, Cite, Clause, Expr, ExprKind, Name, Stmt, StmtKind};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// The ability with its references bound and its names plain.
pub(super) fn bind(mut ability: Ability, gives: &[Given]) -> (Ability, Vec<Diagnostic>) {
    let mut binder = Binder { gives, open: Vec::new(), used: FxHashSet::default(), errors: Vec::new() };
    binder.ability(&mut ability);
    let Binder { used, errors, .. } = binder;
    Unused { used: &used, gives }.ability(&mut ability);
    Plain::default().ability(&mut ability);
    (ability, errors)
}

/// The same ability without places, citations and chosen names: two texts mean the same when these are equal.
pub(super) fn bare(mut ability: Ability) -> Ability {
    Plain::default().ability(&mut ability);
    Bare.ability(&mut ability);
    ability
}

/// Erases places and citations.
pub(super) struct Bare;

impl Rewriter for Bare {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.cites = Vec::<Cite>::new();
        walk_stmt(self, stmt);
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        clauses.iter_mut().for_each(|clause| clause.cites.clear());
        super::rewrite::walk_clauses(self, clauses);
    }

    fn ability(&mut self, ability: &mut Ability) {
        ability.cites.clear();
        walk_ability(self, ability);
    }
}

struct Binder<'a> {
    gives: &'a [Given],
    open: Vec<&'a Given>,
    used: FxHashSet<String>,
    errors: Vec<Diagnostic>,
}

impl Binder<'_> {
    fn refer(&mut self, class: &Name) -> Option<Name> {
        let mut nearest = self.open.iter().rev().filter(|given| given.class == class.text);
        let Some(first) = nearest.next() else {
            let error = Diagnostic::error("E0404", class.span).with("class", &class.text);
            self.errors.push(error);
            return None;
        };
        if let Some(second) = nearest.next().filter(|second| second.span == first.span && second.local != first.local) {
            let error = Diagnostic::error("E0405", class.span).with("class", &class.text);
            self.errors.push(error.note(first.span, "giver").note(second.span, "giver"));
        }
        self.used.insert(first.local.clone());
        Some(Name { text: first.local.clone(), span: class.span })
    }

    /// Whose the nearest objects of a class are: whoever's zone they were in, else the acting player's.
    fn whose(&self, class: &Name, span: Span) -> Expr {
        let nearest = self.open.iter().rposition(|given| given.class == class.text);
        let before = self.open.iter().take(nearest.map_or(0, |nearest| nearest + 1)).rev();
        let owner = before.filter_map(|given| given.owner.clone()).next();
        owner.unwrap_or(Expr { kind: ExprKind::Name(Name { text: "you".to_owned(), span }), span })
    }

    fn branch(&mut self, block: &mut Block) {
        let seen = self.open.len();
        self.block(block);
        self.open.truncate(seen);
    }
}

impl Rewriter for Binder<'_> {
    fn binder(&mut self, name: &mut Name) {
        self.open.extend(self.gives.iter().filter(|given| given.local == name.text));
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Call(saying, args) = &expr.kind
            && saying.text == "whose"
            && let [Arg { value: Expr { kind: ExprKind::The(class), .. }, .. }] = args.as_slice()
        {
            *expr = self.whose(class, expr.span);
            return;
        }
        if let ExprKind::The(class) = &expr.kind {
            if let Some(name) = self.refer(&class.clone()) {
                expr.kind = ExprKind::Name(name);
            }
            return;
        }
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let StmtKind::If(condition, then, other) = &mut stmt.kind else {
            walk_stmt(self, stmt);
            return;
        };
        self.expr(condition);
        self.branch(then);
        if let Some(other) = other {
            self.branch(other);
        }
    }
}

/// A result that nobody refers to needs no name.
struct Unused<'a> {
    used: &'a FxHashSet<String>,
    gives: &'a [Given],
}

impl Rewriter for Unused<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Let(name, Expr { kind: ExprKind::Call(verb, args), .. }) = &mut stmt.kind
            && !self.used.contains(&name.text)
            && self.gives.iter().any(|given| given.local == name.text && name.text.starts_with(&format!("{}{MARK}", given.class)))
        {
            stmt.kind = StmtKind::Call(verb.clone(), std::mem::take(args));
        }
        walk_stmt(self, stmt);
    }
}

/// Marked names become plain ones, numbered where two are alike.
#[derive(Default)]
pub(super) struct Plain {
    names: IndexMap<String, String>,
}

impl Rewriter for Plain {
    fn name(&mut self, name: &mut Name) {
        let Some((base, _)) = name.text.split_once(MARK) else { return };
        if let Some(plain) = self.names.get(&name.text) {
            name.text.clone_from(plain);
            return;
        }
        let taken = self.names.values().filter(|plain| plain.trim_end_matches(|sign: char| sign == '_' || sign.is_ascii_digit()) == base).count();
        let plain = if taken == 0 { base.to_owned() } else { format!("{base}_{}", taken + 1) };
        self.names.insert(std::mem::replace(&mut name.text, plain.clone()), plain);
    }
}
