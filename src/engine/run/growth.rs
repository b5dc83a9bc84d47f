//! Loops without decisions whose rounds differ only in numbers and effects: each round makes a value greater, or begins one more effect.
//!
//! No position comes back exactly in such a loop. Whether it ends by itself depends on what reads the numbers, and nobody can know that for
//! every loop. So the loop is carried out.
//!
//! - For `been_here` it is carried out on a copy of the game. After [`ENDLESS_ROUNDS`] rounds it counts as endless, and the game itself
//!   breaks off after the first round.
//! - Otherwise it is carried out up to the limits of a run. If it is there in such rounds, and no number has fallen, it counts as endless.
//!   (A number that falls may come to its bound.)

use crate::ids::Pc;
use crate::limits::{ENDLESS_ROUNDS, ROUNDS_SEEN};
use crate::program::SamePositions;
use crate::run::Run;
use crate::state::fingerprint::{self, projection_of_cards};
use crate::state::{Branch, Fingerprint, Status};
use crate::steps::Observer;
use crate::value::Value;
use std::sync::Arc;

/// How much work a statement is, in units of [`crate::limits::WORK_BUDGET`].
const WORK_OF_A_STATEMENT: usize = 15;

/// A look ahead: whether the flow comes back to a statement again and again, with the cards as they lie now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    pc: Pc,
    lies: Fingerprint,
    /// The next random number at the beginning. Chance leads out of every circle.
    chance: u64,
    /// How many more rounds are to be seen.
    left: u16,
}

/// A position of a loop, for its rounds that only make something grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Growing {
    /// The position as the cards lay.
    lies: u128,
    /// How often it has come back so.
    rounds: u16,
    /// The states of cards and players at that time.
    states: Vec<Value>,
}

impl<O: Observer> Run<'_, O> {
    /// Begins to count rounds from here, if positions are compared by more than how the cards lie. Rounds of an earlier position count too,
    /// if there were enough of them.
    pub(super) fn begins_growth(&mut self, branch: &Branch) -> Option<Growing> {
        let before = self.growing().map_or(0, |growing| growing.rounds);
        let rounds = if before < ROUNDS_SEEN { 0 } else { before };
        self.compares_more_than_cards().then(|| Growing { lies: self.lies_like(branch), rounds, states: self.states_now() })
    }

    /// Counts a round, if the cards lie as they lay.
    pub(super) fn notes_growth(&mut self, branch: &Branch) {
        let Some(before) = self.growing().map(|growing| growing.lies) else { return };
        if self.lies_like(branch) == before
            && let Some(growing) = self.scratch.look.as_mut().and_then(|look| look.growing.as_mut())
        {
            growing.rounds = growing.rounds.saturating_add(1);
        }
    }

    /// At a limit of the run: whether the flow has gone round for long, and only numbers and effects have grown.
    pub(super) fn has_grown_for_long(&self) -> bool {
        let Some(growing) = self.growing() else { return false };
        let now = self.states_now();
        // By this policy a number of players without a bound cannot run out.
        let apart = self.program.policies.same_positions == SamePositions::TalliesApart;
        let (of_cards, states) = (self.state.board.card_states.len(), self.program.states.rows());
        let is_tally = |at: usize| {
            let state = at.checked_sub(of_cards).and_then(|at| states.get(at % states.len().max(1)));
            apart && state.is_some_and(fingerprint::is_tally)
        };
        let has_fallen = |(at, (before, now)): (usize, (&Value, &Value))| {
            matches!((before, now), (Value::Number(before), Value::Number(now)) if now < before) && !is_tally(at)
        };
        growing.rounds >= ROUNDS_SEEN && now.len() == growing.states.len() && !growing.states.iter().zip(&now).enumerate().any(has_fallen)
    }

    fn growing(&self) -> Option<&Growing> {
        self.scratch.look.as_ref().and_then(|look| look.growing.as_ref())
    }

    fn states_now(&self) -> Vec<Value> {
        self.state.board.card_states.iter().chain(&self.state.board.player_states).copied().collect()
    }

    /// Whether positions are compared by more than how the cards lie.
    pub(super) fn compares_more_than_cards(&self) -> bool {
        !matches!(self.program.policies.same_positions, SamePositions::CardsAsTheyLie | SamePositions::CardsInZones)
    }

    /// The number of the position as the cards lie.
    pub(super) fn lies_like(&mut self, branch: &Branch) -> u128 {
        // Neither history nor effects are looked at.
        self.state.effects.asked.work.add(16 * self.state.events.pending.len());
        projection_of_cards((self.program, self.plan), self.state, branch, &mut self.scratch.seen_as_cards_lie)
    }

    /// For `been_here`, in a position that has not come back exactly: whether the flow was here with the cards as they lie now, and comes
    /// here again and again without end.
    pub(super) fn grows_endlessly(&mut self, branch: &mut Branch, at: u16, pc: Pc) -> bool {
        if !self.compares_more_than_cards() {
            return false;
        }
        let lies = Fingerprint::from(self.lies_like(branch));
        let chance = self.chance();
        if let Some(ahead) = &mut self.ahead {
            if (ahead.pc, ahead.lies, ahead.chance) == (pc, lies, chance) {
                ahead.left = ahead.left.saturating_sub(1);
                self.stopped |= self.ahead.is_some_and(|ahead| ahead.left == 0);
            }
            return false;
        }
        let times = Arc::make_mut(self.state.control.been.get_or_insert_default()).came_back(pc, lies);
        match times {
            0 => false,
            1 if self.trial.is_none() => self.comes_here_for_ever(branch, at, Ahead { pc, lies, chance, left: ENDLESS_ROUNDS }),
            _ => times >= ENDLESS_ROUNDS,
        }
    }

    /// Plays on in a copy of the game, until somebody decides, the game ends, or enough rounds have been seen.
    fn comes_here_for_ever(&mut self, branch: &Branch, at: u16, ahead: Ahead) -> bool {
        self.state.events.seal();
        let mut copy = self.scratch.copy_of_branch(branch);
        copy.been.clear();
        let before = self.state.control.steps;
        let (endless, steps) = self.on_a_copy(|run| {
            run.put_back(copy, usize::from(at));
            run.ahead = Some(ahead);
            let goes_on = |run: &Run<'_, _>| run.ahead.is_some_and(|ahead| ahead.left > 0);
            while matches!(run.state.control.status, Status::Running) && goes_on(run) {
                run.round();
            }
            (!goes_on(run), run.state.control.steps.saturating_sub(before))
        });
        // The statements of the copy count as work, so that many looks ahead come to an end.
        self.state.effects.asked.work.add(WORK_OF_A_STATEMENT * steps as usize);
        endless
    }
}
