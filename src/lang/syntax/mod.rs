//! Syntax: reads the text of one file into a tree, and formats the text of a file.
//!
//! Input: the text of one `*.rules`, `*.cards` or `*.scenarios` file, or one line (an expression, a decision, a question). Output: the tree
//! of `ast/`, whose spans are places in that text, and a list of diagnostics. Reading never fails: the declarations that could be read come
//! back beside the diagnostics, so one broken declaration does not hide another. This folder looks up no names, checks no types and opens
//! no other files. The pairs of the parser library pest do not leave this folder.
//!
//! The way of a text: `scan.rs` checks brackets and signs. `cut.rs` cuts the text into declarations. `parse.rs` runs the grammar
//! (`grammar/*.pest`) on each of them. The files of `build/` turn the parser's pairs into the tree.
//!
//! | file | does |
//! | --- | --- |
//! | `ast/` | the syntax tree |
//! | `read.rs` | the entry points: `parse_rules`, `parse_cards`, `parse_scenarios`, and those for single lines |
//! | `scan.rs` | the pass before the grammar: unclosed brackets and texts, nesting |
//! | `mended.rs` | full-width signs where half-width ones belong |
//! | `signs.rs` | single signs, and the lengths of words, texts and quotations |
//! | `limits.rs` | limits of a text, with their reasons |
//! | `words.rs` | the reserved words, and the words that begin declarations |
//! | `cut.rs` | cuts a file into its declarations |
//! | `header.rs` | the first lines of a file: edition and game |
//! | `parse.rs` | runs the grammar on one declaration |
//! | `build/` | builds the tree from the pairs of the parser |
//! | `copy.rs` | writes out `become … except { … }` and `make … except { … }` as plain statements |
//! | `templates.rs` | puts `given NAME { … }` and the cards of a scenario file into its scenarios |
//! | `untaken.rs` | blanks the families of shared wordings that no file takes |
//! | `under.rs` | splits a scenario with `under NAME = VALUE { … }` into one scenario for each value |
//! | `errors.rs` | turns an error of the parser into a diagnostic |
//! | `expected.rs` | names for grammar rules in diagnostics |
//! | `spelt.rs` | the fixed words with which each grammar rule begins, for diagnostics |
//! | `format/` | the formatter |
//! | `tests/reference.rs` | test: every grammar rule has an example in `docs/` |
//! | `walks.rs` | the children of each node: what both visitors of the tree are made from |
//! | `visit.rs` | the visitor that reads a script or a declaration |
//! | `rewrite.rs` | the visitor that changes a script in place |
//! | `slots.rs` | every word of a file, with the grammar rules around it |
//! | `tests/misspelt.rs` | test: the message about a misspelt word of the language names the word |
//! | `tests/rings.rs` | test: the scan counts every recursion of the grammar |

pub mod ast;
mod build;
mod copy;
mod cut;
mod errors;
mod expected;
mod format;
mod header;
mod limits;
mod mended;
#[cfg(test)]
#[path = "tests/misspelt.rs"]
mod misspelt;
mod parse;
mod read;
#[cfg(test)]
#[path = "tests/reference.rs"]
mod reference;
pub mod rewrite;
#[cfg(test)]
#[path = "tests/rings.rs"]
mod rings;
mod scan;
mod signs;
pub mod slots;
mod spelt;
mod templates;
mod under;
mod untaken;
pub mod visit;
mod walks;
mod words;

pub use copy::AS_COPY;
pub use format::format;
pub use format::tokens::{Kind as TokenKind, cites, tokens};
pub use read::{on_readers, parse_cards, parse_expression, parse_play, parse_question, parse_rules, parse_scenarios};
pub use signs::{half_width, look_alike, normal};
pub use untaken::without_untaken;
pub use words::{CLAUSE_WORDS, WORDS, Words, declaration_words};

/// The kinds of file of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `*.rules`.
    Rules,
    /// `*.cards`.
    Cards,
    /// `*.scenarios`.
    Scenarios,
}
