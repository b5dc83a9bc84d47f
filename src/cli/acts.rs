//! `gyoji acts GAME`: for each line of each card, whether the line has ever acted in scenarios or random games, and if not, why not.

use super::{Context, Exit};
use crate::cli::shared::audited::{self, bar};
use crate::cli::shared::loading::{self, Loaded};
use crate::cli::shared::written::answer_again;
use crate::cli::simulate::drawn_decks;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::{AbilityId, CardId, Id};
use crate::engine::machine::Machine;
use crate::engine::observe::acting::{Acting, Owners};
use crate::engine::random::seed_of_game;
use crate::engine::state::Status;
use crate::players::Random;
use crate::scenario::suite::Suite;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// A random game that has more decisions is left.
const MOST_DECISIONS: u32 = 5000;

/// The arguments of `acts`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
    /// How many random games.
    #[arg(long, default_value_t = 2000)]
    pub games: u64,
    /// Seed of the random games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Show every line, also those that have acted.
    #[arg(long)]
    pub all: bool,
}

/// What was seen in some games.
#[derive(Default)]
struct Seen {
    acted: FxHashSet<AbilityId>,
    reached: FxHashSet<AbilityId>,
    /// The cards that were part of a game.
    cards: FxHashSet<CardId>,
}

impl Seen {
    fn with(mut self, other: Self) -> Self {
        self.acted.extend(other.acted);
        self.reached.extend(other.reached);
        self.cards.extend(other.cards);
        self
    }

    fn of(machine: &Machine, acting: Acting<'_>) -> Self {
        let cards = machine.state().board.objects.iter().map(|object| object.card).collect();
        Self { acted: acting.acted, reached: acting.reached, cards }
    }
}

/// What is known of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    InScenarios,
    InGames,
    /// Nothing can satisfy its event or condition (`E0393`, `E0399`).
    Impossible,
    /// No game and no scenario had the card.
    NoCard,
    /// No statement of it was carried out, and no effect of it was in force.
    NotReached,
    /// It was carried out or in force, and nothing changed.
    NoEffect,
}

impl Outcome {
    const ALL: [Outcome; 6] =
        [Outcome::InScenarios, Outcome::InGames, Outcome::Impossible, Outcome::NoCard, Outcome::NotReached, Outcome::NoEffect];

    fn word(self) -> &'static str {
        match self {
            Outcome::InScenarios => "in_scenarios",
            Outcome::InGames => "in_games",
            Outcome::Impossible => "impossible",
            Outcome::NoCard => "no_card",
            Outcome::NotReached => "not_reached",
            Outcome::NoEffect => "no_effect",
        }
    }

    fn acted(self) -> bool {
        matches!(self, Outcome::InScenarios | Outcome::InGames)
    }
}

/// A line of a card: the abilities that it prints.
struct Line {
    card: CardId,
    text: String,
    abilities: Vec<AbilityId>,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> Exit {
    match listed(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn listed(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let mut audited = audited::load(args.game.as_deref(), &args.scenarios, context)?;
    audited.suite.ground = audited.suite.ground.clone().keeping_play();
    let loaded = loading::load(context, args.game.as_deref().or(Some(audited.game.name.as_str())))?;
    let owners = Owners::of(&loaded.program);
    let in_scenarios = scenarios(&audited.suite, &owners);
    let in_games = games(args, &loaded, &owners, &in_scenarios.acted, context)?;
    let impossible: FxHashSet<AbilityId> = loaded.game.compiler.impossible().into_iter().collect();
    let lines = lines(&loaded);
    let outcome = |line: &Line| {
        let any = |set: &FxHashSet<AbilityId>| line.abilities.iter().any(|ability| set.contains(ability));
        if any(&in_scenarios.acted) {
            Outcome::InScenarios
        } else if any(&in_games.acted) {
            Outcome::InGames
        } else if line.abilities.iter().all(|ability| impossible.contains(ability)) {
            Outcome::Impossible
        } else if !in_scenarios.cards.contains(&line.card) && !in_games.cards.contains(&line.card) {
            Outcome::NoCard
        } else if any(&in_scenarios.reached) || any(&in_games.reached) {
            Outcome::NoEffect
        } else {
            Outcome::NotReached
        }
    };
    let outcomes: Vec<Outcome> = lines.iter().map(outcome).collect();
    for (line, outcome) in lines.iter().zip(&outcomes).filter(|(_, outcome)| args.all || context.json() || !outcome.acted()) {
        show(line, *outcome, &loaded, context);
    }
    summary(&outcomes, context);
    Ok(Exit::Fine)
}

/// Plays the scenarios again, and watches.
fn scenarios(suite: &Suite, owners: &Owners) -> Seen {
    let nothing = FxHashSet::default();
    let watched = |scenario| {
        let verdict = suite.verdict(scenario);
        let play = verdict.play.as_deref()?;
        let mut acting = Acting::new(owners, &nothing);
        let mut machine = Machine::with_state(Arc::clone(&play.program), play.state.clone());
        answer_again(&mut machine, &play.decisions, &mut acting);
        Some(Seen::of(&machine, acting))
    };
    suite.scenarios.par_iter().filter_map(watched).reduce(Seen::default, Seen::with)
}

/// Plays random games with decks drawn from all cards, and watches the lines that have not acted yet.
fn games(args: &Args, loaded: &Loaded, owners: &Owners, known: &FxHashSet<AbilityId>, context: &Context) -> Result<Seen, Exit> {
    let decks = loaded.decks(&[]).map_err(|findings: Vec<Diagnostic>| {
        context.complain(&findings, &loaded.sources);
        Exit::CouldNotRun
    })?;
    let pool = loaded.in_decks();
    let bar = bar(usize::try_from(args.games).unwrap_or(usize::MAX), context);
    let new_machine = || {
        let mut machine = Machine::new(Arc::clone(&loaded.program));
        machine.sampling(true);
        (machine, Vec::new())
    };
    let game = |(machine, picks): &mut (Machine, Vec<u16>), game: u64| {
        let seed = seed_of_game(args.seed, game);
        machine.start(&drawn_decks(&loaded.program, &decks, &pool, seed), seed);
        let mut random = Random::new(args.seed, game);
        let mut acting = Acting::new(owners, known);
        let mut left = MOST_DECISIONS;
        'game: while machine.run(&mut acting) == Status::Asking {
            loop {
                match random.decide(machine, picks) {
                    Ok(true) if left > 0 => left -= 1,
                    Ok(false) => break,
                    Ok(true) | Err(_) => break 'game,
                }
            }
        }
        bar.inc(1);
        Seen::of(machine, acting)
    };
    let seen = (0..args.games).into_par_iter().map_init(new_machine, game).reduce(Seen::default, Seen::with);
    bar.finish_and_clear();
    Ok(seen)
}

/// The lines of all cards. Abilities with the same printed line belong together. An ability of a script is a line of its own.
fn lines(loaded: &Loaded) -> Vec<Line> {
    let program = &loaded.program;
    let mut lines: Vec<Line> = Vec::new();
    for (card, def) in program.cards.iter() {
        let (first, count) = def.abilities;
        let begins = lines.len();
        for id in (first.index()..first.index() + usize::from(count)).map(AbilityId::from_index) {
            if program.abilities.get(id).is_none_or(|ability| ability.of_type) {
                continue;
            }
            let written = || loaded.game.map.ability(id).map_or("", |span| loaded.sources.text(span)).lines().next().unwrap_or("");
            let text = program.text_of_ability(id).unwrap_or_else(written).trim();
            match lines.iter_mut().skip(begins).find(|line| line.text == text) {
                Some(line) => line.abilities.push(id),
                None => lines.push(Line { card, text: text.to_owned(), abilities: vec![id] }),
            }
        }
    }
    lines
}

fn show(line: &Line, outcome: Outcome, loaded: &Loaded, context: &Context) {
    let card = loaded.program.cards.get(line.card);
    let number = card.map_or("", |card| card.number.as_str());
    let name = card.and_then(|card| loaded.program.texts.get(card.name)).map_or("", String::as_str);
    if context.json() {
        let line =
            json!({ "kind": "line", "card": number, "name": name, "text": line.text, "acted": outcome.acted(), "how": outcome.word() });
        return context.out_json(&line);
    }
    let said = context.say(&format!("acts.{}", outcome.word()), &[]);
    context.out(&format!("{number} {name}: {}\n  {said}", line.text));
}

fn summary(outcomes: &[Outcome], context: &Context) {
    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    if context.json() {
        let counts: serde_json::Map<String, serde_json::Value> =
            Outcome::ALL.iter().map(|outcome| (outcome.word().to_owned(), count(*outcome).into())).collect();
        return context.out_json(&json!({ "kind": "summary", "lines": outcomes.len(), "counts": counts }));
    }
    context.out(&context.say("acts.lines", &[("count", outcomes.len().to_string())]));
    for outcome in Outcome::ALL {
        context.out(&format!("  {:>6}  {}", count(outcome), context.say(&format!("acts.{}", outcome.word()), &[])));
    }
}
