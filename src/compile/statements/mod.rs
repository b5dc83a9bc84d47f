//! Statements: turns the bodies of actions, rules and options into flat code.
//!
//! `bodies` is the second pass of the compiler: it lowers each body, once every name has its number. `body` is one body while it is
//! lowered.

pub(in crate::compile) mod action;
pub(in crate::compile) mod announced;
mod asking_circles;
pub(in crate::compile) mod base_sets;
pub(in crate::compile) mod bodies;
pub(in crate::compile) mod body;
pub(in crate::compile) mod control;
pub(in crate::compile) mod option;
pub(in crate::compile) mod rule;
pub(in crate::compile) mod statement;
pub(in crate::compile) mod stretches;
