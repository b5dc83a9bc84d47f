//! Warns of games with `layers` in which something has no effect because of the layers.
//!
//! `policy effects { circles }` is for games without layers: the order of the layers decides there. An ability that is lost or disabled in a
//! layer has already changed numbers in the layers before.

use super::super::Compiler;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Decl, DeclKind, Head, Property};

impl Compiler {
    /// `E0391` for the policy `circles`, and `E0392` for parts of layers that disable or strip abilities too late.
    pub(super) fn idle_in_layers(&self) -> Vec<Diagnostic> {
        let declared = |decl: &std::sync::Arc<Decl>| matches!(&decl.kind, DeclKind::Layers(..));
        if !self.decls.iter().any(declared) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for decl in self.decls.iter() {
            match &decl.kind {
                DeclKind::Policy(head, entries) if head.name.text == "effects" => {
                    let circles = entries.iter().filter(|entry| entry.name.text == "circles");
                    found.extend(circles.map(|entry| Diagnostic::error("E0391", entry.name.span)));
                }
                // This policy withdraws the effects of lost abilities from earlier layers.
                DeclKind::Layers(_, layers) if !self.says_of_effects("given") => found.extend(too_late(layers)),
                _ => {}
            }
        }
        found
    }

    /// Whether `policy effects` has this entry.
    fn says_of_effects(&self, wanted: &str) -> bool {
        self.decls.iter().any(|decl| match &decl.kind {
            DeclKind::Policy(head, entries) => head.name.text == "effects" && entries.iter().any(|entry| entry.name.text == wanted),
            _ => false,
        })
    }
}

/// `E0392`: `disable ability` or `strip ability` in a later layer than a change of numbers.
fn too_late(layers: &[(Head, Vec<Property>)]) -> Vec<Diagnostic> {
    let mut numbers: Option<(&Head, Span)> = None;
    let mut found = Vec::new();
    for (head, parts) in layers {
        for part in parts {
            let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
            if let (["disable" | "strip", "ability"], Some((layer, span))) = (words.as_slice(), numbers) {
                let finding = Diagnostic::error("E0392", part.span).with("what", words.join(" "));
                found.push(finding.with("layer", &layer.name.text).note(span, "numbers"));
            }
        }
        let sums = |part: &&Property| {
            let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
            matches!(words.as_slice(), ["modify" | "add" | "set" | "multiply", "number"])
        };
        numbers = numbers.or_else(|| parts.iter().find(sums).map(|part| (head, part.span)));
    }
    found
}
