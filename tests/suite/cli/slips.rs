//! Slips in rules and cards that the program once took for something: each of a small grammar of slips is a finding of `check`.

use super::{folder, said};
use std::path::Path;

const RULES: &str = "gyoji 1\n\n\
    game slip \"手\" { players 2 }\n\
    card thing \"もの\" { cost \"費用\" : number  name \"名\" : text }\n\
    zone pile \"山\" { each player  ordered  hidden  starts with deck }\n\
    zone field \"場\" { each player  public }\n\
    pool gold \"金\" { each player }\n\
    ability automatic \"自\" { zones: set of zone = [field] }\n\
    ability act \"起\" { zones: set of zone = [field]  cost: cost = [] }\n\
    keyword swift \"速\" { automatic { gain(you, 1) } }\n\
    action draw(p: player, n: number) \"引く\" { repeat n { move(top of pile(p), field(p)) } }\n\
    action twice(p: player, n: number) \"二度\" { draw(p, n)  draw(p, n) }\n\
    action pay(p: player, n: number) \"払う\" { spend(p.gold, n) }\n\
    action gain(p: player, n: number) \"得る\" { p.gold = p.gold + n }\n\
    option lay(c: card in field(p)) \"置く\" by p in main attempt { pay(p, c.cost) }\n\
    turn { phase main \"一\" { offer you \"何を\" from main } }\n";

/// The codes that `check` finds in a game with these rules and cards beside its own.
fn codes(name: &str, rules: &str, cards: &str) -> Vec<String> {
    let folder = folder(name);
    let own = "\ncard \"A-1\" thing \"石\" { cost 1 }\n";
    std::fs::write(folder.join("game.rules"), format!("{RULES}{rules}\n")).unwrap();
    std::fs::write(folder.join("things.cards"), format!("gyoji 1\n\ncards slip\n{own}{cards}\n")).unwrap();
    found(&folder)
}

fn found(folder: &Path) -> Vec<String> {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let args = ["check", ".", "--format", "json"];
    let (_, out, _) = said(&command.args(args).current_dir(folder).env("LANG", "C").output().unwrap());
    let lines = out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter_map(|line| line["code"].as_str().map(str::to_owned)).collect()
}

fn has(name: &str, rules: &str, cards: &str, code: &str) -> bool {
    codes(name, rules, cards).iter().any(|found| found == code)
}

/// Each place of an amount with each number that is too small, and with the smallest that is none.
#[test]
fn an_amount_below_zero_is_told_wherever_it_stands() {
    let places = [
        ("repeat N { gain(p, 1) }", 0),
        ("move(top N of pile(p), field(p))", 0),
        ("move(up to N from pile(p), field(p))", 0),
        ("spend(p.gold, N)", -1),
        ("draw(p, N)", -1),
        ("draw(p, n: N)", -1),
        ("twice(p, N)", -1),
        ("pay(p, N)", -1),
    ];
    // In some places the grammar takes no number below zero.
    let is_told = |codes: &[String]| codes.iter().any(|code| code == "E0297" || code == "E0208" || code.starts_with("E01"));
    for (place, most) in places {
        for number in [-2, -1, 0, 1] {
            let body = place.replace('N', &number.to_string());
            let all = codes("amounts", &format!("procedure probe(p: player) {{ {body} }}"), "");
            assert_eq!(is_told(&all), number <= most, "{body}: {all:?}");
            let card = format!(
                "card \"A-2\" thing \"岩\" {{ cost 1  script {{ automatic {{ {} }} }} }}",
                body.replace("(p", "(you").replace("p.", "you.")
            );
            let all = codes("amounts", "", &card);
            assert_eq!(is_told(&all), number <= most, "{card}: {all:?}");
        }
    }
    assert!(has("amounts", "", "card \"A-2\" thing \"岩\" { cost -5 }", "E0297"));
    let cost = |n: &str| format!("ability art \"技\" {{ zones: set of zone = [field]  cost: cost = [pay(you, {n})] }}");
    assert!(has("amounts", &cost("-1"), "", "E0297") && !has("amounts", &cost("1"), "", "E0297"));
    // What no amount is may be below zero.
    assert!(!has("amounts", "procedure probe(p: player) { gain(p, -1) }", "", "E0297"));
}

#[test]
fn a_card_that_is_named_in_any_way_has_to_be_there() {
    for test in ["this == \"N\"", "\"N\" == this", "\"N\" in field(you)", "some field(you) where it == \"N\"", "this.name == \"N\""] {
        for (name, is_there) in [("石", true), ("石ころ", false)] {
            let script = format!("automatic {{ if {} {{ draw(you, 1) }} }}", test.replace('N', name));
            let card = format!("card \"A-2\" thing \"岩\" {{ cost 1  script {{ {script} }} }}");
            let all = codes("named", "", &card);
            assert_eq!(all.iter().filter(|code| *code == "E0452").count(), usize::from(!is_there), "{script}: {all:?}");
        }
    }
}

/// A name that an effect gives to a card is a name of the game, and the empty text is no name.
#[test]
fn a_name_that_is_assumed_of_a_card_is_there() {
    let rules = "ability static \"常\" { zones: set of zone = [field] }\n\
        fact called(c: card, n: text) \"呼び名\" = c.name == n";
    for (given, name, told) in [("static { assume called(this, \"影\") }", "影", 0), ("", "影", 1), ("", "", 0)] {
        let script = format!("{given} automatic {{ if some field(you) as c where called(c, \"{name}\") {{ draw(you, 1) }} }}");
        let all = codes("assumed", rules, &format!("card \"A-2\" thing \"岩\" {{ cost 1  script {{ {script} }} }}"));
        assert_eq!(all.iter().filter(|code| *code == "E0452").count(), told, "{script}: {all:?}");
        assert!(all.iter().all(|code| !code.starts_with("E02") || code == "E0267" || code == "E0268" || code == "E0290"), "{all:?}");
    }
}

#[test]
fn a_pass_is_a_text_that_is_said_once() {
    for (entries, code) in [
        ("pass = 3", Some("E0237")),
        ("pass = \"\"", Some("E0237")),
        ("pass = \"\u{3000}\"", Some("E0237")),
        ("pass = done", Some("E0237")),
        ("pass = \"甲\"  pass = \"乙\"", Some("E0289")),
        ("pass = \"甲\"", None),
    ] {
        let all = codes("pass", &format!("choice acts \"行うか\" {{ {entries} }}"), "");
        let told: Vec<&String> = all.iter().filter(|code| ["E0237", "E0289"].contains(&code.as_str())).collect();
        assert!(told == code.into_iter().collect::<Vec<_>>(), "{entries}: {all:?}");
    }
}

#[test]
fn a_card_with_an_empty_part_and_names_that_look_alike_are_told() {
    for empty in ["", " ", "\u{3000}"] {
        assert!(has("empty", "", &format!("card \"{empty}\" thing \"岩\" {{ cost 1 }}"), "E0151"));
        assert!(has("empty", "", &format!("card \"A-2\" thing \"{empty}\" {{ cost 1 }}"), "E0151"));
        assert!(has("empty", "", &format!("card \"A-2\" thing \"岩\" {{ cost 1  text 「{empty}」 }}"), "E0151"));
    }
    for (one, other, alike) in
        [("力石", "カ石", true), ("大 石", "大石", true), ("Ａ", "A", true), ("Aは", "Аは", true), ("大石", "小石", false)]
    {
        let cards = format!("card \"A-2\" thing \"{one}\" {{ cost 1 }}\ncard \"A-3\" thing \"{other}\" {{ cost 1 }}");
        assert_eq!(has("alike", "", &cards, "E0398"), alike, "{one} {other}");
    }
    let script = |keywords: &str| format!("card \"A-2\" thing \"岩\" {{ cost 1  script {{ {keywords} }} }}");
    assert!(has("twice", "", &script("keyword swift  keyword swift"), "E0152") && !has("twice", "", &script("keyword swift"), "E0152"));
}

#[test]
fn a_default_position_that_nothing_can_begin_in_is_told_once() {
    for (given, code) in [("pilez: \"石\" x5", "E0502"), ("pile: \"石z\" x5", "E0"), ("pile: \"石\" x5", "")] {
        let all = codes("default", &format!("given default {{ {given} }}"), "");
        let errors: Vec<&String> =
            all.iter().filter(|found| found.starts_with("E05") || found.starts_with("E02") && *found == "E0228").collect();
        assert_eq!(errors.len(), usize::from(!code.is_empty()), "{given}: {all:?}");
        assert!(errors.iter().all(|found| found.starts_with(code)), "{given}: {all:?}");
    }
}

/// The bytes of a file that is no text are named for what they are.
#[test]
fn bytes_that_are_no_text_are_named() {
    for (bytes, code) in [
        (&b"-- a\0b"[..], "E0895"),
        (b"-- a\xED\xA0\x80b", "E0802"),
        (b"-- \xE7\x9F\xB3\xED\xAD\xBF", "E0802"),
        (b"-- \xE7\x9F\xB3\xE5\xB2\xA9\xE7\x9F", "E0802"),
        (b"-- \x90\xCE\x8A\xE2", "E0801"),
    ] {
        let folder = folder("bytes");
        std::fs::write(folder.join("game.rules"), RULES).unwrap();
        std::fs::write(folder.join("s.scenarios"), [b"gyoji 1\n\nscenarios slip\n\n", bytes].concat()).unwrap();
        let all = found(&folder);
        let of_bytes: Vec<&String> = all.iter().filter(|found| found.starts_with("E080") || *found == "E0895").collect();
        assert!(of_bytes == [code], "{bytes:?}: {all:?}");
    }
}

/// A name or value that nobody has, on a card of a scenario: in a script and in rules that the scenario loads.
#[test]
fn a_card_of_a_scenario_names_what_is_there() {
    let tests = ["this == \"N\"", "\"N\" in field(you)", "some field(you) where it == \"N\"", "this.name == \"N\""];
    // What else the scenario has: another card, which may have the name.
    let others = [("", false), ("card \"A-8\" thing \"大岩\" { cost 1 }  ", true)];
    let load = "load rules 「action twice(p: player, n: number) \"二度\" { draw(p, n)  draw(p, n)  draw(p, n) }」  ";
    let mut slips = Vec::new();
    for test in tests {
        for (name, in_game) in [("石", true), ("大岩", false), ("石ころ", false)] {
            for (other, has_boulder) in others {
                for load in ["", load] {
                    let script = format!("automatic {{ if {} {{ draw(you, 1) }} }}", test.replace('N', name));
                    let own = format!("card \"A-9\" thing \"岩\" {{ cost 1  script {{ {script} }} }}");
                    let there = in_game || has_boulder && name == "大岩";
                    let folder = folder("scenario_cards");
                    std::fs::write(folder.join("game.rules"), RULES).unwrap();
                    let stone = "card \"A-1\" thing \"石\" { cost 1 }";
                    std::fs::write(folder.join("things.cards"), format!("gyoji 1\n\ncards slip\n\n{stone}\n")).unwrap();
                    let scenario = format!(
                        "scenario \"x\" {{ {load}{other}{own}  given {{ a {{ field: \"A-9\" as x }} }}  expect {{ x in field(a) }} }}"
                    );
                    std::fs::write(folder.join("one.scenarios"), format!("gyoji 1\nscenarios slip\n\n{scenario}\n")).unwrap();
                    let all = found(&folder);
                    if all.iter().filter(|code| *code == "E0452").count() != usize::from(!there) {
                        slips.push(format!("{scenario}: {all:?}"));
                    }
                }
            }
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}
