//! Compiles `layers { … }`, and finds the layer of each change that an effect makes.

use crate::Compiler;
use engine::ids::{EnumId, FieldId};
use engine::program::{ChangeKind, ClauseKind, Type};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Head, Name, Property};

/// The kind of change that a layer applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerVerb {
    /// `printed =`.
    Define,
    /// `=`.
    Set,
    /// `+` and `-` of numbers.
    Add,
    /// `*` and `/`.
    Multiply,
    /// `at least`.
    Floor,
    /// Any change that no other word covers.
    Modify,
    /// Something that a card does not have yet: a member of a set, a value of an empty field, an ability.
    Grant,
    /// Something that a card loses.
    Strip,
    /// Abilities that do nothing.
    Disable,
}

/// What a layer's changes apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerOf {
    Ability,
    Field(FieldId),
    Type(Type),
    /// Any field that no layer names.
    Other,
}

/// A part of a layer, with the number of the layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerPart {
    verb: LayerVerb,
    of: LayerOf,
    layer: u8,
    span: Span,
}

const VERBS: [(&str, LayerVerb); 9] = [
    ("define", LayerVerb::Define),
    ("set", LayerVerb::Set),
    ("add", LayerVerb::Add),
    ("multiply", LayerVerb::Multiply),
    ("floor", LayerVerb::Floor),
    ("modify", LayerVerb::Modify),
    ("grant", LayerVerb::Grant),
    ("strip", LayerVerb::Strip),
    ("disable", LayerVerb::Disable),
];

impl Compiler {
    /// `layers { name { grant ability, modify number } … }`.
    pub(crate) fn declare_layers(&mut self, head: &Head, layers: &[(Head, Vec<Property>)]) {
        self.once("layers", head.span);
        for (at, (head, parts)) in layers.iter().enumerate() {
            let name = self.name_def(head);
            self.program.layers.push(name);
            for part in parts {
                let Some((verb, of)) = self.layer_part(part) else { continue };
                let known = self.layers.iter().find(|known| known.verb == verb && known.of == of).copied();
                if let Some(known) = known {
                    let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
                    self.report(Diagnostic::error("E0281", part.span).with("what", words.join(" ")).note(known.span, "first"));
                }
                self.layers.push(LayerPart { verb, of, layer: at as u8, span: part.span });
            }
        }
    }

    fn layer_part(&mut self, part: &Property) -> Option<(LayerVerb, LayerOf)> {
        let [verb, of] = part.words.as_slice() else {
            let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
            let finding = Diagnostic::error("E0216", part.span).with("what", "layer").with("words", words.join(" "));
            self.report(finding.with("known", "grant ability`, `modify number`, `modify FIELD"));
            return None;
        };
        let Some((_, found)) = VERBS.iter().find(|(word, _)| *word == verb.text) else {
            self.unknown("kind of change", verb, VERBS.map(|(word, _)| word));
            return None;
        };
        Some((*found, self.layer_of_word(of)?))
    }

    fn layer_of_word(&mut self, word: &Name) -> Option<LayerOf> {
        if let Some(field) = self.symbols.fields.id::<FieldId>(&word.text) {
            return Some(LayerOf::Field(field));
        }
        if let Some(of) = self.symbols.enums.id::<EnumId>(&word.text) {
            return Some(LayerOf::Type(Type::Enum(of)));
        }
        let known = [
            ("ability", LayerOf::Ability),
            ("other", LayerOf::Other),
            ("number", LayerOf::Type(Type::Number)),
            ("symbol", LayerOf::Type(Type::Symbol)),
            ("text", LayerOf::Type(Type::Text)),
            ("bool", LayerOf::Type(Type::Bool)),
        ];
        let found = known.iter().find(|(name, _)| *name == word.text).map(|(_, of)| *of);
        if found.is_none() {
            let words: Vec<String> = self.symbols.fields.words().map(str::to_owned).collect();
            self.unknown("field", word, words.iter().map(String::as_str).chain(known.map(|(name, _)| name)));
        }
        found
    }

    /// The layer of a change of a field. `E0280` if the game has layers and none covers the change.
    pub(crate) fn layer_of_change(&mut self, op: ChangeKind, field: FieldId, span: Span) -> u8 {
        let found = self.find_change(op, field);
        let name = self.program.fields.get(field).map_or_else(String::new, |field| field.name.name.clone());
        let verb = self.verb_of_change(op, field);
        self.layer_or_report(found, (verb, name), span)
    }

    /// The layer of a clause that grants, strips or disables abilities.
    pub(crate) fn layer_of_abilities(&mut self, kind: &ClauseKind, span: Span) -> u8 {
        let verbs: &[LayerVerb] = match kind {
            ClauseKind::Grant { .. } => &[LayerVerb::Grant],
            ClauseKind::Strip { .. } => &[LayerVerb::Strip],
            ClauseKind::Disable(_) => &[LayerVerb::Disable, LayerVerb::Strip],
            _ => return 0,
        };
        let found = self.find_layer(verbs, &[LayerOf::Ability]);
        self.layer_or_report(found, (verbs.first().copied().unwrap_or(LayerVerb::Modify), "ability".to_owned()), span)
    }

    fn layer_or_report(&mut self, found: Option<u8>, (verb, what): (LayerVerb, String), span: Span) -> u8 {
        if found.is_none() && !self.program.layers.is_empty() {
            let word = VERBS.iter().find(|(_, known)| *known == verb).map_or("", |(word, _)| word);
            self.report(Diagnostic::error("E0280", span).with("entry", format!("{word} {what}")).with("what", what));
        }
        self.layers_used.extend(found.map(usize::from));
        found.unwrap_or(0)
    }

    pub(crate) fn find_change(&self, op: ChangeKind, field: FieldId) -> Option<u8> {
        let of = self.program.fields.get(field).map_or(Type::Unknown, |field| field.of);
        let verbs = [self.verb_of_change(op, field), LayerVerb::Modify];
        self.find_layer(&verbs, &[LayerOf::Field(field), LayerOf::Type(of), LayerOf::Other])
    }

    /// The word of `layers` for a change of a field.
    fn verb_of_change(&self, op: ChangeKind, field: FieldId) -> LayerVerb {
        let is_set = self.program.fields.get(field).is_some_and(|field| field.set);
        match (op, is_set) {
            (ChangeKind::SetPrinted | ChangeKind::AddPrinted | ChangeKind::RemovePrinted, _) => LayerVerb::Define,
            (ChangeKind::Set, _) => LayerVerb::Set,
            (ChangeKind::Add, true) | (ChangeKind::Provide, _) => LayerVerb::Grant,
            (ChangeKind::Subtract, true) | (ChangeKind::Remove, _) => LayerVerb::Strip,
            (ChangeKind::Add | ChangeKind::Subtract, false) => LayerVerb::Add,
            (ChangeKind::Multiply | ChangeKind::Divide, _) => LayerVerb::Multiply,
            (ChangeKind::Floor, _) => LayerVerb::Floor,
        }
    }

    /// The layer that names the change most exactly.
    pub(crate) fn find_layer(&self, verbs: &[LayerVerb], of: &[LayerOf]) -> Option<u8> {
        let mut exactness = verbs.iter().flat_map(|verb| of.iter().map(move |of| (*verb, *of)));
        exactness.find_map(|(verb, of)| self.layers.iter().find(|part| part.verb == verb && part.of == of).map(|part| part.layer))
    }
}
