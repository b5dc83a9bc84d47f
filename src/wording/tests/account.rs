//! A printed word without a counterpart in the script is an error, whichever words a template loses.

use super::{read, wording_of};
use crate::diagnostic::Sources;

/// A printed word, its template in a line that keeps the word, and what the script then has.
const WORDS: [(&str, &str, &str); 7] = [
    ("相手", "${a: side}", "$a"),
    ("手札", "${b: zone}", "$b"),
    ("3", "${c: numeral}", "$c"),
    ("裏向き", "${d: face}", "$d"),
    ("以外", "${e: outside}", "$e"),
    ("《火》", "《${f: symbol}》", "$f"),
    ("②", "${g: times}", "$g"),
];

const DECLARED: &str = "
zone hand \"手札\" { each player }

wording small {
  category ability: ability
  category side: value
  category face: value
  category outside: value
  category times: value
  digits 「0123456789」
  owes 「相手」: opponent
  owes 「裏向き」: down
  owes 「以外」: not
  side 「相手」 -> opponent(you)
  face 「裏向き」 -> down
  outside 「以外」 -> not true
  times 「②」 -> 2
";

/// The words that the findings name, for a line with all words and a template that keeps those of `kept`.
fn lost(kept: usize) -> Vec<String> {
    let keeps = |at: usize| kept & (1 << at) != 0;
    let printed: String = WORDS.iter().map(|(word, ..)| format!("{word}、")).collect();
    let form: String = (0..).zip(WORDS).map(|(at, (word, hole, _))| format!("{}、", if keeps(at) { hole } else { word })).collect();
    let values: Vec<&str> = (0..).zip(WORDS).filter(|(at, _)| keeps(*at)).map(|(_, (.., value))| value).collect();
    let source = format!("gyoji 1\n{DECLARED}\n  ability 「{form}」 -> ability on_show {{ take({}) }}\n}}\n", values.join(", "));
    let mut sources = Sources::default();
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let reading = read(&mut sources, &wording, &printed);
    assert_eq!(reading.abilities.is_empty(), !reading.diagnostics.is_empty(), "a text with a finding has no ability");
    reading.diagnostics.iter().map(|finding| format!("{} {}", finding.code, sources.text(finding.span.unwrap_or_default()))).collect()
}

#[test]
fn each_word_that_a_template_loses_is_found_and_no_other() {
    for kept in 0..1 << WORDS.len() {
        let wanted: Vec<String> = (0..)
            .zip(WORDS)
            .filter(|(at, _)| kept & (1 << at) == 0)
            .map(|(_, (word, ..))| format!("E0456 {}", word.trim_matches(['《', '》'])))
            .collect();
        assert_eq!(lost(kept), wanted, "{kept:b}");
    }
}
