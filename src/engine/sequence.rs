//! A lockstep without branches: when nobody can tell the difference, its branches run one after the other in the branch that
//! forked them.
//!
//! Tried, not proved beforehand: what each member reads and changes is noted by place, and every change is logged. If two
//! members meet, an immediate rule becomes due, or a statement comes that others could notice (a choice, chance, a verdict, an
//! event about lists), everything is undone and real branches are forked. So the outcome is that of the lockstep in any case
//! (held by the test that plays watched games, which never take this way, beside unwatched ones).

use super::board::Object;
use super::ids::{Pc, Reg};
use super::observe::Observer;
use super::program::{Builtin, Op};
use super::run::Run;
use super::state::{Branch, Cause, Event, Frame};
use super::value::{ObjectId, Place, Player, Value};
use std::cell::Cell;

/// A fork that failed for a reason that will not go away is not tried again.
const HOPELESS: u8 = u8::MAX;
/// What a failure for any other reason adds to the doubt about a fork; a success takes one away.
const DOUBT: u8 = 4;
/// A fork with more doubt than this is not tried.
const TOO_DOUBTFUL: u8 = 200;

/// The bit of players' states among what is read and written; places share the others.
pub const PLAYER_STATES: u64 = 1 << 63;

/// The bit of history.
pub const HISTORY: u64 = 1 << 62;

/// A place's bit among what is read and written.
#[inline]
#[must_use]
pub fn spot(place: Place) -> u64 {
    1 << (place.0 % 62)
}

/// What one member of a sequence has done so far. Memory of a run, never saved.
#[derive(Debug, Default)]
pub struct Sequence {
    /// One is running.
    pub on: bool,
    /// It cannot go on.
    pub spoiled: bool,
    hopeless: bool,
    /// Places that the present member has looked at.
    reads: Cell<u64>,
    /// Places that it has changed.
    pub writes: u64,
    log: Vec<Undo>,
    /// Events with the round of the lockstep in which they happen, by member.
    events: Vec<(u32, Event)>,
    /// How many changes the present member has made.
    pub round: u32,
    registers: Vec<Value>,
    /// For each statement of the program that forks: how little it is worth to try.
    doubts: Vec<u8>,
}

/// What was before a change.
#[derive(Clone, Copy, Debug)]
pub enum Undo {
    /// A card left its place.
    Left {
        /// The card.
        id: ObjectId,
        /// As it was.
        before: Object,
        /// Where it was in its place.
        at: usize,
    },
    /// A card was turned.
    Turned(ObjectId, Object),
    /// A state of a card, by its place in the column.
    CardState(usize, Value),
    /// A state of a player, by its place in the column.
    PlayerState(usize, Value),
    /// Whether an immediate rule's condition was true.
    RuleTruth(usize, bool),
}

impl Sequence {
    /// Notes that those places were looked at.
    #[inline]
    pub fn read(&self, spots: u64) {
        self.reads.set(self.reads.get() | spots);
    }

    /// Notes what was before a change of those places, if one is running.
    #[inline]
    pub fn note(&mut self, places: u64, undo: Undo) {
        if self.on {
            self.writes |= places;
            self.log.push(undo);
        }
    }

    /// What comes now others could notice, now and whenever this is tried.
    #[inline]
    pub fn give_up(&mut self) {
        self.spoiled = true;
        self.hopeless = true;
    }

    /// Keeps an event until its place among the others is known.
    pub fn keep(&mut self, event: Event) {
        self.writes |= HISTORY;
        self.events.push((self.round, event));
    }

    fn doubt(&mut self, at: Pc) -> Option<&mut u8> {
        let at = at.0 as usize;
        if self.doubts.len() <= at {
            self.doubts.resize(at + 1, 0);
        }
        self.doubts.get_mut(at)
    }
}

/// What of a frame a member of a sequence may change and the next one finds as it was.
#[derive(Clone, Copy)]
struct Kept {
    you: Player,
    this: Value,
    cause: Cause,
    flags: [bool; 5],
}

impl Kept {
    fn of(frame: &Frame) -> Self {
        let Frame { you, this, cause, done, failed, short, lenient, replaced, .. } = *frame;
        Kept { you, this, cause, flags: [done, failed, short, lenient, replaced] }
    }

    fn restore(self, frame: &mut Frame, pc: Pc) {
        frame.pc = pc;
        (frame.you, frame.this, frame.cause) = (self.you, self.this, self.cause);
        [frame.done, frame.failed, frame.short, frame.lenient, frame.replaced] = self.flags;
    }
}

impl<O: Observer> Run<'_, O> {
    /// Runs the members of a `simultaneously for` one after the other; `false`, with nothing changed, when others could tell.
    pub fn in_sequence(&mut self, branch: &mut Branch, fork: Pc, (start, len): (u32, u16), item: Reg, join: Pc) -> bool {
        if !self.may_try_sequence(branch, fork) {
            return false;
        }
        let Some(frame) = branch.frames.last() else { return false };
        let (kept, body, base) = (Kept::of(frame), frame.pc, frame.base as usize);
        let steps = self.state.control.steps;
        let sequence = &mut self.scratch.sequence;
        (sequence.on, sequence.spoiled, sequence.hopeless) = (true, false, false);
        sequence.log.clear();
        sequence.events.clear();
        sequence.registers.clear();
        sequence.registers.extend_from_slice(branch.registers.get(base..).unwrap_or(&[]));
        let (frames, lists) = (branch.frames.len(), branch.lists.len());
        let (mut reads, mut writes) = (0, 0);
        for index in 0..u32::from(len) {
            let member = branch.lists.get((start + index) as usize).copied().unwrap_or_default();
            super::step::set(branch, item, member);
            let sequence = &mut self.scratch.sequence;
            (sequence.writes, sequence.round) = (0, 0);
            sequence.reads.set(0);
            self.member_of_sequence(branch, frames);
            let sequence = &mut self.scratch.sequence;
            let meet = sequence.writes & (reads | writes) | sequence.reads.get() & writes;
            reads |= sequence.reads.get();
            writes |= sequence.writes;
            // Events only come in another order, which is mended at the end, unless somebody asks for them meanwhile.
            sequence.spoiled |= meet & !HISTORY != 0 || reads & writes & HISTORY != 0;
            self.rewind(branch, frames, lists, base);
            let spoiled = self.scratch.sequence.spoiled;
            if let Some(frame) = branch.frames.last_mut() {
                kept.restore(frame, body);
            }
            if spoiled {
                self.state.control.steps = steps;
                self.undo_sequence(fork);
                return false;
            }
        }
        if let Some(frame) = branch.frames.last_mut() {
            frame.pc = join;
        }
        let sequence = &mut self.scratch.sequence;
        sequence.on = false;
        sequence.events.sort_by_key(|(round, _)| *round);
        for (_, event) in sequence.events.drain(..) {
            self.state.events.keep(event);
        }
        if let Some(doubt) = sequence.doubt(fork) {
            *doubt = doubt.saturating_sub(1);
        }
        true
    }

    /// Only where a branch runs alone, nobody looks, no effect is in force, and nothing around it waits for what it does.
    fn may_try_sequence(&mut self, branch: &Branch, fork: Pc) -> bool {
        let quiet = !O::ON && self.trial.is_none() && !self.record_all && !self.scratch.sequence.on && self.alone;
        let control = &self.state.control;
        quiet
            && self.state.effects.in_force.is_empty()
            && control.holding == 0
            && control.dirty == 0
            && branch.attempts.is_empty()
            && branch.frames.iter().all(|frame| frame.collects.is_none())
            && self.scratch.sequence.doubt(fork).is_some_and(|doubt| *doubt <= TOO_DOUBTFUL)
    }

    /// One member, up to the end of its branch.
    fn member_of_sequence(&mut self, branch: &mut Branch, frames: usize) {
        while !self.scratch.sequence.spoiled {
            self.state.control.steps += 1;
            let depth = branch.frames.len();
            let Some(frame) = branch.frames.last_mut() else { return self.scratch.sequence.give_up() };
            let pc = frame.pc;
            frame.pc.0 += 1;
            let Some(&op) = self.program.code.get(pc) else { return self.scratch.sequence.give_up() };
            match op {
                Op::BranchEnd | Op::Return(_) | Op::End if depth == frames => return,
                Op::Let { .. } | Op::LetSet { .. } | Op::Jump(_) | Op::JumpUnless { .. } | Op::Call { .. } | Op::Perform { .. } => {}
                Op::Return(_) | Op::End | Op::Iterate { .. } | Op::Next { .. } | Op::CountDown { .. } => {}
                Op::MoveTop { .. } | Op::SetState { .. } => {}
                Op::Builtin { verb: Builtin::Move | Builtin::TurnUp | Builtin::TurnDown, .. } => {}
                _ => return self.scratch.sequence.give_up(),
            }
            if self.state.control.steps > self.budget || self.state.control.status != super::state::Status::Running {
                return self.scratch.sequence.give_up();
            }
            self.op(branch, 0, pc, op);
        }
    }

    /// The branch as it was before a member ran in it.
    fn rewind(&mut self, branch: &mut Branch, frames: usize, lists: usize, base: usize) {
        branch.frames.truncate(frames);
        branch.lists.truncate(lists);
        branch.registers.truncate(base);
        branch.registers.extend_from_slice(&self.scratch.sequence.registers);
    }

    /// Takes every change back, the last one first.
    fn undo_sequence(&mut self, fork: Pc) {
        let board = &mut self.state.board;
        let sequence = &mut self.scratch.sequence;
        while let Some(undo) = sequence.log.pop() {
            match undo {
                Undo::Left { id, before, at } => board.put_back(id, before, at),
                Undo::Turned(id, before) => {
                    if let Some(object) = board.objects.get_mut(usize::from(id.0)) {
                        *object = before;
                    }
                }
                Undo::CardState(at, value) => restore(&mut board.card_states, at, value),
                Undo::PlayerState(at, value) => restore(&mut board.player_states, at, value),
                Undo::RuleTruth(at, truth) => restore(&mut board.rule_truth, at, truth),
            }
        }
        self.state.control.dirty = 0;
        sequence.on = false;
        let hopeless = sequence.hopeless;
        if let Some(doubt) = sequence.doubt(fork) {
            *doubt = if hopeless { HOPELESS } else { doubt.saturating_add(DOUBT) };
        }
    }
}

fn restore<T>(column: &mut [T], at: usize, value: T) {
    if let Some(slot) = column.get_mut(at) {
        *slot = value;
    }
}
