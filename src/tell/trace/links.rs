//! Finds the line of a trace that a step belongs to, and the line that caused it.
//!
//! Lines are numbered as they are shown to a reader. So a hidden step leaves no gap in the numbers. How a step is shown is decided
//! elsewhere.

use engine::steps::{Observer, Step, Traced, View};
use engine::why::History;

/// The lines in which steps were shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    history: History,
    /// For each step of the history: the line that shows it, or the line that it belongs to.
    lines: Vec<Option<usize>>,
    told: usize,
}

impl Links {
    /// Notes a step that may be shown.
    pub(super) fn keep(&mut self, view: &View<'_>, step: &Traced) {
        let before = self.history.steps();
        self.history.step(view, step);
        self.lines.resize(before, None);
        // The line of an action with a body was shown when the action began.
        let body = |verb| view.program.verbs.get(verb).is_some_and(|verb| verb.body.is_some());
        let of = if matches!(step.step, Step::Performed(verb, ..) if body(verb)) { self.history.begun(before) } else { None };
        let of = of.or_else(|| self.history.parent(before));
        self.lines.push(of.and_then(|of| self.line(of)));
    }

    /// Notes that a state was set, which no line shows.
    pub(super) fn state_set(&mut self, view: &View<'_>, step: &Traced) {
        let before = self.history.steps();
        self.history.state_set(view, step);
        self.lines.resize(before, None);
        let line = self.history.parent(before).and_then(|of| self.line(of));
        self.lines.push(line);
    }

    /// Notes that the last step is shown. Gives the number of its line, of the line that it belongs to, and of the line that caused it.
    pub(super) fn told(&mut self) -> (usize, Option<usize>, Option<usize>) {
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
