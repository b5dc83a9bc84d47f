//! Walks a declaration and breaks it in one place. The same walk lists the places and breaks the wanted one.
//!
//! Every place that can be broken is counted in the order of the walk. Listing and breaking agree because they are the same walk. The
//! breaks of each construct are in the `break_*.rs` files. Whether the broken rules compile, and whether anybody notices, is decided
//! elsewhere.

use super::kind::Kind;
use lang::diagnostic::Span;
use lang::syntax::ast::{Arg, Block, Change, Cite, Clause, Expr, ExprKind, Granted, Name, Param, Pattern};
use lang::syntax::rewrite::Rewriter;

/// The scenarios that can notice a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Scenarios that carry out a statement in this place.
    Statement(Span),
    /// Scenarios in which the condition of the statement in this place is false at least once. For other scenarios a condition that is
    /// always true makes no difference.
    Condition(Span),
    /// Scenarios that choose the reading declared in this place. Under its default value, the condition is always true.
    Reading(Span),
    /// Scenarios with a card whose text this template reads.
    Template(Span),
    /// All scenarios.
    Everywhere,
}

/// A place where the rules can be broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The kind of break.
    pub kind: Kind,
    /// The place.
    pub span: Span,
    /// The rules that the place carries out: those of the innermost surrounding thing with citations.
    pub cites: Vec<String>,
    /// The rules of everything around the place.
    pub under: Vec<String>,
    /// The statement, clause, phrase or template around the place.
    pub part_of: Span,
    /// The scenarios that can notice.
    pub reach: Reach,
}

/// The walk; see the module.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    wanted: Option<usize>,
    /// Whether the game has three players or more. Such a game has no `opponent`.
    several: bool,
    next: usize,
    /// The places, if none is to be broken.
    pub sites: Vec<Site>,
    cites: Vec<Vec<String>>,
    reach: Vec<Reach>,
    parts: Vec<Span>,
    /// The names that stand for one player, the innermost last.
    pub players: Vec<String>,
    /// Names that stand for several players.
    pub groups: Vec<String>,
    /// Holes that a number fills.
    pub numerals: Vec<String>,
}

impl Breaker {
    /// A walk that lists every place.
    pub(crate) fn listing() -> Self {
        Self { players: vec!["you".to_owned()], groups: vec!["players".to_owned()], ..Self::default() }
    }

    /// A walk that breaks place number `wanted`, in a game of two players or of `several`.
    pub(crate) fn breaking(wanted: usize, several: bool) -> Self {
        Self { wanted: Some(wanted), several, ..Self::listing() }
    }

    /// Counts a place. Gives whether it is to be broken now.
    pub(crate) fn here(&mut self, kind: Kind, span: Span) -> bool {
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

    /// Walks the members of a list. A member for which `place` gives its place can be left out.
    pub(crate) fn each_or_less<T>(
        &mut self,
        all: &mut Vec<T>,
        place: impl Fn(&T) -> Option<Span>,
        mut inside: impl FnMut(&mut Self, &mut T),
    ) {
        all.retain_mut(|one| {
            let left_out = place(one).is_some_and(|span| self.here(Kind::LeftOut, span));
            if !left_out {
                inside(self, one);
            }
            !left_out
        });
    }

    /// Notes that everything up to the next [`Breaker::leave`] stands under these rules and belongs to this part.
    pub(crate) fn enter(&mut self, cites: &[Cite], part: Span) {
        self.cites.push(cites.iter().map(|cite| cite.id.clone()).collect());
        self.parts.push(part);
    }

    /// Ends the last `enter`.
    pub(crate) fn leave(&mut self) {
        self.cites.pop();
        self.parts.pop();
    }

    /// Walks `inside` with another reach.
    pub(crate) fn reaching(&mut self, reach: Reach, inside: impl FnOnce(&mut Self)) {
        // Inside a template, the template decides which scenarios can notice.
        let reach = match self.reach.last() {
            Some(Reach::Template(template)) => Reach::Template(*template),
            _ => reach,
        };
        self.reach.push(reach);
        inside(self);
        self.reach.pop();
    }

    /// Adds the players among a routine's parameters.
    pub(crate) fn parameters(&mut self, params: &[Param]) {
        for param in params.iter().filter(|param| param.of.name.text == "player") {
            let names = if param.of.set { &mut self.groups } else { &mut self.players };
            names.push(param.name.text.clone());
        }
    }

    /// Binds a name for a member of a set. If the set is a set of players, the name is a player.
    pub(crate) fn bind_member(&mut self, name: &str, set: &Expr) {
        if self.is_of_players(set) {
            self.players.push(name.to_owned());
        }
    }

    /// Binds a name for a value.
    pub(crate) fn bind(&mut self, name: &Name, value: &Expr) {
        if matches!(&value.kind, ExprKind::Call(called, _) if called.text == "opponent") {
            self.players.push(name.text.clone());
        }
    }

    /// `opponent(p)`; for `opponent(p)` itself, `p`. In a game of three players or more, `next(p)`.
    pub(crate) fn other_player(&self, player: &Expr) -> Expr {
        if let ExprKind::Call(name, args) = &player.kind
            && name.text == "opponent"
            && let [of] = args.as_slice()
        {
            return of.value.clone();
        }
        call(if self.several { "next" } else { "opponent" }, player.clone())
    }

    fn is_of_players(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Name(name) => self.groups.contains(&name.text),
            ExprKind::Where { set, .. } => self.is_of_players(set),
            ExprKind::Some(set) | ExprKind::All(set) => self.is_of_players(set),
            _ => false,
        }
    }

    /// Walks `inside`. Names that are bound inside are forgotten afterwards.
    pub(crate) fn scope(&mut self, inside: impl FnOnce(&mut Self)) {
        let (players, groups) = (self.players.len(), self.groups.len());
        inside(self);
        self.players.truncate(players);
        self.groups.truncate(groups);
    }
}

/// What has no break of its own is walked through: its parts are broken.
impl Rewriter for Breaker {
    fn expr(&mut self, expr: &mut Expr) {
        Breaker::expr(self, expr);
    }

    fn args(&mut self, args: &mut Vec<Arg>) {
        self.arguments(args);
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        Breaker::pattern(self, pattern);
    }

    fn block(&mut self, block: &mut Block) {
        Breaker::block(self, block);
    }

    fn clauses(&mut self, clauses: &mut Vec<Clause>) {
        Breaker::clauses(self, clauses);
    }

    fn changes(&mut self, changes: &mut Vec<Change>) {
        Breaker::changes(self, changes);
    }

    fn given(&mut self, given: &mut Vec<Granted>) {
        Breaker::given(self, given);
    }
}

fn call(name: &str, of: Expr) -> Expr {
    let span = of.span;
    let arg = Arg { name: None, value: of };
    Expr { kind: ExprKind::Call(Name { text: name.to_owned(), span }, vec![arg]), span }
}
