//! Walking a declaration and breaking it in one place: the same walk lists the places and breaks the one that is wanted.
//!
//! Every place where something can be broken is counted in the order of the walk; the list and the breaking agree because they are one.
//! What each construct can suffer is in the files beside this one. Deliberately absent: whether the broken rules compile, and whether
//! anybody notices.

use super::kind::Kind;
use crate::diagnostic::Span;
use crate::syntax::ast::{Cite, Expr, ExprKind, Name, Param};

/// Which scenarios can notice that a place is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those that carry out a statement in this place.
    Statement(Span),
    /// Those in which the condition of the statement in this place is not met once: to have it always met changes nothing for the others.
    Condition(Span),
    /// Those that choose the reading that is declared in this place: with its default value the condition holds as it is.
    Reading(Span),
    /// Those with a card whose text this template reads.
    Template(Span),
    /// Any.
    Everywhere,
}

/// A place where the rules can be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// How.
    pub kind: Kind,
    /// Where.
    pub span: Span,
    /// The rules that the place carries out: those of the innermost thing around it that cites any.
    pub cites: Vec<String>,
    /// The rules of everything around it.
    pub under: Vec<String>,
    /// The statement, clause, phrase or template that it is part of.
    pub part_of: Span,
    /// Who can notice.
    pub reach: Reach,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    wanted: Option<usize>,
    next: usize,
    /// The places, when none is wanted.
    pub sites: Vec<Site>,
    cites: Vec<Vec<String>>,
    reach: Vec<Reach>,
    parts: Vec<Span>,
    /// Names that stand for a player, innermost last.
    pub players: Vec<String>,
    /// Names that stand for several players.
    pub groups: Vec<String>,
    /// Holes that a number fills.
    pub numerals: Vec<String>,
}

impl Breaker {
    /// Lists every place.
    pub fn listing() -> Self {
        Self { players: vec!["you".to_owned()], groups: vec!["players".to_owned()], ..Self::default() }
    }

    /// Breaks place number `wanted`.
    pub fn breaking(wanted: usize) -> Self {
        Self { wanted: Some(wanted), ..Self::listing() }
    }

    /// A place; whether it is to be broken now.
    pub fn here(&mut self, kind: Kind, span: Span) -> bool {
        let at = self.next;
        self.next += 1;
        if self.wanted.is_some() {
            return self.wanted == Some(at);
        }
        let cites = self.cites.iter().rev().find(|cites| !cites.is_empty()).cloned().unwrap_or_default();
        let under = self.cites.iter().flatten().cloned().collect();
        let reach = self.reach.last().copied().unwrap_or(Reach::Everywhere);
        let part_of = self.parts.last().copied().unwrap_or(span);
        self.sites.push(Site { kind, span, cites, under, part_of, reach });
        false
    }

    /// What follows stands under these rules, until [`Breaker::leave`].
    pub fn enter(&mut self, cites: &[Cite], part: Span) {
        self.cites.push(cites.iter().map(|cite| cite.id.clone()).collect());
        self.parts.push(part);
    }

    /// The end of what was entered last.
    pub fn leave(&mut self) {
        self.cites.pop();
        self.parts.pop();
    }

    /// Does `inside` with another reach.
    pub fn reaching(&mut self, reach: Reach, inside: impl FnOnce(&mut Self)) {
        // Who can notice a template's statement is decided by the template.
        let reach = match self.reach.last() {
            Some(Reach::Template(template)) => Reach::Template(*template),
            _ => reach,
        };
        self.reach.push(reach);
        inside(self);
        self.reach.pop();
    }

    /// The names of a routine's players.
    pub fn parameters(&mut self, params: &[Param]) {
        for param in params.iter().filter(|param| param.of.name.text == "player") {
            let names = if param.of.set { &mut self.groups } else { &mut self.players };
            names.push(param.name.text.clone());
        }
    }

    /// A name bound to a member of a set: a player where the set is one of players.
    pub fn bind_member(&mut self, name: &str, set: &Expr) {
        if self.is_of_players(set) {
            self.players.push(name.to_owned());
        }
    }

    /// A name bound to a value.
    pub fn bind(&mut self, name: &Name, value: &Expr) {
        if matches!(&value.kind, ExprKind::Call(called, _) if called.text == "opponent") {
            self.players.push(name.text.clone());
        }
    }

    fn is_of_players(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Name(name) => self.groups.contains(&name.text),
            ExprKind::Where { set, .. } => self.is_of_players(set),
            ExprKind::Some(set) | ExprKind::All(set) => self.is_of_players(set),
            _ => false,
        }
    }

    /// Does `inside`; names bound in it end with it.
    pub fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let (players, groups) = (self.players.len(), self.groups.len());
        inside(self);
        self.players.truncate(players);
        self.groups.truncate(groups);
    }
}

/// `opponent(p)`, or what it is the opponent of.
pub(super) fn other_player(player: &Expr) -> Expr {
    if let ExprKind::Call(name, args) = &player.kind
        && name.text == "opponent"
        && let [of] = args.as_slice()
    {
        return of.value.clone();
    }
    call("opponent", player.clone())
}

fn call(name: &str, of: Expr) -> Expr {
    let span = of.span;
    let arg = crate::syntax::ast::Arg { name: None, value: of };
    Expr { kind: ExprKind::Call(Name { text: name.to_owned(), span }, vec![arg]), span }
}
