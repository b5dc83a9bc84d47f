//! Makes a change of the board or of effects: alone, or as a part of the batch of a lockstep.

use super::states::changed_by;
use crate::run::Run;
use crate::state::{Branch, Change, Doing, Holds};
use crate::steps::{Observer, Step};

impl<O: Observer> Run<'_, O> {
    /// A branch is about to change something. The change is made at once if this branch does not have to wait for other branches. Otherwise
    /// it is made together with the next changes of the others.
    #[inline]
    pub fn change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if let Some(crate::run::Trial { goal: crate::run::Goal::Anything { frames }, .. }) = self.trial
            && !self.is_attempted_above(branch, frames)
        {
            return self.answer_trial(true);
        }
        if branch.paying.is_part {
            self.note_taken(branch, change);
        }
        if !self.alone {
            branch.doing = Doing::Change(change);
            return;
        }
        self.change_now(branch, at, change);
    }

    #[inline(never)]
    fn change_now(&mut self, branch: &mut Branch, at: u16, change: Change) {
        let touched = self.touches(branch, change);
        self.before_changes();
        self.scratch.left_to_settle = None;
        self.perform_change(branch, at, change);
        let touched = self.scratch.left_to_settle.take().unwrap_or(touched);
        self.settle_effects(touched);
        debug_assert!(self.state.extents_stand(self.program), "{change:?}");
        self.after_change(branch, at);
        self.immediate_rules(Some(branch));
        // The verdict may have been raised by a branch that has ended meanwhile.
        if self.state.control.losing | self.state.control.winning != 0 {
            self.check_verdicts();
        }
    }

    #[inline]
    fn perform_change(&mut self, branch: &mut Branch, at: u16, change: Change) {
        self.state.effects.now = self.state.effects.next;
        self.begin_batch();
        match change {
            Change::MoveTop { .. } | Change::MoveCard { .. } => self.move_one(branch, at, change),
            Change::Move { .. } => self.move_several(branch, at, change),
            Change::Install(clause, duration) => {
                let effect = self.begun_by(branch, clause, duration);
                self.install(branch, at, effect);
            }
            other => self.perform_other(branch, at, other),
        }
    }

    /// Makes a change that is neither a move nor a new effect.
    pub(crate) fn perform_other(&mut self, branch: &mut Branch, at: u16, change: Change) {
        if branch.veil.is_some() {
            branch.touch_changed(change);
        }
        match change {
            Change::Turn { start, len, up } => self.turn_cards(branch, at, start, len, up),
            Change::Shuffle(place) => self.shuffle(branch, at, place),
            Change::SetState { subject, state, value, since, spends } => {
                let there = self.made_by_others(branch, subject, state, since);
                if let (true, Some(there), Some(since), Some(to)) = (spends, there, since, value.number())
                    && there < since.saturating_sub(to)
                {
                    return self.falls_short(branch, at, (subject, state), (there, since.saturating_sub(to)));
                }
                let value = changed_by(there, (value, since));
                self.tell_state_set(branch, at, (subject, state));
                self.set_state(branch, at, subject, state, value);
            }
            Change::Order { start, len, place } => self.put_in_order(branch, at, start, len, place),
            Change::Show { start, len, to, by, until } => self.show_cards(branch, at, (start, len), (to, by), until),
            Change::Open(duration, open) => self.open_duration(branch, at, duration, open),
            Change::Expire(_)
                if self.state.effects.in_force.is_empty() && self.state.board.revealed.is_empty() && self.state.events.uses.is_empty() =>
            {
                self.carried_out(branch)
            }
            Change::Expire(duration) => {
                self.state.events.uses.retain(|used| used.until != Some(duration));
                self.end_reveals(branch, duration);
                let ended = self.state.effects.end(self.program, |effect| effect.holds == Holds::Lasting(duration));
                if !ended.is_empty() {
                    self.state.control.changed_by_effects();
                }
                for number in ended {
                    self.tell(branch.now(), branch.frames.len(), at, &[], || Step::EffectEnds(number));
                }
                self.carried_out(branch);
            }
            Change::Attach { start, len, host } => self.attach_cards(branch, at, (start, len), host),
            Change::Make { .. } => self.make_object(branch, at, change),
            Change::Become { start, len, card, from } => self.become_copies(branch, at, (start, len), (card, from)),
            Change::Control { player, by } => self.give_control(branch, at, player, by),
            Change::MoveTop { .. } | Change::MoveCard { .. } | Change::Move { .. } | Change::Install(..) => {}
        }
    }

    /// Begins a batch. The batch gets its number when the first card arrives in it.
    #[inline]
    pub(crate) fn begin_batch(&mut self) {
        self.scratch.counted = false;
        if !self.state.events.together.unnoted().is_empty() {
            self.end_of_one_time();
        }
    }

    /// The number of the batch in which a card arrives now.
    pub fn arrival(&mut self) -> u32 {
        if !std::mem::replace(&mut self.scratch.counted, true) {
            self.state.board.batches += 1;
        }
        self.state.board.batches
    }
}
