//! The lane: carries out stretches of a game without frames and branches, with the same result as the long way.
//!
//! It is used for a procedure's call, or for the members of a lockstep one after the other. Nobody may be looking on, no effect may be in
//! force, and nothing around may wait for the changes. Nothing is proved beforehand: every change is logged, and the reads and changes of
//! each member of a lockstep are noted by place. In three cases everything is undone and done the long way: a member changes a place that
//! another member reads or changes, an immediate rule becomes due, or a statement comes that others could notice (a choice, chance, a
//! verdict, an effect). So the outcome is the same in any case. A test plays watched games, which never use the lane, beside unwatched ones.
//!
//! Input: a branch at a statement. Output: whether the statement was carried out. Nothing here asks a player or tells an observer.
//!
//! | word | means |
//! | --- | --- |
//! | lane | the fast way to carry out statements; it keeps a log, so that everything can be undone |
//! | the long way | the normal way, with frames and branches |
//! | does not fit (`Unfit`) | the lane cannot carry something out, so the long way is taken |
//! | track (`Track`) | one lockstep or one call, worked out before the game |
//! | line (`Line`) | the flow of a whole turn, worked out before the game |
//! | act (`Act`) | a step of a track or line |
//! | residual (`Residual`) | the rest of an expression when everything is filled in that is known before the game |
//! | slot | a numbered value that is computed while a track runs |
//! | code (`Code`) | the acts of a track, compiled to one list of small instructions (`Instruction`) |
//! | way (`Way`) | what is known about moves from one place to another |
//! | milestone | a statement on the line before which everything is done for good |
//! | station | a lockstep on the line in which all members ask |
//! | form (`Form`) | how the branch of a member looks when it asks |
//!
//! Before the game, statements become acts, and acts become code:
//!
//! | file | does |
//! | --- | --- |
//! | `track.rs` | the types of tracks and lines |
//! | `unfold.rs` | makes tracks: walks through statements with everything filled in that is known |
//! | `loops.rs` | loops in tracks |
//! | `question.rs` | turns the way of a lockstep's members to their questions into acts |
//! | `fold.rs` | turns expressions into residuals |
//! | `line.rs` | makes the line of a program: the flow of a whole turn, from question to question |
//! | `dead_settings.rs` | a state of a player that is set twice before anybody could read it is set once |
//! | `footprint.rs` | which places and states acts read and change, as far as that is known before the game |
//! | `code.rs` | the instructions |
//! | `emit.rs` | turns acts into instructions |
//! | `emit_residuals.rs` | turns residuals into instructions that compute a value into a slot, and conditions into jumps |
//! | `emit_members.rs` | turns locksteps into instructions |
//! | `emit_frame_updates.rs` | turns the acts that only keep the flow's frame up to date into instructions |
//!
//! During the game:
//!
//! | file | does |
//! | --- | --- |
//! | `execute.rs` | executes code: one loop over the instructions of a track or line |
//! | `execute_changes.rs` | the changes that instructions make to the board |
//! | `stops.rs` | where the line stops: milestones, questions, verdicts, the end of a turn |
//! | `statements.rs` | carries out statements that have no track: control flow, calls, and locksteps member by member |
//! | `statement_changes.rs` | the changes that these statements make: moves, turns, states |
//! | `moves.rs` | moves of cards onto the top of another place, with a check of immediate rules |
//! | `together.rs` | whether running the members of a lockstep one after the other has the same result as running them together |
//! | `log.rs` | the memory of the lane: a log of all changes, what was read and written, and how often statements did not fit |

mod code;
mod dead_settings;
mod emit;
mod emit_frame_updates;
mod emit_members;
mod emit_residuals;
mod execute;
mod execute_changes;
mod fold;
mod footprint;
mod line;
mod log;
mod loops;
mod moves;
mod question;
mod statement_changes;
mod statements;
mod stops;
mod together;
mod track;
mod unfold;

pub use execute::TrackValues;
pub use line::line;
pub use log::{HISTORY, Lane, PLACES, PLAYER_STATES, Undo, place_bit, state_bit};
pub use moves::{Way, ways};
pub use track::{Line, Track};
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
pub struct LaneStack<'s> {
    /// The registers of all calls, one call after the other.
    registers: &'s mut Vec<Value>,
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
        self.in_lane(branch, pc, |run, stack, caller| {
            let ended = run.called(stack, caller, routine, args)?;
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
        let mut went = statements::Went::default();
        let done = self.in_lane(branch, pc, |run, stack, mut caller| {
            caller.pc = Pc(pc.0 + 1);
            went = run.members(stack, caller, (start, len), item, true)?;
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
        let mut values = self.scratch.track_values.take().unwrap_or_default();
        values.begin(Names { you: frame.you, this: frame.this, done: frame.done });
        let ended = self.execute(&track.code, &mut values, branch, 0);
        self.scratch.track_values = Some(values);
        let fit = self.end(pc, before, ended.is_ok());
        if let (Ok(execute::Ended::Whole(whole)), true) = (ended, fit) {
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
        body: impl FnOnce(&mut Self, &mut LaneStack<'_>, Entry) -> Result<Option<bool>, Unfit>,
    ) -> bool {
        if !self.may_enter(branch, pc) {
            return false;
        }
        let (mut registers, mark) = (std::mem::take(&mut self.scratch.lane.registers), branch.lists.len());
        let (locals, names) = names(branch);
        registers.clear();
        registers.extend_from_slice(locals);
        let before = self.begin(self.cause(branch));
        let mut stack = LaneStack { registers: &mut registers, lists: &mut branch.lists };
        let ended = body(self, &mut stack, Entry { pc, base: 0, names, depth: 0 });
        branch.lists.truncate(mark);
        self.scratch.lane.registers = registers;
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
            && !self.program.notes_part
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
