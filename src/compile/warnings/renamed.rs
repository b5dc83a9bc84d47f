//! Warns of keywords and kinds of abilities that have one name in the rules and another one in the wording.
//!
//! Players read the label of the declaration. Cards are read by the template. If one of the two was changed alone, cards print a name that the
//! program never shows.

use super::super::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{AbilityBody, DeclKind, Fragment, Head, Printed, PrintedPart, Template, WordingItem, WordingKind};
use lang::syntax::normal;

/// Signs in which names of keywords and kinds are printed.
const AROUND: [(char, char); 10] =
    [('【', '】'), ('《', '》'), ('〈', '〉'), ('「', '」'), ('『', '』'), ('[', ']'), ('(', ')'), ('<', '>'), ('{', '}'), ('〔', '〕')];

impl Compiler {
    /// `E0347` for each keyword and each kind whose label no template reads, if some template reads another name for it.
    pub(super) fn renamed(&self) -> Vec<Diagnostic> {
        let mut templates = Vec::new();
        for decl in self.decls.iter() {
            if let DeclKind::Wording(wording) = &decl.kind {
                gather(&wording.items, &mut templates);
            }
        }
        let heads = self.decls.iter().filter_map(|decl| match &decl.kind {
            DeclKind::Keyword(head, _) => Some((head, "keyword")),
            DeclKind::AbilityKind(kind) => Some((&kind.head, "kind")),
            _ => None,
        });
        heads.filter_map(|(head, thing)| renamed(head, thing, &templates)).collect()
    }
}

/// All templates, also those of families that are taken.
fn gather<'d>(items: &'d [WordingItem], templates: &mut Vec<&'d Template>) {
    for item in items {
        match &item.kind {
            WordingKind::Template(template) => templates.push(template),
            WordingKind::Take { lines, .. } => gather(lines, templates),
            _ => {}
        }
    }
}

fn renamed(head: &Head, thing: &str, templates: &[&Template]) -> Option<Diagnostic> {
    let label = head.label.as_ref()?;
    let wanted = bare(&label.text);
    let mut other = None;
    for template in templates {
        let Fragment::Ability(ability) = &template.script else { continue };
        for form in &template.printed {
            let printed = match &ability.kind {
                AbilityBody::Keyword(name) if thing == "keyword" && name.text == head.name.text => literal(form),
                AbilityBody::Kind(name, _) if thing == "kind" && name.text == head.name.text => {
                    heading(form).filter(|_| label.text != wanted)
                }
                _ => None,
            };
            let Some(printed) = printed else { continue };
            if bare(&printed) == wanted {
                return None;
            }
            other.get_or_insert((printed, form.span));
        }
    }
    let (printed, place) = other?;
    let finding = Diagnostic::error("E0347", label.span).with("thing", thing).with("name", &head.name.text).with("label", &label.text);
    Some(finding.with("printed", printed).note(place, "template"))
}

/// The text of a form that is always printed in the same way.
fn literal(form: &Printed) -> Option<String> {
    let text = |part: &std::sync::Arc<PrintedPart>| if let PrintedPart::Text(text) = &**part { Some(text.text.clone()) } else { None };
    form.parts.iter().map(text).collect::<Option<String>>().filter(|text| !text.is_empty())
}

/// The name in brackets with which a form begins: 【登場時】.
fn heading(form: &Printed) -> Option<String> {
    let PrintedPart::Text(first) = &**form.parts.first()? else { return None };
    let open = first.text.chars().next()?;
    let (_, close) = AROUND.iter().find(|(known, _)| *known == open)?;
    let end = first.text.find(*close)?;
    first.text.get(..end + close.len_utf8()).map(str::to_owned)
}

/// A name without the signs around it, in its normal form.
fn bare(name: &str) -> String {
    let around = |sign: char| AROUND.iter().any(|(open, close)| sign == *open || sign == *close);
    normal(name.trim_matches(around).trim()).into_owned()
}
