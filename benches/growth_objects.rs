//! Measures how the cost of an action grows with the board: `cargo bench --bench growth_objects`.
//!
//! Each phase of the game in `tests/fixtures/growth` is one action, carried out on boards of 10, 100 and 1,000 cards. A line
//! shows the best time in nanoseconds for each size, and the exponent from 10 to 1,000. An exponent above 1.2 is a failure.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::engine::ids::{CardId, PhaseId};
use gyoji::engine::machine::Machine;
use gyoji::engine::observe::Silent;
use gyoji::engine::program::Program;
use gyoji::engine::state::Status;
use gyoji::engine::state::position::Begin;
use gyoji::engine::value::Player;
use gyoji::project::{Places, load};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

const SIZES: [usize; 3] = [10, 100, 1_000];
const TIMES: usize = 30;
const MOST: f64 = 1.2;

fn program() -> Arc<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/growth");
    let places = Places { rules: Some(folder), cards: None, on: None };
    let (game, findings) = load("growth", &places, None).unwrap();
    assert!(findings.is_empty(), "{findings:#?}");
    game.program
}

/// The best time of an action in nanoseconds.
fn time(program: &Arc<Program>, phase: PhaseId, size: usize) -> f64 {
    let zone = |name: &str| program.zones.iter().find(|(_, zone)| zone.name.name == name).unwrap().0;
    let (field, gear, pile) = (zone("field"), zone("gear"), zone("pile"));
    let follows = program.phases.get(phase).unwrap().name.name == "follow";
    let mut machine = Machine::new(Arc::clone(program));
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let mut position = machine.position();
        let a = Player(0);
        position.place(pile, a, CardId(0), None).unwrap();
        let host = position.place(field, a, CardId(0), None).unwrap();
        for _ in 1..size {
            let card = position.place(if follows { gear } else { field }, a, CardId(0), None).unwrap();
            position.put_at(card, if follows { gyoji::engine::state::board::NO_SLOT } else { 0 });
            if follows {
                position.attach(card, host);
            }
        }
        position.begin(Begin::Phase(Some(phase)));
        let start = Instant::now();
        let status = machine.run(&mut Silent);
        best = best.min(start.elapsed().as_nanos() as f64);
        assert_eq!(status, Status::Asking);
    }
    best
}

fn main() -> ExitCode {
    let program = program();
    let mut good = true;
    for (phase, def) in program.phases.iter() {
        let times: Vec<f64> = SIZES.iter().map(|size| time(&program, phase, *size)).collect();
        let exponent = (times.last().unwrap() / times.first().unwrap()).log10() / 2.0;
        good &= exponent <= MOST;
        let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
        println!("{} {} exponent {exponent:.2}", def.name.name, times.join(" "));
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
