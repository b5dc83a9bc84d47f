//! The breaks of clauses and abilities.

use super::breaker::Breaker;
use super::kind::Kind;
use lang::diagnostic::Span;
use lang::syntax::ast::{Ability, AbilityBody, Change, Clause, ClauseKind, DeckLimit, Expr, ExprKind, Granted, Stripped};
use lang::syntax::rewrite::walk_clause;

impl Breaker {
    /// Breaks clauses. A clause can become one that never holds. It is not removed, because something that only this clause uses (a hole of
    /// a template) would then be missing.
    pub(crate) fn clauses(&mut self, clauses: &mut [Clause]) {
        for clause in clauses {
            let span = clause.span;
            self.enter(&clause.cites, span);
            if self.here(Kind::Removed, span) {
                let never = Expr { kind: ExprKind::Bool(false), span };
                clause.kind = ClauseKind::While(never, vec![Clause { cites: Vec::new(), ..clause.clone() }]);
            } else {
                self.clause(clause, span);
            }
            self.leave();
        }
    }

    fn clause(&mut self, clause: &mut Clause, span: Span) {
        match &mut clause.kind {
            ClauseKind::Strip(from, taken) => {
                self.expr(from);
                self.taken(taken, span);
            }
            // A clause for one time becomes one for every time.
            ClauseKind::NextTime(pattern, body) if self.here(Kind::Unbound, span) => {
                clause.kind = ClauseKind::When(pattern.clone(), body.clone());
            }
            ClauseKind::NextInstead(pattern, body) if self.here(Kind::Unbound, span) => {
                clause.kind = ClauseKind::Instead(pattern.clone(), body.clone());
            }
            ClauseKind::Whenever(condition, body) => {
                self.condition(condition);
                self.block(body);
            }
            ClauseKind::While(condition, clauses) => {
                self.deciding(condition);
                self.clauses(clauses);
            }
            _ => walk_clause(self, clause),
        }
    }

    pub(crate) fn changes(&mut self, changes: &mut Vec<Change>) {
        let several = changes.len() > 1;
        self.each_or_less(changes, |change| several.then_some(change.span), |breaker, change| breaker.expr(&mut change.value));
    }

    /// Breaks the list of a `grant`. If the list has several members, each can be removed.
    pub(crate) fn given(&mut self, all: &mut Vec<Granted>) {
        let several = all.len() > 1;
        let span = |given: &Granted| match given {
            Granted::Ability(ability) => ability.span,
            Granted::Change(change) => change.span,
            Granted::Slot(_, value) | Granted::Like(value) => value.span,
        };
        let inside = |breaker: &mut Self, given: &mut Granted| match given {
            Granted::Ability(ability) => breaker.ability(ability),
            Granted::Change(Change { value, .. }) | Granted::Slot(_, value) | Granted::Like(value) => breaker.expr(value),
        };
        self.each_or_less(all, |given| several.then(|| span(given)), inside);
    }

    fn taken(&mut self, all: &mut Vec<Stripped>, span: Span) {
        if all.len() > 1 && self.here(Kind::LeftOut, span) {
            all.pop();
        }
        for taken in all {
            if let Stripped::Ability(ability) = taken {
                self.ability(ability);
            }
        }
    }

    /// Breaks an ability: its slots and its body.
    pub(crate) fn ability(&mut self, ability: &mut Ability) {
        self.enter(&ability.cites, ability.span);
        self.arguments(&mut ability.slots);
        match &mut ability.kind {
            AbilityBody::Kind(_, body) => self.block(body),
            AbilityBody::Static(condition, clauses) => {
                condition.iter_mut().for_each(|condition| self.deciding(condition));
                self.clauses(clauses);
            }
            AbilityBody::When(pattern, body) | AbilityBody::Instead(pattern, body) => {
                self.pattern(pattern);
                self.block(body);
            }
            AbilityBody::Whenever(condition, body) => {
                self.condition(condition);
                self.block(body);
            }
            AbilityBody::Deck(limits) => self.limits(limits),
            AbilityBody::Keyword(_) | AbilityBody::Hole(_) => {}
        }
        self.leave();
    }

    /// Breaks the limits of a deck check. Each can be removed.
    pub(crate) fn limits(&mut self, limits: &mut Vec<DeckLimit>) {
        let mut at = 0;
        while let Some(limit) = limits.get_mut(at) {
            self.enter(limit.cites(), limit.span());
            if self.here(Kind::Removed, limit.span()) {
                limits.remove(at);
                self.leave();
                return;
            }
            match limit {
                DeckLimit::Bound(bound) => self.expr(&mut bound.bound),
                DeckLimit::Must(must) => self.condition(&mut must.condition),
            }
            self.leave();
            at += 1;
        }
    }
}
