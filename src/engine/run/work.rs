//! The work of a run: of a statement, between two decisions, and of the whole game (docs/kernel/loops_and_limits.md).

use super::Run;
use crate::ids::Pc;
use crate::limits::{FEW_EFFECTS, GAME_BUDGET, WORK_BUDGET, WORK_OF_A_STEP, WORK_OF_AN_EFFECT};
use crate::state::{Doing, FailureKind, Question, Status};
use crate::steps::Observer;

impl<O: Observer> Run<'_, O> {
    /// Adds the statements and the work since the last decision to the work of the game. The work of a trial is counted where the trial
    /// began.
    pub(super) fn count_spent(&mut self) {
        let statements = u64::from(std::mem::take(&mut self.state.control.steps));
        self.scratch.statements += statements;
        self.state.control.spent.add(statements * WORK_OF_A_STEP);
        if !self.is_tried() {
            self.state.control.spent.add(std::mem::take(&mut self.work));
        }
    }

    /// Whether this run is played on a copy, to find out what would happen.
    pub(super) fn is_tried(&self) -> bool {
        self.trial.is_some() || self.scratch.sounds
    }

    /// Ends the run with a rules error if the whole game has taken too much work. A question that is open then is not asked.
    pub(super) fn look_at_work_of_game(&mut self) {
        let is_over = self.state.control.spent.units() > GAME_BUDGET && matches!(self.state.control.status, Status::Asking);
        if !is_over || self.is_tried() {
            return;
        }
        let mut asking =
            self.state.control.branches.iter().filter(|branch| matches!(branch.doing, Doing::Ask(Question { open: true, .. })));
        let pc = asking.next().map_or(Pc::NOWHERE, |branch| branch.now());
        self.fail(FailureKind::Game, pc);
    }

    /// Checks whether the statement has exceeded a limit on questions about effects or on their number. Then the run ends with an error.
    /// Returns whether the run ended.
    #[inline]
    pub(super) fn asks_too_much(&mut self, pc: Pc, is_quiet: bool) -> bool {
        let effects = &self.state.effects;
        let too_many = || effects.are_too_many().then_some(FailureKind::Effects);
        let Some(kind) = effects.asked.too_much().or_else(too_many) else {
            if !is_quiet && effects.in_force.len() > FEW_EFFECTS {
                effects.count_walk(WORK_OF_AN_EFFECT);
            }
            let work = effects.asked.work.units();
            effects.asked.forget();
            return work > 0 && self.works_too_much(work, pc);
        };
        self.fail(kind, pc);
        true
    }

    /// Adds the work of a statement. If there was too much since the last decision, the run ends with an error. Returns whether it ended.
    /// The work is counted apart from the statements, because onlookers ask questions of their own.
    #[inline(never)]
    fn works_too_much(&mut self, work: u32, pc: Pc) -> bool {
        self.work += u64::from(work);
        if self.work <= WORK_BUDGET {
            return false;
        }
        self.fail(FailureKind::Budget, pc);
        true
    }
}
