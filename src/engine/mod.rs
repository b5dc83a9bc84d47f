//! The engine.
pub mod random;
