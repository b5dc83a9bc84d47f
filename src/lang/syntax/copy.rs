//! Turns `become(x, y) except { … }` and `make(y, Z) except { … }`, copies with exceptions, into other statements of the language.
//!
//! Each card is copied first. Then a `lasting` effect with the duration `AS_COPY` gives the copy its exceptions. The effect lasts as long
//! as the card is that copy. The effect sets printed values, so a copy of the copy has the exceptions too (see
//! `engine/actions/made_objects.rs`).

use super::ast::{Arg, Block, Change, ChangeField, ChangeOp, Clause, ClauseKind, Expr, ExprKind, Granted, Name, Stmt, StmtKind, Stripped};
use super::parse::Rule;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::build::clause::{ability, change};
use crate::syntax::build::{Cx, inner};
use pest::iterators::Pair;

/// The duration of a copy's exceptions. The blanks in it keep it from being a name, so no game can declare it.
pub const AS_COPY: &str = "as a copy";

/// Local names that no author can write, because they contain blanks.
const COPIES: &str = "the copies";
const LIKE: &str = "what is copied";
const COPY: &str = "the copy";

/// The exceptions in the braces.
#[derive(Default)]
struct Exceptions {
    /// Fields that keep the copying card's own values.
    kept: Vec<Name>,
    /// Fields that get another value.
    changes: Vec<Change>,
    /// Abilities and keywords that the copy has in addition.
    given: Vec<Granted>,
    /// `abilities`: no ability is copied.
    bare: Option<Span>,
}

/// Builds the statement `NAME(args) except { … }`.
pub(super) fn with_exceptions(cx: &mut Cx<'_>, name: Name, args: Vec<Arg>, braces: Pair<'_, Rule>) -> Option<StmtKind> {
    let span = cx.span(&braces);
    let exceptions = exceptions(cx, braces)?;
    let makes = name.text == "make";
    if !makes && name.text != "become" {
        cx.diagnostics.push(Diagnostic::error("E0144", name.span).with("name", &name.text));
        return Some(StmtKind::Call(name, args));
    }
    if let Some(kept) = exceptions.kept.first().filter(|_| makes) {
        cx.diagnostics.push(Diagnostic::error("E0145", kept.span).with("name", &kept.text));
    }
    let at = |kind: StmtKind| Stmt { cites: Vec::new(), kind, span: name.span.to(span) };
    let mut args = args.into_iter();
    let mut statements = Vec::new();
    let rest = lasting(&exceptions, span);
    if makes {
        statements.push(at(StmtKind::Let(local(COPIES, span), called(&name, args.collect()))));
        statements.push(at(StmtKind::For(
            local(COPY, span),
            named(COPIES, span),
            Block { statements: vec![at(rest)], span, ..Block::default() },
        )));
    } else {
        let what = args.next().map_or_else(|| named(COPIES, span), |arg| arg.value);
        statements.push(at(StmtKind::Let(local(COPIES, span), what)));
        let mut all = vec![Arg { name: None, value: named(COPY, span) }];
        for arg in args {
            // A text stays in its place, because only there it can mean a card of the pool.
            let like = if matches!(arg.value.kind, ExprKind::Text(_)) {
                arg.value
            } else {
                statements.push(at(StmtKind::Let(local(LIKE, span), arg.value)));
                named(LIKE, span)
            };
            all.push(Arg { name: arg.name, value: like });
        }
        let kept = exceptions.kept.iter().map(|field| {
            let printed = ExprKind::Printed(Box::new(field_of(COPY, field)));
            at(StmtKind::Let(local(&own(field), span), Expr { kind: printed, span: field.span }))
        });
        let mut body: Vec<Stmt> = kept.collect();
        body.push(at(StmtKind::Call(name.clone(), all)));
        let done = Expr { kind: ExprKind::Name(local("done", span)), span };
        body.push(at(StmtKind::If(done, Block { statements: vec![at(rest)], span, ..Block::default() }, None)));
        statements.push(at(StmtKind::For(local(COPY, span), named(COPIES, span), Block { statements: body, span, ..Block::default() })));
    }
    Some(StmtKind::If(Expr { kind: ExprKind::Bool(true), span }, Block { statements, span, ..Block::default() }, None))
}

fn exceptions(cx: &mut Cx<'_>, braces: Pair<'_, Rule>) -> Option<Exceptions> {
    let mut found = Exceptions::default();
    for part in inner(braces).filter(|part| part.as_rule() == Rule::copy_exception) {
        let part = inner(part).next()?;
        match part.as_rule() {
            Rule::change => {
                let mut change = change(cx, part)?;
                change.op = match change.op {
                    ChangeOp::Set | ChangeOp::SetPrinted => ChangeOp::SetPrinted,
                    ChangeOp::Add | ChangeOp::AddPrinted => ChangeOp::AddPrinted,
                    ChangeOp::Subtract => {
                        let span = change.value.span;
                        change.value = Expr { kind: ExprKind::Negate(Box::new(change.value)), span };
                        ChangeOp::AddPrinted
                    }
                    other => {
                        cx.diagnostics.push(Diagnostic::error("E0146", change.span));
                        other
                    }
                };
                found.changes.push(change);
            }
            Rule::name => {
                let name = cx.name(&part);
                if name.text == "abilities" { found.bare = Some(name.span) } else { found.kept.push(name) }
            }
            _ => found.given.push(Granted::Ability(ability(cx, part)?)),
        }
    }
    Some(found)
}

/// The statement `lasting AS_COPY { strip … modify … grant … }`.
fn lasting(exceptions: &Exceptions, span: Span) -> StmtKind {
    let clause = |kind: ClauseKind| Clause { cites: Vec::new(), kind, span };
    let mut clauses = Vec::new();
    if let Some(span) = exceptions.bare {
        clauses.push(clause(ClauseKind::Strip(named(COPY, span), vec![Stripped::Abilities(None)])));
    }
    let kept = exceptions.kept.iter().map(|field| Change {
        field: ChangeField::Named(field.clone()),
        op: ChangeOp::SetPrinted,
        value: named(&own(field), field.span),
        span: field.span,
    });
    let changes: Vec<Change> = kept.chain(exceptions.changes.iter().cloned()).collect();
    if !changes.is_empty() {
        clauses.push(clause(ClauseKind::Modify(named(COPY, span), changes)));
    }
    if !exceptions.given.is_empty() {
        clauses.push(clause(ClauseKind::Grant(named(COPY, span), exceptions.given.clone())));
    }
    StmtKind::Lasting(local(AS_COPY, span), clauses)
}

fn local(text: &str, span: Span) -> Name {
    Name { text: text.to_owned(), span }
}

/// The local name that holds a field's own value.
fn own(field: &Name) -> String {
    format!("own {}", field.text)
}

fn named(text: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(local(text, span)), span }
}

fn field_of(of: &str, field: &Name) -> Expr {
    Expr { kind: ExprKind::Field(Box::new(named(of, field.span)), field.clone()), span: field.span }
}

fn called(name: &Name, args: Vec<Arg>) -> Expr {
    Expr { kind: ExprKind::Call(name.clone(), args), span: name.span }
}
