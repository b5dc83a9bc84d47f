//! A change of the engine without a change of rules changes no game: the same questions, the same answers in the same order, the same end.
//!
//! `sameness.tsv` has a row for each game that is played here at random: the number of its decisions, and a hash over all of them. A decision
//! consists of the player, the choice, how many members may be taken, every possible answer, and the given answer (`canonical`). The test plays the
//! built-in games with their own decks, every page of `tests/kernel` from cards laid anywhere, and every scenario of these pages from its position.
//!
//! If a row differs, first find out why: `GYOJI_SAMENESS_TOLD=FOLDER cargo test --release --test suite -- sameness` writes
//! every game as text into that folder. Do this here and at the commit of the table, and compare the two folders. If rules or
//! scenarios have changed, the games have changed too: then the same command with `GYOJI_SAMENESS=write` writes a new table.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod canonical;

use super::pages::{begun, pages, suite};
use super::promises::{TABLES, Table};
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Value;
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, Project, embedded_games, fnv1a, load};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SEED: u64 = 22;
const SEEDS: u64 = 10;
/// Most games of 軌跡 have far fewer decisions.
const MOST_DECISIONS: usize = 4_000;
/// The number of games with one seed. The seed's games also end when they have enough decisions together.
const GAMES_OF_A_SEED: u64 = 40;
const ENOUGH_DECISIONS: usize = 500;
/// The games of a page do not end by themselves.
const MOST_DECISIONS_OF_A_PAGE: usize = 24;

/// A game that was played, as text.
struct Played {
    /// The name of the game, how it began, and the seed, separated by tabs.
    what: String,
    decisions: usize,
    told: String,
}

impl Played {
    fn row(&self) -> String {
        format!("{}\t{}\t{:016x}", self.what, self.decisions, fnv1a([self.told.as_str()]))
    }

    /// A name for a file. Titles of scenarios have signs that a file name may not have.
    fn file(&self) -> String {
        let safe = |sign: char| if sign.is_alphanumeric() || "-_.".contains(sign) { sign } else { '_' };
        self.what.chars().map(safe).collect::<String>() + ".txt"
    }
}

/// Plays on with a random player. Returns the number of decisions.
fn play_on(machine: &mut Machine, seed: u64, most: usize, told: &mut String) -> usize {
    let mut random = Random::new(SEED, seed);
    let mut decisions = 0;
    // Each verdict of a guard, and each result that is remembered, is compared with a trial run.
    machine.compare_guards(true);
    loop {
        let status = machine.run(&mut Silent);
        if status != Status::Asking || decisions >= most {
            canonical::end(told, machine, status);
            assert_eq!(machine.guards_compared().1, 0, "verdicts of guards, or remembered results, that a trial run did not give");
            return decisions;
        }
        // All questions are taken before any answer: an answer does not change the questions to the other players.
        let open: Vec<QuestionId> = machine.questions().filter(|asked| !asked.answered).map(|asked| asked.id).collect();
        assert!(!open.is_empty());
        for id in open {
            let mut picks = Vec::new();
            let asked = machine.questions().find(|asked| asked.id == id).unwrap();
            random.answer(&asked, &mut picks);
            canonical::decision(told, machine, &asked, &picks);
            machine.answer(id, &picks).unwrap();
            decisions += 1;
        }
    }
}

/// A built-in game with its own decks. One machine plays all seeds.
fn with_decks(name: &str) -> Vec<Played> {
    // Without a project the program uses its own rules, cards and decks.
    let (game, findings) = load(name, &Places::default(), None::<&Project>).unwrap();
    assert_eq!(findings, [], "{name}");
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let decks: Vec<Vec<CardId>> = decks.iter().cycle().take(usize::from(game.program.players)).cloned().collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    let play = |seed: u64| {
        let (mut decisions, mut told) = (0, String::new());
        // Short games are played one after the other until there are enough decisions.
        for game in (GAMES_OF_A_SEED * seed..).take(GAMES_OF_A_SEED as usize) {
            if decisions >= ENOUGH_DECISIONS {
                break;
            }
            machine.start(&decks, seed_of_game(SEED, game));
            told += &format!("game {game}\n");
            decisions += play_on(&mut machine, game, MOST_DECISIONS, &mut told);
        }
        Played { what: format!("{name}\tdecks\t{seed}"), decisions, told }
    };
    (0..SEEDS).map(play).collect()
}

/// A page of the kernel, with its cards laid anywhere.
fn laid_anywhere(table: &Table) -> Vec<Played> {
    let play = |seed: u64| {
        let mut machine = table.begun(seed);
        let mut told = String::new();
        let decisions = play_on(&mut machine, seed, MOST_DECISIONS_OF_A_PAGE, &mut told);
        Played { what: format!("{}\tanywhere\t{seed}", table.name), decisions, told }
    };
    (0..SEEDS).map(play).collect()
}

/// Every scenario of a page from its beginning. One row holds all seeds.
fn from_scenarios(page: &Path) -> Vec<Played> {
    let suite = suite(page);
    let page = page.file_name().unwrap().to_str().unwrap();
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    let play = |scenario| {
        let begun = begun(&suite, scenario)?;
        let (mut decisions, mut told) = (0, String::new());
        for seed in 0..SEEDS {
            told += &format!("seed {seed}\n");
            let mut machine = begun.clone();
            machine.record_all(false);
            decisions += play_on(&mut machine, seed, MOST_DECISIONS_OF_A_PAGE, &mut told);
        }
        // Two scenarios of a page may have the same title.
        let title = scenario.title.text.as_str();
        let before = titles.entry(title).or_default();
        *before += 1;
        let which = if *before > 1 { format!(" ({before})") } else { String::new() };
        Some(Played { what: format!("{page}\t{title}{which}\t0-{}", SEEDS - 1), decisions, told })
    };
    suite.scenarios.iter().filter_map(play).collect()
}

/// All games, in the order of the table.
fn all_played() -> Vec<Played> {
    // One job for each game: one machine plays all its seeds, so the job also tests what a machine keeps from game to game. The longest jobs begin first.
    let mut jobs: Vec<Box<dyn Fn() -> Vec<Played> + Send + Sync>> = Vec::new();
    for name in embedded_games().into_iter().rev() {
        jobs.push(Box::new(move || with_decks(&name)));
    }
    for table in TABLES.iter().filter(|table| table.decks.is_none()) {
        jobs.push(Box::new(|| laid_anywhere(table)));
    }
    for page in pages() {
        jobs.push(Box::new(move || from_scenarios(&page)));
    }
    jobs.par_iter().with_max_len(1).flat_map(|job| job()).collect()
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/sameness/sameness.tsv")
}

/// The rows of the table, by game.
fn by_what(text: &str) -> BTreeMap<String, String> {
    let row = |line: &str| {
        let (what, _) = line.rsplit_once('\t').unwrap().0.rsplit_once('\t').unwrap();
        (what.to_owned(), line.to_owned())
    };
    text.lines().skip(1).map(row).collect()
}

const HEAD: &str = "game\tfrom\tseed\tdecisions\thash";

#[test]
fn every_decision_is_what_it_was() {
    let played = all_played();
    if let Some(folder) = std::env::var_os("GYOJI_SAMENESS_TOLD").map(PathBuf::from) {
        std::fs::create_dir_all(&folder).unwrap();
        played.iter().for_each(|game| std::fs::write(folder.join(game.file()), &game.told).unwrap());
    }
    let now: String = std::iter::once(HEAD.to_owned()).chain(played.iter().map(Played::row)).map(|row| row + "\n").collect();
    let rows = by_what(&now);
    assert_eq!(rows.len(), played.len(), "two rows are of the same game");
    if std::env::var("GYOJI_SAMENESS").is_ok_and(|wanted| wanted == "write") {
        return std::fs::write(table(), now).unwrap();
    }
    let before = by_what(&std::fs::read_to_string(table()).unwrap());
    let said = |row: Option<&String>| {
        row.map_or_else(|| "not played".to_owned(), |row| row.rsplit('\t').take(2).collect::<Vec<_>>().join(", decisions "))
    };
    let mut differing: Vec<&String> = before.keys().chain(rows.keys()).filter(|what| before.get(*what) != rows.get(*what)).collect();
    differing.sort();
    differing.dedup();
    let lines = differing.iter().map(|what| {
        let shown = what.replace('\t', ", ");
        format!("  {shown}: was {}; now {}\n", said(before.get(*what)), said(rows.get(*what)))
    });
    assert!(
        differing.is_empty(),
        "{} of {} games (game, from where, seed) are played otherwise than in tests/suite/sameness/sameness.tsv:\n{}\
         Find out why first: GYOJI_SAMENESS_TOLD=FOLDER writes the games as text, to be compared with those of the commit before.\n\
         If it is the rules or scenarios that have changed, write the table anew:\n\
         GYOJI_SAMENESS=write cargo test --release --test suite -- sameness",
        differing.len(),
        rows.len(),
        lines.take(40).collect::<String>(),
    );
}

/// The test itself is tested. It notices answers in another order, another argument, another answer and another question.
#[test]
fn whatever_changes_in_a_decision_changes_its_line() {
    let (game, _) = load("kiseki", &Places::default(), None).unwrap();
    let decks: Vec<Vec<CardId>> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    machine.start(&decks, 1);
    let mut random = Random::new(1, 1);
    let mut seen = (false, false);
    for _ in 0..200 {
        if machine.run(&mut Silent) != Status::Asking {
            break;
        }
        let asked = machine.questions().find(|asked| !asked.answered).unwrap();
        let mut picks = Vec::new();
        random.answer(&asked, &mut picks);
        let line = |asked: &gyoji::engine::machine::Asked<'_>, picks: &[u16]| {
            let mut line = String::new();
            canonical::decision(&mut line, &machine, asked, picks);
            fnv1a([line.as_str()])
        };
        let usual = line(&asked, &picks);
        assert_eq!(usual, line(&asked, &picks));
        if asked.domain.len() > 1 && asked.domain[0] != asked.domain[asked.domain.len() - 1] {
            let mut turned = asked.domain.to_vec();
            turned.reverse();
            assert_ne!(usual, line(&gyoji::engine::machine::Asked { domain: &turned, ..asked }, &picks), "another order");
            assert_ne!(usual, line(&gyoji::engine::machine::Asked { domain: &asked.domain[1..], ..asked }, &picks), "one answer less");
            seen.0 = true;
        }
        if let Some(Value::Play { count, option, start }) =
            asked.domain.iter().copied().find(|play| matches!(play, Value::Play { count: 2.., .. }))
        {
            // A play that is stored elsewhere in the arena is the same answer. A play with another argument is another answer.
            let mut lists = asked.lists.to_vec();
            let moved = lists.len() as u32;
            lists.extend_from_within(start as usize..start as usize + usize::from(count));
            let elsewhere = |play: &Value| match *play {
                Value::Play { start: old, .. } if old == start => Value::Play { count, option, start: moved },
                other => other,
            };
            let domain: Vec<Value> = asked.domain.iter().map(elsewhere).collect();
            assert_ne!(domain, asked.domain);
            assert_eq!(usual, line(&gyoji::engine::machine::Asked { domain: &domain, lists: &lists, ..asked }, &picks), "another place");
            lists[moved as usize] = Value::Number(-1);
            assert_ne!(usual, line(&gyoji::engine::machine::Asked { domain: &domain, lists: &lists, ..asked }, &picks), "another argument");
            seen.1 = true;
        }
        let other: Vec<u16> = if picks.is_empty() { vec![0] } else { Vec::new() };
        assert_ne!(usual, line(&asked, &other), "another answer");
        assert_ne!(usual, line(&gyoji::engine::machine::Asked { must: asked.must + 1, ..asked }, &picks), "another question");
        let id = asked.id;
        machine.answer(id, &picks).unwrap();
    }
    assert_eq!(seen, (true, true));
}

#[test]
fn in_a_game_with_many_offers_most_trial_runs_are_remembered() {
    let (game, _) = load("kiseki", &Places::default(), None::<&Project>).unwrap();
    let decks: Vec<Vec<CardId>> = game.decks.iter().take(2).map(|deck| deck.card_ids(&game.compiler).unwrap()).collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    machine.start(&decks, seed_of_game(SEED, 0));
    let mut random = Random::new(SEED, 0);
    for _ in 0..300 {
        if machine.run(&mut Silent) != Status::Asking {
            break;
        }
        let asked = machine.questions().find(|asked| !asked.answered).unwrap();
        let (id, mut picks) = (asked.id, Vec::new());
        random.answer(&asked, &mut picks);
        machine.answer(id, &picks).unwrap();
    }
    let tried = machine.tried();
    // Debug builds also make the trial runs that are remembered.
    let made = tried.runs.saturating_sub(if cfg!(debug_assertions) { tried.remembered } else { 0 });
    assert!(tried.remembered > made / 2, "{tried:?}");
}
