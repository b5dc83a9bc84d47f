//! The answers of `gyoji why` in chosen situations, as a judge would give them. A player is told nothing that is hidden.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use super::cli::{folder, gyoji as run, path, said};

const SITUATIONS: &str = "tests/scenarios/kaiun/why.scenarios";

fn gyoji(args: &[&str], input: &str) -> (i32, String, String) {
    said(&run(args, input))
}

/// The answer in both languages.
fn answer(title: &str, question: &str) -> String {
    let scenario = format!("{SITUATIONS}:{title}");
    let said = |lang| {
        let (code, out, err) = gyoji(&["why", &scenario, question, "--lang", lang], "");
        assert_eq!(code, 0, "{title}: {err}");
        out
    };
    format!("{title}: {question}\n{}\n{}", said("en"), said("ja"))
}

#[test]
fn a_changed_value() {
    insta::assert_snapshot!(answer("why: a changed value", "value x.win"));
}

#[test]
fn what_all_share_is_of_nobody() {
    let scenario = "tests/kernel/library/library.scenarios:waiting: what waits";
    let (code, out, err) = gyoji(&["why", scenario, "value game.turn_player", "--lang", "en"], "");
    assert!(code == 0 && out.contains("turn_player is c") && !out.contains(" of a"), "{out}{err}");
    let (_, out, err) = gyoji(&["names", "lftcg", "--of", "states", "--lang", "en"], "");
    assert!(out.contains("of the game, ") && out.contains("of cards, "), "{out}{err}");
}

/// A member that is there already keeps its place in a set, in the value and in each of its steps.
#[test]
fn a_set_has_one_order() {
    let folder = folder("why_orders");
    let rules = "gyoji 1\n\ngame orders \"順\" { players 2 }\n\ncard unit \"札\" { kin \"組\" : set of symbol }\n\n\
        zone field \"場\" { each player  public }\n\nability static \"常\" { zones: set of zone = [field] }\n\nchoice rest \"休\"\n\n\
        turn { phase one \"一\" { choose rest: 1 from [1, 2] by you } }\n";
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    let mut cards = "gyoji 1\ncards orders\n\ncard \"1\" unit \"石\" { kin [甲, 乙] }\n".to_owned();
    for (at, kin) in ["甲", "乙", "丙"].iter().enumerate() {
        let script = format!("static {{ modify field where it.name == \"石\" {{ kin + {kin} }} }}");
        cards += &format!("card \"G{at}\" unit \"与{at}\" {{ kin []  script {{ {script} }} }}\n");
    }
    std::fs::write(folder.join("things.cards"), cards).unwrap();
    for given in ["与0", "与1", "与0\", \"与1\", \"与2", "与2\", \"与1\", \"与0", "与2\", \"与2\", \"与0"] {
        let scenario = format!(
            "gyoji 1\nscenarios orders\n\nscenario \"x\" {{\n  given {{ a {{ field: \"石\" as x, \"{given}\" }} }}\n  expect {{ asked a: rest }}\n}}\n"
        );
        std::fs::write(folder.join("a.scenarios"), scenario).unwrap();
        let (code, out, err) = gyoji(&["why", &format!("{}:x", path(&folder.join("a.scenarios"))), "value x.kin", "--lang", "en"], "");
        let has_two = |line: &str| line.contains("乙, 甲") || line.contains("丙, 甲") || line.contains("丙, 乙");
        assert!(code == 0 && out.contains("甲, 乙") && !out.lines().any(has_two), "{given}: {out}{err}");
    }
}

#[test]
fn a_value_floored() {
    insta::assert_snapshot!(answer("why: a value floored at 0", "value x.win"));
}

#[test]
fn a_computed_value() {
    insta::assert_snapshot!(answer("why: a value floored at 0", "value x.strength"));
}

#[test]
fn a_forbidden_draw() {
    insta::assert_snapshot!(answer("why: a forbidden draw", "can draw(b, 1)"));
}

#[test]
fn a_draw_that_effects_may_not_do() {
    insta::assert_snapshot!(answer("why: a draw that effects may not do", "can draw(b, 1)"));
}

#[test]
fn a_disabled_ability() {
    insta::assert_snapshot!(answer("why: a disabled text", "can activate(abilities(x))"));
}

#[test]
fn an_ability_that_was_used() {
    insta::assert_snapshot!(answer("why: a text that was used", "can activate(abilities(x))"));
}

#[test]
fn an_ability_that_does_not_work_there() {
    insta::assert_snapshot!(answer("why: a text of a card that is not in the battle area", "can activate(abilities(x))"));
}

#[test]
fn a_replaced_loss() {
    insta::assert_snapshot!(answer("why: a replaced loss of a barrier", "happened move(to: hand(a), from: barrier(a))"));
}

#[test]
fn a_card_that_is_not_in_the_hand() {
    insta::assert_snapshot!(answer("why: a card that is not in the hand", "can b: swap_card \"夕辻の鎌鼬\""));
    insta::assert_snapshot!(answer("why: a card that is not in the hand", "can a: set_card \"夕辻の鎌鼬\""));
}

#[test]
fn an_action_that_would_do_nothing() {
    insta::assert_snapshot!(answer("why: a discard of what is not in the hand", "can discard(x)"));
    insta::assert_snapshot!(answer("why: a cost of 0 to be paid", "can pay_cost(a)"));
}

#[test]
fn an_automatic_effect() {
    insta::assert_snapshot!(answer("why: an automatic effect", "happened draw(a, by: effect)"));
}

#[test]
fn a_rule_that_an_effect_called_for() {
    insta::assert_snapshot!(answer("why: a refresh that an effect caused", "happened refresh(a)"));
}

#[test]
fn a_verdict() {
    insta::assert_snapshot!(answer("why: a verdict", "happened lose(b)"));
}

#[test]
fn a_cost_that_cannot_be_paid() {
    insta::assert_snapshot!(answer("why: a cost that cannot be paid", "can activate(abilities(x))"));
}

#[test]
fn a_cost_that_is_there_in_part() {
    insta::assert_snapshot!(answer("why: a cost that is there in part", "can activate(abilities(x))"));
    insta::assert_snapshot!(answer("why: a cost that is there in part", "can activate(abilities(y))"));
}

#[test]
fn a_value_that_several_effects_changed() {
    insta::assert_snapshot!(answer("why: a value that several effects changed", "value x.win"));
    insta::assert_snapshot!(answer("why: a value that several effects changed", "value x.strength"));
}

#[test]
fn a_move_that_finds_no_room_or_nothing() {
    insta::assert_snapshot!(answer("why: a changed value", "can move(x, to: battle(a))"));
    insta::assert_snapshot!(answer("why: a changed value", "can move(top of deck(a), to: battle(a))"));
    insta::assert_snapshot!(answer("why: a cost that cannot be paid", "can refresh_penalty(a)"));
}

#[test]
fn json_has_the_same_facts() {
    let (code, out, _) = gyoji(&["why", &format!("{SITUATIONS}:why: a changed value"), "value x.win", "--format", "json"], "");
    assert_eq!(code, 0);
    insta::assert_snapshot!(out);
}

#[test]
fn an_earlier_step_can_be_asked() {
    let scenario = format!("{SITUATIONS}:why: an automatic effect");
    let (code, out, _) = gyoji(&["why", &scenario, "happened draw(a, by: effect)", "--at", "0"], "");
    assert_eq!((code, out.as_str()), (0, "no such event has happened\n"));
    let (code, _, err) = gyoji(&["why", &scenario, "value 1", "--at", "7"], "");
    assert!(code == 2 && err.contains("E0581"), "{err}");
}

#[test]
fn a_question_that_cannot_be_read_is_explained() {
    let scenario = format!("{SITUATIONS}:why: a verdict");
    for (question, code) in [("value", "E01"), ("value zz.win", "E02"), ("can lsoe(b)", "E0201"), ("can draw(q: 1)", "E0580")] {
        let (exit, _, err) = gyoji(&["why", &scenario, question], "");
        assert!(exit == 2 && err.contains(code), "{question}: {err}");
    }
    let (exit, _, err) = gyoji(&["why", &format!("{SITUATIONS}:nothing"), "value 1"], "");
    assert!(exit == 2 && err.contains("E0582"), "{err}");
}

/// A player hears nothing of hidden cards, not even whether a card of that name is among them.
#[test]
fn a_player_is_told_nothing_hidden() {
    let hidden = [
        "why value count(hand(b) where it.cost == 1)",
        "why value \"転ばぬだるま\" in hand(b)",
        "why value \"転ばぬだるま\" in deck(a)",
        "why value top of deck(a)",
        "why happened move(to: hand(b))",
        "why can b: set_card \"転ばぬだるま\"",
        "why value count(hand(b))",
    ];
    let input: String = hidden.iter().map(|line| format!("{line}\n")).chain(["q\n".to_owned()]).collect();
    let (code, out, err) = gyoji(&["play", "kaiun", "--seed", "1", "--seat", "a=human"], &input);
    assert_eq!(code, 0, "{err}");
    let said = out.rsplit_once("choose one\n").map_or(out.as_str(), |(_, said)| said);
    let after: Vec<&str> = said.lines().skip_while(|line| line.starts_with(' ') && !line.contains("it is")).collect();
    insta::assert_snapshot!(format!("{}\n--\n{err}", after.join("\n")));
}

/// In a game that began with a scenario, questions may use the scenario's own cards and its names for cards.
#[test]
fn a_scenarios_own_cards_can_be_asked_about() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.scenarios");
    let scenario = "gyoji 1\nscenarios kaiun\n\nscenario \"own\" @6-3-2 {
  card \"口塞ぎ\" like \"転ばぬだるま\" { script { static { forbid draw(any p) } } }
  given { phase set_phase  a { battle: none  hand: \"口塞ぎ\" as y, \"千夜の折鶴\" }  b { battle: \"口塞ぎ\" up as x } }
  expect { asked a: set_card }
}\n";
    std::fs::write(&file, scenario).unwrap();
    let questions = "why can draw(a, 1)\nwhy can discard(\"口塞ぎ\")\nwhy can discard(x)\nq\n";
    let (code, out, err) = gyoji(&["play", "--scenario", file.to_str().unwrap(), "--seat", "a=human"], questions);
    assert_eq!(code, 0, "{err}");
    let said = out.rsplit_once("choose one\n").unwrap().1;
    let said: Vec<&str> = said.lines().skip_while(|line| !line.starts_with("no")).collect();
    insta::assert_snapshot!(said.join("\n"));
}

/// Below an offer stand the ways to act that are not offered: with arguments that cannot pay, or not possible at all. Ways that are offered are not repeated there.
#[test]
fn what_is_not_offered_is_shown_with_its_reason() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("not_now.scenarios");
    let scenario = "gyoji 1\nscenarios offers\n\nscenario \"not now\" {
  given { a { hand: \"石\", \"岩\"  purse: \"木\" x2  field: \"石\" }  b { field: \"木\" } }
  expect { asked a: act }
}\n";
    std::fs::write(&file, scenario).unwrap();
    let play = ["play", "--rules", "tests/kernel/offers", "--scenario", file.to_str().unwrap(), "--seat", "a=human", "--lang", "en"];
    let (code, out, err) = gyoji(&play, "q\n");
    assert_eq!(code, 0, "{err}");
    let asked = out.split_once("a: what to do").unwrap().1.trim_start();
    insta::assert_snapshot!(asked.lines().filter(|line| line.starts_with(' ')).collect::<Vec<_>>().join("\n"), @r"
    1 play(「石」)
    2 dig
    3 sell(「石」)
      not now: play(「岩」) — there is no card in purse(a) to put into gone(a)
        [pay]
      not now: strike — too few cards in field(a): 2 needed, 1 there [strike]
    ");
    let (_, out, _) = gyoji(&[&play[..], &["--format", "json"]].concat(), "q\n");
    assert!(out.contains("\"not_now\":[\"not now: play(「岩」)"), "{out}");
}

#[test]
fn an_expectation_says_what_the_answer_names() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unmet.scenarios");
    let scenario = "gyoji 1\nscenarios kaiun\n\nscenario \"unmet\" @6-3-2 {
  card \"口塞ぎ\" like \"転ばぬだるま\" { script { static { forbid draw(any p) } } }
  given { phase set_phase  a { battle: none }  b { battle: \"口塞ぎ\" up  hand: \"転ばぬだるま\" } }
  expect { not why can draw(b, 1)  why cannot draw(b, 1) because \"千夜の折鶴\" }
}\n";
    std::fs::write(&file, scenario).unwrap();
    let (code, out, _) = gyoji(&["test", file.to_str().unwrap()], "");
    let said = ["E0530", "why cannot draw(b, 1) because", "the answer names the cards 口塞ぎ and the rules @8-1-2 @8-1-2-2"];
    assert!(code == 1 && said.iter().all(|word| out.contains(word)), "{out}");
}

/// The rule is in the form of a state. The cause is a state that was set inside an action; the event of this action is told only later.
#[test]
fn a_rule_is_called_for_by_the_state_that_was_set() {
    let folder = folder("why_fallen");
    let rules = "gyoji 1\n\ngame ask \"問\" { players 2 }\n\nzone field \"場\" { each player  public }\n\n\
        zone gone \"跡\" { each player  public }\n\ncard unit \"札\" { }\n\nstate damage : number on card\n\nstate tired : bool on card\n\n\
        action rest(c: card) { c.tired = true }\n\naction hit(c: card, n: number) { c.damage = c.damage + n }\n\n\
        rule fallen immediately when some field as c where c.damage > 3 {\n  for c in field where it.damage > 3 { move(c, gone(c.owner)) }\n}\n\n\
        turn {\n  phase only \"一\" {\n    for c in field { rest(c) }\n    simultaneously for p in players { for c in field(p) { hit(c, 5) } }\n    \
        loop { for p in players { may p { shuffle(gone(p)) } } }\n  }\n}\n\n\
        judgement(losing: set of player, winning: set of player) { finish_drawn() }\n";
    std::fs::write(folder.join("ask.rules"), rules).unwrap();
    std::fs::write(folder.join("ask.cards"), "gyoji 1\n\ncards ask\n\ncard \"X\" unit \"紙\" { }\n").unwrap();
    let file = folder.join("ask.scenarios");
    let scenario = "scenario \"fallen\" {\n  given { a { field: \"X\" as x } }\n  expect { x in gone(a) }\n}\n";
    std::fs::write(&file, format!("gyoji 1\n\nscenarios ask\n\n{scenario}")).unwrap();
    let at = format!("{}:fallen", path(&file));
    let (code, out, err) = gyoji(&["why", &at, "happened move(x, to: gone(a))", "--rules", path(&folder), "--lang", "en"], "");
    assert_eq!(code, 0, "{err}");
    let causes = out.split_once("fallen").map_or("", |(_, behind)| behind);
    assert!(causes.contains("hit") && !causes.contains("rest"), "{out}");
}

/// An action without a body happened between damage and rule. It is told after the damage, and it changes nothing, so it is no cause.
#[test]
fn a_rule_is_called_for_by_what_its_condition_reads() {
    let scenario = "tests/scenarios/victory_spark/009_1_rule_processes_and_loss.scenarios:a ring card that dies of an effect";
    let (code, out, err) = gyoji(&["why", scenario, "happened to_retirement(t)", "--lang", "en"], "");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("deal_damage(") && !out.contains("names_used"), "{out}");
}

/// The game ended inside this action, so the action has no event of its own. Still it has happened.
#[test]
fn what_the_end_of_the_game_cut_off_has_happened() {
    let scenario = "tests/scenarios/victory_spark/008_6_9_states_and_choices.scenarios:ten retired, and an ability that wins";
    let (code, out, err) = gyoji(&["why", scenario, "happened win_game(a)", "--lang", "en"], "");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("win_game(a)") && !out.contains("no such event"), "{out}");
}

/// The scenarios of tests/fixtures/why ask; here the same answers are looked at for what a `because` cannot say: numbers and words.
#[test]
fn an_answer_names_calls_effects_and_numbers() {
    let fixture = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/why");
    let (rules, file) = (path(&fixture).to_owned(), fixture.join("why.scenarios"));
    let (code, out, err) = gyoji(&["test", path(&file), "--rules", &rules, "--lang", "en"], "");
    assert_eq!(code, 0, "{out}{err}");
    let (_, out, _) =
        gyoji(&["test", &format!("{}:the trace of an attempt", path(&file)), "--rules", &rules, "--lang", "en", "--trace"], "");
    assert!(out.lines().any(|line| line.starts_with("5-10") && line.contains("cannot be done in full")), "{out}");
    let said = [
        ("an attempt without enough", "can a: pair(2)", "not enough for “two”: 2 needed, 1 there"),
        ("a condition of a choice", "can a: target z", "strike(「鳥」, 「壁」) cannot be done"),
        ("the condition of an action", "can a: hit(x)", "(not more than 0)"),
        ("a card that lies face down", "value y.power", "an ability of 「旗」 would change it"),
        ("an ability that cannot", "can a: use(x)", "an ability cannot be used: act「鈴」"),
        ("of two cards that are hurt together each", "happened fall(y)", "hurt(「石」, 1)"),
        ("the last of two cards", "happened fall(y)", "hurt(「石」, 1)"),
        ("a card falls because another", "happened fall(x)", "「旗」: field(a) → trash(a) [5-12]"),
        ("the part of a price", "can a: buy(x)", "it fails here: `if not can pay(w.cost) { fail() }`"),
        ("the part of a price", "can a: buy(x)", "(not at least 1)"),
        ("a price that finds no card", "can a: buy(x)", "0 can be taken, and 1 is due"),
        (
            "a joining member",
            "can a: sail()",
            "2 finds no paying card that it can join, in the line: `each m in range(1, 2) joins u where u.power >= m`",
        ),
        (
            "a requirement without a unit",
            "can a: sail()",
            "nothing is left for 2 in the line: `each i in range(1, 2) needs u where u.power > 0`",
        ),
        ("of two abilities", "can a: call_on(x)", "act「笛」 has been used 1 of 1 times this turn"),
    ];
    for (title, question, wanted) in said {
        let (code, out, err) = gyoji(&["why", &format!("{}:{title}", path(&file)), question, "--rules", &rules, "--lang", "en"], "");
        assert!(code == 0 && out.contains(wanted), "{title}: {out}{err}");
        assert!(!out.contains("other「笛」"), "{title}: {out}");
    }
}

/// If an ability could do nothing to a card, the answer says why the card was no longer a legal choice. If the game ended by a loop, an event of
/// the loop names the rules of the policy.
#[test]
fn what_the_trace_must_tell_is_known_to_why() {
    let page = "tests/kernel/must_be_told/must_be_told.scenarios";
    for (title, question, wanted) in [
        ("an ability that is dropped", "happened hit(x)", "no longer a legal choice of the ability: it had left"),
        ("a card that may not", "happened hit(z)", "no longer a legal choice of the ability: an effect keeps it from being chosen"),
        ("the loop by which", "happened called()", "part of a loop that nobody can stop"),
        ("the loop by which", "happened called()", "[circle]"),
        ("the loop by which", "happened called()", "the game is drawn"),
    ] {
        let (code, out, err) = gyoji(&["why", &format!("{page}:{title}"), question, "--lang", "en"], "");
        assert_eq!(code, 0, "{title}: {err}");
        assert!(out.contains(wanted), "{title}: {out}");
    }
}
