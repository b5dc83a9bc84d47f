//! A player looks before deciding about the cards, in whatever words the script asks.

use super::{read, wording_of};
use lang::diagnostic::Sources;

/// What stands in the block of a question: the block, and whether the block begins with a look at an end of a zone and goes on.
const BLOCKS: [(&str, bool); 9] = [
    ("{ let seen = look(top 1 of deck(you), you)  take(seen) }", true),
    ("{ look(bottom 2 of deck(you), you)  take(deck(you)) }", true),
    ("{ let seen = look(top 1 of deck(you), you) }", false),
    ("{ let seen = look(deck(you), you)  take(seen) }", false),
    ("{ take(deck(you))  look(top 1 of deck(you), you) }", false),
    ("{ let seen = reveal(top 1 of deck(you))  take(seen) }", false),
    ("{ let seen = top 1 of deck(you)  look(seen, you)  take(seen) }", true),
    ("{ let cards = deck(you)  look(cards, you)  take(cards) }", false),
    ("{ for p in players { look(what: top 1 of deck(p), by: you) }  take(deck(you)) }", true),
];

/// Ways in which a script asks about a block `B`, and whether the block belongs to the question.
const WAYS: [(&str, bool); 5] = [
    ("may you B", true),
    ("may you attempt B", true),
    ("may you { as far as possible B }", true),
    ("if true { may you B }", true),
    ("attempt B", false),
];

/// What stands around the question `Q`. The second value: whether the player is asked about a replacement.
const AROUND: [(&str, bool); 4] = [
    ("on_show { Q }", false),
    ("instead of move(what: this) { Q }", true),
    ("on_show { lasting turn { instead of move(what: this) { Q } } }", true),
    ("static { grant this { instead of move(what: this) { Q } } }", true),
];

fn codes(declared: &str, script: &str) -> Vec<&'static str> {
    let source = format!(
        "gyoji 1\nzone deck \"山\" {{ each player }}\n{declared}wording small {{\n  category ability: ability\n  ability 「見る」 -> ability {script}\n}}\n"
    );
    let mut sources = Sources::default();
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, [], "{declared}{script}");
    let reading = read(&mut sources, &wording, "見る");
    assert_eq!(reading.abilities.is_empty(), !reading.diagnostics.is_empty(), "{declared}{script}");
    reading.diagnostics.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_question_before_the_look_is_found_and_no_other() {
    for (block, looks) in BLOCKS {
        for (way, asks) in WAYS {
            for (around, replaces) in AROUND {
                let script = around.replace('Q', &way.replace('B', block));
                assert_eq!(codes("", &script), if looks && asks && !replaces { vec!["E0459"] } else { vec![] }, "{script}");
            }
        }
    }
}

/// Bodies of an action with the parameters c, n and p: whether a call that hands cards at an end is a look at them, and whether each call is.
const BODIES: [(&str, bool, bool); 12] = [
    ("look(c, by: p)", true, false),
    ("look(what: c, by: p)", true, false),
    ("let seen = look(c, by: p)  return(seen)", true, false),
    ("if n > 0 { look(c, by: p) } else { fail() }", true, false),
    ("look(top n of deck(p), by: p)", true, true),
    ("let seen = top n of deck(p)  look(seen, by: p)", true, true),
    ("let seen = 0  repeat n { may p { seen = seen + 1 }  if not done { break }  look(top seen of deck(p), by: p) }", true, true),
    ("look(deck(p), by: p)", false, false),
    ("reveal(c)", false, false),
    ("look(c, by: p)  move(c, deck(p))", false, false),
    ("look(c, by: p)  p.seen = 1", false, false),
    ("look(c, by: p)  let moved = other(c)", false, false),
];

/// Declarations of the called action: with the body itself, or through other actions.
const DECLARED: [&str; 4] = [
    "action glance(c: set of card, n: number, p: player) \"覗く\" { BODY }",
    "procedure glance(c: set of card, n: number, p: player) { BODY }",
    "action glance(c: set of card, n: number, p: player) \"覗く\" { inner(c, n, p) }\nprocedure inner(c: set of card, n: number, p: player) { BODY }",
    "procedure inner(p: player, n: number, c: set of card) { BODY }\naction glance(c: set of card, n: number, p: player) \"覗く\" { let seen = inner(c: c, p: p, n: n)  return(seen) }",
];

/// Calls of the action, and whether the handed cards lie at an end.
const CALLS: [(&str, bool); 3] = [
    ("glance(top 2 of deck(you), 1, you)", true),
    ("glance(p: you, n: 1, c: bottom of deck(you))", true),
    ("glance(deck(you), 1, you)", false),
];

#[test]
fn an_action_of_the_game_that_only_looks_is_a_look() {
    for (body, hands, always) in BODIES {
        for declared in DECLARED {
            let declared = format!("action other(c: set of card) \"動く\" {{ move(c, deck(you)) }}\n{}\n", declared.replace("BODY", body));
            for (call, at_an_end) in CALLS {
                let looks = always || hands && at_an_end;
                for (script, early) in [
                    (format!("on_show {{ may you {{ {call}  take(deck(you)) }} }}"), looks),
                    (format!("on_show {{ may you {{ let seen = {call}  take(seen) }} }}"), looks),
                    (format!("on_show {{ {call}  may you {{ take(deck(you)) }} }}"), false),
                    (format!("on_show {{ may you {{ {call} }} }}"), false),
                ] {
                    assert_eq!(codes(&declared, &script), if early { vec!["E0459"] } else { vec![] }, "{declared}{script}");
                }
            }
        }
    }
}
