//! The engine: a compiled program, a state, and the machine that takes one to the next.
//!
//! Takes a [`program::Program`] and answers; gives decisions, events and a verdict. Deliberately absent: files, paths, the
//! syntax tree, comparisons of strings, any word of a game.

pub mod board;
pub mod ids;
pub mod program;
pub mod random;
pub mod state;
pub mod value;
