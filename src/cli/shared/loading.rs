//! Finds and loads the game of a command, and chooses its decks. It prints beside the result where the game came from.

use crate::Context;
use crate::Exit;
use crate::shared::files;
use crate::shared::page;
use compile::{SourceMap, check_deck, still_to_do};
use engine::ids::{CardId, MatchId, Pc};
use engine::program::Program;
use engine::value::Player;
use lang::diagnostic::{Diagnostic, Severity, Sources, Span};
use lang::syntax::ast::Date;
use project::files::{Purpose, bytes};
use project::{self, Deck, Game, LoadedCard, Places, Project, Taken, embedded_games};
use std::mem::ManuallyDrop;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tell::{Statements, seat};

/// A loaded game without errors, ready to be played.
pub(crate) struct Loaded {
    /// The game. It is never freed, because a command ends soon after it has used its game, and freeing one takes longer than many commands.
    pub game: ManuallyDrop<Game>,
    /// The compiled form of the game.
    pub program: Arc<Program>,
    /// The files that the game was loaded from.
    pub sources: Sources,
    /// The day that the command asks for.
    pub on: Option<Date>,
}

impl Loaded {
    /// The place of a statement.
    #[must_use]
    pub(crate) fn place(&self, at: Pc) -> Option<Span> {
        self.game.map.code(at)
    }

    /// The first line of each statement's text, for traces.
    #[must_use]
    pub(crate) fn statements(&self) -> Statements {
        Statements::new(self.game.map.statements(&self.program, &self.sources))
    }

    /// A card as it was loaded.
    #[must_use]
    pub(crate) fn card(&self, id: CardId) -> Option<&LoadedCard> {
        self.game.cards.iter().find(|card| card.id == id)
    }

    /// The card with that number or printed name.
    ///
    /// # Errors
    /// `E0834` if no card has that name, with the nearest name; `E0512` with the numbers if several cards do.
    pub(crate) fn card_called(&self, called: &str) -> Result<CardId, Diagnostic> {
        match self.game.compiler.cards_called(called).as_slice() {
            [card] => Ok(*card),
            [] => {
                let words = self.game.compiler.card_words();
                Err(Diagnostic::global("E0834").with("name", called).suggest(called, words.iter().map(String::as_str)))
            }
            several => {
                let cards = several.iter().filter_map(|id| self.program.cards.get(*id));
                let numbers: Vec<&str> = cards.map(|card| card.number.as_str()).collect();
                Err(Diagnostic::global("E0512").with("card", called).with("numbers", numbers.join("`, `")))
            }
        }
    }

    /// `E0844`: a seat without a deck. It says in which folder decks are looked for.
    fn no_deck(&self, player: Player) -> Diagnostic {
        let finding = Diagnostic::global("E0844").with("seat", seat(player));
        let folder = [&self.game.cards_from, &self.game.rules_from].into_iter().find_map(|from| match from {
            Taken::Named(folder) | Taken::Project(folder) => Some(folder.join("decks")),
            Taken::Embedded(_) | Taken::Nowhere => None,
        });
        match folder {
            Some(folder) => finding.with("folder", folder.display()),
            None => finding,
        }
    }

    /// The deck of each seat: the deck named on the command line, or else one of the game's decks, in the order of their file names. `named`
    /// may be shorter than the number of seats. If all players share one deck, each deck is used only once, and a seat without a named deck
    /// may have none.
    ///
    /// # Errors
    /// All findings about the decks.
    pub(crate) fn decks(&self, named: &[Option<String>]) -> Result<Vec<Vec<CardId>>, Vec<Diagnostic>> {
        if self.program.deck_zone.is_none() {
            if let Some(name) = named.iter().flatten().next() {
                return Err(vec![Diagnostic::global("E0882").with("name", name)]);
            }
            return Ok(vec![Vec::new(); usize::from(self.program.players)]);
        }
        let shared = self.program.deck_zone.and_then(|zone| self.program.zones.get(zone)).is_some_and(|zone| !zone.each_player);
        let some_named = named.iter().any(Option::is_some);
        let mut decks = Vec::new();
        for index in 0..usize::from(self.program.players) {
            let name = named.get(index).and_then(Option::as_ref);
            let brings_none = index > 0 && index >= self.game.decks.len();
            if shared && name.is_none() && (some_named || brings_none) {
                decks.push(Vec::new());
                continue;
            }
            let (deck, of_file) = match name {
                Some(name) => self.deck_called(name)?,
                None => {
                    let own = self.game.decks.get(index % self.game.decks.len().max(1)).cloned();
                    (own.ok_or_else(|| vec![self.no_deck(Player(index as u8))])?, None)
                }
            };
            let in_words = |finding| match &of_file {
                Some(sources) => project::placed_in_words(finding, sources),
                None => finding,
            };
            decks.push(self.legal(&deck).map_err(|found| found.into_iter().map(in_words).collect::<Vec<_>>())?);
        }
        Ok(decks)
    }

    /// The cards from which decks can be made: released cards with readable texts.
    #[must_use]
    pub(crate) fn in_decks(&self) -> Vec<CardId> {
        let cards = self.game.cards.iter().map(|card| card.id);
        cards.filter(|card| still_to_do(&self.program, &[*card]).is_empty() && self.not_out(&[*card]).is_empty()).collect()
    }

    /// The cards of a deck, if the deck passes the deck check.
    fn legal(&self, deck: &Deck) -> Result<Vec<CardId>, Vec<Diagnostic>> {
        if let Some(game) = deck.game.as_ref().filter(|game| **game != self.program.name) {
            let finding = Diagnostic::global("E0828").with("file", &deck.file).with("found", game);
            return Err(vec![finding.with("known", &self.program.name)]);
        }
        let cards = deck.card_ids(&self.game.compiler)?;
        let mut found = check_deck(&self.program, &cards);
        found.extend(still_to_do(&self.program, &cards));
        found.extend(self.not_out(&cards));
        if found.is_empty() { Ok(cards) } else { Err(found.into_iter().map(|finding| deck.placed(finding)).collect()) }
    }

    /// `E0433` for every card that is released only after the day that the command asks for.
    fn not_out(&self, cards: &[CardId]) -> Vec<Diagnostic> {
        let Some(day) = self.on else { return Vec::new() };
        let late = |card: &&LoadedCard| cards.contains(&card.id) && card.decl.released().is_some_and(|released| released > day);
        let finding = |card: &LoadedCard| {
            let finding = Diagnostic::global("E0433").with("number", &card.decl.number.text).with("day", day.to_string());
            finding.with("released", card.decl.released().map(|released| released.to_string()).unwrap_or_default())
        };
        self.game.cards.iter().filter(late).map(finding).collect()
    }

    /// A deck of the game with this file name or deck name; else a deck in a file outside the game, with its own sources.
    fn deck_called(&self, name: &str) -> Result<(Deck, Option<Sources>), Vec<Diagnostic>> {
        if let Some(deck) = self.game.decks.iter().find(|deck| deck.file == name || deck.name == name) {
            return Ok((deck.clone(), None));
        }
        if Path::new(name).exists() {
            let mut sources = Sources::default();
            let read = files::read(Path::new(name), &mut sources, Purpose::Game).and_then(|file| Deck::parse(file, &sources));
            return match read {
                Ok(deck) => Ok((deck, Some(sources))),
                Err(finding) => Err(vec![project::placed_in_words(finding, &sources)]),
            };
        }
        let known: Vec<_> = self.game.decks.iter().map(|deck| deck.file.clone()).collect();
        let finding = Diagnostic::global("E0846").with("name", name).suggest(name, known.iter().map(String::as_str));
        Err(vec![if known.is_empty() { finding } else { finding.with("known", known.join(", ")) }])
    }
}

/// Loads a game to be played: the named one, else the only one of `--rules`, else the project's first.
///
/// # Errors
/// The exit code, if the game cannot be played. The reason has been shown.
pub(crate) fn load(context: &Context, game: Option<&str>) -> Result<Loaded, Exit> {
    let (loaded, found) = load_with_findings(context, game)?;
    if found.iter().any(|finding| finding.severity == Severity::Error) {
        context.complain(&found, &loaded.sources);
        return Err(could_not_run(context, &[Diagnostic::global("E0847")], &loaded.sources));
    }
    Ok(loaded)
}

/// Loads a game: the named one, else the only one of `--rules`, else the project's first. The game may have errors. Gives the findings too.
///
/// # Errors
/// The exit code, if no game has this name. The reason has been shown.
pub(crate) fn load_with_findings(context: &Context, game: Option<&str>) -> Result<(Loaded, Vec<Diagnostic>), Exit> {
    let project = project_here(context)?;
    let name = name_of(context, game, project.as_ref()).ok_or_else(|| {
        let no_name = || Diagnostic::global("E0843").with("known", embedded_games().join(", "));
        let finding = context.rules.as_deref().and_then(unread_rules).unwrap_or_else(no_name);
        could_not_run(context, &[finding], &Sources::default())
    })?;
    let (name, context) = &page::named(&name, context);
    let (game, found) = project::load(name, &places(context), project.as_ref())
        .map_err(|finding| could_not_run(context, &[finding], &Sources::default()))?;
    say_origin(&game, context);
    Ok((Loaded { program: game.program.clone(), sources: game.sources.clone(), on: context.on, game: ManuallyDrop::new(game) }, found))
}

fn could_not_run(context: &Context, findings: &[Diagnostic], sources: &Sources) -> Exit {
    context.complain(findings, sources);
    Exit::CouldNotRun
}

fn name_of(context: &Context, game: Option<&str>, project: Option<&Project>) -> Option<String> {
    let named = game.map(str::to_owned);
    named.or_else(|| context.rules.as_deref().and_then(game_in)).or_else(|| project.and_then(|project| project.games.first().cloned()))
}

/// The line of a match with its requirements, or with its joining members (`joins`), in one line.
#[must_use]
pub(crate) fn line_of_match(map: &SourceMap, sources: &Sources, of: MatchId, joins: bool) -> String {
    let text = map.line_of_match(of, joins).map_or("", |span| sources.text(span));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The folders from the command line.
#[must_use]
pub(crate) fn places(context: &Context) -> Places {
    Places { rules: context.rules.clone(), cards: context.cards.clone(), on: context.on }
}

/// The project around the current folder. Its folder is written as short as possible.
///
/// # Errors
/// The exit code, if its file cannot be read. The reason has been shown.
pub(crate) fn project_here(context: &Context) -> Result<Option<Project>, Exit> {
    let found = project::find(Path::new(".")).map_err(|finding| could_not_run(context, &[finding], &Sources::default()))?;
    Ok(found.map(|project| Project { folder: from_here(&project.folder), ..project }))
}

/// A folder above the current one, written as `../..`; the current folder is written as nothing.
fn from_here(folder: &Path) -> PathBuf {
    let Ok(here) = std::path::absolute(".") else { return folder.to_path_buf() };
    match here.strip_prefix(folder) {
        Ok(below) => below.components().filter(|part| matches!(part, Component::Normal(_))).map(|_| "..").collect(),
        Err(_) => folder.to_path_buf(),
    }
}

/// The game that the rules in a folder declare.
#[must_use]
pub(crate) fn game_in(folder: &Path) -> Option<String> {
    let texts = rules_in(folder)?.into_iter().filter_map(|path| bytes(&path, Purpose::Game).ok());
    texts.into_iter().find_map(|bytes| declared(&String::from_utf8_lossy(&bytes), "game"))
}

/// The finding for a rules file in a folder that cannot be read, so that nobody knows which game the folder has.
#[must_use]
pub(crate) fn unread_rules(folder: &Path) -> Option<Diagnostic> {
    rules_in(folder)?.into_iter().find_map(|path| bytes(&path, Purpose::Game).err())
}

fn rules_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let paths = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut rules: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rules")).collect();
    rules.sort();
    Some(rules)
}

/// The name after a word that begins a line: `game NAME`, `cards NAME`.
#[must_use]
pub(crate) fn declared(text: &str, word: &str) -> Option<String> {
    let mut rest = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix([' ', '\u{3000}']));
    let name = rest.next()?.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next()?;
    Some(name.to_owned()).filter(|name| !name.is_empty())
}

/// Prints on standard error where rules and cards came from.
pub(crate) fn say_origin(game: &Game, context: &Context) {
    for (what, from) in [("start.rules", &game.rules_from), ("start.cards", &game.cards_from)] {
        let from = match from {
            Taken::Named(folder) | Taken::Project(folder) => folder.display().to_string(),
            Taken::Embedded(_) => context.say("start.embedded", &[]),
            Taken::Nowhere => continue,
        };
        let what = context.say(what, &[]);
        context.aside(&context.say("start.from", &[("what", what), ("game", game.name.clone()), ("from", from)]));
    }
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn a_declared_name_is_found_without_reading_the_whole_file() {
        assert_eq!(declared("gyoji 1\n-- game x\ngame kings \"王\" {", "game").as_deref(), Some("kings"));
        assert_eq!(declared("gyoji 1\n  game x", "game"), None);
    }
}
