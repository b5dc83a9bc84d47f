//! The words that games declare, read with the language's own parser: names, printed labels, cards, symbols, decks.
//!
//! Each folder of `rules` is a game, except `rules/std`, which games share. The micro-games of the
//! conformance suite (`tests/kernel`) belong to the language: they have no rulebook, so their words
//! belong to no game. Texts on cards and printed texts of templates are no declarations and are left out.

use super::{documents, files};
use gyoji::diagnostic::FileId;
use gyoji::engine::program::Builtin;
use gyoji::syntax::ast::{CardDecl, Decl, DeclKind, Expr, ExprKind, Head, ReadingChoices, WordingKind};
use gyoji::syntax::{parse_cards, parse_rules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folder that games share. It is no game.
const SHARED: &str = "std";

/// Every declared word, with the games that declare it.
pub(super) fn words() -> BTreeMap<String, BTreeSet<String>> {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |path: &Path, found: Vec<String>| {
        let game = game_of(path);
        for word in found.into_iter().chain([game.clone()]) {
            owners.entry(word).or_default().insert(game.clone());
        }
    };
    for (path, text) in files("rules", ".rules").into_iter().filter(|(path, _)| game_of(path) != SHARED) {
        add(&path, parse_rules(FileId(0), &text).0.items.iter().flat_map(|decl| declared(decl)).collect());
    }
    for (path, text) in files("rules", ".cards").into_iter().chain(files("cards", ".cards")) {
        add(&path, parse_cards(FileId(0), &text).0.items.iter().flat_map(printed).collect());
    }
    for (path, text) in files("rules", ".ron").into_iter().chain(files("cards", ".ron")) {
        let name = text.split_once("name: \"").and_then(|(_, rest)| rest.split_once('"')).map(|(name, _)| name.to_owned());
        add(&path, name.into_iter().collect());
    }
    owners.retain(|word, _| !word.is_empty());
    owners
}

/// The words that the micro-games of the conformance suite declare. A word that they have too does not belong to one game.
pub(super) fn of_the_suite() -> BTreeSet<String> {
    let rules = files("tests/kernel", ".rules").into_iter().map(|(_, text)| parse_rules(FileId(0), &text).0.items);
    let cards = files("tests/kernel", ".cards").into_iter().map(|(_, text)| parse_cards(FileId(0), &text).0.items);
    rules.flatten().flat_map(|decl| declared(&decl)).chain(cards.flatten().flat_map(|card| printed(&card))).collect()
}

/// The game of a file: its folder under `rules`, `cards` or the examples.
fn game_of(path: &Path) -> String {
    path.iter().skip(1).map(|part| part.to_string_lossy().into_owned()).find(|part| part != "examples").unwrap()
}

fn head(head: &Head) -> Vec<String> {
    [Some(&head.name.text), head.label.as_ref().map(|label| &label.text)].into_iter().flatten().cloned().collect()
}

fn heads<'a>(first: &Head, more: impl IntoIterator<Item = &'a Head>) -> Vec<String> {
    head(first).into_iter().chain(more.into_iter().flat_map(head)).collect()
}

/// The names and labels of a declaration and of its parts.
fn declared(decl: &Decl) -> Vec<String> {
    match &decl.kind {
        DeclKind::Enum(name, members) => heads(name, members),
        DeclKind::CardType(name, fields) => heads(name, fields.iter().map(|field| &field.head)),
        DeclKind::Player(fields) => fields.iter().flat_map(|field| head(&field.head)).collect(),
        DeclKind::Turn(name, phases) => heads(name, phases.iter().map(|phase| &phase.head)),
        DeclKind::Layers(name, layers) => heads(name, layers.iter().map(|(layer, _)| layer)),
        DeclKind::Reading(reading) => match &reading.choices {
            ReadingChoices::Names(values) => {
                values.iter().map(|(value, _)| value.text.clone()).chain([reading.head.name.text.clone()]).collect()
            }
            ReadingChoices::Value(..) => vec![reading.head.name.text.clone()],
        },
        DeclKind::AbilityKind(kind) => head(&kind.head).into_iter().chain(kind.slots.iter().map(|slot| slot.name.text.clone())).collect(),
        DeclKind::Action(routine) | DeclKind::Procedure(routine) | DeclKind::Judgement(routine) => head(&routine.head),
        DeclKind::Function { head: name, .. } | DeclKind::State { head: name, .. } => head(name),
        DeclKind::Option(option) => head(&option.head),
        DeclKind::Event(event) => head(&event.head),
        DeclKind::Cause(name) => head(name),
        DeclKind::Match(matched) => head(&matched.head),
        DeclKind::Timing(timing) => head(&timing.head),
        DeclKind::Rule(rule) => head(&rule.head),
        DeclKind::Game(name, _)
        | DeclKind::Param(name, _)
        | DeclKind::Zone(name, _)
        | DeclKind::Pool(name, _)
        | DeclKind::Moment(name)
        | DeclKind::Duration(name, _)
        | DeclKind::Choice(name, _)
        | DeclKind::Deck(name, _)
        | DeclKind::Rules(name, _)
        | DeclKind::Setup(name, _)
        | DeclKind::Keyword(name, _)
        | DeclKind::Role(name, _) => head(name),
        DeclKind::Wording(wording) => {
            let of = |kind: &WordingKind| if let WordingKind::Category(category) = kind { Some(category.name.text.clone()) } else { None };
            wording.items.iter().filter_map(|item| of(&item.kind)).collect()
        }
        // The names of these declarations are words of the language.
        DeclKind::Use(..) | DeclKind::Policy(..) | DeclKind::Moves(..) | DeclKind::Table(_) | DeclKind::GivenDefault(_) => Vec::new(),
    }
}

/// A card's number, name and symbols.
fn printed(card: &CardDecl) -> Vec<String> {
    fn symbols(value: &Expr) -> Vec<String> {
        match &value.kind {
            ExprKind::Name(name) => vec![name.text.clone()],
            ExprKind::List(items) => items.iter().flat_map(symbols).collect(),
            _ => Vec::new(),
        }
    }
    let names = [Some(&card.number.text), card.name.as_ref().map(|name| &name.text)];
    names.into_iter().flatten().cloned().chain(card.values.iter().flat_map(|(_, value)| symbols(value))).collect()
}

/// The language's own words: the words of the grammar, the built-in verbs with
/// their parameters, and the words in backticks on the pages about the kernel.
pub(super) fn language() -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for (_, text) in files("grammar", ".pest") {
        found.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    for builtin in Builtin::ALL {
        found.insert(builtin.name().to_owned());
        found.extend(builtin.parameters().iter().map(|&parameter| parameter.to_owned()));
    }
    for (_, text) in documents("kernel") {
        found.extend(text.split('`').skip(1).step_by(2).flat_map(super::leaks::words).map(str::to_owned));
    }
    found
}
