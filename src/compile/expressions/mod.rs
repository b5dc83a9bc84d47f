//! Expressions: names are looked up, types are checked, nodes are made.
//!
//! `expression` is the way in. `pattern` and `event` are expressions about actions; `pick` lifts a choice that stands inside of a call;
//! `scope` compiles an expression that stands outside of the rules.
//!
//! | file | does |
//! | --- | --- |
//! | `argument.rs` | puts the arguments of a call in the order of the parameters: by position, by name, by default |
//! | `comparison.rs` | compiles operators between two expressions: comparisons, membership, sums, set operations |
//! | `event.rs` | compiles events and causes as values |
//! | `expression.rs` | compiles expressions: looks up names, checks types, makes nodes |
//! | `function.rs` | compiles calls inside expressions |
//! | `language.rs` | words that are values of the language itself |
//! | `matches.rs` | compiles matches of requirements and units |
//! | `name.rs` | compiles bare names, texts that stand for names, and names after a dot |
//! | `nodes.rs` | makes the nodes of expressions |
//! | `pattern.rs` | compiles event patterns: a verb with conditions on its arguments, names that bind, a cause, a condition |
//! | `pick.rs` | compiles choices: `choose`, and a pick inside a call |
//! | `scope.rs` | compiles expressions and patterns that stand outside the rules |
//! | `test_is.rs` | compiles `x is W` and `x has W` |
//! | `types.rs` | the compiler's types: the type of an expression, and the type that a place wants |

pub(crate) mod argument;
pub(crate) mod comparison;
pub(crate) mod event;
pub(crate) mod expression;
pub(crate) mod function;
pub(crate) mod language;
pub(crate) mod matches;
pub(crate) mod name;
pub(crate) mod nodes;
pub(crate) mod pattern;
pub(crate) mod pick;
pub(crate) mod scope;
pub(crate) mod test_is;
pub(crate) mod types;
