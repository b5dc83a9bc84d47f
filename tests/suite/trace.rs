//! The trace as JSON lines is as docs/trace.md says: in many games every line has exactly the listed fields.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use super::pages;
use gyoji::diagnostic::Language;
use gyoji::engine::machine::Machine;
use gyoji::engine::random::Generator;
use gyoji::engine::random::seed_of_game;
use gyoji::engine::state::Status;
use gyoji::engine::steps::{Observer, Step, Traced, View};
use gyoji::engine::value::Player;
use gyoji::players::{Answers, Random};
use gyoji::project::{Places, find, load};
use gyoji::scenario::writing;
use gyoji::tell::{Detail, Tracer, Words};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const DOCUMENT: &str = include_str!("../../docs/trace.md");

/// The words in backticks.
fn coded(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(|word| word.trim_matches('"').to_owned()).collect()
}

/// The rows of the table under a heading, as lists of cells.
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
            for field in ["reason", "error", "verdict"] {
                if let Some(word) = line.get(field).and_then(Value::as_str) {
                    assert!(self.known[field].contains(word), "{field}: {word}");
                }
            }
            let id = line["id"].as_u64().unwrap();
            for of in ["part_of", "caused_by"] {
                assert!(line[of].is_null() || line[of].as_u64().is_some_and(|before| (1..id).contains(&before)), "{line:?}");
                *self.seen.entry(of.to_owned()).or_default() += usize::from(!line[of].is_null());
            }
            if let Some(by) = line.get("by") {
                let keys: Vec<&str> = by.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
                assert!(
                    by == "rule"
                        || by.is_null()
                        || [&["card", "player"][..], &["card", "performer", "player"], &["cost", "player"], &["cause", "of"]]
                            .iter()
                            .any(|form| **form == *keys),
                    "{by}"
                );
                assert!(keys.iter().all(|key| self.known["by"].iter().any(|form| form.contains(key))), "{by}");
            }
            *self.seen.entry(kind).or_default() += 1;
        }
    }
}

/// Makes lines for a reader who knows everything, in both languages, and for a reader at a seat.
fn lines() -> Lines {
    let kinds = table("Fields of each kind").into_iter().map(|row| (row[0].trim_matches('`').to_owned(), coded(row[1]))).collect();
    let always = table("Fields of every step").into_iter().map(|row| row[0].trim_matches('`').to_owned()).collect();
    let known: BTreeMap<String, BTreeSet<String>> =
        table("What the fields hold").into_iter().map(|row| (row[0].trim_matches('`').to_owned(), coded(row[1]))).collect();
    let readers = [(Language::English, None), (Language::Japanese, None), (Language::English, Some(Player(1)))];
    let tracers = readers.map(|(language, seat)| Tracer::new(Words::new(language), Detail::All, seat)).into_iter().collect();
    Lines { tracers, seen: BTreeMap::new(), kinds, always, known }
}

#[test]
fn every_line_is_as_documented() {
    let mut lines = lines();
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
    let often = ["turn", "phase", "statement", "began", "performed", "decides", "ability", "effect_begins", "over", "part_of", "caused_by"];
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

/// The lines of every page of the conformance suite have the documented fields, and every documented kind of line occurs.
#[test]
fn every_line_of_every_page_is_as_documented() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for page in pages::pages() {
        let suite = pages::suite(&page);
        for scenario in &suite.scenarios {
            let Ok(begun) = writing::begin(&suite.ground, scenario, &suite.sources) else { continue };
            let (mut machine, mut chance, mut lines) = (begun.machine, Generator::new(7), lines());
            for _ in 0..8 {
                if machine.run(&mut lines) != Status::Asking {
                    break;
                }
                while pages::answer(&mut machine, &mut chance).is_some() {}
            }
            seen.extend(lines.seen.into_keys());
        }
    }
    let documented: BTreeSet<String> = lines().kinds.into_keys().collect();
    // A random player never concedes, and a match is chosen only if it can be met.
    let missing: Vec<&String> = documented.difference(&seen).filter(|kind| !["concedes", "unmatched"].contains(&kind.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// If a waiting ability is not performed or is dropped, the trace says so, with the reason and the rule.
#[test]
fn what_waits_no_longer_is_told() {
    let pages = pages::pages();
    let page = pages.iter().find(|page| page.ends_with("triggers")).unwrap();
    let suite = pages::suite(page);
    let scenario = suite.scenarios.iter().find(|scenario| scenario.title.text.starts_with("three that are not performed")).unwrap();
    let mut text = String::new();
    for (language, json) in [(Language::English, false), (Language::Japanese, false), (Language::English, true)] {
        let mut machine = writing::begin(&suite.ground, scenario, &suite.sources).unwrap().machine;
        let mut lines = Waiting { tracer: Tracer::new(Words::new(language), Detail::All, None), json, text: String::new() };
        machine.run(&mut lines);
        text.push_str(&lines.text);
    }
    insta::assert_snapshot!(text);
}

/// When something takes an ability away, the trace says so once. When the ability is back, the trace says so once.
#[test]
fn an_ability_that_is_taken_away_and_comes_back_is_told_once_each() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/conditions");
    let suite = pages::suite(&page);
    let scenario = suite.scenarios.iter().find(|scenario| scenario.title.text.starts_with("an ability that is disabled")).unwrap();
    let mut machine = writing::begin(&suite.ground, scenario, &suite.sources).unwrap().machine;
    let mut kinds = Kinds { tracer: Tracer::new(Words::new(Language::English), Detail::All, None), kinds: Vec::new() };
    // The score is 1, 2, 0 and 1 at the questions. The ability is disabled while the score is more than 1.
    for told in [&[][..], &["disabled"], &["disabled", "enabled"], &["disabled", "enabled"]] {
        assert_eq!(machine.run(&mut kinds), Status::Asking);
        assert_eq!(kinds.kinds, told);
        let asked = machine.questions().next().unwrap().id;
        machine.answer(asked, &[0]).unwrap();
    }
}

/// Collects the kinds of the lines about abilities that are taken away or come back.
struct Kinds {
    tracer: Tracer,
    kinds: Vec<String>,
}

impl Observer for Kinds {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        let object = self.tracer.object(view, step);
        let kind = object.and_then(|object| object["step"].as_str().map(str::to_owned));
        self.kinds.extend(kind.filter(|kind| ["disabled", "enabled"].contains(&kind.as_str())));
    }
}

/// An announced ability is told by its kind, not as a block that was put by.
#[test]
fn what_was_announced_is_told_by_its_kind() {
    let told = |language: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
        let output = command.args(["test", "window", "--trace", "--lang", language]).current_dir(folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let english = told("en");
    assert!(english.contains("a performs art of 「A」") && !english.contains("a performs a block that 「A」 put by"));
    let japanese = told("ja");
    assert!(japanese.contains("a：「A」 術") && !japanese.contains("a：「A」 が後に回した処理"));
}

/// The trace says why an effect did not replace an action, what is done instead of a replaced action, and who loses a role.
#[test]
fn what_an_effect_could_have_done_is_told_and_a_lost_role() {
    let told = |page: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
        let output = command.args(["test", page, "--trace", "--lang", "en"]).current_dir(folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let replaced = told("replacement");
    assert!(replaced.contains("not replaced: gain(a, 10) by 「A」 (declined)"));
    assert!(replaced.contains("not replaced: gain(a, 1) by 「A」 (what it would do instead cannot be done)"));
    assert!(replaced.contains("a performs the replacement of 「A」") && !replaced.contains("a performs a block that 「A」 put by"));
    let around = told("around");
    assert!(around.contains("「岩」 is no longer attackers") && around.contains("a, b pass (quick; there is nothing to take)"));
}

/// Collects the steps about waiting abilities.
struct Waiting {
    tracer: Tracer,
    json: bool,
    text: String,
}

impl Observer for Waiting {
    const ON: bool = true;

    fn step(&mut self, view: &View<'_>, step: &Traced) {
        let told = matches!(step.step, Step::Waits(..) | Step::NotUsed { .. } | Step::Dropped(_));
        let line = if self.json { self.tracer.object(view, step).map(|line| line.to_string()) } else { self.tracer.line(view, step) };
        self.text.extend(line.filter(|_| told).map(|line| line + "\n"));
    }
}

/// The trace tells branches apart and gives the values of conditions. A block is told once. Every effect that begins ends at most once.
#[test]
fn a_trace_can_be_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let replay = folder.join("read.replay");
    let gyoji = |args: &[&str]| {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    gyoji(&["play", "kaiun", "--seed", "11", "--record", replay.to_str().unwrap(), "--force"]);
    let told = gyoji(&["replay", replay.to_str().unwrap(), "--trace", "--lang", "ja"]);
    let turn: Vec<&str> =
        told.lines().skip_while(|line| !line.contains("── ターン1 ──")).take_while(|line| !line.contains("ターン2")).collect();
    insta::assert_snapshot!(turn.join("\n"));
    let lines = gyoji(&["replay", replay.to_str().unwrap(), "--trace", "--format", "json"]);
    let mut on: BTreeSet<u64> = BTreeSet::new();
    for line in lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        match line["step"].as_str() {
            Some("effect_begins") => assert!(on.insert(line["effect"].as_u64().unwrap()), "{line}"),
            // Effects that hold from the beginning of the game have no line for their beginning.
            Some("effect_ends") => assert!(on.remove(&line["effect"].as_u64().unwrap()) || line["effect"].as_u64() < Some(2), "{line}"),
            _ => {}
        }
    }
    assert!(on.len() < 8, "{on:?}");
}

/// An observer that must not be told anything.
struct Deaf;

impl Observer for Deaf {
    const ON: bool = false;
    fn step(&mut self, _: &View<'_>, step: &Traced) {
        panic!("told {step:?}");
    }
}

/// Without an observer no step is made. `tests/allocations.rs` checks that this takes no memory either.
#[test]
fn who_does_not_look_on_is_told_nothing() {
    for page in pages::pages().into_iter().take(8) {
        let suite = pages::suite(&page);
        for scenario in &suite.scenarios {
            let Ok(begun) = writing::begin(&suite.ground, scenario, &suite.sources) else { continue };
            let (mut machine, mut chance) = (begun.machine, Generator::new(7));
            while machine.run(&mut Deaf) == Status::Asking && machine.state().board.turn < 3 {
                while pages::answer(&mut machine, &mut chance).is_some() {}
            }
        }
    }
}

/// The trace of a scenario shows each rule of its header, a concession and the end of the game, and each action with a body a second time
/// when it has happened.
#[test]
fn a_trace_shows_the_rules_of_the_header_and_the_end() {
    let pages = ["basics", "teams", "replacement", "cited", "layers", "battle", "waited"].map(|page| format!("tests/kernel/{page}"));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let command = command.arg("test").args(&pages).args(["--trace", "--format", "json"]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let (mut shown, mut steps) = (BTreeSet::new(), Vec::new());
    let (mut begun, mut performed, mut ended, mut headers) = (BTreeSet::new(), BTreeSet::new(), 0, 0);
    for line in told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let words = |key: &str| -> Vec<String> {
            line[key].as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
        };
        match line["kind"].as_str() {
            Some("scenario") => (shown, steps) = (BTreeSet::new(), Vec::new()),
            Some("step") => {
                shown.extend(words("rules").into_iter().chain(words("also")));
                let step = line["step"].as_str().unwrap_or_default().to_owned();
                let verb = line["verb"].as_str().unwrap_or_default().to_owned();
                match step.as_str() {
                    "began" => _ = begun.insert(verb),
                    "performed" => _ = performed.insert(verb),
                    _ => {}
                }
                steps.push(step);
            }
            Some("without_step") => shown.extend(words("rules")),
            None if line["sort"] == "played" => {
                let missing: Vec<String> = words("rules").into_iter().filter(|rule| !shown.contains(rule)).collect();
                assert!(missing.is_empty(), "{}: {missing:?}", line["title"]);
                headers += words("rules").len();
                if steps.iter().any(|step| step == "concedes") {
                    assert!(steps.iter().any(|step| step == "over"), "{}", line["title"]);
                    ended += 1;
                }
            }
            _ => {}
        }
    }
    assert!(headers > 20 && ended >= 2, "{headers} rules, {ended} concessions");
    assert!(begun.intersection(&performed).count() > 5, "{performed:?}");
}

/// The lines of a text trace without margin, branch and the rules of other steps.
fn bare(told: &str) -> Vec<String> {
    let bare = |line: &str| {
        let (before, after) = line.trim_start().split_once("  ").unwrap_or((line, ""));
        let text = if line.starts_with(before) && !after.is_empty() { after } else { line }.trim();
        let (branch, behind) = text.split_once("│ ").unwrap_or(("", text));
        let text = if branch.chars().all(|sign| sign.is_ascii_digit()) { behind } else { text };
        let text = text.split("  (also ").next().and_then(|text| text.split("（ほかに ").next()).unwrap_or_default();
        text.trim_matches(['─', ' ']).to_owned()
    };
    told.lines().map(bare).filter(|line| !line.is_empty()).collect()
}

/// The texts of the steps in JSON lines, with their kinds.
fn texts(told: &str) -> Vec<(String, String)> {
    let lines = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(|line| line["kind"] == "step");
    lines.map(|line| (line["step"].as_str().unwrap_or_default().to_owned(), line["text"].as_str().unwrap_or_default().to_owned())).collect()
}

/// One game is told with the same words, in the same order, by `play`, by `replay`, by `test` of a scenario that plays it on, as lines and
/// as JSON; and a scenario that fails shows the last of these lines.
#[test]
fn every_command_tells_the_same_steps() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("told_alike");
    std::fs::create_dir_all(&folder).unwrap();
    let run = |args: &[&str]| {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (game, language) in [("kaiun", "ja"), ("victory_spark", "en"), ("kiseki", "ja")] {
        let (record, file) = (folder.join(format!("{game}.ron")), folder.join(format!("{game}.scenarios")));
        let (record, file) = (record.to_str().unwrap(), file.to_str().unwrap());
        let played = run(&["play", game, "--seed", "3", "--record", record, "--force", "--format", "json", "--lang", language]);
        let all = texts(&run(&["replay", record, "--trace", "--format", "json", "--lang", language]));
        assert_eq!(texts(&played), all, "{game}");
        // A line for people is a step of the same text, in the same order. A line that joins passes has words of its own, and leaves out
        // what stands between them. The last line says that the game is the same.
        let lines = bare(&run(&["replay", record, "--trace", "--lang", language]));
        let mut rest = all.iter();
        let mut left_out = BTreeSet::new();
        for line in lines.iter().take(lines.len() - 1) {
            match rest.clone().position(|(_, text)| text.trim_matches(['─', ' ']) == line) {
                Some(at) => {
                    left_out.extend(rest.by_ref().take(at).map(|(kind, _)| kind.as_str()));
                    rest.next();
                }
                None => assert!(line.contains("パス") || line.contains("pass"), "{game}: `{line}` is no step"),
            }
        }
        let between = BTreeSet::from(["performed", "decides", "statement", "began"]);
        let other: Vec<&&str> = left_out.difference(&between).collect();
        assert!(other.is_empty() && lines.len() > all.len() / 8, "{game}: {other:?}");
        // A scenario that plays the same answer goes through the same steps, and shows the last of them if an expectation fails.
        let text = run(&["replay", record, "--at", "20", "--scenario", "--lang", language]);
        std::fs::write(file, &text).unwrap();
        let tested = texts(&run(&["test", file, "--trace", "--format", "json", "--lang", language]));
        assert!(tested.len() > 3 && all.windows(tested.len()).any(|part| part == tested), "{game}: {tested:?}");
        let traced = bare(&run(&["test", file, "--trace", "--lang", language]));
        std::fs::write(file, text.replace("expect {", "expect {\n    game drawn")).unwrap();
        let failed = run(&["test", file, "--lang", language]);
        let last = failed.split("last steps:\n").nth(1).or_else(|| failed.split("最後の処理：\n").nth(1)).unwrap();
        let last: Vec<&str> = last.lines().take_while(|line| !line.is_empty()).map(|line| line.get(4..).unwrap_or_default()).collect();
        assert!(last.len() > 2 && bare(&last.join("\n")).iter().all(|line| traced.contains(line)), "{game}: {failed}");
    }
}
