//! The trace as JSON lines is what docs/trace.md says: every line of many games has the fields that are listed, and no other.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use gyoji::diagnostic::Language;
use gyoji::engine::machine::Machine;
use gyoji::engine::observe::{Observer, Traced, View};
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::value::Player;
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, find, load};
use gyoji::report::{Detail, Tracer, Words};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const DOCUMENT: &str = include_str!("../../docs/trace.md");

/// Words in backticks.
fn coded(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(|word| word.trim_matches('"').to_owned()).collect()
}

/// The rows of the table under a heading, each as its cells.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let part = DOCUMENT.split("\n## ").find(|part| part.starts_with(heading)).unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

struct Lines {
    tracers: Vec<Tracer>,
    seen: BTreeMap<String, usize>,
    kinds: BTreeMap<String, BTreeSet<String>>,
    always: BTreeSet<String>,
    known: BTreeMap<String, BTreeSet<String>>,
}

impl Observer for Lines {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        for tracer in &mut self.tracers {
            let Some(Value::Object(line)) = tracer.object(view, step) else { continue };
            let kind = line["step"].as_str().unwrap().to_owned();
            let fields = self.kinds.get(&kind).unwrap_or_else(|| panic!("{kind} is not documented"));
            let expected: BTreeSet<&String> = self.always.iter().chain(fields).collect();
            assert_eq!(line.keys().collect::<BTreeSet<_>>(), expected, "{line:?}");
            if let Some(reason) = line.get("reason").and_then(Value::as_str) {
                assert!(self.known["reason"].contains(reason), "{reason}");
            }
            *self.seen.entry(kind).or_default() += 1;
        }
    }
}

#[test]
fn every_line_is_as_documented() {
    let kinds = table("Fields of each kind").into_iter().map(|row| (row[0].trim_matches('`').to_owned(), coded(row[1]))).collect();
    let always = table("Fields of every step").into_iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let known: BTreeMap<String, BTreeSet<String>> =
        table("What the fields hold").into_iter().map(|row| (row[0].trim_matches('`').to_owned(), coded(row[1]))).collect();
    let readers = [(Language::English, None), (Language::Japanese, None), (Language::English, Some(Player(1)))];
    let tracers = readers.map(|(language, seat)| Tracer::new(Words::new(language), Detail::All, seat)).into_iter().collect();
    let mut lines = Lines { tracers, seen: BTreeMap::new(), kinds, always, known };
    for field in lines.kinds.values().flatten() {
        assert!(lines.known.contains_key(field), "{field} is not explained");
    }
    let project = find(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (game, _) = load("kaiun", &Places::default(), project.as_ref()).unwrap();
    let decks: Vec<_> = game.decks.iter().map(|deck| deck.card_ids(&game.compiler).unwrap()).take(2).collect();
    for number in 0..12 {
        let mut machine = Machine::new(game.program.clone());
        machine.start(&decks, seed_of_game(3, number));
        let mut random = Random::new(3, number);
        while machine.run(&mut lines) == Status::Asking {
            loop {
                let Some(question) = machine.questions().find(|question| !question.answered) else { break };
                let (id, mut picks) = (question.id, Vec::new());
                random.answer(&question, &mut picks);
                machine.answer(id, &picks).unwrap();
            }
        }
    }
    let often = ["turn", "phase", "statement", "began", "performed", "decides", "ability", "effect_begins", "over"];
    assert!(often.iter().all(|kind| lines.seen.contains_key(*kind)), "{:?}", lines.seen);
}

/// The example in the document has the documented fields too.
#[test]
fn the_example_is_as_documented() {
    let kinds: BTreeMap<String, BTreeSet<String>> =
        table("Fields of each kind").into_iter().map(|row| (row[0].trim_matches('`').to_owned(), coded(row[1]))).collect();
    let always: BTreeSet<String> = table("Fields of every step").into_iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let examples: Vec<Value> =
        DOCUMENT.lines().filter(|line| line.starts_with("{\"")).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!examples.is_empty());
    for example in examples {
        let Value::Object(example) = example else { panic!("{example}") };
        let expected: BTreeSet<&String> = always.iter().chain(&kinds[example["step"].as_str().unwrap()]).collect();
        assert_eq!(example.keys().collect::<BTreeSet<_>>(), expected);
    }
}
