//! gyoji (行司, the referee): trading card games whose rules are data.

pub mod diagnostic;
pub mod engine;
pub mod syntax;
pub mod wording;
