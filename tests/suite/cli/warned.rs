//! Warnings of `gyoji check` about texts: cards that are sent to a zone of whoever acts, and names that no card has.

use super::{check, copy, folder, gyoji, path, said};
use std::path::{Path, PathBuf};

/// The small game of the pages, with more lines in its wording and another card.
fn tiny(name: &str, lines: &str, card: &str) -> PathBuf {
    let project = folder(name).join("tiny");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/explain"), &project);
    let wording = project.join("rules/tiny/wording.rules");
    let written = std::fs::read_to_string(&wording).unwrap();
    let (all, _) = written.trim_end().rsplit_once('}').unwrap();
    std::fs::write(&wording, format!("{all}{lines}\n}}\n")).unwrap();
    let cards = project.join("cards/tiny/tiny.cards");
    let written = std::fs::read_to_string(&cards).unwrap();
    std::fs::write(&cards, format!("{written}\n{card}\n")).unwrap();
    project
}

fn looks_at(project: &Path) -> [String; 5] {
    let at = |folder: &str| project.join(folder).display().to_string();
    ["check".to_owned(), "--rules".to_owned(), at("rules/tiny"), "--cards".to_owned(), at("cards/tiny")]
}

/// 「それ」 may be a card of either player. It goes to the hand of whoever acts, unless the hand redirects to owners.
#[test]
fn cards_that_may_be_of_another_player_are_sent_to_their_owners() {
    let lines = "  verb 戻す 五段す\n  class 五段す 「す」 { 終止 「す」  て 「して」  受身 「される」 as 助動 }\n  \
                 act 「札を見る」 -> { choose seen: 1 from spot by you } gives card = seen\n  act 「それを${t: thing}に${戻す}」 -> { move(the card, hand(whose(the card))) }";
    let lines = lines.replace("${t: thing}", "手札").replace("act 「札を見る」", "verb 見る 一段\n  act 「札を${見る}」");
    let project = tiny("warned_owner", &lines, "card \"T-4\" piece \"鷺\" { power 1  text 「札を見て、それを手札に戻す。」 }");
    let args = looks_at(&project);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    check(&args, "", 0, &["E0279", "`hand` of the player who acts"]);
    let rules = project.join("rules/tiny/game.rules");
    let written = std::fs::read_to_string(&rules).unwrap();
    let mended = written.replace("hidden except to owner }", "hidden except to owner  redirects to owner }");
    std::fs::write(&rules, mended).unwrap();
    let (_, out, err) = said(&gyoji(&args, ""));
    assert!(!out.contains("E0279") && !err.contains("E0279"), "{out}{err}");
    assert!(!path(&project).is_empty());
}

/// A name in a text that no card of the game has.
#[test]
fn names_that_no_card_has_are_told() {
    let lines = "  thing 「手札の「${n: text}」」 -> hand(you) where it.name == $n";
    let project = tiny("warned_name", lines, "card \"T-4\" piece \"鷺\" { power 1  text 「手札の「小石」を捨てる。」 }");
    let args = looks_at(&project);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    check(&args, "", 0, &["E0452", "`小石`"]);
    let cards = project.join("cards/tiny/tiny.cards");
    let written = std::fs::read_to_string(&cards).unwrap();
    std::fs::write(&cards, written.replace("「小石」", "「石」")).unwrap();
    let (_, out, err) = said(&gyoji(&args, ""));
    assert!(!out.contains("E0452") && !err.contains("E0452"), "{out}{err}");
}
