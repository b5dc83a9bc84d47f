//! Builds the declarations of a rules file.

use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{
    Block, Decl, DeclKind, EventDecl, Field, Head, KindDecl, MatchDecl, MatchKind, MatchPart, MoveRow, Name, Phase, PolicyEntry, Property,
    Reading, ReadingChoices, Routine, Slot, TableDecl, TablePart, Timing, TypeName, ValueTurn,
};
use crate::syntax::build::property::{members, phrase, properties};
use crate::syntax::build::rule::{option_decl, rule_decl};
use crate::syntax::build::scenario::given_default;
use crate::syntax::build::wording::wording;
use crate::syntax::build::{
    Cx, abilities, all, block, cites, deck_limits, expr, head, inner, routine_head, type_name, unnamed_head, value,
};
use crate::syntax::parse::Rule;
use pest::iterators::Pair;
use std::sync::Arc;

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
        Rule::use_decl => DeclKind::Use(cx.name(&next()?), members(cx, parts)?),
        Rule::game_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Game(head, list))?,
        Rule::zone_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Zone(head, list))?,
        Rule::pool_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Pool(head, list))?,
        Rule::rules_set => with_properties(cx, whole).map(|(head, list)| DeclKind::Rules(head, list))?,
        Rule::match_decl => DeclKind::Match(match_decl(cx, whole)?),
        Rule::role_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Role(head, list))?,
        Rule::param_decl => DeclKind::Param(head(cx, next()?)?, expr(cx, next()?)?),
        Rule::enum_decl => DeclKind::Enum(head(cx, next()?)?, members(cx, parts)?),
        Rule::function_decl => {
            let (head, params, result) = routine_head(cx, next()?)?;
            let result = result.unwrap_or_else(|| {
                cx.diagnostics.push(Diagnostic::error("E0143", head.name.span).with("name", &head.name.text));
                // Any type does: the program is not run.
                TypeName { set: false, name: Name { text: "number".to_owned(), span: head.name.span } }
            });
            DeclKind::Function { head, params, result, body: expr(cx, next()?)?, fact: false }
        }
        Rule::player_decl => DeclKind::Player(all(parts.map(|part| field(cx, part)))?),
        Rule::card_type => DeclKind::CardType(head(cx, next()?)?, all(parts.map(|part| field(cx, part)))?),
        Rule::state_decl => {
            let (head, of, on) = (head(cx, next()?)?, type_name(cx, next()?)?, cx.name(&next()?));
            DeclKind::State { head, on, of, properties: properties(cx, parts)? }
        }
        Rule::deck_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Deck(head, deck_limits(cx, next()?)?)
        }
        Rule::ability_kind => DeclKind::AbilityKind(ability_kind(cx, whole)?),
        Rule::moment_decl => DeclKind::Moment(head(cx, next()?)?),
        Rule::cause_decl => DeclKind::Cause(head(cx, next()?)?),
        Rule::fact_decl => {
            let (head, params, _) = routine_head(cx, whole)?;
            let result = TypeName { set: false, name: Name { text: "bool".to_owned(), span: head.span } };
            DeclKind::Function { head, params, result, body: expr(cx, parts.last()?)?, fact: true }
        }
        Rule::duration_decl => with_properties(cx, whole).map(|(head, list)| DeclKind::Duration(head, list))?,
        Rule::choice_decl => DeclKind::Choice(head(cx, next()?)?, all(parts.map(|part| entry(cx, part)))?),
        Rule::action_decl => DeclKind::Action(action(cx, whole)?),
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
            DeclKind::Turn(head, all(parts.map(|part| phase(cx, part)))?)
        }
        Rule::keyword_decl => DeclKind::Keyword(head(cx, next()?)?, abilities(cx, next()?)?),
        Rule::policy_decl => DeclKind::Policy(head(cx, next()?)?, all(parts.map(|part| entry(cx, part)))?),
        Rule::layers_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Layers(head, all(parts.map(|part| layer(cx, part)))?)
        }
        Rule::moves_decl => {
            let head = unnamed_head(cx, &next()?, next()?);
            DeclKind::Moves(head, all(parts.map(|part| move_row(cx, part)))?)
        }
        Rule::timing_decl => timing(cx, whole)?,
        Rule::event_decl => DeclKind::Event(event_decl(cx, whole)?),
        Rule::reading_decl => DeclKind::Reading(reading(cx, whole)?),
        Rule::given_default => {
            let span = cx.span(&whole);
            DeclKind::GivenDefault(given_default(cx, parts, span)?)
        }
        Rule::table_decl => DeclKind::Table(table(cx, parts)?),
        Rule::wording_decl => DeclKind::Wording(Arc::new(wording(cx, whole)?)),
        _ => return None,
    })
}

fn with_properties(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<(Head, Vec<Property>)> {
    let mut parts = inner(pair);
    Some((head(cx, parts.next()?)?, properties(cx, parts)?))
}

fn routine(cx: &mut Cx<'_>, head: Pair<'_, Rule>, body: Pair<'_, Rule>) -> Option<Routine> {
    let (head, params, result) = routine_head(cx, head)?;
    Some(Routine { head, params, result, secretly: false, once_in_a_step: false, replaced: None, condition: None, body: block(cx, body)? })
}

/// `action stun(c: card) "…" @… secretly once in a step replaced as_not_done when C { … }`.
fn action(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<Routine> {
    let mut parts = inner(pair).peekable();
    let (head, params, result) = routine_head(cx, parts.next()?)?;
    let secretly = parts.next_if(|part| part.as_rule() == Rule::unseen).is_some();
    let once_in_a_step = parts.next_if(|part| part.as_rule() == Rule::once_in_a_step).is_some();
    let replaced = match parts.next_if(|part| part.as_rule() == Rule::if_replaced) {
        Some(word) => Some(expr(cx, inner(word).find(|part| part.as_rule() != Rule::replaced_word)?)?),
        None => None,
    };
    let next = parts.next()?;
    let (condition, body) = match next.as_rule() {
        Rule::option_when => (Some(expr(cx, inner(next).next()?)?), parts.next()?),
        _ => (None, next),
    };
    Some(Routine { head, params, result, secretly, once_in_a_step, replaced, condition, body: block(cx, body)? })
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

fn ability_kind(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<KindDecl> {
    let mut parts = inner(pair);
    let mut kind = KindDecl { head: head(cx, parts.next()?)?, of: None, slots: Vec::new(), body: None };
    for part in parts {
        match part.as_rule() {
            Rule::of_type => kind.of = Some(cx.name(&inner(part).next()?)),
            Rule::slot => kind.slots.push(slot(cx, part)?),
            _ => kind.body = Some(block(cx, part)?),
        }
    }
    Some(kind)
}

fn match_decl(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<MatchDecl> {
    let mut parts = inner(pair);
    let (head, params, _) = routine_head(cx, parts.next()?)?;
    Some(MatchDecl { head, params, parts: all(parts.map(|part| match_part(cx, part)))? })
}

fn match_part(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<MatchPart> {
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let line = parts.next()?;
    let (rule, span) = (line.as_rule(), cx.span(&line));
    let skipped = [Rule::units_word, Rule::demands_word, Rule::each_word, Rule::match_where, Rule::left_words, Rule::spare_word];
    let mut parts = inner(line).filter(|part| !skipped.contains(&part.as_rule()));
    let mut next = || parts.next();
    let kind = match rule {
        Rule::match_units => MatchKind::Units(cx.name(&next()?), expr(cx, next()?)?),
        Rule::match_demands => MatchKind::Demands(cx.name(&next()?), expr(cx, next()?)?),
        Rule::match_each => {
            let (member, of, verb) = (cx.name(&next()?), expr(cx, next()?)?, next()?);
            MatchKind::Each { member, of, joins: verb.as_str() == "joins", unit: cx.name(&next()?), condition: expr(cx, next()?)? }
        }
        Rule::match_spare => MatchKind::Spare(cx.name(&next()?), expr(cx, next()?)?),
        _ => MatchKind::LeftOver(expr(cx, next()?)?),
    };
    Some(MatchPart { cites, kind, span })
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
        Some(given) => Some(value(cx, given)?),
        None => None,
    };
    let if_read = parts.next().is_some();
    Some(Slot { name, of, default, if_read, cites })
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

/// `from base to [field, hand] keeps states, effects reads before`.
fn move_row(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<MoveRow> {
    let span = cx.span(&pair);
    let mut parts = inner(pair).peekable();
    let cites = cites(cx, &mut parts);
    let mut row = MoveRow { cites, from: Vec::new(), to: Vec::new(), keeps: Vec::new(), reads: None, heard: None, span };
    let mut zones = 0;
    for part in parts {
        let rule = part.as_rule();
        let names: Vec<Name> = inner(part).filter(|piece| piece.as_rule() == Rule::name).map(|name| cx.name(&name)).collect();
        match rule {
            Rule::move_zones => {
                *(if zones == 0 { &mut row.from } else { &mut row.to }) = names;
                zones += 1;
            }
            Rule::keeps => row.keeps = names,
            Rule::reads => row.reads = names.into_iter().next(),
            Rule::heard => row.heard = names.into_iter().next(),
            _ => {}
        }
    }
    Some(row)
}

/// `row hand, deck "山札"`, `hide stack`, `values power`.
fn table<'i>(cx: &mut Cx<'_>, lines: impl Iterator<Item = Pair<'i, Rule>>) -> Option<TableDecl> {
    let mut table = TableDecl::default();
    for line in lines {
        let rule = line.as_rule();
        let parts: Vec<_> = inner(line).filter(|part| matches!(part.as_rule(), Rule::name | Rule::table_part)).collect();
        match rule {
            Rule::table_row => table.rows.push(all(parts.into_iter().map(|part| table_part(cx, part)))?),
            Rule::table_hidden => table.hidden.extend(parts.iter().map(|name| cx.name(name))),
            _ => table.values.extend(parts.iter().map(|name| cx.name(name))),
        }
    }
    Some(table)
}

/// `field "場" where it is unit`.
fn table_part(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<TablePart> {
    let mut parts = inner(pair).peekable();
    let zone = cx.name(&parts.next()?);
    let label = match parts.next_if(|part| matches!(part.as_rule(), Rule::string | Rule::quotation)) {
        Some(text) => Some(cx.text(text)?),
        None => None,
    };
    let condition = match parts.find(|part| part.as_rule() != Rule::kw_where) {
        Some(condition) => Some(expr(cx, condition)?),
        None => None,
    };
    Some(TablePart { zone, label, condition })
}

/// `event weakened(c: card in field) "…" @… when c.power falls`.
fn event_decl(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<EventDecl> {
    let mut parts = inner(pair);
    let (head, params, _) = routine_head(cx, parts.next()?)?;
    let value = expr(cx, parts.next()?)?;
    let turn = parts.next()?;
    let how = match turn.as_str().split_whitespace().last() {
        Some("falls") => ValueTurn::Falls,
        Some("rises") => ValueTurn::Rises,
        Some("true") => ValueTurn::BecomesTrue,
        Some("false") => ValueTurn::BecomesFalse,
        _ => ValueTurn::Changes,
    };
    Some(EventDecl { head, params, value, how })
}

/// `timing joining(p: player) "…" also ["…"] @… opens round(p)`. The other labels and the procedure stand among the parts of the head.
fn timing(cx: &mut Cx<'_>, pair: Pair<'_, Rule>) -> Option<DeclKind> {
    let (head, params, _) = routine_head(cx, pair.clone())?;
    let mut timing = Timing { head, params, also: None, opens: None };
    for part in inner(pair).filter(|part| matches!(part.as_rule(), Rule::also | Rule::opens)) {
        let is_also = part.as_rule() == Rule::also;
        let value = Some(expr(cx, inner(part).nth(1)?)?);
        if is_also { timing.also = value } else { timing.opens = value }
    }
    Some(DeclKind::Timing(timing))
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
