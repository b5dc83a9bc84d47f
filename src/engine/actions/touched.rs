//! The places that changes touch. Effects that read one of these places are settled after the change.

use crate::actions::moves::Moving;
use crate::fault::listed;
use crate::program::ClauseKind;
use crate::run::Run;
use crate::state::read_bits::{place_bit, state_bit};
use crate::state::{Branch, Change};
use crate::steps::Observer;
use crate::value::Value;

/// The places that moves touch, as bits in the form in which evaluations note their reads. `controlled`: whether an effect gave control
/// before the moves. If this effect has ended with a move, cards in other places have another controller too.
pub(crate) fn touched_by(moves: &[Moving], controlled: bool) -> u64 {
    if controlled {
        return u64::MAX;
    }
    moves.iter().fold(0, |all, moving| all | place_bit(moving.from) | place_bit(moving.to))
}

impl<O: Observer> Run<'_, O> {
    /// The places that a change touches, as bits in the form in which evaluations note their reads.
    pub fn touches(&self, branch: &Branch, change: Change) -> u64 {
        if self.state.effects.is_settled() {
            return 0;
        }
        let place_of = |value: Value| match value {
            Value::Object { id, .. } => self.state.board.object(id).map_or(0, |object| place_bit(object.place)),
            _ => u64::MAX,
        };
        let all_of = |start: u32, len: u16| {
            let cards = listed(&branch.lists, start, len);
            cards.iter().fold(0, |all, card| all | place_of(*card))
        };
        match change {
            Change::MoveTop { from, to, .. } => place_bit(from) | place_bit(to),
            Change::MoveCard { card, to, .. } => place_of(card) | place_bit(to),
            Change::Move { start, len, to, .. } => all_of(start, len) | place_bit(to),
            Change::Turn { start, len, .. } => all_of(start, len),
            Change::Shuffle(place) | Change::Order { place, .. } => place_bit(place),
            Change::SetState { state, .. } => state_bit(state),
            // The effect itself is known to be new. But whoever controls a card may be read anywhere, so a change of control touches
            // everything.
            Change::Install(clause, _) => {
                let control = self.program.clauses.get(clause).is_some_and(|def| matches!(def.kind, ClauseKind::Control { .. }));
                if control { u64::MAX } else { 0 }
            }
            Change::Expire(_) if self.state.effects.controlling == 0 => 0,
            // Conditions that read who sees a card are evaluated again wherever they are read.
            Change::Show { .. } => 0,
            _ => u64::MAX,
        }
    }
}
