//! The engine: a compiled program, a state, and the machine that takes one to the next.
//!
//! Takes a [`program::Program`] and answers; gives decisions, events and a verdict. Deliberately absent: files, paths, the
//! syntax tree, comparisons of strings, any word of a game.

mod answer;
mod assign;
mod attempt;
mod batch;
pub mod board;
mod branches;
mod builtin;
pub(crate) mod cause;
mod change;
mod choose;
mod circles;
mod cost;
mod decide;
mod effects;
pub mod eval;
mod falling;
mod fields;
mod history;
pub mod ids;
pub mod joint;
pub mod known;
pub mod laid;
mod lane;
mod laps;
mod layers;
pub mod limits;
mod loops;
pub mod machine;
mod made;
mod matching;
mod moves;
pub mod observe;
mod offer;
mod options;
mod perform;
mod plan;
pub mod position;
pub mod program;
mod quick;
mod quiet;
pub mod random;
mod room;
mod rules;
pub mod run;
pub mod save;
mod scopes;
mod sets;
mod shapes;
mod showing;
mod slots;
pub mod state;
mod step;
mod subjects;
mod suppose;
mod ties;
mod told;
mod triggers;
mod uses;
pub mod value;
pub mod view;
pub mod watch;
pub mod why;

pub(crate) use effects::keep;
