//! Sets states of cards, players and the game.

use crate::eval::unread;
use crate::ids::StateId;
use crate::run::Run;
use crate::state::Branch;
use crate::steps::Observer;
use crate::value::Value;

impl<O: Observer> Run<'_, O> {
    /// For a change by an amount, the number as the other changes of the batch have made it. None if they have not changed it.
    pub(super) fn made_by_others(&self, branch: &Branch, subject: Value, state: StateId, since: Option<i32>) -> Option<i32> {
        let since = since?;
        let there = unread::unnoted(|| self.eval(branch).state_of(subject, state).number());
        there.filter(|there| *there != since)
    }

    pub(super) fn set_state(&mut self, branch: &mut Branch, at: u16, subject: Value, state: StateId, value: Value) {
        if unread::is_noting() {
            self.note_unless_it_rises(branch, subject, state, value);
        }
        let done = self.state.board.write_state(self.program, subject, state, value);
        self.state.control.written.state(state);
        if self.plan.ruled.is_all() {
            // Some rule reads more than zones, and effects may decide by a state who controls a card.
            self.state.control.wrote = true;
            if !self.state.owners_control(self.program) {
                self.state.control.dirty = crate::bits::PlaceSet::ALL;
            }
        }
        self.set_done(branch, at, done);
    }

    /// Notes a written number of a player as read, unless it rises. If the number stays or meets a bound, the new value tells what the old
    /// value was.
    #[cold]
    fn note_unless_it_rises(&mut self, branch: &Branch, subject: Value, state: StateId, value: Value) {
        let before = unread::unnoted(|| self.eval(branch).state_of(subject, state));
        if !matches!((before, value), (Value::Number(before), Value::Number(now)) if now > before) {
            self.eval(branch).state_of(subject, state);
        }
    }
}

/// If a number is changed by an amount, the amount counts from the value that the other changes of the batch have made (`there`).
pub(super) fn changed_by(there: Option<i32>, (value, since): (Value, Option<i32>)) -> Value {
    match (there, since, value.number()) {
        (Some(there), Some(since), Some(to)) => Value::Number(there.saturating_add(to.saturating_sub(since))),
        _ => value,
    }
}
