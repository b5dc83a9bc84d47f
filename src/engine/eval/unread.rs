//! Which numbers of players something has read since a position was looked at (docs/kernel.md, 16, "Numbers that nobody reads").
//!
//! Noted only while the flow has gone on for long without a decision, so that of nearly all games nothing is. Every read of a state of players
//! passes by here. What is read to tell onlookers is no read: a game that somebody watches is the same game. Deliberately absent: what follows
//! when a position has come back but for such numbers (`run/circles.rs`).

use std::cell::{Cell, RefCell};

thread_local! {
    static NOTING: Cell<bool> = const { Cell::new(false) };
    static NOTED: RefCell<Noted> = const { RefCell::new(Noted { noting: 0, read: Vec::new() }) };
}

/// What has been read since noting began.
struct Noted {
    /// Which time that is: what another one has noted says nothing.
    noting: u32,
    /// By the index of the state of the player.
    read: Vec<bool>,
}

/// Begins anew with nothing read; the number of this time.
pub(in crate::engine) fn begin(states: usize) -> u32 {
    NOTING.set(true);
    NOTED.with_borrow_mut(|noted| {
        noted.noting = noted.noting.wrapping_add(1);
        noted.read.clear();
        noted.read.resize(states, false);
        noted.noting
    })
}

/// Nothing is noted any more.
#[inline]
pub(in crate::engine) fn end() {
    NOTING.set(false);
}

/// A state of a player, by its index, is read.
#[inline]
pub(in crate::engine) fn note(at: usize) {
    if NOTING.get() {
        note_down(at);
    }
}

#[cold]
fn note_down(at: usize) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(read) = noted.read.get_mut(at) {
            *read = true;
        }
    });
}

/// Whether reads are noted now.
#[inline]
pub(in crate::engine) fn is_noting() -> bool {
    NOTING.get()
}

/// Reads something of which it is known that it goes nowhere but into what it is read from.
pub(in crate::engine) fn unnoted<T>(read: impl FnOnce() -> T) -> T {
    let noting = NOTING.replace(false);
    let value = read();
    NOTING.set(noting);
    value
}

/// Whether a state of a player has been read since that noting began; where another one has begun since, nobody knows, so it has.
pub(in crate::engine) fn is_read(noting: u32, at: usize) -> bool {
    NOTED.with_borrow(|noted| noted.noting != noting || noted.read.get(at).copied().unwrap_or(true))
}
