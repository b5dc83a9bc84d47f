//! Turns the acts that only keep the flow's frame up to date into rails: one instruction for several such acts in a row.
//!
//! These acts are: the last instruction was done, a phase begins, effects end, all players are listed. They can be joined, because none of
//! them reads what another one writes.

use super::lay::Layer;
use super::rail::{Books, Rail};
use crate::engine::value::{Player, Value};

impl Layer<'_> {
    /// Adds all players to the list arena: in the milestone, if one comes directly before.
    pub(super) fn all_players(&mut self, count: u8) {
        let landed = self.landed == self.row.rails.len();
        match (self.row.rails.last_mut(), self.row.stops.last_mut()) {
            (Some(Rail::Milestone { players, .. }), Some(stop)) if !landed => (*players, stop.players) = (count, count),
            (Some(Rail::Books(Books { players: 1.., .. })), _) if !landed => {
                self.push(Rail::Books(Books { players: count, ..Books::default() }));
            }
            _ => self.book(|books| books.players = count),
        }
    }

    /// Adds something to the instruction for the flow's frame. The instruction before is used if it is one.
    pub(super) fn book(&mut self, write: impl FnOnce(&mut Books)) {
        if self.landed == self.row.rails.len() || !matches!(self.row.rails.last(), Some(Rail::Books(_))) {
            self.push(Rail::Books(Books::default()));
        }
        if let Some(Rail::Books(books)) = self.row.rails.last_mut() {
            write(books);
        }
    }

    /// Changes the instruction for the flow's frame directly before this place, if there is one. If it is empty after that, it is removed.
    pub(super) fn changed_books<T>(&mut self, write: impl FnOnce(&mut Books) -> T) -> Option<T> {
        if self.landed == self.row.rails.len() {
            return None;
        }
        let Some(Rail::Books(books)) = self.row.rails.last_mut() else { return None };
        let taken = write(books);
        if *books == Books::default() {
            self.row.rails.pop();
        }
        Some(taken)
    }
}

/// Whether values are all players in seat order.
pub(super) fn are_all_players(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(at, value)| *value == Value::Player(Player(at as u8)))
}
