//! Finds the ability whose cost an action paid.

use super::History;
use crate::state::Cause;
use crate::steps::{Step, View};
use crate::value::{Player, Value};

impl History {
    /// For an action that pays a cost: the step in which the ability of this cost began to wait. None if several abilities of the card wait,
    /// because the action does not say which of them it pays for.
    pub(super) fn whose_cost(&self, view: &View<'_>, step: &Step) -> Option<usize> {
        let (card, _) = payment(step)?;
        let mut waiting = view.state.events.pending.iter().filter(|pending| pending.source == card);
        let number = waiting.next().filter(|_| waiting.next().is_none())?.number;
        self.waiting.iter().find(|(known, _)| *known == number).map(|(_, step)| *step)
    }

    /// For the outermost action of a payment: the card of the ability that is paid for, and the player who pays.
    pub(super) fn begins_payment(&self, at: usize) -> Option<(Value, Player)> {
        let kept = self.kept.get(at)?;
        let paid = payment(&kept.traced.step)?;
        let around = kept.within.and_then(|within| self.kept.get(within)).and_then(|outer| payment(&outer.traced.step));
        (around != Some(paid)).then_some(paid)
    }
}

/// The card of the cost that an action pays, and the player who pays.
fn payment(step: &Step) -> Option<(Value, Player)> {
    match step {
        Step::Began(_, _, Cause::Cost { source, you }) | Step::Performed(_, _, Cause::Cost { source, you }) => Some((*source, *you)),
        _ => None,
    }
}
