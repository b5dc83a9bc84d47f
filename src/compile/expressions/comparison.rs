//! Compiles operators between two expressions: comparisons, membership, sums, set operations.

use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use crate::statements::body::Typed;
use engine::ids::NodeId;
use engine::program::{Compare, Node, Type};
use engine::value::Value;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{BinaryOp, Expr, ExprKind};

impl Lowering<'_> {
    pub(crate) fn binary(&mut self, a: &Expr, op: BinaryOp, b: &Expr, want: Option<Ty>) -> Typed {
        match op {
            BinaryOp::Or => {
                let (a, b) = (self.condition(a), self.unasked(|lowering| lowering.condition(b)));
                self.truth(Node::Or(a, b))
            }
            BinaryOp::And => {
                let (a, b) = (self.condition(a), self.unasked(|lowering| lowering.condition(b)));
                self.truth(Node::And(a, b))
            }
            BinaryOp::In => self.membership(a, b),
            BinaryOp::NotIn => {
                let inside = self.membership(a, b);
                self.truth(Node::Not(inside.node))
            }
            BinaryOp::Except | BinaryOp::Union => self.set_operation(a, op, b, want),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => self.arithmetic(a, op, b),
            _ => self.comparison(a, comparison_of(op), b),
        }
    }

    fn set_operation(&mut self, a: &Expr, op: BinaryOp, b: &Expr, want: Option<Ty>) -> Typed {
        // `S except T is empty` is read as `S except (T is empty)`.
        if matches!(&b.kind, ExprKind::Is { .. } | ExprKind::Exists(_)) {
            let finding = Diagnostic::error("E0204", b.span).with("wanted", "set").with("got", "bool");
            let word = if op == BinaryOp::Except { "except" } else { "with" };
            return self.wrong(finding.with("grouped", format!("(S {word} T) is …")));
        }
        let a_set = self.set(a, want);
        let b_typed = self.expr(b, Some(a_set.ty));
        let b_set = self.fit(b_typed, a_set.ty, b.span);
        let node = if op == BinaryOp::Except { Node::Except(a_set.node, b_set) } else { Node::Union(a_set.node, b_set) };
        self.typed(node, a_set.ty)
    }

    fn comparison(&mut self, a: &Expr, op: Compare, b: &Expr) -> Typed {
        if let (ExprKind::Tuple(left), ExprKind::Tuple(right)) = (&a.kind, &b.kind) {
            if !matches!(op, Compare::Equal | Compare::NotEqual) {
                return self.wrong(Diagnostic::error("E0240", b.span));
            }
            let left = self.tuple(left);
            return self.tuples(&left, op, right, b);
        }
        let (left, right) = self.both_sides(a, b);
        if self.c.const_of(left.node).is_none() && self.is_alike(left.node, right.node) {
            self.c.report(Diagnostic::error("E0355", b.span));
        }
        if op != Compare::Equal && op != Compare::NotEqual {
            let (left, right) = (self.fit(left, Ty::NUMBER, a.span), self.fit(right, Ty::NUMBER, b.span));
            return self.truth(Node::Compare(op, left, right));
        }
        if let Some(test) = self.card_by_name(left, right, a, b) {
            return if op == Compare::NotEqual { self.truth(Node::Not(test)) } else { Typed { node: test, ty: Ty::BOOL } };
        }
        self.same(left, op, right, b)
    }

    /// Whether two expressions are alike, for the kinds of expressions that are often compared.
    fn is_alike(&self, left: NodeId, right: NodeId) -> bool {
        let program = &self.c.program;
        let (Some(one), Some(other)) = (program.nodes.get(left), program.nodes.get(right)) else { return left == right };
        match (*one, *other) {
            (one, other) if one == other => true,
            (Node::Count(a), Node::Count(b)) | (Node::Owner(a), Node::Owner(b)) | (Node::Controller(a), Node::Controller(b)) => {
                self.is_alike(a, b)
            }
            (Node::Opponent(a), Node::Opponent(b)) | (Node::NextPlayer(a), Node::NextPlayer(b)) | (Node::Only(a), Node::Only(b)) => {
                self.is_alike(a, b)
            }
            (Node::Zone(zone, a), Node::Zone(other, b)) => zone == other && self.is_alike(a, b),
            (Node::End(top, a), Node::End(other, b)) => top == other && self.is_alike(a, b),
            (Node::Field(a, field), Node::Field(b, other)) | (Node::Printed(a, field), Node::Printed(b, other)) => {
                field == other && self.is_alike(a, b)
            }
            (Node::State(a, state), Node::State(b, other)) => state == other && self.is_alike(a, b),
            (Node::Where(a, condition), Node::Where(b, other)) => self.is_alike(a, b) && self.is_alike(condition, other),
            (Node::List(a), Node::List(b)) => {
                let (a, b) = (program.args_of(a), program.args_of(b));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_alike(*a, *b))
            }
            _ => false,
        }
    }

    /// Lowers both operands, and notes a symbol that one of them asks for.
    fn both_sides(&mut self, a: &Expr, b: &Expr) -> (Typed, Typed) {
        let (left, right) = self.each_side(a, b);
        self.note_asked(a, left.node);
        self.note_asked(b, right.node);
        (left, right)
    }

    /// The operand that needs no context goes first, and gives the other its type.
    fn each_side(&mut self, a: &Expr, b: &Expr) -> (Typed, Typed) {
        if self.needs_context(a) && !self.needs_context(b) {
            let right = self.expr(b, None);
            let left = self.expr(a, Some(right.ty));
            return (left, right);
        }
        let left = self.expr(a, None);
        let right = self.expr(b, Some(left.ty));
        (left, right)
    }

    fn same(&mut self, left: Typed, op: Compare, right: Typed, b: &Expr) -> Typed {
        let (mut left, mut right) = (left, right);
        let (left_ty, right_ty) = (left.ty, right.ty);
        for (one, other) in [(&mut left, right_ty), (&mut right, left_ty)] {
            // In a comparison with a card, a zone that holds one card stands for this card.
            if other == Ty::CARD && one.ty != Ty::CARD && (self.holds_at_most_one(*one) || one.ty == Ty::CARDS) {
                *one = Typed { node: self.fit(*one, Ty::CARD, b.span), ty: Ty::CARD };
            }
        }
        if op == Compare::Equal || op == Compare::NotEqual {
            let several = |typed: &Typed| typed.ty.set || typed.ty == Ty::ZONE;
            // Two zones are compared as places, not as sets of cards.
            let sets = several(&left) && several(&right) && (left.ty, right.ty) != (Ty::ZONE, Ty::ZONE);
            let of = |typed: &Typed| if typed.ty == Ty::ZONE { Type::Card } else { typed.ty.of };
            if sets && of(&left) == of(&right) {
                let same = self.truth(Node::SameSets(left.node, right.node));
                return if op == Compare::NotEqual { self.truth(Node::Not(same.node)) } else { same };
            }
        }
        let unknown = left.ty.of == Type::Unknown || right.ty.of == Type::Unknown;
        if !unknown && (left.ty != right.ty && !left.ty.both_events(right.ty) || left.ty.set) {
            // If a set is compared with one of its members, the finding names the set. Otherwise the message would call both types by the
            // same word.
            let wanted = if left.ty.of == right.ty.of { left.ty } else { left.ty.member() };
            self.c.mismatch(b.span, wanted, right.ty);
        }
        self.truth(Node::Compare(op, left.node, right.node))
    }

    /// A card beside a text: whether the card has that name.
    fn card_by_name(&mut self, left: Typed, right: Typed, a: &Expr, b: &Expr) -> Option<NodeId> {
        for (card, expr, text) in [(left, a, b), (right, b, a)] {
            let ExprKind::Text(written) = &text.kind else { continue };
            if card.ty == Ty::CARD || self.holds_at_most_one(card) {
                let card = self.fit(card, Ty::CARD, expr.span);
                return Some(self.is_called(card, written, text.span));
            }
        }
        None
    }

    fn membership(&mut self, a: &Expr, b: &Expr) -> Typed {
        if let (ExprKind::Tuple(left), ExprKind::List(rows)) = (&a.kind, &b.kind) {
            return self.tuple_in(left, rows);
        }
        if !self.needs_context(a) || self.needs_context(b) {
            let member = self.expr(a, None);
            let member =
                Typed { node: self.one_or_undefined(member), ty: if self.holds_at_most_one(member) { Ty::CARD } else { member.ty } };
            let set = self.set(b, Some(Ty::set(member.ty.of)));
            let node = self.fit(member, set.ty.member(), a.span);
            return self.truth(Node::In(node, set.node));
        }
        let set = self.set(b, None);
        if let (ExprKind::Text(text), Type::Card) = (&a.kind, set.ty.of) {
            let (text, span) = (text.clone(), a.span);
            let test = self.under("it", Ty::CARD, span, |lowering| {
                let bound = lowering.c.node(Node::Bound(lowering.body.depth - 1));
                lowering.is_called(bound, &text, span)
            });
            return self.truth(Node::Some(set.node, test));
        }
        let member = self.wanted(a, set.ty.member());
        if let Some(Node::Field(card, field)) = self.c.program.nodes.get(set.node).copied() {
            self.note_asked(a, member);
            return self.truth(Node::FieldHas(card, field, member));
        }
        self.truth(Node::In(member, set.node))
    }

    fn tuple(&mut self, items: &[Expr]) -> Vec<Typed> {
        items.iter().map(|item| self.expr(item, None)).collect()
    }

    /// `(a, b) in [(x, y), …]`, as an `or` of `and`s.
    fn tuple_in(&mut self, left: &[Expr], rows: &[Expr]) -> Typed {
        let left = self.tuple(left);
        let mut any = self.constant(Value::Bool(false), Ty::BOOL);
        for row in rows {
            let ExprKind::Tuple(items) = &row.kind else {
                return self.wrong(Diagnostic::error("E0240", row.span));
            };
            let same = self.tuples(&left, Compare::Equal, items, row);
            any = self.truth(Node::Or(any.node, same.node));
        }
        any
    }

    /// Whether two tuples are the same, or differ: whether all of their values are the same, or one differs.
    fn tuples(&mut self, left: &[Typed], op: Compare, right: &[Expr], row: &Expr) -> Typed {
        if left.len() != right.len() {
            let finding = Diagnostic::error("E0205", row.span).with("name", "tuple").with("wanted", left.len());
            return self.wrong(finding.with("got", right.len()));
        }
        let equal = op == Compare::Equal;
        let mut all = self.constant(Value::Bool(equal), Ty::BOOL);
        for (one, item) in left.iter().zip(right) {
            let other = self.wanted_typed(item, one.ty);
            let met = self.same(*one, op, other, item);
            all = self.truth(if equal { Node::And(all.node, met.node) } else { Node::Or(all.node, met.node) });
        }
        all
    }
}

/// The comparison of an operator.
pub(crate) fn comparison_of(op: BinaryOp) -> Compare {
    match op {
        BinaryOp::NotEqual => Compare::NotEqual,
        BinaryOp::Less => Compare::Less,
        BinaryOp::LessEqual => Compare::LessEqual,
        BinaryOp::Greater => Compare::Greater,
        BinaryOp::GreaterEqual => Compare::GreaterEqual,
        _ => Compare::Equal,
    }
}
