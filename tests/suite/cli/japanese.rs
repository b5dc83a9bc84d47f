//! What a player reads with `--lang ja` is Japanese: the screens of `play`, its help, its refusals, the answers of `why`.
//!
//! A word of Latin letters may be printed on cards (UNIT), be typed by the player (it stands in backquotes or is part of the help for the
//! prompt), or name a file. Everything else is a name of the rules that has no label, or a message that nobody has translated.

use super::{folder, gyoji, said};
use gyoji::engine::program::Builtin;
use gyoji::project::embedded_games;
use std::collections::BTreeSet;
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// The Latin words of a screen that a player of a Japanese game does not know.
fn foreign(screen: &str, game: &str) -> BTreeSet<String> {
    let is_known = |word: &str| word.chars().all(|sign| !sign.is_ascii_lowercase()) || word == game;
    let mut found = BTreeSet::new();
    for line in screen.lines() {
        // What stands in backquotes is typed or was typed. The lines of a source show what was typed again.
        let spoken = line.split('`').step_by(2);
        let quoted = ["│", "╭", "·", "rules/", "cards/"].iter().any(|mark| line.contains(mark));
        for part in spoken.filter(|_| !quoted) {
            let words = part.split(|sign: char| !sign.is_ascii_alphabetic() && sign != '_');
            found.extend(words.filter(|word| word.len() > 2 && !is_known(word)).map(|word| format!("{word} ({line})")));
        }
    }
    found
}

/// Answers that fit most questions, and requests that anybody may make at the prompt.
fn typed() -> String {
    let mut lines = String::new();
    for round in 0..60 {
        lines += ["1\n", "2\n", "-\n", "1 2\n", "3\n", "99\n"][round % 6];
        if round % 10 == 3 {
            lines += "?\n? 1\nwhy can 1\nwhy value 1\nwhy\nhelp\n";
        }
    }
    lines + "q\n"
}

#[test]
fn a_player_reads_japanese() {
    let mut wrong = Vec::new();
    for game in embedded_games() {
        for seed in ["1", "2"] {
            let play = ["play", &game, "--seat", "a=human", "--seat", "b=random", "--seed", seed, "--lang", "ja"];
            let (_, out, err) = said(&gyoji(&play, &typed()));
            wrong.extend(foreign(&format!("{out}\n{err}"), &game).into_iter().map(|word| format!("{game}: {word}")));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn why_somebody_lost_is_said_in_japanese_with_the_rule() {
    for (scenario, seat, rule) in [
        ("kaiun/6_6_cost_phase.scenarios:a refresh without a barrier on one side alone loses", "a", "9-3-3"),
        ("lftcg/015_5_1_4_downs_heard_and_counted.scenarios:the fifth down ends the game only when the card is in the trash", "b", "9-2"),
        ("victory_spark/009_1_rule_processes_and_loss.scenarios:the tenth card is retired by the opponent's effect", "b", "9.2.2"),
    ] {
        let place = format!("tests/scenarios/{scenario}");
        let (code, out, err) = said(&gyoji(&["why", &place, &format!("happened lose({seat})"), "--lang", "ja"], ""));
        assert_eq!(code, 0, "{err}");
        let loss = out.lines().find(|line| line.contains("敗北(")).unwrap_or_else(|| panic!("{out}"));
        assert!(loss.contains(rule), "{loss}");
        let answer: String = out.lines().filter(|line| !line.starts_with('「')).map(|line| format!("{line}\n")).collect();
        let game = scenario.split('/').next().unwrap();
        assert_eq!(foreign(&answer, game), BTreeSet::new());
    }
}

#[test]
fn every_verb_of_the_language_has_a_japanese_name() {
    for verb in Builtin::ALL {
        let key = format!("verb.{}", verb.name());
        assert!(gyoji::tell::Words::new(gyoji::diagnostic::Language::Japanese).find(&key).is_some(), "{key}");
    }
}

/// Copies a folder, with every letter and its mark as two signs.
fn in_two_parts(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(|file| file.unwrap()) {
        let to = to.join(file.file_name());
        if file.path().is_dir() {
            in_two_parts(&file.path(), &to);
        } else {
            let text = std::fs::read_to_string(file.path()).unwrap();
            std::fs::write(to, text.nfd().collect::<String>()).unwrap();
        }
    }
}

#[test]
fn letters_written_in_two_parts_are_one_everywhere() {
    let project = folder("in_two_parts");
    for part in ["rules/kaiun", "cards/kaiun", "tests/scenarios/kaiun"] {
        in_two_parts(Path::new(part), &project.join(part));
    }
    // One file of rulings is enough to be run.
    let rulings = "tests/scenarios/kaiun/10_keywords.scenarios";
    std::fs::write(project.join("gyoji.ron"), "(games: [\"kaiun\"])\n").unwrap();
    let run = |command: &[&str], folder: &Path| {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_gyoji")).args(command).args(["--lang", "en"]).current_dir(folder).output();
        let (code, out, err) = said(&output.unwrap());
        assert_eq!(code, 0, "{command:?}: {err}");
        (out, err)
    };
    let (passed, _) = run(&["test", rulings], &project);
    let known = said(&gyoji(&["test", rulings, "--lang", "en"], "")).1;
    assert_eq!(passed.lines().last(), known.lines().last());
    let (out, err) = run(&["check"], &project);
    assert_eq!((out + &err).matches("nothing to mend").count(), 1);
    // A text of the command line.
    let text = "カード1枚を引く。そして、手札1枚を捨てる。";
    let tried = |text: &str| said(&gyoji(&["wording", "kaiun", "--try", text, "--lang", "ja"], "")).1;
    assert_eq!(tried(&text.nfd().collect::<String>()), tried(text));
}
