//! A player looks before deciding about the cards, in whatever words the script asks.

use super::{read, wording_of};
use crate::diagnostic::Sources;

/// What stands in the block of a question: the block, and whether the block begins with a look at an end of a zone and goes on.
const BLOCKS: [(&str, bool); 6] = [
    ("{ let seen = look(top 1 of deck(you), you)  take(seen) }", true),
    ("{ look(bottom 2 of deck(you), you)  take(deck(you)) }", true),
    ("{ let seen = look(top 1 of deck(you), you) }", false),
    ("{ let seen = look(deck(you), you)  take(seen) }", false),
    ("{ take(deck(you))  look(top 1 of deck(you), you) }", false),
    ("{ let seen = reveal(top 1 of deck(you))  take(seen) }", false),
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
const AROUND: [(&str, bool); 3] = [
    ("on_show { Q }", false),
    ("instead of move(what: this) { Q }", true),
    ("on_show { lasting turn { instead of move(what: this) { Q } } }", true),
];

#[test]
fn a_question_before_the_look_is_found_and_no_other() {
    for (block, looks) in BLOCKS {
        for (way, asks) in WAYS {
            for (around, replaces) in AROUND {
                let script = around.replace('Q', &way.replace('B', block));
                let source = format!(
                    "gyoji 1\nzone deck \"山\" {{ each player }}\nwording small {{\n  category ability: ability\n  ability 「見る」 -> ability {script}\n}}\n"
                );
                let mut sources = Sources::default();
                let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
                assert_eq!(errors, [], "{script}");
                let reading = read(&mut sources, &wording, "見る");
                let codes: Vec<&str> = reading.diagnostics.iter().map(|finding| finding.code).collect();
                assert_eq!(codes, if looks && asks && !replaces { vec!["E0459"] } else { vec![] }, "{script}");
                assert_eq!(reading.abilities.is_empty(), !codes.is_empty(), "{script}");
            }
        }
    }
}
