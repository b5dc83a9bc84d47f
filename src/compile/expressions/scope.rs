//! Compiles expressions and patterns that stand outside the rules: in a scenario, or in a question at the command line.

use crate::Compiler;
use crate::analysis::mentions::Mentions;
use crate::expressions::expression::Lowering;
use crate::expressions::language::is_word;
use crate::expressions::pattern::Use;
use crate::expressions::types::Ty;
use crate::statements::body::{Binding, Body, Typed};
use engine::ids::{EnumId, Id, NodeId, PatternId, RoutineId};
use engine::program::{Op, Type};
use engine::value::{Player, Value};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Expr, ExprKind, GivenBegun, Pattern};
use lang::syntax::visit::Visitor;

/// Names that stand for values: the seats, and the names that a scenario gives with `as x`.
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

    /// Adds a name. A later name hides an earlier one.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value, ty: Ty) -> Self {
        self.names.push((name.to_owned(), value, ty));
        self
    }
}

impl Compiler {
    /// Compiles an expression in which these names are known. A text that is compared with a card means the card of that name or number.
    ///
    /// # Errors
    /// All findings in the expression.
    pub fn expression(&mut self, expr: &Expr, scope: &Scope) -> Result<(NodeId, Ty), Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| {
            let typed = lowering.expr(expr, None);
            (typed.node, typed.ty)
        })
    }

    /// Compiles an expression of a wanted type in which these names are known.
    ///
    /// # Errors
    /// All findings in the expression. `E0204` if the expression has another type.
    pub fn expression_of(&mut self, expr: &Expr, want: Ty, scope: &Scope) -> Result<NodeId, Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| lowering.wanted(expr, want))
    }

    /// Compiles a pattern, in which these names are known, for a question about the history.
    ///
    /// # Errors
    /// All findings in it.
    pub fn pattern(&mut self, pattern: &Pattern, scope: &Scope) -> Result<PatternId, Vec<Diagnostic>> {
        self.within_scope(scope, |lowering| lowering.pattern(pattern, Use::Recorded).0)
    }

    /// `you` or `this`, if the effect of a position mentions its source.
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

    /// A body that puts a position's effect in force. The names of `scope` are known in the body. `you` and `this` are the player and the
    /// card of the body's frame.
    ///
    /// # Errors
    /// All findings in the effect.
    pub fn effects(&mut self, (begun, span): (&GivenBegun, Span), scope: &Scope) -> Result<RoutineId, Vec<Diagnostic>> {
        let (title, span) = match begun {
            GivenBegun::Lasting(duration, _) => (duration.text.as_str(), duration.span),
            GivenBegun::PutBy(..) => ("put by", span),
            GivenBegun::Came(_) => ("came", span),
        };
        self.within_scope(scope, |lowering| {
            let inner = Body { texts_are_cards: true, span, ..Body::default() };
            lowering.nested(inner, 0, Self::title(title), |lowering| {
                // The names are put into registers, because a clause captures registers.
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

    /// The value of a constant expression (a number, an enum's value, a card of the pool).
    ///
    /// # Errors
    /// All findings in it; `E0237` for an expression that needs a running game.
    pub fn constant(&mut self, expr: &Expr, want: Ty) -> Result<Value, Vec<Diagnostic>> {
        let outer = std::mem::take(&mut self.found);
        let value = self.constant_value(expr, Some(want));
        let found = std::mem::replace(&mut self.found, outer);
        value.map(|(value, _)| value).ok_or(found)
    }

    /// The value of a constant expression. The compiler stays unchanged: if needed, a copy of the compiler computes the value.
    ///
    /// # Errors
    /// All findings in the expression; `E0237` for an expression that needs a running game.
    pub fn constant_beside(&self, expr: &Expr, want: Ty) -> Result<Value, Vec<Diagnostic>> {
        match self.literal(expr, want) {
            Some(value) => Ok(value),
            None => self.clone().constant(expr, want),
        }
    }

    /// The value of an expression that needs no compiler: a number, a truth, or a value name of the wanted enum. Most values of a position
    /// are simple like this.
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
    pub(crate) fn value_of(&self, id: EnumId, word: &str) -> Option<Value> {
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
        if crate::has_errors(&found) { Err(found) } else { Ok(result) }
    }
}
