//! Builds statements and blocks.

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Arg, Block, Choose, Cite, Expr, Manner, MarkReach, MayAsk, Name, Offer, Stmt, StmtKind};
use crate::syntax::build::expr::{arguments, event};
use crate::syntax::build::{Cx, all, cites, clauses, expr, inner, pick, value};
use crate::syntax::limits::MOST_ARMS;
use crate::syntax::parse::{Rule, is_mark};
use pest::iterators::Pair;
use std::iter::Peekable;

/// `{ … }`.
pub(crate) fn block(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Block> {
    let mut span = cx.span(&pair);
    let mut end = Vec::new();
    let statements = inner(pair).filter_map(|part| {
        if part.as_rule() != Rule::right_brace_cited {
            return Some(statement(cx, part));
        }
        span.end = cx.span(&part).start + 1;
        end = inner(part).map(|cite| cx.cite(&cite)).collect();
        None
    });
    let statements = all(statements)?;
    Some(Block { statements, span, head: Vec::new(), end })
}

/// A block after a word, with the citations between the word and the block.
fn cited_block<'i>(cx: &mut Cx<'_>, parts: &mut Peekable<impl Iterator<Item = Pair<'i, Rule>>>) -> Option<Block> {
    let head = cites(cx, parts);
    Some(Block { head, ..block(cx, parts.next()?)? })
}

/// One statement with its citations.
pub(crate) fn statement(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Stmt> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let body = parts.next()?;
    let span = cx.span(&body);
    Some(Stmt { cites, kind: kind(cx, body, span)?, span })
}

fn kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, span: Span) -> Option<StmtKind> {
    let rule = pair.as_rule();
    let mut parts = inner(pair.clone());
    let mut next = || parts.next();
    Some(match rule {
        Rule::call_statement => call_or_copy(cx, next()?, next())?,
        Rule::assign_statement => StmtKind::Assign(expr(cx, next()?)?, value(cx, next()?)?),
        Rule::let_statement => StmtKind::Let(cx.name(&next()?), value(cx, next()?)?),
        Rule::if_statement => conditional(cx, pair, span)?,
        Rule::loop_statement => StmtKind::Loop(block(cx, next()?)?),
        Rule::repeat_statement => StmtKind::Repeat(expr(cx, next()?)?, block(cx, next()?)?),
        Rule::for_statement => StmtKind::For(cx.name(&next()?), expr(cx, next()?)?, block(cx, next()?)?),
        Rule::break_statement => StmtKind::Break,
        Rule::stop => StmtKind::Stop,
        Rule::apply_rules => StmtKind::ApplyRules,
        Rule::applies => StmtKind::Applies(expr(cx, parts.last()?)?),
        Rule::return_statement => StmtKind::Return(returned(cx, next())?),
        Rule::label => StmtKind::Label(cx.name(&next()?)),
        Rule::restart => StmtKind::Restart(cx.name(&next()?)),
        Rule::mark => {
            let name = cx.name(&next()?);
            let reach = match next() {
                Some(of) if of.as_rule() == Rule::copied_mark => MarkReach::Copied(cx.name(&of.into_inner().last()?)),
                Some(_) => MarkReach::Stretch,
                None => MarkReach::Game,
            };
            StmtKind::Mark(name, reach)
        }
        Rule::hole => StmtKind::Hole(cx.name(&next()?)),
        Rule::choose_statement => choose(cx, pair)?,
        Rule::may_statement => may(cx, pair)?,
        Rule::attempt_statement => {
            let body = block(cx, next()?)?;
            StmtKind::Attempt(body, optional_block(cx, parts)?)
        }
        Rule::judge_statement | Rule::veiled => {
            let first = next()?;
            let (condition, body) = if first.as_rule() == Rule::block { (None, first) } else { (Some(expr(cx, first)?), next()?) };
            let kind = if rule == Rule::veiled { StmtKind::Veiled } else { StmtKind::Judge };
            kind(condition, block(cx, body)?)
        }
        Rule::atomically => StmtKind::Atomically(block(cx, next()?)?),
        Rule::finally => StmtKind::Finally(block(cx, next()?)?),
        Rule::perform_statement => StmtKind::Perform(expr(cx, next()?)?),
        Rule::acting_as => StmtKind::ActingAs(expr(cx, next()?)?, block(cx, next()?)?),
        Rule::put_by => StmtKind::PutBy(block(cx, next()?)?, next().map(|moment| cx.name(&moment))),
        Rule::lasting => StmtKind::Lasting(cx.name(&next()?), clauses(cx, next()?)?),
        Rule::declare_statement => StmtKind::Declare(cx.name(&next()?), Box::new(offer(cx, next()?)?)),
        Rule::watch => {
            let (condition, body) = (expr(cx, next()?)?, block(cx, next()?)?);
            StmtKind::Watch(condition, body, optional_block(cx, parts)??)
        }
        Rule::emit_statement => {
            let (name, args) = named_arguments(cx, next()?)?;
            let once = next().and_then(|once| inner(once).last());
            StmtKind::Emit(name, args, once.map(|mark| cx.name(&mark)))
        }
        Rule::interrupt => interrupt(cx, pair)?,
        Rule::during => {
            let (role, args) = named_arguments(cx, next()?)?;
            StmtKind::During(role, args, block(cx, next()?)?)
        }
        Rule::as_far_as_possible => StmtKind::AsFarAsPossible(block(cx, parts.last()?)?),
        Rule::simultaneously => StmtKind::Simultaneously(all(parts.map(|part| block(cx, part)))?),
        Rule::simultaneously_for => simultaneously_for(cx, pair)?,
        Rule::offer_statement => StmtKind::Offer(Box::new(offer_with_arms(cx, pair)?)),
        Rule::recheck => recheck(cx, pair)?,
        _ => return None,
    })
}

/// `interrupt TIMING(args)`, or with `for c in S:` before the timing.
fn interrupt(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut parts = pair.into_inner().filter(|part| !is_mark(part.as_rule()));
    let first = parts.next()?;
    if first.as_rule() != Rule::each_told {
        return named_arguments(cx, first).map(|(name, args)| StmtKind::Interrupt(name, args));
    }
    let mut told = first.into_inner().filter(|part| !is_mark(part.as_rule()));
    let (binder, set) = (cx.name(&told.next()?), expr(cx, told.next()?)?);
    let (timing, args) = named_arguments(cx, parts.next()?)?;
    Some(StmtKind::InterruptFor { binder, set, timing, args })
}

/// A call, or a copying call with its exceptions.
fn call_or_copy(cx: &mut Cx<'_>, call_pair: Pair<'_, Rule>, exceptions: Option<Pair<'_, Rule>>) -> Option<StmtKind> {
    let call = call(cx, call_pair)?;
    match (exceptions, call) {
        (None, call) => Some(call),
        (Some(exceptions), StmtKind::Call(name, args)) => crate::syntax::copy::with_exceptions(cx, name, args, exceptions),
        _ => None,
    }
}

fn call(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut parts = inner(pair);
    Some(StmtKind::Call(cx.name(&parts.next()?), arguments(cx, parts.next()?)?))
}

fn returned(cx: &mut Cx<'_>, pair: Option<Pair<'_, Rule>>) -> Option<Option<Expr>> {
    match pair {
        Some(pair) => Some(Some(value(cx, inner(pair).next()?)?)),
        None => Some(None),
    }
}

fn optional_block<'i>(cx: &mut Cx<'_>, parts: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Option<Block>> {
    let mut parts = parts.peekable();
    if parts.peek().is_none() { Some(None) } else { cited_block(cx, &mut parts).map(Some) }
}

/// `if c { } else if d { } else { }`. The arms are read in a row and then nested from the last to the first.
fn conditional(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, span: Span) -> Option<StmtKind> {
    let mut arms = Vec::new();
    let mut otherwise = None;
    let mut parts = inner(pair).peekable();
    while parts.peek().is_some() {
        let head = cites(cx, &mut parts);
        let part = parts.next()?;
        if part.as_rule() == Rule::block {
            otherwise = Some(Block { head, ..block(cx, part)? });
        } else {
            let condition = expr(cx, part)?;
            arms.push((head, condition, block(cx, parts.next()?)?));
        }
    }
    if arms.len() > MOST_ARMS {
        cx.diagnostics.push(Diagnostic::error("E0107", span).with("length", arms.len()).with("limit", MOST_ARMS));
        arms.truncate(1);
    }
    while let Some((cites, condition, then)) = arms.pop() {
        let end = otherwise.as_ref().map_or(then.span, |block| block.span);
        let span = condition.span.to(end);
        let kind = StmtKind::If(condition, then, otherwise);
        if arms.is_empty() {
            return Some(kind);
        }
        otherwise = Some(Block { statements: vec![Stmt { cites, kind, span }], span, ..Block::default() });
    }
    None
}

fn choose(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut parts = inner(pair).peekable();
    let name = cx.name(&parts.next()?);
    let label = parts.next_if(is_text).and_then(|text| cx.text(text)).map(|text| text.text);
    let what = parts.next()?;
    if what.as_rule() == Rule::matched {
        let call = inner(what).next()?;
        let mut pieces = inner(call);
        let (of, args) = (cx.name(&pieces.next()?), arguments(cx, pieces.next()?)?);
        let mut by = None;
        for part in parts {
            if part.as_rule() == Rule::by {
                by = Some(expr(cx, inner(part).next()?)?);
            } else {
                cx.diagnostics.push(Diagnostic::error("E0310", cx.span(&part)));
            }
        }
        return Some(StmtKind::ChooseMatch { name, of, args, label, by });
    }
    let mut choose =
        Choose { name, label, pick: pick(cx, what)?, together: None, by: None, manner: Manner::Openly, or_none: false, called: Vec::new() };
    for part in parts {
        match part.as_rule() {
            Rule::together => choose.together = Some(expr(cx, inner(part).next()?)?),
            Rule::by => choose.by = Some(expr(cx, inner(part).next()?)?),
            Rule::manner if part.as_str() == "blindly" => choose.manner = Manner::Blindly,
            Rule::manner if part.as_str().contains("ranked") => {
                choose.manner = Manner::Ranked { secretly: part.as_str().contains("secretly") }
            }
            Rule::manner => choose.manner = Manner::Secretly,
            Rule::called => choose.called = inner(part).filter(is_text).filter_map(|text| cx.text(text)).map(|text| text.text).collect(),
            _ => choose.or_none = true,
        }
    }
    Some(StmtKind::Choose(Box::new(choose)))
}

/// `may p attempt { }` is read as `may p { attempt { } }`.
fn may(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut parts = inner(pair).peekable();
    let by = expr(cx, parts.next()?)?;
    let label = parts.next_if(is_text).and_then(|text| cx.text(text)).map(|text| text.text);
    let secretly = parts.next_if(|part| part.as_rule() == Rule::unseen).is_some();
    Some(StmtKind::May(by, may_body(cx, parts.next()?)?, MayAsk { label, secretly }))
}

fn is_text(part: &Pair<'_, Rule>) -> bool {
    matches!(part.as_rule(), Rule::string | Rule::quotation)
}

fn may_body(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Block> {
    if pair.as_rule() == Rule::block {
        return block(cx, pair);
    }
    let span = cx.span(&pair);
    let attempt = kind(cx, pair, span)?;
    Some(Block { statements: vec![Stmt { cites: Vec::new(), kind: attempt, span }], span, ..Block::default() })
}

fn simultaneously_for(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut parts = inner(pair).peekable();
    let in_order = parts.next_if(|part| part.as_rule() == Rule::in_order).is_some();
    let binder = cx.name(&parts.next()?);
    Some(StmtKind::SimultaneouslyFor { in_order, binder, set: expr(cx, parts.next()?)?, body: block(cx, parts.next()?)? })
}

fn named_arguments(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Name, Vec<Arg>)> {
    event(cx, pair).map(|event| (event.verb, event.args))
}

fn offer(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Offer> {
    let mut parts = inner(pair);
    let player = expr(cx, parts.next()?)?;
    let (mut from, mut or_pass, mut secretly) = (Vec::new(), false, false);
    let mut label = None;
    for part in parts {
        match part.as_rule() {
            Rule::string | Rule::quotation => label = cx.text(part).map(|text| text.text),
            Rule::or_pass => or_pass = true,
            Rule::unseen => secretly = true,
            _ => from.push(expr(cx, part)?),
        }
    }
    Some(Offer { player, label, from, or_pass, secretly, acted: None, acted_cites: Vec::new(), passed: None, passed_cites: Vec::new() })
}

fn offer_with_arms(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Offer> {
    let mut parts = inner(pair);
    let mut offer = offer(cx, parts.next()?)?;
    for arm in parts {
        let acted = arm.as_rule() == Rule::acted;
        let (cites, body) = arm_block(cx, arm)?;
        if acted {
            (offer.acted, offer.acted_cites) = (Some(body), cites);
        } else {
            (offer.passed, offer.passed_cites) = (Some(body), cites);
        }
    }
    Some(offer)
}

fn arm_block(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Vec<Cite>, Block)> {
    let mut parts = inner(pair).peekable();
    Some((cites(cx, &mut parts), block(cx, parts.next()?)?))
}

fn recheck(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<StmtKind> {
    let mut conditions = Vec::new();
    let mut parts = inner(pair).peekable();
    while let Some(part) = parts.next_if(|part| !matches!(part.as_rule(), Rule::block | Rule::cite)) {
        conditions.push(expr(cx, part)?);
    }
    Some(StmtKind::Recheck(conditions, optional_block(cx, parts)?))
}
