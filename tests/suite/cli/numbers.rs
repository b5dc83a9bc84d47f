//! Decisions that name a number: at the prompt, in records and saves, and in a position written as a scenario.

use super::{check, gyoji, path, said};
use serde_json::Value as Json;
use std::path::PathBuf;

/// A game in which both players name numbers for ever.
const RULES: &str = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\nzone deck \"山\" { each player  ordered  hidden  starts with deck }\n\n\
    card unit \"札\" { }\n\npool score \"点\" { each player }\n\nchoice bid \"宣言\"\nchoice part \"分\"\n\n\
    turn { phase only \"問い\" { loop { for p in players {\n  choose bid: 1 from range(0) by p\n  p.score = bid\n  \
    choose part: up to 1 from range(1, 5000) where it mod 2 == 0 by p\n} } } }\n\n\
    judgement(losing: set of player, winning: set of player) { finish_drawn() }\n";

fn game(name: &str) -> PathBuf {
    super::game(name, RULES)
}

#[test]
fn any_number_of_the_range_is_taken_and_no_other() {
    let folder = game("named_number");
    let play = ["play", "--rules", path(&folder), "--seed", "3", "--seat", "a=human", "--seat", "b=human"];
    check(&play, "5000\n４０００\n7\n-\nq\n", 0, &["name a number", "0…", "1…5000", "name a number, or - for none", "5000"]);
    check(&play, "-1\n", 2, &["E0641", "`-1`", "0…"]);
    check(&play, "4000000000\n", 2, &["E0643", "1000000000"]);
    check(&play, "99999999999999999999999\n", 2, &["E0643", "99999999999999999999999"]);
    check(&play, "many\n", 2, &["E0831", "many"]);
    check(&play, "5\n4999\n", 2, &["E0642", "4999"]);
    check(&play, "5\n5002\n", 2, &["E0641", "1…5000"]);
    let (_, out, _) = said(&gyoji(&[&play[..], &["--format", "json"]].concat(), "5000\nq\n"));
    let asked = out.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok()).filter(|line| line["kind"] == "question");
    let numbers: Vec<Json> = asked.map(|line| line["numbers"].clone()).collect();
    assert_eq!(numbers, [serde_json::json!({ "least": 0, "greatest": null }), serde_json::json!({ "least": 1, "greatest": 5000 })]);
    // A random player draws only from listed numbers.
    check(&["simulate", "--rules", path(&folder), "--games", "2", "--seed", "1", "--max-decisions", "99"], "", 1, &["E0849"]);
}

#[test]
fn a_record_and_a_save_keep_the_number() {
    let folder = game("kept_number");
    let (record, save, other, scenario) =
        (folder.join("game.ron"), folder.join("save.ron"), folder.join("other.ron"), folder.join("w.scenarios"));
    let play = ["play", "--rules", path(&folder), "--seed", "3", "--seat", "a=human"];
    let lines = format!("5000\n4998\n123456\ns {}\nw {}\nq\n", path(&save), path(&scenario));
    check(&[&play[..], &["--record", path(&record)]].concat(), &lines, 0, &[]);
    check(&["replay", path(&record), "--rules", path(&folder)], "", 0, &["The same game"]);
    let text = std::fs::read_to_string(&record).unwrap();
    assert!(text.contains("number: Some(5000)") && text.contains("number: Some(123456)"), "{text}");
    for wrong in ["5001", "9223372036854775807", "-9223372036854775808"] {
        let _ = std::fs::remove_file(&other);
        std::fs::write(&other, text.replacen("number: Some(5000)", &format!("number: Some({wrong})"), 1)).unwrap();
        check(&["replay", path(&other), "--rules", path(&folder)], "", 1, &["E0829"]);
    }
    let resume = |file| ["play", "--rules", path(&folder), "--resume", file];
    check(&resume(path(&save)), "2\n8\nq\n", 0, &[]);
    let text = std::fs::read_to_string(&save).unwrap();
    for wrong in ["5001", "9223372036854775807"] {
        std::fs::write(&other, text.replacen("number: Some(5000)", &format!("number: Some({wrong})"), 1)).unwrap();
        check(&resume(path(&other)), "2\nq\n", 2, &[]);
    }
    let written = std::fs::read_to_string(&scenario).unwrap();
    assert!(written.contains("bid 5000") && written.contains("part 4998") && written.contains("bid 123456"), "{written}");
}
