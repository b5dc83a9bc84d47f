//! The lane: carries out stretches of a game without frames and branches, with the same result as the long way.
//!
//! It is used for a procedure's call, or for the members of a lockstep one after the other. Nobody may be looking on, no effect may be in
//! force, and nothing around may wait for the changes. Nothing is proved beforehand: every change is logged, and the reads and changes of
//! each member of a lockstep are noted by place. In three cases everything is undone and done the long way: a member changes a place that
//! another member reads or changes, an immediate rule becomes due, or a statement comes that others could notice (a choice, chance, a
//! verdict, an effect). So the outcome is the same in any case. A test plays watched games, which never use the lane, beside unwatched ones.
//!
//! `act.rs` explains the words of this folder (track, line, act, sight, row) and lists its files.
//!
//! Input: a branch at a statement. Output: whether the statement was carried out. Nothing here asks a player or tells an observer.
//!
//! | file | does |
//! | --- | --- |
//! | `act.rs` | tracks: stretches of the flow that are worked out before the game |
//! | `books.rs` | turns the acts that only keep the flow's frame up to date into rails |
//! | `carry.rs` | moves of cards in the lane: onto the top of another place, with a check of immediate rules |
//! | `deed.rs` | the changes that statements in the lane make: moves, turns, states |
//! | `fold.rs` | turns expressions into sights: fills in everything that is known before the game |
//! | `halt.rs` | where the line stops: milestones, questions, verdicts, the end of a turn |
//! | `haul.rs` | the changes that rails make to the board |
//! | `lay.rs` | turns the acts and sights of a track into rails: one list of small instructions |
//! | `line.rs` | makes the line of a program: the flow of a whole turn as one list of instructions, from question to question |
//! | `log.rs` | the memory of the lane: a log of all changes, what was read and written, and how often statements did not fit |
//! | `look.rs` | turns sights into rails: instructions that compute a value into a slot, and jumps for conditions |
//! | `members.rs` | turns locksteps into rails |
//! | `print.rs` | which places and states of players acts read and change, as far as that is known before the game |
//! | `question.rs` | turns the way of a lockstep's members to their questions into acts |
//! | `rail.rs` | the instructions of rails |
//! | `rounds.rs` | loops in tracks |
//! | `sink.rs` | drops needless settings: a state of a player that is set twice before anybody could read it is set once |
//! | `stretch.rs` | statements in the lane: control flow, calls, and locksteps member by member |
//! | `together.rs` | locksteps in the lane: whether running the members one after the other has the same result as running them together |
//! | `travel.rs` | runs rails: one loop over the instructions of a track or line |
//! | `unfold.rs` | makes tracks: walks through statements with everything filled in that is known |

mod act;
mod books;
mod carry;
mod deed;
mod fold;
mod halt;
mod haul;
mod lay;
mod line;
mod log;
mod look;
mod members;
mod print;
mod question;
mod rail;
mod rounds;
mod sink;
mod stretch;
mod together;
mod travel;
mod unfold;

pub use act::{Line, Track};
pub use carry::{Way, ways};
pub use line::line;
pub use log::{HISTORY, Lane, PLAYER_STATES, Undo, mark, spot};
pub use travel::Luggage;
pub use unfold::{idle_calls, tracks};

use super::ids::{ArgsId, Pc, Reg, RoutineId};
use super::observe::Observer;
use super::run::Run;
use super::state::{Branch, Cause};
use super::value::Value;
use crate::engine::eval::quick::{Names, names};

/// An error: the lane cannot carry something out, so the long way is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

/// The registers and lists with which the lane carries out statements. They lie on top of those of the branch.
pub struct Road<'s> {
    /// The registers of all calls, one call after the other.
    stack: &'s mut Vec<Value>,
    /// The list arena of the branch.
    lists: &'s mut Vec<Value>,
}

/// Where the lane begins: the statement, the first register, and the names.
#[derive(Clone, Copy)]
struct Entry {
    pc: Pc,
    base: usize,
    names: Names,
    /// The number of calls around it.
    depth: usize,
}

/// The values that are restored if the lane does not fit.
#[derive(Clone, Copy)]
struct Before {
    steps: u32,
    judging: u16,
    now: u32,
}

impl<O: Observer> Run<'_, O> {
    /// Calls a procedure in the lane. `false`, with nothing changed, if the call must take the long way.
    pub fn call_in_lane(&mut self, branch: &mut Branch, pc: Pc, routine: RoutineId, args: ArgsId) -> bool {
        if self.has_just_left(pc) {
            return false;
        }
        if let Some(track) = self.plan.track(pc) {
            return self.on_track(branch, pc, track);
        }
        self.in_lane(branch, pc, |run, road, caller| {
            let ended = run.called(road, caller, routine, args)?;
            Ok(Some(ended.whole))
        })
    }

    /// Runs the members of a `simultaneously for` one after the other. `false`, with nothing changed, if the lockstep must take the long
    /// way.
    pub fn fork_in_lane(&mut self, branch: &mut Branch, pc: Pc, (start, len): (u32, u16), item: Reg, join: Pc) -> bool {
        if self.has_just_left(pc) {
            return false;
        }
        let asked = branch.frames.last().is_none_or(|frame| self.program.asks_done(frame.routine));
        if let Some(track) = self.plan.track(pc).filter(|_| !asked) {
            let done = self.on_track(branch, pc, track);
            if done {
                crate::engine::run::step::jump(branch, join);
            }
            return done;
        }
        let mut went = stretch::Went::default();
        let done = self.in_lane(branch, pc, |run, road, mut caller| {
            caller.pc = Pc(pc.0 + 1);
            went = run.members(road, caller, (start, len), item, true)?;
            Ok(None)
        });
        if done {
            let told = branch.parent.is_some() || branch.frames.len() > 1;
            crate::engine::run::step::top(branch, |frame| {
                frame.pc = join;
                frame.failed |= told && !went.whole;
                frame.done = if asked { went.done } else { frame.done };
            });
        }
        done
    }

    /// Whether the line was left at this statement just now, because it does not fit.
    fn has_just_left(&mut self, pc: Pc) -> bool {
        let left = self.scratch.lane.left == Some(pc);
        if left {
            self.scratch.lane.left = None;
        }
        left
    }

    /// Runs a track. `false`, with nothing changed, if the track does not fit.
    fn on_track(&mut self, branch: &mut Branch, pc: Pc, track: &Track) -> bool {
        if !self.state.events.pending.is_empty() || !self.may_enter(branch, pc) {
            return false;
        }
        let Some(frame) = branch.frames.last() else { return false };
        let before = self.begin(frame.cause);
        let mut luggage = self.scratch.luggage.take().unwrap_or_default();
        luggage.pack(Names { you: frame.you, this: frame.this, done: frame.done });
        let ended = self.travel(&track.rails, &mut luggage, branch, 0);
        self.scratch.luggage = Some(luggage);
        let fit = self.end(pc, before, ended.is_ok());
        if let (Ok(travel::Ended::Whole(whole)), true) = (ended, fit) {
            // No statement asks how a lockstep on a track went. A statement may ask how the call around it went.
            let told = !whole && (branch.parent.is_some() || branch.frames.len() > 1);
            crate::engine::run::step::top(branch, |frame| if track.lockstep { frame.failed |= told } else { frame.done = whole });
        }
        fit
    }

    /// Carries out statements in the lane, with a copy of the top frame's registers. `false`, with nothing changed, if they do not fit.
    fn in_lane(
        &mut self,
        branch: &mut Branch,
        pc: Pc,
        travel: impl FnOnce(&mut Self, &mut Road<'_>, Entry) -> Result<Option<bool>, Unfit>,
    ) -> bool {
        if !self.may_enter(branch, pc) {
            return false;
        }
        let (mut stack, mark) = (std::mem::take(&mut self.scratch.lane.stack), branch.lists.len());
        let (locals, names) = names(branch);
        stack.clear();
        stack.extend_from_slice(locals);
        let before = self.begin(self.cause(branch));
        let mut road = Road { stack: &mut stack, lists: &mut branch.lists };
        let ended = travel(self, &mut road, Entry { pc, base: 0, names, depth: 0 });
        branch.lists.truncate(mark);
        self.scratch.lane.stack = stack;
        if let (Ok(Some(done)), Some(frame)) = (ended, branch.frames.last_mut()) {
            frame.done = done;
        }
        self.end(pc, before, ended.is_ok())
    }

    /// Enters the lane. The result: the values to restore if it does not fit.
    fn begin(&mut self, cause: Cause) -> Before {
        self.scratch.lane.enter(cause);
        Before { steps: self.state.control.steps, judging: self.state.control.judging, now: self.state.effects.now }
    }

    /// Leaves the lane. The result: whether everything fit. If not, everything is undone.
    fn end(&mut self, pc: Pc, before: Before, fit: bool) -> bool {
        self.scratch.lane.on = false;
        self.state.board.versions.touch_all();
        let fit = fit && !self.scratch.lane.late.get();
        if fit {
            self.scratch.lane.keep_events(&mut self.state.events);
        } else {
            (self.state.control.steps, self.state.control.judging, self.state.effects.now) = (before.steps, before.judging, before.now);
            self.scratch.lane.undo(self.state);
            self.state.control.dirty = 0;
        }
        self.scratch.lane.doubt(pc, !fit);
        fit
    }

    /// Whether the lane may be entered: the branch runs alone, nobody looks on, no effect is in force, and nothing around the branch waits
    /// for its changes.
    fn may_enter(&mut self, branch: &Branch, pc: Pc) -> bool {
        let control = &self.state.control;
        !self.counts_all()
            && self.alone
            && !self.program.extras
            && self.program.teams == 0
            && !self.program.asks_part
            && self.state.board.memory.is_empty()
            && self.state.board.held.is_empty()
            && self.trial.is_none()
            && !self.record_all
            && self.state.effects.in_force.is_empty()
            && control.holding == 0
            && control.dirty == 0
            && !self.plan.hears
            && !self.plan.looks_at_values
            && !self.plan.counts_uses
            && control.steps < super::limits::LOOP_AFTER
            && branch.scopes.is_empty()
            && control.losing | control.winning == 0
            && branch.attempts.is_empty()
            && (branch.parent.is_none() || !self.is_attempted_around(branch))
            && self.scratch.lane.is_worth_trying(pc)
            && branch.frames.iter().all(|frame| frame.collects.is_none())
    }
}
