//! gyoji (行司, the referee): trading card games whose rules are data.

// What pest makes of the grammar names it.
extern crate alloc;

pub mod audit;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod engine;
pub mod players;
pub mod project;
pub mod report;
pub mod scenario;
pub mod syntax;
pub mod wording;
