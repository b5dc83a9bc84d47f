//! Where the line stops: milestones, questions, verdicts, the end of a turn.
//!
//! The line is entered with the flow's branch at a milestone, or when all questions that the line asked are answered. It is left at the
//! next questions, or at the statement that does not fit. While questions are open the state is exactly as the long way would leave it.
//! `Scratch::paused` remembers that the line continues after the answers; this is forgotten when the state is changed in another way.

use super::execute::{Ended, TrackValues, list_players};
use super::track::{Forced, Form, Kept, Line};
use super::{Undo, Unfit};
use crate::engine::actions::made_objects::slot_of;
use crate::engine::eval::quick::Names;
use crate::engine::ids::{Id, Pc, PhaseId, Reg};
use crate::engine::limits::LOOP_AFTER;
use crate::engine::observe::Observer;
use crate::engine::program::AmountDef;
use crate::engine::run::Run;
use crate::engine::state::{Branch, Cause, Change, Doing, Frame, Question, Status, Then};
use crate::engine::value::{Player, Value};

/// What is restored if the line does not fit: the state at the last stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark {
    /// The milestone; `None`: the stop was at questions, which have been answered.
    milestone: Option<u16>,
    /// Whether the last instruction of the flow's frame was done.
    done: bool,
    /// The length of the list arena.
    lists: usize,
    /// The timestamp for effects.
    now: u32,
    /// The phase.
    phase: Option<PhaseId>,
}

/// The bound of a choice among `len` cards.
#[inline]
fn bound(amount: AmountDef, len: u16) -> u16 {
    match amount {
        AmountDef::Fixed(amount) => amount,
        AmountDef::All | AmountDef::Node(_) => len,
    }
}

/// Puts the answer of a member into its slot. `false` if the member has not answered.
fn takes_answer(line: &Line, values: &mut TrackValues, member: usize, branch: Option<&Branch>) -> bool {
    let Some((form, forced)) = values.asked.get(member) else { return false };
    if *forced {
        return true;
    }
    let (Some(form), Some(branch)) = (line.forms.get(usize::from(*form)), branch) else { return false };
    let Doing::Ask(Question { answer: Some((start, len)), .. }) = branch.doing else { return false };
    let picked = if len == 0 { None } else { branch.lists.get(start as usize) };
    values.set(form.answer as u8, picked.copied().unwrap_or_default());
    true
}

impl<O: Observer> Run<'_, O> {
    /// Whether the line can be entered at the next statement.
    pub fn comes_to_line(&self, branch: &Branch) -> bool {
        let pc = branch.frames.last().map_or(Pc(u32::MAX), |frame| frame.pc);
        matches!(self.plan.line.entries.get(pc.index()), Some(Some(_)))
    }

    /// Runs the line from the next statement on, if the line can be entered there. The result: whether anything was done.
    #[inline]
    pub fn on_line(&mut self, branch: &mut Branch) -> bool {
        let pc = branch.frames.last().map_or(Pc(u32::MAX), |frame| frame.pc);
        let known = matches!(self.plan.line.entries.get(pc.index()), Some(Some(_)));
        known && self.scratch.lane.left != Some(pc) && self.enter_line(branch, pc)
    }

    fn enter_line(&mut self, branch: &mut Branch, pc: Pc) -> bool {
        // Which conditions come true together is noted where rules are looked at.
        let notes = !self.state.effects.switched.is_empty();
        if notes || !self.state.events.pending.is_empty() || !self.may_enter(branch, pc) {
            return false;
        }
        let textless = self.plan.textless || self.state.board.objects.iter().all(|object| self.plan.card(object.card).textless);
        let line = self.plan.line_of(textless);
        let Some(entry) = line.entries.get(pc.index()).copied().flatten() else { return false };
        let (Some(stop), Some(milestone)) = (line.code.stops.get(usize::from(entry)), line.milestones.get(usize::from(entry))) else {
            return false;
        };
        let control = &self.state.control;
        let alone = control.branches.len() == 1 && branch.parent.is_none() && control.judging == milestone.judging && !self.scouts;
        if !alone {
            return false;
        }
        let plain = |frame: &&Frame| !frame.short && frame.base == 0 && matches!(frame.cause, Cause::Rule);
        let (Some(frame), 1) = (branch.frames.last().filter(plain), branch.frames.len()) else { return false };
        if branch.registers.len() != self.registers_of(frame.routine) {
            return false;
        }
        let names = Names { you: frame.you, this: frame.this, done: frame.done };
        let mut values = self.scratch.track_values.take().unwrap_or_default();
        values.begin(names);
        (values.mark, values.textless) = (Mark::default(), textless);
        self.scratch.lane.enter(Cause::Rule);
        // The code may add players to the list arena before the milestone (`stop.players`). This is done here.
        if self.pass(&mut values, branch, entry).is_ok() {
            list_players(branch, stop.players);
            self.run_line(line, branch, &mut values, stop.at);
        }
        self.scratch.lane.on = false;
        self.state.board.versions.touch_all();
        let went = values.passed > 1 || self.scratch.paused.is_some() || self.judge;
        self.scratch.track_values = Some(values);
        went
    }

    /// Continues the line after its questions are answered, if nothing else has happened in between.
    #[inline]
    pub fn resume_line(&mut self) {
        if let Some(at) = self.scratch.paused.take() {
            self.answered_on_line(at);
        }
    }

    fn answered_on_line(&mut self, at: u32) {
        if O::ON || self.record_all || self.trial.is_some() || !matches!(self.state.control.status, Status::Asking) {
            return;
        }
        let Some(mut values) = self.scratch.track_values.take() else { return };
        let line = self.plan.line_of(values.textless);
        let branches = self.state.control.branches.as_slice();
        let answered =
            (0..values.asked.len()).all(|member| takes_answer(line, &mut values, member, branches.get(member + 1).map(Box::as_ref)));
        if !answered {
            self.scratch.paused = Some(at);
        } else if let Some(mut root) = self.take_out(0) {
            let done = root.frames.last().is_some_and(|frame| frame.done);
            let (now, phase) = (self.state.effects.now, self.state.board.phase);
            values.mark = Mark { milestone: None, done, lists: root.lists.len(), now, phase };
            values.passed = 0;
            self.state.control.status = Status::Running;
            self.scratch.lane.enter(Cause::Rule);
            self.run_line(line, &mut root, &mut values, at);
            self.put_back(root, 0);
        }
        self.scratch.track_values = Some(values);
    }

    fn run_line(&mut self, line: &Line, branch: &mut Branch, values: &mut TrackValues, at: u32) {
        let ended = self.execute(&line.code, values, branch, at as usize);
        self.scratch.lane.on = false;
        self.state.board.versions.touch_all();
        if !matches!(ended, Ok(Ended::Paused | Ended::Judged)) {
            self.leave_line(line, branch, values);
        }
    }

    /// Called when something does not fit. Everything since the last stop is undone, and the long way continues there.
    #[inline(never)]
    fn leave_line(&mut self, line: &Line, branch: &mut Branch, values: &TrackValues) {
        let mark = values.mark;
        self.scratch.lane.undo(self.state);
        self.state.control.dirty = 0;
        self.state.effects.now = mark.now;
        self.state.board.phase = mark.phase;
        branch.lists.truncate(mark.lists);
        let Some(milestone) = mark.milestone.and_then(|number| line.milestones.get(usize::from(number))) else {
            self.state.control.status = Status::Asking;
            return;
        };
        self.state.control.judging = milestone.judging;
        if let Some(frame) = branch.frames.last_mut() {
            frame.pc = milestone.pc;
            frame.done = mark.done;
        }
        self.scratch.lane.left_at(milestone.pc, line.milestones.iter().map(|milestone| milestone.pc));
    }

    /// Does not fit if a card was read whose life has ended and of which the lane knows too little.
    #[inline]
    pub(super) fn is_sound(&self) -> Result<(), Unfit> {
        if self.scratch.lane.late.get() { Err(Unfit) } else { Ok(()) }
    }

    /// Passes a milestone: everything before it is done for good.
    #[inline]
    pub(super) fn pass(&mut self, values: &mut TrackValues, branch: &Branch, number: u16) -> Result<(), Unfit> {
        self.is_sound()?;
        self.scratch.lane.commit(&mut self.state.events);
        values.passed += 1;
        let (now, phase) = (self.state.effects.now, self.state.board.phase);
        values.mark = Mark { milestone: Some(number), done: values.names.done, lists: branch.lists.len(), now, phase };
        if !self.scratch.lane.is_doubtful() {
            return Ok(());
        }
        let milestone = self.plan.line_of(values.textless).milestones.get(usize::from(number)).ok_or(Unfit)?;
        if self.scratch.lane.is_worth_trying(milestone.pc) { Ok(()) } else { Err(Unfit) }
    }

    /// Lets a member ask. If there is only one legal answer, the member has it at once.
    #[inline(never)]
    pub(super) fn ask_on_line(&self, values: &mut TrackValues, number: u16) -> Result<(), Unfit> {
        let form = self.plan.line_of(values.textless).forms.get(usize::from(number)).ok_or(Unfit)?;
        let len = self.state.board.count(form.place);
        let (demanded, max) = (bound(form.min, len), bound(form.max, len).min(len));
        if max == 0 || demanded > len || self.state.board.decider(form.player) != form.player {
            return Err(Unfit);
        }
        let forced = demanded == len;
        if forced {
            let (Some(Forced { to, .. }), [only]) = (form.forced, self.state.board.cards(form.place)) else { return Err(Unfit) };
            if to == form.place || !self.state.board.has_room(to) {
                return Err(Unfit);
            }
            values.set(form.answer as u8, self.state.board.reference(*only));
        }
        values.asked.push((number, forced));
        Ok(())
    }

    /// Called when all members have come to their questions. Makes the branches that the long way would have made.
    #[inline(never)]
    pub(super) fn pause(&mut self, values: &TrackValues, branch: &mut Branch, at: usize) {
        let line = self.plan.line_of(values.textless);
        for (form, forced) in &values.asked {
            if let Some(form) = line.forms.get(usize::from(*form)) {
                if let Some(frame) = branch.frames.last_mut() {
                    frame.pc = form.join;
                    frame.done = values.names.done;
                }
                let child = self.asking(values, branch, form, *forced);
                self.state.control.branches.push(child);
            }
        }
        if let Some(milestone) = values.mark.milestone.and_then(|number| line.milestones.get(usize::from(number))) {
            self.state.control.judging = milestone.judging;
        }
        branch.children = values.asked.len() as u16;
        branch.doing = Doing::Wait;
        self.state.control.status = Status::Asking;
        self.scratch.paused = Some(at as u32);
    }

    /// The branch of a member: it asks, or it is about to move the only card that it could choose.
    fn asking(&mut self, values: &TrackValues, flow: &Branch, form: &Form, forced: bool) -> Box<Branch> {
        let mut child = self.fresh_branch();
        child.parent = Some(0);
        child.level = flow.level;
        child.own = Some(form.player);
        child.registers.extend_from_slice(&flow.registers);
        // The registers of the flow's frame come first, then those of the calls.
        child.registers.extend_from_slice(&form.own);
        for (at, kept) in &form.kept {
            if let Some(slot) = child.registers.get_mut(usize::from(*at)) {
                *slot = match *kept {
                    Kept::Known(value) => value,
                    Kept::Slot(slot) => values.get(slot as u8),
                };
            }
        }
        child.lists.extend_from_slice(&flow.lists);
        let lists = child.lists.len() as u32;
        if let Some(frame) = flow.frames.last() {
            let Frame { routine, you, this, cause, done, short, replaced, lenient, .. } = *frame;
            child.frames.extend_from_slice(&form.frames);
            for own in &mut child.frames {
                (own.lists, own.you, own.this, own.cause) = (lists, you, this, cause);
                (own.replaced, own.lenient) = (replaced, lenient);
            }
            if let Some(shared) = child.frames.first_mut() {
                (shared.routine, shared.done, shared.short) = (routine, done, short);
            }
        }
        let board = &self.state.board;
        child.lists.extend(board.cards(form.place).iter().map(|id| board.reference(*id)));
        if forced && let Some(Forced { to, face, pc }) = form.forced {
            let (card, slot) = (values.get(form.answer as u8), slot_of(Value::Undefined));
            crate::engine::run::step::jump(&mut child, pc);
            crate::engine::run::step::set(&mut child, form.result, card);
            child.doing = Doing::Change(Change::MoveCard { card, to, face, bottom: false, slot, under: None, result: Reg::NONE });
            return child;
        }
        let len = (child.lists.len() - lists as usize) as u16;
        let (demanded, max) = (bound(form.min, len), bound(form.max, len).min(len));
        let then = Then::Store { single: true, demanded };
        let question = Question::for_one(form.player, form.choice, (lists, len), then);
        child.doing = Doing::Ask(Question { min: demanded.min(max), max, result: form.result, open: true, ..question });
        child
    }

    /// Called when everything after the answers is done. The branches of the members end.
    #[inline(never)]
    pub(super) fn answered(&mut self, branch: &mut Branch) {
        let branches = &mut self.state.control.branches;
        while branches.len() > 1
            && let Some(ended) = branches.pop()
        {
            self.scratch.branches.push(ended);
        }
        branch.children = 0;
        branch.doing = Doing::Run;
    }

    /// Raises a verdict that nothing holds back: everything before it is done for good, and the verdict is judged.
    #[inline(never)]
    pub(super) fn verdict_on_line(&mut self, player: Player, wins: bool) {
        self.scratch.lane.commit(&mut self.state.events);
        let control = &mut self.state.control;
        let mask = if wins { &mut control.winning } else { &mut control.losing };
        *mask |= 1 << player.0;
        self.judge = true;
        self.stop_here();
    }

    /// Raises a verdict that waits for the end of `judge together`.
    #[inline(never)]
    pub(super) fn raise_on_line(&mut self, player: Player, wins: bool) {
        let control = &mut self.state.control;
        self.scratch.lane.log(0, Undo::Verdicts(control.losing, control.winning));
        let mask = if wins { &mut control.winning } else { &mut control.losing };
        *mask |= 1 << player.0;
    }

    /// Ends a `judge together`. If a verdict was raised in it, everything before is done for good, and the verdict is judged.
    #[inline]
    pub(super) fn judges_on_line(&mut self) -> Result<bool, Unfit> {
        if self.state.control.losing | self.state.control.winning == 0 {
            return Ok(false);
        }
        self.is_sound()?;
        self.scratch.lane.commit(&mut self.state.events);
        self.judge = true;
        self.stop_here();
        Ok(true)
    }

    /// Whether a turn may still begin on the line. After too many steps without a decision the long way must look for loops.
    #[inline]
    fn may_begin_turn(&self) -> Result<(), Unfit> {
        if self.state.control.steps < self.budget.min(LOOP_AFTER) { Ok(()) } else { Err(Unfit) }
    }

    /// Begins a turn.
    #[inline(never)]
    pub(super) fn turn_begins(&mut self) -> Result<(), Unfit> {
        self.may_begin_turn()?;
        self.state.control.steps += 1;
        self.scratch.lane.turn_begins();
        self.state.board.turn += 1;
        self.state.events.uses.clear();
        Ok(())
    }

    /// Ends the flow of a turn. The next turn follows.
    #[inline(never)]
    pub(super) fn turn_ends(&mut self, values: &mut TrackValues, branch: &mut Branch) -> Result<(), Unfit> {
        let turn = self.program.turn.ok_or(Unfit)?;
        self.may_begin_turn()?;
        self.begin_turn(branch, turn);
        values.names = Names { you: Default::default(), this: Value::Undefined, done: false };
        Ok(())
    }
}
