//! Builds cards: printed values, printed texts, scripts.

use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{CardDecl, Date, Errata, Expr, ExprKind, Printing, Text};
use crate::syntax::build::{Cx, abilities, expr, inner};
use crate::syntax::parse::Rule;
use pest::iterators::Pair;

/// `card "A-001" unit "石" { … }`.
pub(crate) fn card(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<CardDecl> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let number = cx.text(parts.next()?)?;
    let mut card = CardDecl::new(number, span);
    for part in parts {
        part_of(cx, &mut card, part)?;
    }
    // Every erratum is in force here. Code that needs another day calls `as_of` again.
    Some(card.as_of(None))
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
            card.of.push(cx.name(&first));
            for part in parts {
                match part.as_rule() {
                    Rule::name => card.of.push(cx.name(&part)),
                    _ => card.name = cx.text(part),
                }
            }
        }
        Rule::card_like => card.like = cx.text(first),
        Rule::card_text => {
            card.texts.push(cx.text(first)?);
            card.todos.extend(parts.next().and_then(|reason| cx.text(reason)));
        }
        Rule::card_story => card.story = cx.text(first),
        Rule::card_script => card.script = Some(abilities(cx, first)?),
        Rule::card_printing => {
            let mut printing = Printing { number: cx.text(first)?, set: None, released: None };
            for part in parts {
                let rule = part.as_rule();
                let value = inner(part).next()?;
                match rule {
                    Rule::printing_set if value.as_rule() == Rule::name => {
                        let name = cx.name(&value);
                        printing.set = Some(Text { text: name.text, span: name.span });
                    }
                    Rule::printing_set => printing.set = cx.text(value),
                    _ => printing.released = date(cx, &value),
                }
            }
            card.printings.push(printing);
        }
        Rule::card_errata => {
            let on = date(cx, &first)?;
            let text = cx.text(parts.next()?)?;
            card.errata.push(Errata { on, text, because: parts.next().and_then(|because| cx.text(because)) });
        }
        Rule::card_unsaid => card.unsaid.push((cx.text(first)?, cx.text(parts.next()?)?)),
        _ => card.values.push((cx.name(&first), printed_value(cx, parts.next()?)?)),
    }
    Some(())
}

/// A day; reports `E0434` for a day that no calendar has.
fn date(cx: &mut Cx<'_>, pair: &Pair<'_, Rule>) -> Option<Date> {
    let found = pair.as_str().parse().ok();
    if found.is_none() {
        let span = cx.span(pair);
        cx.diagnostics.push(Diagnostic::error("E0434", span).with("date", pair.as_str()));
    }
    found
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
