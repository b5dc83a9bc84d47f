//! Choices that must be made and lead nowhere: after every answer, the same question comes again in the same position
//! (docs/kernel/loops_and_limits.md).
//!
//! Input: a question that has come back without another answer in between. Each of its answers is tried on a copy of the game. Rounds that
//! a player can stop are in `run/repeats.rs`, rounds without a question in `run/circles.rs`.

use crate::ids::{Pc, Reg};
use crate::legal::attempt::{answers_to_try, give};
use crate::limits::SOUNDED;
use crate::program::Principle;
use crate::run::Run;
use crate::run::step::{get, set};
use crate::state::fingerprint::projection;
use crate::state::{Branch, Doing, FailureKind, Fingerprint, Forced, Outcome, Question, State, Status};
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// Notes that a choice that must be made is asked, and whether the question before was the same choice in the same position.
    pub(crate) fn note_forced_choice(&mut self, branch: &mut Branch, at: u16, pc: Pc, result: Reg) {
        let last = self.state.control.cycle.as_ref().and_then(|cycle| cycle.forced);
        let again = last.filter(|last| last.at == at && last.pc == pc);
        let (seen, chance) = match again {
            Some(_) => {
                // The register may still hold the answer of an earlier round. That answer is no part of the position.
                let left = get(branch, result);
                set(branch, result, Value::Undefined);
                let seen = projection((self.program, self.plan), self.state, branch, &mut self.scratch.seen);
                set(branch, result, left);
                (Some(Fingerprint::from(seen)), self.chance())
            }
            // The position is computed only when a choice comes a second time, because most choices are asked once.
            None => (None, 0),
        };
        let back = again.is_some_and(|last| last.seen.is_some() && last.seen == seen && last.chance == chance);
        let cycle = std::sync::Arc::make_mut(self.state.control.cycle.get_or_insert_default());
        cycle.forced = Some(Forced { at, pc, seen, chance, back });
    }

    /// Forgets the noted choice, if another question has been answered in between.
    pub(crate) fn forget_forced(&mut self, at: usize) {
        let control = &mut self.state.control;
        let Some(forced) = control.cycle.as_ref().and_then(|cycle| cycle.forced) else { return };
        let same = usize::from(forced.at) == at && control.branches.get(at).is_some_and(|branch| branch.now() == forced.pc);
        if let Some(cycle) = control.cycle_mut().filter(|_| !same) {
            cycle.forced = None;
        }
    }

    /// Checks a choice that must be made and has come back. If each of its answers brings the choice back again, no player can stop the
    /// rounds. This is a loop without a decision: the game is drawn or ends in a rules error, as its policy says.
    pub(crate) fn look_for_a_way_out(&mut self) {
        let forced = self.state.control.cycle.as_ref().and_then(|cycle| cycle.forced);
        let Some(forced) = forced.filter(|forced| forced.back && self.trial.is_none() && !self.scratch.sounds) else { return };
        let open = |branch: &Branch| matches!(branch.doing, Doing::Ask(Question { open: true, answer: None, .. }));
        let branches = &self.state.control.branches;
        let Some(branch) = branches.get(usize::from(forced.at)).filter(|branch| open(branch) && branch.now() == forced.pc) else { return };
        let Doing::Ask(question) = branch.doing else { return };
        let frames = branch.frames.len();
        if branches.iter().filter(|branch| open(branch)).count() != 1 || !self.each_leads_back(forced, &question) {
            return;
        }
        self.tell_principle(Principle::CameBack, forced.pc, frames, forced.at);
        if self.program.policies.mandatory_loop_is_drawn {
            self.tell_circle(forced.pc, frames, forced.at);
            self.over(Outcome::Drawn);
        } else {
            self.fail(FailureKind::Loop, forced.pc);
        }
    }

    fn each_leads_back(&mut self, forced: Forced, question: &Question) -> bool {
        self.on_a_copy(|run| {
            run.scratch.sounds = true;
            let before = run.scratch.copy_of(run.state);
            let (tries, all) = answers_to_try(run, usize::from(forced.at), question);
            let leads_back = all && tries.len() <= SOUNDED && tries.iter().all(|picks| run.leads_back(forced, &before, picks));
            run.scratch.sounds = false;
            run.scratch.spare_state(before);
            leads_back
        })
    }

    /// Whether the same question comes again in the same position after an answer.
    fn leads_back(&mut self, forced: Forced, before: &State, picks: &[u16]) -> bool {
        self.state.copy_from(before, &mut self.scratch.branches);
        if let Some(branch) = self.state.control.branches.get_mut(usize::from(forced.at)) {
            give(branch, picks);
        }
        if let Some(cycle) = self.state.control.cycle_mut() {
            cycle.forced = Some(Forced { back: false, ..forced });
        }
        let status = self.go();
        let came = self.state.control.cycle.as_ref().and_then(|cycle| cycle.forced);
        status == Status::Asking && came == Some(forced) && self.state.generator == before.generator
    }
}
