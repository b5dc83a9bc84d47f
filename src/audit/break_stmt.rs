//! The breaks of statements and blocks.

use super::breaker::{Breaker, Reach};
use super::kind::Kind;
use lang::diagnostic::Span;
use lang::syntax::ast::{BinaryOp, Block, Choose, Clause, Expr, ExprKind, Manner, MayAsk, Name, Offer, Stmt, StmtKind};
use lang::syntax::rewrite::{Rewriter, walk_stmt};

impl Breaker {
    /// Breaks a block. A statement can be left out, and two neighbours can be exchanged.
    pub(crate) fn block(&mut self, block: &mut Block) {
        self.scope(|breaker| {
            let mut at = 0;
            while let Some(statement) = block.statements.get(at) {
                let (span, cites) = (statement.span, statement.cites.clone());
                breaker.enter(&cites, span);
                breaker.reaching(Reach::Statement(span), |breaker| breaker.statement_of(block, at));
                breaker.leave();
                at += 1;
            }
        });
    }

    fn statement_of(&mut self, block: &mut Block, at: usize) {
        if self.left_out(block, at) {
            return;
        }
        if self.goes_on(block, at) {
            return;
        }
        let steps = [at, at + 1].iter().all(|at| block.statements.get(*at).is_some_and(|statement| is_step(&statement.kind)));
        if steps && self.swapped(block, at) {
            return;
        }
        if let Some(statement) = block.statements.get_mut(at) {
            self.statement(statement);
        }
    }

    /// Breaks a statement so that it is never carried out. It is not removed, because something that only this statement uses (a hole of a
    /// template) would then be missing. A statement that binds a name is removed.
    fn left_out(&mut self, block: &mut Block, at: usize) -> bool {
        let Some(statement) = block.statements.get_mut(at) else { return false };
        let span = statement.span;
        if matches!(statement.kind, StmtKind::Label(_)) || !self.here(Kind::LeftOut, span) {
            return false;
        }
        if matches!(statement.kind, StmtKind::Let(..) | StmtKind::Choose(_) | StmtKind::ChooseMatch { .. }) {
            block.statements.remove(at);
        } else {
            let inner = Stmt { cites: Vec::new(), ..statement.clone() };
            statement.kind = never(Block { statements: vec![inner], span, ..Block::default() }, span);
        }
        true
    }

    /// Exchanges a statement with the next one. The rules of both are broken.
    fn swapped(&mut self, block: &mut Block, at: usize) -> bool {
        let Some([first, second, ..]) = block.statements.get(at..) else { return false };
        let (cites, span) = (first.cites.iter().chain(&second.cites).cloned().collect::<Vec<_>>(), first.span);
        self.enter(&cites, span.to(second.span));
        let swapped = self.here(Kind::Swapped, span);
        if swapped {
            block.statements.swap(at, at + 1);
        }
        self.leave();
        swapped
    }

    /// A call is not done, so it was done to nothing.
    fn not_done(&mut self, value: &mut Expr) -> bool {
        let span = value.span;
        let ExprKind::Call(_, args) = &value.kind else { return false };
        let Some(what) = args.first().map(|arg| arg.value.clone()) else { return false };
        if !self.here(Kind::LeftOut, span) {
            return false;
        }
        value.kind = ExprKind::Binary(Box::new(what.clone()), BinaryOp::Except, Box::new(what));
        true
    }

    fn statement(&mut self, statement: &mut Stmt) {
        let span = statement.span;
        if let Some(unbound) = unbound(&statement.kind, span) {
            let kind = if matches!(statement.kind, StmtKind::May(..)) { Kind::Must } else { Kind::Unbound };
            if self.here(kind, span) {
                statement.kind = unbound;
                return;
            }
        }
        if matches!(statement.kind, StmtKind::Call(..) | StmtKind::Perform(_) | StmtKind::Hole(_))
            && let Some(player) = self.players.last().cloned()
            && self.here(Kind::May, span)
        {
            let plain = statement.clone();
            let by = Expr { kind: ExprKind::Name(Name { text: player, span }), span };
            statement.kind = StmtKind::May(by, Block { statements: vec![plain], span, ..Block::default() }, MayAsk::default());
            return;
        }
        match &mut statement.kind {
            StmtKind::Let(name, value) => {
                if self.not_done(value) {
                    return;
                }
                self.expr(value);
                self.bind(name, value);
            }
            StmtKind::Assign(place, value) => {
                if let ExprKind::Field(of, _) = &mut place.kind {
                    self.expr(of);
                }
                self.expr(value);
            }
            StmtKind::If(condition, then, otherwise) => {
                // The rules beside the `else` belong to the case in which the condition is false.
                let says_no = otherwise.as_ref().map(|block| block.head.clone()).unwrap_or_default();
                self.enter(&says_no, condition.span);
                self.deciding(condition);
                self.leave();
                self.block(then);
                otherwise.iter_mut().for_each(|block| self.arm(block));
            }
            StmtKind::Applies(condition) => self.deciding(condition),
            StmtKind::Judge(condition, body) | StmtKind::Veiled(condition, body) => {
                condition.iter_mut().for_each(|condition| self.deciding(condition));
                self.block(body);
            }
            StmtKind::For(binder, set, body) | StmtKind::SimultaneouslyFor { binder, set, body, .. } => {
                self.expr(set);
                self.scope(|breaker| {
                    breaker.bind_member(&binder.text, set);
                    breaker.block(body);
                });
            }
            StmtKind::InterruptFor { binder, set, args, .. } => {
                self.expr(set);
                self.scope(|breaker| {
                    breaker.bind_member(&binder.text, set);
                    breaker.arguments(args);
                });
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::ChooseMatch { args, by, .. } => {
                self.arguments(args);
                by.iter_mut().for_each(|by| self.chooser(by));
            }
            StmtKind::May(player, body, _) => {
                self.chooser(player);
                self.block(body);
            }
            // An attempt is first tried, and the trial is not reported. So every scenario that reaches the attempt can notice the break.
            StmtKind::Attempt(body, otherwise) => {
                self.attempted(body, span);
                otherwise.iter_mut().for_each(|block| self.arm(block));
            }
            StmtKind::Offer(offer) | StmtKind::Declare(_, offer) => self.offer(offer),
            StmtKind::Recheck(conditions, otherwise) => {
                conditions.iter_mut().for_each(|condition| self.condition(condition));
                otherwise.iter_mut().for_each(|block| self.arm(block));
            }
            StmtKind::Watch(condition, body, aborted) => {
                self.condition(condition);
                self.block(body);
                self.arm(aborted);
            }
            _ => walk_stmt(self, statement),
        }
    }

    /// Breaks the block of an `else` or `aborted`. If the block has rules of its own, it can be emptied. An empty block states that nothing
    /// is done; the scenarios show this by the false condition.
    fn arm(&mut self, block: &mut Block) {
        let (span, head) = (block.span, block.head.clone());
        self.enter(&head, span);
        self.reaching(Reach::Statement(span), |breaker| {
            if !head.is_empty() && !block.statements.is_empty() && breaker.here(Kind::LeftOut, span) {
                block.statements.clear();
            } else {
                breaker.block(block);
            }
        });
        self.leave();
    }

    /// Breaks a block with rules after its brace: the block does not end there, and the next statement moves into it. If the block is the
    /// last statement, the next statement of the nearest surrounding block is taken.
    fn goes_on(&mut self, block: &mut Block, at: usize) -> bool {
        if block.statements.len() < at + 2 {
            return false;
        }
        let Some(statement) = block.statements.get_mut(at) else { return false };
        let mut ends = Vec::new();
        Ends(|end: &mut Block| ends.push((end.end.clone(), end.span))).stmt(statement);
        let wanted = ends.iter().position(|(cites, span)| {
            let brace = Span { start: span.end.saturating_sub(1), ..*span };
            let mut goes_on = false;
            self.enter(cites, brace);
            self.reaching(Reach::Statement(brace), |breaker| goes_on = breaker.here(Kind::Open, brace));
            self.leave();
            goes_on
        });
        let Some(wanted) = wanted else { return false };
        let mut rest = block.statements.split_off(at + 1);
        let mut at_end = 0..=wanted;
        let goes_on = |end: &mut Block| {
            if at_end.next() == Some(wanted) {
                end.statements.append(&mut rest);
            }
        };
        if let Some(statement) = block.statements.last_mut() {
            Ends(goes_on).stmt(statement);
        }
        true
    }

    fn attempted(&mut self, body: &mut Block, span: Span) {
        let from = self.sites.len();
        self.block(body);
        for site in self.sites.iter_mut().skip(from) {
            if let Reach::Statement(_) = site.reach {
                site.reach = Reach::Statement(span);
            }
        }
    }

    fn choose(&mut self, choose: &mut Choose) {
        let span = choose.name.span;
        match &mut choose.by {
            Some(by) => self.chooser(by),
            None => {
                if self.here(Kind::Chooser, span) {
                    let you = Expr { kind: ExprKind::Name(Name { text: "you".to_owned(), span }), span };
                    choose.by = Some(self.other_player(&you));
                }
            }
        }
        if choose.or_none && self.here(Kind::Must, span) {
            choose.or_none = false;
        }
        if choose.manner == Manner::Secretly && self.here(Kind::Negated, span) {
            choose.manner = Manner::Openly;
        }
        self.pick(&mut choose.pick, !choose.or_none);
        if let Some(together) = &mut choose.together {
            self.condition(together);
        }
    }

    /// The player who chooses.
    pub(super) fn chooser(&mut self, by: &mut Expr) {
        if self.here(Kind::Chooser, by.span) {
            *by = self.other_player(by);
        }
    }

    fn offer(&mut self, offer: &mut Offer) {
        self.chooser(&mut offer.player);
        if offer.secretly && self.here(Kind::Negated, offer.player.span) {
            offer.secretly = false;
        }
        let arms = [(&mut offer.acted, &offer.acted_cites), (&mut offer.passed, &offer.passed_cites)];
        for (block, cites) in arms {
            let Some(block) = block else { continue };
            self.enter(cites, block.span);
            self.block(block);
            self.leave();
        }
    }
}

/// Shows the blocks with rules after their brace at the end of a statement: its own, and those of the last statement in them.
struct Ends<F>(F);

impl<F: FnMut(&mut Block)> Rewriter for Ends<F> {
    fn block(&mut self, block: &mut Block) {
        if !block.end.is_empty() {
            return (self.0)(block);
        }
        block.statements.last_mut().into_iter().for_each(|last| self.stmt(last));
    }

    fn clauses(&mut self, _clauses: &mut Vec<Clause>) {}
}

/// Whether a statement changes something, so that its order can matter.
fn is_step(kind: &StmtKind) -> bool {
    !matches!(
        kind,
        StmtKind::Let(..)
            | StmtKind::Label(_)
            | StmtKind::Return(_)
            | StmtKind::Break
            | StmtKind::Stop
            | StmtKind::Restart(_)
            | StmtKind::Choose(_)
            | StmtKind::ChooseMatch { .. }
    )
}

/// A statement without the effect that it adds to its block: its block becomes a plain one that is not optional, together, a whole or
/// later.
fn unbound(kind: &StmtKind, span: Span) -> Option<StmtKind> {
    match kind {
        StmtKind::May(_, body, _)
        | StmtKind::Judge(_, body)
        | StmtKind::Veiled(_, body)
        | StmtKind::AsFarAsPossible(body)
        | StmtKind::Atomically(body)
        | StmtKind::Finally(body)
        | StmtKind::Attempt(body, None)
        | StmtKind::PutBy(body, _) => Some(plainly(body.clone(), span)),
        StmtKind::Simultaneously(blocks) => {
            let statements = blocks.iter().map(|block| Stmt { cites: Vec::new(), kind: plainly(block.clone(), span), span }).collect();
            Some(plainly(Block { statements, span, ..Block::default() }, span))
        }
        StmtKind::SimultaneouslyFor { binder, set, body, .. } => Some(StmtKind::For(binder.clone(), set.clone(), body.clone())),
        StmtKind::Watch(_, body, _) | StmtKind::During(_, _, body) => Some(plainly(body.clone(), span)),
        _ => None,
    }
}

/// A block that is never carried out.
fn never(body: Block, span: Span) -> StmtKind {
    StmtKind::If(Expr { kind: ExprKind::Bool(false), span }, body, None)
}

/// A block that is always carried out.
fn plainly(body: Block, span: Span) -> StmtKind {
    StmtKind::If(Expr { kind: ExprKind::Bool(true), span }, body, None)
}
