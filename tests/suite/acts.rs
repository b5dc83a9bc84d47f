//! `gyoji acts`: a line that never acts is found on a card of each game, and a line that acts is not listed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use crate::cli::{folder, gyoji, path, said};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// A game with a card that its decks can hold.
struct Planted {
    game: &'static str,
    /// The card's type and printed values.
    kind: &'static str,
    values: &'static str,
    /// A number that the card prints.
    number: &'static str,
    /// A zone in which no card of this type ever lies, if the game has one.
    never: Option<&'static str>,
}

const GAMES: [Planted; 5] = [
    Planted {
        game: "kaiun",
        kind: "fighter",
        values: "janken グー  win 4  lose 3  cost 1  attribute 火  tribe [獣]",
        number: "win",
        never: None,
    },
    Planted {
        game: "victory_spark",
        kind: "character",
        values: "level 0  epithets [\"星見委員\"]  genders [女]  series \"星霜学院\"  partner_names [\"ソラ\"]  partner_epithets [\"天文部長\"]  partner_genders [男]  attack 1000  defence 2000  attributes [星]",
        number: "attack",
        never: None,
    },
    Planted { game: "kiseki", kind: "unit", values: "sub_name 甲  cp_cost 1  str 1  def 1  organisation []", number: "str", never: None },
    Planted {
        game: "lftcg",
        kind: "character",
        values: "attributes [根]  sex 女性  types [\"旅館\"]  spirit_limit 4  strength 2  speed 2  wit 3  guts 5  sense 3",
        number: "wit",
        never: Some("contest"),
    },
    Planted {
        game: "vividz",
        kind: "chara",
        values: "cost 0  power 1000  mission_info [紺]  feature [歌]",
        number: "power",
        never: Some("account_zone"),
    },
];

/// Scripts of one line, each with the finding that it has to get. A clause that acts in the hand is broken in each way: nothing is in its
/// set, its condition is never true, no card lies where it works.
fn lines(planted: &Planted) -> Vec<(String, &'static [&'static str])> {
    let number = planted.number;
    let clauses = [("modify", format!("{{ {number} + 1 }}")), ("grant", "{ static { } }".to_owned())];
    let mut lines = Vec::new();
    for (verb, what) in clauses {
        let clause = |set: &str| format!("{{ {verb} {set} {what} }}");
        lines.push((format!("static(zones: [hand]) {}", clause("hand(you)")), &["in_games", "in_positions"][..]));
        lines.push((format!("static(zones: [hand]) {}", clause(&format!("hand(you) where it.{number} > 999999"))), &["no_effect"]));
        lines.push((format!("static(zones: [hand]) while count(hand(you)) > 999 {}", clause("hand(you)")), &["not_reached"]));
        if let Some(zone) = planted.never {
            lines.push((format!("static(zones: [{zone}]) {}", clause("hand(you)")), &["not_placed"]));
        }
    }
    lines
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() { copied(&entry.path(), &target) } else { _ = std::fs::copy(entry.path(), target).unwrap() }
    }
}

#[test]
fn planted_lines_that_never_act_are_found_in_each_game() {
    for planted in &GAMES {
        let game = planted.game;
        let cards = folder(&format!("acts_{game}"));
        copied(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cards").join(game), &cards);
        let lines = lines(planted);
        let mut text = format!("gyoji 1\n\ncards {game}\n");
        for (at, (script, _)) in lines.iter().enumerate() {
            write!(text, "\ncard \"PLANT-{at}\" {} \"植木{at}\" {{ {}  script {{ {script} }} }}\n", planted.kind, planted.values).unwrap();
        }
        std::fs::write(cards.join("planted.cards"), text).unwrap();
        // Without scenarios only games and made positions are left.
        let scenarios = folder(&format!("acts_{game}_scenarios"));
        std::fs::write(scenarios.join("none.scenarios"), format!("gyoji 1\n\nscenarios {game}\n")).unwrap();
        let args = ["acts", game, "--cards", path(&cards), "--scenarios", path(&scenarios), "--games", "20", "--all", "--format", "json"];
        let (code, out, err) = said(&gyoji(&args, ""));
        assert_eq!(code, 0, "{game}: {err}");
        let rows: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (summary, rows) = rows.split_last().unwrap();
        assert!(summary["games"] == 20 && summary["lines"] == rows.len(), "{game}: {summary}");
        let counted: u64 = summary["counts"].as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(summary["lines"], counted, "{game}: {summary}");
        let how: BTreeMap<&str, &str> = rows.iter().map(|row| (row["card"].as_str().unwrap(), row["how"].as_str().unwrap())).collect();
        for (at, (script, wanted)) in lines.iter().enumerate() {
            let found = how[format!("PLANT-{at}").as_str()];
            assert!(wanted.contains(&found), "{game}: {script}: {found}");
        }
    }
}

/// Each of the findings on a card of a small game.
#[test]
fn every_line_that_has_not_acted_has_one_finding() {
    let (code, out, err) = said(&gyoji(&["acts", "tests/fixtures/acts", "--games", "60"], ""));
    assert_eq!(code, 0, "{err}");
    insta::assert_snapshot!(out);
}
