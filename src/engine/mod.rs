//! The engine: a compiled program, a state, and the machine that takes one to the next.
//!
//! Takes a [`program::Program`] and answers; gives decisions, events and a verdict. Deliberately absent: files, paths, the
//! syntax tree, comparisons of strings, any word of a game.

mod attempt;
pub mod board;
mod change;
mod choose;
mod decide;
mod effects;
pub mod eval;
mod fields;
pub mod ids;
pub mod limits;
pub mod machine;
pub mod observe;
mod perform;
mod plan;
pub mod position;
pub mod program;
mod quick;
pub mod random;
pub mod run;
pub mod save;
mod sequence;
pub mod state;
mod step;
pub mod value;
pub mod watch;
