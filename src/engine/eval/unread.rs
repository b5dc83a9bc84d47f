//! Notes which numbers of players are read after a certain position (docs/kernel/loops_and_limits.md, "Which positions are equal").
//!
//! Reads are noted only while the flow has gone on for long without a decision, so nearly all games note nothing. Every read of a player's
//! state calls [`note`]. Reads for onlookers do not count, because a watched game must be the same game. `run/circles.rs` decides what
//! follows when a position comes back except for numbers that nobody reads.

use std::cell::{Cell, RefCell};

thread_local! {
    static NOTING: Cell<bool> = const { Cell::new(false) };
    static NOTED: RefCell<Noted> = const { RefCell::new(Noted { noting: 0, read: Vec::new() }) };
}

/// What has been read since noting began.
struct Noted {
    /// The number of this noting. Reads of another noting say nothing.
    noting: u32,
    /// Whether each state of each player was read, by its index among the states of players.
    read: Vec<bool>,
}

/// Begins a new noting with nothing read. Gives its number.
pub(crate) fn begin(states: usize) -> u32 {
    NOTING.set(true);
    NOTED.with_borrow_mut(|noted| {
        noted.noting = noted.noting.wrapping_add(1);
        noted.read.clear();
        noted.read.resize(states, false);
        noted.noting
    })
}

/// Stops noting.
#[inline]
pub(crate) fn end() {
    NOTING.set(false);
}

/// Notes that the state of a player with this index is read.
#[inline]
pub(crate) fn note(at: usize) {
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

/// Whether reads are noted at present.
#[inline]
pub(crate) fn is_noting() -> bool {
    NOTING.get()
}

/// Runs `read` without noting its reads. Used for reads whose result has no effect on the game.
pub(crate) fn unnoted<T>(read: impl FnOnce() -> T) -> T {
    let noting = NOTING.replace(false);
    let value = read();
    NOTING.set(noting);
    value
}

/// Whether a state of a player has been read since this noting began. True if another noting has begun meanwhile, because then nobody
/// knows.
pub(crate) fn is_read(noting: u32, at: usize) -> bool {
    NOTED.with_borrow(|noted| noted.noting != noting || noted.read.get(at).copied().unwrap_or(true))
}
