//! Problems that a designer of a duel with wells and lanes found. All are solved; these tests keep them solved.

use crate::cli::check;

const PLACES: &str = "tests/kernel/places";
const UNPRINTED: &str = "tests/kernel/unprinted";
const SANSUI: &str = "tests/fixtures/sansui";

/// If a zone has places, the table, the answers and a failed ruling name the place of a card.
#[test]
fn the_place_of_a_card_in_its_zone_is_shown() {
    let asked = format!("{PLACES}/places.scenarios:of those that came together");
    let play = ["play", PLACES, "--scenario", &asked, "--seat", "a=human", "--lang", "en"];
    check(&play, "", 2, &["「兵」 (right), 「A」 (left)"]);
    let folder = crate::cli::folder("wells_places").join("places");
    crate::cli::copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PLACES), &folder);
    let file = folder.join("places.scenarios");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("    x.lane == right\n    \"将\" in area(a)", "    x.lane == left")).unwrap();
    check(&["test", crate::cli::path(&folder)], "", 1, &["at left"]);
}

/// `?` lists the commands and the answers; `? 1` shows the card of an answer, also the card of a way to act.
#[test]
fn help_lists_the_answers_and_shows_their_cards() {
    let scenario = format!("{SANSUI}/rulings.scenarios:a land a turn");
    let play = ["play", SANSUI, "--scenario", &scenario, "--seat", "a=human", "--lang", "en"];
    let (_, out, _) = crate::cli::said(&crate::cli::gyoji(&play, "?\n"));
    let listed = out.lines().filter(|line| line.trim_start().starts_with("1 ")).count();
    assert!(listed >= 2, "{out}");
    check(&play, "? 1 script\n", 2, &["script"]);
    let (_, out, _) = crate::cli::said(&crate::cli::gyoji(&play, "? 1\n"));
    assert!(!out.lines().any(|line| line == "script"), "{out}");
}

/// A number with a leading 0 is no line number.
#[test]
fn a_part_of_a_title_may_be_a_number() {
    let folder = crate::cli::folder("wells_titles").join("unprinted");
    crate::cli::copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(UNPRINTED), &folder);
    let file = folder.join("unprinted.scenarios");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("scenario \"what is printed counts", "scenario \"02 what is printed counts")).unwrap();
    check(&["test", &format!("{}:02", crate::cli::path(&file))], "", 0, &["1 passed, 0 failed"]);
}

/// A sum that uses a number which the card does not have is named in the message.
#[test]
fn a_change_of_a_number_that_is_not_there_is_told() {
    let scenario = format!("{UNPRINTED}/unprinted.scenarios:a sum with nothing is nothing");
    check(&["why", &scenario, "value l.armour"], "", 0, &["would change it, but the card has no such value"]);
    check(&["why", &scenario, "value w.armour"], "", 0, &["+2 by"]);
}

/// Warnings about a sum with nothing, and about an unlimited number that trial runs would try one by one.
#[test]
fn what_does_nothing_and_what_is_slow_is_warned_of() {
    let folder = crate::cli::folder("wells_warnings").join("unprinted");
    crate::cli::copy(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(UNPRINTED), &folder);
    let (rules, cards) = (folder.join("game.rules"), folder.join("things.cards"));
    let written = std::fs::read_to_string(&rules).unwrap();
    let more = "ability art \"技\" { x: number = 1 from range(0) if read }\n";
    std::fs::write(&rules, format!("{written}{more}")).unwrap();
    let text = std::fs::read_to_string(&cards).unwrap();
    let card = "card \"L\" land \"島\" { script { static { modify this { armour + 2 } }  art { repeat x { lose(you) } } } }\n";
    std::fs::write(&cards, format!("{text}{card}")).unwrap();
    check(&["check", crate::cli::path(&folder)], "", 0, &["E0276", "「島」 has no `armour`", "E0277", "1000 numbers"]);
    std::fs::write(&rules, format!("{written}{more}policy choices {{ listed = 20 }}\n")).unwrap();
    let (_, out, err) = crate::cli::said(&crate::cli::gyoji(&["check", crate::cli::path(&folder)], ""));
    assert!(!out.contains("E0277") && !err.contains("E0277"), "{out}{err}");
}
