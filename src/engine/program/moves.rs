//! What a card keeps when it changes zones, as a game declares it for pairs of zones; and what is kept of cards whose life has ended.

use crate::ids::{CitesId, Id, StateId, ZoneId};

/// What a move from one declared zone to another keeps. By default nothing: the card is a new object after the move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carry {
    /// Whether the card stays the same object, with its states and with the effects on it.
    pub identity: bool,
    /// The states that it keeps as a new object.
    pub states: Vec<StateId>,
    /// Whether the cards that are attached to it stay attached.
    pub attachments: bool,
    /// Whether effects that began on it go on.
    pub effects: bool,
    /// Whether every effect that applies to the card goes on to apply to it, even if the effect's own set does not contain it.
    pub applied: bool,
    /// Whether a trigger that waits for the move reads the card as it was before the move; otherwise as it is after.
    pub before: bool,
    /// Which triggers hear of the move.
    pub heard: Option<super::Looks>,
    /// The rules that the declaration cites.
    pub cites: CitesId,
}

/// What moves keep, for each pair of zones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The different declarations; empty if every move keeps nothing.
    pub carries: Vec<Carry>,
    /// For each pair of zones (zones × zones) the index in `carries`.
    pub pairs: Vec<u16>,
    /// The number of zones.
    pub zones: usize,
}

impl Moves {
    /// What a move from one declared zone to another keeps. `None`: nothing.
    #[must_use]
    pub fn carry(&self, from: ZoneId, to: ZoneId) -> Option<&Carry> {
        let pair = self.pairs.get(from.index() * self.zones + to.index())?;
        self.carries.get(usize::from(*pair))
    }

    /// Whether a card is a new object after this move.
    #[must_use]
    pub fn renews(&self, from: ZoneId, to: ZoneId) -> bool {
        self.carry(from, to).is_none_or(|carry| !carry.identity)
    }
}

/// What the program may read of a card whose life has ended. The engine keeps only that when a life ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoneReads {
    /// Whether it reads the zone, the way the card lay, or the controller.
    pub place: bool,
    /// For each state whether it is read.
    pub states: Vec<bool>,
    /// Whether fields are read.
    pub fields: bool,
    /// Whether the attached cards are read.
    pub attached: bool,
}

impl GoneReads {
    /// Whether anything is read.
    #[must_use]
    pub fn any(&self) -> bool {
        self.place || self.fields || self.attached || self.states.iter().any(|read| *read)
    }
}
