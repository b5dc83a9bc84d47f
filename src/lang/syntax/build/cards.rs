//! Builds cards: printed values, printed texts, scripts.

use crate::diagnostic::{Diagnostic, is_unseen};
use crate::syntax::ast::{AbilityBody, CardDecl, Date, Errata, Expr, ExprKind, Name, Printing, Text};
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
    no_empty_part(cx, &card);
    // Every erratum is in force here. Code that needs another day calls `as_of` again.
    Some(card.as_of(None))
}

/// `E0151` for a number, a name or a text without a sign that people see. `E0152` for a keyword that the script has twice.
fn no_empty_part(cx: &mut Cx<'_>, card: &CardDecl) {
    let numbers = [&card.number].into_iter().chain(card.printings.iter().map(|printing| &printing.number));
    let parts = numbers.map(|text| ("number", text)).chain(card.name.iter().map(|text| ("name", text)));
    let parts: Vec<(&str, &Text)> = parts.chain(card.texts.iter().map(|text| ("text", text))).collect();
    let empty = parts.into_iter().filter(|(_, text)| text.text.chars().all(|sign| sign.is_whitespace() || is_unseen(sign)));
    cx.diagnostics.extend(empty.map(|(part, text)| Diagnostic::error("E0151", text.span).with("part", part)));
    let mut keywords: Vec<&Name> = Vec::new();
    for ability in card.script.iter().flatten() {
        let AbilityBody::Keyword(name) = &ability.kind else { continue };
        match keywords.iter().find(|known| known.text == name.text) {
            Some(first) => {
                let finding = Diagnostic::error("E0152", name.span).with("name", &name.text).note(first.span, "first");
                cx.diagnostics.push(finding.warning());
            }
            None => keywords.push(name),
        }
    }
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
