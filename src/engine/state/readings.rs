//! Readings: which single values of a state are read while something is carried out on copies of this state.
//!
//! A trial run is carried out on a copy, and its result depends only on the values that it reads. While readings are noted, each value that
//! is read puts its name here once. The name leads to the value in every state of the game ([`Reading`]). Noting covers the parts of a
//! state that change from offer to offer: cards, places, states of cards and players, waiting abilities, roles. All other parts are
//! compared as a whole (`legal/footprint.rs`).
//!
//! A value that a trial run has written before it reads the value is noted too. This only asks for more than necessary.
//!
//! `get` of a column notes one member, every other access the whole column, so a new way of reading makes footprints rarer at worst. Two
//! things need care. `unnoted` reads without a note; it is for copies, and for values that the code around it notes. And a cache hides
//! readings: while readings are noted, no cache is used unless the surroundings hold what the cache holds.

use crate::value::Place;
use std::cell::{Cell, RefCell};

/// The parts of a state whose readings are noted. They are numbers, because [`super::Column`] is made for one part.
pub(crate) mod part {
    /// A card: what it is, where it lies, how, and in which life.
    pub(crate) const OBJECTS: u8 = 0;
    /// The number of cards in a place, and its room.
    pub(crate) const SPANS: u8 = 1;
    /// The cards of a place, in their order.
    pub(crate) const PLACES: u8 = 2;
    /// The properties of a card that only some games use.
    pub(crate) const EXTRAS: u8 = 3;
    /// A state of a card.
    pub(crate) const CARD_STATES: u8 = 4;
    /// A state of a player.
    pub(crate) const PLAYER_STATES: u8 = 5;
    /// Everything that is remembered of earlier lives of a card.
    pub(crate) const KNOWN: u8 = 6;
    /// The abilities that wait in a zone.
    pub(crate) const WAITING: u8 = 7;
    /// A waiting ability.
    pub(crate) const PENDING: u8 = 8;
    /// The roles that a member can lose, with their members.
    pub(crate) const HELD: u8 = 9;
    /// The registers and lists of the branch.
    pub(crate) const REGISTERS: u8 = 10;
    /// The phase.
    pub(crate) const PHASE: u8 = 11;
    /// Something that is never compared, such as the history. A result that depends on it is not remembered.
    pub(crate) const BEYOND: u8 = 12;
    /// The members of a role.
    pub(crate) const ROLES: u8 = 13;
    /// The abilities that wait outside of a zone.
    pub(crate) const OUTSIDE: u8 = 14;
    /// Whether a duration is open, or the branch stands in a stretch of it.
    pub(crate) const OPEN: u8 = 15;
    /// The triggers that have heard a part of events that happen together.
    pub(crate) const TOGETHER: u8 = 16;
    /// Whether an effect has begun since the last batch.
    pub(crate) const NOW: u8 = 17;
    /// The number of the turn.
    pub(crate) const TURN: u8 = 18;
    /// The cards that are attached to others, with their hosts.
    pub(crate) const HOSTS: u8 = 19;
    /// The computed values with events, as they were at the last check.
    pub(crate) const VALUES: u8 = 20;
    /// The number of parts.
    pub(crate) const ALL: usize = 21;
}

/// The index that stands for a whole part.
const WHOLE: u32 = 0xFF_FFFF;

/// The index that stands for the number of members of a part.
const LENGTH: u32 = 0xFF_FFFE;

/// What was read of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// The member at an index.
    One(usize),
    /// The number of members.
    Length,
    /// All members.
    Whole,
}

/// The name of a value that was read: a part of the state, and an index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading(u32);

impl Reading {
    fn new(part: u8, at: u32) -> Self {
        Self(u32::from(part) << 24 | at)
    }

    /// The part.
    #[must_use]
    pub(crate) fn part(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// What was read of the part.
    #[must_use]
    pub(crate) fn of(self) -> Of {
        match self.0 & WHOLE {
            WHOLE => Of::Whole,
            LENGTH => Of::Length,
            at => Of::One(at as usize),
        }
    }
}

/// The readings of this thread.
#[derive(Debug)]
struct Noted {
    /// For each part, the indices that are noted already, one bit each.
    seen: [Vec<u64>; part::ALL],
    /// The parts of which all members, or the number of members, are noted already.
    seen_apart: Vec<Reading>,
    all: Vec<Reading>,
}

thread_local! {
    static NOTES: Cell<bool> = const { Cell::new(false) };
    /// Waiting abilities from this number on began to wait on the copies, so they are no part of the state.
    static FIRST_OWN: Cell<u32> = const { Cell::new(0) };
    /// Events from this index of the history on have happened on the copies.
    static FIRST_EVENT: Cell<usize> = const { Cell::new(0) };
    static NOTED: RefCell<Noted> = const { RefCell::new(Noted::NOTHING) };
}

/// Does something on copies of a state, and gives everything that was read. `next`: in that state, the next number of a waiting ability,
/// and the next index of the history.
pub(crate) fn noting<T>(next: (u32, usize), work: impl FnOnce() -> T) -> (T, Vec<Reading>) {
    NOTED.with_borrow_mut(Noted::clear);
    FIRST_OWN.set(next.0);
    FIRST_EVENT.set(next.1);
    NOTES.set(true);
    let result = work();
    NOTES.set(false);
    (result, NOTED.with_borrow(|noted| noted.all.clone()))
}

/// Whether readings are noted now. Short cuts that would hide a reading are then not taken.
#[must_use]
#[inline]
pub(crate) fn are_noted() -> bool {
    NOTES.get()
}

/// Notes that a member of a part is read.
#[inline]
pub(crate) fn note(part: u8, at: usize) {
    if NOTES.get() {
        put(part, at);
    }
}

/// Notes that a whole part is read.
#[inline]
pub(crate) fn note_whole(part: u8) {
    if NOTES.get() {
        put_apart(Reading::new(part, WHOLE));
    }
}

/// Notes that the number of members of a part is read.
#[inline]
pub(crate) fn note_length(part: u8) {
    if NOTES.get() {
        put_apart(Reading::new(part, LENGTH));
    }
}

/// Notes that the cards of a place are read.
#[inline]
pub(crate) fn note_place(place: Place) {
    note(part::PLACES, usize::from(place.0));
}

/// Notes that a waiting ability is read. An ability that began to wait on the copy is no part of the state, so it is not noted.
#[inline]
pub(crate) fn note_pending(number: u32) {
    if NOTES.get() && number < FIRST_OWN.get() {
        put(part::PENDING, number as usize);
    }
}

/// Notes that the history is read from an index on. Events that have happened on the copy are no part of the state, so they are not noted.
#[inline]
pub(crate) fn note_events(from: usize) {
    if NOTES.get() && from < FIRST_EVENT.get() {
        note_beyond();
    }
}

/// Notes that the result is not to be remembered.
#[inline]
pub(crate) fn note_beyond() {
    note_whole(part::BEYOND);
}

#[inline(never)]
fn put(part: u8, at: usize) {
    match u32::try_from(at).ok().filter(|at| *at < LENGTH) {
        Some(index) => NOTED.with_borrow_mut(|noted| noted.put(part, index)),
        None => put_apart(Reading::new(part, WHOLE)),
    }
}

#[cold]
#[inline(never)]
fn put_apart(reading: Reading) {
    NOTED.with_borrow_mut(|noted| {
        if !noted.seen_apart.contains(&reading) {
            noted.seen_apart.push(reading);
            noted.all.push(reading);
        }
    });
}

impl Noted {
    const NOTHING: Self = Self { seen: [const { Vec::new() }; part::ALL], seen_apart: Vec::new(), all: Vec::new() };

    fn put(&mut self, part: u8, at: u32) {
        let Some(seen) = self.seen.get_mut(usize::from(part)) else { return };
        let (word, bit) = (at as usize / 64, 1 << (at % 64));
        if seen.len() <= word {
            seen.resize(word + 1, 0);
        }
        if let Some(word) = seen.get_mut(word).filter(|word| **word & bit == 0) {
            *word |= bit;
            self.all.push(Reading::new(part, at));
        }
    }

    fn clear(&mut self) {
        for reading in self.all.drain(..) {
            if let (Of::One(at), Some(seen)) = (reading.of(), self.seen.get_mut(usize::from(reading.part())))
                && let Some(word) = seen.get_mut(at / 64)
            {
                *word &= !(1 << (at % 64));
            }
        }
        self.seen_apart.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Of, note, note_events, note_length, note_pending, note_whole, noting, part};

    fn read(work: impl FnOnce()) -> Vec<(u8, Of)> {
        noting((10, 5), work).1.into_iter().map(|reading| (reading.part(), reading.of())).collect()
    }

    #[test]
    fn a_value_is_noted_once() {
        let twice = || (0..2).for_each(|_| (note(part::OBJECTS, 70), note_whole(part::HELD), note_length(part::EXTRAS)).0);
        let once = [(part::OBJECTS, Of::One(70)), (part::HELD, Of::Whole), (part::EXTRAS, Of::Length)];
        assert_eq!(read(twice), once);
        assert_eq!(read(twice), once, "an earlier noting leaves nothing behind");
    }

    #[test]
    fn nothing_is_noted_outside() {
        note(part::OBJECTS, 1);
        assert_eq!(read(|| ()), []);
    }

    #[test]
    fn an_index_that_is_too_large_stands_for_the_whole_part() {
        assert_eq!(read(|| note(part::CARD_STATES, 1 << 30)), [(part::CARD_STATES, Of::Whole)]);
    }

    #[test]
    fn events_that_happened_on_the_copy_are_not_noted() {
        assert_eq!(read(|| note_events(5)), []);
        assert_eq!(read(|| note_events(4)), [(part::BEYOND, Of::Whole)]);
    }

    #[test]
    fn abilities_that_began_to_wait_on_the_copy_are_not_noted() {
        assert_eq!(read(|| (note_pending(9), note_pending(10)).0), [(part::PENDING, Of::One(9))]);
    }
}
