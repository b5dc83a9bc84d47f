//! Finds the names that a block, a clause or an expression mentions. A body that outlives its frame must capture these names.
//!
//! It may find a name too many (one that an inner pattern binds anew), but never one too few.

use lang::syntax::ast::{
    Amount, Arg, Block, Change, Clause, ClauseKind, Expr, ExprKind, Granted, Name, Offer, Pattern, Pick, Since, Stmt, StmtKind,
};

/// The word for a set that a lasting clause reads only once, when it begins.
pub(crate) const FIXED: &str = "fixed";

/// The names in the order of their first mention.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    pub(crate) names: Vec<String>,
    /// All names that a `let` binds anywhere inside.
    pub(crate) lets: Vec<Name>,
    /// The sets of `fixed(S)`.
    pub(crate) fixed: Vec<Expr>,
    /// Names that surrounding blocks have bound by `let`. They are no outer names.
    bound: Vec<String>,
}

impl Mentions {
    fn name(&mut self, name: &Name) {
        if !self.names.contains(&name.text) && !self.bound.contains(&name.text) {
            self.names.push(name.text.clone());
        }
    }

    pub(crate) fn block(&mut self, block: &Block) {
        let bound = self.bound.len();
        for statement in &block.statements {
            self.statement(statement);
            if let StmtKind::Let(name, _) = &statement.kind {
                self.bound.push(name.text.clone());
                self.lets.push(name.clone());
            }
        }
        self.bound.truncate(bound);
    }

    fn blocks<'a>(&mut self, blocks: impl IntoIterator<Item = &'a Block>) {
        for block in blocks {
            self.block(block);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let(_, value) => self.expr(value),
            StmtKind::Assign(place, value) => self.exprs([place, value]),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.blocks(std::iter::once(then).chain(otherwise));
            }
            StmtKind::Applies(condition) => self.expr(condition),
            StmtKind::Loop(body) | StmtKind::AsFarAsPossible(body) | StmtKind::Atomically(body) | StmtKind::Finally(body) => {
                self.block(body)
            }
            StmtKind::Attempt(body, otherwise) => self.blocks(std::iter::once(body).chain(otherwise)),
            StmtKind::Judge(condition, body) | StmtKind::Veiled(condition, body) => {
                self.exprs(condition);
                self.block(body);
            }
            StmtKind::Repeat(of, body) | StmtKind::For(_, of, body) | StmtKind::May(of, body, _) | StmtKind::ActingAs(of, body) => {
                self.expr(of);
                self.block(body);
            }
            StmtKind::SimultaneouslyFor { set, body, .. } => {
                self.expr(set);
                self.block(body);
            }
            StmtKind::Simultaneously(blocks) => self.blocks(blocks),
            StmtKind::Return(value) => self.exprs(value),
            StmtKind::Choose(choose) => {
                self.pick(&choose.pick);
                self.exprs(choose.together.iter().chain(&choose.by));
            }
            StmtKind::ChooseMatch { args, by, .. } => {
                self.args(args);
                self.exprs(by);
            }
            StmtKind::Perform(of) => self.expr(of),
            StmtKind::Call(_, args) | StmtKind::Emit(_, args, _) | StmtKind::Interrupt(_, args) => self.args(args),
            StmtKind::InterruptFor { set, args, .. } => {
                self.expr(set);
                self.args(args);
            }
            StmtKind::PutBy(body, _) => self.block(body),
            StmtKind::Lasting(_, clauses) => self.clauses(clauses),
            StmtKind::Offer(offer) | StmtKind::Declare(_, offer) => self.offer(offer),
            StmtKind::Recheck(conditions, otherwise) => {
                self.exprs(conditions);
                self.blocks(otherwise);
            }
            StmtKind::Watch(condition, body, aborted) => {
                self.expr(condition);
                self.blocks([body, aborted]);
            }
            StmtKind::During(_, args, body) => {
                self.args(args);
                self.block(body);
            }
            StmtKind::Break | StmtKind::Stop | StmtKind::Label(_) | StmtKind::Restart(_) => {}
            StmtKind::ApplyRules | StmtKind::Mark(..) | StmtKind::Hole(_) => {}
        }
    }

    fn offer(&mut self, offer: &Offer) {
        self.expr(&offer.player);
        self.exprs(&offer.from);
        self.blocks(offer.acted.iter().chain(&offer.passed));
    }

    pub(crate) fn clauses(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            self.clause(clause);
        }
    }

    pub(crate) fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Modify(what, changes) | ClauseKind::Price(what, changes) => {
                self.expr(what);
                self.changes(changes);
            }
            ClauseKind::Grant(to, given) => {
                self.expr(to);
                // Granted abilities belong to the card that gets them, so they see no local names.
                self.exprs(given.iter().filter_map(|given| match given {
                    Granted::Change(change) => Some(&change.value),
                    Granted::Like(abilities) => Some(abilities),
                    Granted::Ability(_) | Granted::Slot(..) => None,
                }));
            }
            ClauseKind::Disable(of) | ClauseKind::Require(_, of) | ClauseKind::Assume(of) => self.expr(of),
            ClauseKind::Strip(of, _) => self.expr(of),
            ClauseKind::Shield(of) => self.exprs([&of.cards].into_iter().chain(&of.effects)),
            ClauseKind::Forbid(pattern) | ClauseKind::Permit(pattern) => self.pattern(pattern),
            ClauseKind::Instead(pattern, body)
            | ClauseKind::When(pattern, body)
            | ClauseKind::NextTime(pattern, body)
            | ClauseKind::NextInstead(pattern, body) => {
                self.pattern(pattern);
                self.block(body);
            }
            ClauseKind::Whenever(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            ClauseKind::While(condition, clauses) => {
                self.expr(condition);
                self.clauses(clauses);
            }
            ClauseKind::Hole(_) => {}
        }
    }

    fn changes(&mut self, changes: &[Change]) {
        self.exprs(changes.iter().map(|change| &change.value));
    }

    pub(crate) fn pattern(&mut self, pattern: &Pattern) {
        for event in &pattern.events {
            self.args(&event.args);
        }
        self.exprs(&pattern.condition);
    }

    fn args(&mut self, args: &[Arg]) {
        self.exprs(args.iter().map(|arg| &arg.value));
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn pick(&mut self, pick: &Pick) {
        match &pick.amount {
            Amount::Exactly(amount) | Amount::UpTo(amount) | Amount::Announced(amount) => self.expr(amount),
            Amount::AnyNumber(_) => {}
        }
        self.exprs(std::iter::once(&pick.from).chain(&pick.by));
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call(name, args) => {
                self.fixed.extend(args.first().filter(|_| name.text == FIXED).map(|set| set.value.clone()));
                self.args(args);
            }
            ExprKind::Field(of, _) | ExprKind::Printed(of) | ExprKind::Not(of) | ExprKind::Negate(of) | ExprKind::Cited(_, of) => {
                self.expr(of)
            }
            ExprKind::Exists(of) | ExprKind::Some(of) | ExprKind::All(of) | ExprKind::Can(of) => self.expr(of),
            ExprKind::List(items) | ExprKind::Tuple(items) => self.exprs(items),
            ExprKind::Binary(a, _, b) | ExprKind::WithoutEffect(a, b) => self.exprs([a.as_ref(), b.as_ref()]),
            ExprKind::Is { subject, .. } => self.expr(subject),
            ExprKind::Has { subject, what } => self.exprs([subject.as_ref(), what.as_ref()]),
            ExprKind::If(a, b, c) => self.exprs([a.as_ref(), b.as_ref(), c.as_ref()]),
            ExprKind::Every { condition, .. } => self.exprs(condition.as_deref()),
            ExprKind::Where { set, condition, .. } => self.exprs([set.as_ref(), condition.as_ref()]),
            ExprKind::End { count, zone, .. } => {
                self.exprs(count.as_deref());
                self.expr(zone);
            }
            ExprKind::Pick(pick) => self.pick(pick),
            ExprKind::Caused(_, of) => self.expr(of),
            ExprKind::Happened(pattern, since) | ExprKind::Latest(pattern, since) => {
                self.pattern(pattern);
                match since {
                    Some(Since::Named(point)) => self.name(point),
                    Some(Since::Event(event)) => self.expr(event),
                    None => {}
                }
            }
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Ordinal(..) | ExprKind::Bool(_) => {}
            ExprKind::Any(_) | ExprKind::The(_) | ExprKind::Hole(_) => {}
        }
    }
}
