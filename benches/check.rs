//! How long `gyoji check` of a whole game and the start of `gyoji play` take: `cargo bench --bench check`.
//!
//! Runs the program itself, as somebody who writes rules does after each change, and prints the milliseconds of the best and the middle
//! of some runs. Stops with an error when even the best is too slow.
#![allow(clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use std::process::{Command, Stdio};
use std::time::Instant;

/// What else the machine does slows some runs.
const RUNS: usize = 21;

/// What is run, and the most milliseconds that it may take.
const ROWS: [(&str, &[&str], f64); 4] = [
    ("check_kaiun", &["check", "rules/kaiun", "cards/kaiun", "tests/scenarios/kaiun"], 50.0),
    ("check_kiseki", &["check", "rules/kiseki", "cards/kiseki", "tests/scenarios/kiseki"], 150.0),
    ("check_lftcg", &["check", "rules/lftcg", "cards/lftcg", "tests/scenarios/lftcg"], 150.0),
    // The table, the first question, and the end of the input.
    ("play_kaiun", &["play", "kaiun", "--seat", "a=human", "--seed", "1"], 50.0),
];

fn main() {
    // `cargo test --benches` only wants to know that it runs.
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
    // Four times as many may not take much more than four times as long.
    if many > few * 8.0 + 100.0 && !cfg!(debug_assertions) {
        slow.push("format_cites");
    }
    assert!(slow.is_empty(), "too slow: {}", slow.join(", "));
}

/// Builds the program as everybody builds it, without what the tests need.
fn build_alone() {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--release", "--quiet", "--bin", "gyoji"]);
    assert!(build.status().is_ok_and(|status| status.success()), "the program cannot be built");
}

/// How long `gyoji fmt` takes for a declaration with so many citations at its head, at best.
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
    // What is left in the folder of temporary files is removed by nobody else.
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
        // The end of the input where an answer is wanted is 2.
        Ok(Some(0 | 2)) => took,
        other => panic!("gyoji {}: {other:?}", args.join(" ")),
    }
}
