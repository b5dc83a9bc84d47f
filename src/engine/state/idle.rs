//! Things that were tried in one position without a result.
//!
//! They are tried again when board or effects differ from the copy that is kept here. So no writes need to be counted, and games without
//! failed options and rules in state form pay nothing.

use super::{Effects, MOST_ARGUMENTS, State};
use crate::ids::{OptionId, RuleId};
use crate::state::board::Board;
use crate::value::{Player, Value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Things that were tried in one position and are not tried there again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idle {
    /// The board of the position. Board and effects never change here, so copies share them.
    pub board: Arc<Board>,
    /// The effects of the position.
    pub effects: Arc<Effects>,
    /// Rules in state form that have run, each with its player.
    pub rules: Vec<(RuleId, Player)>,
    /// Options that were taken and failed. They are not offered again: the player, the option, its arguments.
    pub plays: Vec<(Player, OptionId, [Value; MOST_ARGUMENTS])>,
    /// Options that failed because of the player's answers, and are offered again: one entry for each failure.
    #[serde(default)]
    pub failed: Vec<(Player, OptionId, [Value; MOST_ARGUMENTS])>,
}

impl Idle {
    /// The present position, in which nothing has been tried.
    #[must_use]
    pub fn at(state: &State) -> Self {
        Idle { board: Arc::new(state.board.clone()), effects: Arc::new(state.effects.clone()), ..Idle::default() }
    }

    /// Whether the present position is this one.
    #[must_use]
    pub(crate) fn is_of(&self, state: &State) -> bool {
        self.board.is_same(&state.board) && *self.effects == state.effects
    }
}
