//! The results of many games: sums that do not depend on the order of the games.

use crate::Context;
use engine::program::Program;
use engine::state::{Failure, Outcome, Places, State, Status};
use engine::value::Player;
use report::Widths;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;
use tell::seat;

/// Sums over games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// How many games.
    pub games: u64,
    /// For each seat the number of wins.
    pub wins: Vec<u64>,
    /// For each seat the number of wins together with others.
    pub shared: Vec<u64>,
    /// For each seat the sum of its places, over all games that ended with a result. The second value is the number of these games. A lone
    /// winner has place 1 and the others share place 2; in a draw all have place 1.
    pub places: (Vec<u64>, u64),
    /// The number of games that ended with further places, or with several winners.
    pub placed: u64,
    /// For each team its seats and its number of wins.
    pub teams: Vec<(Vec<Player>, u64)>,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that ended in an error.
    pub errors: u64,
    /// The turns of all games together.
    pub turns: u64,
    /// For each turn, the number of games that ended in it.
    pub(crate) by_turn: BTreeMap<u32, u64>,
    /// The number of decisions with more than one answer.
    pub decisions: u64,
    /// The first game that ended in an error.
    pub(crate) first_failure: Option<(u64, Failure)>,
    /// The first game that did not end because it reached the limit of decisions.
    pub(crate) first_endless: Option<u64>,
    /// The first game that ended differently when it was saved and restored.
    pub first_difference: Option<u64>,
}

impl Tally {
    /// Sums of no games.
    #[must_use]
    pub(super) fn new(players: usize) -> Self {
        Self { wins: vec![0; players], shared: vec![0; players], places: (vec![0; players], 0), ..Self::default() }
    }

    /// Sums of no games, with the teams of the program.
    #[must_use]
    pub(super) fn of_program(program: &Program) -> Self {
        let captains = (0..program.players).map(Player).filter(|player| program.teams > 0 && program.captain(*player) == *player);
        Self { teams: captains.map(|player| (program.team(player).collect(), 0)).collect(), ..Self::new(usize::from(program.players)) }
    }

    /// Adds a finished game.
    pub(super) fn add(&mut self, game: u64, state: &State, decisions: u64) {
        self.games += 1;
        self.turns += u64::from(state.board.turn);
        *self.by_turn.entry(state.board.turn).or_default() += 1;
        self.decisions += decisions;
        if let Status::Over(outcome) = state.control.status {
            let places = (0..).map(Player).map(|player| outcome.place_of(player));
            self.places.0.iter_mut().zip(places).for_each(|(sum, place)| *sum += place.map_or(0, u64::from));
            self.places.1 += 1;
        }
        match state.control.status {
            Status::Over(Outcome::Won(player)) => add_to(&mut self.wins, player, 1),
            Status::Over(Outcome::Placed(places)) => self.add_places(places),
            Status::Over(Outcome::Drawn) => self.draws += 1,
            Status::Failed(failure) => {
                self.errors += 1;
                self.first_failure.get_or_insert((game, failure));
            }
            Status::New | Status::Running | Status::Asking => {
                self.errors += 1;
                self.first_endless.get_or_insert(game);
            }
        }
    }

    fn add_places(&mut self, places: Places) {
        let alone = places.firsts().count() == 1;
        let firsts: Vec<Player> = places.firsts().collect();
        if let Some((_, wins)) = self.teams.iter_mut().find(|(team, _)| *team == firsts) {
            *wins += 1;
        }
        for (player, place) in places.seats() {
            if place == 1 {
                add_to(if alone { &mut self.wins } else { &mut self.shared }, player, 1);
            }
        }
        self.placed += 1;
    }

    /// Notes a game that ended differently when it was saved and restored.
    pub(super) fn differs(&mut self, game: u64) {
        self.first_difference.get_or_insert(game);
    }

    /// The sums of both.
    #[must_use]
    pub(super) fn with(mut self, other: Self) -> Self {
        self.games += other.games;
        self.wins.iter_mut().zip(&other.wins).for_each(|(wins, more)| *wins += more);
        self.shared.iter_mut().zip(&other.shared).for_each(|(shared, more)| *shared += more);
        self.places.0.iter_mut().zip(&other.places.0).for_each(|(sum, more)| *sum += more);
        self.places.1 += other.places.1;
        self.placed += other.placed;
        self.teams.iter_mut().zip(&other.teams).for_each(|((_, wins), (_, more))| *wins += more);
        self.draws += other.draws;
        self.errors += other.errors;
        self.turns += other.turns;
        other.by_turn.iter().for_each(|(turn, games)| *self.by_turn.entry(*turn).or_default() += games);
        self.decisions += other.decisions;
        self.first_failure = [self.first_failure, other.first_failure].into_iter().flatten().min_by_key(|(game, _)| *game);
        self.first_endless = [self.first_endless, other.first_endless].into_iter().flatten().min();
        self.first_difference = [self.first_difference, other.first_difference].into_iter().flatten().min();
        self
    }

    /// Shows the sums.
    pub(super) fn show(&self, context: &Context, seed: u64, took: Duration) {
        context.result(|| self.object(seed, took), || self.show_rows(context, seed, took));
    }

    fn show_rows(&self, context: &Context, seed: u64, took: Duration) {
        let rows = self.rows(context, seed, took);
        let widths = Widths::new(context.ambiguous);
        let columns = rows.iter().map(|(label, _)| widths.of(label)).max().unwrap_or(0);
        for (label, value) in rows {
            context.out(&format!("{}  {value}", widths.padded(&label, columns)));
        }
        if self.none_began() {
            context.out(&context.say("simulate.no_turn", &[]));
        }
    }

    /// Whether every game was over before its first turn.
    fn none_began(&self) -> bool {
        self.games > self.errors && self.turns == 0
    }

    /// The first turn by whose end this many of a hundred games had ended.
    fn ended_by(&self, of_100: u64) -> u32 {
        let mut ended = 0;
        let by = self.by_turn.iter().find(|(_, games)| {
            ended += *games;
            ended * 100 >= self.games * of_100
        });
        by.map_or(0, |(turn, _)| *turn)
    }

    fn rows(&self, context: &Context, seed: u64, took: Duration) -> Vec<(String, String)> {
        let share = |part: u64| format!("{part:>9}  {:>5.1} %", 100.0 * part as f64 / self.games.max(1) as f64);
        let mean = |sum: u64| format!("{:>9.2}", sum as f64 / self.games.max(1) as f64);
        let mut rows = vec![
            (context.say("simulate.seed", &[]), format!("{seed:>9}")),
            (context.say("simulate.games", &[]), format!("{:>9}", self.games)),
        ];
        for (team, wins) in &self.teams {
            let seats = team.iter().map(|player| seat(*player)).collect::<Vec<_>>().join(", ");
            rows.push((context.say("simulate.team", &[("team", seats)]), share(*wins)));
        }
        // In a game with teams nobody wins alone.
        for (index, wins) in self.wins.iter().enumerate().filter(|_| self.teams.is_empty()) {
            rows.push((context.say("simulate.wins", &[("player", seat(Player(index as u8)))]), share(*wins)));
        }
        if self.placed > 0 {
            let seats = |index: usize| [("player", seat(Player(index as u8)))];
            for (index, shared) in self.shared.iter().enumerate().filter(|(_, shared)| **shared > 0 && self.teams.is_empty()) {
                rows.push((context.say("simulate.shared", &seats(index)), share(*shared)));
            }
            for (index, sum) in self.places.0.iter().enumerate() {
                let mean = format!("{:>9.2}", *sum as f64 / self.places.1 as f64);
                rows.push((context.say("simulate.place", &seats(index)), mean));
            }
        }
        rows.push((context.say("simulate.draws", &[]), share(self.draws)));
        if self.errors > 0 {
            rows.push((context.say("simulate.errors", &[]), share(self.errors)));
        }
        rows.push((context.say("simulate.turns", &[]), mean(self.turns)));
        rows.push((context.say("simulate.ended_by", &[]), format!("{:>9}", self.ended_by(95))));
        rows.push((context.say("simulate.longest", &[]), format!("{:>9}", self.ended_by(100))));
        rows.push((context.say("simulate.decisions", &[]), mean(self.decisions)));
        rows.push((context.say("simulate.speed", &[]), format!("{:>9.0}", self.games_a_second(took))));
        rows
    }

    fn games_a_second(&self, took: Duration) -> f64 {
        self.games as f64 / took.as_secs_f64().max(1e-9)
    }

    fn object(&self, seed: u64, took: Duration) -> serde_json::Value {
        let mut object = json!({
            "kind": "simulation", "seed": seed, "games": self.games, "wins": self.wins, "wins_shared": self.shared, "places": self.places.0, "games_with_places": self.places.1, "draws": self.draws, "errors": self.errors,
            "turns": self.turns, "turns_of_95_in_100": self.ended_by(95), "turns_of_longest": self.ended_by(100), "decisions": self.decisions, "games_per_second": self.games_a_second(took).round(),
        });
        if !self.teams.is_empty() {
            let team = |(team, wins): &(Vec<Player>, u64)| json!({ "seats": team.iter().map(|player| seat(*player)).collect::<Vec<_>>(), "wins": wins });
            let teams: serde_json::Value = self.teams.iter().map(team).collect();
            if let Some(object) = object.as_object_mut() {
                object.insert("teams".to_owned(), teams);
            }
        }
        object
    }
}

fn add_to(seats: &mut [u64], player: Player, count: u64) {
    if let Some(seat) = seats.get_mut(usize::from(player.0)) {
        *seat += count;
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn most_games_have_ended_by_a_turn() {
        let tally = Tally { games: 40, by_turn: [(3, 10), (5, 27), (6, 1), (9, 2)].into(), ..Tally::new(2) };
        assert_eq!([25, 26, 92, 95, 100].map(|of_100| tally.ended_by(of_100)), [3, 5, 5, 6, 9]);
        assert_eq!(Tally::new(2).ended_by(95), 0);
    }

    #[test]
    fn games_that_end_before_the_first_turn_are_seen() {
        let over = Tally { games: 10, ..Tally::new(2) };
        assert!(over.none_began());
        assert!(!Tally { turns: 1, ..over.clone() }.none_began());
        assert!(!Tally { errors: 10, ..over }.none_began() && !Tally::new(2).none_began());
    }
}
