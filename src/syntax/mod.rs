//! Syntax: text to tree, and tree back to text.
//!
//! Takes the text of one file; gives its tree with places in that text, and what is wrong with it. Reading never fails:
//! what could be read comes back beside the diagnostics, one broken declaration does not hide another. Deliberately
//! absent: names looked up, types, other files; pest's pairs, which end in this folder.

pub mod ast;
mod build;
mod build_cards;
mod build_clause;
mod build_decl;
mod build_expr;
mod build_property;
mod build_rule;
mod build_scenario;
mod build_stmt;
mod build_wording;
mod copy;
mod cut;
mod errors;
mod expected;
mod format;
mod format_lines;
mod format_marks;
mod format_tokens;
mod header;
mod parse;
mod read;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod rings;
mod scan;
mod signs;
mod templates;
mod under;
mod words;

pub use copy::AS_COPY;
pub use format::format;
pub(crate) use format_tokens::{Kind as TokenKind, cites, tokens};
pub use header::EDITION;
pub use read::{on_readers, parse_cards, parse_expression, parse_play, parse_question, parse_rules, parse_scenarios};
pub use signs::normal;
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
