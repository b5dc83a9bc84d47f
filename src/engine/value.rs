//! Values of expressions and registers. A value has eight bytes, is copied, and is tagged, so that a loaded save can be checked.

use super::ids::{AbilityId, CardId, EnumId, GroupId, OptionId, TextId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A list that seldom has more than six values. Up to six take no block of memory.
pub type Few = SmallVec<[Value; 6]>;

/// The contents of the slots of an ability, or the registers of its expressions. Abilities of known games have up to nine slots.
pub(crate) type Slots = SmallVec<[Value; 10]>;

/// A player, by the number of the seat from 0 (a, b, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Player(pub u8);

impl Player {
    /// Nobody: the owner of a card without an owner. No seat has this number, and a cause has room for it.
    pub const NOBODY: Player = Player(15);

    /// The player as a value. Undefined for nobody.
    #[must_use]
    #[inline]
    pub fn value(self) -> Value {
        if self == Player::NOBODY { Value::Undefined } else { Value::Player(self) }
    }

    /// The player's bit in a row of seats. No bit for nobody.
    #[must_use]
    #[inline]
    pub fn bit(self) -> u8 {
        1_u8.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}

/// An object, by its number in the game. A reference to it also has the number of a life (docs/kernel/state.md, "Lives").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct ObjectId(pub u16);

/// The life of a card in the value of a cause, in three bytes, so that the value stays within eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct ShortLife([u8; 3]);

impl ShortLife {
    /// The number of a life. A number above the greatest becomes the greatest, which no card of a game reaches: a life begins with a move.
    #[must_use]
    pub fn of(life: u32) -> Self {
        let [low, middle, high, over] = life.to_le_bytes();
        if over == 0 { ShortLife([low, middle, high]) } else { ShortLife([u8::MAX; 3]) }
    }

    /// The number of the life.
    #[must_use]
    pub fn number(self) -> u32 {
        let [low, middle, high] = self.0;
        u32::from_le_bytes([low, middle, high, 0])
    }
}

impl From<u32> for ShortLife {
    fn from(life: u32) -> Self {
        ShortLife::of(life)
    }
}

impl From<ShortLife> for u32 {
    fn from(life: ShortLife) -> Self {
        life.number()
    }
}

/// Whether a number is 0. (Saves leave such numbers out.)
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A zone of one player, or a shared zone, by its number in the zone slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Place(pub u16);

impl Place {
    /// The place of an object that was made in the game and has gone away.
    pub const NOWHERE: Place = Place(u16::MAX);
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Value {
    /// No value: a property that the object does not have, or a reference that finds nothing. Undefined is not 0.
    #[default]
    Undefined,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Number(i32),
    /// A player.
    Player(Player),
    /// A value of a declared enum.
    Enum(EnumId, u8),
    /// An open symbol (a tribe, an attribute), by the number of its text in the program.
    Symbol(TextId),
    /// A text.
    Text(TextId),
    /// A card in the game.
    Object {
        /// The card.
        id: ObjectId,
        /// The life of the card.
        life: u32,
    },
    /// A zone of a player, or a shared zone. If a set is wanted, it stands for its cards.
    Zone(Place),
    /// An ability on a card in the game.
    Ability {
        /// The card.
        of: ObjectId,
        /// The ability, as printed.
        ability: AbilityId,
        /// The low 16 bits of the number of the card's life.
        life: u16,
    },
    /// A waiting ability, by its number.
    Pending(u32),
    /// A continuous effect, by its number.
    Effect(u32),
    /// A list: a range in the branch's list arena.
    List {
        /// The number of members.
        len: u16,
        /// The index of the first member.
        start: u32,
    },
    /// A card of the card pool (from a declaration over the catalogue).
    Card(CardId),
    /// An event, by its index in history.
    Event(u32),
    /// The cause of something (see [`crate::eval::cause`]).
    Cause {
        /// The kind of cause, and its player.
        what: u8,
        /// The card of the cause; `u16::MAX`: none.
        id: ObjectId,
        /// The life of the card.
        life: ShortLife,
        /// The player of whom the effect says that they act, plus 1. 0: the player of the cause acts.
        #[serde(default, skip_serializing_if = "is_zero")]
        performer: u8,
    },
    /// A group of options.
    Group(GroupId),
    /// A way to act: an option, with its arguments in the branch's list arena.
    Play {
        /// The number of arguments. The player who takes the way is the last one.
        count: u8,
        /// The option.
        option: OptionId,
        /// The index of the first argument.
        start: u32,
    },
}

impl Value {
    /// Whether a reference to a card means the card's present life (`now`). True for all other values.
    #[must_use]
    #[inline]
    pub fn lives(self, now: u32) -> bool {
        match self {
            Value::Object { life, .. } => life == now,
            Value::Ability { life, .. } => life == now as u16,
            _ => true,
        }
    }

    /// The number, if the value is a number.
    #[must_use]
    #[inline]
    pub fn number(self) -> Option<i32> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }

    /// Whether two values are equal. This is quick for two truths, for two numbers, and if one value is undefined.
    #[must_use]
    #[inline(always)] // otherwise the quick way would be a call
    pub(crate) fn is_same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Undefined, Value::Undefined) => true,
            (Value::Undefined, _) | (_, Value::Undefined) => false,
            (a, b) => a == b,
        }
    }

    /// The player, if the value is a player.
    #[must_use]
    #[inline]
    pub fn player(self) -> Option<Player> {
        if let Value::Player(player) = self { Some(player) } else { None }
    }

    /// The zone, if the value is a zone.
    #[must_use]
    #[inline]
    pub fn place(self) -> Option<Place> {
        if let Value::Zone(place) = self { Some(place) } else { None }
    }

    /// Whether the value is `true`. Every other value is not, also an undefined one.
    #[must_use]
    #[inline]
    pub fn is_true(self) -> bool {
        matches!(self, Value::Bool(true))
    }
}

/// The first and the last of many whole numbers in a row. They are shown as a range, not one by one.
#[must_use]
pub fn long_row(values: &[Value]) -> Option<(i32, i32)> {
    /// Up to this many numbers can be read one by one.
    const LONG: usize = 20;
    row(values).filter(|_| values.len() > LONG)
}

/// The first and the last of the values, if these are whole numbers in a row.
#[must_use]
pub fn row(values: &[Value]) -> Option<(i32, i32)> {
    let first = values.first()?.number()?;
    let in_row = values.iter().zip(0_i32..).all(|(value, at)| first.checked_add(at).is_some_and(|number| *value == Value::Number(number)));
    in_row.then(|| (first, first.saturating_add(values.len() as i32 - 1)))
}

#[cfg(test)]
mod tests {
    use super::{Value, row};

    #[test]
    fn the_greatest_numbers_are_a_row() {
        let numbers = |all: &[i32]| all.iter().map(|number| Value::Number(*number)).collect::<Vec<_>>();
        assert_eq!(row(&numbers(&[i32::MAX - 1, i32::MAX])), Some((i32::MAX - 1, i32::MAX)));
        assert_eq!(row(&numbers(&[i32::MAX, i32::MIN])), None);
        assert_eq!(row(&numbers(&[i32::MAX, 2])), None);
    }

    #[test]
    fn a_value_is_eight_bytes() {
        assert_eq!(std::mem::size_of::<Value>(), 8);
    }
}
