//! Tests of failures: the place, the result, the possible answers, the position, the last steps.

use super::verdicts;

fn fails(scenario: &str) -> String {
    let (verdicts, said) = verdicts(scenario);
    assert!(verdicts.iter().all(|verdict| !verdict.passed()), "{said}");
    said
}

#[test]
fn an_expectation_shows_both_sides_and_the_position() {
    insta::assert_snapshot!(fails(
        r#"
scenario "wrong" @6-1-1 {
  given { a { pile: "岩", "石" x2 } }
  expect { count(hold(a)) == 2 }
}
"#
    ));
}

#[test]
fn an_answer_that_is_not_possible_shows_what_is() {
    insta::assert_snapshot!(fails(
        r#"
scenario "wrong card" {
  given { phase second }
  play { a: lay "岩" }
  expect { game goes on }
}
scenario "wrong name" {
  given { phase second }
  play { a: swap "石" }
  expect { game goes on }
}
scenario "too many" {
  given { phase second }
  play { a: lay "石", "石" }
  expect { game goes on }
}
scenario "the only answer" {
  given { phase second  a { hold: "岩" } }
  play { a: lay "石" }
  expect { game goes on }
}
"#
    ));
}

#[test]
fn a_position_that_cannot_be() {
    insta::assert_snapshot!(fails(
        r#"
scenario "a" { given { a { pule: none } }  expect { game goes on } }
scenario "b" { given { a { pile: "右" } }  expect { game goes on } }
scenario "c" { given { a { spot: "石" x2 } }  expect { game goes on } }
scenario "d" { given { a { pile: "石" up } }  expect { game goes on } }
scenario "e" { given { phase forth }  expect { game goes on } }
scenario "f" { given { a { pile: "石" x2 as x } }  expect { game goes on } }
scenario "g" { given { a { points = 2 } }  expect { game goes on } }
"#
    ));
}

#[test]
fn a_header_names_rules_that_are_carried_out() {
    insta::assert_snapshot!(fails(
        r#"
scenario "not traced" @6-3-1 { given { phase second }  expect { game goes on } }
scenario "no such rule" @6-9 { given { phase second }  expect { game goes on } }
scenario "nothing" @6-1-1 { given { phase second } }
"#
    ));
}

#[test]
fn decks_and_loads() {
    insta::assert_snapshot!(fails(
        r#"
scenario "a" { deck { 3 "石"  1 "岩" } accepted }
scenario "b" { deck { 3 "石"  1 "岩" } refused because @5-1-1 }
scenario "c" { deck { 2 "石"  2 "岩" } refused because @5-1-1 }
scenario "d" { load cards 「card "X" piece "甲" { power 3 }」 refused E0222 }
scenario "e" { load cards 「card "X" piece "甲" { weight 3 }」 accepted }
"#
    ));
}

/// The state forgets an ability once it was performed, and an effect once it ended. The last steps still name their cards.
#[test]
fn what_has_waited_is_told_by_its_card() {
    let said = fails(
        r#"
scenario "waits" {
  load rules 「moment later "あと"」
  card "鈴" like "石" {
    script {
      on_show {
        put by { take(you) } until later
        lasting this_turn { modify this { power + 1 } }
        for e in pending where it is later { perform e }
        expire(this_turn)
        choose lay: 1 from hold(you) by you
      }
    }
  }
  given { phase third  a { spot: "鈴" down as x }  b { spot: "石" down } }
  expect { a wins }
}
"#,
    );
    let told = |line: &str| assert!(said.lines().any(|other| other.trim() == line), "{line}: {said}");
    told("waits: later「鈴」");
    told("an effect of 「鈴」 begins");
    told("an effect of 「鈴」 ends");
}

/// A rules error shows its sentence, because a code alone does not help a reader who does not know its page.
#[test]
fn a_rules_error_says_its_sentence() {
    let said = fails(
        "scenario \"x\" {\n  load rules 「procedure down() { down() }\n  turn @6 { phase second \"つぎ\" { down() } }」\n  \
         given { phase second }\n  expect { game goes on }\n}",
    );
    assert!(said.contains("E0603: actions and procedures are nested too deeply"), "{said}");
}

#[test]
fn too_many_branches_are_not_called_deep_nesting() {
    let said = fails(
        "scenario \"x\" {\n  load rules 「procedure twice(n: number) { if n > 0 { simultaneously for p in players { twice(n - 1) } } }\n  \
         turn @6 { phase second \"つぎ\" { twice(12) } }」\n  given { phase second }\n  expect { game goes on }\n}",
    );
    assert!(said.contains("E0645: more than 1,024 branches"), "{said}");
}

#[test]
fn a_play_that_comes_too_late_to_stop_says_so() {
    let scenario = |before: &str, stop: &str, phase: &str| {
        fails(&format!("scenario \"x\" {{ given {{ phase {phase} }} {before} play {{ }} {stop} expect {{ game goes on }} }}"))
    };
    let gone_on = "the run has gone on before this `play`";
    for stop in ["until end of phase", "until end of turn", "stop"] {
        let said = scenario("expect { asked a: lay }", stop, "first");
        assert!(said.contains("E0527") && said.contains(gone_on), "{said}");
        let said = scenario("play { a: lay \"石\" }", stop, "second");
        assert!(said.contains("E0527") && said.contains(gone_on), "{said}");
    }
    let said = scenario("", "until end of phase", "second");
    assert!(said.contains("E0527") && !said.contains(gone_on), "{said}");
}

/// A misspelt answer would be refused for every position, so the ruling would test nothing.
#[test]
fn a_refused_answer_that_can_mean_nothing_is_a_slip() {
    insta::assert_snapshot!(fails(
        r#"
scenario "a card" { given { phase second } expect { refused a: lay "右" } }
scenario "a name" { given { phase second  a { hold: "石" as stone } } expect { refused a: lay ston } }
scenario "a card without quotation marks" { given { phase second } expect { refused a: lay 石 } }
scenario "why" { given { phase second } expect { why cannot a: lay "右" } }
scenario "the reason" { given { phase second } expect { why cannot a: lay "岩" because "右" } }
scenario "a host" { given { phase second  a { hold: "石" as x  spot: "石" on y } } expect { game goes on } }
"#
    ));
}
