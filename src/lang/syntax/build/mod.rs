//! Turns pest's pairs into the tree: the functions that all builders share, and the builders that other folders may call.
//!
//! Input: the pairs of one declaration. Output: nodes whose spans are places in the whole file. A builder gives `None` only if a pair that
//! the grammar promises is missing; the declaration is then reported as unreadable (`E0119`).
//!
//! | file | does |
//! | --- | --- |
//! | `cards.rs` | builds cards |
//! | `clause.rs` | builds clauses, abilities and deck limits |
//! | `decl.rs` | builds declarations of rules files |
//! | `expr.rs` | builds expressions and patterns |
//! | `property.rs` | builds the properties in a declaration's braces |
//! | `rule.rs` | builds rules and options |
//! | `scenario.rs` | builds scenarios |
//! | `stmt.rs` | builds statements and blocks |
//! | `wording.rs` | builds wordings |

pub(super) mod cards;
pub(super) mod clause;
pub(super) mod decl;
mod expr;
mod property;
mod rule;
pub(super) mod scenario;
mod stmt;
mod wording;

use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::syntax::ast::{Cite, Head, Name, Param, Text, TypeName};
pub(crate) use crate::syntax::build::clause::{abilities, ability, clauses, deck_limits};
pub(crate) use crate::syntax::build::expr::{arguments, expr, ordinal, pattern, pick, value};
pub(crate) use crate::syntax::build::stmt::block;
use crate::syntax::parse::{Rule, is_mark};
use crate::syntax::signs::{is_blank, normal};
use pest::iterators::Pair;
use std::borrow::Cow;

/// The declaration that is being built.
pub(crate) struct Cx<'s> {
    /// The file.
    pub file: FileId,
    /// Where the declaration's text begins in it.
    pub base: u32,
    /// The declaration's text.
    pub source: &'s str,
    /// The file's text as it was written, before full-width signs were mended.
    pub written: &'s str,
    /// The diagnostics so far.
    pub diagnostics: Vec<Diagnostic>,
}

impl Cx<'_> {
    /// The pair's place in the file. Blanks that pest leaves behind an optional part are cut off.
    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let (start, end) = significant(pair);
        self.place(self.base + start as u32, self.base + end as u32)
    }

    /// A name. A name that is not NFKC-normal is reported and read in its normal form.
    pub(super) fn name(&mut self, pair: &Pair<'_, Rule>) -> Name {
        let (text, span) = (pair.as_str(), self.span(pair));
        let normal = normal(text);
        if let Cow::Owned(normal) = &normal {
            self.diagnostics.push(Diagnostic::error("E0109", span).with("name", text).with("normal", normal));
        }
        Name { text: normal.into_owned(), span }
    }

    /// A name made from a given word at a place of the file.
    pub(super) fn word(&self, text: &str, start: u32) -> Name {
        Name { text: text.to_owned(), span: self.place(start, start + text.len() as u32) }
    }

    fn place(&self, start: u32, end: u32) -> Span {
        on_boundaries(self.written, Span { file: self.file, start, end })
    }

    /// The inside of a text or quotation, with escapes resolved.
    pub(super) fn text(&self, pair: Pair<'_, Rule>) -> Option<Text> {
        let may_escape = pair.as_rule() == Rule::string;
        let inside = pair.into_inner().next()?;
        let written = inside.as_str();
        let escaped = may_escape && written.contains('\\');
        let text = if escaped { written.replace("\\\"", "\"").replace("\\\\", "\\") } else { written.to_owned() };
        Some(Text { text, span: self.span(&inside) })
    }

    /// A citation.
    pub(super) fn cite(&self, pair: &Pair<'_, Rule>) -> Cite {
        Cite { id: pair.as_str().trim_start_matches('@').to_owned(), span: self.span(pair) }
    }

    /// A number. A number that is too large is reported and read as zero.
    pub(super) fn number(&mut self, pair: &Pair<'_, Rule>) -> i32 {
        pair.as_str().trim_start_matches('x').parse().unwrap_or_else(|_| {
            let span = self.span(pair);
            self.diagnostics.push(Diagnostic::error("E0108", span).with("number", pair.as_str()).with("greatest", i32::MAX));
            0
        })
    }
}

/// The span widened to whole characters. Places come from the mended text, whose signs can be shorter than the written ones.
pub(crate) fn on_boundaries(written: &str, mut span: Span) -> Span {
    while !written.is_char_boundary(span.start as usize) && span.start > 0 {
        span.start -= 1;
    }
    while !written.is_char_boundary(span.end as usize) && (span.end as usize) < written.len() {
        span.end += 1;
    }
    span
}

/// The pairs inside without keywords and brackets.
pub(crate) fn inner<'i>(pair: Pair<'i, Rule>) -> impl Iterator<Item = Pair<'i, Rule>> {
    pair.into_inner().filter(|pair| !is_mark(pair.as_rule()))
}

/// All members, or none if one of them is missing. The list starts with room for one member, because most lists have only one. This saves
/// memory and time.
pub(crate) fn all<T>(mut parts: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let Some(first) = parts.next() else { return Some(Vec::new()) };
    let mut all = Vec::with_capacity(1);
    all.push(first?);
    for part in parts {
        all.push(part?);
    }
    Some(all)
}

/// The citations at the front of `pairs`.
pub(crate) fn cites<'i>(cx: &Cx<'_>, pairs: &mut std::iter::Peekable<impl Iterator<Item = Pair<'i, Rule>>>) -> Vec<Cite> {
    let mut cites = Vec::new();
    while let Some(pair) = pairs.next_if(|pair| pair.as_rule() == Rule::cite) {
        cites.push(cx.cite(&pair));
    }
    cites
}

/// The first of `pairs` with the rule; pairs before it are skipped.
pub(crate) fn find<'i>(pairs: &mut impl Iterator<Item = Pair<'i, Rule>>, rule: Rule) -> Option<Pair<'i, Rule>> {
    pairs.find(|pair| pair.as_rule() == rule)
}

/// The head `name "label" @cites`. The parameters and the result of a routine are left out.
pub(crate) fn head(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Head> {
    routine_head(cx, pair).map(|parts| parts.0)
}

/// The head of a routine in its three parts: `name(parameters) -> type "label" @cites`.
pub(crate) fn routine_head(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Head, Vec<Param>, Option<TypeName>)> {
    let span = cx.span(&pair);
    let (mut name, mut label, mut cites, mut params, mut result) = (None, None, Vec::new(), Vec::new(), None);
    for part in inner(pair) {
        match part.as_rule() {
            Rule::name => name = Some(cx.name(&part)),
            Rule::signature | Rule::judgement_signature => {
                for piece in inner(part) {
                    match piece.as_rule() {
                        Rule::params => params = all(inner(piece).map(|pair| param(cx, pair)))?,
                        _ => name = Some(cx.name(&piece)),
                    }
                }
            }
            Rule::string | Rule::quotation => label = cx.text(part),
            Rule::cite => cites.push(cx.cite(&part)),
            Rule::result => result = Some(type_name(cx, inner(part).next()?)?),
            _ => {}
        }
    }
    Some((Head { name: name?, label, cites, span }, params, result))
}

/// The head of a declaration without a name of its own (`setup`, `turn`): the keyword is its name.
pub(crate) fn unnamed_head(cx: &mut Cx<'_>, keyword: &Pair<'_, Rule>, pair: Pair<'_, Rule>) -> Head {
    let name = cx.name(keyword);
    let span = name.span.to(cx.span(&pair));
    let (mut label, mut cites) = (None, Vec::new());
    for part in inner(pair) {
        match part.as_rule() {
            Rule::cite => cites.push(cx.cite(&part)),
            _ => label = cx.text(part),
        }
    }
    let span = if label.is_none() && cites.is_empty() { name.span } else { span };
    Head { name, label, cites, span }
}

/// A type: `set of symbol`, `number`.
pub(crate) fn type_name(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<TypeName> {
    let mut parts = inner(pair).peekable();
    let set = parts.next_if(|part| part.as_rule() == Rule::set_of).is_some();
    Some(TypeName { set, name: cx.name(&parts.next()?) })
}

fn param(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Param> {
    let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::colon);
    let name = cx.name(&parts.next()?);
    let of = type_name(cx, parts.next()?)?;
    let (mut domain, mut default) = (None, None);
    while let Some(mark) = parts.next() {
        match mark.as_rule() {
            Rule::kw_in => domain = Some(expr(cx, parts.next()?)?),
            _ => default = Some(expr(cx, parts.next()?)?),
        }
    }
    Some(Param { name, of, domain, default })
}

/// The pair's beginning and end without blanks at its end. A pair without inner pairs keeps them, because it can be the inside of a text.
fn significant(pair: &Pair<'_, Rule>) -> (usize, usize) {
    let span = pair.as_span();
    let (start, end) = (span.start(), span.end());
    // The last bytes of all blanks, U+3000 included. Nearly no pair ends with a blank, so this test is quick.
    let last = end.checked_sub(1).and_then(|last| pair.get_input().as_bytes().get(last));
    if start == end || !matches!(last, Some(b' ' | b'\t' | b'\r' | b'\n' | 0x80)) {
        return (start, end);
    }
    let text = span.as_str();
    let blanks = text.len() - text.trim_end_matches(is_blank).len();
    let behind = if blanks == 0 || pair.clone().into_inner().next().is_none() { 0 } else { blanks };
    (start, end - behind)
}
