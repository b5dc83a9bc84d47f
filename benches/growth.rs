//! How the cost of an action grows: `cargo bench --bench growth`.
//!
//! Each phase of `tests/fixtures/larger` lays something down, asks, carries out one action, and asks again. The action between the two questions is
//! timed. Only one thing grows at a time: the objects on the board, the effects in force, the abilities that wait after one event, the abilities that
//! wait on a stack or are used, or the cards of the pool. A line shows the best time in nanoseconds for each size, and the exponent from the first
//! size to the last. An exponent above 1.2 is a failure. The phases of `tests/fixtures/growth` are single actions on boards that grow in another way:
//! many cards in one place, or attached to one card. Engines of this kind become slow because they compute the whole board again or copy it for
//! each trigger. The phases of `tests/fixtures/blocks` ask for blocks: pairs of twenty attackers and twenty blockers, under the joint conditions
//! that games print. A line shows the best time in milliseconds until the question, and for the check of a random answer. More than 50 until the
//! question is a failure (of an optimised build). The check of an answer has no bound here: a check that takes too much work ends with `E0661`. Slow instructions are not the problem, so a build without optimisation shows the same: `cargo bench --profile dev --bench growth`.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::engine::ids::{CardId, PhaseId, ZoneId};
use gyoji::engine::machine::Machine;
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::board::NO_SLOT;
use gyoji::engine::state::position::{Begin, Position};
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::players::{Answers, Random, Reply};
use gyoji::project::{Places, load};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const TIMES: usize = 20;
const MOST: f64 = 1.2;

/// The attackers, and the blockers, of the questions for blocks.
const BLOCKERS: u16 = 20;
/// The most milliseconds until such a question.
const MOST_OF_BLOCKS: f64 = 50.0;
const TIMES_OF_BLOCKS: usize = 5;

/// The numbers of cards on the field, in the hand and in the pool. A phase starts something for each card of the hand.
#[derive(Clone, Copy)]
struct Size {
    field: usize,
    hand: usize,
    pool: usize,
}

/// What grows, its sizes, and the phases that are timed (by the beginning of their names).
struct Growth {
    what: &'static str,
    phases: &'static [&'static str],
    sizes: fn(usize) -> Size,
    steps: [usize; 3],
}

const GROWTHS: [Growth; 5] = [
    Growth {
        what: "objects",
        phases: &["plain", "effects", "watched"],
        sizes: |size| Size { field: size, hand: 10, pool: 100 },
        steps: [10, 100, 1_000],
    },
    Growth {
        what: "effects",
        phases: &["effects", "watched"],
        sizes: |size| Size { field: 20, hand: size, pool: 100 },
        steps: [10, 100, 1_000],
    },
    Growth { what: "waiting", phases: &["waiting"], sizes: |size| Size { field: 20, hand: size, pool: 100 }, steps: [10, 100, 1_000] },
    Growth { what: "triggers", phases: &["triggers"], sizes: |size| Size { field: 20, hand: size, pool: 100 }, steps: [10, 100, 1_000] },
    Growth {
        what: "pool",
        phases: &["plain", "effects", "watched", "triggers"],
        sizes: |size| Size { field: 20, hand: 10, pool: size },
        steps: [100, 1_000, 10_000],
    },
];

/// The rules of the fixture with a pool of this many cards.
fn program(pool: usize) -> Arc<Program> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/larger");
    let cards = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("larger_{pool}"));
    std::fs::create_dir_all(&cards).unwrap();
    let mut text = "gyoji 1\ncards larger\n".to_owned();
    for number in 0..pool {
        let hold = if number % 10 == 9 { "  static { modify this { power + 1 } }" } else { "" };
        let script = format!("  script {{ act {{ gain(you, 1) }}{hold} }}");
        writeln!(text, "card \"{number}\" unit \"札{number}\" {{ power 3{script} }}").unwrap();
    }
    std::fs::write(cards.join("things.cards"), text).unwrap();
    let (game, findings) = load("larger", &Places { rules: Some(rules), cards: Some(cards), on: None }, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    game.program
}

/// The game of `tests/fixtures/growth`.
fn small_program() -> Arc<Program> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/growth");
    let (game, findings) = load("growth", &Places { rules: Some(rules), cards: None, on: None }, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    game.program
}

fn zone(program: &Program, name: &str) -> ZoneId {
    program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0
}

/// Puts the cards of the larger game on the board.
fn lay_field_and_hand(program: &Program, position: &mut Position<'_>, size: Size) {
    for (zone, cards) in [(zone(program, "field"), size.field), (zone(program, "hand"), size.hand)] {
        for at in 0..cards {
            position.place(zone, Player(0), CardId((at % 7) as u16), None).unwrap();
        }
    }
}

/// Puts this many cards of the small game on the board: in one place, or attached to one card in the phase `follow`.
fn lay_in_one_place(program: &Program, position: &mut Position<'_>, follows: bool, size: usize) {
    let a = Player(0);
    let [field, gear, pile] = ["field", "gear", "pile"].map(|name| zone(program, name));
    position.place(pile, a, CardId(0), None).unwrap();
    let host = position.place(field, a, CardId(0), None).unwrap();
    for _ in 1..size {
        let card = position.place(if follows { gear } else { field }, a, CardId(0), None).unwrap();
        position.put_at(card, if follows { NO_SLOT } else { 0 });
        if follows {
            position.attach(card, host);
        }
    }
}

/// The best time of an action in nanoseconds. `asks`: the phase asks before the action.
fn time(program: &Arc<Program>, phase: PhaseId, asks: bool, lay: impl Fn(&mut Position<'_>)) -> f64 {
    let mut machine = Machine::new(Arc::clone(program));
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let mut position = machine.position();
        lay(&mut position);
        position.begin(Begin::Phase(Some(phase)));
        if asks {
            assert_eq!(machine.run(&mut Silent), Status::Asking);
            let question = machine.questions().next().unwrap().id;
            machine.answer(question, &[0]).unwrap();
        }
        let start = Instant::now();
        let status = machine.run(&mut Silent);
        best = best.min(start.elapsed().as_nanos() as f64);
        assert_eq!(status, Status::Asking);
    }
    best
}

/// Shows the times of an action for sizes from one to a hundred times as large. Whether the exponent is small enough.
fn show(what: &str, times: [f64; 3]) -> bool {
    let exponent = (times[2] / times[0]).log10() / 2.0;
    let mark = if exponent > MOST { " TOO MUCH" } else { "" };
    println!("{what} {} exponent {exponent:.2}{mark}", times.map(|time| format!("{time:.0}")).join(" "));
    exponent <= MOST
}

/// The best times in milliseconds until blocks are asked for, and for an answer to the question.
fn time_of_blocks(program: &Arc<Program>, phase: PhaseId) -> (f64, f64) {
    let mut machine = Machine::new(Arc::clone(program));
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..TIMES_OF_BLOCKS {
        let mut position = machine.position();
        for player in [Player(0), Player(1)] {
            for card in 0..BLOCKERS {
                position.place(zone(program, "field"), player, CardId(card), None).unwrap();
            }
        }
        position.begin(Begin::Phase(Some(phase)));
        assert_eq!(machine.run(&mut Silent), Status::Asking);
        let ready = machine.questions().next().unwrap().id;
        machine.answer(ready, &[0]).unwrap();
        let start = Instant::now();
        assert_eq!(machine.run(&mut Silent), Status::Asking);
        best.0 = best.0.min(start.elapsed().as_secs_f64() * 1000.0);
        let asked = machine.questions().next().unwrap();
        let (id, mut picks) = (asked.id, Vec::new());
        assert_eq!(Random::new(1, 1).answer(&asked, &mut picks), Reply::Picks);
        let start = Instant::now();
        machine.answer(id, &picks).unwrap();
        best.1 = best.1.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    best
}

/// Shows the times of the questions for blocks. Whether all of them are short enough.
fn show_blocks() -> bool {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/blocks");
    let (game, findings) = load("blocks", &Places { rules: Some(rules.clone()), cards: Some(rules), on: None }, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    let mut good = true;
    for (phase, def) in game.program.phases.iter() {
        let (asked, answered) = time_of_blocks(&game.program, phase);
        let slow = asked > MOST_OF_BLOCKS;
        good &= !slow;
        println!("blocks {} asked {asked:.1} answered {answered:.1}{}", def.name.name, if slow { " TOO MUCH" } else { "" });
    }
    good
}

fn main() -> ExitCode {
    let mut good = show_blocks();
    let small = small_program();
    for (phase, def) in small.phases.iter() {
        let follows = def.name.name == "follow";
        let of = |size| time(&small, phase, false, |position| lay_in_one_place(&small, position, follows, size));
        good &= show(&format!("one place {}", def.name.name), [10, 100, 1_000].map(of));
    }
    for growth in &GROWTHS {
        let programs = growth.steps.map(|step| (growth.sizes)(step)).map(|size| (size, program(size.pool)));
        let (_, first) = &programs[0];
        for (phase, def) in first.phases.iter().filter(|(_, def)| growth.phases.iter().any(|name| def.name.name.starts_with(name))) {
            let of = |(size, program): &(Size, Arc<Program>)| {
                time(program, phase, true, |position| lay_field_and_hand(program, position, *size))
            };
            good &= show(&format!("{} {}", growth.what, def.name.name), programs.each_ref().map(of));
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
