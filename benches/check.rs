//! Measures how long `gyoji check` of a whole game and the start of `gyoji play` take: `cargo bench --bench check`.
//!
//! It runs the program itself, as a rules author does after each change. It prints the best and the
//! middle time of some runs in milliseconds, and stops with an error if even the best time is too long.
#![allow(clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use std::process::{Command, Stdio};
use std::time::Instant;

/// How often each command is run. Other work of the machine slows some runs.
const RUNS: usize = 21;

/// The commands, each with a name and the most milliseconds that it may take.
const ROWS: [(&str, &[&str], f64); 4] = [
    ("check_kaiun", &["check", "rules/kaiun", "cards/kaiun", "tests/scenarios/kaiun"], 50.0),
    ("check_kiseki", &["check", "rules/kiseki", "cards/kiseki", "tests/scenarios/kiseki"], 150.0),
    ("check_lftcg", &["check", "rules/lftcg", "cards/lftcg", "tests/scenarios/lftcg"], 150.0),
    // The program draws the table, asks the first question, and meets the end of its input.
    ("play_kaiun", &["play", "kaiun", "--seat", "a=human", "--seed", "1"], 50.0),
];

fn main() {
    // `cargo test --benches` only wants to know that the bench runs.
    let runs = if std::env::args().any(|arg| arg == "--test") { 1 } else { RUNS };
    if runs > 1 {
        build_alone();
    }
    let mut slow = Vec::new();
    for (name, args, most) in ROWS {
        let mut times: Vec<f64> = (0..runs).map(|_| milliseconds(args)).collect();
        times.sort_by(f64::total_cmp);
        let (best, middle) = (times.first().copied().unwrap_or(0.0), times.get(runs / 2).copied().unwrap_or(0.0));
        println!("{name} best_ms {best:.1} middle_ms {middle:.1} wanted_ms {most}");
        if best > most && !cfg!(debug_assertions) {
            slow.push(name);
        }
    }
    let (few, many) = (formatting(10_000), formatting(40_000));
    println!("format_cites 10000 ms {few:.1} 40000 ms {many:.1}");
    // Four times as many citations may not take much more than four times as long.
    if many > few * 8.0 + 100.0 && !cfg!(debug_assertions) {
        slow.push("format_cites");
    }
    assert!(slow.is_empty(), "too slow: {}", slow.join(", "));
}

/// Builds the program in the usual way, without the extra features of the tests.
fn build_alone() {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--release", "--quiet", "--bin", "gyoji"]);
    assert!(build.status().is_ok_and(|status| status.success()), "the program cannot be built");
}

/// The best time of `gyoji fmt` in milliseconds for a declaration with this many citations at its head.
fn formatting(cites: usize) -> f64 {
    let file = std::env::temp_dir().join(format!("gyoji-cites-{}.rules", std::process::id()));
    let text = format!("gyoji 1\n\naction x(p: player) \"x\"{} {{ draw(p, 1) }}\n", " @1-1".repeat(cites));
    let name = file.display().to_string();
    let once = || {
        if let Err(error) = std::fs::write(&file, &text) {
            panic!("{name}: {error}");
        }
        milliseconds(&["fmt", &name])
    };
    let best = (0..3).map(|_| once()).fold(f64::INFINITY, f64::min);
    // Nobody else cleans the folder of temporary files.
    let _ = std::fs::remove_file(&file);
    best
}

fn milliseconds(args: &[&str]) -> f64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gyoji"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    let start = Instant::now();
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let took = start.elapsed().as_secs_f64() * 1e3;
    match ended.map(|status| status.code()) {
        // Code 2: the input ended where an answer was wanted.
        Ok(Some(0 | 2)) => took,
        other => panic!("gyoji {}: {other:?}", args.join(" ")),
    }
}
