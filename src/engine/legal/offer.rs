//! Offers: finds the ways to act that a player has now, performs the way that is taken, and handles a way that fails.
//!
//! [`crate::legal::options`] finds the ways that an option's domains, its condition and the prohibitions allow. For an option that
//! is an attempt, a trial run finds out whether it can be carried out. A way that was taken and failed is undone, and is not offered again
//! before board or effects have changed (docs/kernel/flow.md, "Offers").

use crate::eval::watch::Happening;
use crate::fault::{Fault, broken, listed};
use crate::ids::{ArgsId, ChoiceId, GroupId, OptionId, Pc, Reg};
use crate::legal::cache::FieldCache;
use crate::legal::footprint::{Asked, is_comparable};
use crate::legal::guard::Verdict;
use crate::legal::options::Row;
use crate::legal::source::{Found, Way};
use crate::limits::{CANDIDATES, FAILURES, PLAYS};
use crate::run::step::{get, inherited, jump, set, top};
use crate::run::{Goal, Run};
use crate::short_ways::{ShortWay, took};
use crate::state::readings;
use crate::state::{Branch, Doing, FailureKind, Frame, Idle, MOST_ARGUMENTS, Question, Source, Then, Waits};
use crate::steps::Observer;
use crate::value::{Player, Value};
use std::sync::Arc;

impl<O: Observer> Run<'_, O> {
    /// Carries out `offer p from GROUP`.
    #[inline(never)]
    pub fn offer(&mut self, branch: &mut Branch, at: u16, pc: Pc, (choice, from): (ChoiceId, ArgsId), (taken, passed): (Reg, Pc)) {
        let program = self.program;
        let Some(def) = program.choices.get(choice) else { return broken(Fault::Row) };
        let player = self.value(branch, def.by).player();
        self.forget_taken(branch, taken);
        if player.is_none() {
            self.tell_nobody_asked(branch, at, pc, choice);
        }
        // A player who can take nothing cannot begin a round. So in general the position is looked at only after the ways are found.
        let looks_first = self.hangs_on_rounds();
        if looks_first && self.comes_round(branch, at, pc, player) {
            return;
        }
        let mark = branch.lists.len();
        let groups = self.groups(branch, from);
        let may_pass = def.min == crate::program::AmountDef::Fixed(0);
        // The ways to act are those of the player. The player who decides for this player is asked.
        let decider = player.map(|player| self.state.board.decider(player));
        let min = if may_pass && decider.is_none_or(|decider| !self.is_pass_barred(choice, decider)) { 0 } else { 1 };
        // A way can be drawn only if the player who is asked is the player who acts.
        let drawable = player.is_some() && decider == player && self.is_drawable();
        // Onlookers are told the whole list, so watched games do not draw.
        let draws = player.filter(|_| drawable && self.samples && !O::ON);
        let plays = match draws.and_then(|player| self.has_any(branch, at, (player, 1 + usize::from(min)), &groups)) {
            Some(Found::Enough) => None,
            Some(Found::Only(plays)) => Some(plays),
            None => match player.map(|player| self.plays(branch, at, (player, min == 1), &groups)) {
                Some(None) => return self.fail(FailureKind::Plays, pc),
                plays => Some(plays.flatten().unwrap_or_default()),
            },
        };
        if self.stopped {
            return;
        }
        let source = match plays {
            None => Source::Unlisted,
            Some(_) if drawable => Source::Drawable,
            Some(_) => Source::Listed,
        };
        let empty = plays.as_ref().is_some_and(Vec::is_empty);
        let plays = plays.unwrap_or_default();
        let (Some(decider), false) = (decider, empty) else {
            if let Some(decider) = decider.filter(|_| O::ON) {
                // The only legal answer is to pass. It is recorded, not asked.
                let passes = Question::for_one(decider, choice, (mark as u32, 0), Then::Offer(passed));
                self.tell_decided(branch, at, pc, passes, &[], true);
            }
            top(branch, crate::state::Frame::nothing_done);
            return jump(branch, passed);
        };
        if !looks_first && self.comes_round(branch, at, pc, player) {
            return self.scratch.forget_candidates();
        }
        set(branch, Reg(taken.0 + 1), Value::Number(mark as i32));
        let members: Vec<Value> = plays.iter().map(|(option, row)| self.laid(branch, *option, row)).collect();
        let (start, len) = (branch.lists.len() as u32, members.len() as u16);
        branch.lists.extend(members);
        let question = Question::for_one(decider, choice, (start, len), Then::Offer(passed));
        let question = Question { min, result: taken, source, ..question };
        if min == len && source != Source::Unlisted {
            if O::ON {
                self.tell_decided(branch, at, pc, question, &[0], true);
            }
            self.note_forced(branch, start);
            return self.took(branch, question, (start, 1), passed);
        }
        branch.doing = Doing::Ask(question);
    }

    /// The groups that a statement offers.
    pub(crate) fn groups(&mut self, branch: &Branch, from: ArgsId) -> Vec<GroupId> {
        self.program.args_of(from).iter().filter_map(|node| group(self.value(branch, *node))).collect()
    }

    /// Puts a way to act into the list arena, with its arguments.
    fn laid(&self, branch: &mut Branch, option: OptionId, row: &Row) -> Value {
        let start = branch.lists.len() as u32;
        let count = self.program.options.get(option).map_or(0, |def| def.params.len() + 1);
        branch.lists.extend(row.iter().take(count));
        Value::Play { count: count as u8, option, start }
    }

    /// Handles the answer to an offer. The list of the other ways is dropped, so the state is the same whether or not a list was made.
    pub fn took(&mut self, branch: &mut Branch, question: Question, (start, len): (u32, u16), passed: Pc) {
        let taken = branch.lists.get(start as usize).filter(|_| len > 0).and_then(|play| Way::of(*play, &branch.lists));
        let mark = get(branch, Reg(question.result.0.saturating_add(1))).number().unwrap_or(i32::MAX);
        branch.lists.truncate(mark.max(0) as usize);
        let Some(taken) = taken else {
            top(branch, crate::state::Frame::nothing_done);
            return jump(branch, passed);
        };
        let play = taken.laid(&mut branch.lists);
        set(branch, question.result, play);
    }

    /// The ways to act that a player has now, in the order of the options' declarations. A player who must act may repeat barred ways if
    /// there are no others. `None`: there are more ways than an offer may have, or more candidates than are looked at.
    fn plays(&mut self, branch: &Branch, at: u16, (player, must): (Player, bool), groups: &[GroupId]) -> Option<Vec<(OptionId, Row)>> {
        let (mut found, mut repeated) = (Vec::new(), Vec::new());
        let mut keep = |run: &mut Self, option, row| {
            let into = if run.is_barred(player, option, &row) { &mut repeated } else { &mut found };
            into.push((option, row));
            found.len() > PLAYS
        };
        let all = self.each_candidate(branch, at, (player, groups), &mut keep) || self.each_row(branch, at, (player, groups), &mut keep);
        if !all || found.len() > PLAYS {
            return None;
        }
        Some(if found.is_empty() && must { repeated } else { found })
    }

    /// Visits every way to act of an offer that has more candidates than an offer may have ways to act. Returns `false` if an option has
    /// more than [`CANDIDATES`], so that some were not looked at.
    fn each_row(
        &mut self,
        branch: &Branch,
        at: u16,
        (player, groups): (Player, &[GroupId]),
        visit: &mut dyn FnMut(&mut Self, OptionId, Row) -> bool,
    ) -> bool {
        let program = self.program;
        let cache = FieldCache::default();
        for (option, def) in program.options.iter().filter(|(_, def)| groups.iter().any(|group| def.groups.contains(group))) {
            let mut rows: Vec<Row> = Vec::new();
            {
                let mut eval = self.eval(branch);
                (eval.watcher, eval.cache) = (Some(player), Some(&cache));
                eval.each_play(option, player, (0, [Value::Undefined; MOST_ARGUMENTS]), &mut |row| {
                    rows.push(*row);
                    rows.len() > CANDIDATES
                });
            }
            if rows.len() > CANDIDATES {
                return false;
            }
            for row in rows {
                let can = !self.is_idle(player, option, &row) && self.is_worth_trying(branch, at, player, (option, def.attempt), &row);
                if can && visit(self, option, row) {
                    return true;
                }
            }
        }
        true
    }

    /// Whether a way to act is possible as far as a guard or a trial run can tell. Inside a trial run nothing is tried beforehand, because
    /// the trial run itself finds out what fails.
    pub(crate) fn is_worth_trying(
        &mut self,
        branch: &Branch,
        at: u16,
        player: Player,
        (option, attempt): (OptionId, bool),
        row: &Row,
    ) -> bool {
        if !attempt || self.trial.is_some() {
            return true;
        }
        let guarded = self.guard(branch, player, option, row);
        let compares = self.scratch.compares_guards || cfg!(debug_assertions);
        if guarded != Verdict::Unknown && !compares {
            took(ShortWay::Guard);
            return guarded == Verdict::Can;
        }
        if guarded == Verdict::Unknown {
            return self.try_or_remember(branch, at, player, option, row, compares);
        }
        let tried = self.try_play(branch, at, player, (option, false), row);
        let differs = tried != (guarded == Verdict::Can) && !self.scratch.trial_failed;
        debug_assert!(!differs, "{guarded:?}: {option:?} {row:?}");
        self.scratch.guards_compared.0 += 1;
        self.scratch.guards_compared.1 += u64::from(differs);
        tried
    }

    /// Whether a trial run finds that an option can be carried out. The trial run is not made if an earlier one with the same footprint is
    /// remembered. With `compares` it is made all the same, to compare the two.
    fn try_or_remember(&mut self, branch: &Branch, at: u16, player: Player, option: OptionId, row: &Row, compares: bool) -> bool {
        let notes = is_comparable(row) && self.scratch.footprints.may_help(option);
        let around = if notes { self.surroundings(branch) } else { None };
        let Some(around) = around else { return self.try_play(branch, at, player, (option, false), row) };
        let asked = Asked { program: self.program, state: self.state, branch, around, way: (option, row) };
        let known = self.scratch.footprints.find(asked);
        self.scratch.tried.remembered += u64::from(known.is_some());
        if let Some(can) = known.filter(|_| !compares) {
            took(ShortWay::Footprint);
            return can;
        }
        let next = (self.state.events.next, self.state.events.history.len());
        let (can, read) = readings::noting(next, || self.try_play(branch, at, player, (option, false), row));
        if self.scratch.trial_failed {
            return can;
        }
        if let Some(known) = known {
            debug_assert_eq!(known, can, "{option:?} {row:?} {read:?}");
            self.scratch.guards_compared.0 += 1;
            self.scratch.guards_compared.1 += u64::from(known != can);
        } else {
            let asked = Asked { program: self.program, state: self.state, branch, around, way: (option, row) };
            self.scratch.footprints.keep(asked, can, &read);
        }
        can
    }

    /// Whether a trial run finds that an option can be carried out. With `certain`: whether some way to do so is certain.
    fn try_play(&mut self, branch: &Branch, at: u16, player: Player, (option, certain): (OptionId, bool), row: &Row) -> bool {
        let mut copy = self.scratch.copy_of_branch(branch);
        copy.attempts.clear();
        copy.doing = Doing::Run;
        let frames = copy.frames.len();
        let row = *row;
        let goal = (Goal::Call { frames }, certain);
        self.trial_run(copy, at, goal, player, |run, branch| run.begin_play(branch, at, Pc::NOWHERE, (option, Reg::NONE), &row))
    }

    /// Performs the way to act that was taken. If it fails, the block that offers it has not failed.
    pub fn take(&mut self, branch: &mut Branch, at: u16, pc: Pc, taken: Reg, result: Reg) {
        let Value::Play { count, option, start } = get(branch, taken) else { return };
        let row = row_of(branch, count, start);
        let Some(frame) = branch.frames.last() else { return broken(Fault::Frame) };
        let kept = i32::from(frame.lenient) | i32::from(frame.failed) << 1;
        set(branch, Reg(taken.0 + 2), Value::Number(kept));
        top(branch, |frame| (frame.lenient, frame.failed) = (true, false));
        set(branch, result, Value::Undefined);
        self.begin_play(branch, at, pc, (option, result), &row);
    }

    /// Puts an option's body on top, as an action of the player. A trial run stops if a replacement fits the action, because others would
    /// have to decide about it.
    fn begin_play(&mut self, branch: &mut Branch, at: u16, pc: Pc, (option, result): (OptionId, Reg), row: &Row) {
        let program = self.program;
        let Some(def) = program.options.get(option) else { return broken(Fault::Row) };
        let (verb, count) = (def.verb, def.params.len() + 1);
        let Some(Value::Player(player)) = row.get(def.params.len()).copied() else { return };
        if self.trial.is_some() && self.watched(verb) {
            let what = Happening { verb, args: row, lists: &branch.lists, cause: self.cause(branch) };
            if self.replacements(branch, &[], what).next().is_some() {
                return self.answer_trial_open();
            }
        }
        let (base, lists) = (branch.registers.len(), branch.lists.len() as u32);
        branch.registers.extend(row.iter().take(count));
        let routine = program.verbs.get(verb).and_then(|verb| verb.body).unwrap_or_default();
        let frame = Frame { routine, pc: self.plan.routine(routine).start, base: base as u32, lists, result, ..Frame::default() };
        let frame = Frame { you: player, lenient: false, replaced: false, ..inherited(branch, frame) };
        self.begin_action(branch, at, pc, verb, frame, self.trial.is_none());
    }

    /// Called when the way to act that was taken is over.
    pub fn taken(&mut self, branch: &mut Branch, at: u16, (taken, result): (Reg, Reg), again: Pc) {
        let kept = get(branch, Reg(taken.0 + 2)).number().unwrap_or(0);
        // A part that is processed at once need not be done in full. The way counts as taken all the same.
        let done = branch.frames.last().is_some_and(|frame| !frame.failed);
        top(branch, |frame| (frame.lenient, frame.failed) = (kept & 1 != 0, kept & 2 != 0));
        if done && result != Reg::NONE && get(branch, result) == Value::Undefined {
            // The way was carried out already. Nothing is left to process, but the player has not passed.
            set(branch, result, Value::Bool(true));
        }
        if let Value::Play { option, .. } = get(branch, taken) {
            self.way_is_over(option, done);
        }
        if !done && let Value::Play { count, option, start } = get(branch, taken) {
            let row = row_of(branch, count, start);
            let player = row.get(usize::from(count).saturating_sub(1)).and_then(|value| value.player()).unwrap_or_default();
            if !self.program.policies.failed_are_offered {
                self.note_taken_back(option, &row);
                self.note_failed(branch, at, player, option, row);
            } else if let Some(cycle) = self.state.control.cycle_mut() {
                // A way that failed has not happened, so it brings no position back.
                cycle.offers.clear();
                cycle.answers.clear();
            }
            jump(branch, again);
        }
        let mark = get(branch, Reg(taken.0 + 1)).number().unwrap_or(i32::MAX);
        branch.lists.truncate(mark.max(0) as usize);
        set(branch, taken, Value::Undefined);
    }

    /// Notes that the way to act that was taken has failed. If other answers of the player can certainly carry it out, it stays in the
    /// offer. In one position it stays only [`FAILURES`] times, so a player who keeps giving wrong answers comes to an end.
    fn note_failed(&mut self, branch: &Branch, at: u16, player: Player, option: OptionId, row: Row) {
        let play = (player, option, row);
        let failed = self.idle().map_or(0, |idle| idle.failed.iter().filter(|failed| **failed == play).count());
        let again = failed < FAILURES && self.alone && self.trial.is_none() && self.try_play(branch, at, player, (option, true), &row);
        self.note_idle(|idle| if again { idle.failed.push(play) } else { idle.plays.push(play) });
    }

    /// Called when an action has been declared. Its second part waits to be processed.
    pub fn declare(&mut self, branch: &mut Branch, option: OptionId, captures: ArgsId, to: Reg) {
        let Some(process) = self.program.options.get(option).and_then(|option| option.process) else { return };
        let number = self.state.events.next;
        self.put_aside(branch, Waits::Declared(option), process, captures);
        set(branch, to, Value::Pending(number));
    }

    /// Whether a way to act has been tried in this position and has failed.
    pub(crate) fn is_idle(&self, player: Player, option: OptionId, row: &Row) -> bool {
        let idle = self.state.control.idle.as_deref().filter(|idle| idle.plays.contains(&(player, option, *row)));
        idle.is_some_and(|idle| idle.is_of(self.state))
    }

    /// The notes of what has been tried in the present position.
    pub fn idle(&self) -> Option<&Idle> {
        self.state.control.idle.as_deref().filter(|idle| idle.is_of(self.state))
    }

    /// Notes that something has been tried in the present position.
    pub(crate) fn note_idle(&mut self, note: impl FnOnce(&mut Idle)) {
        if self.idle().is_none() {
            self.state.control.idle = Some(Arc::new(Idle::at(self.state)));
        }
        if let Some(idle) = &mut self.state.control.idle {
            note(Arc::make_mut(idle));
        }
    }
}

fn group(value: Value) -> Option<GroupId> {
    if let Value::Group(group) = value { Some(group) } else { None }
}

/// The arguments of a way to act.
fn row_of(branch: &Branch, count: u8, start: u32) -> Row {
    crate::actions::perform::copied(listed(&branch.lists, start, count))
}
