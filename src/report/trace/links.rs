//! Which line of a trace a step is part of, and which one caused it.
//!
//! Lines are numbered as they are told to a reader: who may not know of a step learns nothing from a number that is left out. Deliberately absent: how
//! a step is told.

use crate::engine::observe::{Observer, Step, Traced, View};
use crate::engine::why::History;

/// The lines that steps were told in.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    history: History,
    /// For each step of the history the line that tells it, or what it is a part of.
    lines: Vec<Option<usize>>,
    told: usize,
}

impl Links {
    /// A step that may be told.
    pub fn keep(&mut self, view: &View<'_>, step: &Traced) {
        let before = self.history.steps();
        self.history.step(view, step);
        self.lines.resize(before, None);
        // An action with a body was told when it began.
        let body = |verb| view.program.verbs.get(verb).is_some_and(|verb| verb.body.is_some());
        let of = if matches!(step.step, Step::Performed(verb, ..) if body(verb)) { self.history.begun(before) } else { None };
        let of = of.or_else(|| self.history.parent(before));
        self.lines.push(of.and_then(|of| self.line(of)));
    }

    /// A state was set, which no line tells.
    pub fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        let before = self.history.steps();
        self.history.state_set(view, step);
        self.lines.resize(before, None);
        let line = self.history.parent(before).and_then(|of| self.line(of));
        self.lines.push(line);
    }

    /// The last step is told: the number of its line, of that which it is part of, of that which caused it.
    pub fn told(&mut self) -> (usize, Option<usize>, Option<usize>) {
        let at = self.history.steps().saturating_sub(1);
        let part_of = self.history.parent(at).and_then(|of| self.line(of));
        let caused_by = self.history.caller(at).and_then(|of| self.line(of));
        self.told += 1;
        if let Some(line) = self.lines.get_mut(at) {
            *line = Some(self.told);
        }
        (self.told, part_of, caused_by)
    }

    fn line(&self, step: usize) -> Option<usize> {
        self.lines.get(step).copied().flatten()
    }
}
