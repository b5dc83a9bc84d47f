//! Removes from a script what does not change its meaning: places, citations, and the choice of local names.
//!
//! Two scripts with the same meaning become equal. The file also finds the first name in which two scripts differ. References are not
//! touched: `bind.rs` binds them.

use crate::script::sayings::{is_the_opponent, opponent_of, player};
use crate::script::weave::MARK;
use indexmap::IndexMap;
use lang::diagnostic::Span;
use lang::syntax::ast::{Ability, BinaryOp, Cite, Expr, ExprKind, Fragment, Name, Stmt, StmtKind};
use lang::syntax::rewrite::{Rewriter, walk_expr, walk_stmt};
use lang::syntax::visit::Visitor;
use rustc_hash::FxHashMap;

/// The ability without places, citations and chosen names. Two texts mean the same if these are equal.
pub(crate) fn bare(ability: Ability) -> Ability {
    let mut ability = named(ability);
    Bare.ability(&mut ability);
    ability
}

/// The ability without chosen names. A name that is never used is dropped; the others are numbered in order.
fn named(mut ability: Ability) -> Ability {
    Plain::default().ability(&mut ability);
    let mut counted = Counted::default();
    counted.ability(&ability);
    Nameless(counted.names).ability(&mut ability);
    let mut numbered = Numbered::default();
    Bound(&mut numbered).ability(&ability);
    numbered.ability(&mut ability);
    ability
}

/// Where the ability that was read names something else than the wanted one: the place of the name, then the place that binds it. Empty if
/// there is no such name.
pub(crate) fn first_other(read: &Ability, wanted: &Ability) -> Vec<Span> {
    let names = |ability: &Ability| {
        let mut seen = Seen::default();
        seen.ability(&named(ability.clone()));
        seen.0
    };
    let (read, wanted) = (names(read), names(wanted));
    let Some((name, span)) = read.iter().zip(&wanted).find(|((name, _), (other, _))| name != other).map(|(read, _)| read) else {
        return Vec::new();
    };
    let giver = read.iter().find(|(known, _)| known == name).map(|(_, giver)| *giver);
    [Some(*span), giver.filter(|giver| giver != span)].into_iter().flatten().filter(|span| span.start < span.end).collect()
}

/// The names of a script with their places.
#[derive(Default)]
struct Seen(Vec<(String, Span)>);

impl Visitor<'_> for Seen {
    fn name(&mut self, name: &Name) {
        self.0.push((name.text.clone(), name.span));
    }
}

/// A script with plain names, without the marks of phrases.
pub(crate) fn plain(script: &Fragment) -> Fragment {
    let mut script = script.clone();
    Plain::default().fragment(&mut script);
    script
}

/// Removes places and citations.
pub(crate) struct Bare;

impl Rewriter for Bare {
    fn span(&mut self, span: &mut Span) {
        *span = Span::default();
    }

    /// `a with (b with c)` becomes `(a with b) with c`. All words for the opponent become `opponent(you)`.
    fn expr(&mut self, expr: &mut Expr) {
        if is_the_opponent(expr) {
            *expr = opponent_of(player("you", expr.span));
        }
        while let ExprKind::Binary(left, op, right) = &expr.kind
            && matches!(op, BinaryOp::Union | BinaryOp::And | BinaryOp::Or | BinaryOp::Add)
            && let ExprKind::Binary(middle, inner, last) = &right.kind
            && inner == op
        {
            let first = Expr { kind: ExprKind::Binary(left.clone(), *op, middle.clone()), span: expr.span };
            expr.kind = ExprKind::Binary(Box::new(first), *op, last.clone());
        }
        walk_expr(self, expr);
    }

    fn cites(&mut self, cites: &mut Vec<Cite>) {
        cites.clear();
    }
}

/// Counts how often each name occurs in a script.
#[derive(Default)]
struct Counted {
    names: FxHashMap<String, usize>,
}

impl Visitor<'_> for Counted {
    fn name(&mut self, name: &Name) {
        *self.names.entry(name.text.clone()).or_default() += 1;
    }
}

/// Drops the name of a result that occurs nowhere else.
struct Nameless(FxHashMap<String, usize>);

impl Rewriter for Nameless {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Let(name, Expr { kind: ExprKind::Call(verb, args), .. }) = &mut stmt.kind
            && self.0.get(&name.text) == Some(&1)
        {
            stmt.kind = StmtKind::Call(verb.clone(), std::mem::take(args));
        }
        walk_stmt(self, stmt);
    }
}

/// Replaces marked names by plain ones. A name that occurs for several things gets numbers.
#[derive(Default)]
pub(crate) struct Plain {
    names: IndexMap<String, String>,
}

impl Rewriter for Plain {
    fn name(&mut self, name: &mut Name) {
        let Some((base, _)) = name.text.split_once(MARK) else { return };
        if let Some(plain) = self.names.get(&name.text) {
            name.text.clone_from(plain);
            return;
        }
        // A number that a template wrote itself is dropped first, so all names are counted together.
        let base = unnumbered(base);
        let taken = self.names.values().filter(|plain| unnumbered(plain) == base).count();
        let plain = if taken == 0 { base.to_owned() } else { format!("{base}_{}", taken + 1) };
        self.names.insert(std::mem::replace(&mut name.text, plain.clone()), plain);
    }
}

fn unnumbered(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign == '_' || sign.is_ascii_digit())
}

/// Collects the names that a script binds, in order.
struct Bound<'a>(&'a mut Numbered);

impl Visitor<'_> for Bound<'_> {
    fn binder(&mut self, name: &Name) {
        self.0.number(&name.text);
    }
}

/// Gives new numbers to the names that a script binds.
#[derive(Default)]
struct Numbered {
    names: FxHashMap<String, String>,
    counts: FxHashMap<String, usize>,
}

impl Numbered {
    fn number(&mut self, name: &str) {
        if self.names.contains_key(name) {
            return;
        }
        let base = unnumbered(name).to_owned();
        let count = self.counts.entry(base.clone()).or_default();
        *count += 1;
        let number = if *count == 1 { base } else { format!("{base}_{count}") };
        self.names.insert(name.to_owned(), number);
    }
}

impl Rewriter for Numbered {
    fn callee(&mut self, _name: &mut Name) {}

    fn name(&mut self, name: &mut Name) {
        if let Some(number) = self.names.get(&name.text) {
            name.text.clone_from(number);
        }
    }
}
