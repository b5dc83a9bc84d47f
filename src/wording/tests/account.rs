//! A printed word without a counterpart in the script is an error, whichever words a template loses.

use super::{read, wording_of};
use lang::diagnostic::Sources;

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
  owes 「以下」: from_above
  owes 「手の中」: hand or none
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

/// What a text of phrases is told about: for each phrase a printed word and what the template of the phrase makes of it.
fn told_of(phrases: &[(&str, &str)]) -> Vec<String> {
    let printed: String = phrases.iter().map(|(word, _)| format!("{word}、")).collect();
    let mut lines = String::new();
    let mut forms = String::new();
    let mut values = Vec::new();
    for (at, (word, value)) in phrases.iter().enumerate() {
        lines.push_str(&format!("  category kind_{at}: value\n  kind_{at} 「{word}」 -> {value}\n"));
        forms.push_str(&format!("${{p{at}: kind_{at}}}、"));
        values.push(format!("$p{at}"));
    }
    let declared = DECLARED;
    let source = format!("gyoji 1\n{declared}{lines}  ability 「{forms}」 -> ability on_show {{ take({}) }}\n}}\n", values.join(", "));
    let mut sources = Sources::default();
    let (wording, errors) = wording_of(&mut sources, &[("small.rules", source)]);
    assert_eq!(errors, []);
    let reading = read(&mut sources, &wording, &printed);
    reading.diagnostics.iter().map(|finding| format!("{} {}", finding.code, finding.span.unwrap_or_default().start)).collect()
}

/// Printed words, and the values that say so.
const SAID: [(&str, &str); 5] =
    [("相手", "opponent(you)"), ("裏向き", "down"), ("4", "4"), ("手の中", "hand(you)"), ("5以下", "it.size <= 5")];

/// Words that say nothing, and values that need no word.
const UNSAID: (&str, &str) = ("それ", "this");

#[test]
fn each_part_without_its_own_word_is_found_and_no_other() {
    // Each of three phrases prints a word or none, and its script has the part or none.
    let options: Vec<(&str, &str)> = SAID.iter().flat_map(|said| [*said, (said.0, UNSAID.1), (UNSAID.0, said.1)]).chain([UNSAID]).collect();
    for first in &options {
        for second in &options {
            let phrases = [*first, *second, ("相手", "opponent(you)")];
            let mut lost = Vec::new();
            let mut added = Vec::new();
            let mut at = 0;
            for (word, value) in phrases {
                let said = SAID.iter().find(|(said, part)| *said == word || *part == value);
                if let Some((said, part)) = said.filter(|(said, part)| *said != word || *part != value) {
                    // 手の中 may be the hand, and owes nothing.
                    let numbers = if *said == "5以下" { 2 } else { 1 };
                    match *part == value {
                        true => added.extend(std::iter::repeat_n(format!("E0458 {at}"), numbers)),
                        false if *said == "手の中" => {}
                        // A text may name the same side again.
                        false if *said == "相手" && at > 0 && first.0 == "相手" => {}
                        false => lost.extend((0..numbers).map(|number| format!("E0456 {}", at + number))),
                    }
                }
                at += word.len() + "、".len();
            }
            let mut told = told_of(&phrases);
            let mut wanted = if lost.is_empty() { added } else { lost };
            told.sort();
            wanted.sort();
            assert_eq!(told, wanted, "{phrases:?}");
        }
    }
}
