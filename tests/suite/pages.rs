//! The micro-games of the conformance suite, played on at random from every scenario's position: the promises
//! that hold for every game hold for them. Three games from each position; `GYOJI_PAGES=20` plays twenty.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test")]

use gyoji::diagnostic::Severity;
use gyoji::engine::machine::{Machine, QuestionId};
use gyoji::engine::program::Node;
use gyoji::engine::random::Generator;
use gyoji::engine::state::{Failure, FailureKind, Outcome, Status};
use gyoji::engine::steps::{Observer, Silent, Traced, View};
use gyoji::players::Random;
use gyoji::project::{self, Places};
use gyoji::scenario::suite::Suite;
use gyoji::scenario::writing;
use gyoji::syntax::ast::Scenario;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The number of decisions in a game.
const DECISIONS: usize = 12;

/// The number of games from each position.
const GAMES: u64 = 3;

/// An observer that does nothing.
struct Onlooker;

impl Observer for Onlooker {
    const ON: bool = true;
    fn step(&mut self, _: &View<'_>, _: &Traced) {}
}

pub(crate) fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

/// The game of a page with its scenarios.
pub(crate) fn suite(page: &Path) -> Suite {
    let files = || std::fs::read_dir(page).unwrap().map(|entry| entry.unwrap().path());
    let rules = files().find(|file| file.extension().is_some_and(|ending| ending == "rules")).unwrap();
    let text = std::fs::read_to_string(rules).unwrap();
    let name = text.lines().find_map(|line| line.strip_prefix("game ")).and_then(|rest| rest.split_whitespace().next()).unwrap().to_owned();
    let (game, found) = project::load(&name, &Places { rules: Some(page.to_owned()), cards: None, on: None }, None).unwrap();
    assert!(found.iter().all(|finding| finding.severity != Severity::Error), "{name}: {found:?}");
    let mut suite = Suite::new(&game);
    for path in files().filter(|file| file.extension().is_some_and(|ending| ending == "scenarios")) {
        suite.add(&path.display().to_string(), &std::fs::read(&path).unwrap());
    }
    suite
}

/// A machine at the beginning of a scenario, for games with an observer and for games without one. `None` if the scenario has no position that can begin.
pub(crate) fn begun(suite: &Suite, scenario: &Scenario) -> Option<Machine> {
    let begun = writing::begin(&suite.ground, scenario, &suite.sources).ok()?;
    Some(begun.machine)
}

/// Answers the first open question at random.
pub(crate) fn answer(machine: &mut Machine, chance: &mut Generator) -> Option<(QuestionId, Vec<u16>)> {
    let asked = machine.questions().find(|asked| !asked.answered)?;
    let (id, len) = (asked.id, asked.domain.len() as u16);
    if let Some(joint) = asked.joint {
        let mut picks = Vec::new();
        Random::new(u64::from(chance.below(1000)), 0).pick_jointly(&joint, &mut picks);
        if let Some(greater) = asked.shown.and_then(|shown| shown.greater(&picks)) {
            picks = greater;
        }
        machine.answer(id, &picks).unwrap();
        return Some((id, picks));
    }
    let size = asked.min + chance.below(u32::from(asked.max - asked.min) + 1) as u16;
    let mut picks: Vec<u16> = (0..len).collect();
    chance.shuffle(&mut picks);
    picks.truncate(usize::from(size));
    if asked.must > 0 {
        // The members that effects demand stand first.
        picks = (0..size.max(asked.must)).collect();
    }
    if let Some(greater) = asked.shown.and_then(|shown| shown.greater(&picks)) {
        picks = greater;
    }
    // Each single member of the list is an answer, and no other number is.
    if asked.min <= 1 && asked.max >= 1 && asked.must == 0 && asked.shown.is_none() {
        assert!((0..len).all(|pick| machine.check(id, &[pick]).is_ok()));
    }
    assert!(machine.check(id, &[len]).is_err());
    machine.answer(id, &picks).unwrap();
    Some((id, picks))
}

/// Whether a game has ended because it would go on without end, and in which way.
fn endless(machine: &Machine, status: Status) -> Option<Option<FailureKind>> {
    match status {
        Status::Failed(Failure { kind: kind @ (FailureKind::Budget | FailureKind::Loop | FailureKind::EffectsWithin), .. }) => {
            Some(Some(kind))
        }
        Status::Over(Outcome::Drawn) if machine.program().policies.mandatory_loop_is_drawn => Some(None),
        _ => None,
    }
}

/// Checks that two machines are in exactly the same state. A failure names the part that differs.
fn same(one: &Machine, other: &Machine, title: &str, how: &str) {
    let (one, other) = (one.state(), other.state());
    assert_eq!(one.board, other.board, "{title}: {how}");
    assert_eq!(one.effects, other.effects, "{title}: {how}");
    assert_eq!(one.events, other.events, "{title}: {how}");
    assert_eq!(one.control, other.control, "{title}: {how}");
    assert!(one == other, "{title}: {how}");
}

/// Plays on without an observer, with an observer, and from a save at every decision. All three must be equal.
pub(crate) fn play_on(title: &str, machine: &Machine, seed: u64) {
    let mut chance = Generator::new(seed);
    let mut silent = machine.clone();
    // A scenario keeps every event. A save does not keep this setting.
    silent.record_all(false);
    let mut watched = silent.clone();
    for _ in 0..DECISIONS {
        let status = silent.run(&mut Silent);
        let with_onlooker = watched.run(&mut Onlooker);
        if let (Some(one), Some(other)) = (endless(&silent, status), endless(&watched, with_onlooker)) {
            // An observer can change the round of the circle in which the program notices it, unless
            // the rules go on from there. But both runs must notice the circle.
            assert_eq!(one, other, "{title}");
            if machine.program().nodes.rows().contains(&Node::GoesRound) {
                same(&watched, &silent, title, "with an onlooker, at the end");
            }
            return;
        }
        assert_eq!(with_onlooker, status, "{title}");
        same(&watched, &silent, title, "with an onlooker");
        if let Status::Failed(failure) = status {
            assert!(title.contains("error"), "{title}: {failure:?}");
            return;
        }
        if status != Status::Asking {
            return;
        }
        let saved = silent.save();
        let mut loaded = Machine::load(silent.program().clone(), saved).unwrap();
        while let Some((id, picks)) = answer(&mut silent, &mut chance) {
            watched.answer(id, &picks).unwrap();
            loaded.answer(id, &picks).unwrap();
        }
        let mut on = silent.clone();
        assert_eq!(loaded.run(&mut Silent), on.run(&mut Silent), "{title}: from a save");
        same(&loaded, &on, title, "from a save");
    }
}

/// A save must load even if a card of no player has a `finally` block that is still to be carried out.
#[test]
fn a_save_inside_a_finally_of_a_card_of_no_player_is_read() {
    let suite = suite(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/holders"));
    let title = "what a card of no player carries out finally is carried out when all have answered";
    let scenario = suite.scenarios.iter().find(|scenario| scenario.title.text == title).unwrap();
    let mut machine = begun(&suite, scenario).unwrap();
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    let deed = machine.questions().next().unwrap().id;
    machine.answer(deed, &[3]).unwrap();
    assert_eq!(machine.run(&mut Silent), Status::Asking);
    assert!(machine.questions().next().unwrap().yes_no);
    let loaded = Machine::load(machine.program().clone(), machine.save()).unwrap();
    same(&loaded, &machine, title, "from a save");
}

/// The suite has at least the size that the pages claim.
#[test]
fn there_are_enough_rulings() {
    let rulings: usize = pages().iter().map(|page| suite(page).scenarios.len()).sum();
    assert!(pages().len() >= 30 && rulings >= 800, "{} pages, {rulings} rulings", pages().len());
}

/// docs/pages.md says what holds each promise. All of it must exist: test functions by their names, rulings by their titles.
#[test]
fn what_is_said_to_hold_the_promises_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = include_str!("../../docs/pages.md");
    let part: String =
        document.split("\n## ").filter(|part| part.starts_with("What must hold") || part.starts_with("What is built")).collect();
    let mut tests = String::new();
    let mut folders = vec![root.join("tests"), root.join("src"), root.join("benches")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                tests.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut named = 0;
    for line in part.lines().filter(|line| line.starts_with("| ")) {
        for word in line.split('`').skip(1).step_by(2) {
            let there = match word.split_once(": ") {
                Some((page, title)) => {
                    let file = root.join("tests/kernel").join(page).join(format!("{page}.scenarios"));
                    std::fs::read_to_string(&file).is_ok_and(|text| text.contains(&format!("scenario \"{title}\"")))
                }
                None => word.rsplit("::").next().is_some_and(|name| tests.contains(&format!("fn {name}("))) || root.join(word).exists(),
            };
            assert!(there, "{word}");
            named += 1;
        }
    }
    assert!(named > 150, "{named}");
}

#[test]
fn every_position_can_be_played_on_from() {
    let games = std::env::var("GYOJI_PAGES").ok().and_then(|number| number.parse().ok()).unwrap_or(GAMES);
    let positions = pages().into_par_iter().map(|page| {
        let suite = suite(&page);
        let mut positions = 0;
        for scenario in &suite.scenarios {
            let Some(machine) = begun(&suite, scenario) else { continue };
            positions += 1;
            (0..games).for_each(|seed| play_on(&scenario.title.text, &machine, seed));
        }
        positions
    });
    let positions: usize = positions.sum();
    assert!(positions > 100, "{positions} positions");
}
