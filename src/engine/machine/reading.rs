//! Reads a game in any position: cards, fields, expressions, events.

use super::Machine;
use crate::ids::{FieldId, NodeId, PatternId};
use crate::program::Since;
use crate::value::{ObjectId, Player, Value};

impl Machine {
    /// Whether that player may know which card this is.
    #[must_use]
    pub fn sees(&self, player: Player, card: ObjectId) -> bool {
        self.state.board.sees(&self.program, player, card)
    }

    /// The player who controls a card.
    #[must_use]
    pub fn controller(&self, card: ObjectId) -> Option<Player> {
        self.eval().controller_of(self.state.board.reference(card))
    }

    /// A field of a card as it is now.
    #[must_use]
    pub fn field(&self, card: ObjectId, field: FieldId) -> Value {
        self.eval().field(self.state.board.reference(card), field)
    }

    /// The members of a set-valued field of a card as it is now.
    #[must_use]
    pub fn field_members(&self, card: ObjectId, field: FieldId) -> Vec<Value> {
        self.eval().field_members(self.state.board.reference(card), field).into_vec()
    }

    /// The members of a set expression.
    #[must_use]
    pub fn members(&self, node: NodeId) -> Vec<Value> {
        let mut members = Vec::new();
        self.eval().each(node, &mut |_, member| {
            members.push(member);
            false
        });
        members
    }

    /// How many events match a pattern. Every event is kept only with [`Machine::record_all`].
    #[must_use]
    pub fn happened(&self, pattern: PatternId) -> usize {
        let mut count = 0;
        self.eval().each_event(pattern, Since::Beginning.into(), &mut |_, _| {
            count += 1;
            false
        });
        count
    }
}
