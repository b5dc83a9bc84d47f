//! Rounds that players choose and that leave something that grows: one more effect in force, or a greater number.
//!
//! No position comes back exactly in such rounds. So the round is played on in a copy of the game, with the answers that the players gave.
//! The round can go on without end if the flow comes back [`ENDLESS_ROUNDS`] times, and each time the cards lie as before, the same
//! conditions hold, and the players can choose among as many answers. A condition that will change by going on ends the look.

use crate::eval::{Eval, unread};
use crate::ids::{Id, Pc};
use crate::limits::ENDLESS_ROUNDS;
use crate::run::Run;
use crate::run::step::jump;
use crate::state::{Branch, Fingerprint, Holds, Status, fingerprint};
use crate::steps::Observer;
use crate::value::{ObjectId, Player, Value};

/// A look at rounds that are played on in a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// The next random number at the beginning. Chance leads out of every circle.
    chance: u64,
    /// The position at the last look. None before the first look.
    seen: Option<Round>,
    /// The numbers of answers that were possible since the last look.
    offered: Vec<u16>,
    /// How many more rounds are to be seen.
    left: u16,
    /// Whether a round was not like the one before.
    differs: bool,
}

/// What is compared from round to round.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    /// The position without what grows.
    lies: Fingerprint,
    /// What grows. It has to differ from round to round: a round in which nothing is done does not go on.
    grown: Fingerprint,
    /// The effects that are not lasting, by their clauses and cards, and whether they count.
    conditions: Vec<(u32, Option<ObjectId>, bool)>,
    /// How many answers were possible at each question of the round. Empty at the first look.
    offered: Vec<u16>,
}

impl<O: Observer> Run<'_, O> {
    /// Whether the round of the answers since `from` can go on without end from here. The position has come back, except for what grows.
    pub(super) fn goes_on_for_ever(&mut self, branch: &Branch, at: u16, pc: Pc, from: usize) -> bool {
        self.state.events.seal();
        // The question is asked anew.
        let mut copy = self.scratch.copy_of_branch(branch);
        jump(&mut copy, pc);
        let chance = self.chance();
        self.on_a_copy(|run| {
            let Some(cycle) = run.state.control.cycle_mut() else { return false };
            cycle.round = cycle.answers.split_off(from.min(cycle.answers.len()));
            cycle.answers.clear();
            cycle.offers.clear();
            (cycle.at, cycle.left, cycle.stop) = (0, u32::from(ENDLESS_ROUNDS) + 1, None);
            run.put_back(copy, usize::from(at));
            run.scratch.around = Some(Around { chance, seen: None, offered: Vec::new(), left: ENDLESS_ROUNDS, differs: false });
            let goes_on = |run: &Run<'_, _>| run.scratch.around.as_ref().is_some_and(|around| around.left > 0 && !around.differs);
            loop {
                while matches!(run.state.control.status, Status::Running) && goes_on(run) {
                    run.round();
                }
                if !matches!(run.state.control.status, Status::Asking) || !goes_on(run) || !run.repeats() {
                    break;
                }
                run.scratch.nobody_goes_round();
                run.state.nobody_was_here();
                (run.state.control.steps, run.work) = (0, 0);
            }
            unread::end();
            run.scratch.around.take().is_some_and(|around| around.left == 0 && !around.differs)
        })
    }

    /// On a copy: notes that the first question of the round is asked. Gives whether the rounds go on as before, and more are to be seen.
    pub(super) fn sees_round(&mut self) -> bool {
        let lies = self.state.control.cycle.as_ref().map_or_else(Fingerprint::default, |cycle| cycle.here);
        let (chance, conditions) = (self.chance(), self.conditions_now());
        let grown = fingerprint::growth(self.program, self.state, &self.scratch.seen).into();
        let Some(around) = &mut self.scratch.around else { return false };
        let now = Round { lies, grown, conditions, offered: std::mem::take(&mut around.offered) };
        if let Some(before) = &around.seen {
            let alike = (&before.lies, &before.conditions) == (&now.lies, &now.conditions);
            let as_many = before.offered.is_empty() || before.offered == now.offered;
            around.differs |= !alike || before.grown == now.grown || !as_many || around.chance != chance;
            around.left = around.left.saturating_sub(1);
        }
        around.seen = Some(now);
        around.left > 0 && !around.differs
    }

    /// On a copy: notes how many answers were possible at questions that are answered as before.
    pub(super) fn note_offered(&mut self, offered: Vec<u16>) {
        if let Some(around) = &mut self.scratch.around {
            around.offered.extend(offered);
        }
    }

    /// The effects of abilities and rules, and whether their conditions are true. Lasting effects are what grows.
    fn conditions_now(&self) -> Vec<(u32, Option<ObjectId>, bool)> {
        let state = &*self.state;
        let mut eval = Eval::new(self.program, state, &[], &[], Player(0), Value::Undefined);
        let effects = state.effects.in_force.iter().filter(|effect| !matches!(effect.holds, Holds::Lasting(_)));
        let mut found: Vec<(u32, Option<ObjectId>, bool)> = Vec::new();
        for effect in effects {
            let card = if let Value::Object { id, .. } = effect.source { Some(id) } else { None };
            found.push((effect.clause.index() as u32, card, eval.is_active(effect, effect.clause)));
        }
        found.sort_unstable();
        // Equal abilities that were granted one after the other count once.
        found.dedup();
        found
    }
}
