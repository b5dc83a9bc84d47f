//! Walks a script and changes it in place. Weaving, binding and comparing share this code.
//!
//! Input: any part of a script and a [`Rewriter`]. Every node is visited once, parents before children unless the rewriter decides
//! otherwise. The rewriter alone decides what becomes of a node.

use crate::diagnostic::Span;
use crate::syntax::ast::{
    Ability, AbilityBody, Amount, Arg, Block, Change, ChangeField, Choose, Clause, ClauseKind, DeckLimit, EventPattern, Expr, ExprKind,
    Granted, Name, Offer, Pattern, Pick, ShieldFrom, Since, Stmt, StmtKind, Stripped,
};

/// The action for each kind of node. By default only the inner nodes are visited.
pub trait Rewriter: Sized {
    /// The place of a node.
    fn span(&mut self, _span: &mut Span) {}
    /// A name that the script uses or binds. Heads of calls and names of fields are included.
    fn name(&mut self, name: &mut Name) {
        self.span(&mut name.span);
    }
    /// The name of what a call calls. Unlike other names it is never a local one.
    fn callee(&mut self, name: &mut Name) {
        self.name(name);
    }
    /// A name that is bound here.
    fn binder(&mut self, name: &mut Name) {
        self.name(name);
    }
    /// A name that may be a hole, at a place where no local name can stand (fields, moments, `the CLASS`).
    fn hole(&mut self, name: &mut Name) {
        self.span(&mut name.span);
    }
    /// A name from the rules that cannot be a hole: a kind of ability, a keyword, a moment, a slot, a role.
    fn label(&mut self, name: &mut Name) {
        self.span(&mut name.span);
    }
    /// An expression.
    fn expr(&mut self, expr: &mut Expr) {
        walk_expr(self, expr);
    }
    /// A block.
    fn block(&mut self, block: &mut Block) {
        walk_block(self, block);
    }
    /// A statement.
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk_stmt(self, stmt);
    }
    /// A list of clauses.
    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        walk_clauses(self, clauses);
    }
    /// The changes of a clause.
    fn changes(&mut self, changes: &mut Vec<Change>) {
        walk_changes(self, changes);
    }
    /// The things that a clause strips.
    fn taken(&mut self, taken: &mut Vec<Stripped>) {
        walk_taken(self, taken);
    }
    /// An amount.
    fn amount(&mut self, amount: &mut Amount) {
        walk_amount(self, amount);
    }
    /// An ability.
    fn ability(&mut self, ability: &mut Ability) {
        walk_ability(self, ability);
    }
    /// A pattern.
    fn pattern(&mut self, pattern: &mut Pattern) {
        walk_pattern(self, pattern);
    }
}

fn walk_args<R: Rewriter>(r: &mut R, args: &mut [Arg]) {
    for arg in args {
        if let Some(name) = &mut arg.name {
            r.label(name);
        }
        r.expr(&mut arg.value);
    }
}

fn walk_pick<R: Rewriter>(r: &mut R, pick: &mut Pick) {
    r.amount(&mut pick.amount);
    r.expr(&mut pick.from);
    if let Some(by) = &mut pick.by {
        r.expr(by);
    }
}

/// Visits the inside of an amount.
pub fn walk_amount<R: Rewriter>(r: &mut R, amount: &mut Amount) {
    match amount {
        Amount::Exactly(number) | Amount::UpTo(number) | Amount::Announced(number) => r.expr(number),
        Amount::AnyNumber(span) => r.span(span),
    }
}

/// Visits the inside of an expression.
pub fn walk_expr<R: Rewriter>(r: &mut R, expr: &mut Expr) {
    r.span(&mut expr.span);
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Ordinal(..) | ExprKind::Bool(_) => {}
        ExprKind::Name(name) => r.name(name),
        ExprKind::Any(name) => r.binder(name),
        ExprKind::Every { name, member, condition } => {
            r.binder(name);
            if let Some(member) = member {
                r.binder(member);
            }
            if let Some(condition) = condition {
                r.expr(condition);
            }
        }
        ExprKind::The(name) | ExprKind::Hole(name) => r.hole(name),
        ExprKind::Call(name, args) => {
            r.callee(name);
            walk_args(r, args);
        }
        ExprKind::Field(of, name) => {
            r.expr(of);
            r.hole(name);
        }
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter_mut().for_each(|item| r.expr(item)),
        ExprKind::Printed(inner)
        | ExprKind::Cited(_, inner)
        | ExprKind::Not(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Exists(inner)
        | ExprKind::Some(inner)
        | ExprKind::All(inner)
        | ExprKind::Can(inner) => r.expr(inner),
        ExprKind::Binary(left, _, right) | ExprKind::WithoutEffect(left, right) => {
            r.expr(left);
            r.expr(right);
        }
        ExprKind::Is { subject, what, .. } => {
            r.expr(subject);
            r.hole(what);
        }
        ExprKind::Has { subject, what } => {
            r.expr(subject);
            r.expr(what);
        }
        ExprKind::If(condition, then, other) => {
            r.expr(condition);
            r.expr(then);
            r.expr(other);
        }
        ExprKind::Where { set, binder, condition } => {
            r.expr(set);
            if let Some(binder) = binder {
                r.binder(binder);
            }
            r.expr(condition);
        }
        ExprKind::End { count, zone, .. } => {
            if let Some(count) = count {
                r.expr(count);
            }
            r.expr(zone);
        }
        ExprKind::Pick(pick) => walk_pick(r, pick),
        ExprKind::Caused(name, of) => {
            r.hole(name);
            r.expr(of);
        }
        ExprKind::Happened(pattern, since) | ExprKind::Latest(pattern, since) => {
            r.pattern(pattern);
            match since {
                Some(Since::Named(point)) => r.label(point),
                Some(Since::Event(event)) => r.expr(event),
                None => {}
            }
        }
    }
}

/// Visits the inside of a pattern.
pub fn walk_pattern<R: Rewriter>(r: &mut R, pattern: &mut Pattern) {
    r.span(&mut pattern.span);
    for EventPattern { verb, args, span } in &mut pattern.events {
        r.span(span);
        r.name(verb);
        walk_args(r, args);
    }
    if let Some(condition) = &mut pattern.condition {
        r.expr(condition);
    }
}

/// Visits the inside of a block.
pub fn walk_block<R: Rewriter>(r: &mut R, block: &mut Block) {
    r.span(&mut block.span);
    block.statements.iter_mut().for_each(|stmt| r.stmt(stmt));
}

/// Visits the inside of a statement.
pub fn walk_stmt<R: Rewriter>(r: &mut R, stmt: &mut Stmt) {
    r.span(&mut stmt.span);
    match &mut stmt.kind {
        StmtKind::Break | StmtKind::Stop | StmtKind::ApplyRules | StmtKind::Return(None) => {}
        StmtKind::Let(name, value) => {
            r.expr(value);
            r.binder(name);
        }
        StmtKind::Assign(left, right) => {
            r.expr(left);
            r.expr(right);
        }
        StmtKind::If(condition, then, other) => {
            r.expr(condition);
            r.block(then);
            walk_optional(r, other);
        }
        StmtKind::Applies(condition) => r.expr(condition),
        StmtKind::Loop(body) | StmtKind::AsFarAsPossible(body) | StmtKind::Atomically(body) | StmtKind::Finally(body) => r.block(body),
        StmtKind::Judge(condition, body) | StmtKind::Veiled(condition, body) => {
            condition.iter_mut().for_each(|condition| r.expr(condition));
            r.block(body);
        }
        StmtKind::Repeat(value, body) | StmtKind::May(value, body, _) | StmtKind::ActingAs(value, body) => {
            r.expr(value);
            r.block(body);
        }
        StmtKind::For(binder, set, body) | StmtKind::SimultaneouslyFor { binder, set, body, .. } => {
            r.expr(set);
            r.binder(binder);
            r.block(body);
        }
        StmtKind::Return(Some(value)) | StmtKind::Perform(value) => r.expr(value),
        StmtKind::Label(name) | StmtKind::Restart(name) | StmtKind::Mark(name, _) | StmtKind::Hole(name) => r.hole(name),
        StmtKind::Choose(choose) => walk_choose(r, choose),
        StmtKind::ChooseMatch { name, of, args, by, .. } => {
            r.label(of);
            walk_args(r, args);
            by.iter_mut().for_each(|by| r.expr(by));
            r.binder(name);
        }
        StmtKind::Attempt(body, other) => {
            r.block(body);
            walk_optional(r, other);
        }
        StmtKind::Simultaneously(blocks) => blocks.iter_mut().for_each(|block| r.block(block)),
        StmtKind::Call(name, args) => {
            r.callee(name);
            walk_args(r, args);
        }
        StmtKind::Emit(name, args, mark) => {
            r.label(name);
            walk_args(r, args);
            mark.iter_mut().for_each(|mark| r.label(mark));
        }
        StmtKind::Interrupt(name, args) => {
            r.label(name);
            walk_args(r, args);
        }
        StmtKind::InterruptFor { binder, set, timing, args } => {
            r.expr(set);
            r.binder(binder);
            r.label(timing);
            walk_args(r, args);
        }
        StmtKind::PutBy(body, moment) => {
            r.block(body);
            moment.iter_mut().for_each(|moment| r.hole(moment));
        }
        StmtKind::Lasting(duration, clauses) => {
            r.hole(duration);
            r.clauses(clauses);
        }
        StmtKind::Offer(offer) => walk_offer(r, offer),
        StmtKind::Declare(name, offer) => {
            walk_offer(r, offer);
            r.binder(name);
        }
        StmtKind::Recheck(conditions, other) => {
            conditions.iter_mut().for_each(|condition| r.expr(condition));
            walk_optional(r, other);
        }
        StmtKind::Watch(condition, body, aborted) => {
            r.expr(condition);
            r.block(body);
            r.block(aborted);
        }
        StmtKind::During(role, args, body) => {
            r.label(role);
            walk_args(r, args);
            r.block(body);
        }
    }
}

fn walk_optional<R: Rewriter>(r: &mut R, block: &mut Option<Block>) {
    if let Some(block) = block {
        r.block(block);
    }
}

fn walk_choose<R: Rewriter>(r: &mut R, choose: &mut Choose) {
    walk_pick(r, &mut choose.pick);
    choose.by.iter_mut().for_each(|by| r.expr(by));
    r.binder(&mut choose.name);
    choose.together.iter_mut().for_each(|together| r.expr(together));
}

fn walk_offer<R: Rewriter>(r: &mut R, offer: &mut Offer) {
    r.expr(&mut offer.player);
    offer.from.iter_mut().for_each(|group| r.expr(group));
    walk_optional(r, &mut offer.acted);
    walk_optional(r, &mut offer.passed);
}

/// Visits the inside of a list of clauses.
pub fn walk_clauses<R: Rewriter>(r: &mut R, clauses: &mut [Clause]) {
    clauses.iter_mut().for_each(|clause| walk_clause(r, clause));
}

/// Visits the inside of a clause.
pub fn walk_clause<R: Rewriter>(r: &mut R, clause: &mut Clause) {
    r.span(&mut clause.span);
    match &mut clause.kind {
        ClauseKind::Modify(of, changes) | ClauseKind::Price(of, changes) => {
            r.expr(of);
            r.changes(changes);
        }
        ClauseKind::Grant(to, given) => {
            r.expr(to);
            given.iter_mut().for_each(|given| walk_given(r, given));
        }
        ClauseKind::Strip(from, taken) => {
            r.expr(from);
            r.taken(taken);
        }
        ClauseKind::Disable(of) | ClauseKind::Assume(of) => r.expr(of),
        ClauseKind::Shield(of) => {
            r.expr(&mut of.cards);
            match &mut of.from {
                ShieldFrom::Choices(choices) => choices.iter_mut().for_each(|choice| r.label(choice)),
                ShieldFrom::EffectsThat(_, field) => r.label(field),
                ShieldFrom::Effects | ShieldFrom::EffectsBefore => {}
            }
            of.effects.iter_mut().for_each(|condition| r.expr(condition));
        }
        ClauseKind::Forbid(pattern) | ClauseKind::Permit(pattern) => r.pattern(pattern),
        ClauseKind::Require(choice, value) => {
            r.label(choice);
            r.expr(value);
        }
        ClauseKind::Instead(pattern, body)
        | ClauseKind::When(pattern, body)
        | ClauseKind::NextTime(pattern, body)
        | ClauseKind::NextInstead(pattern, body) => {
            r.pattern(pattern);
            r.block(body);
        }
        ClauseKind::Whenever(condition, body) => {
            r.expr(condition);
            r.block(body);
        }
        ClauseKind::While(condition, clauses) => {
            r.expr(condition);
            r.clauses(clauses);
        }
        ClauseKind::Hole(name) => r.hole(name),
    }
}

fn walk_given<R: Rewriter>(r: &mut R, given: &mut Granted) {
    match given {
        Granted::Ability(ability) => r.ability(ability),
        Granted::Change(change) => walk_changes(r, std::slice::from_mut(change)),
        Granted::Slot(slot, value) => {
            r.label(slot);
            r.expr(value);
        }
        Granted::Like(abilities) => r.expr(abilities),
    }
}

/// Visits the inside of a list of stripped things.
pub fn walk_taken<R: Rewriter>(r: &mut R, taken: &mut [Stripped]) {
    taken.iter_mut().for_each(|taken| match taken {
        Stripped::Keyword(name) => r.label(name),
        Stripped::Abilities(kind) => kind.iter_mut().for_each(|kind| r.label(kind)),
        Stripped::Ability(ability) => r.ability(ability),
        Stripped::Field(ChangeField::Named(name) | ChangeField::Hole(name)) => r.hole(name),
    });
}

/// Visits the inside of a list of changes.
pub fn walk_changes<R: Rewriter>(r: &mut R, changes: &mut [Change]) {
    for change in changes {
        r.span(&mut change.span);
        match &mut change.field {
            ChangeField::Named(name) | ChangeField::Hole(name) => r.hole(name),
        }
        r.expr(&mut change.value);
    }
}

/// Visits the inside of an ability.
pub fn walk_ability<R: Rewriter>(r: &mut R, ability: &mut Ability) {
    r.span(&mut ability.span);
    walk_args(r, &mut ability.slots);
    match &mut ability.kind {
        AbilityBody::Kind(name, body) => {
            r.label(name);
            r.block(body);
        }
        AbilityBody::Static(condition, clauses) => {
            condition.iter_mut().for_each(|condition| r.expr(condition));
            r.clauses(clauses);
        }
        AbilityBody::When(pattern, body) | AbilityBody::Instead(pattern, body) => {
            r.pattern(pattern);
            r.block(body);
        }
        AbilityBody::Whenever(condition, body) => {
            r.expr(condition);
            r.block(body);
        }
        AbilityBody::Keyword(name) => r.label(name),
        AbilityBody::Deck(limits) => limits.iter_mut().for_each(|limit| walk_limit(r, limit)),
        AbilityBody::Hole(name) => r.hole(name),
    }
}

fn walk_limit<R: Rewriter>(r: &mut R, limit: &mut DeckLimit) {
    let limit = match limit {
        DeckLimit::Bound(bound) => bound,
        DeckLimit::Must(must) => {
            r.span(&mut must.span);
            return r.expr(&mut must.condition);
        }
    };
    r.span(&mut limit.span);
    r.span(&mut limit.what.span);
    limit.by.iter_mut().for_each(|by| r.span(&mut by.span));
    r.expr(&mut limit.bound);
    if let Some((field, _, value)) = &mut limit.counted {
        r.span(&mut field.span);
        r.expr(value);
    }
    if let Some(when) = &mut limit.when {
        r.expr(when);
    }
}
