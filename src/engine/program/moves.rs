//! What a card keeps when it changes zones, as a game declares it for pairs of zones.

use crate::engine::ids::{CitesId, Id, StateId, ZoneId};

/// What a move from one declared zone to another keeps. The default is nothing: the card is a new object there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carry {
    /// The card stays the same object, with everything that is on it and holds for it.
    pub identity: bool,
    /// Which states it keeps as a new object.
    pub states: Vec<StateId>,
    /// What is attached to it stays so.
    pub attachments: bool,
    /// Effects that began on it go on.
    pub effects: bool,
    /// All effects that apply to it go on applying to it, whatever they say that they apply to.
    pub applied: bool,
    /// Who waits for the move reads the card as it was before; else as it is after.
    pub before: bool,
    /// Which triggers hear of the move.
    pub heard: Option<super::Looks>,
    /// The rules that say so.
    pub cites: CitesId,
}

/// What moves keep, pair by pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The different answers; without any every move keeps nothing.
    pub carries: Vec<Carry>,
    /// Zones × zones: which of them.
    pub pairs: Vec<u16>,
    /// How many zones there are.
    pub zones: usize,
}

impl Moves {
    /// What a move from one declared zone to another keeps; none: nothing.
    #[must_use]
    pub fn carry(&self, from: ZoneId, to: ZoneId) -> Option<&Carry> {
        let pair = self.pairs.get(from.index() * self.zones + to.index())?;
        self.carries.get(usize::from(*pair))
    }

    /// Whether a card that makes this move is a new object.
    #[must_use]
    pub fn renews(&self, from: ZoneId, to: ZoneId) -> bool {
        self.carry(from, to).is_none_or(|carry| !carry.identity)
    }
}

/// What the program may read of a card whose life is over: only that is kept when a life ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// Where it lay, how, and who controlled it.
    pub place: bool,
    /// For each state.
    pub states: Vec<bool>,
    /// Fields.
    pub fields: bool,
}

impl Late {
    /// Whether anything is read.
    #[must_use]
    pub fn any(&self) -> bool {
        self.place || self.fields || self.states.iter().any(|read| *read)
    }
}
