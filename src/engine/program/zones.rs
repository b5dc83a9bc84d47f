//! Declared zones: who sees their cards, how many cards have room, what follows a card that leaves.
//!
//! Places are values of an enum. Adjacency, relations across players and soft bounds are functions and rules of the game, because nothing
//! in the kernel reads them.

use super::NameDef;
use crate::ids::{CitesId, EnumId, ZoneId};

/// A zone.
#[derive(Clone, Debug, Default)]
pub struct ZoneDef {
    /// Its name.
    pub name: NameDef,
    /// Whether each player has one; otherwise it is shared.
    pub each_player: bool,
    /// Whether the order of the cards matters. Then nobody may change it.
    pub ordered: bool,
    /// The players who may know the cards in it.
    pub seen: Seen,
    /// Whether the partners of a player see what that player sees of the player's own zone.
    pub team_sees: bool,
    /// Whether its cards lie face up or face down. Otherwise all cards are seen as `seen` says.
    pub has_faces: bool,
    /// The players who may know its face-down cards.
    pub down: Seen,
    /// The greatest number of cards. A move into a full zone is impossible.
    pub capacity: Option<u16>,
    /// The enum whose values are the places of the zone.
    pub places: Option<EnumId>,
    /// The greatest number of cards in each place.
    pub capacity_each: Option<u16>,
    /// What happens to attached cards when their card leaves this zone.
    pub follows: Follows,
    /// Whether a card that goes to a zone of this declaration always goes to its owner's zone.
    pub redirects: bool,
    /// Whether the player of the zone owns the cards in it; the cards in a shared zone belong to nobody.
    pub owns: bool,
    /// Whether the player of the zone controls the cards in it, whoever owns them.
    pub controls: bool,
    /// Whether it holds waiting abilities instead of cards.
    pub abilities: bool,
    /// Whether an ability stays in it while it is performed.
    pub until_performed: bool,
    /// Whether an ability stays in it even after it has been performed.
    pub until_dropped: bool,
    /// The rules by which its cards follow their host.
    pub follow_cites: CitesId,
    /// The rules by which the player of the zone controls its cards.
    pub control_cites: CitesId,
    /// The rules that the capacity cites.
    pub capacity_cites: CitesId,
    /// The rules by which abilities of face-down cards in it do nothing.
    pub idle_cites: CitesId,
}

/// What happens to attached cards when the card to which they are attached leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Follows {
    /// They stay and are attached to nothing.
    #[default]
    No,
    /// They go with it, in the same batch.
    Along,
    /// They go to this zone, in the same batch.
    To(ZoneId),
}

/// The players who may know the cards in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Seen {
    /// All players.
    #[default]
    ByAll,
    /// The owner of the zone.
    ByOwner,
    /// The controller of the card; only for face-down cards.
    ByController,
    /// No player.
    ByNobody,
}
