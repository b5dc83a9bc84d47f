//! Warns of amounts that are written as numbers below zero, or as zero where zero does nothing: `repeat -3`, `top 0 of`, `draw(you, -1)`, a
//! card that prints `cost -5` where rules pay that cost.
//!
//! The language itself takes amounts in `repeat`, `top`, `bottom`, picks, and `spend`. A parameter that a body hands on to such a place is an
//! amount too, and so is a field of cards that stands there. So the actions of a game need no list.

use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, Amount, Arg, BinaryOp, CardDecl, Decl, DeclKind, Expr, ExprKind, Param, Routine, Stmt, StmtKind};
use lang::syntax::visit::{Visitor, walk_amount, walk_decl, walk_expr, walk_stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How often all bodies are walked. A body may hand its parameter on to another body; each walk follows one more of these calls.
const PASSES: usize = 4;

/// Warnings `E0297`: amounts below zero, and amounts of zero in places of the language, in rules and in the abilities and values of cards.
#[must_use]
pub fn amounts<'c>(decls: &[Arc<Decl>], cards: impl Iterator<Item = (&'c CardDecl, &'c [Ability])>) -> Vec<Diagnostic> {
    let mut amounts = Amounts::default();
    for _ in 0..PASSES {
        amounts.found.clear();
        decls.iter().for_each(|decl| amounts.decl(&decl.kind));
    }
    for (card, abilities) in cards {
        abilities.iter().for_each(|ability| amounts.ability(ability));
        for (field, value) in card.values.iter().filter(|(field, _)| amounts.fields.contains(&field.text)) {
            amounts.found.extend(below_zero(value).map(|number| (value.span, number, 0, field.text.clone())));
        }
    }
    // One ability may stand on several cards.
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    amounts.found.retain(|(span, ..)| seen.insert(*span));
    let finding = |(span, number, least, place): (Span, i64, i64, String)| {
        Diagnostic::error("E0297", span).with("value", number).with("least", least).with("place", place)
    };
    amounts.found.into_iter().map(finding).collect()
}

/// A number below zero, as it is written.
fn below_zero(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Negate(of) => match of.kind {
            ExprKind::Number(number) if number > 0 => Some(-i64::from(number)),
            _ => None,
        },
        ExprKind::Cited(_, of) => below_zero(of),
        _ => None,
    }
}

/// Finds the places of amounts and what stands there.
#[derive(Default)]
struct Amounts {
    /// For each action, procedure and function, whether each of its parameters is an amount.
    callable: FxHashMap<String, Vec<(String, bool)>>,
    /// The fields that stand where an amount is needed.
    fields: FxHashSet<String>,
    /// The names that stand where an amount is needed, in the body that is walked.
    names: FxHashSet<String>,
    /// Where an amount is too small: the number, the least number, and the word of the place.
    found: Vec<(Span, i64, i64, String)>,
}

impl Amounts {
    fn decl(&mut self, decl: &DeclKind) {
        self.names.clear();
        walk_decl(self, decl);
        match decl {
            DeclKind::Action(Routine { head, params, .. })
            | DeclKind::Procedure(Routine { head, params, .. })
            | DeclKind::Judgement(Routine { head, params, .. })
            | DeclKind::Function { head, params, .. } => self.keep(&head.name.text, params),
            _ => {}
        }
    }

    fn keep(&mut self, name: &str, params: &[Param]) {
        let params = params.iter().map(|param| (param.name.text.clone(), self.names.contains(&param.name.text))).collect();
        self.callable.insert(name.to_owned(), params);
    }

    /// Looks at what stands where an amount is needed. `least` is the smallest number that does something.
    fn note(&mut self, expr: &Expr, least: i64, place: &str) {
        match &expr.kind {
            ExprKind::Number(0) if least > 0 => self.found.push((expr.span, 0, least, place.to_owned())),
            ExprKind::Name(name) => {
                self.names.insert(name.text.clone());
            }
            ExprKind::Field(_, field) => {
                self.fields.insert(field.text.clone());
            }
            ExprKind::Printed(of) | ExprKind::Cited(_, of) => self.note(of, least, place),
            ExprKind::If(_, then, other) => [then, other].into_iter().for_each(|expr| self.note(expr, 0, place)),
            ExprKind::Binary(a, BinaryOp::Add | BinaryOp::Subtract, _) => self.note(a, 0, place),
            _ => self.found.extend(below_zero(expr).map(|number| (expr.span, number, least, place.to_owned()))),
        }
    }

    fn call(&mut self, name: &str, args: &[Arg]) {
        if let ("spend", [_, amount]) = (name, args) {
            self.note(&amount.value, 0, name);
        }
        let Some(params) = self.callable.get(name).cloned() else { return };
        for (at, arg) in args.iter().enumerate() {
            let param = match &arg.name {
                Some(name) => params.iter().find(|(param, _)| *param == name.text),
                None => params.get(at),
            };
            if param.is_some_and(|(_, is_amount)| *is_amount) {
                self.note(&arg.value, 0, name);
            }
        }
    }
}

impl Visitor<'_> for Amounts {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::End { count: Some(count), .. } => self.note(count, 1, "top"),
            ExprKind::Call(name, args) => self.call(&name.text, args),
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Repeat(times, _) => self.note(times, 1, "repeat"),
            StmtKind::Call(name, args) => self.call(&name.text, args),
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn amount(&mut self, amount: &Amount) {
        if let Amount::Exactly(number) | Amount::UpTo(number) | Amount::Announced(number) = amount {
            self.note(number, 1, "from");
        }
        walk_amount(self, amount);
    }
}
