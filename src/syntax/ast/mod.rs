//! The syntax tree: what a file says, with spans; owned, untyped, printable back to text.
//!
//! Takes nothing from the grammar (pest's rules end in `syntax/`), gives `compile/`, `wording/` and `scenario/` what they
//! read. Deliberately absent: names looked up, types, any notion of what a construct does.

mod blocks;
mod cards;
mod decl;
mod expr;
mod heads;
mod scenario;
mod stmt;
mod wording;

pub use cards::*;
pub use decl::*;
pub use expr::*;
pub use scenario::*;
pub use stmt::*;
pub use wording::*;

use crate::diagnostic::Span;
use std::sync::Arc;

/// A name as written (NFKC-normal), with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A text literal `"…"` or a quotation `「…」` without its outer marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text between the marks; escapes resolved.
    pub text: String,
    /// Where the text between the marks stands.
    pub span: Span,
}

/// A citation `@6-2-1`: the rule that the thing beside it carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cite {
    /// The rule's number as printed, without `@`.
    pub id: String,
    /// Where it stands.
    pub span: Span,
}

/// What follows the kind in the head of every declaration: `name(parameters) "label" @citations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The declared name.
    pub name: Name,
    /// The printed label.
    pub label: Option<Text>,
    /// The rules that the declaration carries out.
    pub cites: Vec<Cite>,
    /// The whole head, for diagnostics.
    pub span: Span,
}

/// A whole file: its edition line and its declarations in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File<D> {
    /// The `1` of the first line `gyoji 1`.
    pub edition: Option<(u32, Span)>,
    /// The game that a cards or scenario file names in its first declaration.
    pub game: Option<Name>,
    /// The declarations that could be read.
    pub items: Vec<D>,
}

/// A rules file. Copies of a game, and games that are broken in one place, have the other declarations in common.
pub type RulesFile = File<Arc<Decl>>;
