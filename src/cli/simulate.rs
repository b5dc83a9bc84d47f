//! `gyoji simulate GAME`: many random games on every core; the same numbers whatever the number of threads.

mod tally;

use super::loading::{self, Loaded};
use super::{Context, Exit, failure};
use crate::diagnostic::Diagnostic;
use crate::engine::ids::CardId;
use crate::engine::machine::Machine;
use crate::engine::observe::Silent;
use crate::engine::random::seed_of_game;
use crate::engine::state::Status;
use crate::players::{Answers, Random, Reply};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::IsTerminal;
use std::time::Instant;
use tally::Tally;

/// More threads than any machine has cores for help nobody.
const MOST_THREADS: usize = 256;

/// Decisions of one game, where nothing else is said: far more than any game takes, and a second's work.
pub(super) const MOST_DECISIONS: u64 = 100_000;

/// What `simulate` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game.
    pub game: Option<String>,
    /// How many games.
    #[arg(long, default_value_t = 1000)]
    pub games: u64,
    /// Seed of the run.
    #[arg(long)]
    pub seed: Option<u64>,
    /// How many threads; else one a core.
    #[arg(long)]
    pub threads: Option<usize>,
    /// A seat's deck: a=FILE or a=NAME.
    #[arg(long, value_name = "SEAT=DECK")]
    pub deck: Vec<String>,
    /// Decisions after which a game counts as one that never ends.
    #[arg(long, value_name = "N", default_value_t = MOST_DECISIONS)]
    pub max_decisions: u64,
    /// Save and restore at every decision, and compare the ends.
    #[arg(long, hide = true)]
    pub save_at_every_decision: bool,
}

/// Games between two movements of the progress bar.
const STRIDE: u64 = 64;

/// Plays the games and shows what came of them.
pub fn run(args: &Args, context: &Context) -> Exit {
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
    let seed = args.seed.unwrap_or_else(super::chance::seed);
    let run = Run { loaded: &loaded, decks, seed, saving: args.save_at_every_decision, most_decisions: args.max_decisions };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).min(MOST_THREADS)).build();
    let pool = pool.map_err(|error| complain(vec![Diagnostic::global("E0820").with("reason", error)]))?;
    let began = Instant::now();
    let tally = pool.install(|| run.all(args.games, &bar(args.games, context)));
    tally.show(context, run.seed, began.elapsed());
    Ok(run.findings(&tally, context))
}

/// A progress bar on standard error, if a person watches.
fn bar(games: u64, context: &Context) -> ProgressBar {
    if std::io::stderr().is_terminal() && !context.json() { ProgressBar::new(games) } else { ProgressBar::hidden() }
}

struct Run<'a> {
    loaded: &'a Loaded,
    decks: Vec<Vec<CardId>>,
    seed: u64,
    saving: bool,
    most_decisions: u64,
}

/// One machine and one buffer for each thread.
struct Seat {
    machine: Machine,
    picks: Vec<u16>,
}

impl Run<'_> {
    fn all(&self, games: u64, bar: &ProgressBar) -> Tally {
        let strides = games.div_ceil(STRIDE);
        let players = usize::from(self.loaded.program.players);
        let stride = |seat: &mut Seat, stride: u64| {
            let mut tally = Tally::new(players);
            let first = stride * STRIDE;
            for game in first..games.min(first + STRIDE) {
                self.one(seat, game, &mut tally);
            }
            bar.inc(tally.games);
            tally
        };
        let new_seat = || Seat { machine: Machine::new(self.loaded.program.clone()), picks: Vec::new() };
        let tally = (0..strides).into_par_iter().map_init(new_seat, stride).reduce(|| Tally::new(players), Tally::with);
        bar.finish_and_clear();
        tally
    }

    fn one(&self, seat: &mut Seat, game: u64, tally: &mut Tally) {
        let decisions = self.play(seat, game, false);
        tally.add(game, seat.machine.state(), decisions);
        if self.saving {
            let plain = seat.machine.state().clone();
            let restored = self.play(seat, game, true);
            if restored != decisions || *seat.machine.state() != plain {
                tally.differs(game);
            }
        }
    }

    /// Plays a game to its end; how many decisions there were.
    fn play(&self, seat: &mut Seat, game: u64, saving: bool) -> u64 {
        let mut random = Random::new(self.seed, game);
        seat.machine.start(&self.decks, seed_of_game(self.seed, game));
        let mut decisions = 0;
        while seat.machine.run(&mut Silent) == Status::Asking {
            let before = decisions;
            loop {
                if saving {
                    self.restore(seat);
                }
                if decisions == self.most_decisions || !answer_next(seat, &mut random) {
                    break;
                }
                decisions += 1;
            }
            if before == decisions {
                break;
            }
        }
        decisions
    }

    /// Puts the machine into a file's text and back. A save that cannot be read leaves a machine whose end differs.
    fn restore(&self, seat: &mut Seat) {
        let text = crate::players::record::save_text(&seat.machine.save());
        let saved = text.ok().and_then(|text| crate::players::record::from_text(&text).ok());
        let machine = saved.and_then(|saved| Machine::load(self.loaded.program.clone(), saved).ok());
        seat.machine = machine.unwrap_or_else(|| Machine::new(self.loaded.program.clone()));
    }

    fn findings(&self, tally: &Tally, context: &Context) -> Exit {
        let name = &self.loaded.program.name;
        let place = |finding: Diagnostic, game: u64| finding.with("game", game).with("seed", self.seed).with("name", name);
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

/// Answers the next open question; whether there was one.
fn answer_next(seat: &mut Seat, random: &mut Random) -> bool {
    seat.picks.clear();
    let Some(asked) = seat.machine.questions().find(|asked| !asked.answered) else { return false };
    let id = asked.id;
    random.answer(&asked, &mut seat.picks) == Reply::Picks && seat.machine.answer(id, &seat.picks).is_ok()
}
