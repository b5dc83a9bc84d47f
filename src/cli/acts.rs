//! `gyoji acts GAME`: for each line of each card, whether the line has ever acted, and if not, why not.
//!
//! | file | does |
//! | --- | --- |
//! | `games.rs` | plays random games and made positions |
//! | `positions.rs` | makes positions from the positions of games |

mod games;
mod positions;

use super::{Context, Exit};
use crate::shared::audited;
use crate::shared::loading::{self, Loaded};
use crate::shared::written::answer_again;
use engine::ids::{AbilityId, CardId};
use engine::machine::Machine;
use engine::steps::acting::Acting;
use engine::steps::owners::Owners;
use games::{Games, Played};
use lang::diagnostic::Diagnostic;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use scenario::suite::Suite;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of `acts`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
    /// How many random games at most.
    #[arg(long, default_value_t = 500)]
    pub games: u64,
    /// Seed of the random games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Decisions after which a random game is left.
    #[arg(long, value_name = "N", default_value_t = games::MOST_DECISIONS)]
    pub(crate) max_decisions: u64,
    /// Show every line, also those that have acted.
    #[arg(long)]
    pub all: bool,
}

/// What was seen in some games.
#[derive(Default)]
struct Seen {
    acted: FxHashSet<AbilityId>,
    reached: FxHashSet<AbilityId>,
    placed: FxHashSet<AbilityId>,
}

impl Seen {
    fn with(mut self, other: Self) -> Self {
        self.acted.extend(other.acted);
        self.reached.extend(other.reached);
        self.placed.extend(other.placed);
        self
    }

    fn of(acting: Acting<'_>) -> Self {
        Self { acted: acting.acted, reached: acting.reached, placed: acting.placed }
    }
}

/// What is known of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    InScenarios,
    InGames,
    InPositions,
    /// Nothing can satisfy its event or condition (`E0393`, `E0399`).
    Impossible,
    /// Its card never lay where the line works.
    NotPlaced,
    /// No statement of it was carried out, and no effect of it was in force.
    NotReached,
    /// It was carried out or in force, and nothing changed.
    NoEffect,
}

impl Outcome {
    const ALL: [Outcome; 7] = [
        Outcome::InScenarios,
        Outcome::InGames,
        Outcome::InPositions,
        Outcome::Impossible,
        Outcome::NotPlaced,
        Outcome::NotReached,
        Outcome::NoEffect,
    ];

    fn word(self) -> &'static str {
        match self {
            Outcome::InScenarios => "in_scenarios",
            Outcome::InGames => "in_games",
            Outcome::InPositions => "in_positions",
            Outcome::Impossible => "impossible",
            Outcome::NotPlaced => "not_placed",
            Outcome::NotReached => "not_reached",
            Outcome::NoEffect => "no_effect",
        }
    }

    fn acted(self) -> bool {
        matches!(self, Outcome::InScenarios | Outcome::InGames | Outcome::InPositions)
    }
}

/// A line of a card: the abilities that it prints.
struct Line {
    card: CardId,
    text: String,
    abilities: Vec<AbilityId>,
}

impl Line {
    fn any(&self, of: &FxHashSet<AbilityId>) -> bool {
        self.abilities.iter().any(|ability| of.contains(ability))
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
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
    let impossible: FxHashSet<AbilityId> = loaded.game.compiler.impossible().into_iter().collect();
    let lines = lines(&loaded);
    let can_act = |line: &Line| !line.abilities.iter().all(|ability| impossible.contains(ability));
    let left = |played: &Played| {
        let acted = |line: &Line| [&in_scenarios, &played.games, &played.positions].iter().any(|seen| line.any(&seen.acted));
        let (done, left): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|line| acted(line) || !can_act(line));
        let mut cards: Vec<CardId> = left.iter().map(|line| line.card).collect();
        cards.dedup();
        (cards, done.iter().flat_map(|line| line.abilities.iter().copied()).collect())
    };
    let played = match decks(&loaded, context)? {
        Some(decks) => {
            let bar = context.bar(args.games);
            let most_decisions = args.max_decisions;
            // A bar shows how far the games are. Where there is none, a line says that they begin.
            if bar.is_hidden() && args.games > 0 {
                context.for_people(|| context.aside(&context.say("acts.plays", &[("games", args.games.to_string())])));
            }
            Games { loaded: &loaded, owners: &owners, decks, seed: args.seed, most_decisions, bar }.play(args.games, left)
        }
        None => Played::default(),
    };
    if played.endless {
        let args = [("most", args.max_decisions.to_string()), ("games", played.count.to_string())];
        context.aside(&context.say("acts.endless", &args));
    }
    let outcome = |line: &Line| {
        let seen = |wanted: fn(&Seen) -> &FxHashSet<AbilityId>| {
            [&in_scenarios, &played.games, &played.positions].iter().any(|seen| line.any(wanted(seen)))
        };
        if line.any(&in_scenarios.acted) {
            Outcome::InScenarios
        } else if line.any(&played.games.acted) {
            Outcome::InGames
        } else if line.any(&played.positions.acted) {
            Outcome::InPositions
        } else if !can_act(line) {
            Outcome::Impossible
        } else if seen(|seen| &seen.reached) {
            Outcome::NoEffect
        } else if seen(|seen| &seen.placed) {
            Outcome::NotReached
        } else {
            Outcome::NotPlaced
        }
    };
    let outcomes: Vec<Outcome> = lines.iter().map(outcome).collect();
    for (line, outcome) in lines.iter().zip(&outcomes) {
        show(line, *outcome, args.all, &loaded, context);
    }
    summary(&outcomes, played.count, context);
    Ok(Exit::Fine)
}

/// A deck for each seat. None: the game has a place for decks but no deck, so only its scenarios can be played.
fn decks(loaded: &Loaded, context: &Context) -> Result<Option<Vec<Vec<CardId>>>, Exit> {
    if loaded.program.deck_zone.is_some() && loaded.game.decks.is_empty() {
        return Ok(None);
    }
    loaded.decks(&[]).map(Some).map_err(|findings: Vec<Diagnostic>| {
        context.complain(&findings, &loaded.sources);
        Exit::CouldNotRun
    })
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
        Some(Seen::of(acting))
    };
    suite.scenarios.par_iter().filter_map(watched).reduce(Seen::default, Seen::with)
}

/// The lines of all cards. Abilities with the same printed line belong together. An ability of a script is a line of its own.
fn lines(loaded: &Loaded) -> Vec<Line> {
    let program = &loaded.program;
    let mut lines: Vec<Line> = Vec::new();
    for card in program.cards.ids() {
        let begins = lines.len();
        for id in program.printed_abilities(card) {
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

/// Shows a line. People get the lines that have acted only on request.
fn show(line: &Line, outcome: Outcome, all: bool, loaded: &Loaded, context: &Context) {
    let card = loaded.program.cards.get(line.card);
    let number = card.map_or("", |card| card.number.as_str());
    let name = card.and_then(|card| loaded.program.texts.get(card.name)).map_or("", String::as_str);
    let object =
        || json!({ "kind": "line", "card": number, "name": name, "text": line.text, "acted": outcome.acted(), "how": outcome.word() });
    context.result(object, || {
        if all || !outcome.acted() {
            let said = context.say(&format!("acts.{}", outcome.word()), &[]);
            context.out(&format!("{number} {name}: {}\n  {said}", line.text));
        }
    });
}

fn summary(outcomes: &[Outcome], games: u64, context: &Context) {
    let count = |wanted: Outcome| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let object = || {
        let counts: serde_json::Map<String, serde_json::Value> =
            Outcome::ALL.iter().map(|outcome| (outcome.word().to_owned(), count(*outcome).into())).collect();
        json!({ "kind": "summary", "lines": outcomes.len(), "games": games, "counts": counts })
    };
    context.result(object, || {
        context.out(&context.say("acts.lines", &[("count", outcomes.len().to_string()), ("games", games.to_string())]));
        for outcome in Outcome::ALL {
            context.out(&format!("  {:>6}  {}", count(outcome), context.say(&format!("acts.{}", outcome.word()), &[])));
        }
    });
}
