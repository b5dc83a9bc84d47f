//! Attempts, which are carried out in full or undone. Also trial runs, which find out whether something can be done without doing it.
//!
//! Copies take back: an attempt keeps a copy of board, effects and events (`Attempt::before`), a trial run works on a copy of the state. A
//! copy is cheap, because a state is a dozen flat arrays, and no list of changes can be wrong. A trial tries the player's own choices, up
//! to `TRIAL_POSITIONS` positions. Beyond this number it says "possible".

use crate::choices::asking::yes_no;
use crate::choices::joint::Joint;
use crate::choices::shown::Shown;
use crate::fault::{Fault, broken};
use crate::ids::{ChoiceId, Pc, Reg};
use crate::limits::TRIAL_POSITIONS;
use crate::program::{ChoiceDef, Op, Principle};
use crate::run::step::{get, jump, set, top};
use crate::run::{Goal, Run, Trial};
use crate::state::readings;
use crate::state::{Attempt, Branch, Doing, Frame, Question, Role, State, Status, Then};
use crate::steps::{Observer, Silent, Step};
use crate::value::{Player, Value};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// An answer: positions in the domain of its question. Most answers have few.
pub(crate) type Picks = SmallVec<[u16; 8]>;

/// For at most this many members, every order is tried.
const MOST_ORDERED: u16 = 4;

impl<O: Observer> Run<'_, O> {
    /// Carries out `attempt {` and `may p attempt {`. If a trial run finds a `may p attempt` impossible, the player is not asked.
    pub(crate) fn try_(&mut self, branch: &mut Branch, at: u16, pc: Pc, asked: Option<ChoiceId>, otherwise: Pc) {
        let you = branch.frames.last().map_or(Player(0), |frame| frame.you);
        let Some(choice) = asked else {
            if !self.alone && !self.attempt_is_possible(branch, at, you, otherwise) {
                return self.impossible(branch, at, pc, otherwise);
            }
            return self.begin_attempt(branch, otherwise);
        };
        let by = self.program.choices.get(choice).map(|def| def.by);
        let player = by.and_then(|by| self.value(branch, by).player()).unwrap_or(you);
        if player == Player::NOBODY || self.trial.is_none() && !self.attempt_is_possible(branch, at, player, otherwise) {
            return self.impossible(branch, at, pc, otherwise);
        }
        if self.comes_round(branch, at, pc, Some(player)) {
            return;
        }
        self.note_declined(branch, choice, false);
        if self.is_step_barred(branch, choice, player) {
            self.note_declined(branch, choice, true);
            return self.answered_no(branch, otherwise);
        }
        if self.is_pass_barred(choice, player) {
            return self.begin_attempt(branch, otherwise);
        }
        self.ask_yes_no(branch, choice, player, Then::Try(otherwise));
    }

    fn impossible(&mut self, branch: &mut Branch, at: u16, pc: Pc, otherwise: Pc) {
        self.tell_cited(self.program.rules_around(pc), pc, branch.frames.len(), at, &[], || Step::NotAttempted);
        top(branch, Frame::nothing_done);
        jump(branch, otherwise);
    }

    /// Opens an attempt. Inside a branch of a lockstep nothing is kept for undoing, because a trial run has found the attempt possible. If
    /// something that the trial run could not know makes the attempt fail, its changes stay.
    pub(crate) fn begin_attempt(&mut self, branch: &mut Branch, otherwise: Pc) {
        self.state.events.seal();
        let (all, lenient) = (branch.frames.len(), branch.frames.last().is_some_and(|frame| frame.lenient));
        let ends_trial = self.is_what_is_tried(branch, all) || !lenient && self.fails_with(branch, all, otherwise);
        let before = (self.alone && !ends_trial).then(|| self.scratch.copy_before(self.state));
        let verdicts = (self.state.control.losing, self.state.control.winning);
        let cause = self.cause(branch);
        let (any, you, lenient) = branch.frames.last().map_or_else(Default::default, |frame| (frame.any, frame.you, frame.lenient));
        let inside = (self.state.control.withheld(branch), branch.veils);
        let (frames, collected, shown) = (branch.frames.len() as u16, branch.collected.len() as u32, branch.shown.len() as u32);
        branch.attempts.push(Attempt {
            frames,
            otherwise,
            before,
            verdicts,
            cause,
            any,
            you,
            lenient,
            inside,
            collected,
            shown,
            trial: false,
        });
        // An attempt can fail also in a frame in which failures pass, such as a replacement of a part of a price.
        top(branch, |frame| (frame.short, frame.lenient) = (false, false));
    }

    /// Whether an attempt that begins above `frames` frames is the whole option that the trial run is about. If this attempt fails, the
    /// option fails, so the trial run ends there.
    fn is_what_is_tried(&self, branch: &Branch, frames: usize) -> bool {
        self.is_tried_option(branch, frames) && branch.attempts.is_empty()
    }

    /// Whether the last of `frames` frames belongs to the option that the trial run is about.
    fn is_tried_option(&self, branch: &Branch, frames: usize) -> bool {
        let call = matches!(self.trial, Some(Trial { goal: Goal::Call { frames: without }, .. }) if without + 1 == frames);
        call && branch.parent.is_none()
    }

    /// Whether the attempt that the trial run is about fails if an inner attempt fails that begins above `frames` frames. This is so if the
    /// code after the inner attempt only fails, and no frame in between lets failures pass.
    fn fails_with(&self, branch: &Branch, frames: usize, otherwise: Pc) -> bool {
        let [outer] = branch.attempts.as_slice() else { return false };
        let outer_frames = usize::from(outer.frames);
        let tried = match self.trial.map(|trial| trial.goal) {
            Some(Goal::Call { frames: without }) => without + 1 == outer_frames,
            Some(Goal::Attempt) => outer.trial,
            _ => false,
        };
        let between = branch.frames.get(outer_frames..frames).unwrap_or(&[]);
        tried
            && branch.parent.is_none()
            && matches!(self.program.code.get(otherwise), Some(Op::Fail))
            && !between.iter().any(|frame| matches!(frame.role, Role::Rule(..)))
    }

    /// Begins and ends the block of a `may` or of an `as far as possible` (`lenient`). After the block, `done` says whether everything in it was
    /// carried out in full, and `partly_done` whether something was.
    pub fn measure(&self, branch: &mut Branch, on: bool, saved: Reg, lenient: bool) {
        let Some(frame) = branch.frames.last().copied() else { return broken(Fault::Frame) };
        if on {
            let kept = [frame.lenient, frame.failed, frame.any];
            let kept = kept.iter().enumerate().map(|(bit, on)| i32::from(*on) << bit).sum();
            set(branch, saved, Value::Number(kept));
            return top(branch, |frame| (frame.lenient, frame.failed, frame.any) = (frame.lenient || lenient, false, false));
        }
        let kept = get(branch, saved).number().unwrap_or(0);
        let was = |bit: i32| kept >> bit & 1 == 1;
        // A trial run asks whether an option can be taken. Instructions that need not be carried out do not decide that.
        let decides = !lenient || !self.is_tried_option(branch, branch.frames.len());
        top(branch, |frame| {
            (frame.done, frame.part) = (!frame.failed, frame.any);
            (frame.lenient, frame.failed, frame.any) = (was(0), frame.failed && decides || was(1), frame.any | was(2));
        });
    }

    /// Carries out the `}` of an attempt that has succeeded.
    pub(crate) fn try_end(&mut self, branch: &mut Branch, at: u16) {
        if let Some(attempt) = branch.attempts.pop() {
            self.scratch.spare_before(attempt.before);
            if attempt.trial || self.is_all_that_is_wanted(branch) {
                self.answer_trial(true);
            }
            self.attempt_hides(branch, at, attempt.shown);
            top(branch, |frame| frame.lenient = attempt.lenient);
        }
        top(branch, |frame| frame.done = true);
    }

    /// Called when an attempt has ended. If the game's policy says so, hides again what the attempt has revealed.
    fn attempt_hides(&mut self, branch: &mut Branch, at: u16, shown: u32) {
        if self.program.policies.attempts_hide && self.hide_revealed(branch, shown as usize) {
            self.tell_principle(Principle::Revealed, branch.now(), branch.frames.len(), at);
        }
    }

    /// Whether the instructions of the top frame belong to an open attempt. Immediate rules in the middle of an attempt do not.
    pub(crate) fn in_attempt(&self, branch: &Branch) -> bool {
        let Some(attempt) = branch.attempts.last() else { return false };
        let above = branch.frames.get(usize::from(attempt.frames)..).unwrap_or(&[]);
        !above.iter().any(|frame| matches!(frame.role, Role::Rule(..)))
    }

    /// Whether a branch of a lockstep belongs to an attempt that is open around the lockstep.
    pub(crate) fn is_attempted_around(&self, branch: &Branch) -> bool {
        let mut inner = branch;
        while let Some(outer) = self.state.control.around(inner) {
            if inner.frames.iter().any(|frame| matches!(frame.role, Role::Rule(..))) {
                return false;
            }
            if goes_on(inner) {
                return false;
            }
            if !outer.attempts.is_empty() {
                return self.in_attempt(outer) && !goes_on(outer);
            }
            inner = outer;
        }
        false
    }

    /// Whether an attempt is open that began above `frames` frames, in this branch or around it.
    pub(crate) fn is_attempted_above(&self, branch: &Branch, frames: usize) -> bool {
        let mut inner = branch;
        loop {
            if inner.attempts.last().is_some_and(|attempt| usize::from(attempt.frames) > frames) {
                return true;
            }
            let Some(outer) = self.state.control.around(inner) else { return false };
            inner = outer;
        }
    }

    /// Whether a trial run that asks whether anything can be done has its answer now. An instruction in an attempt counts only when the
    /// attempt has succeeded.
    fn is_all_that_is_wanted(&self, branch: &Branch) -> bool {
        matches!(self.trial, Some(Trial { goal: Goal::Anything { frames }, .. }) if !self.is_attempted_above(branch, frames))
    }

    /// Called when an instruction was not carried out in full. If an attempt is open in this branch, it fails. An attempt around a lockstep
    /// fails when all branches of the lockstep have ended.
    pub(crate) fn attempts_fail(&mut self, branch: &mut Branch, at: u16) {
        if self.in_attempt(branch) {
            self.attempt_failed(branch, at);
        } else if branch.parent.is_some() {
            branch.broke |= self.is_attempted_around(branch);
        }
    }

    /// Undoes the innermost attempt and goes on after it.
    pub(crate) fn attempt_failed(&mut self, branch: &mut Branch, at: u16) {
        let Some(attempt) = branch.attempts.pop() else { return broken(Fault::Begun) };
        let frames = usize::from(attempt.frames);
        let with_all = !attempt.lenient && self.fails_with(branch, frames, attempt.otherwise);
        if attempt.trial || with_all || self.is_what_is_tried(branch, frames) {
            return self.answer_trial(false);
        }
        while branch.frames.len() > frames {
            let Some(frame) = branch.pop() else { break };
            self.rule_is_over(&frame);
            branch.registers.truncate(frame.base as usize);
            branch.lists.truncate(frame.lists as usize);
        }
        if let Some(mut before) = attempt.before {
            let State { board, effects, events, .. } = &mut *self.state;
            if let Some(before) = Arc::get_mut(&mut before) {
                std::mem::swap(board, &mut before.0);
                std::mem::swap(effects, &mut before.1);
                std::mem::swap(events, &mut before.2);
            } else {
                // The state before may be shared by copies of this branch that go back to it too. So it is copied, not taken.
                board.copy_from(&before.0);
                effects.copy_from(&before.1);
                events.copy_from(&before.2);
            }
            self.scratch.spare_before(Some(before));
            let control = &mut self.state.control;
            (control.losing, control.winning) = attempt.verdicts;
            control.urgent &= control.losing | control.winning != 0;
            self.state.control.written.all();
            branch.collected.truncate(attempt.collected as usize);
        }
        self.state.control.hold_again(branch, attempt.inside.0);
        branch.unveil(attempt.inside.1);
        self.drop_scopes(branch);
        self.attempt_hides(branch, at, attempt.shown);
        branch.doing = Doing::Run;
        top(branch, |frame| {
            frame.nothing_done();
            frame.short = false;
            frame.any = attempt.any;
            frame.cause = attempt.cause;
            (frame.you, frame.lenient) = (attempt.you, attempt.lenient);
        });
        jump(branch, attempt.otherwise);
        let pc = branch.now();
        self.tell_cited(self.program.rules_around(pc), pc, branch.frames.len(), at, &[], || Step::AttemptFails);
        self.begin_finals(branch, at);
    }

    fn attempt_is_possible(&mut self, branch: &Branch, at: u16, player: Player, otherwise: Pc) -> bool {
        let mut copy = self.scratch.copy_of_branch(branch);
        copy.attempts.clear();
        let (frames, cause) = (copy.frames.len() as u16, self.cause(&copy));
        copy.attempts.push(Attempt {
            frames,
            otherwise,
            before: None,
            verdicts: (0, 0),
            cause,
            any: false,
            you: Player::default(),
            lenient: false,
            inside: Default::default(),
            collected: 0,
            shown: u32::MAX,
            trial: true,
        });
        if let Some(frame) = copy.frames.last_mut() {
            frame.short = false;
            frame.lenient = false;
        }
        self.trial_run(copy, at, (Goal::Attempt, false), player, |_, _| {})
    }

    /// Runs a copy of a branch on a copy of the state, alone, until it is known whether the goal can be reached. The search goes through
    /// the player's own choices. It stops at another player's choice, a verdict, a look at what the player may not see, or the limit. The
    /// goal then counts as possible (docs/kernel/actions.md, "Attempts"). If a certain way is wanted, it counts as impossible.
    pub(crate) fn trial_run(
        &mut self,
        mut branch: Box<Branch>,
        at: u16,
        (goal, certain): (Goal, bool),
        player: Player,
        begin: impl FnOnce(&mut Run<'_, Silent>, &mut Branch),
    ) -> bool {
        self.state.events.seal();
        let depth = self.trial.map_or(1, |outer| outer.depth.saturating_add(1));
        let within = self.within_instead(&branch);
        // A remembered trial run must not depend on notes about another position.
        let noted_elsewhere = readings::are_noted() && self.idle().is_none();
        let (found, failed, asked) = self.on_a_copy(|run| {
            run.within = within;
            if noted_elsewhere {
                run.state.control.idle = None;
            }
            for other in &mut run.state.control.branches {
                if other.level == branch.level {
                    other.doing = Doing::Wait;
                    other.children = u16::MAX;
                }
            }
            branch.parent = None;
            branch.been.clear();
            // The answer must not depend on how many statements have run since the last decision.
            run.state.control.steps = 0;
            run.trial = Some(Trial { goal, player, found: None, certain, depth });
            run.alone = true;
            begin(run, &mut branch);
            if let Some(slot) = run.state.control.branches.get_mut(usize::from(at)) {
                std::mem::swap(slot, &mut branch);
            }
            let mut positions = TRIAL_POSITIONS;
            let found = search(run, player, &mut positions);
            (found, matches!(run.state.control.status, Status::Failed(_)), run.state.effects.asked.clone())
        });
        self.scratch.trial_failed = failed;
        self.state.effects.asked.take_over(&asked);
        self.scratch.branches.push(branch);
        found
    }
}

/// Whether something in a branch, inside its innermost attempt, goes on as far as possible. This may be the processing of a declared
/// action, a way to act taken of an offer, or a block that says so. Failures inside it do not make anything outside of it fail.
pub(crate) fn goes_on(branch: &Branch) -> bool {
    let (inside, in_its_own_frame) = branch.attempts.last().map_or((0, false), |attempt| {
        let inside = usize::from(attempt.frames);
        let opened = inside.checked_sub(1).and_then(|at| branch.frames.get(at));
        (inside, opened.is_some_and(|frame| frame.lenient))
    });
    in_its_own_frame || branch.frames.get(inside..).unwrap_or(&[]).iter().any(|frame| frame.lenient)
}

/// Whether some answers of the player lead to the goal.
fn search(run: &mut Run<'_, Silent>, player: Player, positions: &mut u32) -> bool {
    let status = run.go();
    if let Some(found) = run.trial.and_then(|trial| trial.found) {
        return found;
    }
    let open = !run.trial.is_some_and(|trial| trial.certain);
    if status != Status::Asking || *positions == 0 {
        return open;
    }
    *positions -= 1;
    let asked = run.state.control.branches.iter().position(|branch| matches!(branch.doing, Doing::Ask(question) if question.open));
    let Some(at) = asked else { return open };
    let Some(Doing::Ask(question)) = run.state.control.branches.get(at).map(|branch| branch.doing) else { return open };
    if question.player != player {
        return open;
    }
    let (tries, all) = answers_to_try(run, at, &question);
    let mut before = (tries.len() > 1).then(|| run.scratch.copy_of(run.state));
    let mut found = false;
    for (tried, picks) in tries.iter().enumerate() {
        if let (true, Some(before)) = (tried > 0, &mut before) {
            if tried + 1 < tries.len() {
                run.state.copy_from(before, &mut run.scratch.branches);
            } else {
                // Nobody goes back to the position after the last answer, so it is taken and not copied.
                std::mem::swap(&mut *run.state, &mut **before);
            }
        }
        if let Some(branch) = run.state.control.branches.get_mut(at) {
            give(branch, picks);
        }
        run.trial = run.trial.map(|trial| Trial { found: None, ..trial });
        found = search(run, player, positions);
        if found {
            break;
        }
    }
    if let Some(before) = before {
        run.scratch.spare_state(before);
    }
    // An answer that was not tried may lead to the goal, so the result is open.
    found || !all && open
}

/// Answers that are worth trying, and whether these are all answers there are. If one member is chosen: each member. If several are chosen,
/// first as many as possible, or as few. For an order of more than [`MOST_ORDERED`] members only one order is tried: the order in which
/// cards lie seldom decides anything.
pub(crate) fn answers_to_try(run: &Run<'_, Silent>, at: usize, question: &Question) -> (Vec<Picks>, bool) {
    let branch = run.state.control.branches.get(at).map(Box::as_ref);
    let (mut tries, all) = answers_between_bounds(run, branch, question);
    if let Some(shown) = branch.and_then(|branch| Shown::of(run.program, run.state, branch, question)) {
        for picks in &mut tries {
            if let Some(greater) = shown.greater(picks) {
                *picks = greater.into();
            }
        }
    }
    (tries, all)
}

/// Like [`answers_to_try`], but some of these answers may leave out members that the chooser cannot claim not to find.
fn answers_between_bounds(run: &Run<'_, Silent>, branch: Option<&Branch>, question: &Question) -> (Vec<Picks>, bool) {
    let Question { len, min, max, must, .. } = *question;
    if let Some(joint) = branch.and_then(|branch| Joint::of(run.program, run.state, branch, question, None)) {
        return joint.tries();
    }
    if run.program.choices.get(question.choice).is_some_and(|def| def.asks_for_spare(must)) {
        // Spare units meet nothing, so naming none leads as far as any other answer.
        return (vec![(0..min).collect()], true);
    }
    if max == 1 {
        // The answer that leaves the most undone is tried first, because it is the shortest way to the end. The order of the tries changes
        // nothing else.
        let singles = (0..len).map(|position| smallvec![position]);
        let mut tries: Vec<Picks> = (min == 0).then(Picks::new).into_iter().chain(singles).collect();
        if yes_no(question) {
            tries.reverse();
        }
        if must > 0 {
            for picks in &mut tries {
                let mut all = picks.to_vec();
                obey(must, max, &mut all);
                *picks = all.into();
            }
        }
        return (tries, true);
    }
    let ranked = run.program.choices.get(question.choice).is_some_and(ChoiceDef::is_ranked);
    if ranked && min == max && max == len && len <= MOST_ORDERED {
        return (orders(&(0..len).collect::<Vec<u16>>()), true);
    }
    let mut tries: Vec<Picks> = vec![(0..max).collect()];
    if min < max {
        tries.push((0..min).collect());
    }
    let free: Vec<u16> = (must..len).collect();
    let demanded: Vec<u16> = (0..must).collect();
    let sizes = (min.saturating_sub(must)..=max.saturating_sub(must)).rev();
    let all = sizes.into_iter().all(|size| {
        each_subset(&free, usize::from(size), &mut |subset| {
            tries.push(demanded.iter().chain(subset).copied().collect());
            tries.len() <= TRIAL_POSITIONS as usize
        })
    });
    (tries, all)
}

/// Every order of some members. The order in which they stand comes first.
fn orders(of: &[u16]) -> Vec<Picks> {
    if of.is_empty() {
        return vec![Picks::new()];
    }
    let with_first = |at: usize| {
        let others: Vec<u16> = of.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, member)| *member).collect();
        orders(&others).into_iter().map(move |rest| of.get(at).copied().into_iter().chain(rest).collect::<Picks>()).collect::<Vec<_>>()
    };
    (0..of.len()).flat_map(with_first).collect()
}

/// Visits the subsets of `size` members, in order. Returns `false` if a visit stopped.
fn each_subset(of: &[u16], size: usize, visit: &mut dyn FnMut(&[u16]) -> bool) -> bool {
    let mut at: Vec<usize> = (0..size).collect();
    if size > of.len() {
        return true;
    }
    loop {
        let subset: Vec<u16> = at.iter().filter_map(|at| of.get(*at)).copied().collect();
        if !visit(&subset) {
            return false;
        }
        let next = (0..size).rev().find(|place| at.get(*place).is_some_and(|now| *now < of.len() - size + place));
        let Some(next) = next else { return true };
        let from = at.get(next).map_or(0, |now| now + 1);
        for (place, slot) in at.iter_mut().enumerate().skip(next) {
            *slot = from + place - next;
        }
    }
}

/// Puts the first `must` positions into an answer that is not empty. If the answer then has too many members, others are left out.
pub fn obey(must: u16, max: u16, picks: &mut Vec<u16>) {
    if must == 0 || picks.is_empty() {
        return;
    }
    picks.retain(|pick| *pick >= must);
    picks.truncate(usize::from(max.saturating_sub(must)));
    picks.splice(0..0, 0..must);
}

/// Writes an answer into a branch's question. `picks`: positions in the question's domain.
#[inline]
pub(crate) fn give(branch: &mut Branch, picks: &[u16]) {
    let Doing::Ask(question) = &mut branch.doing else { return };
    // Several replacements may have one source. So the place of the answer in the domain says which of them is meant.
    if let (Then::PickReplacement, [pick]) = (question.then, picks) {
        return question.answer = Some((question.start + u32::from(*pick), 1));
    }
    let start = branch.lists.len() as u32;
    for pick in picks {
        let value = branch.lists.get(question.start as usize + usize::from(*pick)).copied().unwrap_or(Value::Undefined);
        branch.lists.push(value);
    }
    question.answer = Some((start, picks.len() as u16));
}
