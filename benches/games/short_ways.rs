//! How often a decision of each game takes each short way of the engine ([`gyoji::engine::short_ways`]).

use crate::entrant::{Entrant, How};
use gyoji::engine::short_ways::{ShortWay, taken};

/// The number of games of a long game, and of a short one.
const LONG: u64 = 2;
const SHORT: u64 = 100;

/// Prints a row for each short way, with a column for each game.
pub(crate) fn show(entrants: &[Entrant]) {
    let columns: Vec<_> = entrants.iter().map(|entrant| (entrant.name.as_str(), of_a_decision(entrant))).collect();
    println!("\nshort ways taken in 1,000 decisions");
    println!("{:18}{}", "", columns.iter().map(|(name, _)| format!("{name:>16}")).collect::<String>());
    for (at, (way, says)) in ShortWay::ALL.iter().enumerate() {
        let counts = columns.iter().map(|(_, counts)| format!("{:>16.1}", counts.get(at).copied().unwrap_or_default() * 1e3));
        println!("{:18}{}   {says}", format!("{way:?}"), counts.collect::<String>());
    }
}

fn of_a_decision(entrant: &Entrant) -> Vec<f64> {
    let mut player = entrant.player(How::Sampled);
    drop(taken());
    let decisions: u64 = (0..if entrant.long { LONG } else { SHORT }).map(|number| player.play(crate::RUN, number)).sum();
    taken().into_iter().map(|(_, count)| count as f64 / decisions as f64).collect()
}
