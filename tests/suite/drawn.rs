//! The table as each seat sees it, drawn in rows: `tests/kernel/table`, and the built-in games at their beginning.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test")]

use gyoji::diagnostic::Language;
use gyoji::engine::ids::CardId;
use gyoji::engine::machine::Machine;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::Player;
use gyoji::project::{Places, find, load};
use gyoji::report::{Table, Widths};
use gyoji::tell::Words;
use std::path::Path;
use std::sync::Arc;

/// A page of the kernel at its first question, as a player sees it.
fn drawn(page: &str, viewer: Option<Player>) -> String {
    let folder = Path::new("tests/kernel").join(page);
    let places = Places { rules: Some(folder.clone()), cards: Some(folder), on: None };
    let project = find(Path::new(".")).unwrap();
    let (game, findings) = load(page, &places, project.as_ref()).unwrap();
    assert_eq!(findings, []);
    let all: Vec<CardId> = game.program.cards.ids().collect();
    let deck: Vec<CardId> = all.iter().cycle().take(12).copied().collect();
    let mut machine = Machine::new(Arc::clone(&game.program));
    machine.start(&[deck.clone(), deck], 1);
    machine.run(&mut Silent);
    Table { machine: &machine, viewer, words: Words::new(Language::Japanese), widths: Widths::new(1), columns: 80 }.draw()
}

#[test]
fn a_table_is_drawn_by_its_rows() {
    insta::assert_snapshot!("rows_of_a", drawn("table", Some(Player(0))));
    insta::assert_snapshot!("rows_of_b", drawn("table", Some(Player(1))));
}
