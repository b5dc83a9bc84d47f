//! A wording in which one template says something else by the same printed forms.
//!
//! The audit breaks the scripts of templates one by one. What is printed stays the same then, and with it every rule of the grammar and
//! every state of its chart: only scripts are put in their place, and checked against the holes as `draft` does.
//! Deliberately absent: templates that several declarations say; those are compiled anew.

use super::check::{check_holes, hole_kinds};
use super::frames::{may_be_absent, scripts};
use super::grammar::{Grammar, Meaning, Rule, TemplateDef, TemplateId};
use crate::syntax::ast::{Fragment, Frame, Template, WordingItem, WordingKind};

/// The grammar with a line's script in place of what the line said before. None where more than scripts would be otherwise, or where that would
/// not be known here; what is wrong with the script is such a case.
pub(super) fn rescripted(grammar: &Grammar, (before, now): (&WordingItem, &WordingItem)) -> Option<Grammar> {
    let scripts = new_scripts(&before.kind, &now.kind).filter(|_| before.span == now.span && before.cites == now.cites)?;
    let mut ids: Vec<TemplateId> =
        (0..).map(TemplateId).zip(&grammar.templates).filter(|(_, def)| def.span == now.span).map(|(id, _)| id).collect();
    // A family's line stands there as often as the family is taken: these are the ones that say what this one says.
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
        // One that another line says too, word for word, would be one with it, or no longer be.
        let said_elsewhere = grammar.templates.iter().any(|other| other.shown == def.shown && other.span != def.span);
        if said_elsewhere || !fits(grammar, id, &def) {
            return None;
        }
        *broken.templates.get_mut(id.0 as usize)? = def.into();
    }
    Some(broken)
}

/// The scripts of the templates of a line that differs from another in nothing else.
fn new_scripts(before: &WordingKind, now: &WordingKind) -> Option<Vec<Fragment>> {
    match (before, now) {
        (WordingKind::Template(before), WordingKind::Template(now)) => {
            let script = now.script.clone();
            (Template { script: before.script.clone(), ..now.clone() } == *before).then(|| vec![script])
        }
        (WordingKind::Frame(before), WordingKind::Frame(now)) => {
            let alike = Frame { script: before.script.clone(), ..now.clone() } == *before;
            // An event is not said in the voices, a statement has relative clauses.
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
