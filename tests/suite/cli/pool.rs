//! A card pool with gaps: templates and missing things, texts that are still to do, scripts beside texts, and names of several cards.

use super::{copy, folder, path, said};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the small project, with one more file of cards.
pub(super) fn project(name: &str, cards: &str) -> PathBuf {
    let folder = folder(name);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/explain"), &folder);
    std::fs::write(folder.join("cards/tiny/more.cards"), format!("gyoji 1\n\ncards tiny\n\n{cards}\n")).unwrap();
    folder
}

/// Runs the program. Returns the exit code and the output, standard output first.
pub(super) fn typed(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(folder).env("LANG", "C").output().unwrap();
    let (code, out, err) = said(&output);
    assert!(!err.contains("panicked"), "{err}");
    (code, format!("{out}{err}"))
}

/// Expects an exit code and all of these words.
fn check(folder: &Path, args: &[&str], code: i32, words: &[&str]) {
    let (found, said) = typed(folder, args);
    assert_eq!(found, code, "{args:?}\n{said}");
    for word in words {
        assert!(said.contains(word), "{args:?} does not say {word}:\n{said}");
    }
}

const TO_DO: &str = "card \"T-9\" piece \"風\" { power 1  text 「空を飛ぶ。」 todo \"flying\" }\n\n\
    card \"T-8\" piece \"雷\" { power 1  text 「札2枚を引く。」  text 「空を飛ぶ。」 todo \"flying\" }";

#[test]
fn templates_are_listed_with_the_cards_that_use_them() {
    let folder = project("pool_templates", "card \"T-7\" piece \"雲\" { power 1  text 「札2枚を引いて、手札を捨てる。」 }");
    let (code, said) = typed(&folder, &["wording"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!("templates", said);
    let line = "\"cards\":2,\"category\":\"act\",\"example\":\"T-7\"";
    check(&folder, &["wording", "tiny", "--format", "json"], 0, &[line, "\"kind\":\"template\""]);
}

#[test]
fn a_text_is_tried_at_the_command_line() {
    let folder = project("pool_try", "");
    let shown = |text: &str| typed(&folder, &["wording", "--try", text]);
    let (code, read) = shown("札２枚を引いて、手札を捨てる。");
    assert_eq!(code, 0, "{read}");
    let (code, unread) = shown("札2枚を引いて、空を飛ぶ。");
    assert_eq!(code, 1, "{unread}");
    insta::assert_snapshot!("tried", format!("{read}\n{unread}"));
    check(&folder, &["wording", "--try", "札9枚を引く。", "--format", "json"], 0, &["\"script\":[\"on_play { draw(you, 9) }\"]"]);
    check(&folder, &["wording", "--try", "空。", "--lang", "ja"], 1, &["E0407", "覆うひな形がありません"]);
    check(&folder, &["wording", "--try", ""], 0, &["(no effect)"]);
}

#[test]
fn a_script_that_the_rules_refuse_is_shown_in_the_tried_text() {
    let folder = project("pool_misfit", "");
    let rules = folder.join("rules/tiny/wording.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("draw(you, $n)", "discard($n)")).unwrap();
    check(&folder, &["wording", "--try", "札2枚を引く。"], 1, &["[--try:1:"]);
    // The text speaks of nobody else, so it would compare a hand with itself.
    check(&folder, &["wording", "kaiun", "--try", "【開運時】手札が自分より多いなら、カード1枚を引く。"], 1, &["E0355", "[--try:1:"]);
}

#[test]
fn forms_are_tables() {
    let folder = project("pool_forms", "");
    let (code, said) = typed(&folder, &["wording", "--forms"]);
    assert_eq!(code, 0, "{said}");
    insta::assert_snapshot!("forms", said);
    check(
        &folder,
        &["wording", "--forms", "--format", "json"],
        0,
        &["{\"form\":\"て\",\"kind\":\"form\",\"word\":\"引く\",\"written\":\"引いて\"}"],
    );
}

#[test]
fn what_is_missing_is_ranked_by_how_many_cards_it_blocks() {
    let cards = "card \"T-5\" piece \"霧\" { power 1  text 「手札を隠す。」 }";
    let folder = project("pool_missing", &format!("{cards}\n\n{TO_DO}"));
    let (code, said) = typed(&folder, &["wording", "--missing"]);
    assert_eq!(code, 0, "{said}");
    let at = |text: &str| said.find(text).unwrap();
    assert!(at("2  E0407  空を飛ぶ  (e.g. T-9)") < at("1  E0407  隠す  (e.g. T-5)"), "{said}");
    assert!(said.contains("cards with a text that is read: 1, blocked: 3"), "{said}");
    check(&folder, &["wording", "--missing", "--format", "json"], 0, &["{\"blocked\":3,\"cards\":1,\"kind\":\"read\"}"]);
    check(&folder, &["wording", "--missing", "--forms"], 2, &["E0820"]);
}

#[test]
fn a_text_that_is_to_do_is_counted_and_not_read() {
    let folder = project("pool_todo", TO_DO);
    check(&folder, &["check"], 0, &["more.cards: covered 0, todo 2, errors 0", "tiny.cards: covered 1, todo 0, errors 0"]);
    check(&folder, &["check", "--max-todo", "2"], 0, &[]);
    check(&folder, &["check", "--max-todo", "1"], 1, &["E0431", "2 cards have a text that is still to do, more than 1", "errors: 1"]);
    check(&folder, &["check", "--format", "json"], 0, &["\"covered\":0,\"errors\":0,\"kind\":\"set\"", "\"todo\":2"]);
    let (_, said) = typed(&folder, &["explain", "T-8"]);
    // Only one line of the card could be read. It is not used, because half a card would look like a whole card.
    assert!(said.contains("札2枚を引く。") && said.contains("not read yet: flying") && !said.contains("draw("), "{said}");
    check(&folder, &["explain", "T-8", "--format", "json"], 0, &["\"script\":[]", "\"todo\":[\"flying\"]"]);
}

#[test]
fn a_text_that_is_to_do_and_is_read_now_is_pointed_out() {
    let read_now = "card \"T-9\" piece \"風\" { power 1  text 「札2枚を引く。」 todo \"numbers\" }";
    check(&project("pool_read_now", read_now), &["check"], 0, &["E0439", "more.cards:", "warnings: 1"]);
    // If one line of a card is read and another line is not, nothing can be taken out.
    let (_, said) = typed(&project("pool_half_read", TO_DO), &["check"]);
    assert!(!said.contains("E0439"), "{said}");
}

#[test]
fn nobody_plays_with_a_card_whose_text_is_to_do() {
    let folder = project("pool_refused", TO_DO);
    let deck = "(name: \"風\", cards: [(3, \"T-1\"), (2, \"T-2\"), (1, \"T-9\")])";
    std::fs::write(folder.join("weak.ron"), deck).unwrap();
    check(&folder, &["simulate", "--games", "1", "--seed", "1", "--deck", "a=weak.ron"], 2, &["E0430", "`T-9` “風”", "weak.ron:1:"]);
    check(&folder, &["play", "--deck", "b=weak.ron", "--lang", "ja"], 2, &["E0430", "未対応"]);
    std::fs::write(folder.join("cards/tiny/decks/weak.ron"), deck).unwrap();
    check(&folder, &["check"], 0, &["E0430", "decks/weak.ron:1:", "warnings: 1"]);
    check(&folder, &["play", "--deck", "a=weak"], 2, &["E0430", "decks/weak.ron:1:"]);
}

#[test]
fn scenarios_and_rules_do_not_use_it_either() {
    let folder = project("pool_scenarios", TO_DO);
    let text = "gyoji 1\n\nscenarios tiny\n\nscenario \"in a hand\" {\n  given { a { hand: \"風\" } }\n  expect { count(hand(a)) == 1 }\n}\n\n\
        scenario \"a deck is only checked\" { deck { 3 \"石\"  2 \"岩\"  1 \"風\" } accepted }\n\n\
        scenario \"nor can it be named\" { expect { count(catalogue) == 3 } }\n";
    std::fs::write(folder.join("tests/scenarios/todo.scenarios"), text).unwrap();
    check(&folder, &["test"], 1, &["E0430", "todo.scenarios:6:", "3 passed, 1 failed"]);
    check(&folder, &["check"], 1, &["E0430", "todo.scenarios:6:", "errors: 1"]);
}

#[test]
fn a_script_beside_a_text_is_compared_and_both_are_shown() {
    let card = |part: &str| {
        format!("card \"T-9\" piece \"風\" {{ power 1  text 「札1枚を引く。」{part}  script {{ on_play {{ draw(you, 2) }} }} }}")
    };
    let folder = project("pool_script", &card(""));
    let words =
        ["E0252", "the text means: on_play { draw(you, 1) }", "the script says: on_play { draw(you, 2) }", "covered 0, todo 0, errors 1"];
    check(&folder, &["check"], 1, &words);
    check(&folder, &["check", "--lang", "ja"], 1, &["テキストの意味：on_play { draw(you, 1) }"]);
    let folder = project("pool_script_todo", &card(" todo \"later\""));
    check(&folder, &["check"], 1, &["E0432", "`T-9` has a script beside a text that is still to do"]);
}

#[test]
fn a_name_of_several_cards_is_explained_by_their_numbers() {
    let folder = project("pool_names", "card \"T-9\" piece \"石\" { power 3 }");
    check(&folder, &["explain", "石"], 2, &["E0512", "`T-9`, `T-1`"]);
    check(&folder, &["explain", "T-9"], 0, &["power 3"]);
}

#[test]
fn a_text_to_do_keeps_its_place_when_it_is_formatted() {
    let folder = project("pool_format", TO_DO);
    check(&folder, &["fmt"], 0, &[]);
    let text = std::fs::read_to_string(folder.join("cards/tiny/more.cards")).unwrap();
    assert_eq!(text.matches("text 「空を飛ぶ。」 todo \"flying\"").count(), 2, "{text}");
    check(&folder, &["fmt", "--check", path(&folder.join("cards"))], 0, &[]);
}

#[test]
fn nothing_makes_a_card_whose_text_is_to_do() {
    let maker = "card \"T-8\" piece \"雷\" { power 1  script { on_play { make(\"風\", hand(you)) } } }";
    let to_do = "card \"T-9\" piece \"風\" { power 1  text 「空を飛ぶ。」 todo \"flying\" }";
    let folder = project("pool_made", &format!("{to_do}\n\n{maker}"));
    check(&folder, &["check"], 1, &["E0430", "more.cards:7:"]);
    let folder = project("pool_made_by_rules", to_do);
    let rules = folder.join("rules/tiny/game.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("@8-3  for p", "@8-3  for p in players { make(\"風\", gone(p)) }\n      for p")).unwrap();
    check(&folder, &["check"], 1, &["E0430", "game.rules:51:"]);
    check(&folder, &["play", "--seed", "1"], 2, &["E0430", "E0847"]);
}

#[test]
fn a_card_is_explained_although_another_card_has_an_error() {
    let folder = project("pool_explain", "card \"T-8\" piece \"雲\" { power 1 }\n\ncard \"T-9\" piece \"風\" { pwer 1 }");
    check(&folder, &["explain", "雲"], 0, &["雲", "E0861"]);
    check(&folder, &["explain", "T-9"], 2, &["more.cards:7:"]);
    let rules = folder.join("rules/tiny/game.rules");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("draw(p, 1)", "drwa(p, 1)")).unwrap();
    check(&folder, &["explain", "雲"], 2, &["game.rules:"]);
}

/// Two games use one folder. An error in this folder is shown with each of the games that is named, and once if all are checked.
#[test]
fn an_error_in_a_shared_folder_is_shown_once() {
    let folder = project("pool_shared", "");
    for (game, uses) in [("one", "use both"), ("two", "use both")] {
        let rules = folder.join("rules").join(game);
        std::fs::create_dir_all(&rules).unwrap();
        let text = format!("gyoji 1\n\ngame {game} \"遊\" {{ players 2 }}\n\n{uses}\n\nturn {{ phase only \"番\" {{ step_of(you) }} }}\n");
        std::fs::write(rules.join("game.rules"), text).unwrap();
    }
    let both = folder.join("rules/both");
    std::fs::create_dir_all(&both).unwrap();
    std::fs::write(both.join("both.rules"), "gyoji 1\n\nprocedure step_of(p: player) { finish(q) }\n").unwrap();
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"one\", \"two\"])").unwrap();
    check(&folder, &["check", "two"], 1, &["both.rules:3:", "errors: 1,"]);
    check(&folder, &["check"], 1, &["both.rules:3:", "errors: 1,"]);
}

#[test]
fn a_misspelt_game_is_named_where_files_are_asked_for() {
    let folder = project("pool_misspelt", "");
    for command in ["check", "test"] {
        check(&folder, &[command, "tinny"], 2, &["E0858", "did you mean `tiny`"]);
    }
}

/// A designer may work inside the folder and name files without it. No file may count as read if it was not read.
#[test]
fn a_bare_name_is_a_file_of_its_folder() {
    let folder = project("pool_bare_names", "card \"T-7\" piece \"雲\" { power 1  text 「空を飛ぶ。」 }");
    check(&folder.join("cards/tiny"), &["check", "more.cards"], 1, &["E0407", "errors 1"]);
    let decks = folder.join("cards/tiny/decks");
    std::fs::create_dir_all(&decks).unwrap();
    std::fs::write(decks.join("bare.ron"), "(name: \"bare\", cards: [(1, \"T-none\")])").unwrap();
    check(&decks, &["check", "bare.ron"], 1, &["T-none"]);
    check(&decks, &["check", "../decks/bare.ron"], 1, &["T-none"]);
}
