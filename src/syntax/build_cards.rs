//! Cards: printed values, printed text, scripts.

use super::ast::{CardDecl, Expr, ExprKind};
use super::build::{Cx, abilities, expr, inner};
use super::parse::Rule;
use crate::diagnostic::Diagnostic;
use pest::iterators::Pair;

/// `card "A-001" unit "石" { … }`.
pub(crate) fn card(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<CardDecl> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let number = cx.text(parts.next()?)?;
    let mut card = CardDecl {
        number,
        of: None,
        like: None,
        name: None,
        values: Vec::new(),
        texts: Vec::new(),
        todos: Vec::new(),
        story: None,
        script: None,
        span,
    };
    for part in parts {
        part_of(cx, &mut card, part)?;
    }
    Some(card)
}

fn part_of(cx: &mut Cx<'_>, card: &mut CardDecl, pair: Pair<'_, Rule>) -> Option<()> {
    let (rule, span) = (pair.as_rule(), cx.span(&pair));
    let mut parts = inner(pair);
    let first = parts.next()?;
    let twice = match rule {
        Rule::card_story => card.story.is_some().then_some("story"),
        Rule::card_script => card.script.is_some().then_some("script"),
        _ => None,
    };
    if let Some(part) = twice {
        cx.diagnostics.push(Diagnostic::error("E0111", span).with("part", part));
    }
    match rule {
        Rule::card_of => {
            card.of = Some(cx.name(&first));
            card.name = parts.next().and_then(|text| cx.text(text));
        }
        Rule::card_like => card.like = cx.text(first),
        Rule::card_text => {
            card.texts.push(cx.text(first)?);
            card.todos.extend(parts.next().and_then(|reason| cx.text(reason)));
        }
        Rule::card_story => card.story = cx.text(first),
        Rule::card_script => card.script = Some(abilities(cx, first)?),
        _ => card.values.push((cx.name(&first), printed_value(cx, parts.next()?)?)),
    }
    Some(())
}

fn printed_value(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let first = parts.next()?;
    match parts.next() {
        Some(value) => Some(Expr { kind: ExprKind::Negate(Box::new(expr(cx, value)?)), span }),
        None => expr(cx, first),
    }
}
