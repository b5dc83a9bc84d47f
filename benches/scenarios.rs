//! Measures how long 1,000 scenarios of Kaiun take: `cargo bench --bench scenarios`.
//!
//! It does the work of `gyoji test`: it reads the rules, cards and scenario files and runs scenarios on all cores. All files are read, but only
//! the first 1,000 scenarios are run. (With fewer scenarios the files would be read again until there are enough.) The bench prints the best
//! time of some rounds in seconds, and stops with an error if even the best is too slow.
#![allow(clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::project::{Places, find, load};
use gyoji::scenario::suite::Suite;
use std::path::Path;
use std::time::Instant;

/// The number of scenarios.
const SCENARIOS: usize = 1_000;

/// The number of rounds. Other work of the machine slows some rounds.
const ROUNDS: u32 = 5;

/// The most seconds allowed.
const MOST_SECONDS: f64 = 2.0;

fn main() {
    // `cargo test --benches` only wants to know that the bench runs.
    let rounds = if std::env::args().any(|arg| arg == "--test") { 1 } else { ROUNDS };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        let passed = run(root);
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(passed, SCENARIOS, "scenarios that pass");
    }
    println!("scenarios {SCENARIOS} seconds {best:.3}");
    assert!(best < MOST_SECONDS, "{SCENARIOS} scenarios take more than {MOST_SECONDS} seconds");
}

/// Reads everything and runs the first scenarios. Returns how many passed.
fn run(root: &Path) -> usize {
    let files = files(&root.join("tests/scenarios/kaiun"));
    let project = find(root).ok().flatten();
    let game = match load("kaiun", &Places::default(), project.as_ref()) {
        Ok((game, _)) => game,
        Err(finding) => panic!("{finding:?}"),
    };
    let mut suite = Suite::new(&game);
    suite.add_all(&files);
    assert!(!suite.scenarios.is_empty(), "there are no scenarios");
    while suite.scenarios.len() < SCENARIOS {
        suite.add_all(&files);
    }
    suite.scenarios.truncate(SCENARIOS);
    suite.verdicts().iter().filter(|verdict| verdict.passed()).count()
}

/// The scenario files of a folder, sorted by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { panic!("no folder {}", folder.display()) };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| (path.display().to_string(), std::fs::read(path).unwrap_or_default());
    paths.iter().map(read).collect()
}
