//! A game that was written from the documents alone: tests/fixtures/sansui, with lands and spells, a stack,
//! responses, combat, tokens, copies and attachments. These tests cover the problems that its designer found.

use crate::cli::{check, copy, folder, gyoji, path, said};
use std::path::PathBuf;

const GAME: &str = "tests/fixtures/sansui";

fn copied(name: &str) -> PathBuf {
    let folder = folder(name).join("sansui");
    copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(GAME), &folder);
    folder
}

#[test]
fn it_is_sound_its_rulings_hold_and_it_can_be_played() {
    check(&["check", GAME], "", 0, &["nothing to mend"]);
    check(&["test", GAME], "", 0, &["31 passed, 0 failed"]);
    check(&["fmt", "--check", GAME], "", 0, &[]);
    check(&["simulate", GAME, "--games", "4", "--seed", "1"], "", 0, &["games                     4"]);
}

/// The table shows the abilities on the stack with their players, and the things that cards remember.
#[test]
fn the_table_shows_what_waits_and_what_cards_remember() {
    let scenario = format!("{GAME}/rulings.scenarios:an effect asks on the stack");
    let play = ["play", GAME, "--scenario", &scenario, "--seat", "b=human"];
    check(&play, "", 2, &["stack   summon「火の子」 (a)", "「山」 (tapped)"]);
}

#[test]
fn what_texts_say_is_not_judged_while_the_wording_cannot_be_read() {
    let folder = copied("lands_wording");
    let file = folder.join("wording.rules");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("-> ability keyword swift", "-> keyword swift")).unwrap();
    let (code, out, _) = said(&gyoji(&["check", path(&folder)], ""));
    assert_eq!(code, 1);
    assert!(out.contains("E0101") && !out.contains("E0407"), "{out}");
    std::fs::write(&file, text.replace("numeral}", "numral}")).unwrap();
    let (_, out, _) = said(&gyoji(&["check", path(&folder)], ""));
    assert!(out.contains("E0401") && !out.contains("E0407"), "{out}");
}

#[test]
fn what_stands_in_the_wrong_place_is_told_where_it_belongs() {
    let folder = copied("lands_places");
    let (rules, cards) = (folder.join("game.rules"), folder.join("base.cards"));
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replace("rule dying @7-1 when", "@7-1 rule dying when")).unwrap();
    check(&["check", path(&folder)], "", 1, &["E0137", "write it in the head, after the label"]);
    std::fs::write(&rules, text.replace("rule dying @7-1 when", "@7-1\nrule dying when")).unwrap();
    check(&["check", path(&folder)], "", 1, &["E0137", "write it in the head, after the label"]);
    std::fs::write(&rules, text).unwrap();
    let text = std::fs::read_to_string(&cards).unwrap();
    std::fs::write(&cards, text.replace("script { deck { copies by name <= 20 } }", "deck { copies by name <= 20 }")).unwrap();
    check(&["check", path(&folder)], "", 1, &["E0138", "the abilities of a card stand in `script { deck { … } }`"]);
}
