//! Values of expressions and registers. They have eight bytes, are copied, and are tagged, so that a loaded save can be checked.

use super::ids::{AbilityId, CardId, EnumId, GroupId, OptionId, TextId};
use serde::{Deserialize, Serialize};

/// A player, by seat from 0 (a, b, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Player(pub u8);

impl Player {
    /// Nobody: whose a card is that has no owner. No seat has this number; a cause has room for it.
    pub const NOBODY: Player = Player(15);

    /// The player as a value; undefined for nobody.
    #[must_use]
    #[inline]
    pub fn value(self) -> Value {
        if self == Player::NOBODY { Value::Undefined } else { Value::Player(self) }
    }

    /// The player's bit in a row of seats; no bit for nobody.
    #[must_use]
    #[inline]
    pub fn bit(self) -> u8 {
        1_u8.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}

/// An object by its number in the game and which of its lives is meant (docs/kernel.md, "Objects").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ObjectId(pub u16);

/// One of the zones of one player (or a shared one): its number in the zone slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Place(pub u16);

impl Place {
    /// Where an object is that was made in the game and has gone away.
    pub const NOWHERE: Place = Place(u16::MAX);
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Value {
    /// Not 0: a property the object has not, a reference that finds nothing.
    #[default]
    Undefined,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Number(i32),
    /// A player.
    Player(Player),
    /// A value of a declared enum.
    Enum(EnumId, u8),
    /// An open symbol (a tribe, an attribute), numbered over the program's texts.
    Symbol(TextId),
    /// A text.
    Text(TextId),
    /// A card in the game.
    Object {
        /// Which.
        id: ObjectId,
        /// Which life of it.
        life: u32,
    },
    /// A zone of a player, or a shared one; where a set is wanted, its cards.
    Zone(Place),
    /// An ability on a card in the game.
    Ability {
        /// The card.
        of: ObjectId,
        /// The ability as printed.
        ability: AbilityId,
        /// The card's life, its low 16 bits.
        life: u16,
    },
    /// A waiting ability, by its own number.
    Pending(u32),
    /// A continuous effect, by its own number.
    Effect(u32),
    /// A run of the branch's list arena.
    List {
        /// How many.
        len: u16,
        /// First place.
        start: u32,
    },
    /// A card of the pool (a declaration over the catalogue).
    Card(CardId),
    /// An event, by its place in history.
    Event(u32),
    /// What something is laid to (see [`crate::engine::eval::cause`]).
    Cause {
        /// Which kind of cause, and whose.
        what: u8,
        /// The card that it is of; `u16::MAX`: none.
        id: ObjectId,
        /// The life of it that is meant.
        life: u32,
    },
    /// A group of options.
    Group(GroupId),
    /// A way to act that is offered: an option, its arguments in the branch's list arena.
    Play {
        /// How many arguments, the player who takes it last.
        count: u8,
        /// Which.
        option: OptionId,
        /// Where its arguments begin.
        start: u32,
    },
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    #[inline]
    pub fn number(self) -> Option<i32> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }

    /// Whether it is that value; quick where both are yes or no, or one is nothing.
    #[must_use]
    #[inline(always)] // else the quick way is a call
    pub fn is_same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Undefined, Value::Undefined) => true,
            (Value::Undefined, _) | (_, Value::Undefined) => false,
            (a, b) => a == b,
        }
    }

    /// The player, if it is one.
    #[must_use]
    #[inline]
    pub fn player(self) -> Option<Player> {
        if let Value::Player(player) = self { Some(player) } else { None }
    }

    /// The zone, if it is one.
    #[must_use]
    #[inline]
    pub fn place(self) -> Option<Place> {
        if let Value::Zone(place) = self { Some(place) } else { None }
    }

    /// Whether it is `true`; everything else, undefined too, is not.
    #[must_use]
    #[inline]
    pub fn is_true(self) -> bool {
        matches!(self, Value::Bool(true))
    }
}

/// The first and the last of values that are many whole numbers in a row: to be shown as such, not one by one.
#[must_use]
pub fn long_row(values: &[Value]) -> Option<(i32, i32)> {
    /// Fewer can be read one by one.
    const LONG: usize = 20;
    row(values).filter(|_| values.len() > LONG)
}

/// The first and the last of values that are whole numbers in a row.
#[must_use]
pub fn row(values: &[Value]) -> Option<(i32, i32)> {
    let first = values.first()?.number()?;
    let in_row = values.iter().zip(first..).all(|(value, number)| *value == Value::Number(number));
    in_row.then(|| (first, first.saturating_add(values.len() as i32 - 1)))
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_value_is_eight_bytes() {
        assert_eq!(std::mem::size_of::<Value>(), 8);
    }
}
