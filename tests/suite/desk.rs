//! Two players at one desk, on a real terminal: each sees a screen of their own, and nothing from the other's screen.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

use rexpect::session::{PtySession, spawn_command};
use std::path::{Path, PathBuf};
use std::process::Command;

const RULES: &str = r#"gyoji 1

game desk "desk" { players 2 }

zone box "box" { each player  ordered  hidden  starts with deck }
zone hand "hand" { each player  hidden except to owner }
zone laid "laid" { each player  public }

card unit "card" { }

choice lay "a card to lay"

setup { for p in players { move(top 3 of box(p), hand(p)) } }

turn {
  phase laying "laying" {
    simultaneously for p in players {
      choose lay: 1 from hand(p) by p secretly
      move(lay, laid(p))
    }
    judge together { for p in players { if count(laid(p)) == 2 { win(p) } } }
  }
}

judgement(losing: set of player, winning: set of player) { finish_drawn() }
"#;

/// The game in a folder of its own. The names are ASCII, because the pseudo terminal is read byte by byte.
fn game() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("desk");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("decks")).unwrap();
    std::fs::write(folder.join("desk.rules"), RULES).unwrap();
    let card = |name: &str| format!("card \"{name}\" unit \"{name}\" {{ }}\n");
    let cards: String = ["amber", "azure"].iter().flat_map(|colour| (1..=3).map(move |n| card(&format!("{colour}-{n}")))).collect();
    std::fs::write(folder.join("desk.cards"), format!("gyoji 1\n\ncards desk\n\n{cards}")).unwrap();
    for colour in ["amber", "azure"] {
        let rows: Vec<String> = (1..=3).map(|n| format!("(1, \"{colour}-{n}\")")).collect();
        let deck = format!("(name: \"{colour}\", cards: [{}])", rows.join(", "));
        std::fs::write(folder.join("decks").join(format!("{colour}.ron")), deck).unwrap();
    }
    folder
}

fn spawn(folder: &Path) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gyoji"));
    command.args(["play", "--seat", "a=human", "--seat", "b=human", "--deck", "a=amber", "--deck", "b=azure", "--lang", "en", "--rules"]);
    command.arg(folder).args(["--seed", "1"]);
    spawn_command(command, Some(30_000)).unwrap()
}

const CLEARED: &str = "\u{1b}[H\u{1b}[2J\u{1b}[3J";

/// Hands the desk over to a player, who lays a card. Returns the screen before the look, and the screen during it.
fn look(terminal: &mut PtySession, player: &str, answer: &str) -> (String, String) {
    let before = terminal.exp_string(&format!("It is {player}'s turn to look.")).unwrap();
    terminal.exp_string("press Enter.").unwrap();
    terminal.send_line("").unwrap();
    terminal.exp_string(CLEARED).unwrap();
    let during = terminal.exp_string("> ").unwrap();
    terminal.send_line(answer).unwrap();
    (before, during)
}

#[test]
fn two_people_at_one_desk_see_nothing_of_one_another() {
    let mut terminal = spawn(&game());
    let mut laid: Vec<&str> = Vec::new();
    for answer in ["amber-1", "amber-2"] {
        let (before, during) = look(&mut terminal, "a", answer);
        assert!(before.trim_end().ends_with(CLEARED), "the screen is cleared first: {before:?}");
        assert!(during.contains("lay") && during.contains("amber-3"), "{during}");
        let open = during.replace("azure-1", if laid.is_empty() { "azure-1" } else { "open" });
        assert!(!open.contains("azure"), "b's hand is not shown: {during}");

        let (before, during) = look(&mut terminal, "b", &answer.replace("amber", "azure"));
        let after_answer = before.split_once(CLEARED).map(|(_, after)| after).unwrap();
        assert!(!after_answer.contains("amber"), "what a said is gone: {before:?}");
        assert!(during.contains("azure-3") && !during.contains("amber-3"), "{during}");
        assert!(!during.contains(answer), "what a laid is secret until both have: {during}");
        laid.push(answer);
    }
    terminal.exp_string("The game is drawn in turn 2.").unwrap();
    terminal.exp_eof().unwrap();
}
