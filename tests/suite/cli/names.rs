//! Undeclared names in scenarios and decks, and findings that lie in another file than expected.

use super::{check, copied_rules, copy, folder, gyoji, path, said};
use std::path::Path;

#[test]
fn check_finds_every_name_of_a_scenario_that_there_is_not() {
    let file = folder("names").join("x.scenarios");
    let text = "gyoji 1\n\nscenarios kaiun\n\nscenario \"names\" {\n  \
        card \"新\" like \"早起き福肋\" { win 9 }\n  \
        given {\n    phase オ一プンフェイズ\n    a { hnad: \"新\", \"居眠り招き描\"  battle: \"転ばぬだるま\" { beatn = true } }\n    \
        c { hand: none }\n    b { kept = 1 }\n  }\n  play { d: set_card \"新\" }\n  expect { turn_number == 1 }\n}\n";
    std::fs::write(&file, text).unwrap();
    let (code, out, err) = said(&gyoji(&["check", path(&file), "--format", "json"], ""));
    assert_eq!(code, 1, "{out}{err}");
    let found: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|value: &serde_json::Value| value["kind"] == "diagnostic")
        .collect();
    let codes: Vec<&str> = found.iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["E0503", "E0504", "E0502", "E0503", "E0507", "E0501", "E0507", "E0501"], "{out}");
    for nearest in ["早起き福助", "オープンフェイズ", "hand", "居眠り招き猫", "beaten"] {
        assert!(out.contains(&format!("`{nearest}`")), "{nearest}\n{out}");
    }
    check(&["check", path(&file), "--lang", "ja"], "", 1, &["カード `居眠り招き描` はありません", "`居眠り招き猫` のことですか"]);
}

/// `check` and `test` read the `controller` of a card in the same way.
#[test]
fn a_seat_that_a_card_lies_under_is_known_and_no_state() {
    let file = folder("controllers").join("x.scenarios");
    let given = |by: &str| {
        let text = format!(
            "gyoji 1\n\nscenarios kaiun\n\nscenario \"x\" {{\n  given {{ a {{ battle: \"転ばぬだるま\" as x {{ controller = {by} }} }} }}\n  \
             expect {{ x.controller == b }}\n}}\n"
        );
        std::fs::write(&file, text).unwrap();
    };
    given("b");
    check(&["check", path(&file)], "", 0, &["nothing to mend"]);
    check(&["test", path(&file)], "", 0, &["1 passed"]);
    for by in ["c", "3", "\"c\""] {
        given(by);
        check(&["check", path(&file)], "", 1, &["E0501"]);
        check(&["test", path(&file)], "", 1, &["E0501"]);
    }
}

#[test]
fn what_a_scenario_declares_or_expects_to_be_refused_is_no_finding() {
    let file = folder("own_names").join("x.scenarios");
    let text = "gyoji 1\n\nscenarios kaiun\n\nscenario \"its own zone\" {\n  load rules 「zone shelf \"棚\" { each player  public }」\n  \
        given { a { shelf: \"転ばぬだるま\" } }\n  expect { count(shelf(a)) == 1 }\n}\n\n\
        scenario \"a third seat\" {\n  given { c { hand: none } }\n  expect { error E0501 }\n}\n";
    std::fs::write(&file, text).unwrap();
    check(&["test", path(&file)], "", 0, &["2 passed"]);
    check(&["check", path(&file)], "", 0, &["nothing to mend"]);
}

#[test]
fn a_wrong_deck_is_shown_at_its_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cards = folder("deck_rows");
    copy(&root.join("cards/kaiun"), &cards);
    let deck = cards.join("decks").join("shofuku.ron");
    let text = std::fs::read_to_string(&deck).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("KC-013")).unwrap();
    let check_cards = ["check", "--rules", path(&root.join("rules/kaiun")).to_owned().leak(), "--cards", path(&cards)];
    std::fs::write(&deck, text.replace("KC-013", "KC-0l3")).unwrap();
    check(&check_cards, "", 1, &["E0703", "did you mean `KC-013`?", &format!("shofuku.ron:{line}:")]);
    std::fs::write(&deck, text.replace("(3, \"KC-013\")", "(4, \"居眠り招き猫\")")).unwrap();
    check(&check_cards, "", 1, &["E0702", "4 copies of `KC-013`", &format!("shofuku.ron:{line}:"), "E0701", "shofuku.ron:1:1"]);
    // A deck that is not among the game's files. Its place is one of the words.
    let mine = cards.join("mine.ron");
    std::fs::write(&mine, text.replace("KC-013", "KC-0l3")).unwrap();
    let named = format!("a={}", path(&mine));
    check(&["play", "kaiun", "--deck", &named], "", 2, &["E0703", &format!("mine.ron:{line}:")]);
}

#[test]
fn two_cards_of_one_name_are_told_apart_by_their_numbers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cards = folder("deck_names");
    copy(&root.join("cards/kaiun"), &cards);
    let more = "gyoji 1\n\ncards kaiun\n\ncard \"KC-900\" fighter \"居眠り招き猫\" { janken グー  win 1  lose 1  cost 1  attribute 火  tribe [獣] }\n";
    std::fs::write(cards.join("more.cards"), more).unwrap();
    let deck = cards.join("decks").join("shofuku.ron");
    let text = std::fs::read_to_string(&deck).unwrap();
    std::fs::write(&deck, text.replace("\"KC-013\"", "\"居眠り招き猫\"")).unwrap();
    let rules = root.join("rules/kaiun");
    check(&["check", "--rules", path(&rules), "--cards", path(&cards)], "", 1, &["E0512", "`KC-013`, `KC-900`"]);
}

#[test]
fn findings_in_other_files_are_counted() {
    let rules = copied_rules("elsewhere");
    let file = rules.join("game.rules");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed =
        text.lines().map(|line| if line.starts_with("param barrier_size") { line.replace("= 5", "= \"5\"") } else { line.to_owned() });
    std::fs::write(&file, changed.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    check(&["check", path(&file)], "", 1, &["E0888", "turn.rules:", "errors: 1, warnings: 0", "findings in the game's other files: 1"]);
    check(&["check", path(&rules.join("turn.rules"))], "", 1, &["E0204", "turn.rules:", "errors: 1, warnings: 0"]);
}

#[test]
fn scenarios_that_wait_for_their_rules_are_left_out_unless_they_are_named() {
    let project = folder("pending");
    std::fs::write(project.join("gyoji.ron"), "(games: [\"kaiun\"])").unwrap();
    let scenarios = project.join("tests/scenarios");
    std::fs::create_dir_all(&scenarios).unwrap();
    let file = |hand: &str| {
        format!(
            "gyoji 1\n\nscenarios kaiun\n\nscenario \"a\" {{\n  given {{ a {{ hand: {hand} }} }}\n  expect {{ count(hand(a)) == 1 }}\n}}\n"
        )
    };
    std::fs::write(scenarios.join("now.scenarios"), file("none")).unwrap();
    std::fs::write(scenarios.join("later.scenarios"), file("\"無い札\"")).unwrap();
    let run = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(&project).env("LANG", "C").output();
        said(&output.unwrap()).0
    };
    assert_eq!((run(&["test"]), run(&["check"])), (1, 1));
    std::fs::write(scenarios.join("pending.txt"), "-- still to do\ntests/scenarios/later.scenarios -- its rule\n").unwrap();
    assert_eq!((run(&["test"]), run(&["check"])), (0, 0));
    assert_eq!((run(&["test", "tests/scenarios"]), run(&["test", "tests/scenarios/later.scenarios"])), (1, 1));
}

#[test]
fn a_decision_that_a_game_never_asks_is_found() {
    let file = folder("decisions").join("x.scenarios");
    let text = "gyoji 1\n\nscenarios kaiun\n\nscenario \"slips\" {\n  play { a: set_crad \"転ばぬだるま\" }\n  \
        expect { not asked a: janke }\n}\n";
    std::fs::write(&file, text).unwrap();
    check(
        &["check", path(&file)],
        "",
        1,
        &["no decision and no option `set_crad`", "`set_card`", "`janke`", "x.scenarios:6:", "x.scenarios:7:"],
    );
    // No decision of this name exists, so the run would never ask it. The run does not begin.
    check(&["test", path(&file)], "", 1, &["E0526", "`janke`", "1 failed"]);
}

/// `refused a: gain_ep x` would hold in every position.
#[test]
fn an_option_without_brackets_and_a_decision_with_brackets_are_errors() {
    let file = folder("brackets").join("x.scenarios");
    let given = "given { phase recovery  a { bonds = 9  initiative = true  base: \"KS-001\" down as x }  b { bonds = 9 } }";
    let scenario = |expected: &str| format!("gyoji 1\n\nscenarios kiseki\n\nscenario \"x\" {{ {given} expect {{ {expected} }} }}\n");
    for expected in ["refused a: gain_ep x", "not possible a: gain_ep x"] {
        std::fs::write(&file, scenario(expected)).unwrap();
        check(&["check", path(&file)], "", 1, &["E0557", "write `gain_ep(…)`"]);
    }
    for expected in ["refused a: pick(x)", "not possible a: pick(x)"] {
        std::fs::write(&file, scenario(expected)).unwrap();
        check(&["check", path(&file)], "", 1, &["E0558", "write `pick …`"]);
    }
    std::fs::write(&file, scenario("possible a: gain_ep(x)")).unwrap();
    check(&["test", path(&file)], "", 0, &["1 passed"]);
}

#[test]
fn no_message_about_an_option_has_an_empty_name() {
    let file = folder("options").join("x.scenarios");
    let head = "gyoji 1\n\nscenarios kiseki\n";
    let given = "given { phase recovery  a { bonds = 9  initiative = true  base: \"KS-001\" down as x }  b { bonds = 9 } }";
    let answers = ["a: gain_eq(x)", "a: gain_ep(9)", "b: gain_ep(x)", "a: play_event", "a: pass  b: pass  b: pass  b: pass  b: pass"];
    let scenario = |answer: &&str| format!("\nscenario \"{answer}\" {{ {given} play {{ {answer} }} expect {{ game goes on }} }}\n");
    std::fs::write(&file, answers.iter().map(scenario).fold(head.to_owned(), |text, more| text + &more)).unwrap();
    let (code, out, err) = said(&gyoji(&["test", path(&file)], ""));
    assert_eq!(code, 1, "{out}{err}");
    assert!(!out.contains("``") && !out.contains("answers none"), "{out}");
    for words in [
        "`gain_eq(x)` is not possible for `priority_actions`",
        "did you mean `gain_ep`?",
        "`gain_ep(9)` is not possible for `priority_actions`",
        "`b` is not asked `gain_ep` here",
        "answered with gain_ep(x)",
        "`play_event` is not possible for `priority_actions`",
        "`b` is not asked `pass` here",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
}

#[test]
fn a_game_lists_what_a_scenario_can_name() {
    let words = ["phases", "オープンフェイズ", "decisions", "set_card", "states", "beaten", "cards: 40"];
    check(&["names", "kaiun"], "", 0, &words);
    let (code, out, _) = said(&gyoji(&["names", "kiseki", "--of", "options,keywords,cards", "--format", "json"], ""));
    let rows: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |sort: &str| rows.iter().filter(|row| row["of"] == sort).collect::<Vec<_>>();
    assert_eq!((code, of("phases").len()), (0, 0), "{out}");
    assert!(of("options").iter().any(|row| row["name"] == "gain_ep(c)" && row["more"] == "priority_actions, payment_actions"), "{out}");
    let named = |row: &&serde_json::Value| row["name"] == "KS-001" && row["label"] == "街道の見習い";
    assert_eq!(of("cards").into_iter().filter(named).count(), 1, "{out}");
    assert!(of("keywords").iter().all(|row| !row["rules"].as_array().unwrap().is_empty()), "{out}");
    // The decisions that the kernel asks by itself, and answers that are always possible.
    check(&["names", "kaiun", "--of", "decisions"], "", 0, &["replacement", "concede", "pick"]);
    check(&["names", "kiseki", "--of", "decisions"], "", 0, &["an answer: takes nothing of what is offered"]);
    check(&["names", "kaiun", "--of", "things"], "", 2, &["E0820"]);
}

#[test]
fn a_scenario_is_named_and_its_steps_are_shown() {
    let file = "tests/kernel/offers/offers.scenarios";
    let title = format!("{file}:a pass that nobody is asked for may");
    let words = [
        "── a pass that nobody is asked for may be written",
        "a, b pass (what to do; there is nothing to take)",
        "1 passed, 0 failed",
        "passed, expectations met: 2",
    ];
    check(&["test", "--trace", &title], "", 0, &words);
    let (_, out, _) = said(&gyoji(&["test", "--trace", &title, "--format", "json"], ""));
    let kinds: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(kinds[0]["kind"], "scenario", "{out}");
    assert!(kinds.iter().any(|line| line["step"] == "decides" && line["forced"] == true), "{out}");
    // Without `--trace` the trace of a passing scenario is not shown. And a title that no scenario has is refused.
    let (code, out, _) = said(&gyoji(&["test", &title], ""));
    assert_eq!((code, out.trim()), (0, "1 passed, 0 failed"));
    check(&["test", &format!("{file}:nothing of the kind")], "", 2, &["E0871"]);
}

#[test]
fn a_position_that_the_game_rules_out_is_shown_with_what_must_be_so() {
    let file = folder("musts").join("x.scenarios");
    let text = "gyoji 1\n\nscenarios kiseki\n\nscenario \"stunned and up\" {\n  \
        given { phase recovery  a { initiative = true  field: \"KS-001\" { stunned = true } } }\n  expect { game goes on }\n}\n";
    std::fs::write(&file, text).unwrap();
    check(&["test", path(&file)], "", 1, &["E0549", "x.scenarios:6:", "by @1306.2a", "this condition has to be true", "default.rules"]);
    // The citations in the margin belong only to their own line.
    assert!(!said(&gyoji(&["test", path(&file)], "")).1.contains("@506.1"));
    check(&["test", path(&file), "--lang", "ja"], "", 1, &["この局面にはなりません", "根拠: @1306.2a"]);
}

/// The project has scenarios of five games. Once, the scenarios of four games were checked with the rules of the fifth.
#[test]
fn the_rules_of_one_game_are_checked_with_its_own_scenarios() {
    check(&["check", "--rules", "rules/kaiun", "--cards", "cards/kaiun"], "", 0, &["nothing to mend"]);
}

/// Once, any text of the game was a name for a card of an option, so this ruling held.
#[test]
fn a_card_of_an_option_is_named_by_the_name_of_a_card() {
    let file = folder("names_of_cards").join("x.scenarios");
    let text = "gyoji 1\n\nscenarios kiseki\n\nscenario \"x\" {\n  expect { refused a: play_event(\"星読みの庵\") }\n}\n";
    std::fs::write(&file, text).unwrap();
    check(&["check", path(&file)], "", 1, &["E0503", "星読みの庵"]);
}

/// One card is within the bounds of the choice, but it makes no pair. So the answer names the condition, and not the bounds.
#[test]
fn why_names_the_condition_of_cards_that_do_not_fit_together() {
    let page = format!("{}/tests/fixtures/pair_or_nothing/page.scenarios:a pair", env!("CARGO_MANIFEST_DIR"));
    check(&["why", &page, "can a: pair x", "--lang", "en"], "", 0, &["these do not fit together"]);
    check(&["why", &page, "can a: pair x, y", "--lang", "en"], "", 0, &["yes"]);
}

/// A choice that the rules declare is not asked under a reading that leaves it out. A name that the rules do not have is still a slip.
#[test]
fn a_choice_of_another_reading_is_not_asked() {
    let folder = folder("choice_of_a_reading");
    let rules = "gyoji 1\n\ngame ways \"道\" { players 2 }\n\nreading way \"which way\" { straight default  bent }\n\n\
        choice bend \"曲がる\"\n\nchoice turn_back \"戻る\"\n\nchoice rest \"休む\"\n\n\
        turn {\n  phase only \"番\" {\n    if way is bent { choose bend: 1 from [1, 2] by you }\n    choose rest: 1 from [1, 2] by you\n  }\n}\n";
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(folder.join("things.cards"), "gyoji 1\ncards ways\n").unwrap();
    let file = folder.join("x.scenarios");
    let given = |reading: &str, expected: &str| {
        let text = format!("gyoji 1\nscenarios ways\n\nscenario \"x\" {{\n{reading}  given {{ }}\n  expect {{ {expected} }}\n}}\n");
        std::fs::write(&file, text).unwrap();
    };
    for (reading, expected) in
        [("", "not asked a: bend"), ("", "not asked a: turn_back"), ("", "not asked a: 戻る"), ("  reading way = bent\n", "asked a: bend")]
    {
        given(reading, expected);
        check(&["test", path(&file)], "", 0, &["1 passed"]);
    }
    for expected in ["not asked a: turn_bcak", "asked a: turn_back"] {
        given("", expected);
        check(&["test", path(&file)], "", 1, &["E0526"]);
    }
}
