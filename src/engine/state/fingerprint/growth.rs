//! Some things may grow from round to round of a loop. This file gives them a number, and gives the position without them another.

use super::seen::Fnv;
use super::{PositionHash, Seen};
use crate::program::{Program, StateDef, Type};
use crate::state::{Branch, State};
use std::hash::Hash;

/// The number of what may grow from round to round: how many effects are in force, the numbers of cards, and the numbers of players without a
/// bound. `seen` is the data of this position.
pub(crate) fn growth(program: &Program, state: &State, seen: &Seen) -> u128 {
    let mut to = Fnv::default();
    to.wide(seen.board.numbered);
    to.step(state.effects.in_force.len() as u64);
    let values = program.states.rows().iter().cycle().zip(&state.board.player_states);
    for (_, value) in values.filter(|(of, _)| is_tally(of)) {
        value.hash(&mut to);
    }
    to.0
}

impl PositionHash<'_> {
    /// The number of the position without effects in force, history, numbers of cards, and numbers of players without a bound. Parts of the last
    /// number of the whole position are used again.
    pub(super) fn but_for_growth(&self, seen: &Seen, running: &Branch) -> u128 {
        let mut one = self.apart();
        let known = seen.board.lying.map_or(0, |(_, number)| number);
        one.to.wide(known);
        one.to.wide(seen.board.unnumbered);
        (&self.state.board.rule_truth, self.state.board.phase).hash(&mut one.to);
        let states = self.program.states.rows();
        let values = states.iter().cycle().zip(&self.state.board.player_states);
        for (_, value) in values.filter(|(state, _)| state.on_players && !is_tally(state)) {
            one.value(*value, &[]);
        }
        for pending in self.state.events.pending.iter() {
            (pending.waits, pending.body, pending.you, pending.place).hash(&mut one.to);
            one.value(pending.source, &[]);
        }
        (running.parent, running.frames.len()).hash(&mut one.to);
        one.to.0
    }
}

/// Whether a state is a number of players, teams or the game.
pub(crate) fn is_number_of_players(state: &StateDef) -> bool {
    state.on_players && state.of == Type::Number
}

/// Whether a state is a number of players that nothing uses up.
pub(crate) fn is_tally(state: &StateDef) -> bool {
    state.on_players && state.of == Type::Number && state.at_least.is_none()
}
