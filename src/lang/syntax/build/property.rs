//! Builds properties: phrases of reserved words in a declaration's braces, with the citations before or after them.
//!
//! pest skips blanks, so it gives a citation after a property to that property. But a citation at the beginning of a line belongs to the
//! next property. This file moves the citation to the next property.

use crate::syntax::ast::{Cite, Head, Name, Property};
use crate::syntax::build::{Cx, expr, inner};
use crate::syntax::parse::Rule;
use crate::syntax::signs::is_blank;
use pest::iterators::Pair;

/// The properties in order.
pub(crate) fn properties<'i>(cx: &mut Cx<'_>, pairs: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Vec<Property>> {
    let (mut all, mut margin) = (Vec::new(), Vec::new());
    for pair in pairs {
        let mut property = property(cx, pair, &mut margin)?;
        property.cites.sort_by_key(|cite| cite.span.start);
        all.push(property);
    }
    if let Some(last) = all.last_mut() {
        last.cites.append(&mut margin);
    }
    Some(all)
}

/// The members of an enum: names with labels and citations.
pub(crate) fn members<'i>(cx: &mut Cx<'_>, pairs: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Vec<Head>> {
    let (mut all, mut margin): (Vec<Head>, Vec<Cite>) = (Vec::new(), Vec::new());
    for pair in pairs {
        let (mut name, mut label, mut cites) = (None, None, std::mem::take(&mut margin));
        for part in inner(pair) {
            match part.as_rule() {
                Rule::cite => attach(cx, &part, name.is_some(), &mut cites, &mut margin),
                Rule::name => name = Some(cx.name(&part)),
                _ => label = cx.text(part),
            }
        }
        let name: Name = name?;
        let span = label.as_ref().map_or(name.span, |label: &crate::syntax::ast::Text| name.span.to(label.span));
        all.push(Head { name, label, cites, span });
    }
    if let Some(last) = all.last_mut() {
        last.cites.append(&mut margin);
    }
    Some(all)
}

fn property(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, margin: &mut Vec<Cite>) -> Option<Property> {
    let (mut words, mut value, mut cites) = (Vec::new(), None, std::mem::take(margin));
    let mut span = None;
    for part in inner(pair) {
        let place = cx.span(&part);
        match part.as_rule() {
            Rule::cite => {
                attach(cx, &part, span.is_some(), &mut cites, margin);
                continue;
            }
            Rule::property_value => value = Some(expr(cx, part)?),
            Rule::at_most_each => {
                for piece in inner(part) {
                    match piece.as_rule() {
                        Rule::property_value => value = Some(expr(cx, piece)?),
                        _ => words.extend(phrase(cx, &piece)),
                    }
                }
            }
            _ => words.extend(phrase(cx, &part)),
        }
        span = Some(span.map_or(place, |earlier: crate::diagnostic::Span| earlier.to(place)));
    }
    Some(Property { words, value, cites, span: span? })
}

fn attach(cx: &Cx<'_>, pair: &Pair<'_, Rule>, behind: bool, cites: &mut Vec<Cite>, margin: &mut Vec<Cite>) {
    let cite = cx.cite(pair);
    // A citation in the margin of a line belongs together with all citations after it on the same line.
    if behind && (!margin.is_empty() || begins_line(cx, pair)) { margin.push(cite) } else { cites.push(cite) }
}

fn begins_line(cx: &Cx<'_>, pair: &Pair<'_, Rule>) -> bool {
    let before = cx.source.get(..pair.as_span().start()).unwrap_or("");
    before.rsplit('\n').next().is_some_and(|line| line.chars().all(|sign| matches!(sign, ' ' | '\t' | '\u{3000}')))
}

/// The words of a phrase, each with its place. Blanks between them are skipped.
pub(crate) fn phrase(cx: &Cx<'_>, pair: &Pair<'_, Rule>) -> Vec<Name> {
    let mut words = Vec::new();
    let start = cx.span(pair).start;
    let mut rest = pair.as_str();
    let mut at = start;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_alphabetic() || first == '_' => rest.find(is_blank).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(length);
        if !is_blank(first) {
            words.push(cx.word(word, at));
        }
        at += length as u32;
        rest = behind;
    }
    words
}
