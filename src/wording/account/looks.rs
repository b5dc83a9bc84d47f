//! Finds the actions with which a player looks at cards and that do nothing else: the builtin `look`, and declared actions and procedures.
//!
//! Input: the declarations of a game. Output: for each of these actions, which cards the player sees: the cards of a parameter, or cards at
//! an end of a zone that the action names itself. An action that also moves a card or changes a value is none of them: a player who is
//! asked whether to do the action is asked about the change too.

use engine::program::Builtin;
use lang::syntax::ast::{Arg, DeclKind, Expr, ExprKind, Routine, RulesFile, Stmt, StmtKind};
use lang::syntax::visit::{Visitor, walk_stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The statement with which an action says that it was not done.
const FAIL: &str = "fail";

/// The cards that an action shows to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// The cards of this parameter: its name and its place.
    Parameter(Arc<str>, usize),
    /// Cards at an end of a zone.
    AtAnEnd,
}

/// The declared actions and procedures that only look.
#[derive(Clone, Debug, Default)]
pub(super) struct Looks {
    of: FxHashMap<Arc<str>, Seen>,
}

impl Looks {
    /// The actions and procedures of these files that only look. Calls are followed until nothing is added.
    pub(super) fn new(files: &[RulesFile]) -> Self {
        let routines: Vec<&Routine> = files
            .iter()
            .flat_map(|file| &file.items)
            .filter_map(|decl| match &decl.kind {
                DeclKind::Action(routine) | DeclKind::Procedure(routine) => Some(routine),
                _ => None,
            })
            .collect();
        let names: FxHashSet<&str> = routines.iter().map(|routine| routine.head.name.text.as_str()).collect();
        let mut looks = Self::default();
        loop {
            let before = looks.of.len();
            for routine in &routines {
                let mut body = Body { looks: &looks, names: &names, routine, ends: FxHashSet::default(), seen: None, acts: false };
                body.block(&routine.body);
                if let (false, Some(seen)) = (body.acts, body.seen) {
                    looks.of.insert(Arc::from(routine.head.name.text.as_str()), seen);
                }
            }
            if looks.of.len() == before {
                return looks;
            }
        }
    }

    /// What a call lets a player see. None: the call is no look.
    pub(super) fn seen<'a>(&self, name: &str, args: &'a [Arg]) -> Option<Cards<'a>> {
        let (parameter, place) = match self.of.get(name) {
            Some(Seen::AtAnEnd) => return Some(Cards::AtAnEnd),
            Some(Seen::Parameter(parameter, place)) => (&**parameter, *place),
            None if name == Builtin::Look.name() => (*Builtin::Look.parameters().first()?, 0),
            None => return None,
        };
        let named = args.iter().find(|arg| arg.name.as_ref().is_some_and(|name| name.text == parameter));
        let at_place = || args.get(place).filter(|arg| arg.name.is_none());
        Some(named.or_else(at_place).map_or(Cards::Unsaid, |arg| Cards::Of(&arg.value)))
    }
}

/// The cards that a call lets a player see.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cards<'a> {
    /// The cards of an argument.
    Of(&'a Expr),
    /// Cards at an end of a zone.
    AtAnEnd,
    /// The call does not say which.
    Unsaid,
}

impl Cards<'_> {
    /// Whether these are cards at an end of a zone. `ends`: the local names of cards at an end.
    pub(super) fn are_at_an_end(self, ends: &FxHashSet<String>) -> bool {
        match self {
            Cards::AtAnEnd => true,
            Cards::Of(expr) => is_end(expr, ends),
            Cards::Unsaid => false,
        }
    }
}

/// Whether the expression is cards at an end of a zone, or a local name of these.
pub(super) fn is_end(expr: &Expr, ends: &FxHashSet<String>) -> bool {
    match &expr.kind {
        ExprKind::End { .. } => true,
        ExprKind::Name(name) => ends.contains(&name.text),
        _ => false,
    }
}

/// A walk through the body of an action.
struct Body<'a> {
    looks: &'a Looks,
    /// The declared actions and procedures.
    names: &'a FxHashSet<&'a str>,
    routine: &'a Routine,
    /// The local names of cards at an end of a zone.
    ends: FxHashSet<String>,
    seen: Option<Seen>,
    /// Whether the body does more than look.
    acts: bool,
}

impl Body<'_> {
    /// Whether the call is a look. Its cards are added to those that the action shows.
    fn looks(&mut self, name: &str, args: &[Arg]) -> bool {
        let Some(cards) = self.looks.seen(name, args) else { return false };
        if cards.are_at_an_end(&self.ends) {
            self.seen = Some(Seen::AtAnEnd);
        } else if let Cards::Of(Expr { kind: ExprKind::Name(name), .. }) = cards
            && let Some(place) = self.routine.params.iter().position(|param| param.name.text == name.text)
        {
            self.seen.get_or_insert(Seen::Parameter(Arc::from(name.text.as_str()), place));
        }
        true
    }
}

impl Visitor<'_> for Body<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Call(name, args) => self.acts |= !self.looks(&name.text, args) && name.text != FAIL,
            StmtKind::Let(local, value) => {
                if is_end(value, &self.ends) {
                    self.ends.insert(local.text.clone());
                } else if let ExprKind::Call(name, args) = &value.kind {
                    let is_builtin = Builtin::ALL.iter().any(|verb| verb.name() == name.text);
                    self.acts |= !self.looks(&name.text, args) && (is_builtin || self.names.contains(name.text.as_str()));
                }
            }
            StmtKind::Assign(left, _) => self.acts |= !matches!(left.kind, ExprKind::Name(_)),
            StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::Repeat(..)
            | StmtKind::For(..)
            | StmtKind::Break
            | StmtKind::Return(_)
            | StmtKind::Stop
            | StmtKind::Choose(_)
            | StmtKind::May(..)
            | StmtKind::Attempt(..)
            | StmtKind::AsFarAsPossible(_)
            | StmtKind::Applies(_)
            | StmtKind::SimultaneouslyFor { .. }
            | StmtKind::Simultaneously(_)
            | StmtKind::Atomically(_)
            | StmtKind::ActingAs(..) => {}
            _ => self.acts = true,
        }
        walk_stmt(self, stmt);
    }
}
