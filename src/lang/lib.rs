//! The language: source text to trees and back, and what is to be said about a text.
//!
//! This crate knows no types, no program and no game. It looks at one file at a time.
//!
//! | folder | does |
//! | --- | --- |
//! | `diagnostic/` | places in files, findings (errors and warnings) with their texts in two languages |
//! | `syntax/` | turns a source text into a syntax tree, and a tree into text |

// The code that pest generates from the grammar uses the name `alloc`.
extern crate alloc;

pub mod diagnostic;
pub mod syntax;

#[cfg(test)]
#[path = "../../tests/suite/asked_texts.rs"]
mod asked_texts;
