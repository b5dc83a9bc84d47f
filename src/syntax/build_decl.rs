//! Declarations of a rules file.

use super::ast::{Block, Decl, DeclKind, Field, Head, Phase, PolicyEntry, Property, Reading, ReadingChoices, Routine, Slot};
use super::build::{Cx, abilities, block, cites, deck_limits, expr, head, inner, routine_head, type_name, unnamed_head};
use super::build_property::{members, phrase, properties};
use super::build_rule::{option_decl, rule_decl};
use super::build_scenario::given_zones;
use super::build_wording::wording;
use super::parse::Rule;
use pest::iterators::Pair;

/// One declaration.
pub(crate) fn declaration(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Decl> {
    let span = cx.span(&pair);
    Some(Decl { kind: kind(cx, pair)?, span })
}

fn kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeclKind> {
    let rule = pair.as_rule();
    let whole = pair.clone();
    let mut parts = inner(pair);
    let mut next = || parts.next();
    Some(match rule {
        Rule::use_decl => DeclKind::Use(cx.name(&next()?)),
        Rule::game_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Game(head, list))?,
        Rule::zone_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Zone(head, list))?,
        Rule::pool_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Pool(head, list))?,
        Rule::rules_set => with_properties(cx, whole).map(|(head, list)| DeclKind::Rules(head, list))?,
        Rule::match_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Match(head, list))?,
        Rule::role_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Role(head, list))?,
        Rule::param_decl => DeclKind::Param(head(cx, next()?)?, expr(cx, next()?)?),
        Rule::enum_decl => DeclKind::Enum(head(cx, next()?)?, members(cx, parts)?),
        Rule::function_decl => {
            let (head, params, result) = routine_head(cx, next()?)?;
            DeclKind::Function { head, params, result: result?, body: expr(cx, next()?)? }
        }
        Rule::card_type => DeclKind::CardType(head(cx, next()?)?, parts.map(|part| field(cx, part)).collect::<Option<_>>()?),
        Rule::state_decl => {
            let (head, of, on) = (head(cx, next()?)?, type_name(cx, next()?)?, cx.name(&next()?));
            DeclKind::State { head, on, of, properties: properties(cx, parts)? }
        }
        Rule::deck_decl => DeclKind::Deck(head(cx, next()?)?, deck_limits(cx, next()?)?),
        Rule::ability_kind => DeclKind::AbilityKind(head(cx, next()?)?, parts.map(|part| slot(cx, part)).collect::<Option<_>>()?),
        Rule::moment_decl => DeclKind::Moment(head(cx, next()?)?),
        Rule::duration_decl => DeclKind::Duration(head(cx, next()?)?),
        Rule::choice_decl => DeclKind::Choice(head(cx, next()?)?),
        Rule::action_decl => DeclKind::Action(routine(cx, next()?, next()?)?),
        Rule::procedure_decl => DeclKind::Procedure(routine(cx, next()?, next()?)?),
        Rule::judgement_decl => DeclKind::Judgement(routine(cx, next()?, next()?)?),
        Rule::option_decl => DeclKind::Option(option_decl(cx, whole)?),
        Rule::rule_decl => DeclKind::Rule(rule_decl(cx, whole)?),
        Rule::setup_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Setup(head, block(cx, next()?)?)
        }
        Rule::turn_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Turn(head, parts.map(|part| phase(cx, part)).collect::<Option<_>>()?)
        }
        Rule::keyword_decl => DeclKind::Keyword(head(cx, next()?)?, abilities(cx, next()?)?),
        Rule::policy_decl => DeclKind::Policy(head(cx, next()?)?, parts.map(|part| entry(cx, part)).collect::<Option<_>>()?),
        Rule::layers_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Layers(head, parts.map(|part| layer(cx, part)).collect::<Option<_>>()?)
        }
        Rule::timing_decl => timing(cx, whole)?,
        Rule::reading_decl => DeclKind::Reading(reading(cx, whole)?),
        Rule::given_default => {
            let span = cx.span(&whole);
            DeclKind::GivenDefault(super::ast::ScenarioDefault { zones: given_zones(cx, parts)?, span })
        }
        Rule::wording_decl => DeclKind::Wording(wording(cx, whole)?),
        _ => return None,
    })
}

fn with_properties(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Head, Vec<Property>)> {
    let mut parts = inner(pair);
    Some((head(cx, parts.next()?)?, properties(cx, parts)?))
}

fn routine(cx: &mut Cx<'_>, head: Pair<'_, Rule>, body: Pair<'_, Rule>) -> Option<Routine> {
    let (head, params, result) = routine_head(cx, head)?;
    Some(Routine { head, params, result, body: block(cx, body)? })
}

fn phase(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Phase> {
    let mut parts = inner(pair);
    let head = head(cx, parts.next()?)?;
    let body: Block = block(cx, parts.next()?)?;
    Some(Phase { head, body })
}

fn field(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Field> {
    let mut parts = inner(pair).peekable();
    let mut margin = cites(cx, &mut parts);
    let mut head = head(cx, parts.next()?)?;
    margin.append(&mut head.cites);
    head.cites = margin;
    let of = type_name(cx, parts.next()?)?;
    let (mut list, mut derived) = (Vec::new(), None);
    for part in parts {
        match part.as_rule() {
            Rule::field_property => list.push(part),
            _ => derived = Some(expr(cx, part)?),
        }
    }
    Some(Field { head, of, properties: properties(cx, list.into_iter())?, derived })
}

fn slot(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Slot> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let name = cx.name(&parts.next()?);
    let mut of = Vec::new();
    while let Some(word) = parts.next_if(|part| part.as_rule() == Rule::slot_word) {
        of.push(cx.name(&inner(word).next()?));
    }
    let default = match parts.next() {
        Some(value) => Some(expr(cx, value)?),
        None => None,
    };
    Some(Slot { name, of, default, cites })
}

fn entry(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<PolicyEntry> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    Some(PolicyEntry { cites, name: cx.name(&parts.next()?), value: expr(cx, parts.next()?)? })
}

fn layer(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Head, Vec<Property>)> {
    let mut parts = inner(pair);
    let head = head(cx, parts.next()?)?;
    let list = parts.map(|part| Property { span: cx.span(&part), words: phrase(cx, &part), value: None, cites: Vec::new() }).collect();
    Some((head, list))
}

/// `timing joining "…" also ["…"] @… opens round`: a head whose other labels stand among its parts.
fn timing(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeclKind> {
    let head = head(cx, pair.clone())?;
    let mut list = Vec::new();
    for part in inner(pair).filter(|part| matches!(part.as_rule(), Rule::also | Rule::opens)) {
        let span = cx.span(&part);
        let mut pieces = inner(part);
        let words = phrase(cx, &pieces.next()?);
        list.push(Property { words, value: Some(expr(cx, pieces.next()?)?), cites: Vec::new(), span });
    }
    Some(DeclKind::Timing(head, list))
}

fn reading(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Reading> {
    let mut parts = inner(pair).peekable();
    let head = head(cx, parts.next()?)?;
    if let Some(of) = parts.next_if(|part| part.as_rule() == Rule::type_name) {
        return Some(Reading { head, choices: ReadingChoices::Value(type_name(cx, of)?, expr(cx, parts.next()?)?) });
    }
    let mut names = Vec::new();
    for part in parts {
        let mut pieces = inner(part);
        names.push((cx.name(&pieces.next()?), pieces.next().is_some()));
    }
    Some(Reading { head, choices: ReadingChoices::Names(names) })
}
