//! A prohibition of one card of a set leaves the act of the other cards alone, or its declaration is refused (`E0345`): every action of the
//! games that takes a set of cards.
#![allow(clippy::unwrap_used, clippy::string_slice, reason = "a test")]

use crate::words_of_texts::game;
use gyoji::compile::Compiler;
use gyoji::diagnostic::{Severity, Sources};
use gyoji::engine::ids::{CardId, Id};
use gyoji::engine::machine::Machine;
use gyoji::engine::state::Status;
use gyoji::engine::steps::Silent;
use gyoji::engine::value::{ObjectId, Player};
use gyoji::project::{Places, embedded_games, load};
use gyoji::syntax::parse_cards;
use std::fmt::Write;
use std::sync::Arc;

/// An action that takes a set of cards.
struct Act {
    verb: String,
    /// The parameter that is a set of cards, and all parameters with their types.
    set: String,
    params: Vec<(String, String)>,
}

/// The actions of a game that take a set of cards.
fn acts(name: &str) -> Vec<Act> {
    let mut found = Vec::new();
    for file in std::fs::read_dir(format!("rules/{name}")).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        for declared in text.split("\naction ").skip(1) {
            let Some((verb, rest)) = declared.split_once('(') else { continue };
            let params: Vec<(String, String)> = rest
                .split(')')
                .next()
                .unwrap_or_default()
                .split(',')
                .filter_map(|param| param.trim().split_once(": "))
                .map(|(name, of)| (name.to_owned(), of.split('=').next().unwrap_or_default().trim().to_owned()))
                .collect();
            let sets = params.iter().filter(|(_, of)| of == "set of card").map(|(name, _)| name.clone()).collect::<Vec<_>>();
            found.extend(sets.into_iter().map(|set| Act { verb: verb.to_owned(), set, params: params.clone() }));
        }
    }
    found
}

impl Act {
    /// A call with some cards of the player p. None if an argument of some type is not known here.
    fn call(&self, cards: &str, zone: &str) -> Option<String> {
        let value = |(name, of): &(String, String)| {
            let value = match of.as_str() {
                _ if *name == self.set => cards.to_owned(),
                "set of card" => cards.to_owned(),
                "player" => "p".to_owned(),
                "number" => "1".to_owned(),
                "bool" => "true".to_owned(),
                "zone" => format!("{zone}(p)"),
                _ => return None,
            };
            Some(format!("{name}: {value}"))
        };
        let values: Vec<String> = self.params.iter().map(value).collect::<Option<_>>()?;
        Some(format!("{}({})", self.verb, values.join(", ")))
    }
}

/// The cards of the played games, by their numbers: the card for which every act is forbidden, another one, and two to count with.
const BARRED: usize = 0;
const OTHER: usize = 1;
const COUNTS_ACTS: usize = 2;
const COUNTS_ZONES: usize = 3;

/// A game with another set-up: it carries out one of the acts with the barred card and the other card, in one of the zones.
fn played(name: &str, acts: &[Act]) -> (Compiler, usize, usize) {
    let real = game(name);
    let program = real.compiler.program();
    let of = program.card_types.first().cloned().unwrap_or_default();
    let zones: Vec<&str> =
        program.zones.rows().iter().filter(|zone| zone.each_player && !zone.abilities).map(|zone| zone.name.name.as_str()).collect();
    let deck = program.deck_zone.and_then(|zone| program.zones.get(zone)).map_or("", |zone| zone.name.name.as_str());
    // In one game a card may have several names.
    let several = name == "victory_spark";
    let is = |card: &str| if several { format!("\"{card}\" in it.name") } else { format!("it.name == \"{card}\"") };
    let mut setup = format!(
        "setup {{\n  for p in players {{\n    let every = {deck}(p)\n    let acts = count(every where {})\n    \
         let zones = count(every where {})\n    let both = every where {} or {}\n",
        is("丙"),
        is("丁"),
        is("甲"),
        is("乙")
    );
    for (at, zone) in zones.iter().enumerate().filter(|(_, zone)| **zone != deck) {
        writeln!(setup, "    if zones == {at} {{ for c in both {{ move(c, {zone}(p)) }} }}").unwrap();
    }
    let lying = zones.iter().map(|zone| format!("{zone}(p)")).collect::<Vec<_>>().join(" with ");
    writeln!(setup, "    let there = ({lying}) where {} or {}", is("甲"), is("乙")).unwrap();
    for (at, act) in acts.iter().enumerate() {
        if let Some(call) = act.call("there", deck) {
            writeln!(setup, "    if acts == {at} {{ {call} }}").unwrap();
        }
    }
    setup.push_str("  }\n  for p in players { win(p) }\n}\n");
    for (at, act) in acts.iter().enumerate() {
        writeln!(setup, "rule barred_{at} forbids {}({}: all c where {})", act.verb, act.set, is("甲")).unwrap();
    }
    // The game's own files, with this set-up in the place of the game's.
    let folder = crate::cli::folder(&format!("spared_{name}"));
    for file in std::fs::read_dir(format!("rules/{name}")).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let kept = match text.find("\nsetup") {
            Some(start) => {
                let end = text[start..].find("\n}").map_or(text.len(), |end| start + end + 2);
                format!("{}\n{setup}{}", &text[..start], &text[end..])
            }
            None => text,
        };
        std::fs::write(folder.join(file.file_name().unwrap()), kept).unwrap();
    }
    let places = Places { rules: Some(folder), cards: Some(crate::cli::folder(&format!("spared_{name}_cards"))), on: None };
    let (loaded, found) = load(name, &places, None).unwrap();
    let errors: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{setup}");
    let mut compiler = loaded.compiler;
    for card in ["甲", "乙", "丙", "丁"] {
        let text = format!("gyoji 1\ncards {name}\ncard \"{card}\" {of} \"{card}\" {{ }}\n");
        let (cards, _) = parse_cards(Sources::default().add("a.cards", text.clone()), &text);
        compiler.add_card(cards.items.first().unwrap(), &[]);
    }
    (compiler, zones.len(), program.cards.len())
}

/// Where the other card lies in the end, and its states. None if a player was asked, or if the game broke off.
fn end(machine: &mut Machine, barred: bool, act: usize, zone: usize) -> Option<(String, String)> {
    let card = CardId::from_index;
    let mut deck = vec![card(OTHER)];
    deck.extend(barred.then_some(card(BARRED)));
    deck.extend(std::iter::repeat_n(card(COUNTS_ACTS), act));
    deck.extend(std::iter::repeat_n(card(COUNTS_ZONES), zone));
    machine.start(&[deck, Vec::new()], 1);
    if !matches!(machine.run(&mut Silent), Status::Over(_)) {
        return None;
    }
    let board = &machine.state().board;
    let of = |which: usize| {
        let at = board.objects.iter().position(|object| object.card == card(which) && object.owner == Player(0));
        let object = at.and_then(|at| board.object(ObjectId(at as u16)));
        format!("{:?}", object.map(|object| (object.place, object.face_up)))
    };
    Some((of(OTHER), of(BARRED)))
}

/// The games whose rules lie in folders of their own.
fn games() -> impl Iterator<Item = String> {
    embedded_games().into_iter().filter(|name| std::path::Path::new(&format!("rules/{name}")).is_dir())
}

#[test]
fn the_others_of_a_set_are_done() {
    let (mut wrong, mut done) = (Vec::new(), 0);
    for name in games() {
        let acts = acts(&name);
        let (compiler, zones, _) = played(&name, &acts);
        let mut machine = Machine::new(Arc::new(compiler.program().clone()));
        for (at, act) in acts.iter().enumerate() {
            let mut any = false;
            for zone in 0..zones {
                let (Some(before), Some(alone), Some(beside)) =
                    (end(&mut machine, false, acts.len(), zone), end(&mut machine, false, at, zone), end(&mut machine, true, at, zone))
                else {
                    continue;
                };
                any |= alone.0 != before.0;
                if alone.0 != beside.0 && alone.0 != before.0 {
                    wrong.push(format!("{name} {} in zone {zone}: alone {}, beside the barred card {}", act.verb, alone.0, beside.0));
                }
            }
            done += usize::from(any);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    // Other acts ask somebody, or have arguments that are not known here.
    assert!(done >= 10, "{done}");
}

#[test]
fn a_prohibition_of_one_card_names_the_cards_that_it_spares() {
    let mut all = 0;
    for name in games() {
        let game = game(name.as_str());
        let of = game.compiler.program().card_types.first().cloned().unwrap_or_default();
        let codes = |clause: &str| -> Vec<&str> {
            let text = format!("gyoji 1\ncards {name}\ncard \"A\" {of} \"A\" {{ script {{ static {{ {clause} }} }} }}\n");
            let (cards, found) = parse_cards(Sources::default().add("a.cards", text.clone()), &text);
            assert!(found.is_empty(), "{found:?} {text}");
            let card = cards.items.first().unwrap();
            let (_, found) = game.compiler.beside().add_card(card, card.script.as_deref().unwrap_or_default());
            found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect()
        };
        for Act { verb, set: param, .. } in acts(&name) {
            all += 1;
            let told = |clause: String| codes(&clause).join(" ");
            for one in ["any c) where c == this", "this)", "[this])", "any c) where c.name != \"A\""] {
                let clause = format!("forbid {verb}({param}: {one}");
                let found = told(clause.clone());
                assert!(found.contains("E0345"), "{name}: {clause}: {found}");
            }
            for fine in ["all c where it == this)", "all c) where some c as d where d == this", "any c)", "any c) where count(players) > 1"]
            {
                let clause = format!("forbid {verb}({param}: {fine}");
                assert!(!told(clause.clone()).contains("E0345"), "{name}: {clause}");
            }
        }
    }
    assert!(all > 40, "{all}");
}
