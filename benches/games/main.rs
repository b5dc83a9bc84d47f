//! What a decision takes in every game: `cargo bench --bench games -- [ROUNDS] [GAME …] [growth] [sampled] [listed] [alone]`.
//!
//! Each built-in game is played at random with its own decks on one thread, and also Kaiun with cards that have no text. Only a choice
//! between several answers counts as a decision. Times are the time of the thread on a core, in nanoseconds and as a ratio to the
//! hand-written game of Kaiun without texts (`baseline`), which is timed in between the other games. Counts are the same on every machine.
//!
//! On a noisy machine, count instructions instead: `alone` plays the games and does nothing else (docs/performance.md).
//!
//! The last lines are for machines: `GAME<tab>sampled|listed<tab>NANOSECONDS<tab>RATIO`.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::print_stdout, reason = "a wrong measurement must stop, not be reported")]

#[path = "../baseline/mod.rs"]
mod baseline;
mod clock;
#[path = "../counting/mod.rs"]
mod counting;
mod counts;
mod entrant;
mod growth;
#[path = "../interpreted/mod.rs"]
mod interpreted;
mod native;
mod position;
mod race;
mod short_ways;

use entrant::{Entrant, How, TEXTLESS};
use native::{Timed, Unit};
use race::{Entry, ROUNDS};

/// The run whose games are measured, and the run that warms up a machine.
const RUN: u64 = 1;
const WARM_UP_RUN: u64 = 7;

/// The number of native games before all others.
const FIRST: u64 = 20_000;

/// With this word on the command line the games are played and nothing is timed.
const ALONE: &str = "alone";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    // `cargo test --benches` only wants to know that the bench runs.
    let usual = if std::env::args().any(|argument| argument == "--test") { 1 } else { ROUNDS };
    let rounds = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(usual);
    let hows: Vec<How> = How::BOTH.into_iter().filter(|how| arguments.iter().any(|argument| argument == how.name())).collect();
    let hows = if hows.is_empty() { How::BOTH.to_vec() } else { hows };
    let is_name =
        |argument: &str| argument.parse::<u64>().is_err() && ![ALONE, How::Sampled.name(), How::Listed.name()].contains(&argument);
    let named: Vec<&String> = arguments.iter().filter(|argument| is_name(argument)).collect();
    let wanted = |what: &str| named.is_empty() || named.iter().any(|name| *name == what);
    let entrants: Vec<Entrant> = Entrant::all().into_iter().filter(|entrant| wanted(&entrant.name)).collect();

    let mut native = Unit::new();
    let mut first = Timed::default();
    first.add(|| native.play_on(RUN, FIRST));
    let mut entries: Vec<Entry<'_>> = entrants.iter().flat_map(|entrant| hows.iter().map(|how| Entry::new(entrant, *how))).collect();
    if arguments.iter().any(|argument| argument == ALONE) {
        for entry in &mut entries {
            println!("{} {}: {} decisions", entry.entrant.name, entry.how.name(), entry.play_alone(rounds));
        }
        return;
    }
    for _ in 0..rounds {
        entries.iter_mut().for_each(|entry| entry.round(&mut native));
    }
    entries.iter().filter(|entry| entry.entrant.name == TEXTLESS).for_each(|entry| meets_the_same_decisions(entry, &mut native));

    let all = entries
        .iter()
        .fold(first, |all, entry| Timed { decisions: all.decisions + entry.native.decisions, time: all.time + entry.native.time });
    let unit = all.nanoseconds();
    println!("native game of Kaiun without texts: {unit:.1} ns a decision");
    show_decisions(&entries);
    show_middles(&entrants, unit);
    short_ways::show(&entrants);
    if wanted("growth") {
        show_growth(unit);
    }
    println!();
    for entry in &entries {
        println!("{}\t{}\t{:.0}\t{:.1}", entry.entrant.name, entry.how.name(), entry.own.nanoseconds(), entry.ratio());
    }
}

/// Checks that the native game and the machine play the same games: both count the same decisions.
fn meets_the_same_decisions(entry: &Entry<'_>, native: &mut Unit) {
    let decisions: u64 = (0..entry.games).map(|number| native.play(RUN, number)).sum();
    assert_eq!(decisions, entry.own.decisions, "both sides meet the same decisions");
}

fn show_decisions(entries: &[Entry<'_>]) {
    println!("\na decision                  µs    ratio  trials  statements  of trials  blocks of memory  games a second");
    for entry in entries {
        let counts = counts::count(entry.entrant, entry.how);
        println!(
            "{:15} {:8} {:>9.2} {:>8.1} {:>7.2} {:>11.1} {:>10.1} {:>17.2} {:>15.1}",
            entry.entrant.name,
            entry.how.name(),
            entry.own.nanoseconds() / 1e3,
            entry.ratio(),
            counts.trials,
            counts.statements,
            counts.tried,
            counts.blocks,
            entry.games_a_second(),
        );
    }
}

fn show_middles(entrants: &[Entrant], unit: f64) {
    println!(
        "\nin the middle of a game, µs (ratio)   copy              save              restore           bytes    objects  waiting  events"
    );
    for entrant in entrants {
        let middle = position::measure(entrant);
        let times = [middle.copy, middle.save, middle.restore];
        let times = times.map(|time| format!("{:<18}", format!("{:.2} ({:.0})", time / 1e3, time / unit)));
        let held = format!("{:<8.0} {:<8.0} {:<8.0} {:.0}", middle.bytes, middle.objects, middle.waiting, middle.events);
        println!("{:37} {}{held}", entrant.name, times.concat());
    }
}

fn show_growth(unit: f64) {
    println!("\na decision as a table grows, µs (ratio)");
    for growth in growth::measure() {
        let sizes = growth.sizes.iter().map(|(count, time)| format!("{count}: {:.1} ({:.0})", time / 1e3, time / unit));
        let sizes = sizes.collect::<Vec<String>>().join("  ");
        let mark = if growth.is_too_much() { ", TOO MUCH" } else { "" };
        println!("{:31} {sizes}  {:.1} times, exponent {:.2}{mark}", growth.what, growth.times(), growth.exponent());
    }
}
