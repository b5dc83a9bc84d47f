//! `load rules 「…」` in a scenario: declarations that are added to the game, or replace its own, for this scenario only.
//!
//! Input: the game's trees and its pool. Output: a compiler for the changed game. A declaration replaces the game's declaration of the same
//! kind and name. The turn, the set-up and the judgement exist only once, so they are always replaced. Wordings are not changed; printed
//! texts are read by the game's own wording.

use crate::outcome::verdict::Failure;
use crate::running::loads::flush_left;
use compile::Compiler;
use lang::diagnostic::{Diagnostic, Severity, Span};
use lang::syntax::ast::{Ability, CardDecl, DeclKind, Load, Outcome, RulesFile, Scenario, Step};
use lang::syntax::parse_rules;
use std::sync::Arc;

/// The compiler of the changed game. None if the scenario changes nothing.
///
/// # Errors
/// The first error in the changed game, at the source that changes it; `E0563` for anything but rules.
pub(crate) fn of(
    scenario: &Scenario,
    files: &[RulesFile],
    pool: &[Arc<(CardDecl, Vec<Ability>)>],
    readings: &[(String, String)],
) -> Result<Option<Compiler>, Box<Failure>> {
    let joins = scenario.steps.iter().filter_map(|step| match step {
        Step::Load(load) if load.outcome == Outcome::Joins => Some(load),
        _ => None,
    });
    let mut joins = joins.peekable();
    if joins.peek().is_none() {
        return Ok(None);
    }
    let mut files = files.to_vec();
    let mut last: Option<&Load> = None;
    for load in joins {
        if load.what.text != "rules" {
            return Err(Diagnostic::error("E0516", load.what.span).with("what", &load.what.text).into());
        }
        let (read, found) = parse_rules(load.source.span.file, &format!("gyoji 1\n{}\n", flush_left(&load.source.text)));
        first_error(found, load.source.span)?;
        join(&mut files, read);
        last = Some(load);
    }
    let Some(load) = last else { return Ok(None) };
    let (mut compiler, mut found) = Compiler::new(&files);
    for (name, value) in readings {
        found.extend(compiler.set_reading(name, value));
    }
    for card in pool {
        found.extend(compiler.add(Arc::clone(card)).1);
    }
    first_error(found, load.source.span)?;
    Ok(Some(compiler))
}

/// The first error, at the loaded source, because its own place belongs to the changed text.
fn first_error(found: Vec<Diagnostic>, at: Span) -> Result<(), Box<Failure>> {
    match found.into_iter().find(|finding| finding.severity == Severity::Error) {
        Some(finding) => Err(Diagnostic { span: Some(at), ..finding }.into()),
        None => Ok(()),
    }
}

/// A finding about what a scenario adds. In a card of the scenario the finding stays at its place. In loaded rules it stands at the source,
/// because its own place belongs to the changed text.
pub(crate) fn placed(scenario: &Scenario, finding: Diagnostic) -> Diagnostic {
    let inside = |outer: Span| finding.span.is_some_and(|span| outer.start <= span.start && span.end <= outer.end);
    let is_of_card = scenario.steps.iter().any(|step| matches!(step, Step::Card(card) if inside(card.span)));
    let loaded = scenario.steps.iter().rev().find_map(|step| match step {
        Step::Load(load) if load.outcome == Outcome::Joins => Some(load.source.span),
        _ => None,
    });
    match loaded.filter(|_| !is_of_card) {
        Some(at) => Diagnostic { span: Some(at), ..finding },
        None => finding,
    }
}

/// Adds declarations. A declaration replaces that of the same kind and name.
pub(crate) fn join(files: &mut Vec<RulesFile>, added: RulesFile) {
    for decl in &added.items {
        let Some(key) = key(&decl.kind) else { continue };
        files.iter_mut().for_each(|file| file.items.retain(|known| self::key(&known.kind) != Some(key)));
    }
    files.push(added);
}

/// The key of a declaration: its kind and name. None for declarations that add to others.
fn key(kind: &DeclKind) -> Option<(std::mem::Discriminant<DeclKind>, &str)> {
    let name = match kind {
        DeclKind::Param(head, _)
        | DeclKind::Enum(head, _)
        | DeclKind::Function { head, .. }
        | DeclKind::Zone(head, _)
        | DeclKind::Pool(head, _)
        | DeclKind::State { head, .. }
        | DeclKind::Moment(head)
        | DeclKind::Cause(head)
        | DeclKind::Duration(head, _)
        | DeclKind::Keyword(head, _)
        | DeclKind::Choice(head, _)
        | DeclKind::Policy(head, _)
        | DeclKind::Deck(head, _) => &head.name.text,
        DeclKind::Action(routine) | DeclKind::Procedure(routine) => &routine.head.name.text,
        DeclKind::Rule(rule) => &rule.head.name.text,
        DeclKind::AbilityKind(kind) => &kind.head.name.text,
        DeclKind::Option(option) => &option.head.name.text,
        DeclKind::Timing(timing) => &timing.head.name.text,
        DeclKind::Event(event) => &event.head.name.text,
        DeclKind::Reading(reading) => &reading.head.name.text,
        DeclKind::Role(head, _) => &head.name.text,
        DeclKind::Match(matched) => &matched.head.name.text,
        DeclKind::Setup(..)
        | DeclKind::Rules(..)
        | DeclKind::Turn(..)
        | DeclKind::Judgement(_)
        | DeclKind::Moves(..)
        | DeclKind::Table(_)
        | DeclKind::Layers(..) => "",
        _ => return None,
    };
    Some((std::mem::discriminant(kind), name))
}
