//! Positions of random games, written down as scenarios: each text passes and leads to an equal position.
//!
//! `GYOJI_WRITTEN_GAMES` plays another number of games.
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
use gyoji::scenario::written::{At, Begun, Points, alike, begin, stands_after, write};
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

    /// Whatever was shuffled and answered, and wherever it is looked at.
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

/// So many decisions are made, or as many as there are.
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

/// Plays random games of a game; every so many decisions the position is written down.
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
                // Also between the answers of one moment.
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

/// A game that somebody gave up, and one whose position begins before the set-up.
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
    // Without what was remembered of the phases there is only the beginning.
    let mut machine = Machine::new(Arc::clone(program));
    machine.start(decks, 6);
    let mut later = Points::new(&machine, At::Setup);
    machine.run(&mut later);
    written(ground, &later.from_the_beginning(), &machine);
}

/// What a scenario's own position has in force is written again as it stands there.
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
    // Without them no position leads here.
    assert!(write(ground, &Points::new(&begun.machine, begun.at), &machine, "").is_err());
}

/// What waits at the beginning of a phase is written with what is in its slots, also where it came to wait in play.
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
    // The next phase begins with all of them, and says them itself.
    let pause = machine.questions().next().unwrap().id;
    machine.answer(pause, &[0]).unwrap();
    assert_eq!(machine.run(&mut points), Status::Asking);
    written(&ground, &points, &machine);
    insta::assert_snapshot!(write(&ground, &points, &machine, "").unwrap());
}

/// The first scenario of a text, on a page of the conformance suite: its game, and its position.
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

/// Answers each question with its first members, as few as may be, but one where it can be; the position is written down at each.
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

/// What was declared, and what a card has because another gives it, where they came to wait in play as well.
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

/// What was put by is written as the scenario says it; where play has put it by, from before.
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

/// What was made and what became a copy in play is written at the beginning of the next phase.
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

/// Coins, dice and what chance has picked since the position are laid down again.
#[test]
fn what_chance_gave_is_written() {
    let (ground, begun) = laid(
        "chance",
        r#"scenario "thrown and picked" {
  card "A" like "石" { script { act { coin()  die(6)  lasting always { forbid coin() }  move(pick(2, field(you)), hand(you)) } } }
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
}

/// The positions of the conformance suite, played on at random: attached cards, values in force, abilities that wait, half a turn. What
/// the language cannot say is refused with a reason; what is written is right; most of it can be.
#[test]
fn positions_of_every_page_are_written_right_or_refused() {
    let mut folders: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel")).unwrap().collect();
    folders.sort_by_key(|entry| entry.as_ref().unwrap().path());
    let pages: Vec<(u32, Vec<String>)> = folders.into_par_iter().map(|folder| page(&folder.unwrap().path())).collect();
    let written: u32 = pages.iter().map(|(written, _)| written).sum();
    let refused: Vec<&String> = pages.iter().flat_map(|(_, refused)| refused).collect();
    assert!(written > 200 && refused.is_empty(), "{written} written, refused: {refused:#?}");
}

/// Between two decisions: beyond those after which positions are compared.
const STATEMENTS: u32 = 100_000;

/// How many positions of a page were written, and which were refused.
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
            // Decks, loads, and positions that are refused.
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
