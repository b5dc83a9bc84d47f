//! Files that say what cannot be, and that were once taken without a word: records, project files, lists of scenarios, names.

#![allow(clippy::string_slice, reason = "a test")]

use super::{check, folder, path, said};
use std::path::Path;

/// The terminal breaks a message at the end of its line, so blanks and its margin are removed.
fn plain(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace() && *sign != '│').collect()
}

#[test]
fn a_record_that_fits_no_game_of_these_rules_is_refused() {
    let record = folder("misfit_record").join("game.ron");
    check(&["play", "kaiun", "--seed", "1", "--record", path(&record)], "", 0, &[]);
    let text = std::fs::read_to_string(&record).unwrap();
    check(&["replay", path(&record)], "", 0, &[]);
    let first_deck = text.find("[(\"KC").unwrap();
    let no_copies = format!("{}[(\"KC-001\", 0), {}", &text[..first_deck], &text[first_deck + 1..]);
    let one_more = format!("{}[(\"KC-001\", 1)], {}", &text[..first_deck], &text[first_deck..]);
    for (changed, said) in
        [(no_copies, "0 copies of `KC-001`"), (one_more, "3 entries"), (text.replacen("seat: 1", "seat: 5", 1), "seat number 5")]
    {
        assert_ne!(changed, text);
        std::fs::write(&record, changed).unwrap();
        let (code, _, err) = super::said(&super::gyoji(&["replay", path(&record)], ""));
        assert!(code == 2 && err.contains("E0884") && plain(&err).contains(&plain(said)), "{err}");
    }
}

/// Runs `check` in a project.
fn in_project(folder: &Path) -> (i32, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
    let (code, out, err) = said(&command.args(["check"]).current_dir(folder).env("LANG", "C").output().unwrap());
    (code, out + &err)
}

fn project(called: &str, file: &str) -> std::path::PathBuf {
    let folder = folder(called);
    std::fs::create_dir_all(folder.join("rules/p")).unwrap();
    std::fs::write(folder.join("rules/p/p.rules"), "gyoji 1\n\ngame p \"輪\" { players 2 }\n").unwrap();
    std::fs::write(folder.join("gyoji.ron"), file).unwrap();
    folder
}

#[test]
fn a_project_that_names_no_game_is_told_so() {
    for (called, file, code) in [
        ("names_none", "(games: [])", "E0885"),
        ("names_nothing", "()", "E0885"),
        ("names_a_path", "(games: [\"p/\"])", "E0853"),
        ("names_a_point", "(games: [\"./p\"])", "E0853"),
    ] {
        let (exit, said) = in_project(&project(called, file));
        assert!(exit == 2 && said.contains(code), "{file}: {said}");
    }
    // Without rules of its own a project has the built-in games.
    let folder = folder("names_built_in");
    std::fs::write(folder.join("gyoji.ron"), "(language: \"en\")").unwrap();
    let played =
        std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(["play", "kaiun", "--seed", "1"]).current_dir(&folder).output();
    assert_eq!(said(&played.unwrap()).0, 0);
}

#[cfg(unix)]
#[test]
fn a_project_file_that_is_a_pipe_is_told_so() {
    let folder = project("piped", "");
    std::fs::remove_file(folder.join("gyoji.ron")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("gyoji.ron")).status().unwrap().success());
    let (exit, said) = in_project(&folder);
    assert!(exit == 2 && said.contains("E0887"), "{said}");
}

#[test]
fn a_line_of_the_pending_files_that_names_nothing_is_an_error() {
    let folder = project("pending_lines", "(games: [\"p\"])");
    let scenarios = folder.join("tests/scenarios");
    std::fs::create_dir_all(&scenarios).unwrap();
    std::fs::write(scenarios.join("later.scenarios"), "gyoji 1\n\nscenarios p\n\nnot yet\n").unwrap();
    let list = |line: &str| std::fs::write(scenarios.join("pending.txt"), line).unwrap();
    for line in ["tests/scenarios/later.scenarios -- its rule", "\u{FEFF}./tests/scenarios/later.scenarios"] {
        list(line);
        assert_eq!(in_project(&folder).0, 0, "{line}");
    }
    for line in ["later.scenarios", "/etc/passwd", "../pending_lines/tests/scenarios/later.scenarios", "rules/p/p.rules"] {
        list(line);
        let (exit, said) = in_project(&folder);
        assert!(exit == 2 && said.contains("E0886") && plain(&said).contains("pending.txt:1"), "{line}: {said}");
    }
    std::fs::write(scenarios.join("pending.txt"), b"\xFF\xFE\xFF").unwrap();
    assert_eq!(in_project(&folder).0, 2);
}

/// Words that expressions have already are no names.
#[test]
fn words_of_expressions_are_no_names() {
    let folder = folder("own_words");
    for (declared, code) in [
        ("enum ev \"値\" { none \"無\"  b1 \"ビ\" }", 1),
        ("param it = 4", 1),
        ("zone players \"場\" { each player  public }", 1),
        ("function you() -> number = 1", 1),
        ("reading rd \"why\" { this default  other }", 1),
        ("state none \"印\" : bool on card", 1),
        ("state owner \"主\" : player on card", 1),
        ("state name \"名\" : text on card", 1),
        ("state name \"名\" : text on player", 0),
        ("state tied \"引き分け\" : bool on player", 0),
    ] {
        std::fs::write(folder.join("game.rules"), format!("gyoji 1\n\ngame p \"輪\" {{ players 2 }}\n\n{declared}\n")).unwrap();
        check(&["check", path(&folder)], "", code, if code == 1 { &["E0385"] } else { &[] });
    }
}

/// A name after a dot means one thing. A policy says each thing once, and a reading has one default.
#[test]
fn what_is_said_twice_is_refused() {
    let folder = folder("said_twice");
    let card = "card unit \"兵\" { power \"力\" : number }";
    for (declared, code) in [
        ("state power \"力\" : number on card", "E0202"),
        ("state power \"力\" : number on game", "E0202"),
        ("state power \"力\" : number on player", ""),
        ("player { gold \"金\" : number = 1 }\n\npool gold \"金\" { each player }", "E0202"),
        ("policy choices { known = surely_found }\n\npolicy choices { known = may_fail }", "E0289"),
        ("policy choices { known = surely_found  known = may_fail }", "E0289"),
        ("reading rd \"why\" { one default  two default }", "E0202"),
    ] {
        std::fs::write(folder.join("game.rules"), format!("gyoji 1\n\ngame p \"輪\" {{ players 2 }}\n\n{card}\n{declared}\n")).unwrap();
        let codes: &[&str] = if code.is_empty() { &[] } else { &[code] };
        check(&["check", path(&folder)], "", i32::from(!code.is_empty()), codes);
    }
}

/// A number that can stand for nothing would make every `refused` true.
#[test]
fn a_number_that_stands_for_nothing_is_no_answer() {
    let folder = folder("numbered");
    let rules = "gyoji 1\n\ngame p \"輪\" { players 2 }\n\nzone field \"場\" { each player  public }\ncard unit \"兵\" { }\n\
        ability act \"技\" { zones: set of zone = [field] }\npool n \"数\" { each player }\n\
        option use(a: ability in abilities(field(p)) where it is act) \"使う\" by p in acts { you.n = you.n + 1 }\n\
        option tap(c: card in field(p)) \"倒す\" by p in acts { you.n = you.n + 1 }\n\
        turn { phase one \"一\" { offer you from acts or pass } }\ngiven default { field: none }\n";
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    std::fs::write(folder.join("a.cards"), "gyoji 1\n\ncards p\n\ncard \"A\" unit \"石\" { script { act { } } }\n").unwrap();
    for (answer, code) in [
        ("possible a: use(x)", ""),
        ("possible a: use(1)", ""),
        ("refused a: use(9)", "E0589"),
        ("refused a: tap(1)", "E0589"),
        ("refused b: tap(x)", ""),
    ] {
        let text = format!("gyoji 1\nscenarios p\n\nscenario \"s\" {{ given {{ a {{ field: \"石\" as x }} }}  expect {{ {answer} }} }}\n");
        std::fs::write(folder.join("s.scenarios"), text).unwrap();
        let codes: &[&str] = if code.is_empty() { &[] } else { &[code] };
        check(&["check", path(&folder)], "", i32::from(!code.is_empty()), codes);
        check(&["test", path(&folder)], "", i32::from(!code.is_empty()), codes);
    }
}

/// No printed line has thousands of signs. Reading such a line would take minutes.
#[test]
fn a_line_of_thousands_of_signs_is_given_up_at_once() {
    check(&["wording", "tests/kernel/spelled", "--try", &"あ".repeat(5000)], "", 1, &["E0409"]);
}

/// Names that look alike do not differ by signs that nobody sees. What a card's text says is the card's own matter.
#[test]
fn signs_that_nobody_sees_are_refused_in_names() {
    let folder = folder("unseen_names").join("p");
    std::fs::create_dir_all(&folder).unwrap();
    let rules = "gyoji 1\n\ngame p \"輪\" { players 2 }\n\ncard unit \"兵\" { power \"力\" : number }\n";
    std::fs::write(folder.join("game.rules"), rules).unwrap();
    let cards = |name: &str| {
        let text = format!("gyoji 1\n\ncards p\n\ncard \"A\" unit \"{name}\" {{ power 1 }}\n");
        std::fs::write(folder.join("a.cards"), text).unwrap();
    };
    cards("石");
    check(&["check", path(&folder)], "", 0, &[]);
    for sign in
        ['\u{200B}', '\u{200F}', '\u{61C}', '\u{FEFF}', '\u{2028}', '\u{AD}', '\u{34F}', '\u{2060}', '\u{3164}', '\u{FFF9}', '\u{E0041}']
    {
        cards(&format!("石{sign}"));
        let number = format!("U+{:04X}", u32::from(sign));
        let (code, out, _) = said(&super::gyoji(&["check", path(&folder)], ""));
        assert!(code == 1 && out.contains("E0142") && out.contains(&number) && !out.contains(sign), "{number}: {out}");
    }
    cards("石");
    std::fs::write(folder.join("rulebook.tsv"), "1\tmechanic\t石\u{200B}を引く\n").unwrap();
    check(&["check", path(&folder)], "", 1, &["E0142", "U+200B"]);
}
