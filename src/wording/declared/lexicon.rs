//! The lexicon: the printed labels of all declarations, by kind of thing.
//!
//! The holes `${z: zone}`, `${f: field}`, `${v: colour}` of templates match these labels, so nobody writes templates for them.

use lang::syntax::ast::{Decl, DeclKind, Field, Head, RulesFile, Text};

/// A declared label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// `zone`, `field`, … or an enum's name.
    pub kind: String,
    /// The printed label.
    pub text: Text,
    /// The declared name.
    pub name: String,
}

/// The kinds that exist in every game, so that templates of `std` may name them.
pub(crate) const KINDS: [&str; 8] = ["zone", "field", "phase", "kind", "moment", "duration", "keyword", "card_type"];

/// The labels of all declarations, in the order of the declarations.
pub(crate) fn labels(files: &[RulesFile]) -> Vec<Label> {
    let mut labels = Vec::new();
    files.iter().flat_map(|file| &file.items).for_each(|decl| collect(decl, &mut labels));
    labels
}

/// The names of all enums: each is a kind of label.
pub(crate) fn enums(files: &[RulesFile]) -> impl Iterator<Item = &str> {
    files.iter().flat_map(|file| &file.items).filter_map(|decl| match &decl.kind {
        DeclKind::Enum(head, _) => Some(head.name.text.as_str()),
        _ => None,
    })
}

/// The names of all zones.
pub(crate) fn zones(files: &[RulesFile]) -> impl Iterator<Item = &str> {
    files.iter().flat_map(|file| &file.items).filter_map(|decl| match &decl.kind {
        DeclKind::Zone(head, _) => Some(head.name.text.as_str()),
        _ => None,
    })
}

fn collect(decl: &Decl, labels: &mut Vec<Label>) {
    let mut add = |kind: &str, head: &Head| {
        if let Some(text) = &head.label {
            labels.push(Label { kind: kind.to_owned(), text: text.clone(), name: head.name.text.clone() });
        }
    };
    match &decl.kind {
        DeclKind::Zone(head, _) => add("zone", head),
        DeclKind::AbilityKind(kind) => add("kind", &kind.head),
        DeclKind::Moment(head) => add("moment", head),
        DeclKind::Duration(head, _) => add("duration", head),
        DeclKind::Keyword(head, _) => add("keyword", head),
        DeclKind::Enum(head, members) => members.iter().for_each(|member| add(&head.name.text, member)),
        DeclKind::Turn(_, phases) => phases.iter().for_each(|phase| add("phase", &phase.head)),
        DeclKind::Player(fields) => fields.iter().for_each(|Field { head, .. }| add("field", head)),
        DeclKind::CardType(head, fields) => {
            add("card_type", head);
            fields.iter().for_each(|Field { head, .. }| add("field", head));
        }
        _ => {}
    }
}
