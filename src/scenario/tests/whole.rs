//! Tests of the whole language of scenarios: named positions, a scenario's own rules, what seats see. Also of messages about an impossible
//! position, an unknown card, a wrong answer, a decision that nobody makes.

use super::{ground, ground_of, verdicts, verdicts_on};
use crate::outcome::show;
use lang::diagnostic::{Example, Language, Sources, pages};
use lang::syntax::{FileKind, format, parse_scenarios};

fn passes(scenarios: &str) {
    let (verdicts, said) = verdicts(scenarios);
    assert!(verdicts.iter().all(super::Verdict::passed), "{said}");
}

/// The texts in both languages.
fn said(scenarios: &str) -> String {
    let mut all = String::new();
    for language in [Language::English, Language::Japanese] {
        let mut sources = Sources::default();
        let ground = ground(&mut sources).with_language(language);
        let text = format!("gyoji 1\nscenarios micro\n{scenarios}");
        let (file, found) = lang::syntax::parse_scenarios(sources.add("test.scenarios", text.as_str()), &text);
        let found = found.iter().map(|finding| show::finding_line(finding, &sources, language));
        all.extend(found);
        for scenario in &file.items {
            let verdict = super::run(&ground, scenario, &sources);
            assert!(!verdict.passed(), "{}", scenario.title.text);
            all.push_str(&show::failure(&verdict, &sources, language));
        }
    }
    all
}

#[test]
fn what_happened_as_a_part_of_something_else_is_said() {
    let text = r#"scenario "parts" { given { phase first } expect { happened move(what: any c, to: hold(a)) 3 times } }"#;
    assert!(said(text).contains("happened 1 times; 1 of them as a part of another action, the first of `take(a)`"), "{}", said(text));
}

#[test]
fn a_position_with_a_name() {
    let scenarios = r#"
given late {
  phase second
  turn 4
  a {
    hold: "岩", "鳥"
    score = 2
  }
}

scenario "as it is" @6-2-1 {
  given late
  expect {
    turn_number == 4
    count(hold(a)) == 2
    a.score == 2
  }
}

scenario "with something else" @6-2-1 {
  given late with {
    a { hold: "鳥" as x, "石" }
    b { gone: "石" of a, "岩" }
  }
  play { a: lay x }
  expect {
    a.score == 2
    count(gone(b)) == 2
    asked b: lay
    some gone(b) where it.owner == a
  }
}
"#;
    passes(scenarios);
    let text = format!("gyoji 1\nscenarios micro\n{scenarios}");
    assert_eq!(format(FileKind::Scenarios, &text).unwrap(), text);
}

#[test]
fn expectations_under_each_value_of_a_reading() {
    let scenarios = r#"
scenario "either way" @6-2-1 {
  given { phase second }
  expect { asked a: lay }
  under payment = one { expect { payment is one } }
  under payment = two {
    play { a: lay "石" }
    expect { payment is two  not asked a }
  }
  expect { asked b: lay }
}
"#;
    let (run, said) = verdicts(scenarios);
    assert!(run.iter().all(super::Verdict::passed), "{said}");
    let titles: Vec<&str> = run.iter().map(|verdict| verdict.title.as_str()).collect();
    assert_eq!(titles, ["either way (payment = one)", "either way (payment = two)"]);
    let text = format!("gyoji 1\nscenarios micro\n{scenarios}");
    assert_eq!(format(FileKind::Scenarios, &text).unwrap(), text);
    // Each value is a run of its own and can fail alone. An unknown value is an error.
    let (run, _) = verdicts(&scenarios.replace("{ payment is one }", "{ payment is two }"));
    assert_eq!(run.iter().map(super::Verdict::passed).collect::<Vec<_>>(), [false, true]);
    let (run, said) = verdicts(&scenarios.replace("under payment = two", "under payment = too"));
    assert!(!run[1].passed() && said.contains("two"), "{said}");
}

#[test]
fn who_sees_what() {
    passes(
        r#"
scenario "a hand" {
  given { phase second  a { hold: "岩" as x, "石" } }
  expect {
    a sees x
    b does not see x
    not b sees x
  }
}
"#,
    );
}

#[test]
fn rules_of_its_own() {
    passes(
        r#"
scenario "two are taken" @6-1-1 {
  load rules 「
    action take(p: player) "引く" @4-1 {
    @4-1-1  repeat 2 { move(top of pile(p), hold(p)) }
    }
  」
  given { a { hold: none } }
  expect { count(hold(a)) == 2 }
}
scenario "the others are not touched" @6-1-1 {
  given { a { hold: none } }
  expect { asked b: lay  not asked a  game goes on }
}
"#,
    );
}

#[test]
fn what_the_default_says_of_values_and_the_turn() {
    let mut sources = Sources::default();
    let rules = include_str!("micro.rules").replace("given default {", "given default {\n  turn 3\n  score = 1");
    let ground = ground_of(&mut sources, &rules);
    let scenarios = r#"
scenario "they hold" { given { phase second  a { score = 2 } }  expect { turn_number == 3  a.score == 2  b.score == 1 } }
"#;
    let (verdicts, said) = verdicts_on(&ground, sources, scenarios);
    assert!(verdicts.iter().all(super::Verdict::passed), "{said}");
}

#[test]
fn one_of_several_alike_by_its_place() {
    passes(
        r#"
scenario "the second" @6-2-1 {
  given { phase second  a { hold: "石" as x, "石" as y } }
  play { a: lay [1]  b: lay "石" }
  expect { not (y in hold(a)) }
}
"#,
    );
}

#[test]
fn a_position_that_could_never_be() {
    insta::assert_snapshot!(said(
        r#"
scenario "too many" { given { a { spot: "石", "岩" } }  expect { game goes on } }
scenario "no such card" { card "石の番人" like "石" { }  given { a { hold: "石の番入" } }  expect { game goes on } }
scenario "no such zone" { given { a { hole: "石" } }  expect { game goes on } }
scenario "no faces there" { given { a { hold: "石" down } }  expect { game goes on } }
scenario "no truth" { given { a { spot: "石" up { marked = 3 } } }  expect { game goes on } }
scenario "below nothing" { given { a { score = -1 } }  expect { game goes on } }
scenario "no turn" { given { turn 0 }  expect { game goes on } }
scenario "more than a seat has" { given { a { pile: "石" x1001 } }  expect { game goes on } }
scenario "before the set-up" { given { setup  a { hold: "石" } }  expect { game goes on } }
scenario "nobody" { given { a { hold: "石" of c } }  expect { game goes on } }
scenario "unknown position" { given lato with { turn 2 }  expect { a wins } }
given late { turn 3 }
"#
    ));
}

#[test]
fn an_answer_that_is_none() {
    insta::assert_snapshot!(said(
        r#"
scenario "not offered" { given { phase second  a { hold: "岩", "鳥" } }  play { a: lay "石" }  expect { game goes on } }
scenario "a misspelt card" { card "石の番人" like "石" { }  given { phase second  a { hold: "石の番人", "鳥" } }  play { a: lay "石の番入" }  expect { game goes on } }
scenario "a misspelt decision" { given { phase second }  play { a: ley "石" }  expect { game goes on } }
scenario "a decision that nobody makes" { given { phase second }  play { a: lay "石" }  expect { a wins } }
scenario "nothing" { given { phase second }  play { a: lay "石" } }
scenario "rules that are none" { load rules 「action take(p: player) { tako(p) }」  expect { game goes on } }
scenario "cards" { load cards 「card "X" piece "甲" { power 3 }」  expect { game goes on } }
"#
    ));
}

/// The codes with which scenarios cannot be read or fail, and their texts. With `rules_errors`, an unexpected rules error gives its own
/// code.
fn outcome(scenarios: &str, rules_errors: bool) -> (Vec<String>, String) {
    let mut sources = Sources::default();
    let text = format!("gyoji 1\nscenarios micro\n{scenarios}");
    let found = parse_scenarios(sources.add("test.scenarios", text.as_str()), &text).1;
    if !found.is_empty() {
        return (found.iter().map(|finding| finding.code.to_owned()).collect(), format!("{found:?}"));
    }
    let (verdicts, said) = verdicts(scenarios);
    let code = |verdict: &super::Verdict| {
        let diagnostic = &verdict.failure.as_ref()?.diagnostic;
        let of_rules = diagnostic.args.iter().find(|(key, _)| rules_errors && diagnostic.code == "E0532" && *key == "code");
        Some(of_rules.map_or_else(|| diagnostic.code.to_owned(), |(_, code)| code.clone()))
    };
    (verdicts.iter().filter_map(code).collect(), said)
}

/// The pages of `gyoji explain CODE` have correct examples.
#[test]
fn the_scenarios_of_the_pages_fail_and_pass() {
    let mut broken = String::new();
    for (code, page) in pages() {
        let written = |text: &str| match page.of {
            Example::Scenario => Some(text.to_owned()),
            Example::Played => {
                Some(format!("scenario \"x\" {{\n  load rules 「{text}」\n  given {{ phase second }}\n  expect {{ game goes on }}\n}}"))
            }
            _ => None,
        };
        let (Some(wrong), Some(right)) = (written(&page.wrong), written(&page.right)) else { continue };
        let ((wrong, said), (right, also_said)) =
            (outcome(&wrong, page.of == Example::Played), outcome(&right, page.of == Example::Played));
        if wrong.is_empty() || wrong.iter().any(|found| found != code) || !right.is_empty() {
            broken.push_str(&format!("{code}\nwrong: {wrong:?} {said}\nright: {right:?} {also_said}\n"));
        }
    }
    assert_eq!(broken, "");
}
