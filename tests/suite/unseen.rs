//! Signs that nobody sees, and letters that look like others, in every place of every kind of file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use gyoji::diagnostic::{Diagnostic, FileId, Sources, is_obeyed, is_shown_by_number, is_unseen};
use gyoji::project::{Deck, find};
use gyoji::scenario::rulebook::Rulebook;
use gyoji::syntax::{parse_cards, parse_rules, parse_scenarios};

/// A place of a file: what it is called, the file with `§` for the sign, and the signs that are refused there.
type Place = (&'static str, &'static str, fn(char) -> bool);

const RULES: [Place; 10] = [
    ("comment", "gyoji 1\n\n-- a§b\nparam p = 1\n", is_shown_by_number),
    ("comment behind", "gyoji 1\n\nparam p = 1 -- §\n", is_shown_by_number),
    ("label", "gyoji 1\n\nzone z \"場§\" { public }\n", is_shown_by_number),
    ("text", "gyoji 1\n\nreading r \"a§b\" { x default  y }\n", is_shown_by_number),
    ("name", "gyoji 1\n\nparam pa§b = 1\n", is_unseen),
    ("end of a name", "gyoji 1\n\nparam 札§ = 1\n", is_unseen),
    ("between tokens", "gyoji 1\n\nparam p =§ 1\n", is_unseen),
    ("before a declaration", "gyoji 1\n\n§param p = 1\n", is_unseen),
    ("first line", "gyoji §1\n\nparam p = 1\n", is_unseen),
    ("before everything", "§gyoji 1\n\nparam p = 1\n", is_unseen),
];

const CARDS: [Place; 6] = [
    ("comment", "gyoji 1\ncards x\n\n-- §\ncard \"A\" unit \"石\" { }\n", is_shown_by_number),
    ("name", "gyoji 1\ncards x\n\ncard \"A\" unit \"石§\" { }\n", is_shown_by_number),
    ("number", "gyoji 1\ncards x\n\ncard \"A§\" unit \"石\" { }\n", is_shown_by_number),
    ("between tokens", "gyoji 1\ncards x\n\ncard \"A\" §unit \"石\" { }\n", is_unseen),
    ("game", "gyoji 1\ncards §x\n\ncard \"A\" unit \"石\" { }\n", is_unseen),
    ("printed text", "gyoji 1\ncards x\n\ncard \"A\" unit \"石\" { text 「札§を引く」 }\n", is_obeyed),
];

const SCENARIOS: [Place; 4] = [
    ("comment", "gyoji 1\nscenarios x\n\nscenario \"s\" { -- §\n given { } expect { game goes on } }\n", is_shown_by_number),
    ("title", "gyoji 1\nscenarios x\n\nscenario \"s§\" { given { } expect { game goes on } }\n", is_shown_by_number),
    ("between tokens", "gyoji 1\nscenarios x\n\nscenario \"s\" { given §{ } expect { game goes on } }\n", is_unseen),
    ("citation", "gyoji 1\nscenarios x\n\nscenario \"s\" @1§-1 { given { } expect { game goes on } }\n", is_unseen),
];

const DECKS: [Place; 4] = [
    ("comment", "// §\n(name: \"d\", cards: [(2, \"A\")])", is_shown_by_number),
    ("name", "(name: \"d§\", cards: [(2, \"A\")])", is_shown_by_number),
    ("card", "(name: \"d\", cards: [(2, \"A§\")])", is_shown_by_number),
    ("between tokens", "(name: §\"d\", cards: [(2, \"A\")])", is_shown_by_number),
];

const PROJECTS: [Place; 2] =
    [("comment", "// §\n(games: [\"x\"])", is_shown_by_number), ("between tokens", "(games: §[\"x\"])", is_shown_by_number)];

const INDEXES: [Place; 3] = [
    ("remark", "# a§\n1\tmechanic\t石\n", is_shown_by_number),
    ("number", "1§\tmechanic\t石\n", is_shown_by_number),
    ("words", "1\tmechanic\t石§\n", is_shown_by_number),
];

/// All signs that some place refuses. Of the thousands of tags without meaning a part is enough.
fn signs() -> Vec<char> {
    let some = |sign: &char| *sign < '\u{E0080}' || u32::from(*sign).is_multiple_of(61);
    ('\0'..=char::MAX).filter(|sign| is_unseen(*sign)).filter(some).collect()
}

/// Reads a place with every sign. The finding names the sign at its place, or there is none.
fn look(kind: &str, places: &[Place], read: impl Fn(&str) -> Vec<Diagnostic>) {
    let signs = signs();
    assert!(signs.len() > 130, "{}", signs.len());
    for (place, template, is_refused) in places {
        let clean = read(&template.replace('§', ""));
        assert!(clean.is_empty(), "{kind}, {place}: {clean:?}");
        for sign in &signs {
            let text = template.replace('§', &sign.to_string());
            let found = read(&text);
            // The byte 0 makes a file no text, before its signs are looked at.
            if *sign == '\0' && found.iter().any(|finding| finding.code == "E0895") {
                continue;
            }
            let named = found.iter().find(|finding| finding.code == "E0142");
            let at = template.find('§').unwrap();
            let is_here = |finding: &&Diagnostic| {
                let names = finding.args.iter().any(|(key, value)| *key == "found" && value.starts_with(*sign));
                names && finding.span.is_none_or(|span| span.start as usize == at)
            };
            assert_eq!(named.filter(is_here).is_some(), is_refused(*sign), "{kind}, {place}: U+{:04X}: {found:?}", u32::from(*sign));
        }
    }
}

#[test]
fn a_sign_that_nobody_sees_is_named_wherever_it_stands() {
    look("rules", &RULES, |text| parse_rules(FileId(0), text).1);
    look("cards", &CARDS, |text| parse_cards(FileId(0), text).1);
    look("scenarios", &SCENARIOS, |text| parse_scenarios(FileId(0), text).1);
    look("an index", &INDEXES, |text| Rulebook::read(FileId(0), text).1);
    look("a deck", &DECKS, |text| {
        let mut sources = Sources::default();
        let file = sources.add("d.ron", text);
        Deck::parse(file, &sources).err().into_iter().collect()
    });
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unseen_project");
    std::fs::create_dir_all(&folder).unwrap();
    look("a project", &PROJECTS, |text| {
        std::fs::write(folder.join("gyoji.ron"), text).unwrap();
        find(&folder).err().into_iter().collect()
    });
}

/// Every letter that looks like an ASCII letter is refused in words, with both letters named, and nowhere else. Japanese is fine everywhere.
#[test]
fn a_letter_that_looks_like_another_is_refused_in_words_only() {
    let alike = |sign: &char| {
        let text = sign.to_string();
        let looks: String = unicode_security::skeleton(&text).collect();
        let japanese = matches!(*sign, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..);
        (!sign.is_ascii()
            && sign.is_alphabetic()
            && !japanese
            && looks.len() == 1
            && looks.starts_with(|sign: char| sign.is_ascii_alphanumeric()))
        .then_some((*sign, looks))
    };
    let letters: Vec<(char, String)> = ('\0'..=char::MAX).filter_map(|sign| alike(&sign)).collect();
    let mut named = 0;
    for (sign, looks) in &letters {
        let (_, found) = parse_rules(FileId(0), &format!("gyoji 1\n\nparam x{sign}y = 1\n"));
        assert!(!found.is_empty(), "{sign}");
        let says = |key: &str, value: &str| found.iter().any(|finding| finding.args.iter().any(|(is, said)| *is == key && said == value));
        let both = found.iter().any(|finding| finding.code == "E0148") && says("sign", &sign.to_string()) && says("letter", looks);
        named += usize::from(both);
        let (_, found) = parse_rules(FileId(0), &format!("gyoji 1\n\n-- {sign}\nreading r \"{sign}\" {{ x default  y }}\n"));
        assert!(found.iter().all(|finding| finding.code != "E0148"), "{sign}: {found:?}");
    }
    assert!(named > 200 && named * 10 > letters.len() * 8, "{named} of {}", letters.len());
    for word in ["手札", "カード", "ヴ", "人々", "ノード", "一", "口ロ", "工エ", "〆切", "ば", "長音ー"] {
        let (_, found) = parse_rules(FileId(0), &format!("gyoji 1\n\nparam {word} = 1\n"));
        assert_eq!(found, [], "{word}");
    }
}
