//! Makes the routine that pays a cost: its parts as printed, all at the same time, or in the order that the payer chooses.
//!
//! Input: the parts as written. The registers after the slots hold the payer, and the amount due for each part. A part with nothing due is
//! left out.

use crate::abilities::cost::{BY, amount_name};
use crate::expressions::expression::Lowering;
use crate::expressions::types::Ty;
use engine::ids::{Reg, VerbId};
use engine::program::{Compare, Node, Op};
use lang::diagnostic::Span;
use lang::syntax::ast::{Amount, Arg, BinaryOp, Block, Choose, Expr, ExprKind, Manner, Name, Pick, Stmt, StmtKind};

/// The decision about the order in which the parts of a cost are paid, and the name of its answer.
const ORDER: &str = "payment_order";

/// The name of the part being paid. The blank keeps it from being written in a source.
const PART: &str = " part";

impl Lowering<'_> {
    /// Pays one part after the other.
    pub(crate) fn pay_as_printed(&mut self, items: &[Expr], amounts: &[Reg]) {
        for (at, (item, amount)) in items.iter().zip(amounts).enumerate() {
            let (left, right) = (self.c.node(Node::Local(*amount)), self.one());
            let condition = self.c.node(Node::Compare(Compare::GreaterEqual, left, right));
            let skip = self.body.emit(Op::JumpUnless { condition, to: Default::default() });
            if let ExprKind::Call(name, args) = &item.kind {
                self.fail_if_set(name, args);
                let args = self.with_amount(name, args, at);
                self.call(name, &args, item.span);
            }
            self.body.patch_here(skip);
        }
    }

    /// Fails the payment if the part would set a state that is already set.
    fn fail_if_set(&mut self, name: &Name, args: &[Arg]) {
        if let Some(condition) = self.set_already(name, args) {
            let can = self.body.emit(Op::JumpUnless { condition, to: Default::default() });
            self.body.emit(Op::Fail);
            self.body.patch_here(can);
        }
    }

    /// Fails the payment if any part with an amount due would set a state that is already set. This is checked before any part is paid.
    fn fail_if_any_is_set(&mut self, items: &[Expr], amounts: &[Reg]) {
        for (item, amount) in items.iter().zip(amounts) {
            let ExprKind::Call(name, args) = &item.kind else { continue };
            let (left, right) = (self.c.node(Node::Local(*amount)), self.one());
            let condition = self.c.node(Node::Compare(Compare::GreaterEqual, left, right));
            let skip = self.body.emit(Op::JumpUnless { condition, to: Default::default() });
            self.fail_if_set(name, args);
            self.body.patch_here(skip);
        }
    }

    /// Pays all parts in simultaneous branches. Parts that take all of a set come last: they take what the others leave.
    pub(crate) fn pay_together(&mut self, items: &[Expr], amounts: &[Reg], span: Span) {
        self.fail_if_any_is_set(items, amounts);
        let write = Writer { span };
        let (last, first): (Vec<usize>, Vec<usize>) =
            (0..items.len()).partition(|at| items.get(*at).is_some_and(|item| self.takes_all(item)));
        let branches = first.iter().chain(&last).map(|at| {
            let paid = self.part_of(items, *at);
            write.block(vec![StmtKind::If(write.is_due(*at), write.block(paid), None)])
        });
        let branches: Vec<Block> = branches.collect();
        let around = std::mem::replace(&mut self.body.span, span);
        self.fork_with_rest(&branches, first.len());
        self.body.span = around;
    }

    /// Whether a part gives its action all cards of a zone or of a described set. A name, a list or a number of top cards says exactly
    /// which cards are meant, so the function gives false for these.
    fn takes_all(&mut self, item: &Expr) -> bool {
        let ExprKind::Call(name, args) = &item.kind else { return false };
        let Some(verb) = self.c.symbols.verbs.id::<VerbId>(&name.text) else { return false };
        let signature = self.c.symbols.signature(verb);
        args.iter().enumerate().any(|(position, arg)| {
            let param = match &arg.name {
                Some(name) => signature.params.iter().find(|param| param.name == name.text),
                None => signature.params.get(position),
            };
            let described =
                matches!(arg.value.kind, ExprKind::Call(..) | ExprKind::Where { .. } | ExprKind::Binary(..) | ExprKind::Name(_));
            if !described || param.is_none_or(|param| param.ty != Ty::CARDS) {
                return false;
            }
            let ty = self.expr(&arg.value, None).ty;
            ty == Ty::ZONE || ty == Ty::CARDS && !matches!(arg.value.kind, ExprKind::Name(_))
        })
    }

    /// The payer orders the parts by their printed position; then they are paid one after the other.
    pub(crate) fn pay_as_chosen(&mut self, items: &[Expr], amounts: &[Reg], span: Span) {
        self.fail_if_any_is_set(items, amounts);
        let write = Writer { span };
        // The number of each part that has something due, and 0 for the other parts.
        let numbers = (0..items.len()).map(|at| {
            let number = write.expr(ExprKind::Number(at as i32 + 1));
            write.expr(ExprKind::If(Box::new(write.is_due(at)), Box::new(number), Box::new(write.expr(ExprKind::Number(0)))))
        });
        let all = Box::new(write.expr(ExprKind::List(numbers.collect())));
        let condition = Box::new(write.at_least_one(write.named("it")));
        let due = write.expr(ExprKind::Where { set: all, binder: None, condition });
        let count = ExprKind::Call(write.name("count"), vec![Arg { name: None, value: due.clone() }]);
        let pick = Pick { amount: Amount::Exactly(write.expr(count)), from: due, by: None };
        let by = Some(write.named(BY));
        let manner = Manner::Ranked { secretly: false };
        let choose = Choose { name: write.name(ORDER), label: None, pick, together: None, by, manner, or_none: false, called: Vec::new() };
        self.statement(&write.statement(StmtKind::Choose(Box::new(choose))));
        if let Some(choice) = self.asks_for_number(ORDER) {
            let parts = items.iter().zip(1..).map(|(item, number)| (choice, number, item.span));
            self.c.map.answers.extend(parts);
        }
        let turns = (0..items.len()).map(|at| {
            let here = write.binary(write.named(PART), BinaryOp::Equal, write.expr(ExprKind::Number(at as i32 + 1)));
            StmtKind::If(here, write.block(self.part_of(items, at)), None)
        });
        let turns = write.block(turns.collect());
        self.statement(&write.statement(StmtKind::For(write.name(PART), write.named(ORDER), turns)));
    }

    /// The statement that pays a part.
    fn part_of(&mut self, items: &[Expr], at: usize) -> Vec<StmtKind> {
        match items.get(at).map(|item| &item.kind) {
            Some(ExprKind::Call(name, args)) => vec![StmtKind::Call(name.clone(), self.with_amount(name, args, at))],
            // The part is no action. This is already reported.
            _ => Vec::new(),
        }
    }
}

/// Writes statements with the place of the cost.
#[derive(Clone, Copy)]
struct Writer {
    span: Span,
}

impl Writer {
    fn name(self, text: &str) -> Name {
        Name { text: text.to_owned(), span: self.span }
    }

    fn expr(self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }

    fn named(self, text: &str) -> Expr {
        self.expr(ExprKind::Name(self.name(text)))
    }

    fn binary(self, a: Expr, op: BinaryOp, b: Expr) -> Expr {
        self.expr(ExprKind::Binary(Box::new(a), op, Box::new(b)))
    }

    fn at_least_one(self, number: Expr) -> Expr {
        self.binary(number, BinaryOp::GreaterEqual, self.expr(ExprKind::Number(1)))
    }

    /// The condition that something is due for a part.
    fn is_due(self, at: usize) -> Expr {
        self.at_least_one(self.named(&amount_name(at)))
    }

    fn statement(self, kind: StmtKind) -> Stmt {
        Stmt { cites: Vec::new(), kind, span: self.span }
    }

    fn block(self, statements: Vec<StmtKind>) -> Block {
        Block { statements: statements.into_iter().map(|kind| self.statement(kind)).collect(), span: self.span, ..Block::default() }
    }
}
