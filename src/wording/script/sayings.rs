//! Calls that only wordings have ("sayings"): conditions on another object, events of another player, owners of things.
//!
//! Weaving replaces `holds`, `said` and `whose`, and computes constant numbers, so that no finished script contains a saying.

use crate::script::weave::THIS;
use lang::diagnostic::Span;
use lang::syntax::ast::{Arg, BinaryOp, Expr, ExprKind, Name, Pattern, Stmt};
use lang::syntax::rewrite::{Rewriter, walk_expr};
use lang::syntax::visit::{EachExpr, Visitor, walk_expr as walk_inside, walk_pattern, walk_stmt};
use rustc_hash::FxHashSet;

/// The field of a card that holds its owner.
pub(crate) const OWNER: &str = "owner";

/// Finds the player whose zone a script mentions first, or who is named as the owner of things.
pub(crate) struct Owner<'a> {
    /// Declared zones.
    pub zones: &'a FxHashSet<String>,
    /// The player found.
    pub found: Option<Expr>,
    /// The name of the objects. The search stops after the statement or event that binds this name.
    pub until: Option<&'a str>,
    /// Whether the name is bound yet.
    pub bound: Bound,
}

/// Whether a name is bound yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Not yet, or there is no name.
    #[default]
    No,
    /// In the statement or event being visited.
    Here,
    /// In an earlier statement or event.
    Before,
}

impl Owner<'_> {
    fn passed(&mut self) {
        if self.bound == Bound::Here {
            self.bound = Bound::Before;
        }
    }
}

impl Visitor<'_> for Owner<'_> {
    fn binder(&mut self, name: &Name) {
        if self.until == Some(name.text.as_str()) {
            self.bound = Bound::Here;
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
        self.passed();
    }

    fn pattern(&mut self, pattern: &Pattern) {
        walk_pattern(self, pattern);
        self.passed();
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            _ if self.bound == Bound::Before => {}
            ExprKind::Call(name, args) if self.found.is_none() && self.zones.contains(&name.text) => {
                // If the zone belongs to "whoever they belong to", no owner is named. If the argument is a card, no owner is named either:
                // then the call is an action with the zone's name.
                self.found = args.first().map(|arg| arg.value.clone()).filter(|owner| !is_whose(owner) && !is_this(owner));
            }
            // The player who is named as their owner.
            ExprKind::Binary(of, BinaryOp::Equal, owner)
                if self.found.is_none() && matches!(&of.kind, ExprKind::Field(_, field) if field.text == OWNER) =>
            {
                self.found = Some(owner.as_ref().clone()).filter(|owner| !is_whose(owner) && !is_this(owner));
            }
            _ => walk_inside(self, expr),
        }
    }
}

fn is_whose(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(name, _) if name.text == "whose")
}

/// Whether an expression is the text's own card.
fn is_this(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name.text == THIS)
}

/// The player in whose zone objects are. For a reference, this is known only when the reference is bound; for `it`, when an object is
/// filled in.
///
/// A player who is named elsewhere keeps the place of that phrase.
pub(crate) fn whose(zones: &FxHashSet<String>, objects: &Expr, span: Span) -> Expr {
    let call = |value: Expr| {
        let saying = Name { text: "whose".to_owned(), span };
        Expr { kind: ExprKind::Call(saying, vec![Arg { name: None, value }]), span }
    };
    if matches!(&objects.kind, ExprKind::Name(name) if name.text == "it") {
        return call(objects.clone());
    }
    let mut owner = Owner { zones, found: None, until: None, bound: Bound::No };
    owner.expr(objects);
    match (owner.found, reference(objects)) {
        (Some(owner), _) => owner,
        (None, Some(class)) => call(Expr { kind: ExprKind::The(class), span }),
        (None, None) => Expr { kind: ExprKind::Field(Box::new(objects.clone()), Name { text: OWNER.to_owned(), span }), span },
    }
}

/// Resolves `whose(it)` once `it` is an object.
pub(crate) struct Whose<'a> {
    /// Declared zones.
    pub zones: &'a FxHashSet<String>,
    /// The phrase.
    pub span: Span,
}

impl Rewriter for Whose<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Call(_, args) = &expr.kind
            && is_whose(expr)
            && let [Arg { value, .. }] = args.as_slice()
        {
            *expr = whose(self.zones, value, self.span);
            return;
        }
        walk_expr(self, expr);
    }
}

/// The first reference in an expression.
fn reference(expr: &Expr) -> Option<Name> {
    let mut first = None;
    EachExpr(|expr: &Expr| {
        if let ExprKind::The(class) = &expr.kind {
            first.get_or_insert_with(|| class.clone());
        }
    })
    .expr(expr);
    first
}

/// Replaces a name in a script by an object.
struct Said<'a> {
    name: &'a str,
    object: &'a Expr,
}

impl Rewriter for Said<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(name) if name.text == self.name => *expr = self.object.clone(),
            // Inside another filter, `it` is the member of that filter.
            ExprKind::Where { set, binder: None, .. } if self.name == "it" => self.expr(set),
            // There `it` is a member of the set, so only the set is changed.
            ExprKind::Call(name, args) if self.name == "it" && asks_members(&name.text, args) => {
                args.iter_mut().take(1).for_each(|set| self.expr(&mut set.value));
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// Whether the second argument of a call is said of each member of the first one. `least` and `greatest` also compare two numbers. Types are
/// not known here, so the form of the first argument decides.
fn asks_members(function: &str, args: &[Arg]) -> bool {
    match (function, args) {
        ("sum" | "sorted", _) => true,
        ("least" | "greatest", [first, _]) => may_be_a_set(&first.value),
        _ => false,
    }
}

/// Whether an expression has the form of a set, and not of a number.
fn may_be_a_set(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => name.text != "it",
        // `field` is also a name for a zone: the value of a field has two arguments.
        ExprKind::Call(name, args) => match name.text.as_str() {
            "count" | "sum" | "least" | "greatest" => false,
            "field" => args.len() < 2,
            _ => true,
        },
        ExprKind::Binary(left, BinaryOp::Union | BinaryOp::Except, _) => may_be_a_set(left),
        ExprKind::Where { .. } | ExprKind::List(_) | ExprKind::End { .. } | ExprKind::The(_) => true,
        _ => false,
    }
}

/// A condition on `it`, with the object in its place.
pub(crate) fn said_of(mut condition: Expr, name: &str, object: &Expr) -> Expr {
    Said { name, object }.expr(&mut condition);
    condition
}

/// The class of `the opponent`. This is a player, so no phrase has to give it.
const OPPONENT: &str = "opponent";

/// Whether an expression is `the opponent`: the opponent of the text's player, whoever acts.
pub(crate) fn is_the_opponent(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::The(class) if class.text == OPPONENT)
}

/// A player by a name: `you`.
pub(crate) fn player(name: &str, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(Name { text: name.to_owned(), span }), span }
}

/// `opponent(p)`. The opponent of an opponent is the player.
pub(crate) fn opponent_of(player: Expr) -> Expr {
    let span = player.span;
    let call = ExprKind::Call(Name { text: OPPONENT.to_owned(), span }, vec![Arg { name: None, value: player }]);
    Expr { kind: computed(&call).unwrap_or(call), span }
}

/// Replaces `the opponent` by this player's opponent, where both players do the same.
struct EachOnes<'a>(&'a Expr);

impl Rewriter for EachOnes<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if is_the_opponent(expr) {
            *expr = opponent_of(self.0.clone());
            return;
        }
        walk_expr(self, expr);
    }
}

/// An event of `you`, changed into an event of another player. Its cause is not changed: 「相手が自分の効果で…」 means an effect of the text's player.
pub(crate) fn pattern_of(mut pattern: Pattern, player: &Expr) -> Pattern {
    let causes = pattern.events.iter_mut().map(|event| take_cause(&mut event.args)).collect::<Vec<_>>();
    if matches!(&player.kind, ExprKind::Call(..)) {
        EachOnes(player).pattern(&mut pattern);
    }
    Said { name: "you", object: player }.pattern(&mut pattern);
    for (event, cause) in pattern.events.iter_mut().zip(causes) {
        event.args.extend(cause);
    }
    pattern
}

/// Both conditions joined by `and`, or the only one.
pub(crate) fn also(first: Option<Expr>, second: Expr) -> Expr {
    let Some(first) = first else { return second };
    let span = second.span;
    Expr { kind: ExprKind::Binary(Box::new(first), BinaryOp::And, Box::new(second)), span }
}

/// The argument with the cause of an event.
pub(crate) fn is_cause(arg: &Arg) -> bool {
    arg.name.as_ref().is_some_and(|name| name.text == "by")
}

fn take_cause(args: &mut Vec<Arg>) -> Option<Arg> {
    let at = args.iter().position(is_cause)?;
    Some(args.remove(at))
}

/// An event with this cause, unless it has one already.
pub(crate) fn laid_to(mut pattern: Pattern, cause: &Arg) -> Pattern {
    for event in &mut pattern.events {
        if !event.args.iter().any(is_cause) {
            event.args.push(cause.clone());
        }
    }
    pattern
}

/// The positive amount of a written negative one: 2 for `-2`, `2 * x` for `-2 * x`.
pub(crate) fn negated(kind: &ExprKind) -> Option<ExprKind> {
    match kind {
        ExprKind::Number(number) if *number < 0 => number.checked_neg().map(ExprKind::Number),
        ExprKind::Negate(inner) => Some(inner.kind.clone()),
        ExprKind::Binary(left, BinaryOp::Multiply, right) => {
            let left = Expr { kind: negated(&left.kind)?, span: left.span };
            Some(ExprKind::Binary(Box::new(left), BinaryOp::Multiply, right.clone()))
        }
        _ => None,
    }
}

/// An expression that can be computed at once: `-1` for `-(1)`, `x` for `1 * x`.
pub(crate) fn computed(kind: &ExprKind) -> Option<ExprKind> {
    // In a game of two, the opponent of the opponent is the player.
    if let ExprKind::Call(outer, args) = kind
        && let [Arg { value: Expr { kind: ExprKind::Call(inner, player), .. }, .. }] = args.as_slice()
        && outer.text == "opponent"
        && inner.text == "opponent"
    {
        return player.first().map(|player| player.value.kind.clone());
    }
    let ExprKind::Binary(left, op, right) = kind else {
        let ExprKind::Negate(inner) = kind else { return None };
        let ExprKind::Number(number) = inner.kind else { return None };
        return number.checked_neg().map(ExprKind::Number);
    };
    match (&left.kind, op, &right.kind) {
        (ExprKind::Number(left), BinaryOp::Add, ExprKind::Number(right)) => left.checked_add(*right).map(ExprKind::Number),
        (ExprKind::Number(left), BinaryOp::Subtract, ExprKind::Number(right)) => left.checked_sub(*right).map(ExprKind::Number),
        (ExprKind::Number(left), BinaryOp::Multiply, ExprKind::Number(right)) => left.checked_mul(*right).map(ExprKind::Number),
        (ExprKind::Number(1), BinaryOp::Multiply, other) | (other, BinaryOp::Multiply | BinaryOp::Divide, ExprKind::Number(1)) => {
            Some(other.clone())
        }
        (ExprKind::Number(-1), BinaryOp::Multiply, _) => Some(ExprKind::Negate(right.clone())),
        _ => None,
    }
}
