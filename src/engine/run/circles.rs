//! Positions that come back by themselves: the flow goes round in a circle that no decision and no random result leaves.
//!
//! Input: a branch that has run for long without a real decision. Its position at one of its statements is kept. When the flow comes to
//! that statement again, the two positions are compared. Between two kept positions the wait doubles each time, so any circle is found
//! within some rounds. If a game asks for `goes_round`, the rules of the game may break off first. [`crate::state::fingerprint`]
//! defines when two positions are equal. The game says what follows.

use crate::eval::unread;
use crate::ids::{Pc, Reg};
use crate::program::{Principle, SamePositions};
use crate::random::Generator;
use crate::run::Run;
use crate::run::growth::Growing;
use crate::run::step::set;
use crate::state::fingerprint::{self, projection, projection_but_for_numbers, projection_of_call};
use crate::state::{Been, BeenInCall, Branch, Doing, FailureKind, Fingerprint, Outcome, Status};
use crate::steps::Observer;
use crate::value::Value;
use std::sync::Arc;

/// A kept position of a branch at a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    pc: Pc,
    frames: usize,
    /// The statement count from which on a new position is kept instead of this one.
    until: u32,
    seen: u128,
    /// Only under the policy by which numbers that nobody reads do not count (`all_but_history`): the states of players at that time, and
    /// the time since which reads of them are noted. `seen` then leaves these numbers out.
    numbers: Option<(Vec<Value>, u32)>,
    /// The count of rounds that only made something grow. None if the policy compares no more than how the cards lie.
    pub(super) growing: Option<Growing>,
    /// How often this position has been compared, and at which statement count the last time. After each comparison the next one waits
    /// longer. So the comparisons cost little in a long run, and a circle of any length is found.
    compared: (u32, u32),
    /// The random generator at that time, and how many results a scenario had fixed and not yet used. If either has changed, chance was
    /// used, and chance leads out of every circle.
    generator: (Generator, usize),
}

impl crate::machine::scratch::Scratch {
    /// Forgets the kept position, because somebody has decided something. A circle lies between two decisions.
    pub(crate) fn nobody_goes_round(&mut self) {
        self.look = None;
        unread::end();
    }
}

impl crate::state::State {
    /// Forgets where `been_here` was asked, because somebody decides something.
    pub(crate) fn nobody_was_here(&mut self) {
        self.control.been = None;
        self.control.branches.iter_mut().for_each(|branch| branch.been.clear());
    }
}

impl Branch {
    /// Forgets the notes of `been_here` of calls that have ended. `frames`: how many calls the branch has now.
    #[inline]
    pub(crate) fn forget_where_calls_were(&mut self, frames: usize) {
        if !self.been.is_empty() {
            self.been.retain(|been| usize::from(been.frames) <= frames);
        }
    }
}

impl<O: Observer> Run<'_, O> {
    /// Carries out `been_here`: puts into `to` whether the flow has come to this statement before in the same position. An outer call that
    /// is not over counts too, if its position was the same for that call. There must have been no decision that counts, and no chance, in
    /// between.
    pub fn been_here(&mut self, branch: &mut Branch, at: u16, pc: Pc, to: Reg) {
        // The last result of `been_here` is no part of the position.
        set(branch, to, Value::Undefined);
        let (program, chance) = ((self.program, self.plan), self.chance());
        self.state.effects.asked.work.add(2 * fingerprint::work(self.state));
        let scratch = &mut *self.scratch;
        let seen = projection(program, self.state, branch, &mut scratch.seen).into();
        let in_call: Fingerprint = projection_of_call(program, self.state, branch, &mut scratch.seen_in_calls, &mut scratch.seen).into();
        let been = Arc::make_mut(self.state.control.been.get_or_insert_default());
        if been.chance != chance {
            *been = Been { chance, ..Been::default() };
        }
        let been = !been.seen.insert((pc.0, seen));
        // For this call only the latest note is kept. Whether this call itself has been here is already known from `seen`.
        let frames = branch.frames.len();
        branch.forget_where_calls_were(frames);
        branch.been.retain(|been| usize::from(been.frames) < frames || been.pc != pc);
        let been = been || branch.been.iter().any(|been| (been.pc, been.seen, been.chance) == (pc, in_call, chance));
        branch.been.push(BeenInCall { frames: frames as u16, pc, seen: in_call, chance });
        let been = been || self.grows_endlessly(branch, at, pc);
        set(branch, to, Value::Bool(been));
        if been {
            self.tell_principle(Principle::CameBack, pc, branch.frames.len(), 0);
        }
    }

    /// Called when players are asked. If a decision counts, all notes of `been_here` are forgotten. Otherwise only the notes of ended calls
    /// are forgotten.
    pub(crate) fn remember_where_it_was(&mut self) {
        let control = &mut self.state.control;
        if control.been.is_none() {
            return;
        }
        let counts = |branch: &Branch| match branch.doing {
            Doing::Ask(question) => question.open && !self.program.is_passed_over(question.choice),
            _ => false,
        };
        if !matches!(control.status, Status::Asking) || control.branches.iter().any(|branch| counts(branch)) {
            return self.state.nobody_was_here();
        }
        for branch in &mut control.branches {
            branch.forget_where_calls_were(branch.frames.len());
        }
    }

    /// Looks at a branch that has run for long. Returns true if the branch goes round in a circle and the run is over because of that.
    #[inline(never)]
    pub fn goes_round(&mut self, branch: &mut Branch, pc: Pc, steps: u32) -> bool {
        let frames = branch.frames.len();
        let laid_down = self.state.fixed_draws.len() + self.state.fixed_shuffles.len();
        match &mut self.scratch.look {
            Some(look) if steps < look.until => {
                let (times, last) = look.compared;
                if look.pc != pc
                    || look.frames != frames
                    || steps.saturating_sub(last) < times
                    || look.generator.0 != self.state.generator
                    || look.generator.1 != laid_down
                {
                    return false;
                }
                look.compared = (times + 1, steps);
                let (seen, apart) = (look.seen, look.numbers.is_some());
                if self.looks_like(branch, apart) != seen || !self.other_numbers_are_unread() {
                    self.notes_growth(branch);
                    return false;
                }
                self.scratch.look = None;
                unread::end();
                if self.plan.asks_goes_round && !self.state.control.goes_round {
                    // The game's own rules go on from here: a stretch that is watched for `goes_round` is left, and a rule that waits for
                    // it runs.
                    self.state.control.goes_round = true;
                    self.state.control.changed_anywhere();
                    self.tell_principle(Principle::CameBack, pc, frames, 0);
                    if self.alone && branch.scopes.is_empty() {
                        self.immediate_rules(Some(branch));
                    }
                    return false;
                }
                if self.program.policies.mandatory_loop_is_drawn {
                    self.tell_principle(Principle::CameBack, pc, frames, 0);
                    self.tell_circle(pc, frames, 0);
                    self.over(Outcome::Drawn);
                } else {
                    self.fail(FailureKind::Loop, pc);
                }
                true
            }
            _ => {
                let apart = self.program.policies.same_positions == SamePositions::AllButHistory;
                let until = steps.saturating_mul(2);
                let seen = self.looks_like(branch, apart);
                let growing = self.begins_growth(branch);
                let generator = (self.state.generator.clone(), laid_down);
                let states = &self.state.board.player_states;
                let numbers = apart.then(|| (states.unnoted().clone(), unread::begin(states.len())));
                self.scratch.look = Some(Look { pc, frames, until, seen, numbers, growing, compared: (0, steps), generator });
                false
            }
        }
    }

    /// The number of the position: of the whole position, or (`apart`) of the position without the numbers of players.
    fn looks_like(&mut self, branch: &Branch, apart: bool) -> u128 {
        self.state.effects.asked.work.add(fingerprint::work(self.state));
        if apart {
            projection_but_for_numbers((self.program, self.plan), self.state, branch, &mut self.scratch.seen_but_for_numbers)
        } else {
            projection((self.program, self.plan), self.state, branch, &mut self.scratch.seen)
        }
    }

    /// Whether all numbers of players that have changed have only risen, and nothing has read them. Then the next round does the same as
    /// the last round, whatever these numbers are.
    fn other_numbers_are_unread(&self) -> bool {
        let Some((before, noting)) = self.scratch.look.as_ref().and_then(|look| look.numbers.as_ref()) else { return true };
        let now = &self.state.board.player_states;
        let rises = |(at, (before, now)): (usize, (&Value, &Value))| match (before, now) {
            (Value::Number(before), Value::Number(now)) => now == before || now > before && !unread::is_read(*noting, at),
            // All other values have been compared with the rest of the position.
            _ => true,
        };
        before.len() == now.len() && before.iter().zip(now).enumerate().all(rises)
    }
}
