//! Slips that a designer of a game of ships and markets made. Each test names the message that was missing.

use crate::cli::{check, copy, folder, gyoji, path, said};
use std::path::{Path, PathBuf};

/// A copy of a small game with one slip.
fn slip(name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let folder = folder(&format!("rivers_{name}")).join("yashiro");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/yashiro"), &folder);
    let file = folder.join(file);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
    folder
}

/// `check` says all of these words about each slip.
fn said_of_slips(file: &str, slips: &[(&str, &str, &str, &[&str])]) {
    for (name, from, to, words) in slips {
        let folder = slip(name, file, from, to);
        check(&["check", path(&folder), "--lang", "en"], "", 1, words);
        check(&["check", path(&folder), "--lang", "ja"], "", 1, &[]);
    }
}

#[test]
fn slips_in_rules_say_what_to_write() {
    let turn = "    for p in players { offer p from acts or pass { } }\n";
    let open = "    for p in players {\n      if p.fame > 1 {\n        p.fame = 0\n    }\n".to_owned() + turn;
    let sum = "p.fame = p.fame + count(mine(p))";
    said_of_slips(
        "game.rules",
        &[
            ("greater", sum, "if p.fame => 3 { p.fame = 0 }", &["E0101", "did you mean `>=`?"]),
            ("indented", "\nstate lead", "\n  state lead", &["E0101", "a declaration begins in column 0: write `state`"]),
            ("opponent", sum, "p.fame = count(mine(opponent))", &["E0201", "`opponent` needs its arguments: write `opponent(p)`"]),
            ("function", sum, "p.fame = count(mine)", &["E0201", "`mine` needs its arguments: write `mine(…)`"]),
            ("argument", "move(c, field, at: s)", "move(c, field, site: s)", &["E0206", "`move` takes `what`, `to`", "`at`"]),
            ("pool", "it.controller == p", "it.fame == 1", &["E0222", "a player has `fame`, not a card", "`c.controller.fame`"]),
            ("state", sum, "p.fame = p.charms", &["E0222", "a card has `charms`, not a player"]),
            ("field", sum, "p.fame = p.might", &["E0222", "a card has `might`, not a player"]),
            ("inner", turn, &open, &["E0118", "game.rules:36:21"]),
            (
                "slot",
                "choice goal",
                "ability rite \"【儀】\" { zone: set of zone = [hand] }\n\nchoice goal",
                &["E0204", "did you mean the slot `zones`"],
            ),
        ],
    );
}

#[test]
fn slips_in_cards_decks_and_the_index_say_what_to_write() {
    said_of_slips("things.cards", &[("quotes", "\"灯\"", "”灯”", &["E0103", "the full-width sign `”`", "write `\"`"])]);
    let folder = slip("comma", "game.rules", "game", "game");
    std::fs::create_dir(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks/d.ron"), "(name: \"d\", cards: [(3，\"K01\")])").unwrap();
    check(&["check", path(&folder), "--lang", "en"], "", 1, &["E0103", "the full-width sign `，`", "write `,`", "d.ron:1:23"]);
    let folder = slip("class", "game.rules", "game", "game");
    std::fs::write(folder.join("rulebook.tsv"), "1-1\tmechanik\tA rule.\n").unwrap();
    let words = ["E0544", "`mechanik` is not a class: did you mean `mechanic`?", "rulebook.tsv:1:5"];
    check(&["check", path(&folder), "--lang", "en"], "", 1, &words);
}

#[test]
fn slips_in_scenarios_say_what_to_write() {
    said_of_slips(
        "yashiro.scenarios",
        &[
            ("asked", "expect { asked a: acts }", "expect { aksed a: acts }", &["E0128", "begins with `aksed`", "did you mean `asked`?"]),
            ("times", "count(snares(a)) == 1", "happened move() 1 time", &["E0128", "begins with `time`", "did you mean `times`?"]),
        ],
    );
}

/// A position with a name is looked at in each scenario that uses it.
#[test]
fn a_slip_in_a_position_with_a_name_is_reported_once() {
    let folder = slip("named", "yashiro.scenarios", "given two {", "given two {\n  phase onyl");
    let (code, out, err) = said(&gyoji(&["check", path(&folder), "--lang", "en"], ""));
    assert_eq!((code, out.matches("E0504").count()), (1, 1), "{out}{err}");
}

/// A scenario that stops at an answer can be asked about the position before it.
#[test]
fn why_says_how_to_ask_before_a_refused_answer() {
    let folder = slip("why", "yashiro.scenarios", "play { a: step(x, s: centre) }", "play { a: step(x, s: centre)  b: step(x, s: west) }");
    let scenario = format!("{}:a spirit walks", path(&folder.join("yashiro.scenarios")));
    check(&["why", &scenario, "can b: step(x, s: west)", "--lang", "en"], "", 2, &["E0522", "`--at 1` asks about the position before it"]);
    check(&["why", &scenario, "can b: step(x, s: west)", "--at", "1", "--lang", "en"], "", 0, &["after 1 of 2 answers"]);
}

const RULES: &str = "gyoji 1

use std

game kawa \"川\" { players 2 }

zone deck \"山\" { each player  public  starts with deck }
pool coin \"銭\" { each player  at least 0 }
card ship \"船\" { }

ability on_command \"【令】\" { cost: cost }

choice wait \"待つ\"

action gain(p: player, n: number) \"得る\" { p.coin = p.coin + n }

option command(c: card in deck(p), a: ability in abilities(c)) \"令\" by p in acts attempt {
  let w = announce(a, by: p)
  pay(w.cost)
  perform w
}

rule rich \"富\" when some players as p where p.coin > 9 { for p in players { p.coin = 0 } }

turn {
  phase one \"一\" {
    for p in players { offer p \"行動\" from acts or pass }
    apply rules
    for p in players { choose wait: 1 from range(0, 3) by p }
  }
}

wording kawa {
  ability 「【令】${c: costs}:${b: passage}」 -> ability on_command(cost: $c) { $b }
  cost 「銭${n: numeral}」 -> spend(you.coin, $n)
  act 「銭を${n: numeral}${得る}」 -> { gain(you, $n) }
}
";

const CARDS: &str = "gyoji 1\n\ncards kawa\n\ncard \"A\" ship \"甲\" { text 「【令】銭2:銭を3得る。」 }\n";

const SCENARIOS: &str = "gyoji 1

scenarios kawa

scenario \"a price in points\" {
  given { a { deck: \"甲\" as s  coin = 2 }  b { deck: none } }
  play { a: command(s) }
  expect { a.coin == 3  happened gain(a) }
}

scenario \"a price that is too high\" {
  given { a { deck: \"甲\" as s  coin = 1 }  b { deck: none } }
  expect { asked a: wait }
}
";

/// A small game with a wording, with other words in its rules and scenarios.
fn kawa(name: &str, (from, to): (&str, &str), scenarios: &str) -> PathBuf {
    let folder = folder(&format!("rivers_{name}"));
    assert!(RULES.contains(from), "{from}");
    std::fs::write(folder.join("kawa.rules"), RULES.replacen(from, to, 1)).unwrap();
    std::fs::write(folder.join("kawa.cards"), CARDS).unwrap();
    std::fs::write(folder.join("kawa.scenarios"), scenarios).unwrap();
    folder
}

/// `spend` may stand in the script of a price. Before, the script needed an action of the game.
#[test]
fn a_template_of_a_price_spends_points() {
    let folder = kawa("price", ("game", "game"), SCENARIOS);
    check(&["check", path(&folder), "--lang", "en"], "", 0, &["nothing to mend", "covered 1, todo 0, errors 0"]);
    check(&["test", path(&folder), "--lang", "en"], "", 0, &["2 passed"]);
}

#[test]
fn a_slip_in_a_wording_says_what_to_write_and_counts_no_text_as_read() {
    let folder = kawa("arrow", ("得る}」 -> {", "得る}」 {"), SCENARIOS);
    let words = ["E0101", "possible here: `or` `->`", "not read 1"];
    check(&["check", path(&folder), "--lang", "en"], "", 1, &words);
    check(&["check", path(&folder), "--lang", "ja"], "", 1, &["未読 1"]);
    check(&["check", path(&folder), "--format", "json"], "", 1, &["\"unread\":1"]);
}

/// A rule that runs once belongs to no player.
#[test]
fn a_rule_without_a_player_is_traced_without_one() {
    let scenarios = "gyoji 1\n\nscenarios kawa\n\nscenario \"rich\" {\n  given { a { deck: \"甲\"  coin = 10 }  b { deck: none } }\n  \
                     play { a: pass }\n  expect { a.coin == 1 }\n}\n";
    let folder = kawa("rule", ("game", "game"), scenarios);
    let (code, out, err) = said(&gyoji(&["test", path(&folder), "--lang", "en"], ""));
    assert!(code == 1 && out.lines().any(|line| line.trim() == "rich") && !out.contains("rich(a)"), "{out}{err}");
}

/// The message about a loop without an end names the means against loops.
#[test]
fn a_loop_without_an_end_names_the_means_against_loops() {
    for lang in ["en", "ja"] {
        check(&["explain", "E0601", "--lang", lang], "", 0, &["policy loops { same = all_but_history }", "watch goes_round"]);
    }
}

/// On a terminal the bar of `simulate` names a game that goes on for long.
#[cfg(unix)]
#[test]
fn simulate_names_a_game_that_goes_on_for_long() {
    let turn = "turn {\n  phase one \"one\" { for p in players { loop { choose goal: 1 from [true, false] by p } } }\n}\n";
    let rules = format!("gyoji 1\n\ngame ask \"ask\" {{ players 2 }}\n\ncard unit \"card\" {{ }}\n\nchoice goal \"goal\"\n\n{turn}");
    let folder = crate::cli::game("rivers_long", &rules);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    command.args(["simulate", "--games", "1", "--seed", "1", "--max-decisions", "100000", "--lang", "en", "--rules"]);
    command.arg(&folder).env("TERM", "xterm");
    let mut terminal = rexpect::session::spawn_command(command, Some(60_000)).unwrap();
    terminal.exp_string("game 0: ").unwrap();
    terminal.exp_string(" decisions").unwrap();
}
