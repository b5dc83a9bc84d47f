//! A small game (tests/fixtures/butai). Each test breaks it in one place and reads the message: the messages that its designer got
//! did not help enough.

use crate::cli::{check, copy, folder, path};
use std::path::PathBuf;

const GAME: &str = "tests/fixtures/butai";

/// A copy of the game in which one text of a file is replaced.
fn broken(name: &str, file: &str, (from, to): (&str, &str)) -> PathBuf {
    let folder = folder(&format!("stage_{name}")).join("butai");
    copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GAME), &folder);
    let file = folder.join(file);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&file, text.replace(from, to)).unwrap();
    folder
}

#[test]
fn it_is_sound_and_its_rulings_hold() {
    check(&["check", GAME], "", 0, &["nothing to mend"]);
    check(&["test", GAME], "", 0, &["4 passed, 0 failed"]);
    check(&["fmt", "--check", GAME], "", 0, &[]);
}

#[test]
fn an_offer_alone_shows_no_rule() {
    let folder = broken("header", "rulings.scenarios", ("\"singing bows\" @4", "\"singing bows\" @5"));
    check(&["test", path(&folder)], "", 1, &["E0540", "carries out @5"]);
}

#[test]
fn a_slip_in_a_template_is_told_once_at_the_template() {
    let folder = broken("template", "wording.rules", ("modify this { power + $n }", "modify this { powr + $n }"));
    let words = ["E0222", "wording.rules:18:", "did you mean `power`?", "base.cards:5:", "a card prints it here", "errors: 2,"];
    check(&["check", path(&folder)], "", 1, &words);
    let folder =
        broken("unprinted", "wording.rules", ("  act 「力を＋", "  act 「すべて捨てる」 -> { discrad(hand(you)) }\n  act 「力を＋"));
    check(&["check", path(&folder)], "", 1, &["E0201", "wording.rules:18:", "discrad", "errors: 1,"]);
}

#[test]
fn a_category_of_std_with_another_meaning_is_declared_twice() {
    let folder = broken("category", "wording.rules", ("  verb 倒れる", "  category gain: clauses\n  verb 倒れる"));
    check(
        &["check", path(&folder)],
        "",
        1,
        &["E0202", "the category `gain` is declared twice", "wording.rules:4:", "the first one", "errors: 1,"],
    );
}

#[test]
fn two_readings_name_their_templates() {
    let again =
        "  act 「力を＋${n: numeral}する」 -> { move(this, room(you)) lasting this_turn { modify this { power + $n } } }\n  act 「力を＋";
    let folder = broken("readings", "wording.rules", ("  act 「力を＋", again));
    let words = ["E0408", "wording.rules:18:", "wording.rules:19:", "one reading is by this template", "the other is by this template"];
    check(&["check", path(&folder)], "", 1, &words);
}

#[test]
fn a_position_without_a_turn_player_says_what_is_undefined() {
    let folder = broken("nobody", "rulings.scenarios", ("  shared { turn_player = a }\n", ""));
    check(&["test", path(&folder)], "", 1, &["E0607", "undefined in this position: `game.turn_player`", "must … exists"]);
}

#[test]
fn a_zone_without_its_player_behind_top_of() {
    let folder = broken("top", "game.rules", ("{ move(c, stage(c.owner), at: at) }", "{ move(top of deck, hand(c.owner)) }"));
    check(&["check", path(&folder)], "", 1, &["E0248", "write `deck(you)` or `deck(p)`"]);
}

#[test]
fn check_compiles_what_scenarios_expect() {
    let expects = ("expect { x is bowed }", "expect { x is bowed  x.powr == 1  x is bowd  happened bows(x) }");
    let folder = broken("expects", "rulings.scenarios", expects);
    check(&["check", path(&folder)], "", 1, &["E0222", "E0223", "E0201", "did you mean `bow`?", "errors: 3,"]);
    let folder = broken("values", "rulings.scenarios", ("\"木\" at left as x", "\"木\" at left as x { bowed = 3 }"));
    check(&["check", path(&folder)], "", 1, &["E0204", "bool is needed here, but this is number"]);
}

#[test]
fn a_failure_tells_at_which_end_a_card_is_put() {
    let folder =
        broken("bottom", "game.rules", ("{ c.bowed = true }", "{ c.bowed = true  move(top of deck(c.owner), deck(c.owner), at: bottom) }"));
    let file = folder.join("rulings.scenarios");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("expect { x is bowed }", "expect { x is not bowed }")).unwrap();
    check(&["test", path(&folder)], "", 1, &["deck(a) [bottom]"]);
}

#[test]
fn a_full_place_is_named() {
    let two = ("a { stage: \"木\" at left as x }", "a { stage: \"木\" at left as x, \"斧\" at left }");
    let folder = broken("full", "rulings.scenarios", two);
    check(&["test", path(&folder)], "", 1, &["E0505", "each of its places holds at most 1, and `left` has no room left"]);
}

#[test]
fn a_shuffle_names_cards_singly() {
    let shuffle = ("  shared { turn_player = a }\n", "  shared { turn_player = a }\n  shuffle deck(a): \"木\" x2, \"斧\"\n");
    let folder = broken("shuffle", "rulings.scenarios", shuffle);
    check(&["check", path(&folder)], "", 1, &["E0101", "`x2` cannot stand here", "a shuffle names each card by itself"]);
}

#[test]
fn an_unknown_value_of_a_card_comes_with_the_known_ones() {
    let folder = broken("field", "base.cards", ("actor \"木\" { power 1", "actor \"木\" { lvl 1"));
    check(&["check", path(&folder)], "", 1, &["E0222", "a card prints `power`, `traits`"]);
}

#[test]
fn a_text_that_no_template_begins_names_the_category() {
    let folder = broken("begins", "base.cards", ("text 「【登場】", "text 「毎回"));
    check(&["check", path(&folder)], "", 1, &["E0407", "no template of the category `ability` begins like this"]);
    let folder = broken("symbol", "base.cards", ("力を＋1する。」 }\ncard \"B-3\"", "《郵便》の役者が光る。」 }\ncard \"B-3\""));
    let (_, out, _) = crate::cli::said(&crate::cli::gyoji(&["check", path(&folder)], ""));
    assert!(out.contains("E0407") && !out.contains("prints `郵便`"), "{out}");
}

#[test]
fn a_yes_or_no_about_a_price_names_the_ability() {
    let folder = broken("price", "rulings.scenarios", ("stage: \"目\" at left", "hand: \"木\"  stage: \"鐘\" at left"));
    let file = folder.join("rulings.scenarios");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(" until end of phase\n  expect { x.power == 3 }", "\n  expect { asked a: confirm }")).unwrap();
    let scenario = format!("{}:an ability of a text", path(&file));
    let play = ["play", path(&folder), "--scenario", &scenario, "--seat", "a=human", "--lang", "en"];
    check(&play, "", 2, &["about automatic「鐘」", "［手札をすべて控え室に置く］このカードが倒れた時"]);
}
