//! What a designer of a game on lanes with layers of effects found (tests/fixtures/nido).

use crate::cli::{check, gyoji, path, said};
use std::path::{Path, PathBuf};
use std::process::Command;

const NIDO: &str = "tests/fixtures/nido";

/// A copy of the game in which `from` is replaced by `to` in this file.
fn slip(name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let folder = crate::cli::folder(&format!("two_lanes_{name}")).join("nido");
    crate::cli::copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(NIDO), &folder);
    let file = folder.join(file);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
    folder
}

/// What the program says if it runs in a folder.
fn in_folder(folder: &Path, args: &[&str]) -> (i32, String, String) {
    said(&Command::new(env!("CARGO_BIN_EXE_gyoji")).args(args).current_dir(folder).output().unwrap())
}

/// A table with a row for each place draws a face-down card of the opponent in no row. So the card says its place.
#[test]
fn a_card_that_no_row_draws_says_its_place() {
    let scenario = format!("{NIDO}/nido.scenarios:a silent card");
    let (_, out, _) = said(&gyoji(&["play", NIDO, "--scenario", &scenario, "--seat", "a=human", "--lang", "en"], ""));
    assert!(out.contains("[face down] (right)"), "{out}");
    // The row tells where a seen card lies.
    assert!(out.contains("「猫」 power 2\n"), "{out}");
}

/// In a game with layers, an effect that is disabled before its layer is named too.
#[test]
fn an_effect_that_is_disabled_before_its_layer_is_named() {
    let scenario = format!("{NIDO}/nido.scenarios:a silent card");
    check(&["why", &scenario, "value k.power"], "", 0, &["「灯」", "would change it, but is disabled by 「黙」"]);
}

/// A function is no action, so its value is asked for.
#[test]
fn a_function_behind_can_is_told_how_to_ask() {
    let scenario = format!("{NIDO}/nido.scenarios:a silent card");
    check(&["why", &scenario, "can total(a)"], "", 2, &["E0201", "this language writes `value total(a)`"]);
}

/// An option that is written like an answer to a decision.
#[test]
fn an_option_without_brackets_is_suggested_with_brackets() {
    let folder = slip("brackets", "nido.scenarios", "bow(k)", "bow \"猫\"");
    check(&["test", path(&folder)], "", 1, &["E0522", "did you mean `bow(\"猫\")`?"]);
}

/// A change that no layer takes is told which entry is missing.
#[test]
fn the_missing_entry_of_the_layers_is_named() {
    let folder = slip("layers", "nido.cards", "power + 1", "power = 1");
    check(&["check", path(&folder)], "", 1, &["E0280", "write `set power`"]);
}

/// The name of an enum may be that of a shared category. The message stands in the shared file, and names the enum.
#[test]
fn an_enum_with_the_name_of_a_shared_category_is_named() {
    let enums = "use std\n\nenum heap \"束\" { big \"大\" }\n\nenum lane";
    let folder = slip("heap", "game.rules", "enum lane", enums);
    // The shared files are checked with a whole project.
    let rules = folder.join("rules").join("nido");
    std::fs::create_dir_all(&rules).unwrap();
    std::fs::rename(folder.join("game.rules"), rules.join("game.rules")).unwrap();
    for file in ["nido.cards", "nido.scenarios"] {
        std::fs::remove_file(folder.join(file)).unwrap();
    }
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"nido\"])\n").unwrap();
    let (code, out, err) = in_folder(&folder, &["check", "--lang", "en"]);
    assert_eq!(code, 1, "{out}{err}");
    for part in ["E0419", "the enum of this name", "give the enum another name"] {
        assert!(out.contains(part) || err.contains(part), "{part}\n{out}{err}");
    }
}
