//! Compiles expressions: looks up names, checks types, makes nodes.
//!
//! `want` is the type that the place around an expression expects. It decides which enum a bare value belongs to, whether a bare word is a
//! symbol, and whether a text is a label. [`Lowering::fit`] alone checks the type of the result, so that each mistake is reported once.

use crate::Compiler;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Typed};
use engine::ids::NodeId;
use engine::program::{Arithmetic, Node, Type};
use engine::value::Value;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{BinaryOp, End, Expr, ExprKind, Name};

/// A compiler with the body that it is lowering.
pub(crate) struct Lowering<'c> {
    pub(crate) c: &'c mut Compiler,
    pub(crate) body: Body,
}

impl<'c> Lowering<'c> {
    pub(crate) fn new(c: &'c mut Compiler, body: Body) -> Self {
        Self { c, body }
    }

    pub(crate) fn typed(&mut self, node: Node, ty: Ty) -> Typed {
        Typed { node: self.c.node(node), ty }
    }

    pub(crate) fn truth(&mut self, node: Node) -> Typed {
        self.typed(node, Ty::BOOL)
    }

    pub(crate) fn constant(&mut self, value: Value, ty: Ty) -> Typed {
        Typed { node: self.c.constant_node(value), ty }
    }

    /// Stands for an expression with an error.
    pub(crate) fn broken(&mut self) -> Typed {
        self.constant(Value::Undefined, Ty::UNKNOWN)
    }

    /// Reports a finding and goes on.
    pub(crate) fn wrong(&mut self, diagnostic: Diagnostic) -> Typed {
        self.c.report(diagnostic);
        self.broken()
    }

    /// Lowers an expression of exactly this type.
    pub(crate) fn wanted(&mut self, expr: &Expr, want: Ty) -> NodeId {
        self.wanted_typed(expr, want).node
    }

    pub(crate) fn wanted_typed(&mut self, expr: &Expr, want: Ty) -> Typed {
        let typed = self.expr(expr, Some(want));
        let node = self.fit(typed, want, expr.span);
        Typed { node, ty: if want.of == Type::Unknown { typed.ty } else { want } }
    }

    /// Lowers a value that may be left away: `none` is no value, or the empty set.
    pub(crate) fn wanted_or_none(&mut self, expr: &Expr, want: Ty) -> NodeId {
        if self.is_none(expr) { self.nothing(want) } else { self.wanted(expr, want) }
    }

    /// Whether an expression is the word `none`, and the game has nothing else of that name.
    fn is_none(&self, expr: &Expr) -> bool {
        const NONE: &str = "none";
        matches!(&expr.kind, ExprKind::Name(name) if name.text == NONE)
            && self.body.find(NONE).is_none()
            && !self.c.symbols.value_words().contains(&NONE)
    }

    /// No value of a type, or the empty set.
    fn nothing(&mut self, ty: Ty) -> NodeId {
        if !ty.set {
            return self.c.constant_node(Value::Undefined);
        }
        let run = self.c.args(&[]);
        self.c.node(Node::List(run))
    }

    pub(crate) fn condition(&mut self, expr: &Expr) -> NodeId {
        self.wanted(expr, Ty::BOOL)
    }

    /// Lowers an expression as a set. A single card becomes the set with this card; a zone becomes the set of its cards.
    pub(crate) fn set(&mut self, expr: &Expr, want: Option<Ty>) -> Typed {
        if let ExprKind::Happened(pattern, since) = &expr.kind {
            return self.events(pattern, since.as_ref());
        }
        let typed = self.expr(expr, want);
        self.as_set(typed, expr.span)
    }

    pub(crate) fn as_set(&mut self, typed: Typed, span: Span) -> Typed {
        if typed.ty.of == Type::Zone && !typed.ty.set {
            return Typed { node: typed.node, ty: Ty::CARDS };
        }
        let want = Ty::set(typed.ty.of);
        // A name may hold the answer to a choice, which can be empty, so a name can be a set. Any other single number, truth or text is no
        // set. A `let` with a truth is no set either: a name for `happened …` holds whether the event has happened, and not the events.
        let named = matches!(self.c.program.nodes.get(typed.node), Some(Node::Local(reg)) if !self.body.truths.contains(reg));
        if !typed.ty.set && !named && matches!(typed.ty.of, Type::Number | Type::Bool | Type::Text) {
            self.c.mismatch(span, want, typed.ty);
        }
        Typed { node: self.fit(typed, want, span), ty: want }
    }

    /// Makes `typed` fit the wanted type. An expression of this type stays unchanged. A set that holds at most one card becomes this card.
    /// A single thing becomes a set where a set is wanted. Everything else is reported.
    pub(crate) fn fit(&mut self, typed: Typed, want: Ty, span: Span) -> NodeId {
        let got = typed.ty;
        if got == want
            || got.both_events(want)
            || want.of == Type::Unknown && !want.set
            || got.of == Type::Unknown && (!got.set || want.set)
        {
            return typed.node;
        }
        if want.set && !got.set && (want.of == got.of || want.of == Type::Unknown) && got.of != Type::Zone {
            let run = self.c.args(&[typed.node]);
            return self.c.node(Node::List(run));
        }
        let of_cards = want.of == Type::Card || want.of == Type::Unknown;
        if want.set && got == Ty::ZONE && of_cards || want.set && got.set && want.of == Type::Unknown {
            return typed.node;
        }
        if want == Ty::CARD && self.is_one_card(typed) {
            return self.c.node(Node::Only(typed.node));
        }
        self.c.mismatch(span, want, got);
        typed.node
    }

    /// Whether a set can stand where one card is wanted: a zone that holds at most one card, or the result of an action.
    pub(crate) fn is_one_card(&self, typed: Typed) -> bool {
        self.holds_at_most_one(typed) || typed.ty == Ty::CARDS && self.is_result(typed.node)
    }

    /// Whether an expression is a zone that holds at most one card, with or without a filter.
    pub(crate) fn holds_at_most_one(&self, typed: Typed) -> bool {
        if !(typed.ty == Ty::ZONE || typed.ty == Ty::CARDS) {
            return false;
        }
        let zone = match self.c.program.nodes.get(self.base_of(typed.node)) {
            Some(Node::Zone(zone, _)) => Some(*zone),
            _ => None,
        };
        zone.and_then(|zone| self.c.program.zones.get(zone)).is_some_and(|zone| zone.capacity == Some(1))
    }

    /// The zone under filters and ends.
    pub(crate) fn base_of(&self, node: NodeId) -> NodeId {
        match self.c.program.nodes.get(node) {
            Some(Node::Where(set, _) | Node::Except(set, _) | Node::Only(set) | Node::End(_, set) | Node::Ends(_, _, set)) => {
                self.base_of(*set)
            }
            Some(Node::With { body, .. }) => self.base_of(*body),
            _ => node,
        }
    }

    /// Whether a register holds the result of an action. The result is usually one card, so it may stand where a card is wanted. A register
    /// that may hold several things may not, because all but the first would be lost.
    fn is_result(&self, node: NodeId) -> bool {
        matches!(self.c.program.nodes.get(node), Some(Node::Local(reg)) if !self.body.several.contains(reg))
    }

    /// Lowers an expression.
    pub(crate) fn expr(&mut self, expr: &Expr, want: Option<Ty>) -> Typed {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Number(number) => self.constant(Value::Number(*number), Ty::NUMBER),
            ExprKind::Bool(truth) => self.constant(Value::Bool(*truth), Ty::BOOL),
            ExprKind::Text(text) => self.text(text, span, want),
            ExprKind::Ordinal(text, _) => self.wrong(Diagnostic::error("E0356", span).with("name", text)),
            ExprKind::Name(name) => self.name(name, want),
            ExprKind::Call(name, args) => self.call_expr(name, args, span),
            ExprKind::Field(of, name) => self.field(of, name, false),
            ExprKind::Printed(of) => match &of.kind {
                ExprKind::Field(of, name) => self.field(of, name, true),
                _ => self.wrong(Diagnostic::error("E0239", of.span)),
            },
            ExprKind::List(items) => self.list(items, want),
            ExprKind::Tuple(_) => self.wrong(Diagnostic::error("E0240", span)),
            ExprKind::Cited(cites, of) => {
                let node = self.condition(of);
                let node = self.c.operand(node, cites, of.span);
                Typed { node, ty: Ty::BOOL }
            }
            ExprKind::Not(of) => {
                let of = self.condition(of);
                self.truth(Node::Not(of))
            }
            ExprKind::Negate(of) => {
                let of = self.wanted(of, Ty::NUMBER);
                self.typed(Node::Negate(of), Ty::NUMBER)
            }
            ExprKind::Binary(a, op, b) => self.binary(a, *op, b, want),
            ExprKind::Is { subject, negated, what } => self.is(subject, *negated, what),
            ExprKind::Has { subject, what } => self.has(subject, what),
            ExprKind::Exists(of) => {
                let typed = self.expr(of, None);
                // `exists` on the result of an action asks whether the card is in the game.
                let result = typed.ty == Ty::CARDS && self.is_result(typed.node);
                if !result && (typed.ty.set || typed.ty == Ty::ZONE) && !self.holds_at_most_one(typed) {
                    // `exists` on a set asks whether the set has members.
                    let empty = self.c.node(Node::IsEmpty(typed.node));
                    return self.truth(Node::Not(empty));
                }
                let node = if result { self.c.node(Node::Only(typed.node)) } else { self.one_or_undefined(typed) };
                self.truth(Node::Exists(node))
            }
            ExprKind::If(condition, then, otherwise) => self.if_expr(condition, then, otherwise, want),
            ExprKind::Where { set, binder, condition } => {
                let (set, condition) = self.filter(set, binder.as_ref(), condition, want);
                self.typed(Node::Where(set.node, condition), set.ty)
            }
            ExprKind::Some(set) => self.some(set),
            ExprKind::All(set) => self.all(set),
            ExprKind::End { end, count, zone } => self.end(*end, count.as_deref(), zone),
            ExprKind::Pick(pick) => self.lift_pick(pick, span),
            ExprKind::Happened(pattern, since) => self.happened(pattern, since.as_ref()),
            ExprKind::Can(call) => self.can(call),
            ExprKind::Latest(pattern, since) => self.latest(pattern, since.as_ref()),
            ExprKind::Caused(name, of) => self.caused(name, of),
            ExprKind::WithoutEffect(read, effects) => self.without(read, effects, want),
            ExprKind::Any(_) | ExprKind::Every { .. } => self.wrong(Diagnostic::error("E0241", span)),
            ExprKind::The(name) | ExprKind::Hole(name) => self.wrong(Diagnostic::error("E0242", span).with("name", &name.text)),
        }
    }

    /// `x.P without e`: `e` names effects, abilities or cards, one or several.
    fn without(&mut self, read: &Expr, effects: &Expr, want: Option<Ty>) -> Typed {
        let named = self.set(effects, None);
        if !matches!(named.ty.of, Type::Effect | Type::Ability | Type::Card | Type::Unknown) {
            self.c.mismatch(effects.span, Ty::EFFECT, named.ty.member());
        }
        let read = self.expr(read, want);
        self.typed(Node::Without(read.node, named.node), read.ty)
    }

    /// A single value. A zone that holds at most one card gives its card.
    pub(crate) fn one_or_undefined(&mut self, typed: Typed) -> NodeId {
        if self.holds_at_most_one(typed) { self.c.node(Node::Only(typed.node)) } else { typed.node }
    }

    fn list(&mut self, items: &[Expr], want: Option<Ty>) -> Typed {
        let mut member = want.map(Ty::member).filter(|ty| ty.of != Type::Unknown);
        let mut nodes = Vec::with_capacity(items.len());
        for item in items {
            let typed = self.expr(item, member);
            let node = match member {
                Some(member) => self.fit(typed, member, item.span),
                None => self.one_or_undefined(typed),
            };
            if member.is_none() && typed.ty.of != Type::Unknown {
                member = Some(typed.ty.member());
            }
            nodes.push(node);
        }
        if let Some(last) = items.last() {
            self.c.check_members(items.len(), last.span);
        }
        let run = self.c.args(&nodes);
        self.typed(Node::List(run), Ty::set(member.map_or(Type::Unknown, |ty| ty.of)))
    }

    fn if_expr(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, want: Option<Ty>) -> Typed {
        let condition = self.condition(condition);
        let (first, second) = (then, otherwise);
        let known = want.filter(|want| want.of != Type::Unknown);
        // `none` has the type of the other branch.
        let nothing_first = self.is_none(first);
        if nothing_first != self.is_none(second) {
            let other = self.unasked(|lowering| lowering.expr(if nothing_first { second } else { first }, want));
            let nothing = self.nothing(other.ty);
            let run = self.c.args(&if nothing_first { [nothing, other.node] } else { [other.node, nothing] });
            return self.typed(Node::If(condition, run), other.ty);
        }
        let then = self.unasked(|lowering| lowering.expr(first, want));
        // If one branch is a zone and the other a set of cards, both count as sets of cards.
        let beside = if then.ty == Ty::ZONE { Ty::CARDS } else { then.ty };
        let otherwise = self.unasked(|lowering| lowering.expr(second, Some(known.unwrap_or(beside))));
        let ty = self.common(then.ty, otherwise.ty, known);
        let run = [self.fit(then, ty, first.span), self.fit(otherwise, ty, second.span)];
        let run = self.c.args(&run);
        self.typed(Node::If(condition, run), ty)
    }

    /// Lowers a part of an expression that is not always evaluated: a branch of `if`, or the right side of `and` and `or`. Questions and
    /// actions inside expressions are performed before the statement, so here they would be performed in any case. This is reported as
    /// `E0219`.
    pub(super) fn unasked<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.body.sometimes, true);
        let result = inner(self);
        self.body.sometimes = outer;
        result
    }

    /// The common type of two branches: their type if they agree, else the wanted type, else a set if one of them is a set.
    fn common(&self, then: Ty, otherwise: Ty, want: Option<Ty>) -> Ty {
        if then == otherwise || then.both_events(otherwise) || then.of == Type::Unknown && want.is_none() {
            return then;
        }
        let cards = |ty: Ty| ty == Ty::ZONE || ty == Ty::CARDS;
        match want {
            Some(want) => want,
            None if cards(then) && otherwise.of == Type::Card || cards(otherwise) && then.of == Type::Card => Ty::CARDS,
            None if otherwise == Ty::set(then.of) => otherwise,
            None => then,
        }
    }

    /// A set, and a condition on its members one binder deeper.
    pub(crate) fn filter(&mut self, set: &Expr, binder: Option<&Name>, condition: &Expr, want: Option<Ty>) -> (Typed, NodeId) {
        let set = self.set(set, want);
        let name = binder.map_or("it", |binder| binder.text.as_str());
        let condition = self.under(name, set.ty.member(), condition.span, |lowering| lowering.condition(condition));
        (set, condition)
    }

    /// Enters one more binder. Their number is limited by the evaluation's room; a deeper binder would read as nothing.
    pub(crate) fn deeper(&mut self, span: Span) {
        self.body.depth = self.body.depth.saturating_add(1);
        self.c.binds_too_much(usize::from(self.body.depth), span);
    }

    /// Runs `inner` one binder deeper.
    pub(crate) fn under<T>(&mut self, name: &str, ty: Ty, span: Span, inner: impl FnOnce(&mut Self) -> T) -> T {
        let names = self.body.names.len();
        let could_ask = std::mem::replace(&mut self.body.can_ask, false);
        self.body.bind(name, Binding::Bound(self.body.depth, ty));
        self.deeper(span);
        let result = inner(self);
        self.body.depth -= 1;
        self.body.can_ask = could_ask;
        self.body.names.truncate(names);
        result
    }

    fn some(&mut self, set: &Expr) -> Typed {
        if let ExprKind::Where { set, binder, condition } = &set.kind {
            let (set, condition) = self.filter(set, binder.as_ref(), condition, None);
            return self.truth(Node::Some(set.node, condition));
        }
        let set = self.set(set, None);
        let empty = self.c.node(Node::IsEmpty(set.node));
        self.truth(Node::Not(empty))
    }

    fn all(&mut self, set: &Expr) -> Typed {
        let ExprKind::Where { set, binder, condition } = &set.kind else { return self.wrong(Diagnostic::error("E0243", set.span)) };
        let (set, condition) = self.filter(set, binder.as_ref(), condition, None);
        self.truth(Node::All(set.node, condition))
    }

    fn end(&mut self, end: End, count: Option<&Expr>, zone: &Expr) -> Typed {
        let typed = self.expr(zone, None);
        if let (Some(Node::Waiting(..)), None) = (self.c.program.nodes.get(typed.node), count) {
            return self.typed(Node::Outer(end == End::Top, typed.node), Ty::ABILITY);
        }
        if count.is_none() && self.is_part_of_a_zone(typed.node) {
            return self.typed(Node::Outer(end == End::Top, typed.node), Ty::CARD);
        }
        if let Some(Node::ZoneOfAll(all)) = self.c.program.nodes.get(typed.node).copied() {
            self.whose_zone(all, zone.span);
        } else if typed.ty != Ty::ZONE && typed.ty.of != Type::Unknown {
            self.without_an_end(end, count, zone.span, typed.ty);
        }
        let top = end == End::Top;
        match count {
            None => self.typed(Node::End(top, typed.node), Ty::CARD),
            Some(count) => {
                let count = self.wanted(count, Ty::NUMBER);
                self.typed(Node::Ends(top, count, typed.node), Ty::CARDS)
            }
        }
    }

    /// Whether a set is `Z where C` or `Z except S`, perhaps of several conditions. Its members lie in one zone, so one of them is on top.
    fn is_part_of_a_zone(&self, node: NodeId) -> bool {
        match self.c.program.nodes.get(node) {
            Some(Node::Where(set, _) | Node::Except(set, _)) => {
                matches!(self.c.program.nodes.get(*set), Some(Node::Zone(..))) || self.is_part_of_a_zone(*set)
            }
            _ => false,
        }
    }

    /// `E0204` for `top of S`, if S is neither a zone nor, without a number, a part of one zone.
    fn without_an_end(&mut self, end: End, count: Option<&Expr>, span: Span, got: Ty) {
        let found = self.c.found.len();
        self.c.mismatch(span, Ty::ZONE, got);
        let end = if end == End::Top { "top" } else { "bottom" };
        if let Some(finding) = self.c.found.get_mut(found).filter(|_| got == Ty::CARDS) {
            finding.args.push(if count.is_none() { ("end", end.to_owned()) } else { ("ends", end.to_owned()) });
        }
    }

    pub(crate) fn arithmetic(&mut self, a: &Expr, op: BinaryOp, b: &Expr) -> Typed {
        let op = match op {
            BinaryOp::Add => Arithmetic::Add,
            BinaryOp::Subtract => Arithmetic::Subtract,
            BinaryOp::Multiply => Arithmetic::Multiply,
            BinaryOp::Divide => Arithmetic::Divide,
            _ => Arithmetic::Remainder,
        };
        let found = self.c.found.len();
        let (a, b) = (self.wanted(a, Ty::NUMBER), self.wanted(b, Ty::NUMBER));
        if matches!(op, Arithmetic::Add | Arithmetic::Subtract) {
            let is_set = |finding: &Diagnostic| finding.is("got", "set of") || finding.is("got", "zone");
            let of_sets = self.c.found.iter_mut().skip(found).find(|finding| finding.code == "E0204" && is_set(finding));
            if let Some(finding) = of_sets {
                finding.args.push(("joined", "S with T".to_owned()));
            }
        }
        self.typed(Node::Arithmetic(op, a, b), Ty::NUMBER)
    }
}
