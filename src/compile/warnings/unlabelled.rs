//! Warns of questions without words for the player.

use super::super::Compiler;
use engine::ids::ChoiceId;
use engine::program::{ChoiceDef, Op};
use lang::diagnostic::{Diagnostic, FileId, Span};

impl Compiler {
    /// `E0377` at each decision of the rules that has no label. Only in a game that gives some declared choice a label. A decision of a card
    /// needs no label, because the player reads the card.
    pub(super) fn unlabelled(&self, own: &[FileId]) -> Vec<Diagnostic> {
        let program = &self.program;
        if !self.symbols.choices.words().any(|name| self.label_of_choice(name).is_some()) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (id, op) in program.code.iter() {
            let Some((choice, span)) = asked(op).and_then(|choice| Some((program.choices.get(choice)?, self.map.code(id)?))) else {
                continue;
            };
            if own.contains(&span.file) && !self.map.is_printed(span) && self.lacks_words(choice) {
                found.push(unlabelled(choice, span));
            }
        }
        found
    }

    fn lacks_words(&self, choice: &ChoiceDef) -> bool {
        // The declared label of every yes or no does not say what this question is about.
        let common = choice.yes_no && self.label_of_choice(&choice.name.name) == Some(choice.name.label.as_str());
        common || !choice.name.is_labelled()
    }

    /// The label of a declared choice, if it has one.
    fn label_of_choice(&self, name: &str) -> Option<&str> {
        let (label, _) = self.symbols.choices.find(name).and_then(|at| self.symbols.choice_cites.get(at))?;
        (label != name).then_some(label.as_str())
    }
}

fn asked(op: &Op) -> Option<ChoiceId> {
    match op {
        Op::Choose { choice, .. } | Op::Offer { choice, .. } | Op::Match { choice, .. } | Op::May { choice, .. } => Some(*choice),
        Op::Try { asked, .. } => *asked,
        _ => None,
    }
}

fn unlabelled(choice: &ChoiceDef, span: Span) -> Diagnostic {
    let form = match (choice.yes_no, choice.offer) {
        (true, _) => "may p \"…\" { }",
        (false, true) => "offer p \"…\" from …",
        (false, false) => "choose x \"…\": …",
    };
    let finding = Diagnostic::error("E0377", span).with("name", &choice.name.name).with("form", form);
    finding.with("declare", format!("choice {} \"…\"", choice.name.name))
}
