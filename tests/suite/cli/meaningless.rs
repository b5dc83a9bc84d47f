//! Input without a meaning is refused: answers without a calculation behind them, lists that are too long, names
//! that stand for nothing, input without an end.

use super::limits::endless;
use super::{check, folder, game, gyoji, path, said};
use std::path::PathBuf;

/// A game on one page. Its turn asks, does the given thing, and asks again. A scenario expects something after the first answer.
fn page(name: &str, declared: &str, done: &str, kin: &str, expected: &str) -> PathBuf {
    let folder = folder(name);
    let rules = format!(
        "gyoji 1\n\ngame {name} \"問\" {{ players 2 }}\ncard unit \"札\" {{ power \"力\" : number  kin \"族\" : set of symbol }}\n\
         zone field \"場\" {{ each player  public }}\nstate score \"点\" : number on player\naction tick() \"刻む\" {{ }}\n{declared}\n\
         turn {{\n  phase only \"番\" {{\n    choose rest: 1 from players by you\n    {done}\n    choose rest_2: 1 from players by you\n  \
         }}\n}}\n"
    );
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(
        folder.join("a.scenarios"),
        format!(
            "gyoji 1\nscenarios {name}\n\nscenario \"x\" {{\n  card \"A\" unit \"紙\" {{ power 1 {kin} }}\n  given {{ phase only  a {{ field: \
             \"A\" }} }}\n  play {{ a: rest a }}\n  expect {{ {expected} }}\n}}\n"
        ),
    )
    .unwrap();
    folder
}

/// Once, the check of a deck gave up after four million looks. The deck was then legal by a condition with `not`, and broke the same one without `not`.
#[test]
fn a_condition_on_a_deck_without_a_result_makes_no_deck_legal() {
    let folder = endless("deck_musts");
    let rules = std::fs::read_to_string(folder.join("ask.rules")).unwrap();
    std::fs::write(folder.join("decks").join("d.ron"), "(name: \"d\", cards: [(700, \"X\")])").unwrap();
    let all = "all deck as k where all deck as m where all deck as n where length(k.name) + length(m.name) + length(n.name) < 99";
    let with = |must: &str| std::fs::write(folder.join("ask.rules"), format!("{rules}\ndeck check {{ must {must} }}\n")).unwrap();
    let run = ["simulate", "--rules", path(&folder), "--games", "1", "--max-decisions", "9"];
    with(&format!("not ({all})"));
    check(&run, "", 2, &["E0708", "cannot be worked out"]);
    with(all);
    check(&run, "", 2, &["E0708"]);
    with("sum(deck, 2147483647) > 0");
    check(&run, "", 2, &["E0708", "too large"]);
    with("some deck as k where k.name == \"鷹\"");
    check(&run, "", 2, &["E0707"]);
}

/// Once, a `for` over 70,000 events went through only 4,464 of them.
#[test]
fn a_list_that_is_too_long_is_not_cut_short() {
    let folder =
        page("long_list", "", "repeat 70000 { tick() }  for e in happened tick() { you.score = you.score + 1 }", "", "a.score == 4464");
    check(&["test", path(&folder)], "", 1, &["E0649", "65,535"]);
    let counts = "repeat 70000 { tick() }  you.score = count(happened tick())";
    check(&["test", path(&page("long_count", "", counts, "", "a.score == 70000"))], "", 0, &[]);
}

#[test]
fn so_many_members_are_written_and_no_more() {
    let kin = |most: usize| format!("kin [{}]", (0..most).map(|at| format!("s{at}")).collect::<Vec<_>>().join(", "));
    let done = "for c in field { you.score = count(c.kin) }";
    check(&["test", path(&page("long_kin", "", done, &kin(70_000), "a.score == 65535"))], "", 1, &["E0229", "members of one list"]);
    check(&["test", path(&page("short_kin", "", done, &kin(4000), "a.score == 4000"))], "", 0, &[]);
    let numbers: Vec<String> = (0..70_000).map(|at| at.to_string()).collect();
    let listed = format!("function many() -> number = count([{}])", numbers.join(", "));
    let folder = page("long_listed", &listed, "you.score = many()", "", "a.score == 4464");
    check(&["check", path(&folder)], "", 1, &["E0229", "members of one list"]);
}

/// Once, to ask who is first by an undefined number gave all players, without a message.
#[test]
fn an_order_by_no_number_is_an_error() {
    let together = |name: &str, number: &str| {
        let declared = format!("policy choices {{ together = {number} }}");
        page(name, &declared, "simultaneously for p in players { choose pick_one: 1 from players by p }", "", "asked a: pick_one")
    };
    for (name, number) in [("no_order", "1 / asked.score"), ("large_order", "2147483647 * (asked.score + 2)")] {
        check(&["test", path(&together(name, number))], "", 1, &["E0648", "undefined or too large"]);
    }
    check(&["test", path(&together("an_order", "asked.score"))], "", 0, &[]);
    let batches = |name: &str, number: &str| {
        let declared = format!("policy batches {{ order = {number} }}");
        page(name, &declared, "simultaneously for p in players { p.score = 3 }", "", "a.score == 3")
    };
    check(&["test", path(&batches("no_batch_order", "1 / actor.score"))], "", 1, &["E0648"]);
    check(&["test", path(&batches("a_batch_order", "actor.score"))], "", 0, &[]);
}

/// Once, functions that ask for events and call each other twice took 2 GB.
#[test]
fn functions_that_double_their_patterns_have_a_bound() {
    let first = "function f0() -> event = latest tick()\n".to_owned();
    let later = (1..=29).map(|at| {
        let before = at - 1;
        format!("function f{at}() -> event = latest tick() since latest (tick() where happened tick() since f{before} or happened tick() since f{before})\n")
    });
    let declared: String = std::iter::once(first).chain(later).collect();
    let folder = page("doubled_patterns", &declared, "if happened tick() since f29 { }", "", "a.score == 0");
    check(&["check", path(&folder)], "", 1, &["E0229", "patterns"]);
}

#[test]
fn a_line_without_an_end_is_no_answer() {
    let run = ["play", "kaiun", "--seed", "3", "--seat", "a=human"];
    check(&run, &"1".repeat(5_000_000), 2, &["E0831"]);
    // If a line is too long, its beginning is no answer either.
    check(&run, &format!("1{}\n", " ".repeat(2_000_000)), 2, &["E0831"]);
}

#[test]
fn what_mutants_are_named_by_must_be_there() {
    let folder = game("mutants_named", &format!("{}\nfunction one() -> number @7-1 = 1\n", super::limits::ENDLESS));
    let run = |more: &[&str]| said(&gyoji(&[&["mutants", "--rules", path(&folder), "ask"][..], more].concat(), ""));
    let (code, _, err) = run(&["--rule", "7-2"]);
    assert!(code == 2 && err.contains("E0541"), "{err}");
    let (code, _, err) = run(&["--file", "aks"]);
    assert!(code == 2 && err.contains("E0881"), "{err}");
}

#[test]
fn a_deck_is_not_named_in_vain() {
    let folder = endless("no_place_for_decks");
    let rules = std::fs::read_to_string(folder.join("ask.rules")).unwrap();
    std::fs::write(folder.join("ask.rules"), rules.replace("starts with deck", "")).unwrap();
    let run = ["simulate", "--rules", path(&folder), "--games", "1", "--max-decisions", "9"];
    check(&[&run[..], &["--deck", "a=d"]].concat(), "", 2, &["E0882", "starts with deck"]);
    check(&run, "", 1, &["E0849"]);
    // Nor is a deck written in vain.
    std::fs::create_dir_all(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks/d.ron"), "(name: \"d\", cards: [])").unwrap();
    check(&["check", "--rules", path(&folder)], "", 0, &["E0882", "starts with deck"]);
}

#[test]
fn a_folder_that_is_checked_includes_its_rulebook() {
    let folder = page("index_checked", "", "you.score = 1", "", "a.score == 1");
    check(&["check", path(&folder)], "", 0, &[]);
    std::fs::write(folder.join("rulebook.tsv"), b"\xFF\xFE1\0\t\0x\0\n\0").unwrap();
    check(&["check", path(&folder)], "", 1, &["E0801", "rulebook.tsv"]);
    check(&["check", path(&folder.join("game.rules"))], "", 0, &[]);
}

#[test]
fn a_project_names_its_games_by_names() {
    for name in ["", ".", "..", "../x", "/etc", "a/b"] {
        let folder = folder("project_names");
        std::fs::write(folder.join("gyoji.ron"), format!("(games: [{name:?}])")).unwrap();
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(["check", "--lang", "en"]).current_dir(&folder).output();
        let (code, _, err) = said(&run.unwrap());
        assert!(code == 2 && err.contains("E0853"), "{name}: {err}");
    }
}

/// A name for `happened …` holds true or false. Once, a set was made of it, which had one member whatever had happened.
#[test]
fn a_truth_is_no_set() {
    let named = page("truth_named", "", "let told = happened tick()  you.score = count(told)", "", "a.score == 1");
    check(&["check", path(&named)], "", 1, &["E0204", "set of bool"]);
    // An answer is one thing or nothing, so it can be used as a set.
    let chosen =
        page("truth_chosen", "", "choose again: 1 from [true, false] by you  if not (true in again) { you.score = 1 }", "", "a.score == 0");
    check(&["check", path(&chosen)], "", 0, &[]);
    check(&["test", path(&page("truth_counted", "", "tick()  you.score = count(happened tick())", "", "a.score == 1"))], "", 0, &[]);
}

/// Once, `!=` between tuples meant `==`, and so did `<`.
#[test]
fn tuples_differ_if_one_of_their_values_does() {
    // No other name than that of a card is compared with a name.
    let kin = "kin [赤, 青] }\n  card \"B\" unit \"鷹\" { power 1";
    let expected = "all field as c where (c.power, c.name) != (2, \"紙\") and (c.power, c.name) != (1, \"鷹\") and (c.kin, c.power) == ([青, 赤], 1)  \
                    not (some field as c where (c.power, c.name) != (1, \"紙\"))  not (some field as c where (c.kin, 1) == ([赤], 1))";
    check(&["test", path(&page("tuples", "", "you.score = 1", kin, expected))], "", 0, &[]);
    check(&["check", path(&page("less_tuples", "", "if (you.score, 1) < (2, 3) { }", "", "a.score == 0"))], "", 1, &["E0240"]);
}

/// Once, the statement after the one with the number was shown.
#[test]
fn a_number_that_is_too_large_is_shown_at_its_statement() {
    let folder = page("too_large", "", "let n = 2000000000\n    let m = n + n\n    you.score = m", "", "a.score == 0");
    let rules = std::fs::read_to_string(folder.join("game.rules")).unwrap();
    let line = rules.lines().position(|line| line.contains("n + n")).unwrap() + 1;
    check(&["test", path(&folder.join("a.scenarios"))], "", 1, &["E0602", &format!("game.rules:{line}")]);
}

/// Once, only a missing value was reported.
#[test]
fn the_rules_of_an_else_stand_after_it() {
    let folder = page("else_cited", "", "if you.score > 1 { tick() }\n@1-2 else { tick() }", "", "a.score == 0");
    check(&["check", path(&folder.join("game.rules"))], "", 1, &["E0124", "after it: `else @1-2 {"]);
}
