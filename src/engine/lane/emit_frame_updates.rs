//! Turns the acts that only keep the flow's frame up to date into code: one instruction for several such acts in a row.
//!
//! These acts are: the last instruction was done, a phase begins, effects end, all players are listed. They can be joined, because none of
//! them reads what another one writes.

use super::code::{FrameUpdate, Instruction};
use super::emit::Emitter;
use crate::engine::value::{Player, Value};

impl Emitter<'_> {
    /// Adds all players to the list arena: in the milestone, if one comes directly before.
    pub(super) fn all_players(&mut self, count: u8) {
        let landed = self.landed == self.code.instructions.len();
        match (self.code.instructions.last_mut(), self.code.stops.last_mut()) {
            (Some(Instruction::Milestone { players, .. }), Some(stop)) if !landed => (*players, stop.players) = (count, count),
            (Some(Instruction::UpdateFrame(FrameUpdate { players: 1.., .. })), _) if !landed => {
                self.push(Instruction::UpdateFrame(FrameUpdate { players: count, ..FrameUpdate::default() }));
            }
            _ => self.update_frame(|update| update.players = count),
        }
    }

    /// Adds something to the instruction for the flow's frame. The instruction before is used if it is one.
    pub(super) fn update_frame(&mut self, write: impl FnOnce(&mut FrameUpdate)) {
        if self.landed == self.code.instructions.len() || !matches!(self.code.instructions.last(), Some(Instruction::UpdateFrame(_))) {
            self.push(Instruction::UpdateFrame(FrameUpdate::default()));
        }
        if let Some(Instruction::UpdateFrame(update)) = self.code.instructions.last_mut() {
            write(update);
        }
    }

    /// Changes the instruction for the flow's frame directly before this place, if there is one. If it is empty after that, it is removed.
    pub(super) fn change_update<T>(&mut self, write: impl FnOnce(&mut FrameUpdate) -> T) -> Option<T> {
        if self.landed == self.code.instructions.len() {
            return None;
        }
        let Some(Instruction::UpdateFrame(update)) = self.code.instructions.last_mut() else { return None };
        let taken = write(update);
        if *update == FrameUpdate::default() {
            self.code.instructions.pop();
        }
        Some(taken)
    }
}

/// Whether values are all players in seat order.
pub(super) fn are_all_players(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(at, value)| *value == Value::Player(Player(at as u8)))
}
