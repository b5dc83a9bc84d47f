//! Tests of built-in games, and of folders that replace them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::disallowed_methods, reason = "tests")]

mod unread;

use super::{Places, Taken, embedded_games, find, fnv1a, load};
use compile::check_deck;
use lang::syntax::ast::{DeclKind, RulesFile, WordingItem, WordingKind};
use lang::syntax::parse_rules;
use std::path::{Path, PathBuf};
use wording::fill_takes;

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gyoji-project-{}-{name}", std::process::id()));
    std::fs::create_dir_all(folder.join("rules/tiny")).unwrap();
    folder
}

#[test]
fn every_embedded_game_loads_without_a_finding() {
    for game in embedded_games() {
        let (loaded, found) = load(&game, &Places::default(), None).unwrap();
        assert_eq!(found, [], "{game}");
        for deck in &loaded.decks {
            let cards = deck.card_ids(&loaded.compiler).unwrap();
            assert_eq!(check_deck(&loaded.program, &cards), [], "{game}: {}", deck.name);
        }
        assert_eq!(loaded.rules_from, Taken::Embedded(game.clone()));
        assert_eq!(loaded.program.name, game);
    }
}

/// The lines of all wordings except families, by place.
fn lines(files: &[RulesFile]) -> Vec<&WordingItem> {
    let wordings = files.iter().flat_map(|file| &file.items).filter_map(|decl| match &decl.kind {
        DeclKind::Wording(wording) => Some(&wording.items),
        _ => None,
    });
    let mut lines: Vec<&WordingItem> = wordings.flatten().filter(|line| !matches!(line.kind, WordingKind::Family(_))).collect();
    lines.sort_by_key(|line| (line.span.file, line.span.start));
    lines
}

#[test]
fn without_untaken_families_a_game_has_the_same_lines() {
    for game in embedded_games() {
        let (loaded, _) = load(&game, &Places::default(), None).unwrap();
        let rules = loaded.sources.iter().filter(|(_, source)| source.name.ends_with(".rules>"));
        let mut whole: Vec<RulesFile> = rules.map(|(file, source)| parse_rules(file, &source.text).0).collect();
        fill_takes(&mut whole);
        assert_eq!(lines(&loaded.files), lines(&whole), "{game}");
    }
}

#[test]
fn a_project_is_found_from_below_and_its_rules_come_first() {
    let folder = scratch("below");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"tiny\"], language: \"ja\")").unwrap();
    std::fs::write(folder.join("rules/tiny/tiny.rules"), "gyoji 1\n\ngame tiny \"小\" { players 2 }\n").unwrap();
    let project = find(&folder.join("rules/tiny")).unwrap().unwrap();
    assert_eq!((project.games.as_slice(), project.language.as_deref()), (["tiny".to_owned()].as_slice(), Some("ja")));
    let (game, found) = load("tiny", &Places::default(), Some(&project)).unwrap();
    assert_eq!(found, []);
    assert!(matches!(game.rules_from, Taken::Project(_)), "{:?}", game.rules_from);
    assert_eq!(load("tinny", &Places::default(), Some(&project)).unwrap_err().code, "E0842");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_without_a_project_file_is_no_project() {
    assert_eq!(find(Path::new("/")).unwrap(), None);
}

#[test]
fn the_hash_is_the_same_everywhere() {
    assert_eq!(fnv1a(["a", "b"]), 0xd2b371819297f98a);
    assert_ne!(fnv1a(["ab", ""]), fnv1a(["a", "b"]));
}

#[test]
fn one_misspelt_word_is_one_error() {
    let folder = scratch("misspelt");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"tiny\"], language: \"ja\")").unwrap();
    let codes = |rules: &str| -> Vec<&str> {
        let text = format!("gyoji 1\n\ngame tiny \"小\" {{ players 2 }}\n\n{rules}");
        std::fs::write(folder.join("rules/tiny/tiny.rules"), text).unwrap();
        let project = find(&folder).unwrap().unwrap();
        let (_, found) = load("tiny", &Places::default(), Some(&project)).unwrap();
        found.iter().filter(|finding| finding.severity == lang::diagnostic::Severity::Error).map(|finding| finding.code).collect()
    };
    let uses =
        "turn {\n  phase one \"一\" {\n    for p in players { choose x: 1 from hand(p) where it is 赤 by p  move(x, hand(p)) }\n  }\n}\n";
    let zone = "zoen hand \"手\" { each player  public }\n\n";
    assert_eq!(codes(&format!("card thing \"もの\" {{ power : number }}\n\nenum sign {{ red \"赤\" }}\n\n{zone}{uses}")), ["E0126"]);
    assert_eq!(
        codes(&format!("card thing \"もの\" {{ power : number }}\n\nenmu sign {{ red \"赤\" }}\n\n{zone}{uses}")),
        ["E0126", "E0126"]
    );
    // If the type of a field is unknown, no other type is assumed.
    let unknown = "card thing \"もの\" { power : nubmer }\n\nzone hand { each player  public }\n\n";
    let card = "gyoji 1\ncards tiny\n\ncard \"S\" thing \"石\" { script { static { modify this { power + 2 } } } }\n";
    std::fs::write(folder.join("rules/tiny/tiny.cards"), card).unwrap();
    assert_eq!(codes(&format!("{unknown}ability static \"常に\" {{ }}\n")), ["E0201"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Shared modules, from the project's folder or from the program, with the labels and rules that the game gives them.
#[test]
fn a_game_uses_rules_that_are_shared_and_says_what_it_calls_them() {
    let folder = scratch("used");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"tiny\"])").unwrap();
    let load_with = |line: &str| {
        let text = format!("gyoji 1\n\n{line}\n\ngame tiny \"小\" {{ players 2 }}\n");
        std::fs::write(folder.join("rules/tiny/tiny.rules"), text).unwrap();
        let project = find(&folder).unwrap().unwrap();
        load("tiny", &Places::default(), Some(&project)).unwrap()
    };
    let (game, found) = load_with("use last_comers { last_comers \"最後\" @4-2 }");
    assert_eq!(found, []);
    let heads: Vec<_> = game.files.iter().flat_map(|file| &file.items).filter_map(|decl| decl.kind.head()).collect();
    let head = heads.iter().find(|head| head.name.text == "last_comers").unwrap();
    assert_eq!(head.label.as_ref().map(|label| label.text.as_str()), Some("最後"));
    assert_eq!(head.cites.iter().map(|cite| cite.id.as_str()).collect::<Vec<_>>(), ["4-2"]);
    assert_eq!(game.own.len(), 1);
    let codes = |line: &str| load_with(line).1.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes("use last_comers { last_comer @4-2 }"), ["E0877"]);
    assert_eq!(codes("use last_commers"), ["E0850"]);
    // A folder of the project replaces the built-in module.
    std::fs::create_dir_all(folder.join("rules/std/last_comers")).unwrap();
    std::fs::write(folder.join("rules/std/last_comers/own.rules"), "gyoji 1\n\nparam own = 3\n").unwrap();
    assert_eq!(codes("use last_comers { own @1 }"), [] as [&str; 0]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A used folder may use further folders. Each is read once, and the game's own words about its declarations count.
#[test]
fn a_used_folder_uses_further_folders() {
    let folder = scratch("used_further");
    std::fs::write(folder.join("gyoji.ron"), "(games: [\"tiny\"])").unwrap();
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(folder.join("rules").join(name)).unwrap();
        std::fs::write(folder.join(format!("rules/{name}/{name}.rules")), format!("gyoji 1\n\n{text}\n")).unwrap();
    };
    let game = "game tiny \"小\" { players 2 }\n\nparam four = two + two";
    write("tiny", &format!("use common\nuse deep {{ two \"二つ\" @4-2 }}\n\n{game}"));
    write("common", "use deep { two \"ふたつ\" @4-1 }\nuse deeper\n\nparam three = two + one");
    write("deep", "use deeper\n\nparam two = one + one");
    write("deeper", "param one = 1");
    let load_it = || {
        let project = find(&folder).unwrap().unwrap();
        load("tiny", &Places::default(), Some(&project)).unwrap()
    };
    let (loaded, found) = load_it();
    assert_eq!(found, []);
    let heads: Vec<_> = loaded.files.iter().flat_map(|file| &file.items).filter_map(|decl| decl.kind.head()).collect();
    let names: Vec<&str> = heads.iter().map(|head| head.name.text.as_str()).collect();
    assert_eq!(names, ["one", "two", "three", "tiny", "four"]);
    let two = heads.iter().find(|head| head.name.text == "two").unwrap();
    assert_eq!(two.label.as_ref().map(|label| label.text.as_str()), Some("二つ"));
    assert_eq!(two.cites.iter().map(|cite| cite.id.as_str()).collect::<Vec<_>>(), ["4-1", "4-2"]);
    assert_eq!(loaded.own.len(), 1);
    let codes = || load_it().1.into_iter().map(|finding| (finding.code, finding.args)).collect::<Vec<_>>();
    let said = |text: &str, way: Option<&str>| {
        let way = way.map(|way| ("way", way.to_owned()));
        vec![("E0879", std::iter::once(("name", text.to_owned())).chain(way).collect::<Vec<_>>())]
    };
    write("deeper", "use common\n\nparam one = 1");
    assert_eq!(codes(), said("common", Some("`common` → `deep` → `deeper` → `common`")));
    write("deeper", "use deeper\n\nparam one = 1");
    assert_eq!(codes(), said("deeper", Some("`deeper` → `deeper`")));
    write("deeper", "use tiny\n\nparam one = 1");
    assert_eq!(codes(), said("tiny", None));
    write("deeper", "use nowhere\n\nparam one = 1");
    assert_eq!(codes(), [("E0850", vec![("name", "nowhere".to_owned())])]);
    std::fs::remove_dir_all(folder).unwrap();
}
