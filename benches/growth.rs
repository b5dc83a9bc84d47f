//! How the cost of an action grows: `cargo bench --bench growth`.
//!
//! Each phase of `tests/fixtures/larger` lays something down, asks, carries out one action, and asks again. The action between the two questions is
//! timed. Only one thing grows at a time: the objects on the board, the effects in force, the abilities that wait after one event, the abilities that
//! wait on a stack or are used, or the cards of the pool. A line shows the best time in nanoseconds for each size, and the exponent from the first
//! size to the last. An exponent above 1.2 is a failure. Engines of this kind become slow because they compute the whole board again or copy it for
//! each trigger. Slow instructions are not the problem, so a build without optimisation shows the same: `cargo bench --profile dev --bench growth`.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::engine::ids::{CardId, PhaseId};
use gyoji::engine::machine::Machine;
use gyoji::engine::observe::Silent;
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::position::Begin;
use gyoji::engine::value::Player;
use gyoji::project::{Places, load};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const TIMES: usize = 10;
const MOST: f64 = 1.2;

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

/// The best time of an action in nanoseconds.
fn time(program: &Arc<Program>, phase: PhaseId, size: Size) -> f64 {
    let zone = |name: &str| program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0;
    let (field, hand) = (zone("field"), zone("hand"));
    let mut machine = Machine::new(Arc::clone(program));
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let mut position = machine.position();
        for at in 0..size.field {
            position.place(field, Player(0), CardId((at % 7) as u16), None).unwrap();
        }
        for at in 0..size.hand {
            position.place(hand, Player(0), CardId((at % 7) as u16), None).unwrap();
        }
        position.begin(Begin::Phase(Some(phase)));
        assert_eq!(machine.run(&mut Silent), Status::Asking);
        let question = machine.questions().next().unwrap().id;
        machine.answer(question, &[0]).unwrap();
        let start = Instant::now();
        let status = machine.run(&mut Silent);
        best = best.min(start.elapsed().as_nanos() as f64);
        assert_eq!(status, Status::Asking);
    }
    best
}

fn main() -> ExitCode {
    let mut good = true;
    for growth in &GROWTHS {
        let programs: Vec<(Size, Arc<Program>)> =
            growth.steps.iter().map(|step| (growth.sizes)(*step)).map(|size| (size, program(size.pool))).collect();
        let (_, first) = programs.first().unwrap();
        for (phase, def) in first.phases.iter().filter(|(_, def)| growth.phases.iter().any(|name| def.name.name.starts_with(name))) {
            let times: Vec<f64> = programs.iter().map(|(size, program)| time(program, phase, *size)).collect();
            let exponent = (times.last().unwrap() / times.first().unwrap()).log10() / 2.0;
            good &= exponent <= MOST;
            let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
            let mark = if exponent > MOST { " TOO MUCH" } else { "" };
            println!("{} {} {} exponent {exponent:.2}{mark}", growth.what, def.name.name, times.join(" "));
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
