//! Declared zones: who sees what, how much has room, what follows.

use super::NameDef;
use crate::engine::ids::{CitesId, EnumId, ZoneId};

/// A zone.
#[derive(Clone, Debug, Default)]
pub struct ZoneDef {
    /// Its name.
    pub name: NameDef,
    /// Each player has one; else it is shared.
    pub each_player: bool,
    /// Its order means something, and nobody changes it.
    pub ordered: bool,
    /// Who may know the cards in it.
    pub seen: Seen,
    /// The partners of the player whose zone it is see what that player sees of it.
    pub team_sees: bool,
    /// Cards in it are face up or down; else all are as `seen` says.
    pub has_faces: bool,
    /// Who may know the cards that lie face down in it.
    pub down: Seen,
    /// Hard capacity: a move into a full zone is impossible.
    pub capacity: Option<u16>,
    /// Its places: values of this enum.
    pub places: Option<EnumId>,
    /// Hard capacity of each place.
    pub capacity_each: Option<u16>,
    /// What becomes of cards in it that are attached to one that leaves.
    pub follows: Follows,
    /// A card that goes to some player's zone of this kind goes to its owner's.
    pub redirects: bool,
    /// What lies in it is its player's, of a shared zone nobody's.
    pub owns: bool,
    /// It holds abilities that wait, and no cards.
    pub abilities: bool,
    /// What is performed stays in it until that has ended.
    pub until_performed: bool,
    /// The rules beside its capacity.
    pub capacity_cites: CitesId,
    /// The rules by which abilities of cards that lie face down in it do nothing.
    pub idle_cites: CitesId,
}

/// What becomes of attached cards when the one that they are attached to leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Follows {
    /// They stay, attached to nothing.
    #[default]
    No,
    /// They go where it goes, in the same batch.
    Along,
    /// They go to this zone, in the same batch.
    To(ZoneId),
}

/// Who may know the cards in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Seen {
    /// All players.
    #[default]
    ByAll,
    /// Its owner.
    ByOwner,
    /// Whoever controls the card; only of what lies face down.
    ByController,
    /// Nobody.
    ByNobody,
}
