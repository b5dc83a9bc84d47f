//! The spots that changes touch. Effects that read one of these spots are settled after the change.

use crate::actions::moves::Moving;
use crate::bits::Spots;
use crate::fault::listed;
use crate::program::ClauseKind;
use crate::run::Run;
use crate::state::{Branch, Change};
use crate::steps::Observer;
use crate::value::Value;

/// The spots that moves touch. `controlled`: whether an effect gave control before the moves. If this effect has ended with a move, cards in
/// other places have another controller too.
pub(crate) fn touched_by(moves: &[Moving], controlled: bool) -> Spots {
    if controlled {
        return Spots::ALL;
    }
    moves.iter().map(|moving| Spots::of_place(moving.from) | Spots::of_place(moving.to)).collect()
}

impl<O: Observer> Run<'_, O> {
    /// The spots that a change touches.
    pub fn touches(&self, branch: &Branch, change: Change) -> Spots {
        if self.state.effects.is_settled() {
            return Spots::NONE;
        }
        let place_of = |value: Value| match value {
            Value::Object { id, .. } => self.state.board.object(id).map_or(Spots::NONE, |object| Spots::of_place(object.place)),
            _ => Spots::ALL,
        };
        let all_of = |start: u32, len: u16| {
            let cards = listed(&branch.lists, start, len);
            cards.iter().map(|card| place_of(*card)).collect::<Spots>()
        };
        match change {
            Change::MoveTop { from, to, .. } => Spots::of_place(from) | Spots::of_place(to),
            Change::MoveCard { card, to, .. } => place_of(card) | Spots::of_place(to),
            Change::Move { start, len, to, .. } => all_of(start, len) | Spots::of_place(to),
            Change::Turn { start, len, .. } => all_of(start, len),
            Change::Shuffle(place) | Change::Order { place, .. } => Spots::of_place(place),
            Change::SetState { state, .. } => Spots::of_state(state),
            // The effect itself is known to be new. But whoever controls a card may be read anywhere, so a change of control touches
            // everything.
            Change::Install(clause, _) => {
                let control = self.program.clauses.get(clause).is_some_and(|def| matches!(def.kind, ClauseKind::Control { .. }));
                if control { Spots::ALL } else { Spots::NONE }
            }
            Change::Expire(_) if self.state.effects.controlling == 0 => Spots::NONE,
            // Conditions that read who sees a card are evaluated again wherever they are read.
            Change::Show { .. } => Spots::NONE,
            _ => Spots::ALL,
        }
    }
}
