//! Builds the declarations with conditions in their heads: rules that watch the game, and options of a player.

use crate::syntax::ast::{Block, ExprKind, OptionBody, OptionDecl, Pattern, Rule as RuleDecl, RuleWhen};
use crate::syntax::build::{Cx, block, expr, inner, pattern, routine_head};
use crate::syntax::parse::Rule;
use pest::iterators::Pair;

/// `rule refill(p: player) "…" @… immediately when deck(p) becomes empty { … }`.
pub(crate) fn rule_decl(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<RuleDecl> {
    let mut parts = inner(pair).peekable();
    let (head, params, _) = routine_head(cx, parts.next()?)?;
    if parts.next_if(|part| part.as_rule() == Rule::forbids).is_some() {
        let forbidden = parts.next()?;
        let body = Block { span: cx.span(&forbidden), ..Block::default() };
        return Some(RuleDecl { head, params, immediately: false, when: RuleWhen::Forbids(pattern(cx, forbidden)?), body });
    }
    let immediately = parts.next_if(|part| part.as_rule() == Rule::immediately).is_some();
    let when = rule_when(cx, parts.next()?)?;
    Some(RuleDecl { head, params, immediately, when, body: block(cx, parts.next()?)? })
}

fn rule_when(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<RuleWhen> {
    let rule = pair.as_rule();
    let mut parts = inner(pair);
    let first = parts.next()?;
    Some(match rule {
        Rule::rule_becomes => RuleWhen::Becomes(expr(cx, first)?, cx.name(&parts.next()?)),
        Rule::rule_event => event_or_state(pattern(cx, first)?),
        _ => RuleWhen::State(expr(cx, first)?),
    })
}

/// A single call without binders is read as a condition: `when finished(p)`.
fn event_or_state(mut pattern: Pattern) -> RuleWhen {
    let binds = pattern
        .events
        .iter()
        .flat_map(|event| &event.args)
        .any(|arg| arg.name.is_some() || matches!(arg.value.kind, ExprKind::Any(_) | ExprKind::Every { .. }));
    if binds || pattern.condition.is_some() || pattern.events.len() > 1 {
        return RuleWhen::Event(pattern);
    }
    let Some(event) = pattern.events.pop() else { return RuleWhen::Event(pattern) };
    let kind = if event.span.end == event.verb.span.end { ExprKind::Name(event.verb) } else { ExprKind::Call(event.verb, event.args) };
    RuleWhen::State(crate::syntax::ast::Expr { kind, span: event.span })
}

/// `option play(c: card in hand(p)) "…" @… by p in group when C attempt { … }`.
pub(crate) fn option_decl(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<OptionDecl> {
    let mut parts = inner(pair);
    let (head, params, _) = routine_head(cx, parts.next()?)?;
    let by = cx.name(&inner(parts.next()?).next()?);
    let (mut groups, mut condition, mut body) = (Vec::new(), None, None);
    for part in parts {
        match part.as_rule() {
            Rule::in_groups => groups = inner(part).map(|name| cx.name(&name)).collect(),
            Rule::option_when => condition = Some(expr(cx, inner(part).next()?)?),
            _ => body = Some(option_body(cx, part)?),
        }
    }
    Some(OptionDecl { head, params, by, groups, condition, body: body? })
}

fn option_body(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<OptionBody> {
    let mut parts = inner(pair);
    let first = parts.next()?;
    if first.as_rule() == Rule::attempt_body {
        return Some(OptionBody::Attempt(block(cx, inner(first).next()?)?));
    }
    let first = block(cx, first)?;
    Some(match parts.next() {
        Some(second) => OptionBody::TwoParts(first, block(cx, second)?),
        None => OptionBody::Plain(first),
    })
}
