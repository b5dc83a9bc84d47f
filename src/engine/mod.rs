//! The engine: a compiled program, a state, and the machine that leads from one state to the next.
//!
//! Input: a [`program::Program`] and answers. Output: decisions, events and a verdict. The engine knows no files, no paths, no syntax tree,
//! no comparisons of strings, and no word of a game.

pub mod abilities;
pub mod actions;
pub mod choices;
pub mod costs;
mod effects;
pub mod eval;
pub mod ids;
mod lane;
pub mod legal;
pub mod limits;
pub mod machine;
pub mod observe;
pub mod plan;
pub mod program;
pub mod random;
pub mod run;
pub mod state;
pub mod value;
pub mod visibility;
pub mod why;

pub(crate) use effects::keep;
