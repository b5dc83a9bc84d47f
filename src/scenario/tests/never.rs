//! Every sort of decision with every sort of value: an answer that can never be one of the decision is an error, in a run and before it.

use super::{ground_of, no_errors};
use crate::{checks, run};
use lang::diagnostic::Sources;
use lang::syntax::parse_scenarios;

/// Decisions of every sort, in a phase of their own.
const DECISIONS: &str = r#"
  phase fourth "四" @6-3 {
    choose amount: 1 from range(1, 3) by you
    choose who: 1 from players by you
    choose which: 1 from hold(you) by you
    choose tint: 1 from [red, blue] by you
    for c in hold(you) { choose mood: 1 from [c.kind] by you }
    choose unseen: 1 from hold(opponent(you)) by you blindly
    may you "引くか" { take(you) }
    offer you from acts or pass
  }
}

enum hue "色" { red "赤"  blue "青" }
option march(c: piece in hold(p), how: hue in [red, blue]) "進む" by p in acts { take(p) }

judgement("#;

/// Each decision with the sorts of values that it takes.
const TAKES: [(&str, &[&str]); 10] = [
    ("amount", &["number", "negative"]),
    ("who", &["player"]),
    ("which", &["card", "alias"]),
    ("tint", &["value"]),
    ("mood", &["symbol", "card", "alias", "value", "player", "zone", "yes"]),
    ("unseen", &["number", "card", "alias"]),
    ("confirm", &["yes"]),
    ("acts", &[]),
    ("march", &[]),
    ("pass", &[]),
];

/// A value of each sort.
const VALUES: [(&str, &str); 9] = [
    ("number", "2"),
    ("negative", "-1"),
    ("player", "b"),
    ("card", "\"石\""),
    ("alias", "z"),
    ("value", "red"),
    ("symbol", "土"),
    ("zone", "hold"),
    ("yes", "yes"),
];

/// The codes of a scenario with this expectation: of its run, and of the check without a run.
fn codes(expectation: &str) -> [Vec<&'static str>; 2] {
    let rules = include_str!("micro.rules");
    let (before, after) = rules.split_once("\n}\n\njudgement(").unwrap();
    let mut sources = Sources::default();
    let ground = ground_of(&mut sources, &format!("{before}{DECISIONS}{after}"));
    let text = format!(
        "gyoji 1\nscenarios micro\nscenario \"x\" {{ given {{ phase second  a {{ hold: \"石\" as z, \"岩\" }} }}  expect {{ {expectation} }} }}"
    );
    let (file, found) = parse_scenarios(sources.add("test.scenarios", text.as_str()), &text);
    no_errors(&found, expectation);
    let scenario = &file.items[0];
    let of_run = run(&ground, scenario, &sources).failure.map(|failure| failure.diagnostic.code);
    let mut compiler = ground.compiler().clone();
    compiler.knows_all_words();
    let of_check = checks::findings(&ground, &mut compiler, scenario, true);
    [of_run.into_iter().collect(), of_check.iter().map(|finding| finding.code).collect()]
}

#[test]
fn an_answer_that_can_never_be_one_is_an_error() {
    let mut slips = Vec::new();
    for (decision, takes) in TAKES {
        for (sort, value) in VALUES {
            let said = codes(&format!("refused b: {decision} {value}"));
            let fits = takes.contains(&sort);
            if said.iter().any(|codes| codes.is_empty() != fits) {
                slips.push(format!("{decision} {value} ({}): {said:?}", if fits { "fits" } else { "never" }));
            }
        }
        for place in ["none", "[1]"].into_iter().filter(|place| decision != "pass" || *place == "none") {
            assert_eq!(codes(&format!("refused b: {decision} {place}")).concat(), [""; 0], "{decision} {place}");
        }
    }
    assert!(slips.is_empty(), "{}", slips.join("\n"));
}

#[test]
fn an_argument_is_given_once() {
    let args = ["z", "c: z", "how: red"];
    for first in args {
        for second in args {
            let of = |arg: &str| if arg.starts_with("how") { "how" } else { "c" };
            let (first, second) = if second == "z" { (second, first) } else { (first, second) };
            if first == "z" && second == "z" {
                continue;
            }
            let said = codes(&format!("refused b: march({first}, {second})")).concat();
            let twice = of(first) == of(second);
            assert_eq!(said.contains(&"E0207"), twice, "march({first}, {second}): {said:?}");
            assert_eq!(said.is_empty(), !twice, "march({first}, {second}): {said:?}");
        }
    }
}

/// Conditions of two numbers, with conditions around them: each says something about the game, or is an error.
#[test]
fn a_condition_that_the_game_does_not_decide_is_an_error() {
    let written = ["1", "-1", "1 + 1"];
    let of_game = ["count(hold(a))", "count(hold(b)) + 1"];
    let numbers: Vec<&str> = written.into_iter().chain(of_game).collect();
    let mut conditions: Vec<(String, bool)> = vec![("true".into(), true), ("not false".into(), true), ("z in hold(a)".into(), false)];
    for left in &numbers {
        for right in &numbers {
            for op in ["==", "!=", "<", ">="] {
                let certain = left == right || written.contains(left) && written.contains(right);
                conditions.push((format!("{left} {op} {right}"), certain));
            }
        }
    }
    conditions.extend([("z == z".into(), true), ("rule @6-3 before @6-3".into(), true), ("rule @6-3 before @6-2".into(), false)]);
    for (condition, certain) in conditions {
        let is_rule = condition.starts_with("rule");
        let around = ["C", "not C", "not (C)", "(C) and count(hold(a)) == 2", "count(hold(a)) == 2 or (C)"];
        for around in around.into_iter().filter(|around| if is_rule { !around.contains('(') } else { !around.contains("not C") }) {
            let expectation = around.replace('C', &condition);
            let [_, of_check] = codes(&expectation);
            assert_eq!(of_check.contains(&"E0598"), certain, "{expectation}: {of_check:?}");
        }
    }
}
