//! How the table is drawn: rows of zones, and what is left out. Nothing here changes what happens in a game.

use crate::engine::ids::{FieldId, NodeId, StateId, ZoneId};

/// `table { … }` as declared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableDef {
    /// The game declares a table.
    pub declared: bool,
    /// Rows of one player from the middle of the table outward, and rows of shared zones from above.
    pub rows: Vec<Vec<TablePartDef>>,
    /// Zones that are not drawn.
    pub hidden_zones: Vec<ZoneId>,
    /// States and pools that are not drawn.
    pub hidden_states: Vec<StateId>,
    /// Fields that are drawn of each card, in this order; none: all that are printed.
    pub values: Vec<FieldId>,
}

/// A zone in a row, or a part of its cards.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePartDef {
    /// The zone.
    pub zone: ZoneId,
    /// The label of this part; without one the zone's own label is drawn.
    pub label: Option<String>,
    /// The set of cards that are drawn here, from the zones of all players; none: all that no other part draws.
    pub cards: Option<NodeId>,
}
