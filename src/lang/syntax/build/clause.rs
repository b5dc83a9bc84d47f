//! Builds clauses of continuous effects, abilities and deck limits.

use crate::syntax::ast::{
    Ability, AbilityBody, Arg, Change, ChangeField, ChangeOp, Clause, ClauseKind, DeckBound, DeckLimit, DeckMust, Granted, Shield,
    ShieldFrom, Stripped, Turn,
};
use crate::syntax::build::expr::comparison;
use crate::syntax::build::{Cx, all, arguments, block, cites, expr, inner, pattern};
use crate::syntax::parse::Rule;
use pest::iterators::Pair;

/// `{ clauses }`.
pub(crate) fn clauses(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Clause>> {
    all(inner(pair).map(|part| clause(cx, part)))
}

/// One clause with the citations beside it.
pub(crate) fn clause(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Clause> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let body = parts.next()?;
    Some(Clause { cites, span: cx.span(&body), kind: kind(cx, body)? })
}

fn kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<ClauseKind> {
    let rule = pair.as_rule();
    let replaces = inner(pair.clone()).any(|part| part.as_rule() == Rule::instead_of);
    let mut parts = inner(pair).filter(|part| part.as_rule() != Rule::instead_of);
    let mut next = || parts.next();
    Some(match rule {
        Rule::modify => ClauseKind::Modify(expr(cx, next()?)?, changes(cx, next()?)?),
        Rule::grant => {
            let to = expr(cx, next()?)?;
            ClauseKind::Grant(to, all(parts.map(|part| given(cx, part)))?)
        }
        Rule::strip => {
            let from = expr(cx, next()?)?;
            ClauseKind::Strip(from, all(parts.map(|part| taken(cx, part)))?)
        }
        Rule::shield => {
            let cards = expr(cx, next()?)?;
            let from = next()?;
            let from = match from.as_rule() {
                Rule::before_now => ShieldFrom::EffectsBefore,
                Rule::changing_effects => {
                    let mut parts = inner(from);
                    let turn = if parts.next()?.as_str().ends_with("lowering") { Turn::Lowering } else { Turn::Raising };
                    ShieldFrom::EffectsThat(turn, cx.name(&parts.next()?))
                }
                Rule::choices => {
                    ShieldFrom::Choices(inner(from).filter(|part| part.as_rule() == Rule::name).map(|name| cx.name(&name)).collect())
                }
                _ => ShieldFrom::Effects,
            };
            let effects = match parts.next() {
                Some(condition) => Some(expr(cx, condition)?),
                None => None,
            };
            ClauseKind::Shield(Shield { cards, from, effects })
        }
        Rule::disable => ClauseKind::Disable(expr(cx, next()?)?),
        Rule::forbid => ClauseKind::Forbid(pattern(cx, next()?)?),
        Rule::permit => ClauseKind::Permit(pattern(cx, next()?)?),
        Rule::require => ClauseKind::Require(cx.name(&next()?), expr(cx, next()?)?),
        Rule::instead => ClauseKind::Instead(pattern(cx, next()?)?, block(cx, next()?)?),
        Rule::when => ClauseKind::When(pattern(cx, next()?)?, block(cx, next()?)?),
        Rule::whenever => ClauseKind::Whenever(expr(cx, next()?)?, block(cx, next()?)?),
        Rule::next_time if replaces => ClauseKind::NextInstead(pattern(cx, next()?)?, block(cx, next()?)?),
        Rule::next_time => ClauseKind::NextTime(pattern(cx, next()?)?, block(cx, next()?)?),
        Rule::price => ClauseKind::Price(expr(cx, next()?)?, changes(cx, next()?)?),
        Rule::assume => ClauseKind::Assume(expr(cx, next()?)?),
        Rule::while_clause => ClauseKind::While(expr(cx, next()?)?, clauses(cx, next()?)?),
        Rule::hole => ClauseKind::Hole(cx.name(&next()?)),
        _ => return None,
    })
}

fn changes(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Change>> {
    all(inner(pair).map(|part| change(cx, part)))
}

/// What a `grant` gives: a value of a field, the contents of a slot, or an ability.
fn given(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Granted> {
    let part = inner(pair).next()?;
    Some(match part.as_rule() {
        Rule::change => Granted::Change(change(cx, part)?),
        Rule::granted_slot => {
            let mut parts = inner(part);
            Granted::Slot(cx.name(&parts.next()?), expr(cx, parts.next()?)?)
        }
        Rule::granted_like => Granted::Like(expr(cx, inner(part).next()?)?),
        _ => Granted::Ability(ability(cx, part)?),
    })
}

fn taken(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Stripped> {
    let part = inner(pair).next()?;
    Some(match part.as_rule() {
        Rule::taken_abilities => Stripped::Abilities(inner(part).find(|part| part.as_rule() == Rule::name).map(|name| cx.name(&name))),
        Rule::change_field => Stripped::Field(change_field(cx, part)?),
        Rule::ability => Stripped::Ability(Box::new(ability(cx, part)?)),
        _ => Stripped::Keyword(cx.name(&part)),
    })
}

fn change_field(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<ChangeField> {
    let field = inner(pair).next()?;
    Some(match field.as_rule() {
        Rule::hole => ChangeField::Hole(cx.name(&inner(field).next()?)),
        _ => ChangeField::Named(cx.name(&field)),
    })
}

pub(in crate::syntax) fn change(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Change> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let field = change_field(cx, parts.next()?)?;
    Some(Change { field, op: change_op(parts.next()?.as_str()), value: expr(cx, parts.next()?)?, span })
}

fn change_op(sign: &str) -> ChangeOp {
    match sign {
        "=" => ChangeOp::Set,
        "+" => ChangeOp::Add,
        "-" => ChangeOp::Subtract,
        "*" => ChangeOp::Multiply,
        "/" => ChangeOp::Divide,
        sign if sign.starts_with("at") => ChangeOp::Floor,
        sign if sign.ends_with('+') => ChangeOp::AddPrinted,
        _ => ChangeOp::SetPrinted,
    }
}

/// `{ abilities }`.
pub(crate) fn abilities(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Ability>> {
    all(inner(pair).map(|part| ability(cx, part)))
}

/// One ability of a script.
pub(crate) fn ability(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Ability> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let body = parts.next()?;
    let span = cx.span(&body);
    let (kind, slots) = ability_body(cx, body)?;
    Some(Ability { cites, kind, slots, span })
}

fn ability_body(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(AbilityBody, Vec<Arg>)> {
    let rule = pair.as_rule();
    let mut parts = inner(pair);
    let mut next = || parts.next();
    let first = next()?;
    Some(match rule {
        Rule::hole => (AbilityBody::Hole(cx.name(&first)), Vec::new()),
        Rule::deck_ability => (AbilityBody::Deck(deck_limits(cx, first)?), Vec::new()),
        Rule::when_ability => (AbilityBody::When(pattern(cx, next()?)?, block(cx, next()?)?), slots(cx, first)?),
        Rule::whenever_ability => (AbilityBody::Whenever(expr(cx, next()?)?, block(cx, next()?)?), slots(cx, first)?),
        Rule::keyword_ability => (AbilityBody::Keyword(cx.name(&first)), Vec::new()),
        Rule::instead_ability => (AbilityBody::Instead(pattern(cx, next()?)?, block(cx, next()?)?), slots(cx, first)?),
        Rule::static_ability => {
            let second = next()?;
            let body = match next() {
                Some(body) => AbilityBody::Static(Some(expr(cx, second)?), clauses(cx, body)?),
                None => AbilityBody::Static(None, clauses(cx, second)?),
            };
            (body, slots(cx, first)?)
        }
        Rule::kind_ability => {
            let name = cx.name(&inner(first.clone()).next()?);
            (AbilityBody::Kind(name, block(cx, next()?)?), slots(cx, first)?)
        }
        _ => return None,
    })
}

fn slots(cx: &mut Cx<'_>, word: Pair<'_, Rule>) -> Option<Vec<Arg>> {
    match inner(word).find(|part| part.as_rule() == Rule::args) {
        Some(args) => arguments(cx, args),
        None => Some(Vec::new()),
    }
}

/// `{ size == 30  copies by number <= 3 }`.
pub(crate) fn deck_limits(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<DeckLimit>> {
    all(inner(pair).map(|part| deck_limit(cx, part)))
}

fn deck_limit(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeckLimit> {
    if pair.as_rule() == Rule::deck_must {
        return deck_must(cx, pair);
    }
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let first = parts.next()?;
    let what = cx.name(&first);
    let mut by = Vec::new();
    while let Some(name) = parts.next_if(|part| part.as_rule() == Rule::name) {
        by.push(cx.name(&name));
    }
    let op = comparison(parts.next()?.as_str());
    let bound = expr(cx, parts.next()?)?;
    let mut limit = DeckBound { cites, span: what.span.to(bound.span), what, by, op, bound, counted: None, when: None };
    for part in parts {
        let rule = part.as_rule();
        let mut inside = inner(part);
        if rule == Rule::limit_when {
            limit.when = Some(expr(cx, inside.next()?)?);
        } else {
            let field = cx.name(&inside.next()?);
            let op = comparison(inside.next()?.as_str());
            limit.counted = Some((field, op, expr(cx, inside.next()?)?));
        }
    }
    let last = limit.when.as_ref().or(limit.counted.as_ref().map(|(_, _, value)| value)).map_or(limit.span, |expr| expr.span);
    limit.span = limit.span.to(last);
    Some(DeckLimit::Bound(Box::new(limit)))
}

/// `must count(deck where it.fee > 2) == 1`.
fn deck_must(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeckLimit> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let word = parts.next()?;
    let condition = expr(cx, parts.next()?)?;
    let span = cx.span(&word).to(condition.span);
    Some(DeckLimit::Must(DeckMust { cites, condition, span }))
}
