//! Positions that are written as scenarios at a question or from a replay, and played on from.

use super::{check, folder, gyoji, path, said};

#[test]
fn a_position_is_written_and_played_on_from() {
    let folder = folder("written");
    let (first, second) = (folder.join("first.scenarios"), folder.join("second.scenarios"));
    let (first, second) = (path(&first), path(&second));
    let seats = ["play", "kaiun", "--seat", "a=human", "--seed", "4"];
    check(&seats, &format!("1\nw {first}\nq\n"), 0, &["written down as", first]);
    // An existing file is not overwritten.
    check(&seats, &format!("1\nw {first}\nq\n"), 2, &["E0821"]);
    check(&["test", first], "", 0, &["1 passed, 0 failed"]);
    check(&["play", "--scenario", first, "--seat", "a=human"], &format!("1\nw {second}\nq\n"), 0, &[second]);
    check(&["test", second], "", 0, &["1 passed, 0 failed"]);
    check(&["fmt", "--check", first, second], "", 0, &[]);
    check(&["play", "--scenario", first, "--seat", "a=human"], "s\n", 2, &["E0873"]);
    check(&["play", "--scenario", &format!("{first}:2")], "", 2, &["E0871", "6"]);
    check(&["play", "--scenario", &format!("{first}:8"), "--seat", "a=human"], "q\n", 0, &[]);
}

#[test]
fn what_lies_hidden_is_not_written_beside_somebody_else() {
    let folder = folder("written_hidden");
    let file = folder.join("position.scenarios");
    let file = path(&file);
    let seats = ["play", "kaiun", "--seat", "a=human", "--seat", "b=human", "--seed", "4"];
    check(&seats, &format!("w {file}\n"), 2, &["E0872", "--open"]);
    let open: Vec<&str> = seats.into_iter().chain(["--open"]).collect();
    check(&open, &format!("1\nw {file}\nq\n"), 0, &[file]);
    check(&["test", file], "", 0, &["1 passed"]);
}

#[test]
fn a_replay_is_written_at_a_decision() {
    let folder = folder("written_replay");
    let (record, file) = (folder.join("game.ron"), folder.join("position.scenarios"));
    let (record, file) = (path(&record), path(&file));
    check(&["play", "kaiun", "--seed", "3", "--record", record], "", 0, &[]);
    check(&["replay", record, "--at", "5", "--scenario", file], "", 0, &[]);
    check(&["test", file], "", 0, &["1 passed"]);
    check(&["replay", record, "--scenario"], "", 0, &["scenarios kaiun", "wins"]);
    check(&["replay", record, "--at", "9999", "--scenario"], "", 2, &["E0870"]);
    check(&["replay", record, "--at", "1"], "", 2, &["--scenario"]);
}

/// The usual position may name a value of the game, and rules may ask when a card came, although cards were shuffled into a deck.
#[test]
fn a_position_is_written_whatever_the_rules_ask() {
    let folder = folder("written_small");
    let record = folder.join("game.ron");
    let record = path(&record);
    for (game, at) in [("default_of_game", "1"), ("arrived", "2")] {
        let rules = format!("{}/tests/fixtures/written/{game}", env!("CARGO_MANIFEST_DIR"));
        check(&["play", &rules, "--seed", "1", "--record", record, "--force"], "", 0, &["wins"]);
        check(&["replay", record, "--rules", &rules, "--cards", &rules, "--at", at, "--scenario"], "", 0, &["scenario", "given"]);
    }
}

#[test]
fn a_scenario_that_asserts_nothing_is_a_finding() {
    let folder = folder("asserts_nothing");
    let file = folder.join("nothing.scenarios");
    std::fs::write(&file, "gyoji 1\nscenarios kaiun\n\nscenario \"nothing\" {\n  given { turn 2 }\n}\n").unwrap();
    check(&["check", path(&file)], "", 1, &["E0543"]);
    check(&["test", path(&file)], "", 1, &["E0543", "0 passed, 1 failed"]);
}

#[test]
fn for_programs_it_is_an_object() {
    let folder = folder("written_json");
    let (record, file) = (folder.join("game.ron"), folder.join("position.scenarios"));
    let (record, file) = (path(&record), path(&file));
    check(&["play", "kaiun", "--seed", "3", "--record", record], "", 0, &[]);
    check(&["replay", record, "--at", "2", "--scenario", "--format", "json"], "", 0, &["{\"kind\":\"scenario\",\"text\":\"gyoji 1"]);
    let seats = ["play", "kaiun", "--seat", "a=human", "--seed", "4", "--format", "json"];
    check(&seats, &format!("w {file}\nq\n"), 0, &["\"kind\":\"written\"", "\"among\":"]);
}

/// A program waits for a line after each answer that it gives. If nothing can be taken back, it gets the question once more.
#[test]
fn a_program_that_takes_back_nothing_gets_the_question_again() {
    let (_, out, _) = said(&gyoji(&["play", "kaiun", "--seat", "a=human", "--seed", "4", "--format", "json"], "u\nq\n"));
    assert_eq!(out.matches("\"kind\":\"question\"").count(), 2, "{out}");
}

/// What a player could have taken may depend on the player's hand. So the log of another seat does not say it.
#[test]
fn the_log_of_a_seat_does_not_say_what_others_could_have_taken() {
    let (_, out, _) = said(&gyoji(&["play", "kiseki", "--seat", "a=human", "--seed", "4", "--format", "json"], &"1\n".repeat(60)));
    let of = |seat: &str| -> Vec<&str> {
        let player = format!("\"player\":\"{seat}\"");
        out.lines().filter(|line| line.contains("\"step\":\"decides\"") && line.contains(&player)).collect()
    };
    assert!(of("a").iter().all(|line| !line.contains("\"among\":null")), "{out}");
    assert!(!of("b").is_empty() && of("b").iter().all(|line| line.contains("\"among\":null")), "{out}");
}
