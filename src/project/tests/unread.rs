//! A text whose templates give a script that is wrong is not read: each error of the compiler says so at the text, and marks the phrase.

use super::scratch;
use crate::{Places, find, load};
use lang::diagnostic::{Severity, entry};
use std::collections::BTreeSet;

const RULES: &str = "gyoji 1

game tiny \"小\" { players 2 }

enum sign { red \"赤\" }
card thing \"物\" { power \"力\" : number = 0 }
zone hand \"手札\" { each player  public }
zone table \"場\" { each player  public }
ability on_show \"登場\" { x: number = 1 from range(0, 3) }
duration turn \"番\"
action take(cards: set of card) \"取る\" { for c in cards { move(c, hand(c.owner)) } }

turn { phase one \"一\" { apply rules } }

wording tiny {
  category ability: ability
  category act: statements
  act 「する」 -> { ACT }
  ability 「もし${a: act}。」 -> ability AROUND
}
";

/// Statements of a template, each with a mistake that only the compiler finds.
const ACTS: [&str; 13] = [
    "take(5)",
    "take(hand(you), 1)",
    "nobody(hand(you))",
    "take(zone)",
    "this.power = 2",
    "this.nothing = 2",
    "let x = 2",
    "for c in 4 { take(c) }",
    "if 3 { take(hand(you)) }",
    "lasting morning { modify this { power + 1 } }",
    "lasting turn { modify this { courage + 1 } }",
    "repeat true { take(hand(you)) }",
    "take(hand(you) where it is blue)",
];

/// Scripts around the statement.
const AROUND: [&str; 2] = ["on_show(x: 1 from range(0, 3)) { $a }", "on_show(x: 1 from range(0, 3)) { if true { $a } }"];

#[test]
fn an_error_in_the_script_of_a_text_says_that_the_text_is_not_read() {
    let folder = scratch("unread");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"tiny\"], language: \"ja\")").unwrap();
    std::fs::write(folder.join("rules/tiny/tiny.cards"), "gyoji 1\ncards tiny\n\ncard \"S\" thing \"石\" { text 「もしする。」 }\n")
        .unwrap();
    let errors = |act: &str, around: &str| {
        std::fs::write(folder.join("rules/tiny/tiny.rules"), RULES.replace("ACT", act).replace("AROUND", around)).unwrap();
        let project = find(&folder).unwrap().unwrap();
        let (game, found) = load("tiny", &Places::default(), Some(&project)).unwrap();
        (game, found.into_iter().filter(|finding| finding.severity == Severity::Error).collect::<Vec<_>>())
    };
    for around in AROUND {
        assert_eq!(errors("take(hand(you))", around).1, [], "{around}");
    }
    let mut codes = BTreeSet::new();
    for act in ACTS {
        for around in AROUND {
            let (game, found) = errors(act, around);
            assert!(!found.is_empty(), "{act} in {around}");
            for finding in found {
                // A name that nothing declares is an error of the template, also if no card prints it.
                let of_template =
                    finding.span.is_some_and(|span| game.sources.get(span.file).is_some_and(|source| source.name.ends_with(".rules")));
                assert!(
                    finding.notes.iter().any(|(span, key)| *key == "unread" && game.sources.text(*span).contains("もしする。"))
                        || of_template,
                    "{act} in {around}: {finding:?}"
                );
                assert!(
                    of_template || finding.span.is_some_and(|span| "もしする。".contains(game.sources.text(span))),
                    "{act}: {finding:?}"
                );
                assert!(entry(finding.code, lang::diagnostic::Language::English).is_some());
                codes.insert(finding.code);
            }
        }
    }
    assert!(codes.len() >= 7, "{codes:?}");
    std::fs::remove_dir_all(folder).unwrap();
}
