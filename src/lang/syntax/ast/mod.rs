//! The syntax tree: the contents of a file with their places. It owns its texts, has no types, and can be printed back as text.
//!
//! `syntax/` makes the tree; `compile/`, `wording/` and `scenario/` read it. No parser rule stands in it. No name is looked up in it, and
//! it does not know what a construct does.
//!
//! | file | holds |
//! | --- | --- |
//! | `mod.rs` | names, texts, citations, heads, whole files |
//! | `decl.rs` | declarations of rules files |
//! | `stmt.rs` | statements and clauses |
//! | `expr.rs` | expressions and patterns |
//! | `cards.rs` | cards and abilities |
//! | `scenario.rs` | scenarios and questions |
//! | `wording.rs` | wordings: words, templates, frames |
//! | `heads.rs` | access to the head of a declaration |

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
    /// Where the name stands.
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
    /// Where the citation stands.
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

/// A rules file. Copies of a game share its declarations, for example copies that are broken in one place.
pub type RulesFile = File<Arc<Decl>>;
