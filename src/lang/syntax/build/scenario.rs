//! Builds scenarios: positions, decisions, expectations, questions.

use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::syntax::ast::{
    Arg, CardDecl, DeckStep, Expect, ExpectKind, Expr, ExprKind, Fixed, Given, GivenBegun, GivenCard, GivenEffect, GivenMust, GivenSeat,
    GivenWaiting, Load, Name, Outcome, Play, PlayAnswer, Plays, Scenario, ScenarioDefault, Step, Until, Why, WhyQuestion,
};
use crate::syntax::build::cards::card;
use crate::syntax::build::clause::clauses;
use crate::syntax::build::stmt::block;
use crate::syntax::build::{Cx, all, arguments, expr, find, inner, ordinal, pattern};
use crate::syntax::parse::Rule;
use crate::syntax::under::{Part, Under, one_for_each};
use pest::iterators::Pair;
use std::sync::Arc;

/// A top-level item of a scenario file.
pub(crate) enum Item {
    /// A scenario; several of them if it has `under` parts, one for each value.
    Scenarios(Vec<Scenario>),
    /// `given NAME { … }`.
    Given(Name, Box<Given>),
    /// A card that each scenario of the file has.
    Card(Arc<CardDecl>),
}

/// A scenario, a named position, or a card.
pub(crate) fn item(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Item> {
    if pair.as_rule() == Rule::card_decl {
        return card(cx, pair).map(Arc::new).map(Item::Card);
    }
    if pair.as_rule() != Rule::given_named {
        return scenario(cx, pair).map(Item::Scenarios);
    }
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let name = cx.name(&parts.next()?);
    Some(Item::Given(name, Box::new(given_parts(cx, parts, span)?)))
}

/// `scenario "title" @cites { … }`.
fn scenario(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Vec<Scenario>> {
    let span = cx.span(&pair);
    let mut parts = inner(pair).peekable();
    let title = cx.text(parts.next()?)?;
    let cites = crate::syntax::build::cites(cx, &mut parts);
    let parts = all(parts.map(|part| scenario_part(cx, part)))?;
    Some(one_for_each(Scenario { title, cites, steps: Vec::new(), span }, parts))
}

fn scenario_part(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Part> {
    if pair.as_rule() != Rule::under_step {
        return step(cx, pair).map(Box::new).map(Part::Step);
    }
    let mut parts = inner(pair);
    let (name, value) = (cx.name(&parts.next()?), parts.next()?);
    let said = value.as_str().trim().to_owned();
    let value = expr(cx, value)?;
    Some(Part::Under(Under { name, value, said, steps: all(parts.map(|part| step(cx, part)))? }))
}

fn step(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Step> {
    let rule = pair.as_rule();
    let mut parts = inner(pair.clone());
    Some(match rule {
        Rule::card_decl => Step::Card(Arc::new(card(cx, pair)?)),
        Rule::reading_step => Step::Reading(cx.name(&parts.next()?), expr(cx, parts.next()?)?),
        Rule::given => Step::Given(Box::new(given(cx, pair)?)),
        Rule::play_step => Step::Play(Box::new(plays(cx, parts)?)),
        Rule::expect_step => {
            let list: Vec<Expect> = all(parts.map(|part| expectation(cx, part)))?;
            check_bare_names(cx, &list);
            Step::Expect(list)
        }
        Rule::deck_step => Step::Deck(deck(cx, pair)?),
        Rule::load_step => Step::Load(load(cx, pair)?),
        _ => return None,
    })
}

fn given(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Given> {
    let span = cx.span(&pair);
    given_parts(cx, inner(pair), span)
}

fn given_parts<'i>(cx: &mut Cx<'_>, parts: impl Iterator<Item = Pair<'i, Rule>>, span: Span) -> Option<Given> {
    let mut given = Given { span, ..Given::default() };
    for part in parts {
        let rule = part.as_rule();
        let mut pieces = inner(part.clone());
        let twice = match rule {
            Rule::given_phase => given.phase.is_some().then_some("phase"),
            Rule::given_turn => given.turn.is_some().then_some("turn"),
            Rule::given_seed => given.seed.is_some().then_some("seed"),
            _ => None,
        };
        if let Some(name) = twice {
            let span = cx.span(&part);
            cx.diagnostics.push(Diagnostic::error("E0514", span).with("name", name));
        }
        match rule {
            Rule::given_base => given.base = Some(cx.name(&pieces.next()?)),
            Rule::given_phase => given.phase = Some(cx.name(&pieces.next()?)),
            Rule::given_turn => given.turn = Some(expr(cx, pieces.next()?)?),
            Rule::given_seed => given.seed = Some(expr(cx, pieces.next()?)?),
            Rule::given_setup => given.setup = true,
            Rule::fixed => given.random.push(fixed(cx, part)?),
            Rule::given_lasting => given.effects.push(in_force(cx, part)?),
            Rule::given_put => given.effects.push(put_by(cx, part)?),
            Rule::given_came => given.effects.push(came(cx, part)?),
            Rule::given_waits => given.waiting.push(waiting(cx, part)?),
            _ => given.seats.push(seat(cx, part)?),
        }
    }
    Some(given)
}

/// `lasting luck by x { … }`.
fn in_force(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenEffect> {
    let span = cx.span(&pair);
    let mut parts = inner(pair).filter(|part| matches!(part.as_rule(), Rule::name | Rule::clauses)).peekable();
    let duration = cx.name(&parts.next()?);
    let source = parts.next_if(|part| part.as_rule() == Rule::name).map(|name| cx.name(&name));
    Some(GivenEffect { source, kind: GivenBegun::Lasting(duration, clauses(cx, parts.next()?)?), span })
}

/// `put by x { … } until result`.
fn put_by(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenEffect> {
    let span = cx.span(&pair);
    let mut parts = inner(pair).filter(|part| matches!(part.as_rule(), Rule::name | Rule::block)).peekable();
    let source = parts.next_if(|part| part.as_rule() == Rule::name).map(|name| cx.name(&name));
    let body = block(cx, parts.next()?)?;
    let moment = parts.next().map(|name| cx.name(&name));
    Some(GivenEffect { source, kind: GivenBegun::PutBy(body, moment), span })
}

/// `came x, y`.
fn came(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenEffect> {
    let span = cx.span(&pair);
    let names = inner(pair).filter(|part| part.as_rule() == Rule::name).map(|name| cx.name(&name)).collect();
    Some(GivenEffect { source: None, kind: GivenBegun::Came(names), span })
}

/// `waits art of x by a in standby as w { targets = y }`.
fn waiting(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenWaiting> {
    let span = cx.span(&pair);
    let mut parts = inner(pair).filter(|part| part.as_rule() != Rule::waits_word);
    let kind = cx.name(&parts.next()?);
    let mut given =
        GivenWaiting { kind, which: None, sources: Vec::new(), from: None, by: None, zone: None, alias: None, values: Vec::new(), span };
    for part in parts {
        match part.as_rule() {
            Rule::number => given.which = Some(cx.number(&part).unsigned_abs()),
            Rule::name => given.sources.push(cx.name(&part)),
            Rule::waits_from => given.from = Some(cx.name(&inner(part).find(|part| part.as_rule() == Rule::name)?)),
            Rule::waits_by => given.by = Some(cx.name(&inner(part).find(|part| part.as_rule() == Rule::name)?)),
            Rule::waits_in => given.zone = Some(expr(cx, inner(part).find(|part| part.as_rule() == Rule::tight)?)?),
            Rule::alias => given.alias = Some(cx.name(&inner(part).next()?)),
            Rule::waits_with => {
                let values = inner(part).filter(|part| part.as_rule() == Rule::given_value);
                given.values = all(values.map(|part| given_value(cx, part)))?;
            }
            _ => {}
        }
    }
    Some(given)
}

fn fixed(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Fixed> {
    let mut parts = inner(pair).peekable();
    let what = cx.name(&parts.next()?);
    let of = match parts.next_if(|part| part.as_rule() == Rule::tight) {
        Some(of) => Some(expr(cx, of)?),
        None => None,
    };
    Some(Fixed { what, of, results: all(parts.map(|part| expr(cx, part)))? })
}

fn seat(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenSeat> {
    let mut parts = inner(pair);
    let seat = cx.name(&parts.next()?);
    let (mut by, mut zones, mut values) = (None, Vec::new(), Vec::new());
    for part in parts {
        match part.as_rule() {
            Rule::given_decider => by = inner(part).find(|part| part.as_rule() == Rule::name).or(by),
            _ => given_row(cx, part, &mut zones, &mut values)?,
        }
    }
    let decider = by.map(|name| cx.name(&name));
    Some(GivenSeat { seat, decider, zones, values })
}

/// `given default { … }` of a rules file.
pub(crate) fn given_default<'i>(cx: &mut Cx<'_>, parts: impl Iterator<Item = Pair<'i, Rule>>, span: Span) -> Option<ScenarioDefault> {
    let mut default = ScenarioDefault { turn: None, zones: Vec::new(), values: Vec::new(), musts: Vec::new(), span };
    for part in parts {
        match part.as_rule() {
            Rule::given_turn => default.turn = Some(expr(cx, inner(part).next()?)?),
            Rule::given_must => {
                let (cites, condition): (Vec<_>, Vec<_>) = inner(part).partition(|part| part.as_rule() == Rule::cite);
                let condition = condition.into_iter().rfind(|part| part.as_rule() != Rule::must_word)?;
                let cites = cites.iter().map(|cite| cx.cite(cite)).collect();
                default.musts.push(GivenMust { condition: expr(cx, condition)?, cites });
            }
            _ => given_row(cx, part, &mut default.zones, &mut default.values)?,
        }
    }
    Some(default)
}

/// `field: "鳥" up`, `heap: none`; `score = 3`.
fn given_row(cx: &mut Cx<'_>, pair: Pair<'_, Rule>, zones: &mut Vec<(Name, Vec<GivenCard>)>, values: &mut Vec<(Name, Expr)>) -> Option<()> {
    let mut parts = inner(pair).peekable();
    let name = cx.name(&parts.next()?);
    match parts.peek()?.as_rule() {
        Rule::no_cards => zones.push((name, Vec::new())),
        Rule::given_card => zones.push((name, all(parts.map(|part| given_card(cx, part)))?)),
        _ => values.push((name, expr(cx, parts.next()?)?)),
    }
    Some(())
}

fn given_card(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<GivenCard> {
    let mut parts = inner(pair);
    let card = cx.text(parts.next()?)?;
    let (owner, like, made, face, place, host, alias) = (None, None, None, None, None, None, None);
    let mut given = GivenCard { card, count: 1, owner, like, made, face, place, host, alias, states: Vec::new() };
    for part in parts {
        match part.as_rule() {
            Rule::given_count => given.count = cx.number(&part).unsigned_abs(),
            Rule::given_owner => given.owner = Some(boxed_name(cx, part)?),
            Rule::given_like => given.like = Some(Box::new(cx.text(inner(part).next()?)?)),
            Rule::given_made => given.made = Some(boxed_name(cx, part)),
            Rule::face => given.face = Some(Box::new(cx.name(&part))),
            Rule::given_place => given.place = boxed_name(cx, part),
            Rule::given_host => given.host = Some(boxed_name(cx, part)?),
            Rule::alias => given.alias = Some(boxed_name(cx, part)?),
            _ => given.states.push(given_value(cx, part)?),
        }
    }
    Some(given)
}

/// The name among the words of a card's detail.
fn boxed_name(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Box<Name>> {
    find(&mut inner(pair), Rule::name).map(|name| Box::new(cx.name(&name)))
}

fn given_value(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Name, Expr)> {
    let mut parts = inner(pair);
    Some((cx.name(&parts.next()?), expr(cx, parts.next()?)?))
}

/// The lines of `play { … }` and the words after the braces.
fn plays<'i>(cx: &mut Cx<'_>, parts: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Plays> {
    let mut plays = Plays { lines: Vec::new(), passing: Vec::new(), until: None };
    for part in parts {
        let span = cx.span(&part);
        match part.as_rule() {
            Rule::passes => plays.passing.push(cx.name(&inner(part).next()?)),
            Rule::play_stop => plays.until = Some((Until::Decision, span)),
            Rule::play_until => {
                let turn = part.as_str().trim_end().ends_with("turn");
                plays.until = Some((if turn { Until::EndOfTurn } else { Until::EndOfPhase }, span));
            }
            _ => plays.lines.push(play(cx, part)?),
        }
    }
    Some(plays)
}

/// `a: lay "鯛"`.
pub(crate) fn play(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Play> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    Some(Play { seat: cx.name(&parts.next()?), answer: answer(cx, parts.next()?)?, span })
}

/// An answer. If the name of the decision is left out, the name is empty.
pub(crate) fn answer(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<PlayAnswer> {
    let start = cx.span(&pair).start;
    let form = inner(pair).next()?;
    let rule = form.as_rule();
    let mut parts = inner(form);
    Some(match rule {
        Rule::conceded => PlayAnswer::Concede,
        Rule::only_values => PlayAnswer::Choice(cx.word("", start), answer_values(cx, parts)?),
        Rule::option_answer => {
            let (name, args) = call(cx, parts.next()?)?;
            PlayAnswer::Option(name, args)
        }
        _ => {
            let name = cx.name(&parts.next()?);
            let values = answer_values(cx, parts)?;
            if values.is_empty() { PlayAnswer::Option(name, Vec::new()) } else { PlayAnswer::Choice(name, values) }
        }
    })
}

fn call(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Name, Vec<Arg>)> {
    let mut parts = inner(pair);
    Some((cx.name(&parts.next()?), arguments(cx, parts.next()?)?))
}

fn answer_values<'i>(cx: &mut Cx<'_>, pairs: impl Iterator<Item = Pair<'i, Rule>>) -> Option<Vec<Expr>> {
    all(pairs.map(|pair| answer_value(cx, pair)))
}

fn answer_value(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expr> {
    let mut parts = inner(pair);
    let value = parts.next()?;
    if value.as_rule() == Rule::negative {
        let span = cx.span(&value);
        let number = expr(cx, inner(value).next()?)?;
        return Some(Expr { kind: ExprKind::Negate(Box::new(number)), span });
    }
    if value.as_rule() != Rule::answer_name {
        let value = expr(cx, value)?;
        return match parts.next() {
            Some(number) => ordinal(cx, value, number),
            None => Some(value),
        };
    }
    let name = cx.name(&inner(value).next()?);
    Some(Expr { span: name.span, kind: ExprKind::Name(name) })
}

fn expectation(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Expect> {
    let span = cx.span(&pair);
    let mut parts = inner(pair);
    let form = parts.next()?;
    let negated = form.as_rule() == Rule::negated_expectation;
    let kind = expect_kind(cx, inner(form).next()?)?;
    let because = match parts.next() {
        Some(because) => inner(because).map(|pair| cx.cite(&pair)).collect(),
        None => Vec::new(),
    };
    Some(Expect { negated, kind, because, span })
}

/// Reports two names side by side: they are a misspelt `b wins`, which the grammar takes for two conditions.
fn check_bare_names(cx: &mut Cx<'_>, list: &[Expect]) {
    let bare = |expect: &Expect| match &expect.kind {
        ExpectKind::Holds(Expr { kind: ExprKind::Name(name), .. }) => Some(name.clone()),
        _ => None,
    };
    for (first, second) in list.iter().zip(list.iter().skip(1)) {
        // `happened take(a) 1 time` is read as an event, a number and a name.
        let is_number = matches!(&first.kind, ExpectKind::Holds(Expr { kind: ExprKind::Number(_), .. }));
        if let (true, Some(word)) = (is_number, bare(second)) {
            cx.diagnostics.push(Diagnostic::error("E0128", word.span).with("word", &word.text).suggest(&word.text, ["times"]));
        }
        if let (Some(before), Some(word)) = (bare(first), bare(second)) {
            let known = ["wins", "drawn", "because", "goes", "sees", "does", "in", "has", "is", "exists", "and", "or"];
            let finding = Diagnostic::error("E0128", word.span).with("word", &word.text).suggest(&word.text, known);
            cx.diagnostics.push(
                match nearest(&before.text, ["game", "error", "asked", "not", "happened", "possible", "refused", "rule", "why"]) {
                    Some(meant) => finding.with("before", before.text).with("meant", meant),
                    None => finding,
                },
            );
        }
    }
}

fn expect_kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<ExpectKind> {
    let rule = pair.as_rule();
    if matches!(rule, Rule::chain | Rule::if_expr) {
        return Some(ExpectKind::Holds(expr(cx, pair)?));
    }
    let mut parts = inner(pair);
    let mut next = || parts.next();
    Some(match rule {
        Rule::drawn => ExpectKind::Drawn,
        Rule::goes_on => ExpectKind::GoesOn,
        Rule::wins => ExpectKind::Wins(cx.name(&next()?)),
        Rule::run_error => ExpectKind::Error(cx.name(&next()?)),
        Rule::sees => sees(cx, next()?, next()?, next()?)?,
        Rule::sees_answer => {
            let (reader, word) = (cx.name(&next()?), next()?);
            ExpectKind::SeesAnswer(reader, word.as_str() == "sees", cx.name(&next()?), cx.name(&next()?))
        }
        Rule::before => ExpectKind::Before(cx.cite(&next()?), cx.cite(&next()?)),
        Rule::asked => ExpectKind::Asked(cx.name(&next()?), next().map(|name| cx.name(&name))),
        Rule::why => {
            let question = why_question(cx, next()?)?;
            let (mut cards, mut rules) = (Vec::new(), Vec::new());
            for part in next().into_iter().flat_map(inner) {
                if part.as_rule() == Rule::cite { rules.push(cx.cite(&part)) } else { cards.push(cx.text(part)?) }
            }
            ExpectKind::Why(Box::new(Why { question, cards, rules }))
        }
        Rule::possible => ExpectKind::Possible(cx.name(&next()?), answer(cx, next()?)?),
        Rule::refused => ExpectKind::Refused(cx.name(&next()?), answer(cx, next()?)?),
        Rule::happened_times => {
            let pattern = pattern(cx, next()?)?;
            let times = match next() {
                Some(times) if times.as_rule() == Rule::negative => {
                    cx.diagnostics.push(Diagnostic::error("E0140", cx.span(&times)));
                    None
                }
                Some(times) => Some(expr(cx, times)?),
                None => None,
            };
            ExpectKind::Happened(Box::new(pattern), times)
        }
        _ => return None,
    })
}

/// `a sees x` and `a does not see x` are read as `sees(a, x)` and its negation.
fn sees(cx: &mut Cx<'_>, seat: Pair<'_, Rule>, word: Pair<'_, Rule>, what: Pair<'_, Rule>) -> Option<ExpectKind> {
    let seat = cx.name(&seat);
    let at = cx.span(&word);
    let (negated, what) = (word.as_str() != "sees", expr(cx, what)?);
    let span = Span { end: what.span.end, ..seat.span };
    let seat = Expr { span: seat.span, kind: ExprKind::Name(seat) };
    let args = [seat, what].map(|value| Arg { name: None, value }).to_vec();
    let seen = Expr { kind: ExprKind::Call(cx.word("sees", at.start), args), span };
    let kind = if negated { ExprKind::Not(Box::new(seen)) } else { return Some(ExpectKind::Holds(seen)) };
    Some(ExpectKind::Holds(Expr { kind, span }))
}

/// `value x.power`, `can a: lay "鯛"`, `happened take(a)`.
pub(crate) fn why_question(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<WhyQuestion> {
    let rule = pair.as_rule();
    let mut parts = inner(pair);
    let first = parts.next()?;
    Some(match rule {
        Rule::why_value => WhyQuestion::Value(expr(cx, first)?),
        Rule::why_happened if first.as_rule() == Rule::number => {
            let number = cx.number(&first);
            WhyQuestion::Happened(pattern(cx, parts.next()?)?, Some(number.unsigned_abs()))
        }
        Rule::why_happened => WhyQuestion::Happened(pattern(cx, first)?, None),
        _ => {
            let can = rule == Rule::why_can;
            match parts.next() {
                Some(said) => WhyQuestion::Can(can, Some(cx.name(&first)), answer(cx, said)?),
                None => WhyQuestion::Can(can, None, answer(cx, first)?),
            }
        }
    })
}

fn deck(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeckStep> {
    let span = cx.span(&pair);
    let (mut cards, mut refused) = (Vec::new(), None);
    for part in inner(pair) {
        let rule = part.as_rule();
        let mut pieces = inner(part);
        if rule == Rule::deck_row {
            let count = cx.number(&pieces.next()?).unsigned_abs();
            cards.push((count, cx.text(pieces.next()?)?));
        } else {
            let because = pieces.next().map(|because| inner(because).map(|pair| cx.cite(&pair)).collect());
            refused = Some(because.unwrap_or_default());
        }
    }
    Some(DeckStep { cards, refused, span })
}

fn load(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Load> {
    let span: Span = cx.span(&pair);
    let mut parts = inner(pair);
    let (what, source) = (cx.name(&parts.next()?), cx.text(parts.next()?)?);
    let outcome = match parts.next() {
        None => Outcome::Joins,
        Some(part) if part.as_rule() == Rule::load_accepted => Outcome::Accepted,
        Some(name) => Outcome::Refused(cx.name(&name)),
    };
    Some(Load { what, source, outcome, span })
}
