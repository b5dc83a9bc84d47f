//! Wording declarations: templates over printed text (replaced by the wording floor's own design).

use crate::diagnostic::Span;

/// `wording kaiun { … }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingDecl {
    /// Where it stands.
    pub span: Span,
}
