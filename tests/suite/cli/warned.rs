//! Warnings of `gyoji check` about texts: cards that go to a zone of the acting player, and names that no card has.

use super::{copy, folder, said};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a wording that can read 「それ」 and names.
const LINES: &str = "  class 五段す 「す」 { 終止 「す」  て 「して」  受身 「される」 as 助動 }
  verb 戻す 五段す
  verb 見る 一段
  act 「札を${見る}」 -> { choose seen: 1 from spot by you } gives card = seen
  act 「それを手札に${戻す}」 -> { move(the card, hand(whose(the card))) }
  thing 「手札の「${n: text}」」 -> hand(you) where it.name == $n
";

/// The small game of the pages, with these lines and one more card.
fn tiny(name: &str, text: &str) -> PathBuf {
    let project = folder(name).join("tiny");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/explain"), &project);
    change(&project.join("rules/tiny/wording.rules"), |written| {
        let (all, _) = written.trim_end().rsplit_once('}').unwrap();
        format!("{all}{LINES}}}\n")
    });
    let card = format!("\ncard \"T-4\" piece \"鷺\" {{ power 1  text 「{text}」 }}\n");
    change(&project.join("cards/tiny/tiny.cards"), |written| written + &card);
    project
}

fn change(file: &Path, how: impl Fn(String) -> String) {
    let written = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, how(written)).unwrap();
}

/// Whether `gyoji check` says this about the project.
fn says(project: &Path, word: &str) -> bool {
    let run = Command::new(env!("CARGO_BIN_EXE_gyoji")).arg("check").current_dir(project).env("LANG", "C").output();
    let (_, out, err) = said(&run.unwrap());
    out.contains(word) || err.contains(word)
}

/// 「それ」 may be a card of either player. The card goes to the hand of the acting player, unless the hand redirects cards to their owners.
#[test]
fn cards_that_may_be_of_another_player_are_sent_to_their_owners() {
    let project = tiny("warned_owner", "札を見て、それを手札に戻す。");
    assert!(says(&project, "E0279") && says(&project, "`hand` of the player who acts"));
    let redirects = "hidden except to owner  redirects to owner }";
    change(&project.join("rules/tiny/game.rules"), |written| written.replace("hidden except to owner }", redirects));
    assert!(!says(&project, "E0279"));
}

/// The text has a name that no card of the game has.
#[test]
fn names_that_no_card_has_are_told() {
    let project = tiny("warned_name", "手札の「小石」を捨てる。");
    assert!(says(&project, "E0452") && says(&project, "`小石`"));
    change(&project.join("cards/tiny/tiny.cards"), |written| written.replace("「小石」", "「石」"));
    assert!(!says(&project, "E0452"));
}

/// The names of two cards differ only in width.
#[test]
fn names_that_look_alike_are_told() {
    let project = tiny("warned_alike", "札1枚を引く。");
    assert!(!says(&project, "E0398"));
    let more = "\ncard \"T-5\" piece \"Ａ鷺\" { power 1 }\n\ncard \"T-6\" piece \"A鷺\" { power 1 }\n";
    change(&project.join("cards/tiny/tiny.cards"), |written| written + more);
    assert!(says(&project, "E0398") && says(&project, "`Ａ鷺`"));
    // Two cards may have one name.
    change(&project.join("cards/tiny/tiny.cards"), |written| written.replace("Ａ鷺", "A鷺"));
    assert!(!says(&project, "E0398"));
}

/// An action has the name of a statement of the language, and hides this statement.
#[test]
fn names_of_the_language_are_told() {
    let project = tiny("warned_hidden", "手札の「石」を捨てる。");
    assert!(!says(&project, "E0290"));
    change(&project.join("rules/tiny/game.rules"), |written| {
        written + "\naction pay(p: player) \"払う\" { move(1 from hand(p), deck(p)) }\n"
    });
    assert!(says(&project, "E0290") && says(&project, "`pay` is also a statement of the language"));
}

/// Rules ask for a symbol that no card has.
#[test]
fn symbols_that_no_card_has_are_told() {
    let asks = |asked: &str| {
        format!(
            "\nrule quick(p: player) immediately when some spot(p) as c where {asked} {{ draw(p, 1) }}\nkeyword swift \"速\" {{ }}\nability static \"常\" {{ }}\n"
        )
    };
    // (what the rules ask for, whether the check tells of it, what may be meant)
    let cases = [
        ("c has swfit", true, Some("swift")),
        ("c has swift", false, None),
        ("c has dragon", false, None),
        ("c has dargon", true, Some("dragon")),
        ("c has unheard_of", true, None),
        ("unheard_of in c.tribes", true, None),
        ("dragon in c.tribes", false, None),
    ];
    for (asked, told, meant) in cases {
        let project = tiny("warned_symbol", "手札の「石」を捨てる。");
        change(&project.join("rules/tiny/game.rules"), |written| {
            written.replace("@2-1 : number }", "@2-1 : number  tribes \"種族\" : set of symbol }") + &asks(asked)
        });
        let more = "\ncard \"T-7\" piece \"竜\" { power 1  tribes [dragon] }\n";
        change(&project.join("cards/tiny/tiny.cards"), |written| written + more);
        assert_eq!(says(&project, "E0452"), told, "{asked}");
        assert!(meant.is_none_or(|meant| says(&project, &format!("did you mean `{meant}`?"))), "{asked}");
    }
}

/// A value of one card alone is nearly a value of several cards.
#[test]
fn values_that_are_probably_misprinted_are_told() {
    // (the values of three cards, whether the check tells of the third one)
    let cases = [
        (["dragon", "dragon", "dragn"], true),
        (["dragon", "dragon", "dragno"], true),
        (["ドラゴン", "ドラゴン", "ドラコン"], true),
        (["dragon", "dragon", "dragon"], false),
        (["dragon", "dragn", "beast"], false),
        (["dragon", "dragon", "drag"], false),
        (["火", "火", "水"], false),
    ];
    for (values, told) in cases {
        let project = tiny("warned_misprint", "手札の「石」を捨てる。");
        change(&project.join("rules/tiny/game.rules"), |written| {
            written.replace("@2-1 : number }", "@2-1 : number  tribes \"種族\" : set of symbol }")
        });
        let cards =
            values.iter().enumerate().map(|(at, value)| format!("\ncard \"S-{at}\" piece \"札{at}\" {{ power 1  tribes [{value}] }}\n"));
        let more: String = cards.collect();
        change(&project.join("cards/tiny/tiny.cards"), |written| written + &more);
        assert!(!says(&project, "  × "), "{values:?}");
        assert_eq!(says(&project, "E0371"), told, "{values:?}");
    }
}
