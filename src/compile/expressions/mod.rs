//! Expressions: names are looked up, types are checked, nodes are made.
//!
//! `expression` is the way in. `pattern` and `event` are expressions about actions; `pick` lifts a choice that stands inside of a call;
//! `scope` compiles an expression that stands outside of the rules.

pub(in crate::compile) mod argument;
pub(in crate::compile) mod comparison;
pub(in crate::compile) mod event;
pub(in crate::compile) mod expression;
pub(in crate::compile) mod function;
pub(in crate::compile) mod matches;
pub(in crate::compile) mod name;
pub(in crate::compile) mod nodes;
pub(in crate::compile) mod pattern;
pub(in crate::compile) mod pick;
pub(in crate::compile) mod scope;
pub(in crate::compile) mod test_is;
pub(in crate::compile) mod types;
