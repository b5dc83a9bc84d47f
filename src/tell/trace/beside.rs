//! The rules that a step carries out and that do not stand beside its statement: those of the declaration, ability or effect that the step
//! is about, of the body around it, of the moves that it makes. A scenario's header counts these rules, so a trace shows them.
//!
//! They are shown only to a reader who may know everything: an effect may be that of a hidden card.

use super::bodies::Bodies;
use engine::steps::{Traced, View};
use std::collections::BTreeSet;

/// The rules that lines have shown, and those that wait for the next line.
#[derive(Default)]
pub(super) struct Beside {
    bodies: Option<Bodies>,
    shown: BTreeSet<String>,
    waiting: Vec<String>,
}

impl Beside {
    /// Notes the rules of a step. If the step has no line of its own, the next line shows them.
    pub(super) fn note(&mut self, view: &View<'_>, step: &Traced) {
        let bodies = self.bodies.get_or_insert_with(|| Bodies::of(view.program));
        let lists = std::iter::once(step.cites).chain(bodies.rules_beside(view, step));
        for rule in lists.flat_map(|list| view.program.rules_beside(list)) {
            if !self.waiting.contains(rule) {
                self.waiting.push(rule.clone());
            }
        }
    }

    /// Notes that a line shows these rules as its own.
    pub(super) fn shows(&mut self, rules: &[&str]) {
        let new: Vec<String> = rules.iter().filter(|rule| !self.shown.contains(**rule)).map(|rule| (*rule).to_owned()).collect();
        self.shown.extend(new);
    }

    /// The rules noted since the last line, without the line's own.
    pub(super) fn take(&mut self, own: &[&str]) -> Vec<String> {
        let mut also = std::mem::take(&mut self.waiting);
        also.retain(|rule| !own.contains(&rule.as_str()));
        self.shown.extend(also.iter().cloned());
        also
    }

    /// The rules noted since the last line that no line has shown yet.
    pub(super) fn take_new(&mut self) -> Vec<String> {
        let mut also = std::mem::take(&mut self.waiting);
        also.retain(|rule| self.shown.insert(rule.clone()));
        also
    }

    /// The rules among these, and among those that wait for a line, that no line has shown.
    pub(super) fn not_shown<'r>(&'r self, rules: impl Iterator<Item = &'r str>) -> Vec<&'r str> {
        let all: BTreeSet<&str> = rules.chain(self.waiting.iter().map(String::as_str)).collect();
        all.into_iter().filter(|rule| !self.shown.contains(*rule)).collect()
    }
}
