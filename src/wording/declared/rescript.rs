//! Replaces the script of one template in a compiled wording.
//!
//! The audit breaks the scripts of templates one by one. The printed forms stay the same, and so do the rules and states of the grammar. So
//! only the script is replaced, and checked against the holes as in `draft.rs`. Templates that several declarations share are not handled
//! here; the wording is then compiled again.

use crate::declared::check::{check_holes, hole_kinds, used_holes};
use crate::declared::frames::{may_be_absent, scripts};
use crate::declared::grammar::{Grammar, Meaning, Rule, TemplateDef, TemplateId};
use crate::declared::lower::bare;
use lang::syntax::ast::{Fragment, Frame, Template, WordingItem, WordingKind};

/// A grammar in which the script of a line was to be replaced.
#[derive(Clone, Debug)]
pub enum Rescripted<T> {
    /// The grammar (or wording) with the new script.
    Done(T),
    /// The new script does not fit the printed forms. The changed wording has errors.
    Wrong,
    /// More than scripts would change, or this is not sure. The wording must be compiled again.
    Unsure,
}

impl<T> Rescripted<T> {
    /// The result with another value: `make` makes it from the grammar (or wording).
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Rescripted<U> {
        match self {
            Rescripted::Done(done) => Rescripted::Done(make(done)),
            Rescripted::Wrong => Rescripted::Wrong,
            Rescripted::Unsure => Rescripted::Unsure,
        }
    }
}

/// The grammar with the new script of a line.
pub(crate) fn rescripted(grammar: &Grammar, lines: (&WordingItem, &WordingItem)) -> Rescripted<Grammar> {
    let Some(changes) = changed_templates(grammar, lines) else { return Rescripted::Unsure };
    if !changes.iter().all(|(id, def)| fits(grammar, *id, def)) {
        return Rescripted::Wrong;
    }
    let mut broken = grammar.clone();
    for (id, def) in changes {
        if let Some(place) = broken.templates.get_mut(id.0 as usize) {
            *place = def.into();
        }
    }
    Rescripted::Done(broken)
}

/// The templates of a line with their new scripts. None if more than scripts would change, or if this is not sure.
fn changed_templates(grammar: &Grammar, (before, now): (&WordingItem, &WordingItem)) -> Option<Vec<(TemplateId, TemplateDef)>> {
    let scripts = new_scripts(&before.kind, &now.kind).filter(|_| before.span == now.span && before.cites == now.cites)?;
    let mut ids: Vec<TemplateId> =
        (0..).map(TemplateId).zip(&grammar.templates).filter(|(_, def)| def.span == now.span).map(|(id, _)| id).collect();
    // A family's line occurs once for each `take`. Kept are the templates whose script is that of this line.
    if ids.len() > scripts.len() {
        let old = new_scripts(&now.kind, &before.kind)?;
        ids.retain(|id| grammar.template(*id).is_some_and(|def| old.contains(&def.script)));
    }
    if ids.len() != scripts.len() {
        return None;
    }
    let changed = |(id, script)| {
        let def = TemplateDef { script, ..grammar.template(id)?.as_ref().clone() };
        // A line that repeats another one word for word has no template of its own. So a line with the printed form and the new script of
        // another line may have to give up its template.
        let said_alike = |other: &TemplateDef| other.category == def.category && other.shown == def.shown && other.span != def.span;
        let repeats = |other: &TemplateDef| said_alike(other) && bare(&other.script) == bare(&def.script);
        (!grammar.templates.iter().any(|other| repeats(other))).then_some((id, def))
    };
    ids.into_iter().zip(scripts).map(changed).collect()
}

/// The new scripts of a line's templates, if the lines differ in nothing else.
fn new_scripts(before: &WordingKind, now: &WordingKind) -> Option<Vec<Fragment>> {
    match (before, now) {
        (WordingKind::Template(before), WordingKind::Template(now)) => {
            let script = now.script.clone();
            (Template { script: before.script.clone(), ..now.clone() } == *before).then(|| vec![script])
        }
        (WordingKind::Frame(before), WordingKind::Frame(now)) => {
            let alike = Frame { script: before.script.clone(), ..now.clone() } == *before;
            // The kind must not change: events have no voices, and only statements have relative clauses.
            let kind = std::mem::discriminant(&before.script) == std::mem::discriminant(&now.script);
            let absent = now.slots.iter().all(|slot| may_be_absent(now, slot));
            (alike && kind && absent).then(|| scripts(now).map(|(_, script)| script).collect())
        }
        _ => None,
    }
}

/// Whether each printed form of a template has the holes that its script wants.
fn fits(grammar: &Grammar, id: TemplateId, def: &TemplateDef) -> bool {
    let is_its = |rule: &&Rule| matches!(rule.meaning, Meaning::Template(of) if of == id);
    let (used, mut checked) = (used_holes(def), Vec::new());
    grammar.rules.iter().filter(is_its).all(|rule| {
        let kinds = hole_kinds(grammar, rule);
        if checked.contains(&kinds) {
            return true;
        }
        checked.push(kinds);
        check_holes(grammar, rule, (def, &used), def.span).is_empty()
    })
}
