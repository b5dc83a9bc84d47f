//! Wording declarations (a stub until the wording floor's own builder stands here).

use super::ast::WordingDecl;
use super::build::Cx;
use super::parse::Rule;
use pest::iterators::Pair;

/// `wording kaiun { … }`.
pub(crate) fn wording(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WordingDecl> {
    Some(WordingDecl { span: cx.span(&pair) })
}
