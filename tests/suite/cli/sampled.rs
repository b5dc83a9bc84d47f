//! Games with offers: `simulate` draws a way to act, `play` lists the ways, and a record holds the way that was taken.

#![allow(clippy::string_slice, reason = "a test")]

use super::{check, folder, gyoji, path, said};
use gyoji::engine::state::save::{FORMAT, OLDEST_RECORD};
use serde_json::Value as Json;

fn objects(args: &[&str]) -> Vec<Json> {
    let (code, out, err) = said(&gyoji(&[args, &["--format", "json"]].concat(), ""));
    assert_eq!(code, 0, "{args:?}: {err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The results of games, without the times.
fn counted(args: &[&str]) -> Json {
    let mut sums = objects(&[&["simulate", "kiseki", "--games", "1", "--seed", "6"], args].concat()).remove(0);
    sums.as_object_mut().unwrap().remove("games_per_second");
    sums
}

#[test]
fn a_game_is_the_same_drawn_listed_or_saved() {
    let sums = counted(&["--threads", "1"]);
    assert_eq!(sums["games"], 1);
    assert_eq!(sums, counted(&["--threads", "2"]));
    // An observer is told all offers, so these games list them.
    assert_eq!(sums, counted(&["--usage"]));
    assert_eq!(sums, counted(&["--save-at-every-decision"]));
    // The game that `play` shows lists its offers too.
    let mut won = [0, 0];
    let lines = objects(&["play", "kiseki", "--seed", "6", "--number", "0"]);
    let result = lines.iter().find(|line| line["kind"] == "result").unwrap();
    won[usize::from(result["winner"] == "b")] += u64::from(!result["winner"].is_null());
    assert_eq!(sums["wins"], serde_json::json!(won));
}

#[test]
fn a_record_says_what_was_taken_whatever_else_was_offered() {
    let folder = folder("taken");
    let (new, other) = (folder.join("new.ron"), folder.join("other.ron"));
    check(&["play", "kiseki", "--seed", "9", "--record", path(&new)], "", 0, &[]);
    let text = std::fs::read_to_string(&new).unwrap();
    assert!(text.contains("way: Some((option: \"gain_ep\", args: [") && text.contains(&format!("format: {FORMAT}")), "{text}");
    check(&["replay", path(&new)], "", 0, &["The same game"]);
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from));
        let _ = std::fs::remove_file(&other);
        std::fs::write(&other, text.replacen(from, to, 1)).unwrap();
    };
    let replay = ["replay", path(&other)];
    // The record does not need the place in the offer. It needs the option and the card.
    let line = text.lines().find(|line| line.contains("picks: [1]") && line.contains("way: Some")).unwrap();
    changed(line, &line.replacen("picks: [1]", "picks: [0]", 1));
    check(&replay, "", 0, &["The same game"]);
    changed(line, &line.replacen("option: \"", "option: \"un", 1));
    check(&replay, "", 1, &["E0829"]);
    let arguments = line.find("args: [Object(id: (").unwrap();
    changed(line, &format!("{}{}", &line[..arguments], line[arguments..].replacen("id: (", "id: (9", 1)));
    check(&replay, "", 1, &["E0829"]);
}

/// Older records have only places.
#[test]
fn an_older_record_is_played_again() {
    let folder = folder("older_record");
    let (new, old) = (folder.join("new.ron"), folder.join("old.ron"));
    check(&["play", "kiseki", "--seed", "9", "--record", path(&new)], "", 0, &[]);
    let text = std::fs::read_to_string(&new).unwrap();
    let without = |line: &str| match (line.find(", way: Some(("), line.find(", said: ")) {
        (Some(from), Some(until)) => format!("{}{}\n", &line[..from], &line[until..]),
        _ => format!("{line}\n"),
    };
    let text: String = text.lines().map(without).collect();
    assert!(!text.contains("way:"));
    let of = |format: u32| text.replacen(&format!("format: {FORMAT}"), &format!("format: {format}"), 1);
    std::fs::write(&old, of(OLDEST_RECORD)).unwrap();
    check(&["replay", path(&old)], "", 0, &["The same game"]);
    let picks = text.find("picks: [1]").unwrap();
    let wrong = format!("{}picks: [0]{}", &text[..picks], &text[picks + "picks: [1]".len()..]);
    std::fs::write(&old, wrong.replacen(&format!("format: {FORMAT}"), &format!("format: {OLDEST_RECORD}"), 1)).unwrap();
    check(&["replay", path(&old)], "", 1, &["E0829"]);
    std::fs::write(&old, of(OLDEST_RECORD - 1)).unwrap();
    let known: Vec<String> = (OLDEST_RECORD..=FORMAT).map(|format| format.to_string()).collect();
    check(&["replay", path(&old)], "", 2, &["E0825", &known.join(", ")]);
}
