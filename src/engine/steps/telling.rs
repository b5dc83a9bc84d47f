//! Tells the onlooker about steps, with the rules that they cite.
//!
//! A run without an onlooker pays nothing for this, and trial runs are not told. Onlookers are in [`crate::steps`];
//! [`crate::effects::untold_changes`] has events that abilities hear without an action.

use crate::eval::unread;
use crate::fault::{Fault, broken};
use crate::ids::{ChoiceId, CitesId, Pc, StateId};
use crate::program::Principle;
use crate::run::Run;
use crate::state::Branch;
use crate::steps::{Inside, Observer, Step, Stretch, Traced, View};
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Tells the onlooker.
    #[inline]
    pub fn tell(&mut self, at: Pc, depth: usize, branch: u16, lists: &[Value], step: impl FnOnce() -> Step) {
        if O::ON && self.trial.is_none() {
            let cites = self.program.code_cites.get(at).copied().unwrap_or_default();
            self.tell_cited(cites, at, depth, branch, lists, step);
        }
    }

    /// Tells the onlooker about something that the kernel did by itself, if the game has a rule for it.
    pub(crate) fn tell_principle(&mut self, principle: Principle, at: Pc, depth: usize, branch: u16) {
        self.tell_rules(self.program.principle(principle), at, depth, branch);
    }

    /// Tells the onlooker that nobody is asked, because the player is undefined.
    #[cold]
    pub(crate) fn tell_nobody_asked(&mut self, branch: &Branch, at: u16, pc: Pc, choice: ChoiceId) {
        self.tell(pc, branch.frames.len(), at, &[], || Step::NobodyAsked(choice));
    }

    /// Tells the onlooker that the position has come back, and that nobody can stop the loop.
    pub(crate) fn tell_circle(&mut self, at: Pc, depth: usize, branch: u16) {
        self.tell_cited(self.program.principle(Principle::Circle), at, depth, branch, &[], || Step::Circle);
    }

    /// Tells the onlooker about rules that no statement carries out. Without rules nothing is told.
    pub(crate) fn tell_rules(&mut self, cites: CitesId, at: Pc, depth: usize, branch: u16) {
        if O::ON && cites != CitesId::default() {
            self.tell_cited(cites, at, depth, branch, &[], || Step::Statement(None));
        }
    }

    /// Tells the onlooker about a step, with other rules than those of the statement.
    pub(crate) fn tell_cited(&mut self, cites: CitesId, at: Pc, depth: usize, branch: u16, lists: &[Value], step: impl FnOnce() -> Step) {
        if O::ON && self.trial.is_none() {
            unread::unnoted(|| {
                let traced = Traced { cites, at, depth: depth as u16, branch, step: step() };
                self.observer.step(&View { program: self.program, state: self.state, lists }, &traced);
            });
        }
    }

    /// Tells the onlooker about conditions with their own rules that decided an outcome.
    pub(crate) fn tell_operands(&mut self, found: &[(usize, bool)], at: Pc, depth: usize, branch: u16) {
        for (number, met) in found {
            let cites = self.program.operands.get(*number).map_or_else(CitesId::default, |(_, cites)| *cites);
            self.tell_cited(cites, at, depth, branch, &[], || Step::Operand(*number as u32, *met));
        }
    }

    /// Tells the onlooker that a statement sets a state.
    pub(crate) fn tell_state_set(&mut self, branch: &Branch, at: u16, (subject, state): (Value, StateId)) {
        if O::ON && self.trial.is_none() {
            self.observer.about_to_set(subject, state);
            let pc = branch.now();
            let cites = self.program.code_cites.get(pc).copied().unwrap_or_default();
            let traced = Traced { cites, at: pc, depth: branch.frames.len() as u16, branch: at, step: Step::Statement(None) };
            let view = View { program: self.program, state: self.state, lists: &branch.lists };
            unread::unnoted(|| self.observer.state_set(&view, &traced));
        }
    }

    /// Tells the onlooker that a statement is about to fail.
    pub(crate) fn tell_failing(&mut self, branch: &Branch, at: Pc) {
        // Only the body counts: the number of the branch is not asked for.
        self.tell_inside(branch, (at, 0), |observer, view, inside| observer.about_to_fail(view, inside));
    }

    /// Tells the onlooker that a statement is about to read something.
    pub(crate) fn tell_reading(&mut self, branch: &Branch, at: Pc, number: u16) {
        self.tell_inside(branch, (at, number), |observer, view, inside| observer.about_to_read(view, inside));
    }

    /// Tells the onlooker about the body in which a statement stands.
    fn tell_inside(&mut self, branch: &Branch, (at, number): (Pc, u16), tell: impl FnOnce(&mut O, &View<'_>, &Inside<'_>)) {
        if O::ON
            && self.trial.is_none()
            && let Some(frame) = branch.frames.last()
        {
            let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
            let (in_attempt, place) = (!branch.attempts.is_empty(), (number, branch.frames.len() as u16));
            let (done, cause) = ((frame.done, frame.part), frame.cause);
            let inside = Inside { at, locals, you: frame.you, this: frame.this, in_attempt, place, done, cause };
            let view = View { program: self.program, state: self.state, lists: &branch.lists };
            unread::unnoted(|| tell(self.observer, &view, &inside));
        }
    }

    /// Tells the onlooker that a turn or a phase is about to begin.
    pub(crate) fn tell_what_begins(&mut self, stretch: Stretch) {
        if O::ON && self.trial.is_none() {
            let view = View { program: self.program, state: self.state, lists: &[] };
            unread::unnoted(|| self.observer.about_to_begin(&view, stretch));
        }
    }
}
