//! Replaces the script of one template in a compiled wording.
//!
//! The audit breaks the scripts of templates one by one. The printed forms stay the same, and so do the rules and states of the grammar. So
//! only the script is replaced, and checked against the holes as in `draft.rs`. Templates that several declarations share are not handled
//! here; the wording is then compiled again.

use crate::syntax::ast::{Fragment, Frame, Template, WordingItem, WordingKind};
use crate::wording::declared::check::{check_holes, hole_kinds};
use crate::wording::declared::frames::{may_be_absent, scripts};
use crate::wording::declared::grammar::{Grammar, Meaning, Rule, TemplateDef, TemplateId};

/// The grammar with the new script of a line. None if more than scripts would change, or if that is not sure here, or if the script has a
/// finding.
pub(in crate::wording) fn rescripted(grammar: &Grammar, (before, now): (&WordingItem, &WordingItem)) -> Option<Grammar> {
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
    let mut broken = grammar.clone();
    for (id, script) in ids.into_iter().zip(scripts) {
        let def = TemplateDef { script, ..grammar.template(id)?.as_ref().clone() };
        // Another line repeats the template word for word. After the change the two lines may no longer share one template, so this case is
        // not handled.
        let said_elsewhere = grammar.templates.iter().any(|other| other.shown == def.shown && other.span != def.span);
        if said_elsewhere || !fits(grammar, id, &def) {
            return None;
        }
        *broken.templates.get_mut(id.0 as usize)? = def.into();
    }
    Some(broken)
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
    let mut checked = Vec::new();
    grammar.rules.iter().filter(is_its).all(|rule| {
        let kinds = hole_kinds(grammar, rule);
        if checked.contains(&kinds) {
            return true;
        }
        checked.push(kinds);
        check_holes(grammar, rule, def, def.span).is_empty()
    })
}
