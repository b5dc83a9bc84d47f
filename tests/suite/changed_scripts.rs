//! A script with one node changed does not fit its text any more: the comparison of texts with scripts notices most changes.
//!
//! The texts are those of tests/fixtures and of the cards. Every node of every kind is changed, one at a time.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod changer;

use crate::fixture_texts;
use changer::{Rates, rates};
use gyoji::project::{Game, Places, embedded_games, load};
use gyoji::wording::show_ability;
use rayon::prelude::*;
use std::fmt::Write;

/// Every text of the fixtures and of the cards.
fn texts(name: &str, game: &Game) -> Vec<String> {
    let of_cards = game.cards.iter().flat_map(|card| &card.decl.texts).map(|text| text.text.clone());
    fixture_texts::texts(name, &["blind", "texts", "crossed"], of_cards)
}

/// For each kind of nodes, the share of changes that the comparison must notice, in percent.
const LEAST: [(&str, usize); 11] = [
    ("bound", 92),
    ("duration", 62),
    ("face", 95),
    ("filter", 19),
    ("may", 72),
    ("number", 82),
    ("order", 95),
    ("place", 72),
    ("side", 76),
    ("side of another", 85),
    ("up to", 88),
];

/// `GYOJI_WORDS_STRIDE=1` tries every text; the usual test tries each twentieth. `GYOJI_WORDS_OUT=FILE` keeps the unnoticed changes.
#[test]
fn a_changed_script_does_not_fit_its_text() {
    let stride = std::env::var("GYOJI_WORDS_STRIDE").map_or(20, |stride| stride.parse().unwrap());
    let mut all = Rates::new();
    let mut told = String::new();
    for name in embedded_games() {
        let places = Places { rules: Some(format!("rules/{name}").into()), cards: Some(format!("cards/{name}").into()), on: None };
        let (game, errors) = load(&name, &places, None).unwrap();
        errors
            .iter()
            .filter(|error| ["E0456", "E0458"].contains(&error.code))
            .for_each(|error| writeln!(told, "{name} CARD {error:?}").unwrap());
        let zones: Vec<String> = game.compiler.symbols().zones.rows().map(|(name, _)| name.to_string()).collect();
        let durations: Vec<String> = game.compiler.symbols().durations.rows().map(|(name, _)| name.to_string()).collect();
        let texts: Vec<String> = texts(&name, &game).into_iter().step_by(stride).collect();
        let scripts: Vec<String> = game.cards.iter().flat_map(|card| &card.abilities).map(show_ability).collect();
        let used = |name: &&String| scripts.iter().any(|script| script.contains(&format!("lasting {name} ")));
        // Durations that texts of the game have.
        let durations: Vec<String> = durations.into_iter().filter(|name| used(&name)).collect();
        let found: Vec<_> = texts.par_iter().map(|text| rates(&game.wording, &zones, &durations, text)).collect();
        let mut of_game = Rates::new();
        for (rates, lost) in found {
            lost.iter().for_each(|lost| writeln!(told, "{name} LOST {lost}").unwrap());
            for (kind, (tried, missed)) in rates {
                let row = of_game.entry(kind).or_default();
                row.0 += tried;
                row.1.extend(missed);
            }
        }
        for (kind, (tried, missed)) in of_game {
            missed.iter().for_each(|missed| writeln!(told, "{name} MISS {kind}: {missed}").unwrap());
            writeln!(told, "{name} RATE {kind}: {} of {tried} noticed", tried - missed.len()).unwrap();
            let row = all.entry(kind).or_default();
            row.0 += tried;
            row.1.extend(missed);
        }
    }
    for (kind, (tried, missed)) in &all {
        writeln!(told, "RATE {kind}: {} of {tried} noticed ({} %)", tried - missed.len(), (tried - missed.len()) * 100 / tried).unwrap();
    }
    if let Ok(file) = std::env::var("GYOJI_WORDS_OUT") {
        std::fs::write(file, &told).unwrap();
    }
    for (kind, least) in LEAST {
        let (tried, missed) = all.get(kind).map_or((0, 0), |(tried, missed)| (*tried, missed.len()));
        assert!(tried > 0 && (tried - missed) * 100 >= tried * least, "{kind}: {missed} of {tried} unnoticed");
    }
}
