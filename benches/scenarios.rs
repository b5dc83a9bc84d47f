//! How long 1,000 scenarios of Kaiun take: `cargo bench --bench scenarios`.
//!
//! Does what `gyoji test` does: reads the rules, cards and scenario files and runs every scenario on all cores. There are fewer than
//! 1,000, so the files are read once more until there are. Prints the seconds of the best of some rounds, and stops with an error when
//! even that is too slow.
#![allow(clippy::panic, reason = "a wrong measurement must stop, not be reported")]

use gyoji::project::{Places, find, load};
use gyoji::scenario::suite::Suite;
use std::path::Path;
use std::time::Instant;

/// How many are run.
const SCENARIOS: usize = 1_000;

/// What else the machine does slows some rounds.
const ROUNDS: u32 = 5;

/// More than this is too slow.
const MOST_SECONDS: f64 = 2.0;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
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

/// Reads everything and runs the scenarios; how many passed.
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

/// The scenario files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { panic!("no folder {}", folder.display()) };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| (path.display().to_string(), std::fs::read(path).unwrap_or_default());
    paths.iter().map(read).collect()
}
