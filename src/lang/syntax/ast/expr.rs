//! The tree of expressions and patterns. An expression changes nothing and always ends. Rules, cards, wordings, scenarios and questions
//! have the same expressions.

use super::{Cite, Name};
use crate::diagnostic::Span;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Where the expression stands.
    pub span: Span,
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `5`.
    Number(i32),
    /// `"鳥"`: a text. Where a card is wanted, the card of that name.
    Text(String),
    /// `"鳥" #2`: the second of the offered things with that name. Only in the answers of scenarios.
    Ordinal(String, i32),
    /// `true`, `false`.
    Bool(bool),
    /// `hand`, `p`, `it`, `you`, `this`, `red`, `done`, `players`, `pending` …
    Name(Name),
    /// `outranks(a, b)`, `hand(p)`, `count(S)`: a function, a zone of a player, a builtin.
    Call(Name, Vec<Arg>),
    /// `c.win`, `a.weight`, `p.ep`.
    Field(Box<Expr>, Name),
    /// `printed c.win`: the field as printed, without any effect (the operand is a field).
    Printed(Box<Expr>),
    /// `[風, 土]`.
    List(Vec<Expr>),
    /// `(a, b)`: only compared with lists of tuples.
    Tuple(Vec<Expr>),
    /// `@805.1 x`: a condition with the rules that it carries out when the outcome depends on it. Usually an operand of `and` or `or`.
    Cited(Vec<Cite>, Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// `-x`.
    Negate(Box<Expr>),
    /// `a + b`, `a == b`, `a and b`, `x in S`, `S without T` …
    Binary(Box<Expr>, BinaryOp, Box<Expr>),
    /// `x is marked`, `S is empty`, `a is not on_show`: a state, a kind, an emptiness.
    Is {
        /// What is tested.
        subject: Box<Expr>,
        /// `is not`.
        negated: bool,
        /// The state, kind or type, or `empty`, `none`, `gone`, `full`.
        what: Name,
    },
    /// `it has ambush`, `c has 風`.
    Has {
        /// What is tested.
        subject: Box<Expr>,
        /// The keyword or value.
        what: Box<Expr>,
    },
    /// `x exists`: it is not undefined.
    Exists(Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `S where C`, `S as u where C`.
    Where {
        /// The set.
        set: Box<Expr>,
        /// The member's name; `it` when not given.
        binder: Option<Name>,
        /// The condition.
        condition: Box<Expr>,
    },
    /// `some S`: S has a member. A `where` of the set is the condition.
    Some(Box<Expr>),
    /// `all S as u where C`: every member of S satisfies C. The `where` is the last operator of S.
    All(Box<Expr>),
    /// `top of Z`, `top 3 of Z`, `bottom of Z`.
    End {
        /// `top` or `bottom`.
        end: End,
        /// How many; one card (not a set) when not given.
        count: Option<Box<Expr>>,
        /// The ordered zone.
        zone: Box<Expr>,
    },
    /// `1 from S`, `up to 2 from S`, `any number from S`: a choice by the acting player. It becomes a `choose` before the statement.
    Pick(Box<Pick>),
    /// `happened refill(a)`: the history has a matching event. With `since` only events after that point count.
    Happened(Box<Pattern>, Option<Since>),
    /// `latest (damage(u) or weakened(u)) since rules_checked`: the most recent event that one of the patterns fits.
    Latest(Box<Pattern>, Option<Since>),
    /// `can attack(a, t)`: the action would not be forbidden or impossible now.
    Can(Box<Expr>),
    /// `x.P without e`, also written `P of x without e`: the value as if the effect `e` did not exist.
    WithoutEffect(Box<Expr>, Box<Expr>),
    /// `battle of attacker`: a cause, and the card that the cause belongs to.
    Caused(Name, Box<Expr>),
    /// `any x`: binds a name. Only in a pattern's argument.
    Any(Name),
    /// `all g`, `all g where C`, `all g as c where C`: binds the set of all things that the event happens to, or that happen together, if C
    /// is true for each of them. Only in a pattern's argument.
    Every {
        /// The name of the set.
        name: Name,
        /// The name of a member in the condition; `it` when not given.
        member: Option<Name>,
        /// What each member has to satisfy.
        condition: Option<Box<Expr>>,
    },
    /// `the discarded`: something that an earlier phrase gave. Only in a wording's script.
    The(Name),
    /// `$n`: the filling of a template's hole. Only in a wording's script.
    Hole(Name),
}

/// Binary operators. `Except` and `Union` bind weakest; then, ever more tightly, `or`, `and`, comparisons and membership, sums, products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// Set difference, `S except T`.
    Except,
    /// Set union, `S with T`.
    Union,
}

/// Which end of an ordered zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the words")]
pub enum End {
    Top,
    Bottom,
}

/// An argument of a call: `x` or `by: x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// The parameter's name where written.
    pub name: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// The amount and the domain of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// How many.
    pub amount: Amount,
    /// Among what.
    pub from: Expr,
    /// Who chooses. Only of a pick inside a call; a `choose` keeps the player itself.
    pub by: Option<Expr>,
}

/// The amount of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// `2`: exactly two, or as many as there are.
    Exactly(Expr),
    /// `up to 2`.
    UpTo(Expr),
    /// `announced up to 2`: the number is announced at the head of the block.
    Announced(Expr),
    /// `any number`.
    AnyNumber(Span),
}

/// A point in history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// `since m`. The name can be a mark, a function that gives an event, or a local name for an event.
    Named(Name),
    /// `since latest draw(p)`, `since f(c)`: that event.
    Event(Box<Expr>),
}

/// An event pattern: `move(any c, from: shield(you))`, several joined by `or`, with an optional condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The alternatives.
    pub events: Vec<EventPattern>,
    /// `where C` over the bound names.
    pub condition: Option<Expr>,
    /// Where the pattern stands.
    pub span: Span,
}

/// One verb with the values its arguments must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPattern {
    /// The action.
    pub verb: Name,
    /// `any x` binds; anything else is compared (a set or zone: membership).
    pub args: Vec<Arg>,
    /// Where the pattern stands.
    pub span: Span,
}
