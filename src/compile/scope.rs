//! Expressions and patterns from outside the rules: of a scenario, or of a question at the command line.

use super::Compiler;
use super::body::{Binding, Body, Typed};
use super::expression::Lowering;
use super::mentions::Mentions;
use super::name::is_word;
use super::pattern::Use;
use super::types::Ty;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::ids::{EnumId, Id, NodeId, PatternId, RoutineId};
use crate::engine::program::{Op, Type};
use crate::engine::value::{Player, Value};
use crate::syntax::ast::{Expr, ExprKind, GivenBegun, Pattern};

/// Names that stand for values: seats, and what a scenario calls `as x`.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: Vec<(String, Value, Ty)>,
}

impl Scope {
    /// The seats a, b, … as players.
    #[must_use]
    pub fn seats(players: u8) -> Self {
        let seat = |at: u8| (char::from(b'a' + at.min(25)).to_string(), Value::Player(Player(at)), Ty::PLAYER);
        Self { names: (0..players).map(seat).collect() }
    }

    /// With another name; a later one hides an earlier one.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value, ty: Ty) -> Self {
        self.names.push((name.to_owned(), value, ty));
        self
    }
}

impl Compiler {
    /// An expression in sight of these names; a text beside a card is a card of that name or number.
    ///
    /// # Errors
    /// All findings in it.
    pub fn expression(&mut self, expr: &Expr, scope: &Scope) -> Result<(NodeId, Ty), Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| {
            let typed = lowering.expr(expr, None);
            (typed.node, typed.ty)
        })
    }

    /// The same where a type is wanted.
    ///
    /// # Errors
    /// All findings in it; `E0204` when it is of another type.
    pub fn expression_of(&mut self, expr: &Expr, want: Ty, scope: &Scope) -> Result<NodeId, Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| lowering.wanted(expr, want))
    }

    /// A pattern in sight of these names, asked of history.
    ///
    /// # Errors
    /// All findings in it.
    pub fn pattern(&mut self, pattern: &Pattern, scope: &Scope) -> Result<PatternId, Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| lowering.pattern(pattern, Use::Recorded).0)
    }

    /// `you` or `this`, where what has begun speaks of its source.
    #[must_use]
    pub fn means_its_source(&self, begun: &GivenBegun) -> Option<&'static str> {
        let mut mentions = Mentions::default();
        match begun {
            GivenBegun::Lasting(_, clauses) => clauses.iter().for_each(|clause| mentions.clause(clause)),
            GivenBegun::PutBy(block, _) => mentions.block(block),
            GivenBegun::Came(_) => {}
        }
        ["you", "this"].into_iter().find(|word| mentions.names.iter().any(|name| name == word))
    }

    /// A body that puts clauses in force for a duration, or a block by, in sight of these names; `you` and `this` are its frame's.
    ///
    /// # Errors
    /// All findings in them.
    pub fn effects(&mut self, (begun, span): (&GivenBegun, Span), scope: &Scope) -> Result<RoutineId, Vec<Diagnostic>> {
        let (title, span) = match begun {
            GivenBegun::Lasting(duration, _) => (duration.text.as_str(), duration.span),
            GivenBegun::PutBy(..) => ("put by", span),
            GivenBegun::Came(_) => ("came", span),
        };
        self.within_scope(scope, |lowering| {
            let inner = Body { texts_are_cards: true, span, ..Body::default() };
            lowering.nested(inner, 0, Self::title(title), |lowering| {
                // A clause takes with it what stands in registers.
                for (name, value, ty) in &scope.names {
                    let value = lowering.c.constant_node(*value);
                    let to = lowering.body.local(name, *ty);
                    lowering.body.emit(Op::Let { to, value });
                }
                match begun {
                    GivenBegun::Lasting(duration, clauses) => lowering.lasting(duration, clauses),
                    GivenBegun::PutBy(block, moment) => lowering.put_by(block, moment.as_ref(), span),
                    GivenBegun::Came(cards) => lowering.came(cards),
                }
            })
        })
    }

    /// What an expression is when it is a constant (a number, an enum's value, a card of the pool).
    ///
    /// # Errors
    /// All findings in it; `E0237` when only a game in progress could say.
    pub fn constant(&mut self, expr: &Expr, want: Ty) -> Result<Value, Vec<Diagnostic>> {
        let outer = std::mem::take(&mut self.found);
        let value = self.constant_value(expr, Some(want));
        let found = std::mem::replace(&mut self.found, outer);
        value.map(|(value, _)| value).ok_or(found)
    }

    /// The same; the compiler is left as it is.
    ///
    /// # Errors
    /// As [`Compiler::constant`].
    pub fn constant_beside(&self, expr: &Expr, want: Ty) -> Result<Value, Vec<Diagnostic>> {
        match self.literal(expr, want) {
            Some(value) => Ok(value),
            None => self.clone().constant(expr, want),
        }
    }

    /// What says its value by itself: a number, a truth, the name of a value of the enum that is wanted. Most that a position says is so.
    fn literal(&self, expr: &Expr, want: Ty) -> Option<Value> {
        match &expr.kind {
            ExprKind::Number(number) => (want == Ty::NUMBER).then_some(Value::Number(*number)),
            ExprKind::Bool(truth) => (want == Ty::BOOL).then_some(Value::Bool(*truth)),
            ExprKind::Name(name) if !want.set && !is_word(&name.text) => {
                let Type::Enum(id) = want.of else { return None };
                self.value_of(id, &name.text)
            }
            _ => None,
        }
    }

    /// A value of an enum, by name or label.
    pub(super) fn value_of(&self, id: EnumId, word: &str) -> Option<Value> {
        let at = self.symbols.values.get(id.index())?.find(word)?;
        Some(Value::Enum(id, u8::try_from(at).ok()?))
    }

    fn within_scope<T>(&mut self, scope: &Scope, lower: impl FnOnce(&mut Lowering<'_>) -> T) -> Result<T, Vec<Diagnostic>> {
        let outer = std::mem::take(&mut self.found);
        let mut body = Body { texts_are_cards: true, ..Body::default() };
        for (name, value, ty) in &scope.names {
            let node = self.constant_node(*value);
            body.bind(name, Binding::Node(Typed { node, ty: *ty }));
        }
        let result = lower(&mut Lowering::new(self, body));
        self.check_marks();
        self.check_replaced();
        let found = std::mem::replace(&mut self.found, outer);
        if super::has_errors(&found) { Err(found) } else { Ok(result) }
    }
}
