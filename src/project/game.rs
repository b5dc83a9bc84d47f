//! Loads a game from its files: parsing, compiling, and reading the cards by the game's wording.

use super::deck::Deck;
use super::embedded::{SHARED, Tree, embedded_games};
use super::folder::Project;
use super::hash::fnv1a;
use super::reading::{self, Places, Taken};
use super::used;
use compile::{Compiler, SourceMap};
use engine::ids::CardId;
use engine::program::Program;
use lang::diagnostic::{Diagnostic, FileId, Severity, Sources, Span};
use lang::syntax::ast::{Ability, CardDecl, Date, File, RulesFile};
use lang::syntax::{on_readers, parse_cards};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;
use wording::{Back, Phrase, Wording, fill_takes, unread};

/// The most unreadable texts for which a suggestion is searched.
const MOST_MEANT: usize = 10;

/// A card with the reading of its text.
#[derive(Clone, Debug)]
pub struct LoadedCard {
    /// The card's number in the program.
    pub id: CardId,
    /// The card's declaration.
    pub decl: CardDecl,
    /// The card's abilities, from its text or its script.
    pub abilities: Vec<Ability>,
    /// The phrases of its printed text.
    pub phrases: Vec<Phrase>,
}

/// A game, ready to be played, tested and explained.
#[derive(Clone, Debug)]
pub struct Game {
    /// The game's name.
    pub name: String,
    /// The game's program.
    pub program: Arc<Program>,
    /// The compiler with all cards. Scenarios add to a copy of it.
    pub compiler: Compiler,
    /// The places of the program's parts in the sources.
    pub map: SourceMap,
    /// All files.
    pub sources: Sources,
    /// The trees of the rules files.
    pub files: Arc<Vec<RulesFile>>,
    /// The game's own rules files. The others are modules that it uses.
    pub own: Vec<FileId>,
    /// The game's wording, which reads printed texts.
    pub wording: Arc<Wording>,
    /// Whether texts that cannot be read are findings. After an error in the rules or the wording, nobody can tell.
    pub texts_read: bool,
    /// The game's cards, in the order of their numbers in the program.
    pub cards: Vec<LoadedCard>,
    /// The game's decks, in the order of their files' names.
    pub decks: Vec<Deck>,
    /// The index of its rulebook (`rulebook.tsv` beside the rules), if there is one.
    pub index: Option<FileId>,
    /// Where the rules came from.
    pub rules_from: Taken,
    /// Where the cards came from.
    pub cards_from: Taken,
}

impl Game {
    /// The wording, prepared to print scripts as this game's cards do.
    #[must_use]
    pub fn back(&self) -> Back<'_> {
        Back::printing_as(&self.wording, self.cards.iter().flat_map(|card| &card.phrases))
    }
}

/// Loads a game. All findings about its files come with it; a game with errors should not be played.
///
/// # Errors
/// `E0842` if no game has this name.
pub fn load(game: &str, places: &Places, project: Option<&Project>) -> Result<(Game, Vec<Diagnostic>), Diagnostic> {
    load_beside(game, places, project, || ()).map(|(loaded, ())| loaded)
}

/// Loads a game, and runs `beside` on the other cores as soon as the rules are read. Reading the rules uses every core. The later steps
/// wait for each other, so they leave cores free.
///
/// # Errors
/// `E0842` if there is no such game. Then `beside` does not run.
pub fn load_beside<R: Send>(
    game: &str,
    places: &Places,
    project: Option<&Project>,
    beside: impl FnOnce() -> R + Send,
) -> Result<((Game, Vec<Diagnostic>), R), Diagnostic> {
    on_readers(|| {
        let rules = rules_of(game, places, project)?;
        Ok(rayon::join(|| with_cards(game, places, rules), beside))
    })
}

/// A game's rules files, read.
struct Rules {
    /// Where the rules came from.
    from: Taken,
    /// Where the game's cards come from.
    cards_from: Taken,
    sources: Sources,
    /// The trees of the rules files.
    files: Vec<RulesFile>,
    /// The game's own rules files.
    own: Vec<FileId>,
    found: Vec<Diagnostic>,
}

/// The games that a project can name: those that are built in, those of its list, and the folders below `rules` that have rules. A game that
/// cannot be found is left out.
fn known_games(missing: &str, project: Option<&Project>) -> Vec<String> {
    let mut known = embedded_games();
    if let Some(project) = project {
        known.extend(project.games.iter().filter(|name| *name != missing).cloned());
        known.extend(reading::folders_with_rules(&project.folder.join("rules")).into_iter().filter(|name| name != SHARED));
    }
    known.sort();
    known.dedup();
    known
}

fn rules_of(game: &str, places: &Places, project: Option<&Project>) -> Result<Rules, Diagnostic> {
    let from = reading::place(Tree::Rules, game, places.rules.as_ref(), project);
    if from == Taken::Nowhere {
        let known = known_games(game, project);
        let finding = Diagnostic::global("E0842").with("name", game).with("known", known.join(", "));
        let finding = finding.suggest(game, known.iter().map(String::as_str));
        return Err(match project.and_then(|project| project.place_of(game)) {
            Some(place) => finding.with("place", place),
            None => finding,
        });
    }
    let cards_from = reading::place(Tree::Cards, game, places.cards.as_ref(), project);
    let (mut sources, mut found) = (Sources::default(), Vec::new());
    let (files, own) = used::rules(&from, project, &mut sources, &mut found);
    Ok(Rules { from, cards_from, sources, files, own, found })
}

/// The whole game of these rules: their program, and the cards read by their wording.
fn with_cards(game: &str, places: &Places, rules: Rules) -> (Game, Vec<Diagnostic>) {
    let Rules { from: rules_from, cards_from, mut sources, mut files, own, mut found } = rules;
    fill_takes(&mut files);
    // If a declaration cannot be read, unreadable texts are not reported: the texts may need that declaration.
    let torn = found.iter().any(|finding| finding.severity == Severity::Error);
    let mut unread = Vec::new();
    let mut card_files = reading::read(Tree::Cards, &cards_from, "", "cards", &mut sources, &mut unread);
    // A small game may have its cards beside its rules.
    if rules_from != cards_from {
        card_files.extend(reading::read(Tree::Rules, &rules_from, "", "cards", &mut sources, &mut unread));
    }
    let rest = || rayon::join(|| Compiler::new(&files), || trees(&card_files, &sources, parse_cards));
    let ((wording, wrong), ((mut compiler, mut more), trees)) = rayon::join(|| Wording::new(&files), rest);
    in_own_files(&mut more, &own);
    let of_rules = more.clone();
    found.extend(more);
    let readable = !torn && wrong.is_empty();
    found.extend(wrong);
    found.extend(unread);
    let mut cards = Vec::new();
    for read in trees {
        add_cards((read, places.on), game, (&wording, readable), &mut compiler, &mut cards, &mut found);
    }
    found.extend(numbers_twice(&cards));
    if readable && !compile::has_errors(&of_rules) {
        let unknown = compiler.unknown_in_scripts(&wording.mentions());
        // A finding is new if no card has the same finding at the same place.
        let new = |finding: &Diagnostic| !found.iter().any(|known| known.code == finding.code && known.span == finding.span);
        let unknown: Vec<Diagnostic> = unknown.into_iter().filter(new).collect();
        found.extend(unknown);
    }
    let decks = decks(&rules_from, &cards_from, &mut sources, &mut found);
    found.extend(compiler.missing_cards(None));
    found = super::unread::without_what_follows(found, &sources);
    found = super::forgotten::without_what_std_has(found, &sources);
    found = super::forgotten::with_modules(found, &sources);
    compiler.set_hash(hash(&sources, places.on));
    // The index is not part of the program, so the hash does not cover it.
    let index = reading::read(Tree::Rules, &rules_from, "", "tsv", &mut sources, &mut found).into_iter().next();
    let made = Game {
        name: game.to_owned(),
        program: compiler.finished(),
        map: compiler.map().clone(),
        compiler,
        sources,
        files: Arc::new(files),
        own,
        wording: Arc::new(wording),
        texts_read: readable,
        cards,
        decks,
        index,
        rules_from,
        cards_from,
    };
    (made, found)
}

/// Places the finding that no `game` is declared at the game's own first file, also if this file is empty. The used modules are not the
/// cause.
fn in_own_files(found: &mut [Diagnostic], own: &[FileId]) {
    for finding in found.iter_mut().filter(|finding| finding.code == "E0209") {
        if finding.span.is_none_or(|span| !own.contains(&span.file)) {
            finding.span = own.first().map(|file| Span { file: *file, start: 0, end: 0 });
        }
    }
}

/// Reads files on all cores, because reading takes most of the time before a game begins.
pub(super) fn trees<T: Send>(
    files: &[FileId],
    sources: &Sources,
    parse: impl Fn(FileId, &str) -> (File<T>, Vec<Diagnostic>) + Sync,
) -> Vec<(File<T>, Vec<Diagnostic>)> {
    let text = |file: FileId| sources.get(file).map_or("", |source| source.text.as_str());
    // The largest files are read first, so that no large file is left for one core at the end. The list is split in two halves, and cores
    // begin in both.
    let mut ranked: Vec<(usize, FileId)> = (0..).zip(files.iter().copied()).collect();
    ranked.sort_by_key(|(_, file)| Reverse(text(*file).len()));
    let half = |odd: usize| ranked.iter().skip(odd).step_by(2).copied();
    let order: Vec<(usize, FileId)> = half(0).chain(half(1)).collect();
    let read = |(at, file): (usize, FileId)| (at, parse(file, text(file)));
    let mut read: Vec<_> = on_readers(|| order.into_par_iter().with_max_len(1).map(read).collect());
    read.sort_by_key(|(at, _)| *at);
    read.into_iter().map(|(_, read)| read).collect()
}

pub(super) fn kept(read: Vec<(RulesFile, Vec<Diagnostic>)>, found: &mut Vec<Diagnostic>) -> Vec<RulesFile> {
    let keep = |(tree, more)| {
        found.extend::<Vec<Diagnostic>>(more);
        tree
    };
    read.into_iter().map(keep).collect()
}

fn add_cards(
    ((mut tree, more), on): ((File<CardDecl>, Vec<Diagnostic>), Option<Date>),
    game: &str,
    (wording, readable): (&Wording, bool),
    compiler: &mut Compiler,
    cards: &mut Vec<LoadedCard>,
    found: &mut Vec<Diagnostic>,
) {
    found.extend(more);
    if on.is_some() {
        tree.items = tree.items.into_iter().map(|decl| decl.as_of(on)).collect();
    }
    if let Some(named) = tree.game.as_ref().filter(|named| named.text != game) {
        found.push(Diagnostic::error("E0848", named.span).with("found", &named.text).with("wanted", game));
    }
    // If one text of a card is still to do, none of its texts is read. Otherwise half a card would look like a whole one.
    let texts = |decl: &CardDecl| if decl.todos.is_empty() { decl.texts.clone() } else { Vec::new() };
    let read = |decl: &CardDecl| texts(decl).iter().map(|text| wording.read_of(text, decl)).collect();
    let readings: Vec<Vec<_>> = on_readers(|| tree.items.par_iter().with_max_len(1).map(read).collect());
    for (decl, readings) in tree.items.into_iter().zip(readings) {
        let mut abilities = Vec::new();
        let mut phrases = Vec::new();
        let mut needed = FxHashSet::default();
        for (text, reading) in texts(&decl).iter().zip(readings) {
            needed.extend(reading.needed);
            if readable {
                for finding in reading.diagnostics {
                    // Searching for a suggestion takes many readings of the text.
                    let uncovered = found.iter().filter(|known| known.code == finding.code).count();
                    found.push(if uncovered < MOST_MEANT { wording.with_phrase(text, finding) } else { finding });
                }
            }
            // One text is enough to show the problem of a zone.
            let new = |finding: &Diagnostic| !found.iter().any(|known| known.code == finding.code && known.span == finding.span);
            let sent: Vec<Diagnostic> = compiler.sent_to_guessed(&reading.guessed).into_iter().filter(new).collect();
            found.extend(sent);
            found.extend(Compiler::asks_about_the_last(&reading.abilities, text.span));
            abilities.extend(reading.abilities);
            phrases.extend(reading.phrases);
        }
        if decl.todos.is_empty() {
            let idle = decl.unsaid.iter().filter(|(word, _)| !needed.contains(&word.span));
            found.extend(idle.map(|(word, _)| Diagnostic::error("E0457", word.span).with("word", &word.text)));
        }
        // If a card has a text and a script, the text counts, and the script is compared with it.
        if !decl.todos.is_empty() {
            found.extend(script_of_todo(&decl));
            if readable {
                found.extend(no_longer_to_do(&decl, wording));
            }
        } else if decl.texts.is_empty() {
            abilities = decl.script.clone().unwrap_or_default();
        } else if let Some(script) = &decl.script {
            found.extend(compiler.differs(&decl, &abilities, script));
        }
        let (id, more) = compiler.add_card(&decl, &abilities);
        for finding in more.into_iter().map(|finding| unread(finding, &decl.texts)) {
            match wording.at_its_template(&finding, &phrases) {
                // A mistake in a template occurs in every card that prints the template. It is reported once, at the template.
                Some(named) => found.extend((!found.iter().any(|known| is_same_mistake(known, &named))).then_some(named)),
                None => found.push(finding),
            }
        }
        cards.push(LoadedCard { id, decl, abilities, phrases });
    }
}

/// Whether two findings about printed texts come from one mistake in a template's script.
fn is_same_mistake(one: &Diagnostic, other: &Diagnostic) -> bool {
    let template = |finding: &Diagnostic| match finding.notes.last() {
        Some((place, "template")) => Some(*place),
        Some((_, "printed")) => finding.span,
        _ => None,
    };
    one.code == other.code && one.args == other.args && template(other).is_some() && template(one) == template(other)
}

/// `E0432` for a script beside a text that is still to do. Nobody can check whether the script means the same as the text.
#[must_use]
pub fn script_of_todo(card: &CardDecl) -> Option<Diagnostic> {
    let (first, _) = (card.todos.first()?, card.script.as_ref()?);
    Some(Diagnostic::error("E0432", first.span).with("number", &card.number.text))
}

/// `E0439`, a warning: every text of a card that is still to do can be read now.
fn no_longer_to_do(card: &CardDecl, wording: &Wording) -> Option<Diagnostic> {
    let first = card.todos.first()?;
    let all_read = card.texts.iter().all(|text| wording.read_of(text, card).diagnostics.is_empty());
    all_read.then(|| Diagnostic::warning(Diagnostic::error("E0439", first.span).with("number", &card.number.text)))
}

/// `E0435` for a printing's number that another card or printing has.
fn numbers_twice(cards: &[LoadedCard]) -> Vec<Diagnostic> {
    let mut first: FxHashMap<&str, (CardId, Span)> =
        cards.iter().map(|card| (card.decl.number.text.as_str(), (card.id, card.decl.number.span))).collect();
    let mut found = Vec::new();
    for card in cards {
        let mut own: Vec<&str> = Vec::new();
        for printing in &card.decl.printings {
            let number = printing.number.text.as_str();
            match first.get(number) {
                Some((of, span)) if *of != card.id || own.contains(&number) => {
                    found.push(Diagnostic::error("E0435", printing.number.span).with("number", number).note(*span, "first"));
                }
                _ => _ = first.insert(number, (card.id, printing.number.span)),
            }
            own.push(number);
        }
    }
    found
}

/// The decks beside the cards. A small game has them beside its rules.
fn decks(rules: &Taken, cards: &Taken, sources: &mut Sources, found: &mut Vec<Diagnostic>) -> Vec<Deck> {
    let mut files = reading::read(Tree::Cards, cards, "decks", "ron", sources, found);
    if rules != cards {
        files.extend(reading::read(Tree::Rules, rules, "decks", "ron", sources, found));
    }
    let mut decks = Vec::new();
    for file in files {
        match Deck::parse(file, sources) {
            Ok(deck) => decks.push(deck),
            Err(finding) => found.push(finding),
        }
    }
    decks
}

/// The hash over the names and texts of all files except decks. The folders of files are left out, because they differ from machine to
/// machine.
fn hash(sources: &Sources, on: Option<Date>) -> u64 {
    let day = on.map(|on| on.to_string()).unwrap_or_default();
    let files = sources.iter().filter(|(_, source)| !source.name.trim_end_matches('>').ends_with(".ron"));
    let texts = files.flat_map(|(_, source)| {
        let name = source.name.trim_matches(['<', '>']);
        [name.rsplit(['/', '\\']).next().unwrap_or(name), source.text.as_str()]
    });
    // Another day gives another program. Without a day nothing is added to the hash, so that older saves keep their hash.
    fnv1a(texts.chain((!day.is_empty()).then_some(day.as_str())))
}
