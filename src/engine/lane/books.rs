//! Lays what only keeps the flow's books: one instruction for statements that stand together.
//!
//! That the last instruction was done, that a phase begins, that effects would end, the list of all players: none of these reads
//! what another one writes.

use super::lay::Layer;
use super::rail::{Books, Rail};
use crate::engine::value::{Player, Value};

impl Layer<'_> {
    /// All players come into the list arena: at the milestone, if one stands right before this.
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

    /// Keeps books: by the instruction that does so already, if one stands right before this.
    pub(super) fn book(&mut self, write: impl FnOnce(&mut Books)) {
        if self.landed == self.row.rails.len() || !matches!(self.row.rails.last(), Some(Rail::Books(_))) {
            self.push(Rail::Books(Books::default()));
        }
        if let Some(Rail::Books(books)) = self.row.rails.last_mut() {
            write(books);
        }
    }

    /// Changes what the books are that are kept right before this, if they are; nothing is left of an instruction that keeps none.
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

/// All players, each once.
pub(super) fn are_all_players(values: &[Value]) -> bool {
    values.iter().enumerate().all(|(at, value)| *value == Value::Player(Player(at as u8)))
}
