//! The breaks of expressions, amounts of choices, and patterns.

use super::breaker::Breaker;
use super::kind::Kind;
use lang::syntax::ast::{Amount, Arg, BinaryOp, End, EventPattern, Expr, ExprKind, Pattern, Pick};
use lang::syntax::rewrite::walk_expr;

impl Breaker {
    /// An expression of any type.
    pub(crate) fn expr(&mut self, expr: &mut Expr) {
        if is_truth(&expr.kind) {
            return self.condition(expr);
        }
        self.inside(expr);
    }

    /// An expression that is true or false.
    pub(crate) fn condition(&mut self, expr: &mut Expr) {
        if let ExprKind::Binary(left, BinaryOp::And | BinaryOp::Or, right) = &mut expr.kind {
            self.condition(left);
            return self.condition(right);
        }
        let span = expr.span;
        if let ExprKind::Cited(cites, inner) = &mut expr.kind {
            self.enter(cites, span);
            self.condition(inner);
            return self.leave();
        }
        if let ExprKind::Not(inner) = &mut expr.kind {
            let plain = inner.as_ref().clone();
            if self.here(Kind::Negated, span) {
                *expr = plain;
                return;
            }
            return if is_truth(&inner.kind) { self.inside(inner) } else { self.expr(inner) };
        }
        if self.here(Kind::Negated, span) {
            let plain = expr.clone();
            expr.kind = ExprKind::Not(Box::new(plain));
            return;
        }
        self.inside(expr);
    }

    /// A whole condition that decides whether something is done or holds.
    pub(crate) fn deciding(&mut self, condition: &mut Expr) {
        let span = condition.span;
        if self.here(Kind::Always, span) {
            // The old condition stays in the script, because it may be the only use of a hole.
            let always = Expr { kind: ExprKind::Bool(true), span };
            condition.kind = ExprKind::Binary(Box::new(condition.clone()), BinaryOp::Or, Box::new(always));
            return;
        }
        self.condition(condition);
    }

    /// Visits the breaks of an expression and of its parts. The break that turns the whole expression into its opposite is made elsewhere.
    fn inside(&mut self, expr: &mut Expr) {
        let span = expr.span;
        if is_somebody(&expr.kind) {
            if self.here(Kind::OtherPlayer, span) {
                *expr = self.other_player(expr);
            }
            return;
        }
        match &mut expr.kind {
            // `the opponent` stands only in a wording's script.
            ExprKind::The(class) if class.text == "opponent" => {
                if self.here(Kind::OtherPlayer, span) {
                    expr.kind = ExprKind::Name(lang::syntax::ast::Name { text: "you".to_owned(), span });
                }
            }
            ExprKind::Number(_) | ExprKind::Hole(_) => self.number(expr),
            ExprKind::Name(name) if self.players.contains(&name.text) => {
                if self.here(Kind::OtherPlayer, span) {
                    *expr = self.other_player(expr);
                }
            }
            ExprKind::Call(name, args) if name.text == "opponent" => {
                if self.here(Kind::OtherPlayer, span) {
                    *expr = self.other_player(expr);
                } else if let [Arg { value, .. }] = args.as_mut_slice()
                    && !matches!(value.kind, ExprKind::Name(_))
                {
                    self.expr(value);
                }
            }
            ExprKind::Not(of) | ExprKind::Cited(_, of) => self.condition(of),
            ExprKind::List(items) => self.list(items),
            ExprKind::Binary(..) => self.binary(expr),
            ExprKind::Has { subject, .. } => self.expr(subject),
            ExprKind::If(condition, then, other) => {
                self.condition(condition);
                self.expr(then);
                self.expr(other);
            }
            ExprKind::Where { set, binder, condition } => {
                let binder = binder.as_ref().map_or("it", |binder| binder.text.as_str()).to_owned();
                self.filter(set, &binder, condition);
            }
            ExprKind::End { .. } => self.end(expr),
            ExprKind::Pick(pick) => self.pick(pick, true),
            ExprKind::Every { condition, .. } => condition.iter_mut().for_each(|condition| self.condition(condition)),
            _ => walk_expr(self, expr),
        }
    }

    /// A number as written, or one from a printed text.
    fn number(&mut self, expr: &mut Expr) {
        let numeral = match &expr.kind {
            ExprKind::Hole(name) => self.numerals.contains(&name.text),
            _ => true,
        };
        if !numeral {
            return;
        }
        for (kind, by) in [(Kind::OneMore, 1), (Kind::OneLess, -1)] {
            if self.here(kind, expr.span) {
                return add(expr, by);
            }
        }
    }

    fn binary(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::Binary(left, op, right) = &mut expr.kind else { return };
        let counted = [&left, &right].iter().any(|side| matches!(side.kind, ExprKind::Number(_)));
        if let Some(other) = other_bound(*op).filter(|_| !counted)
            && self.here(Kind::Bound, span)
        {
            *op = other;
            return;
        }
        self.expr(left);
        self.expr(right);
    }

    fn filter(&mut self, set: &mut Expr, binder: &str, condition: &mut Expr) {
        self.expr(set);
        self.scope(|breaker| {
            breaker.bind_member(binder, set);
            breaker.condition(condition);
        });
    }

    fn end(&mut self, expr: &mut Expr) {
        let span = expr.span;
        let ExprKind::End { end, count, zone } = &mut expr.kind else { return };
        if self.here(Kind::OtherEnd, span) {
            *end = if *end == End::Top { End::Bottom } else { End::Top };
            return;
        }
        if let Some(count) = count {
            self.expr(count);
        }
        self.expr(zone);
    }

    /// The members of a list. Each can be removed, unless it is the only one.
    pub(crate) fn list(&mut self, items: &mut Vec<Expr>) {
        let several = items.len() > 1;
        self.each_or_less(items, |item| several.then_some(item.span), Self::expr);
    }

    /// Breaks the arguments of a call. A named argument can be removed.
    pub(crate) fn arguments(&mut self, args: &mut Vec<Arg>) {
        self.each_or_less(args, |arg| arg.name.as_ref().map(|_| arg.value.span), |breaker, arg| breaker.expr(&mut arg.value));
    }

    /// Breaks the amount and the domain of a pick. `alone`: no `or none` stands beside the pick. Then the amount can become one that the
    /// chooser may leave.
    pub(crate) fn pick(&mut self, pick: &mut Pick, alone: bool) {
        self.amount(&mut pick.amount, alone);
        self.expr(&mut pick.from);
        if let Some(by) = &mut pick.by {
            self.chooser(by);
        }
    }

    /// An amount.
    pub(crate) fn amount(&mut self, amount: &mut Amount, alone: bool) {
        match amount {
            Amount::Exactly(number) => {
                if alone && self.here(Kind::May, number.span) {
                    *amount = Amount::UpTo(number.clone());
                    return;
                }
                self.expr(number);
            }
            Amount::UpTo(number) | Amount::Announced(number) => {
                if self.here(Kind::Must, number.span) {
                    *amount = Amount::Exactly(number.clone());
                    return;
                }
                self.expr(number);
            }
            Amount::AnyNumber(_) => {}
        }
    }

    /// Breaks a pattern. One of several events can be removed, and so can a named argument.
    pub(crate) fn pattern(&mut self, pattern: &mut Pattern) {
        let several = pattern.events.len() > 1;
        let span = |event: &EventPattern| several.then_some(event.span);
        self.each_or_less(&mut pattern.events, span, |breaker, event| breaker.arguments(&mut event.args));
        if let Some(condition) = &mut pattern.condition {
            self.deciding(condition);
        }
    }
}

fn is_truth(kind: &ExprKind) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, In, Less, LessEqual, NotEqual, NotIn, Or};
    match kind {
        ExprKind::Binary(_, op, _) => matches!(op, And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | NotIn),
        ExprKind::Call(name, _) => matches!(name.text.as_str(), "contains" | "sees" | "has_effect" | "reaches"),
        ExprKind::Not(_)
        | ExprKind::Cited(..)
        | ExprKind::Is { .. }
        | ExprKind::Has { .. }
        | ExprKind::Exists(_)
        | ExprKind::Some(_)
        | ExprKind::All(_)
        | ExprKind::Happened(..)
        | ExprKind::Can(_) => true,
        _ => false,
    }
}

/// Whether an expression asks whose something is.
fn is_somebody(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Call(name, _) => name.text == "whose",
        ExprKind::Field(_, name) => matches!(name.text.as_str(), "owner" | "controller"),
        _ => false,
    }
}

fn other_bound(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Less => Some(BinaryOp::LessEqual),
        BinaryOp::LessEqual => Some(BinaryOp::Less),
        BinaryOp::Greater => Some(BinaryOp::GreaterEqual),
        BinaryOp::GreaterEqual => Some(BinaryOp::Greater),
        _ => None,
    }
}

/// The number with `by` added.
fn add(expr: &mut Expr, by: i32) {
    let span = expr.span;
    if let ExprKind::Number(number) = &mut expr.kind {
        *number = number.saturating_add(by);
        return;
    }
    let (op, one) = if by < 0 { (BinaryOp::Subtract, -by) } else { (BinaryOp::Add, by) };
    let plain = Box::new(expr.clone());
    expr.kind = ExprKind::Binary(plain, op, Box::new(Expr { kind: ExprKind::Number(one), span }));
}
