//! `gyoji simulate GAME`: plays many random games on all cores. The results do not depend on the number of threads.
//!
//! | file | does |
//! | --- | --- |
//! | `decks.rs` | draws random legal decks |
//! | `tally.rs` | the results of many games |
//! | `usage.rs` | what the games used |

mod decks;
mod tally;
mod usage;

use super::{Context, Exit};
use crate::shared::loading::{self, Loaded};
use crate::shared::{again, failure};
use engine::ids::CardId;
use engine::machine::Machine;
use engine::program::Program;
use engine::random::{Generator, seed_of_game};
use engine::state::Status;
use engine::steps::{Observer, Silent};
use indicatif::{ProgressBar, ProgressStyle};
use lang::diagnostic::Diagnostic;
use players::Random;
use rayon::prelude::*;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tally::Tally;
use usage::{Onlooker, Usage};

/// The default limit of decisions for one game: far more than any game takes, and about a second's work.
pub(super) const MOST_DECISIONS: u64 = 100_000;

/// The arguments of `simulate`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The game.
    pub game: Option<String>,
    /// How many games.
    #[arg(long, default_value_t = 1000, value_parser = crate::shared::arguments::one_or_more::<u64>)]
    pub games: u64,
    /// Seed of the run.
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Number of threads; by default one for each core.
    #[arg(long, value_parser = crate::shared::arguments::one_or_more::<usize>)]
    pub threads: Option<usize>,
    /// A seat's deck: a=FILE or a=NAME.
    #[arg(long, value_name = "SEAT=DECK")]
    pub deck: Vec<String>,
    /// Every game with decks of its own, drawn at random among the legal ones.
    #[arg(long)]
    pub random_decks: bool,
    /// In how many games each option, card, keyword and kind of ability was used, and which cited statements never.
    #[arg(long)]
    pub usage: bool,
    /// Decisions after which a game counts as one that never ends.
    #[arg(long, value_name = "N", default_value_t = MOST_DECISIONS)]
    pub(crate) max_decisions: u64,
    /// Save and restore at every decision, and compare the ends.
    #[arg(long, hide = true)]
    pub(crate) save_at_every_decision: bool,
}

/// How many games a thread plays in a row with one tally.
const STRIDE: u64 = 64;

/// After so many decisions of one game the bar names the game and says how far it is.
const LONG: u64 = 1024;

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match simulate(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn simulate(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let loaded = loading::load(context, args.game.as_deref())?;
    let complain = |findings: Vec<Diagnostic>| {
        context.complain(&findings, &loaded.sources);
        Exit::CouldNotRun
    };
    let named = super::play::by_seat(&args.deck, "deck", usize::from(loaded.program.players)).map_err(|finding| complain(vec![finding]))?;
    let decks = loaded.decks(&named).map_err(complain)?;
    let seed = args.seed.unwrap_or_else(crate::shared::chance::seed);
    let pool = if args.random_decks { loaded.in_decks() } else { Vec::new() };
    let (saving, most_decisions) = (args.save_at_every_decision, args.max_decisions);
    let again = again::flags(context, &args.deck, args.random_decks, most_decisions);
    let notice = context.for_people(|| context.say("simulate.goes_on", &[("most", most_decisions.to_string())]));
    let usage = args.usage;
    let bar = bar(args.games, context);
    let long =
        |game: u64, decisions: u64| context.say("simulate.long", &[("game", game.to_string()), ("decisions", decisions.to_string())]);
    let said_of_long: Option<Box<dyn Fn(u64, u64) -> String + Sync>> = if bar.is_hidden() { None } else { Some(Box::new(long)) };
    let told = AtomicBool::new(false);
    let run = Run { loaded: &loaded, decks, pool, seed, saving, most_decisions, usage, again, notice, told, bar, said_of_long };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(crate::shared::arguments::threads(args.threads)).build();
    let pool = pool.map_err(|error| complain(vec![Diagnostic::global("E0820").with("reason", error)]))?;
    let began = Instant::now();
    let (tally, usage) = pool.install(|| run.all(args.games));
    tally.show(context, run.seed, began.elapsed());
    if run.usage {
        usage.show(&loaded, context);
    }
    Ok(run.findings(&tally, context))
}

/// A progress bar on standard error, if a person watches. Its message names a game that goes on for long.
fn bar(games: u64, context: &Context) -> ProgressBar {
    let bar = context.bar(games);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

struct Run<'a> {
    loaded: &'a Loaded,
    decks: Vec<Vec<CardId>>,
    /// The cards from which each game draws its own decks. Empty: all games have the same decks.
    pool: Vec<CardId>,
    seed: u64,
    saving: bool,
    most_decisions: u64,
    usage: bool,
    /// The arguments of `play`, besides seed and number, that show one of the games.
    again: String,
    /// The notice for standard error if the first game does not end, because a run of such games takes long.
    notice: Option<String>,
    told: AtomicBool,
    bar: ProgressBar,
    /// The notice about a long game, shown in the bar. None: nobody watches the bar.
    said_of_long: Option<Box<dyn Fn(u64, u64) -> String + Sync + 'a>>,
}

/// The machine and buffer of one thread.
struct Seat {
    machine: Machine,
    picks: Vec<u16>,
}

impl Run<'_> {
    fn all(&self, games: u64) -> (Tally, Usage) {
        let strides = games.div_ceil(STRIDE);
        let stride = |seat: &mut Seat, stride: u64| {
            let (mut tally, mut usage) = (Tally::of_program(&self.loaded.program), Usage::default());
            let first = stride * STRIDE;
            for game in first..games.min(first + STRIDE) {
                self.one(seat, game, &mut tally, &mut usage);
                self.bar.inc(1);
            }
            (tally, usage)
        };
        let new_seat = || Seat { machine: self.machine(), picks: Vec::new() };
        let none = || (Tally::of_program(&self.loaded.program), Usage::default());
        let strides = (0..strides).into_par_iter().map_init(new_seat, stride);
        let sums = strides.reduce(none, |(tally, usage), (more, also)| (tally.with(more), usage.with(also)));
        self.bar.finish_and_clear();
        sums
    }

    /// A machine that lists no answers, because random players need no lists.
    fn machine(&self) -> Machine {
        let mut machine = Machine::new(self.loaded.program.clone());
        machine.sampling(true);
        machine
    }

    fn one(&self, seat: &mut Seat, game: u64, tally: &mut Tally, usage: &mut Usage) {
        let decisions = if self.usage {
            let mut onlooker = Onlooker::default();
            let decisions = self.play(seat, game, false, &mut onlooker);
            usage.add(&self.loaded.program, onlooker);
            decisions
        } else {
            self.play(seat, game, false, &mut Silent)
        };
        if let Some(notice) = self.notice.as_ref().filter(|_| decisions == self.most_decisions)
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let _ = self.bar.suspend(|| writeln!(std::io::stderr().lock(), "{notice}"));
        }
        tally.add(game, seat.machine.state(), decisions);
        if self.saving {
            let plain = seat.machine.state().clone();
            let restored = self.play(seat, game, true, &mut Silent);
            if restored != decisions || *seat.machine.state() != plain {
                tally.differs(game);
            }
        }
    }

    /// Plays a game to its end. Gives the number of decisions.
    fn play(&self, seat: &mut Seat, game: u64, saving: bool, onlooker: &mut impl Observer) -> u64 {
        let mut random = Random::new(self.seed, game);
        let seed = seed_of_game(self.seed, game);
        if self.pool.is_empty() {
            seat.machine.start(&self.decks, seed);
        } else {
            seat.machine.start(&drawn_decks(&self.loaded.program, &self.decks, &self.pool, seed), seed);
        }
        let mut decisions = 0;
        while seat.machine.run(onlooker) == Status::Asking {
            let before = decisions;
            loop {
                if saving {
                    self.restore(seat);
                }
                if decisions == self.most_decisions || random.decide(&mut seat.machine, &mut seat.picks) != Ok(true) {
                    break;
                }
                decisions += 1;
                if decisions % LONG == 0
                    && let Some(said_of_long) = &self.said_of_long
                {
                    self.bar.set_message(said_of_long(game, decisions));
                }
            }
            if before == decisions {
                break;
            }
        }
        if decisions >= LONG {
            self.bar.set_message("");
        }
        decisions
    }

    /// Writes the machine into a save's text and reads it back. A save that cannot be read gives a new machine, whose end differs.
    fn restore(&self, seat: &mut Seat) {
        let text = players::record::save_text(&seat.machine.save());
        let saved = text.ok().and_then(|text| players::record::from_text(&text).ok());
        let machine = saved.and_then(|saved| Machine::load(self.loaded.program.clone(), saved).ok());
        seat.machine = machine.unwrap_or_else(|| Machine::new(self.loaded.program.clone()));
        seat.machine.sampling(true);
    }

    fn findings(&self, tally: &Tally, context: &Context) -> Exit {
        let name = &self.loaded.program.name;
        let place = |finding: Diagnostic, game: u64| {
            finding.with("game", game).with("seed", self.seed).with("name", name).with("more", &self.again)
        };
        let mut findings = Vec::new();
        if let Some((game, what)) = tally.first_failure {
            findings.push(place(Diagnostic::global("E0840"), game));
            findings.push(failure::diagnostic(what, self.loaded));
        }
        let endless = |game| place(Diagnostic::global("E0849"), game).with("most", self.most_decisions);
        findings.extend(tally.first_endless.map(endless));
        findings.extend(tally.first_difference.map(|game| place(Diagnostic::global("E0841"), game)));
        context.complain(&findings, &self.loaded.sources);
        if findings.is_empty() { Exit::Fine } else { Exit::Findings }
    }
}

/// The decks of a game that draws its own decks. The draw uses another random stream than the game.
pub(super) fn drawn_decks(program: &Program, legal: &[Vec<CardId>], pool: &[CardId], seed: u64) -> Vec<Vec<CardId>> {
    let mut chance = Generator::new(!seed);
    legal.iter().map(|legal| decks::drawn(program, legal, pool, &mut chance)).collect()
}
