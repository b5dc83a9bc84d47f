//! Sets in one word: what is read and what is written, zones, and lives of cards.
//!
//! Each code of bits is a type of its own, so that nobody compares sets of two codes. Members that share a bit count as one. So something
//! may be worked out again needlessly, and is never kept wrongly.

use crate::ids::{Id, StateId, ZoneId};
use crate::value::{ObjectId, Place};
use serde::{Deserialize, Serialize};
use std::ops::{BitOr, BitOrAssign};

macro_rules! sets {
    ($($(#[$doc:meta])* $name:ident $(of $member:ident: $of:ty = $bit:expr)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub(crate) u64);

        impl $name {
            /// The empty set.
            pub const NONE: Self = Self(0);
            /// The set of all members. It also stands for a set of unknown members.
            pub const ALL: Self = Self(u64::MAX);
            $(
            /// The set of one member.
            #[inline]
            pub fn of($member: $of) -> Self { Self(1 << ($bit)) }
            )?
            /// Whether the set is empty.
            #[inline]
            pub fn is_none(self) -> bool { self == Self::NONE }
            /// Whether these are all members.
            #[inline]
            pub fn is_all(self) -> bool { self == Self::ALL }
            /// Whether two sets have a common member.
            #[inline]
            pub fn meets(self, other: Self) -> bool { self.0 & other.0 != 0 }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self { Self(self.0 | other.0) }
        }

        impl BitOrAssign for $name {
            #[inline]
            fn bitor_assign(&mut self, other: Self) { self.0 |= other.0 }
        }

        impl FromIterator<$name> for $name {
            #[inline]
            fn from_iter<I: IntoIterator<Item = Self>>(sets: I) -> Self { sets.into_iter().fold(Self::NONE, BitOr::bitor) }
        }
    )*};
}

sets! {
    /// Spots: what evaluations read and what changes touch. One set holds places, states, and history.
    Spots;
    /// Places.
    PlaceSet of place: Place = usize::from(place.0) % PARTS;
    /// States of cards and of players.
    StateSet of state: StateId = state.index() % PARTS;
    /// Declared zones.
    ZoneSet of zone: ZoneId = zone.index().min(ZoneSet::BITS - 1);
    /// The cards on whose lives something depends.
    Lives of card: ObjectId = usize::from(card.0) % Lives::CARDS;
}

/// How many places, and how many states, have bits of their own.
pub(crate) const PARTS: usize = 64;

impl Spots {
    /// All states of players, beside their own bits.
    pub(crate) const PLAYER_STATES: Self = Self(1 << 63);
    /// History.
    pub(crate) const HISTORY: Self = Self(1 << 62);
    /// All places.
    pub(crate) const PLACES: Self = Self(0xFFFF_FFFF);

    /// A place.
    #[inline]
    pub(crate) fn of_place(place: Place) -> Self {
        Self(1 << (place.0 & 31))
    }

    /// A state. So if a state is set, effects that read only other states need not be worked out again.
    #[inline]
    pub(crate) fn of_state(state: StateId) -> Self {
        Self(1 << (32 + state.index() % 30))
    }
}

impl ZoneSet {
    /// How many zones have bits. A game has no more zones (`E0229`).
    pub(crate) const BITS: usize = 64;

    /// Whether a zone is in the set.
    #[must_use]
    #[inline]
    pub fn has(self, zone: ZoneId) -> bool {
        self.meets(Self::of(zone))
    }
}

impl Lives {
    /// The number of bits for cards.
    const CARDS: usize = 63;
    /// For values that depend on more than the lives of cards. An example is a waiting ability: it counts by its place among the others.
    pub(crate) const MORE: Self = Self(1 << Self::CARDS);
    /// All cards.
    pub(crate) const ALL_CARDS: Self = Self(Self::MORE.0 - 1);
}
