//! A player who says what was written down: the answers of a recorded game.

use super::{Answers, Reply};
use crate::engine::ids::ChoiceId;
use crate::engine::machine::Asked;
use crate::engine::program::Program;
use crate::engine::value::Player;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// One recorded decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Whose.
    pub seat: u8,
    /// The choice's name; `concede` is the entry of its own.
    pub choice: String,
    /// Among how many.
    pub among: u16,
    /// Positions in the domain.
    pub picks: Vec<u16>,
    /// What was picked, for those who read the file and to find differences.
    pub said: String,
    /// There was one legal answer, so nobody was asked.
    #[serde(default)]
    pub forced: bool,
}

impl Entry {
    /// The choice of an entry that concedes.
    pub const CONCEDE: &'static str = "concede";
    /// The choice of an entry that says which of several replacements is used: the engine's own question.
    pub const REPLACEMENT: &'static str = "replacement";

    /// Whether the player conceded here.
    #[must_use]
    pub fn concedes(&self) -> bool {
        self.choice == Self::CONCEDE
    }
}

/// Plays recorded decisions. Questions of two seats may come in another order than they were answered in: the next entry of
/// the asked seat counts.
#[derive(Clone, Debug, Default)]
pub struct Script {
    seats: Vec<VecDeque<Entry>>,
    names: Vec<String>,
}

impl Script {
    /// From the entries of a record; forced ones are nobody's answer and are left out.
    #[must_use]
    pub fn new(program: &Program, entries: &[Entry]) -> Self {
        let mut seats = vec![VecDeque::new(); usize::from(program.players)];
        for entry in entries.iter().filter(|entry| !entry.forced) {
            if let Some(seat) = seats.get_mut(usize::from(entry.seat)) {
                seat.push_back(entry.clone());
            }
        }
        Self { seats, names: program.choices.rows().iter().map(|choice| choice.name.name.clone()).collect() }
    }

    /// What that seat says next.
    #[must_use]
    pub fn next(&self, player: Player) -> Option<&Entry> {
        self.seats.get(usize::from(player.0)).and_then(VecDeque::front)
    }

    /// Whether everything has been said.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.seats.iter().all(VecDeque::is_empty)
    }

    fn name(&self, choice: ChoiceId) -> &str {
        self.names.get(usize::from(choice.0)).map_or(Entry::REPLACEMENT, String::as_str)
    }

    fn fits(&self, asked: &Asked<'_>, entry: &Entry) -> bool {
        entry.choice == self.name(asked.choice) && usize::from(entry.among) == asked.domain.len()
    }
}

impl Answers for Script {
    fn answer(&mut self, asked: &Asked<'_>, picks: &mut Vec<u16>) -> Reply {
        let fitting = self.next(asked.player).filter(|entry| entry.concedes() || self.fits(asked, entry)).is_some();
        let Some(seat) = self.seats.get_mut(usize::from(asked.player.0)).filter(|_| fitting) else { return Reply::Silent };
        let Some(entry) = seat.pop_front() else { return Reply::Silent };
        if entry.concedes() {
            return Reply::Concede;
        }
        picks.extend_from_slice(&entry.picks);
        Reply::Picks
    }
}
