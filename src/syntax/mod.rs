//! Syntax: text to tree, and tree back to text.
pub mod ast;
