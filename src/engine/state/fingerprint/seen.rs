//! Keeps data of the last position, and computes hashes.

use crate::bits::Lives;
use crate::state::board::Version;
use crate::state::{Effect, Event, State};
use crate::value::{ObjectId, Value};
use std::hash::Hasher;
use std::sync::Arc;

/// Data of the last position. Each part is compared with the present position, or has the same version, before it is used. So the last
/// position may belong to any game, and this data is no part of a game.
#[derive(Debug, Default)]
pub struct Seen {
    /// The board.
    pub(super) board: SeenBoard,
    /// For each card, the number of its life.
    lives: Vec<u32>,
    /// The effects in force.
    pub(super) effects: Vec<SeenEffect>,
    /// The events that the game can ask for.
    pub(super) events: Vec<SeenEvent>,
    /// The marks in history, in order.
    pub(super) marks: Vec<u32>,
    /// The number for these events between these marks, if it has been computed.
    pub(super) history: Option<u128>,
}

/// Data of the board.
#[derive(Debug, Default)]
pub(super) struct SeenBoard {
    /// The number for how the cards lie, and the versions that it was computed from.
    pub(super) lying: Option<([Version; 2], u128)>,
    /// The number for the cards' faces, their places in zones, and what they are attached to, with its versions.
    pub(super) faces: Option<([Version; 2], u128)>,
    /// The number for all states of cards, if it can be used again.
    pub(super) states: Option<SeenStates>,
    /// The number for the states of cards that are no numbers.
    pub(super) unnumbered: u128,
    /// The number for the states of cards that are numbers.
    pub(super) numbered: u128,
    /// The values of each state of cards.
    pub(super) columns: Vec<SeenColumn>,
}

/// The number for all states of cards.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenStates {
    /// The version of the states when the number was computed.
    pub(super) written: Version,
    /// The version of how the cards lay.
    pub(super) lying: Version,
    /// Whether the number depends on how the cards lie.
    pub(super) depends_on_lying: bool,
    /// The number.
    pub(super) number: u128,
}

/// The values of a state of cards.
#[derive(Debug, Default)]
pub(super) struct SeenColumn {
    /// The version of the state.
    pub(super) state: Option<[Version; 2]>,
    /// The cards of which the state does not have its first value.
    pub(super) changed: Vec<ObjectId>,
    /// The version of how the cards lay when the number was computed. `None`: the number has to be computed.
    pub(super) lying: Option<Version>,
    /// See [`speaks_of`].
    pub(super) speaks_of: Lives,
    /// The number for the values.
    pub(super) number: u128,
}

/// An effect with its number.
#[derive(Debug)]
pub(super) struct SeenEffect {
    /// The effect. While it is kept here, no other effect can have its address.
    pub(super) effect: Arc<Effect>,
    /// See [`speaks_of`].
    pub(super) speaks_of: Lives,
    /// The effect's number.
    pub(super) number: u128,
}

/// An event with its number.
#[derive(Debug)]
pub(super) struct SeenEvent {
    /// The event's place in history.
    pub(super) at: u32,
    /// The event.
    pub(super) event: Event,
    /// See [`speaks_of`].
    pub(super) speaks_of: Lives,
    /// The event's number.
    pub(super) number: u128,
}

impl Seen {
    /// The cards that have another life than in the last position, see [`speaks_of`]. [`Lives::MORE`] is always among them.
    pub(super) fn lives(&mut self, state: &State) -> Lives {
        let objects = &state.board.objects;
        if self.lives.len() != objects.len() {
            self.lives.clear();
            self.lives.extend(objects.iter().map(|object| object.life));
            return Lives::ALL;
        }
        let mut others = Lives::MORE;
        for (id, (life, object)) in (0..).map(ObjectId).zip(self.lives.iter_mut().zip(objects)) {
            if *life != object.life {
                *life = object.life;
                others |= Lives::of(id);
            }
        }
        others
    }
}

/// The cards on whose lives a value depends.
pub(super) fn speaks_of(value: Value) -> Lives {
    match value {
        Value::Object { id, .. } | Value::Ability { of: id, .. } | Value::Cause { id, .. } => Lives::of(id),
        Value::List { .. } | Value::Play { .. } | Value::Pending(_) | Value::Effect(_) | Value::Event(_) => Lives::ALL,
        _ => Lives::NONE,
    }
}

/// Sets the member at an index, or adds it at the end.
pub(super) fn put<T>(row: &mut Vec<T>, at: usize, member: T) {
    match row.get_mut(at) {
        Some(slot) => *slot = member,
        None => row.push(member),
    }
}

/// A hash like FNV-1a with 128 bits, one word at a time. The hashes are not saved, and two positions of one run practically never have the
/// same hash.
pub(super) struct Fnv(pub(super) u128);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    #[inline]
    /// Adds a number of 128 bits.
    pub(super) fn wide(&mut self, number: u128) {
        self.step(number as u64);
        self.step((number >> 64) as u64);
    }

    /// Adds a word.
    #[inline]
    pub(super) fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        // The upper half of a word has no effect on the low bits of the product, so it is mixed into them.
        self.0 ^= self.0 >> 64;
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0 as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            self.step(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.step(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.step(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.step(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.step(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.step(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, speaks_of};
    use crate::bits::Lives;
    use crate::program::Program;
    use crate::state::State;
    use crate::value::{ObjectId, Value};

    #[test]
    fn a_number_that_depends_on_more_than_lives_is_never_kept() {
        let (state, mut seen) = (State::before(&Program::default()), Seen::default());
        seen.lives(&state);
        let lives = seen.lives(&state);
        assert!(speaks_of(Value::Pending(1)).meets(lives), "no card has a new life, but the ability may have another place");
        assert!(!speaks_of(Value::Object { id: ObjectId(3), life: 0 }).meets(lives));
    }

    #[test]
    fn no_card_has_the_bit_for_more_than_lives() {
        for id in (0..200).map(ObjectId) {
            assert!(!speaks_of(Value::Object { id, life: 0 }).meets(Lives::MORE), "{id:?}");
        }
    }
}
