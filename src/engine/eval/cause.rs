//! Causes of actions, and how patterns and expressions ask for them (docs/kernel/tracing.md, "Causes").
//!
//! A cause is a small value: its kind, its player, its card, and the player who acts. Causes come from the calls that perform abilities,
//! pay costs, or name another cause.
//!
//! An event has one cause: the cause that a call names is the cause of everything that the call does. No rule reads a second one. The trace
//! shows the chain.

use crate::eval::Eval;
use crate::ids::{CauseId, NodeId};
use crate::program::CauseKind;
use crate::state::Cause;
use crate::value::{ObjectId, Player, ShortLife, Value};

/// The bits of a cause's value that hold its kind. The other bits hold its player.
const KINDS: u8 = 0b1111;

/// The number of kinds that exist in every game.
const KNOWN: u8 = 3;

/// The most causes that a game can declare. The number of the kind and the player share one byte.
pub const MOST_CAUSES: usize = (KINDS - KNOWN) as usize;

/// No card.
pub(crate) const NO_CARD: ObjectId = ObjectId(u16::MAX);

impl Cause {
    /// The kind of the cause. `None` if the cause is unknown.
    #[must_use]
    pub fn kind(self) -> Option<CauseKind> {
        match self {
            Cause::Rule => Some(CauseKind::Rule),
            Cause::Effect { .. } => Some(CauseKind::Effect),
            Cause::Cost { .. } => Some(CauseKind::Cost),
            Cause::Declared { cause, .. } => Some(CauseKind::Declared(cause)),
            Cause::Unknown => None,
        }
    }

    /// The card that the cause belongs to.
    #[must_use]
    pub fn source(self) -> Value {
        match self {
            Cause::Effect { source, .. } | Cause::Cost { source, .. } | Cause::Declared { of: source, .. } => source,
            Cause::Rule | Cause::Unknown => Value::Undefined,
        }
    }

    /// The player that the cause belongs to.
    #[must_use]
    pub fn you(self) -> Option<Player> {
        match self {
            Cause::Effect { you, .. } | Cause::Cost { you, .. } | Cause::Declared { you, .. } => Some(you),
            Cause::Rule | Cause::Unknown => None,
        }
    }

    /// The effect of a card. Its own player acts.
    #[must_use]
    pub fn effect(source: Value, you: Player) -> Cause {
        Cause::Effect { source, you, performer: None }
    }

    /// The player who acts: the player of whom the effect says that they do something, else the player of the cause.
    #[must_use]
    pub fn performer(self) -> Option<Player> {
        if let Cause::Effect { performer: Some(player), .. } = self { Some(player) } else { self.you() }
    }

    /// The cause while a player acts (`as p { }`). Only effects say who acts.
    #[must_use]
    pub(crate) fn performed_by(self, player: Player) -> Cause {
        match self {
            Cause::Effect { source, you, .. } => Cause::Effect { source, you, performer: (player != you).then_some(player) },
            cause => cause,
        }
    }

    /// The cause as a value.
    #[must_use]
    pub fn value(self) -> Value {
        let kind = match self {
            Cause::Unknown => return Value::Undefined,
            Cause::Rule => 0,
            Cause::Effect { .. } => 1,
            Cause::Cost { .. } => 2,
            Cause::Declared { cause, .. } => KNOWN.saturating_add(cause.0),
        };
        let you = self.you().unwrap_or_default();
        let (id, life) = if let Value::Object { id, life } = self.source() { (id, life) } else { (NO_CARD, 0) };
        let performer = if let Cause::Effect { performer: Some(player), .. } = self { player.0.saturating_add(1) } else { 0 };
        Value::Cause { what: (kind & KINDS) | you.0 << KINDS.trailing_ones(), id, life: ShortLife::of(life), performer }
    }

    /// The cause that a value stands for. Undefined gives the unknown cause.
    #[must_use]
    pub fn of(value: Value) -> Cause {
        let Value::Cause { what, id, life, performer } = value else { return Cause::Unknown };
        let (source, you) = (Value::Object { id, life: life.number() }, Player(what >> KINDS.trailing_ones()));
        let source = if id == NO_CARD { Value::Undefined } else { source };
        match what & KINDS {
            0 => Cause::Rule,
            1 => Cause::Effect { source, you, performer: performer.checked_sub(1).map(Player) },
            2 => Cause::Cost { source, you },
            declared => Cause::Declared { cause: CauseId(declared - KNOWN), of: source, you },
        }
    }
}

impl Eval<'_> {
    /// A cause of this kind that belongs to the card of node `of`. `NodeId::NONE`: a cause without a card. Undefined if the node names no
    /// card.
    pub(crate) fn cause_of(&mut self, kind: CauseKind, of: NodeId) -> Value {
        let source = if of == NodeId::NONE { Value::Undefined } else { self.card_of(of) };
        if of != NodeId::NONE && source == Value::Undefined {
            return Value::Undefined;
        }
        let you = self.controller_of(source).unwrap_or(self.you);
        let cause = match kind {
            CauseKind::Rule => Cause::Rule,
            CauseKind::Effect => Cause::effect(source, you),
            CauseKind::Cost => Cause::Cost { source, you },
            CauseKind::Declared(cause) => Cause::Declared { cause, of: source, you },
        };
        cause.value()
    }

    /// The card that a node names. For a place, the top card of the place.
    fn card_of(&mut self, node: NodeId) -> Value {
        match self.value(node) {
            Value::Zone(place) => self.state.board.cards(place).last().map_or(Value::Undefined, |id| self.state.board.reference(*id)),
            value @ Value::Object { .. } => value,
            _ => Value::Undefined,
        }
    }

    /// Whether a cause belongs to a card, to one of several cards, or to a player.
    pub(crate) fn is_of(&mut self, cause: Cause, of: NodeId) -> bool {
        match self.value(of) {
            Value::Player(player) => cause.you() == Some(player),
            value => {
                let source = cause.source();
                source != Value::Undefined && (value == source || self.contains(of, source))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_the_value_that_it_was() {
        let (source, you) = (Value::Object { id: ObjectId(7), life: 3 }, Player(5));
        let causes = [
            Cause::Rule,
            Cause::Unknown,
            Cause::effect(source, you),
            Cause::effect(source, you).performed_by(Player(7)),
            Cause::effect(Value::Undefined, you),
            Cause::Cost { source, you: Player(0) },
            Cause::Declared { cause: CauseId(MOST_CAUSES as u8 - 1), of: source, you },
        ];
        for cause in causes {
            assert_eq!(Cause::of(cause.value()), cause);
        }
    }
}
