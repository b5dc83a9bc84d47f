//! Too much of something: findings, cards, decisions. And nothing at all.

use super::{check, folder, gyoji, path, said};

#[test]
fn of_very_many_findings_the_first_are_shown_and_the_rest_counted() {
    let folder = folder("many_findings");
    let lines: String = (0..30_000).map(|line| format!("bad line {line} !\n")).collect();
    std::fs::write(folder.join("g.rules"), format!("gyoji 1\ngame g \"g\" {{ players 2 }}\n{lines}")).unwrap();
    let rules = ["check", "--rules", path(&folder)];
    check(&rules, "", 1, &["… and 29900 more findings", "errors: 30000", "g.rules:102:1"]);
    check(&[&rules[..], &["--lang", "ja"]].concat(), "", 1, &["… ほかに 29900 件"]);
    let (_, out, _) = said(&gyoji(&[&rules[..], &["--format", "json"]].concat(), ""));
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 102);
    assert_eq!(lines[100], serde_json::json!({ "kind": "more", "findings": 29_900 }));
    assert_eq!(lines[101]["not_shown"], 29_900);
}

/// A game whose only phase asks for ever.
pub(super) const ENDLESS: &str = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\nzone deck \"山\" { each player  ordered  hidden  starts with deck }\n\n\
    card unit \"札\" { }\n\nturn { phase only \"問い\" { loop { for p in players { may p { shuffle(deck(p)) } } } } }\n\n\
    judgement(losing: set of player, winning: set of player) { finish_drawn() }\n";

pub(super) fn endless(name: &str) -> std::path::PathBuf {
    super::game(name, ENDLESS)
}

#[test]
fn a_game_that_asks_for_ever_counts_as_one_that_ended_in_an_error() {
    let folder = endless("endless");
    let run = ["simulate", "--rules", path(&folder), "--games", "3", "--seed", "5", "--max-decisions", "50"];
    check(&run, "", 1, &["E0849", "after 50 decisions", "--seed 5 --number 0", "ended in an error"]);
    check(&[&run[..], &["--format", "json"]].concat(), "", 1, &["\"errors\":3", "\"decisions\":150"]);
    check(&["simulate", "--help"], "", 0, &["--max-decisions", "never ends"]);
    check(&["play", "--rules", path(&folder), "--seed", "5", "--max-decisions", "50"], "", 1, &["E0860", "after 50 decisions"]);
}

#[test]
fn a_scenario_and_a_deck_hold_so_many_cards_and_no_more() {
    let folder = endless("many_cards");
    let scenarios = folder.join("ask.scenarios");
    let steps =
        ["given { a { deck: \"X\" x65530 } }", "given { a { deck: \"X\" x600, \"X\" x401 } }", "deck { 2000000000 \"X\" } accepted"];
    for step in steps {
        let text = format!("gyoji 1\n\nscenarios ask\n\nscenario \"much\" {{\n  {step}\n  expect {{ game goes on }}\n}}\n");
        std::fs::write(&scenarios, text).unwrap();
        check(&["test", "--rules", path(&folder), path(&scenarios)], "", 1, &["E0515", "more than 1000 cards"]);
    }
    let deck = folder.join("much.ron");
    std::fs::write(&deck, "(name: \"much\", cards: [(999, \"X\"), (2, \"X\")])").unwrap();
    let named = format!("a={}", path(&deck));
    check(&["play", "--rules", path(&folder), "--deck", &named], "", 2, &["E0705", "at most 1000 cards"]);
}

#[test]
fn to_run_no_scenario_is_no_success() {
    let folder = folder("no_scenarios");
    check(&["test", path(&folder)], "", 2, &["E0567", "no scenarios to run"]);
    let empty = folder.join("none.scenarios");
    std::fs::write(&empty, "gyoji 1\n\nscenarios kaiun\n").unwrap();
    check(&["test", path(&empty), "--lang", "ja"], "", 2, &["E0567", "実行するシナリオがありません"]);
}
