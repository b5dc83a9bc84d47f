//! The words of messages: about files of the wrong kind, about decks, about questions, and in the project's language.

use super::{check, folder, gyoji, path, said};

#[test]
fn a_file_of_another_kind_is_not_formatted() {
    let folder = folder("fmt_other");
    let file = folder.join("notes.txt");
    std::fs::write(&file, "gyoji 1\n").unwrap();
    check(&["fmt", path(&file)], "", 2, &["E0851", ".rules", ".scenarios"]);
    check(&["fmt", path(&folder)], "", 2, &["E0891", ".rules", ".scenarios"]);
}

#[test]
fn a_deck_file_is_read_in_its_makers_words() {
    let folder = folder("deck_words");
    let deck = folder.join("mine.ron");
    let named = format!("a={}", path(&deck));
    let rows = [
        ("(format: 9, name: \"x\", cards: [])", "E0704", "has the format 9; this version reads 1"),
        ("(cards: [])", "E0852", "`name` is missing"),
        ("(nam: \"x\", cards: [])", "E0853", "did you mean `name`?"),
        ("(name: 3, cards: [])", "E0854", "something like `\"…\"` is needed"),
        ("(name: \"x\", cards: [(\"KC-001\", 3)])", "E0854", "something like `3` is needed"),
        ("(name: \"x\", cards: [(3)])", "E0854", "mine.ron:1:"),
        ("(name: \"x\", cards: 3)", "E0854", "something like `[…]` is needed"),
        ("(name: \"x\" cards: [])", "E0854", "is needed"),
        ("(name: \"x\", cards: [(1 \"P01\")])", "E0854", "a deck is written like this: `(name:"),
        ("(name: \"x\", name: \"y\", cards: [])", "E0855", "`name` is given twice"),
        ("(name: \"x\", cards: [(99999999999, \"KC-001\")])", "E0856", "too large"),
        ("(name: \"x\", cards: [(-1, \"KC-001\")])", "E085", "mine.ron:1:"),
        ("", "E085", "mine.ron:1:1"),
        ("name", "E085", "mine.ron:1:"),
    ];
    for (text, code, words) in rows {
        std::fs::write(&deck, text).unwrap();
        let (exit, out, err) = said(&gyoji(&["play", "kaiun", "--deck", &named], ""));
        assert_eq!(exit, 2, "{text}\n{out}\n{err}");
        assert!(err.contains(code) && err.contains(words), "{text}\n{err}");
        for rust in ["struct", "u32", "String", "Deck", "tuple", "integer", "sequence", "field"] {
            assert!(!err.contains(rust), "{rust}: {text}\n{err}");
        }
    }
}

#[test]
fn a_project_says_which_language_is_spoken() {
    let folder = folder("language");
    let speak = |language: &str, args: &[&str], lang: Option<&str>| {
        std::fs::write(folder.join("gyoji.ron"), format!("(games: [\"kaiun\"], language: \"{language}\")")).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gyoji"));
        command.args(args).current_dir(&folder).env_remove("LANG");
        lang.map(|lang| command.env("LANG", lang));
        said(&command.output().unwrap()).2
    };
    assert!(speak("ja", &["plya"], None).contains("というコマンドはありません"));
    // These locales name no language.
    for none in ["C", "POSIX", ""] {
        assert!(speak("ja", &["plya"], Some(none)).contains("というコマンドはありません"), "{none}");
    }
    assert!(speak("ja", &["plya"], Some("en_GB.UTF-8")).contains("there is no command"), "the surroundings are heard first");
    assert!(speak("en", &["plya"], Some("ja_JP.UTF-8")).contains("というコマンドはありません"), "the surroundings are heard first");
    assert!(speak("ja", &["plya", "--lang", "en"], None).contains("there is no command"));
    assert!(speak("en", &["plya"], None).contains("there is no command"));
    assert!(speak("fr", &["check"], None).contains("E0853"));
}

#[test]
fn a_code_is_explained_in_words_with_an_example() {
    check(&["explain", "E0201"], "", 0, &["no ‹thing› is called `‹name›`", "Wrong:\n", "    drwa(p, 1)", "Right:\n"]);
    check(&["explain", "e0201", "--lang", "ja"], "", 0, &["`‹name›` は宣言されていません", "起きる例：", "直した例："]);
    check(&["explain", "E0256"], "", 0, &["`enum ‹name› \"label\" { one \"label\"  two \"label\" }`"]);
    check(&["explain", "E0201", "--format", "json"], "", 0, &["\"meaning\":", "\"wrong\":"]);
}

#[test]
fn a_failed_scenario_is_shown_in_the_readers_language() {
    let folder = folder("failed_ja");
    let file = folder.join("x.scenarios");
    std::fs::write(&file, "gyoji 1\n\nscenarios kaiun\n\nscenario \"勝つはず\" {\n  given { }\n  expect { a wins }\n}\n").unwrap();
    let (code, out, _) = said(&gyoji(&["test", path(&file), "--lang", "ja"], ""));
    assert_eq!(code, 1);
    for words in ["勝つはず", "ゲームは続いている（選択 ", "  ターン1、", "  選択 a：", "  最後の処理：", "フェイズ "]
    {
        assert!(out.contains(words), "{words}\n{out}");
    }
    for english in ["turn ", "asked ", "last steps", "phase ", "carried out", "game goes on"] {
        assert!(!out.contains(english), "{english}\n{out}");
    }
    check(&["test", path(&file)], "", 1, &["turn 1, ", "asked a: ", "last steps:", "game goes on, asked a: "]);
}

const ASKING: &str = "gyoji 1\n\nuse nothing\n\ngame ask \"問\" { players 2 }\n\n\
    zone deck \"山\" { each player  ordered  hidden  starts with deck }\n\nzone hand \"手\" { each player  hidden except to owner }\n\n\
    card unit \"札\" { }\n\nmoment later \"後で\"\n\nsetup { for p in players { move(top 1 of deck(p), hand(p)) } }\n\n\
    turn {\n  phase only \"問い\" {\n    for p in players {\n      choose x: up to 1 from hand(p) by p\n      \
    choose y: any number from hand(p) by p\n      choose w: up to 2 from hand(p) with deck(p) by p\n      \
    choose z: 2 from hand(p) with deck(p) by p\n      put by { move(top of deck(p), hand(p)) } until later\n    }\n    \
    for e in pending where it is later { perform e }\n    judge together { for p in players { win(p) } }\n  }\n}\n\n\
    judgement(losing: set of player, winning: set of player) { finish_drawn() }\n";

#[test]
fn a_question_says_how_many_and_a_step_says_what_was_put_by() {
    let folder = folder("asking");
    std::fs::write(folder.join("ask.rules"), ASKING).unwrap();
    let cards: String = (1..4).map(|at| format!("card \"X-{at}\" unit \"紙{at}\" {{ }}\n")).collect();
    std::fs::write(folder.join("ask.cards"), format!("gyoji 1\n\ncards ask\n\n{cards}")).unwrap();
    std::fs::create_dir(folder.join("decks")).unwrap();
    std::fs::write(folder.join("decks").join("d.ron"), "(name: \"d\", cards: [(2, \"X-1\"), (2, \"X-2\")])").unwrap();
    let play = ["play", "--rules", path(&folder), "--seat", "a=human", "--seed", "1"];
    check(&play, "", 2, &["E0850", "no folder of rules `nothing`", "ask.rules:3:5"]);
    std::fs::write(folder.join("ask.rules"), ASKING.replace("use nothing\n\n", "")).unwrap();
    let (_, out, err) = said(&gyoji(&play, "-\n-\n-\n1 2\n"));
    let asked: Vec<&str> = out.lines().filter_map(|line| line.split_once(" — ")).map(|(_, amount)| amount).collect();
    let expected =
        ["choose up to 1, or - for none", "choose any number, or - for none", "choose up to 2, or - for none", "choose exactly 2"];
    assert_eq!(asked, expected, "{out}\n{err}");
    let (_, out, _) = said(&gyoji(&["play", "--rules", path(&folder), "--seed", "1"], ""));
    assert!(out.contains("a performs a block that the rules put by"), "{out}");
    assert!(!out.contains("performs  of"), "{out}");
}

/// An answer with `>` is used again while the same question comes back.
#[test]
fn an_order_answers_what_comes_one_by_one() {
    let scenario = "gyoji 1\nscenarios library\n\nscenario \"order\" {
  given { phase drawing  shared { turn_player = a }  a { field: \"鈴\", \"鈴\" } }
  expect { asked a: next_ability }
}\n";
    let file = folder("order").join("order.scenarios");
    std::fs::write(&file, scenario).unwrap();
    let play = ["play", "--rules", "tests/kernel/library", "--scenario", path(&file), "--seat", "a=human"];
    // Each draw makes both bells wait. That is four questions; the last one has only one answer.
    check(&play, ">\nq\n", 0, &["next_ability", "confirm"]);
    check(&play, "> 2 1 3 4\nq\n", 0, &["confirm"]);
    // A question that is not in the given order is asked.
    let (code, out, _) = said(&gyoji(&play, "> 2 1\nq\n"));
    assert!(code == 0 && !out.contains("confirm"), "{out}");
    check(&play, "> 9\n", 2, &["E0831"]);
}
