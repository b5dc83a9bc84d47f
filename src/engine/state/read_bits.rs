//! What is read and written, as bits: places, states, history.
//!
//! Things that share a bit count as one thing. So a result may be worked out again needlessly, and is never kept wrongly.

use crate::ids::{Id, StateId};
use crate::value::Place;

/// The bit for the states of players.
pub(crate) const PLAYER_STATES: u64 = 1 << 63;

/// The bit for history.
pub(crate) const HISTORY: u64 = 1 << 62;

/// The bits of all places.
pub(crate) const PLACES: u64 = 0xFFFF_FFFF;

/// The bit of a place.
#[inline]
#[must_use]
pub(crate) fn place_bit(place: Place) -> u64 {
    1 << (place.0 & 31)
}

/// The bit of a state. So if a state of cards is set, effects that read only other states need not be worked out again.
#[inline]
#[must_use]
pub(crate) fn state_bit(state: StateId) -> u64 {
    1 << (32 + state.index() % 30)
}
