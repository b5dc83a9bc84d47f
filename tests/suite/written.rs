//! Positions of random games, written as scenarios. Each text passes as a scenario and leads to an equal position.
//!
//! `GYOJI_WRITTEN_GAMES` sets another number of games.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use gyoji::diagnostic::Sources;
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::Machine;
use gyoji::engine::program::Program;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::{Holds, Status};
use gyoji::engine::value::Player;
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, Project, find, load};
use gyoji::scenario::Ground;
use gyoji::scenario::writing::{At, Begun, Points, alike, begin, stands_after, write};
use gyoji::syntax::{FileKind, format, parse_scenarios};
use proptest::prelude::*;
use rayon::prelude::*;
use std::path::Path;
use std::sync::{Arc, LazyLock};

const SEED: u64 = 7;

/// A game with a deck for each seat.
struct Loaded {
    ground: Ground,
    program: Arc<Program>,
    decks: Vec<Vec<CardId>>,
}

fn loaded(name: &str) -> Loaded {
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (game, _) = load(name, &Places::default(), project.as_ref()).unwrap();
    let decks = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).cycle().take(2).collect();
    Loaded { ground: Ground::of_game(&game).0, program: game.program, decks }
}

static KAIUN: LazyLock<Loaded> = LazyLock::new(|| loaded("kaiun"));

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// With any shuffle, any answers and at any decision.
    #[test]
    fn any_position_of_any_game_reads_back_as_itself(seed in any::<u64>(), answers in any::<u64>(), decisions in 0_u32..60) {
        let Loaded { ground, program, decks } = &*KAIUN;
        let mut machine = Machine::new(Arc::clone(program));
        machine.start(decks, seed);
        let mut points = Points::new(&machine, At::Setup);
        let mut random = Random::new(answers, 0);
        plays_on(&mut machine, &mut points, &mut random, decisions);
        written(ground, &points, &machine);
    }
}

/// Makes this many decisions, or fewer if the game ends.
fn plays_on(machine: &mut Machine, points: &mut Points, random: &mut Random, decisions: u32) {
    let mut left = decisions;
    while machine.run(points) == Status::Asking {
        loop {
            let Some(question) = machine.questions().find(|question| !question.answered) else { break };
            if left == 0 {
                return;
            }
            left -= 1;
            let (id, mut picks) = (question.id, Vec::new());
            random.answer(&question, &mut picks);
            machine.answer(id, &picks).unwrap();
        }
    }
}

/// Plays random games of a game. At every so-many-th decision the position is written as a scenario.
fn games(game: &Loaded, every: u64, usual: u64) {
    let Loaded { ground, program, decks } = game;
    let wanted = std::env::var("GYOJI_WRITTEN_GAMES").ok().and_then(|number| number.parse().ok()).unwrap_or(usual);
    for number in 0..wanted {
        let mut machine = Machine::new(Arc::clone(program));
        machine.start(decks, seed_of_game(SEED, number));
        let mut points = Points::new(&machine, At::Setup);
        let mut random = Random::new(SEED, number);
        let mut asked = 0;
        while machine.run(&mut points) == Status::Asking {
            loop {
                let Some(question) = machine.questions().find(|question| !question.answered) else { break };
                // This includes positions in which only one of several players has answered.
                if asked % every == number % every {
                    written(ground, &points, &machine);
                }
                asked += 1;
                let (id, mut picks) = (question.id, Vec::new());
                random.answer(&question, &mut picks);
                machine.answer(id, &picks).unwrap();
            }
        }
        written(ground, &points, &machine);
    }
}

#[test]
fn what_is_written_leads_to_an_equal_position() {
    games(&KAIUN, 7, 4);
}

#[test]
fn so_it_does_in_another_game() {
    games(&loaded("goofspiel"), 5, 3);
}

/// A game in which somebody conceded, and a game whose position begins before the set-up.
#[test]
fn the_beginning_and_a_concession() {
    let Loaded { ground, program, decks } = &*KAIUN;
    let mut machine = Machine::new(Arc::clone(program));
    machine.start(decks, 5);
    let mut points = Points::new(&machine, At::Setup);
    machine.run(&mut points);
    written(ground, &points, &machine);
    machine.concede(Player(1), &mut points).unwrap();
    machine.run(&mut points);
    written(ground, &points, &machine);
    // If the phases are not remembered, the text can only begin at the beginning of the game.
    let mut machine = Machine::new(Arc::clone(program));
    machine.start(decks, 6);
    let mut later = Points::new(&machine, At::Setup);
    machine.run(&mut later);
    written(ground, &later.from_the_beginning(), &machine);
}

/// Effects that a scenario puts in force are written in the same words again.
#[test]
fn effects_that_a_scenario_lays_down() {
    let ground = &KAIUN.ground;
    let text = r#"gyoji 1
scenarios kaiun

scenario "with effects in force" {
  given {
    phase open_phase
    a { battle: "居眠り招き猫" down as x  hand: "首ふりこけし", "夕辻の鎌鼬" }
    b { battle: "転ばぬだるま" down }
    lasting luck by x { modify battle(you) { win + count(hand(you)) } }
    lasting this_turn { forbid draw(b) }
  }
  expect { asked a: discard }
}
"#;
    let mut sources = Sources::default();
    let (read, _) = parse_scenarios(sources.add("laid.scenarios", text), text);
    let begun = begin(ground, read.items.first().unwrap(), &sources).unwrap();
    let mut machine = begun.machine.clone();
    let mut points = Points::new(&machine, begun.at).with_effects(&begun.effects);
    assert_eq!(machine.run(&mut points), Status::Asking);
    assert_eq!(machine.state().effects.in_force.iter().filter(|effect| matches!(effect.holds, Holds::Lasting(_))).count(), 2);
    written(ground, &points, &machine);
    assert!(write(ground, &points, &machine, "").unwrap().contains("lasting luck by x"));
    // Without these effects no position leads here.
    assert!(write(ground, &Points::new(&begun.machine, begun.at), &machine, "").is_err());
}

/// Abilities that wait at the beginning of a phase are written with the values of their slots. This includes abilities that began to wait during play.
#[test]
fn what_waits_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/laid");
    let project = Project { folder: env!("CARGO_MANIFEST_DIR").into(), ..Project::default() };
    let (game, _) = load("laid", &Places { rules: Some(folder), cards: None, on: None }, Some(&project)).unwrap();
    let ground = Ground::of_game(&game).0;
    let text = r#"gyoji 1
scenarios laid

scenario "three wait, one for another" {
  given {
    phase two
    a { field: "矢" as x, "双" as n, "鐘" as k  ep = 9 }
    b { field: "盾" as y, "石" as z }
    waits counter of y in stack as w
    waits art 2 of n by b in stack
    waits art of x in stack { x = 2  targets = [y, z]  kicker = 3  price = [2, 1] }
    waits counter of y in stack { what = w }
    waits automatic of k { p = b  n = 4 }
  }
  expect { asked a: pause }
}
"#;
    let mut sources = Sources::default();
    let (read, found) = parse_scenarios(sources.add("laid.scenarios", text), text);
    assert_eq!(found, []);
    let begun = begin(&ground, read.items.first().unwrap(), &sources).unwrap();
    let mut machine = begun.machine.clone();
    let mut points = Points::new(&machine, begun.at).with_effects(&begun.effects);
    assert_eq!(machine.run(&mut points), Status::Asking);
    written(&ground, &points, &machine);
    // At the beginning of the next phase all of them still wait, and the text lists them itself.
    let pause = machine.questions().next().unwrap().id;
    machine.answer(pause, &[0]).unwrap();
    assert_eq!(machine.run(&mut points), Status::Asking);
    written(&ground, &points, &machine);
    insta::assert_snapshot!(write(&ground, &points, &machine, "").unwrap());
}

/// The first scenario of a text, on a page of the conformance suite: the game and the position.
fn laid(page: &str, text: &str) -> (Ground, Begun) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel").join(page);
    let project = Project { folder: env!("CARGO_MANIFEST_DIR").into(), ..Project::default() };
    let (game, _) = load(page, &Places { rules: Some(folder), cards: None, on: None }, Some(&project)).unwrap();
    let ground = Ground::of_game(&game).0;
    let text = format!("gyoji 1\nscenarios {page}\n\n{text}");
    let mut sources = Sources::default();
    let (read, found) = parse_scenarios(sources.add("laid.scenarios", text.as_str()), &text);
    assert_eq!(found, []);
    let begun = begin(&ground, read.items.first().unwrap(), &sources).unwrap();
    (ground, begun)
}

/// Answers each question with its first members: with the fewest possible, but with one if possible. At each question the position is written.
fn answered(ground: &Ground, begun: &Begun, decisions: usize) -> String {
    let (mut machine, mut points) = (begun.machine.clone(), Points::new(&begun.machine, begun.at).with_effects(&begun.effects));
    for left in (0..=decisions).rev() {
        assert_eq!(machine.run(&mut points), Status::Asking);
        let text = write(ground, &points, &machine, &begun.head).unwrap();
        reads_back(ground, &text, &machine);
        if left == 0 {
            return text;
        }
        let question = machine.questions().find(|question| !question.answered).unwrap();
        let (id, picks) = (question.id, (0..question.min.max(1)).collect::<Vec<u16>>());
        machine.answer(id, &picks).unwrap();
    }
    String::new()
}

/// Declared options, and abilities that another card gives, are written, also if they began to wait during play.
#[test]
fn what_was_declared_and_given_is_written() {
    let (ground, begun) = laid(
        "laid",
        r#"scenario "declared, and given" {
  given {
    phase two
    a { field: "石" as x, "師" as m  hand: "木" }
    waits automatic of x from m { p = b  n = 3 }
  }
  expect { asked a: pause }
}
"#,
    );
    insta::assert_snapshot!(answered(&ground, &begun, 3));
}

/// A block that the scenario put by is written in the scenario's words. If play has put a block by, the text begins before that.
#[test]
fn what_was_put_by_is_written() {
    let (ground, begun) = laid(
        "laid",
        r#"scenario "put by" {
  given {
    phase three
    a { field: "石" as x  hand: "木" }
    put by x { you.score = you.score + count(field(you)) } until dusk
    put by { b.score = 3 }
  }
  expect { asked a: calls }
}
"#,
    );
    assert!(answered(&ground, &begun, 0).contains("put by x"));
    answered(&ground, &begun, 3);
}

/// Objects that were made in play, and objects that became copies, are written at the beginning of the next phase.
#[test]
fn what_was_made_and_copied_is_written() {
    let (ground, begun) = laid(
        "made",
        r#"scenario "made, copied, standing for another" {
  card "A" like "兵" {
    script { act { let x = make("将", field(you))  become(this, x)  make(this, field(opponent(you)), of: x)  make("火", plain) } }
  }
  given { a { field: "A"  hand: "兵" }  b { field: "兵" made as y  hand: "火" } }
  expect { asked a: target }
}
"#,
    );
    insta::assert_snapshot!(answered(&ground, &begun, 0));
}

/// The results of coins, dice and picks since the position are written, so they come out again.
#[test]
fn what_chance_gave_is_written() {
    let (ground, begun) = laid(
        "chance",
        r#"scenario "thrown and picked" {
  card "A" like "石" { script { act { coin()  die(6)  let q = pick(1, players)  lasting always { forbid coin() }  move(pick(2, field(you)), hand(you)) } } }
  load rules 「duration always "ずっと"」
  given { a { field: "A", "石" x4 } }
  expect { not game drawn }
}
"#,
    );
    let (mut machine, mut points) = (begun.machine.clone(), Points::new(&begun.machine, begun.at).with_effects(&begun.effects));
    machine.run(&mut points);
    let text = write(&ground, &points, &machine, &begun.head).unwrap();
    reads_back(&ground, &text, &machine);
    assert!(["coin: ", "die: ", "pick: "].iter().all(|line| text.contains(line)), "{text}");
    assert!(["pick: a\n", "pick: b\n"].iter().any(|line| text.contains(line)), "{text}");
}

/// The positions of the conformance suite, played on at random: attached cards, values in force,
/// waiting abilities, half a turn. Every position can be written, and the text leads back to it.
#[test]
fn positions_of_every_page_are_written_right_or_refused() {
    let mut folders: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel")).unwrap().collect();
    folders.sort_by_key(|entry| entry.as_ref().unwrap().path());
    let pages: Vec<(u32, Vec<String>)> = folders.into_par_iter().map(|folder| page(&folder.unwrap().path())).collect();
    let written: u32 = pages.iter().map(|(written, _)| written).sum();
    let refused: Vec<&String> = pages.iter().flat_map(|(_, refused)| refused).collect();
    assert!(written > 200 && refused.is_empty(), "{written} written, refused: {refused:#?}");
}

/// The most statements between two decisions. It is more than the budget of a scenario.
const STATEMENTS: u32 = 100_000;

/// The number of positions of a page that were written, and the titles of those that were refused.
fn page(folder: &Path) -> (u32, Vec<String>) {
    let Ok(rules) = std::fs::read_to_string(folder.join("game.rules")) else { return (0, Vec::new()) };
    let name = rules.lines().find_map(|line| line.strip_prefix("game ")?.split_whitespace().next()).unwrap().to_owned();
    let project = Project { folder: env!("CARGO_MANIFEST_DIR").into(), ..Project::default() };
    let (game, _) = load(&name, &Places { rules: Some(folder.to_owned()), cards: None, on: None }, Some(&project)).unwrap();
    let ground = Ground::of_game(&game).0.with_budget(STATEMENTS);
    let (mut written, mut refused, mut number) = (0, Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_none_or(|ending| ending != "scenarios") {
            continue;
        }
        let (text, mut sources) = (std::fs::read_to_string(&entry).unwrap(), Sources::default());
        let (read, _) = parse_scenarios(sources.add("page.scenarios", text.as_str()), &text);
        for scenario in &read.items {
            number += 1;
            // Scenarios without a position: decks, loads, and positions that are refused.
            let Ok(begun) = begin(&ground, scenario, &sources) else { continue };
            let (mut machine, mut random) = (begun.machine.clone(), Random::new(SEED, number));
            machine.step_budget(STATEMENTS);
            let mut points = Points::new(&machine, begun.at).with_effects(&begun.effects);
            plays_on(&mut machine, &mut points, &mut random, (number % 7) as u32);
            match write(&ground, &points, &machine, &begun.head) {
                Ok(text) => {
                    reads_back(&ground, &text, &machine);
                    written += 1;
                }
                Err(finding) => {
                    assert_eq!(finding.code, "E0517");
                    refused.push(format!("{name}: {}", scenario.title.text));
                }
            }
        }
    }
    (written, refused)
}

fn written(ground: &Ground, points: &Points, machine: &Machine) {
    let text = write(ground, points, machine, "").unwrap_or_else(|finding| panic!("{finding:?}"));
    reads_back(ground, &text, machine);
}

fn reads_back(ground: &Ground, text: &str, machine: &Machine) {
    if std::env::var_os("GYOJI_SHOW").is_some() {
        println!("{text}");
    }
    let mut sources = Sources::default();
    let (file, found) = parse_scenarios(sources.add("written.scenarios", text), text);
    assert_eq!(found, []);
    assert_eq!(format(FileKind::Scenarios, text).unwrap(), text);
    let there = stands_after(ground, file.items.first().unwrap(), &sources).unwrap();
    assert!(alike(&there, machine), "{text}");
}
