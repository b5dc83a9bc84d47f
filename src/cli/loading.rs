//! Finding and loading what a command plays: a game's rules, cards and decks.

use super::{Context, Exit, files};
use crate::compile::{Compiled, Compiler, check_deck, has_errors};
use crate::diagnostic::{Diagnostic, Sources, Span, nearest};
use crate::engine::ids::{CardId, Pc};
use crate::engine::program::{CardDef, Program};
use crate::engine::value::Player;
use crate::players::record::cards_of;
use crate::report::seat;
use crate::syntax::ast::CardDecl;
use crate::wording::{Reading, Wording};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game that can be played.
pub struct Loaded {
    /// Its compiled form.
    pub program: Arc<Program>,
    /// The files it came from.
    pub sources: Sources,
    compiled: Compiled,
    wording: Wording,
    cards: Vec<CardDecl>,
    decks: Vec<PathBuf>,
}

/// A deck in a file.
#[derive(Clone, Debug, Deserialize)]
struct Deck {
    #[serde(default = "format")]
    format: u32,
    #[serde(default)]
    game: Option<String>,
    cards: Vec<(u16, String)>,
}

fn format() -> u32 {
    crate::players::record::FORMAT
}

impl Loaded {
    /// Where a statement stands.
    #[must_use]
    pub fn place(&self, at: Pc) -> Option<Span> {
        self.compiled.map.code(at)
    }

    /// A card as declared.
    #[must_use]
    pub fn declaration(&self, card: CardId) -> Option<&CardDecl> {
        let number = &self.program.cards.get(card)?.number;
        self.cards.iter().find(|decl| decl.number.text == *number)
    }

    /// A card's text as the wording reads it.
    #[must_use]
    pub fn readings(&self, decl: &CardDecl) -> Vec<Reading> {
        decl.texts.iter().map(|text| self.wording.read(text)).collect()
    }

    /// The card with that number or printed name.
    #[must_use]
    pub fn card_called(&self, called: &str) -> Option<CardId> {
        let is_called =
            |card: &CardDef| card.number == called || self.program.texts.get(card.name).is_some_and(|name| name == called);
        self.program.cards.iter().find(|(_, card)| is_called(card)).map(|(id, _)| id)
    }

    /// For each seat its deck: as named on the command line, else the game's own in the order of their names.
    ///
    /// # Errors
    /// Every finding about the decks.
    pub fn decks(&self, named: &[Option<String>], context: &Context) -> Result<Vec<Vec<CardId>>, Vec<Diagnostic>> {
        if self.program.deck_zone.is_none() {
            return Ok(vec![Vec::new(); named.len()]);
        }
        let mut decks = Vec::new();
        for (index, name) in named.iter().enumerate() {
            let path = match name {
                Some(name) => self.deck_called(name)?,
                None => self.decks.get(index % self.decks.len().max(1)).cloned().ok_or_else(|| vec![no_deck(index)])?,
            };
            decks.push(self.read_deck(&path, context)?);
        }
        Ok(decks)
    }

    /// A deck of the game by its file's name, else a file.
    fn deck_called(&self, name: &str) -> Result<PathBuf, Vec<Diagnostic>> {
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(path) = self.decks.iter().find(|path| stem(path) == name) {
            return Ok(path.clone());
        }
        if Path::new(name).exists() {
            return Ok(PathBuf::from(name));
        }
        let known: Vec<_> = self.decks.iter().map(stem).collect();
        let finding = Diagnostic::global("E0846").with("name", name).suggest(name, known.iter().map(String::as_str));
        Err(vec![if known.is_empty() { finding } else { finding.with("known", known.join(", ")) }])
    }

    fn read_deck(&self, path: &Path, _context: &Context) -> Result<Vec<CardId>, Vec<Diagnostic>> {
        let file = path.display().to_string();
        let mut sources = Sources::default();
        let deck: Deck = files::read_ron(path, &mut sources).map_err(|finding| vec![finding])?;
        if deck.format != format() {
            return Err(vec![Diagnostic::global("E0825").with("file", file).with("found", deck.format).with("known", format())]);
        }
        if let Some(game) = deck.game.filter(|game| *game != self.program.name) {
            let finding = Diagnostic::global("E0828").with("file", file).with("found", &game);
            return Err(vec![finding.with("known", &self.program.name)]);
        }
        let runs: Vec<_> = deck.cards.into_iter().map(|(count, number)| (number, count)).collect();
        let cards = cards_of(&self.program, &runs).map_err(|card| {
            let numbers = self.program.cards.rows().iter().map(|card| card.number.as_str());
            vec![Diagnostic::global("E0836").with("file", file).with("card", &card).suggest(&card, numbers)]
        })?;
        let found = check_deck(&self.program, &cards);
        if found.is_empty() { Ok(cards) } else { Err(found) }
    }
}

fn no_deck(index: usize) -> Diagnostic {
    Diagnostic::global("E0844").with("seat", seat(Player(index as u8)))
}

/// Loads a game by name, or the only one there is.
///
/// # Errors
/// How the command ends when the game cannot be played; why has been shown by then.
pub fn load(context: &Context, game: Option<&str>) -> Result<Loaded, Exit> {
    let complain = |findings: &[Diagnostic], sources: &Sources| {
        context.complain(findings, sources);
        Exit::CouldNotRun
    };
    let known = ["goofspiel", "kaiun"];
    let Some(game) = game else {
        return Err(complain(&[Diagnostic::global("E0843").with("known", known.join(", "))], &Sources::default()));
    };
    let folders = [format!("rules/{game}"), format!("rules/examples/{game}")];
    let rules = context.rules.clone().or_else(|| folders.iter().map(PathBuf::from).find(|folder| folder.is_dir()));
    let Some(rules) = rules else {
        let finding = Diagnostic::global("E0842").with("name", game).with("known", known.join(", "));
        let finding = match nearest(game, known) {
            Some(near) => finding.with("nearest", near),
            None => finding,
        };
        return Err(complain(&[finding], &Sources::default()));
    };
    let cards = context.cards.clone().unwrap_or_else(|| PathBuf::from(format!("cards/{game}")));
    context.aside(&context.say("start.from", &[("what", context.say("start.rules", &[])), ("game", game.to_owned()), ("from", rules.display().to_string())]));
    let mut sources = Sources::default();
    let mut found = Vec::new();
    let mut trees = Vec::new();
    for path in listed(Path::new("rules/std"), "rules").into_iter().chain(listed(&rules, "rules")) {
        match files::read(&path, &mut sources) {
            Ok(file) => {
                let (tree, more) = crate::syntax::parse_rules(file, sources.get(file).map_or("", |source| source.text.as_str()));
                trees.push(tree);
                found.extend(more);
            }
            Err(finding) => found.push(finding),
        }
    }
    let (mut compiler, more) = Compiler::new(&trees);
    found.extend(more);
    let (wording, more) = Wording::new(&trees);
    found.extend(more);
    let mut decls = Vec::new();
    for path in listed(&cards, "cards").into_iter().chain(listed(&rules, "cards")) {
        match files::read(&path, &mut sources) {
            Ok(file) => {
                let (tree, more) = crate::syntax::parse_cards(file, sources.get(file).map_or("", |source| source.text.as_str()));
                found.extend(more);
                for card in tree.items {
                    let mut abilities = card.script.clone().unwrap_or_default();
                    for text in &card.texts {
                        let reading = wording.read(text);
                        found.extend(reading.diagnostics);
                        abilities.extend(reading.abilities);
                    }
                    found.extend(compiler.add_card(&card, &abilities).1);
                    decls.push(card);
                }
            }
            Err(finding) => found.push(finding),
        }
    }
    if has_errors(&found) {
        return Err(complain(&found, &sources));
    }
    let compiled = compiler.into_compiled();
    Ok(Loaded { program: compiled.program.clone(), sources, compiled, wording, cards: decls, decks: listed(&cards.join("decks"), "ron") })
}

fn listed(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths
}
