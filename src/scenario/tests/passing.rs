//! Tests of scenarios that pass.

use super::verdicts;

fn passes(scenarios: &str) {
    let (verdicts, said) = verdicts(scenarios);
    assert!(verdicts.iter().all(super::Verdict::passed), "{said}");
}

#[test]
fn a_position_is_played_to_the_first_decision() {
    passes(
        r#"
scenario "both take" @6-1-1 @4-1-1 {
  given { a { pile: "岩", "石" x2 } }
  expect {
    game goes on
    count(hold(a)) == 3
    count(hold(b)) == 3
    "岩" in hold(a)
    happened take(a)
    happened take 2 times
    not happened take(a) 2 times
    asked a: lay
    asked b: 置く駒
    possible a: lay "岩"
    not possible a: lay "鳥"
    refused a: lay "岩", "石"
    refused b: lay none
    rule @6-1-1 before @4-1-1
  }
}
"#,
    );
}

#[test]
fn answers_and_names_for_cards() {
    passes(
        r#"
scenario "a turn" @6-3-1 @6-3-4 {
  given {
    phase second
    a { hold: "岩" as x, "石" }
    b { hold: "石" }
  }
  play { a: lay x }
  expect {
    x in gone(a)
    happened move(what: x, to: spot(a))
    happened move(what: x) 2 times
    a.score == 1
    x.power == 2
    turn_number == 2
  }
}
"#,
    );
}

#[test]
fn a_decision_with_one_answer_may_be_answered_or_left_out() {
    passes(
        r#"
scenario "forced" @6-2-1 {
  given { phase second  a { hold: "岩" } }
  play { a: lay "岩"  b: lay "石" }
  expect { a.score == 1  not asked a  asked b: lay }
}
scenario "left out" @6-2-1 {
  given { phase second  a { hold: "岩" } }
  play { b: lay "石" }
  expect { a.score == 1 }
}
"#,
    );
}

#[test]
fn cards_made_up_and_yes_or_no() {
    passes(
        r#"
scenario "made up" @7-1 {
  card "鷹" like "鳥" { power 9 }
  given { phase third  a { spot: "鷹" down as x  hold: none }  b { spot: "雲" down } }
  expect { asked a  possible a: confirm yes  count(hold(a)) == 0 }
  play { a: confirm yes }
  expect { count(hold(a)) == 3  happened take(a, by: effect)  a.score == 1 }
}
"#,
    );
}

#[test]
fn ends_of_games() {
    passes(
        r#"
scenario "an empty pile" @1-2 @1-2-1 @1-3-1 {
  given { a { pile: "石" } }
  expect { b wins  not a wins  not game goes on  not game drawn }
}
scenario "both" @1-3-2 {
  given { a { pile: "石" }  b { pile: "石" } }
  expect { game drawn }
}
scenario "giving up" @1-9 {
  given { phase second }
  expect { possible a: concede }
  play { b: concede }
  expect { a wins }
}
scenario "three points" {
  given { phase third  a { spot: "岩" up  score = 2 }  b { spot: "石" { marked = true } } }
  expect { a wins }
}
"#,
    );
}

#[test]
fn the_set_up_with_a_shuffle_laid_down() {
    passes(
        r#"
scenario "set up" {
  given { setup  shuffle pile(a): "岩", "鳥"  a { pile: "石" x3, "鳥", "岩", "雲" } }
  expect { "岩" in hold(a)  "鳥" in hold(a)  count(hold(a)) == 3 }
}
"#,
    );
}

#[test]
fn decks_loads_and_errors() {
    passes(
        r#"
scenario "a deck" @5-1-1 @5-1-2 { deck { 2 "石"  2 "岩" } accepted }
scenario "three alike" @5-1-2 { deck { 3 "石"  1 "岩" } refused because @5-1-2 }
scenario "no such kind" { load cards 「card "X" piece "甲" { weight 3 }」 refused E0222 }
scenario "a card" { load cards 「card "X" piece "甲" { power 3 }」 accepted }
scenario "a rule" { load rules 「action take(p: player) { }」 refused E0202 }
scenario "a third seat" { given { c { pile: none } }  expect { error E0501 } }
"#,
    );
}

/// A `play` without answers may stop before the next decision, at the beginning of the scenario and after another `play` that has stopped.
#[test]
fn a_play_without_answers_stops_where_it_says() {
    passes(
        r#"
scenario "phase by phase" {
  given { phase first }
  play { } until end of phase
  expect { count(hold(a)) == 3  not asked a: lay }
  play { a: lay "石"  b: lay "石" } until end of phase
  expect { count(spot(a)) == 1  count(gone(a)) == 0 }
  play { } until end of phase
  expect { count(hold(a)) == 2  count(gone(a)) == 1 }
  play { } until end of phase
  expect { count(hold(a)) == 3 }
}
scenario "to the end of the turn" {
  given { phase third  a { spot: "石" up }  b { spot: "石" up } }
  play { } until end of turn
  expect { count(hold(a)) == 2  count(gone(a)) == 1 }
}
scenario "two stops of one run" {
  given { phase third  a { spot: "石" up }  b { spot: "石" up } }
  play { } stop
  expect { count(hold(a)) == 2  count(gone(a)) == 1 }
  play { } until end of phase
  expect { count(hold(a)) == 3 }
}
"#,
    );
}
