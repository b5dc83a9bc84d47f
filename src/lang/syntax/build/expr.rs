//! Builds expressions and patterns. The grammar gives a flat row of operands and operators; `climb` nests it by precedence.

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Amount, Arg, BinaryOp, End, EventPattern, Expr, ExprKind, Name, Pattern, Pick, Since};
use crate::syntax::build::{Cx, all, find, inner};
use crate::syntax::limits::LONGEST_ROW;
use crate::syntax::parse::{Rule, is_mark};
use pest::iterators::Pair;
use std::iter::Peekable;

/// How tightly operators bind, the weakest first.
mod level {
    pub(super) const SET: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const NOT: u8 = 4;
    pub(super) const COMPARE: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const NEGATE: u8 = 8;
    pub(super) const WORD: u8 = 9;
    pub(super) const WITHOUT: u8 = 10;
}

/// An expression, from any of the grammar's rules for expressions.
pub(crate) fn expr(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    match pair.as_rule() {
        Rule::chain | Rule::sum => row(cx, pair),
        Rule::value => value(cx, pair),
        Rule::property_value => expr(cx, inner(pair).next()?),
        Rule::if_expr => {
            let span = cx.span(&pair);
            let mut parts = inner(pair);
            let condition = expr(cx, parts.next()?)?;
            let then = expr(cx, parts.next()?)?;
            let other = expr(cx, parts.next()?)?;
            Some(Expr { kind: ExprKind::If(Box::new(condition), Box::new(then), Box::new(other)), span })
        }
        Rule::tight | Rule::end_count => tight(cx, pair),
        _ => atom(cx, pair),
    }
}

/// An expression or a pick.
pub(crate) fn value(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let span = cx.span(&pair);
    let is_pick = pair.clone().into_inner().any(|part| part.as_rule() == Rule::kw_from);
    if is_pick {
        return Some(Expr { kind: ExprKind::Pick(Box::new(pick(cx, pair)?)), span });
    }
    expr(cx, inner(pair).next()?)
}

/// `1 from S`, `up to 2 from S`, `any number from S by p`.
pub(crate) fn pick(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Pick> {
    let mut parts = inner(pair);
    let first = parts.next()?;
    let amount = match first.as_rule() {
        Rule::up_to => up_to(cx, &first, parts.next()?)?,
        Rule::any_number => Amount::AnyNumber(cx.span(&first)),
        _ => Amount::Exactly(expr(cx, first)?),
    };
    let from = expr(cx, parts.next()?)?;
    let by = match parts.next() {
        Some(player) => Some(expr(cx, inner(player).next()?)?),
        None => None,
    };
    Some(Pick { amount, from, by })
}

/// `up to 2`, `announced up to 2`.
pub(crate) fn up_to(cx: &mut Cx<'_>, words: &Pair<'_, Rule>, number: Pair<'_, Rule>) -> Option<Amount> {
    let number = expr(cx, number)?;
    Some(if words.as_str().starts_with("announced") { Amount::Announced(number) } else { Amount::UpTo(number) })
}

fn row(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let (span, length) = (cx.span(&pair), pair.clone().into_inner().len());
    if length > LONGEST_ROW {
        cx.diagnostics.push(Diagnostic::error("E0107", span).with("length", length).with("limit", LONGEST_ROW));
        return Some(Expr { kind: ExprKind::Bool(false), span });
    }
    climb(cx, &mut inner(pair).peekable(), 0)
}

fn climb<'i>(cx: &mut Cx<'_>, row: &mut Peekable<impl Iterator<Item = Pair<'i, Rule>>>, weakest: u8) -> Option<Expr> {
    let mut left = operand(cx, row, weakest)?;
    while let Some(operator) = row.next_if(|pair| binds(pair.as_rule()).is_some_and(|level| level >= weakest)) {
        let level = binds(operator.as_rule())?;
        left = match operator.as_rule() {
            Rule::op_is | Rule::op_exists => suffixed(cx, left, operator)?,
            _ => {
                let head = where_binder(cx, &operator);
                let right = climb(cx, row, level + 1)?;
                combine(left, &operator, head, right)
            }
        };
    }
    Some(left)
}

fn operand<'i>(cx: &mut Cx<'_>, row: &mut Peekable<impl Iterator<Item = Pair<'i, Rule>>>, weakest: u8) -> Option<Expr> {
    let cites = crate::syntax::build::cites(cx, row);
    if let Some(first) = cites.first() {
        if weakest > level::NOT {
            cx.diagnostics.push(Diagnostic::error("E0141", first.span));
        }
        let of = climb(cx, row, level::NOT)?;
        return Some(Expr { span: of.span, kind: ExprKind::Cited(cites, Box::new(of)) });
    }
    let first = row.next()?;
    let start = cx.span(&first);
    let kind = match first.as_rule() {
        // `not` binds weaker than comparisons: `not a == b` is `not (a == b)`.
        Rule::op_not => ExprKind::Not(Box::new(climb(cx, row, level::COMPARE)?)),
        Rule::op_negate => ExprKind::Negate(Box::new(climb(cx, row, level::NEGATE)?)),
        Rule::op_printed => ExprKind::Printed(Box::new(climb(cx, row, level::WORD)?)),
        Rule::op_end => {
            let mut parts = inner(first);
            let end = if parts.next()?.as_str() == "top" { End::Top } else { End::Bottom };
            let count = match parts.next() {
                Some(count) => Some(Box::new(expr(cx, count)?)),
                None => None,
            };
            ExprKind::End { end, count, zone: Box::new(climb(cx, row, level::WORD)?) }
        }
        _ => return expr(cx, first),
    };
    let end = match &kind {
        ExprKind::Not(x) | ExprKind::Negate(x) | ExprKind::Printed(x) | ExprKind::End { zone: x, .. } => x.span,
        _ => start,
    };
    Some(Expr { kind, span: start.to(end) })
}

fn binds(rule: Rule) -> Option<u8> {
    Some(match rule {
        Rule::op_where | Rule::op_except | Rule::op_with => level::SET,
        Rule::op_or => level::OR,
        Rule::op_and => level::AND,
        Rule::op_compare | Rule::op_in | Rule::op_has | Rule::op_is | Rule::op_exists => level::COMPARE,
        Rule::op_add | Rule::op_subtract => level::SUM,
        Rule::op_multiply | Rule::op_divide | Rule::op_remainder => level::PRODUCT,
        Rule::op_without => level::WITHOUT,
        _ => return None,
    })
}

fn suffixed(cx: &mut Cx<'_>, subject: Expr, operator: Pair<'_, Rule>) -> Option<Expr> {
    let span = subject.span.to(cx.span(&operator));
    let subject = Box::new(subject);
    if operator.as_rule() == Rule::op_exists {
        return Some(Expr { kind: ExprKind::Exists(subject), span });
    }
    let mut parts = inner(operator).peekable();
    let negated = parts.next_if(|part| part.as_rule() == Rule::is_not).is_some();
    let what = cx.name(&parts.next()?);
    Some(Expr { kind: ExprKind::Is { subject, negated, what }, span })
}

fn where_binder(cx: &mut Cx<'_>, operator: &Pair<'_, Rule>) -> Option<Name> {
    let binder = inner(operator.clone()).find(|part| part.as_rule() == Rule::name)?;
    Some(cx.name(&binder))
}

fn combine(left: Expr, operator: &Pair<'_, Rule>, binder: Option<Name>, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = match operator.as_rule() {
        Rule::op_where => ExprKind::Where { set: left, binder, condition: right },
        Rule::op_has => ExprKind::Has { subject: left, what: right },
        Rule::op_without => ExprKind::WithoutEffect(left, right),
        _ => ExprKind::Binary(left, binary(operator), right),
    };
    Expr { kind, span }
}

fn binary(operator: &Pair<'_, Rule>) -> BinaryOp {
    match operator.as_rule() {
        Rule::op_or => BinaryOp::Or,
        Rule::op_and => BinaryOp::And,
        Rule::op_except => BinaryOp::Except,
        Rule::op_with => BinaryOp::Union,
        Rule::op_in if operator.as_str() == "in" => BinaryOp::In,
        Rule::op_in => BinaryOp::NotIn,
        Rule::op_add => BinaryOp::Add,
        Rule::op_subtract => BinaryOp::Subtract,
        Rule::op_multiply => BinaryOp::Multiply,
        Rule::op_divide => BinaryOp::Divide,
        Rule::op_remainder => BinaryOp::Remainder,
        _ => comparison(operator.as_str()),
    }
}

/// The comparison that is written with this sign.
pub(crate) fn comparison(sign: &str) -> BinaryOp {
    match sign {
        "!=" => BinaryOp::NotEqual,
        "<" => BinaryOp::Less,
        "<=" => BinaryOp::LessEqual,
        ">" => BinaryOp::Greater,
        ">=" => BinaryOp::GreaterEqual,
        _ => BinaryOp::Equal,
    }
}

/// An atom and its fields.
fn tight(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let (span, length) = (cx.span(&pair), pair.clone().into_inner().len());
    if length > LONGEST_ROW {
        cx.diagnostics.push(Diagnostic::error("E0107", span).with("length", length).with("limit", LONGEST_ROW));
        return Some(Expr { kind: ExprKind::Bool(false), span });
    }
    let mut parts = inner(pair).peekable();
    let mut left = atom(cx, parts.next()?)?;
    if let Some(number) = parts.next_if(|part| part.as_rule() == Rule::ordinal) {
        left = ordinal(cx, left, number)?;
    }
    for field in parts {
        let name = cx.name(&inner(field).next()?);
        let span = left.span.to(name.span);
        left = Expr { kind: ExprKind::Field(Box::new(left), name), span };
    }
    Some(left)
}

/// A text with its ordinal number: `"X" #2` is the second thing that is called X.
pub(crate) fn ordinal(cx: &mut Cx<'_>, text: Expr, number: Pair<'_, Rule>) -> Option<Expr> {
    let span = text.span.to(cx.span(&number));
    let ExprKind::Text(text) = text.kind else { return None };
    let number = inner(number).next()?;
    Some(Expr { kind: ExprKind::Ordinal(text, cx.number(&number)), span })
}

fn atom(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let span = cx.span(&pair);
    let kind = match pair.as_rule() {
        Rule::number => ExprKind::Number(cx.number(&pair)),
        Rule::boolean => ExprKind::Bool(pair.as_str() == "true"),
        Rule::string | Rule::quotation => ExprKind::Text(cx.text(pair)?.text),
        Rule::name => ExprKind::Name(cx.name(&pair)),
        Rule::named | Rule::counted | Rule::call => named(cx, pair)?,
        Rule::paren => return parenthesised(cx, pair, span),
        Rule::list => ExprKind::List(all(inner(pair).map(|part| expr(cx, part)))?),
        Rule::hole => ExprKind::Hole(cx.name(&inner(pair).next()?)),
        Rule::quantified => return quantified(cx, pair, span),
        Rule::can => ExprKind::Can(Box::new(atom(cx, inner(pair).next()?)?)),
        Rule::the => ExprKind::The(cx.name(&inner(pair).next()?)),
        Rule::any => ExprKind::Any(cx.name(&inner(pair).next()?)),
        Rule::happened => {
            let (pattern, since) = seen(cx, pair)?;
            ExprKind::Happened(Box::new(pattern), since)
        }
        Rule::latest => {
            let (pattern, since) = seen(cx, pair)?;
            ExprKind::Latest(Box::new(pattern), since)
        }
        _ => return None,
    };
    Some(Expr { kind, span })
}

fn named(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<ExprKind> {
    let mut parts = inner(pair);
    let name = cx.name(&parts.next()?);
    Some(match parts.next() {
        Some(laid_to) if laid_to.as_rule() == Rule::laid_to => {
            let what = find(&mut inner(laid_to), Rule::tight)?;
            ExprKind::Caused(name, Box::new(tight(cx, what)?))
        }
        Some(args) => ExprKind::Call(name, arguments(cx, args)?),
        None => ExprKind::Name(name),
    })
}

/// The arguments of a call, an event or an ability's header.
pub(crate) fn arguments(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Arg>> {
    all(inner(pair).map(|arg| argument(cx, arg)))
}

fn argument(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Arg> {
    let mut parts = inner(pair).peekable();
    if let Some(plain) = parts.next_if(|part| part.as_rule() == Rule::plain_arg) {
        let name = cx.name(&inner(plain).next()?);
        let span = name.span;
        return Some(Arg { name: None, value: Expr { kind: ExprKind::Name(name), span } });
    }
    let name = parts.next_if(|part| part.as_rule() == Rule::arg_name).map(|name| cx.name(&name));
    Some(Arg { name, value: value(cx, parts.next()?)? })
}

/// `(a)` is `a` with the span of both parentheses, so that the span of an expression that begins with `(a)` begins at the bracket.
fn parenthesised(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, span: Span) -> Option<Expr> {
    let mut parts: Vec<Expr> = all(inner(pair).map(|part| expr(cx, part)))?;
    if parts.len() > 1 {
        return Some(Expr { kind: ExprKind::Tuple(parts), span });
    }
    parts.pop().map(|one| Expr { kind: one.kind, span })
}

fn quantified(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, span: Span) -> Option<Expr> {
    let mut parts = inner(pair);
    let every = parts.next()?.as_str() == "all";
    let mut set = expr(cx, parts.next()?)?;
    if let Some(operator) = parts.next() {
        let binder = where_binder(cx, &operator);
        set = combine(set, &operator, binder, expr(cx, parts.next()?)?);
    }
    let set = Box::new(set);
    Some(Expr { kind: if every { ExprKind::All(set) } else { ExprKind::Some(set) }, span })
}

fn seen(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Pattern, Option<Since>)> {
    let mut parts = inner(pair);
    let seen = find(&mut parts, Rule::inner_pattern)?;
    let span = cx.span(&seen);
    let inside = inner(seen).next()?;
    let pattern = match inside.as_rule() {
        Rule::pattern => pattern(cx, inside)?,
        _ => Pattern { events: vec![event(cx, inside)?], condition: None, span },
    };
    let since = match parts.next() {
        Some(name) if name.as_rule() == Rule::name => Some(Since::Named(cx.name(&name))),
        Some(event) => Some(Since::Event(Box::new(atom(cx, event)?))),
        None => None,
    };
    Some((pattern, since))
}

/// `move(any c, to: heap(you)) or draw(you) where C`.
pub(crate) fn pattern(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Pattern> {
    let span = cx.span(&pair);
    let (mut events, mut condition) = (Vec::new(), None);
    for part in pair.into_inner().filter(|part| !is_mark(part.as_rule())) {
        match part.as_rule() {
            Rule::event => events.push(event(cx, part)?),
            _ => condition = Some(expr(cx, part)?),
        }
    }
    Some(Pattern { events, condition, span })
}

/// In a pattern's argument, `all g` binds a set. In an expression, the same words would be a question.
fn binds_all(value: &mut Expr) {
    let ExprKind::All(of) = &mut value.kind else { return };
    let (set, member, condition) = match &of.kind {
        ExprKind::Where { set, binder, condition } => (set, binder.clone(), Some(condition.clone())),
        _ => (&*of, None, None),
    };
    if let ExprKind::Name(name) = &set.kind {
        value.kind = ExprKind::Every { name: name.clone(), member, condition };
    }
}

/// The verb of an event that a phrase of a printed text gives: `when $e` is read as `when said($e)`.
pub(crate) const SAID: &str = "said";

/// One verb of a pattern with its arguments.
pub(crate) fn event(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<EventPattern> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let first = parts.next()?;
    if first.as_rule() == Rule::hole {
        let value = Expr { kind: ExprKind::Hole(cx.name(&inner(first).next()?)), span };
        let verb = Name { text: SAID.to_owned(), span };
        return Some(EventPattern { verb, args: vec![Arg { name: None, value }], span });
    }
    let verb = cx.name(&first);
    let mut args = match parts.next() {
        Some(args) => arguments(cx, args)?,
        None => Vec::new(),
    };
    args.iter_mut().for_each(|arg| binds_all(&mut arg.value));
    Some(EventPattern { verb, args, span })
}
