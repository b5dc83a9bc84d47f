//! How the table is drawn: rows of zones, and what is left out. Nothing here changes what happens in a game.

use crate::ids::{FieldId, NodeId, StateId, ZoneId};

/// `table { … }` as the game declares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableDef {
    /// Whether the game declares a table.
    pub declared: bool,
    /// The rows of one player, from the middle of the table outward. Rows of shared zones from top to bottom.
    pub rows: Vec<Vec<TablePartDef>>,
    /// The zones that are not drawn.
    pub hidden_zones: Vec<ZoneId>,
    /// The states and pools that are not drawn.
    pub hidden_states: Vec<StateId>,
    /// The fields that are drawn of each card, in this order. Empty: all printed fields.
    pub values: Vec<FieldId>,
}

/// A zone in a row, or some of its cards.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePartDef {
    /// The zone.
    pub zone: ZoneId,
    /// The label of this part; `None`: the label of the zone.
    pub label: Option<String>,
    /// The cards that are drawn here, as a set over the zones of all players. `None`: all cards that no other part draws.
    pub cards: Option<NodeId>,
}
