//! `gyoji check [PATHS]`: reports all errors in rules, cards, decks and scenarios, without running anything.
//!
//! | file | does |
//! | --- | --- |
//! | `pool.rs` | counts how many texts of each set of cards can be read |
//! | `guards.rs` | `--explain-guards` |

mod guards;
mod pool;

use super::{Context, Exit};
use crate::shared::context::not_shown;
use crate::shared::{loading, page, paths};
use compile::{check_deck, still_to_do};
use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Severity, Sources};
use lang::syntax::{FileKind, on_readers, parse_rules};
use project::files::{Purpose, bytes};
use project::{self, Deck, Game, Places, Project, embedded_games};
use rustc_hash::FxHashMap;
use scenario::suite::{Files, Suite, game_written};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The arguments of `check`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Files and folders; else the project's.
    pub paths: Vec<PathBuf>,
    /// Most cards whose text may be still to do.
    #[arg(long, value_name = "N")]
    pub(crate) max_todo: Option<usize>,
    /// Say every text back as well.
    #[arg(long)]
    pub back: bool,
    /// Show for each option how the program finds out whether a player can take it.
    #[arg(long)]
    pub(crate) explain_guards: bool,
}

/// The things to check for one game.
#[derive(Debug, Default)]
struct Unit {
    places: Places,
    /// Scenario files with their bytes. They are read early, because the text says which game a file belongs to.
    scenarios: Vec<(PathBuf, Result<Vec<u8>, Diagnostic>)>,
    /// The files whose findings are shown. None: all files.
    asked: Option<BTreeSet<String>>,
}

/// Sums over all games.
#[derive(Debug, Default)]
struct Sums {
    /// The findings that were shown. Games may share files, so several games can have one finding.
    shown: BTreeSet<Shown>,
    files: usize,
    cards: usize,
    errors: usize,
    warnings: usize,
    /// The number of findings that were counted but not shown.
    not_shown: usize,
    /// The number of findings in files that the command does not name.
    elsewhere: usize,
    /// Whether a file that was to be checked cannot be read at all.
    unread: bool,
}

/// A finding: its code, the file, the first and the last byte. Without a place: what the message names.
type Shown = (&'static str, String, u32, u32);

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match check(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn check(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let project = loading::project_here(context)?;
    let could_not_run = |finding: Diagnostic| {
        context.complain(&[finding], &Sources::default());
        Exit::CouldNotRun
    };
    let (mut sums, mut todos) = (Sums::default(), 0);
    let is_named = |game: &str| args.paths.iter().any(|path| path == Path::new(game) && paths::is_game(path, project.as_ref()));
    let units = if args.paths.is_empty() {
        whole(context, project.as_ref()).map_err(could_not_run)?
    } else {
        named(args, project.as_ref(), context, &mut sums).map_err(could_not_run)?
    };
    for (name, mut unit) in units {
        // Scenarios are read while the game loads, because these two take most of the time.
        let first = unit.scenarios.first().map(|(path, _)| path.display().to_string());
        let read = || scenarios(unit.scenarios);
        let named_there = |finding: Diagnostic| match first.filter(|_| finding.code == "E0842") {
            Some(file) => finding.with("place", file),
            None => finding,
        };
        let loaded = project::load_beside(&name, &unit.places, project.as_ref(), read);
        let ((game, found), scenarios) = loaded.map_err(|finding| could_not_run(named_there(finding)))?;
        loading::say_origin(&game, context);
        if let (Some(asked), true) = (&mut unit.asked, is_named(&name)) {
            asked.extend(rules_files(&game));
        }
        let unplayable = unplayable(&found, &game.sources, unit.asked.as_ref());
        let (suite, mut found) = on_readers(|| findings(&game, found, scenarios, (args.back, unit.asked.is_some())));
        found.extend(unplayable);
        let sets = pool::sets(&game, &found);
        pool::show(&sets, unit.asked.as_ref(), context);
        todos += sets.values().map(|set| set.todo).sum::<usize>();
        sums.cards += game.cards.len();
        if args.explain_guards {
            guards::show(&game, context);
        }
        show(&found, &suite.sources, unit.asked.as_ref(), context, &mut sums);
        // The game and its scenarios are not freed: the program ends soon and returns all memory at once. Freeing them piece by piece takes
        // milliseconds.
        std::mem::forget((game, suite));
    }
    if let Some(most) = args.max_todo.filter(|most| todos > *most) {
        context.show(&[Diagnostic::global("E0431").with("count", todos).with("most", most)], &Sources::default());
        sums.errors += 1;
    }
    conclude(&sums, context);
    Ok(match sums.errors {
        _ if sums.unread => Exit::CouldNotRun,
        0 => Exit::Fine,
        _ => Exit::Findings,
    })
}

/// All rules files of a game, with those in folders that the game uses. Other games may share these folders.
fn rules_files(game: &Game) -> impl Iterator<Item = String> {
    let is_rules = |name: &str| paths::kind_of(Path::new(name.trim_matches(['<', '>']))) == Some(FileKind::Rules);
    game.sources.iter().map(|(_, source)| source.name.clone()).filter(move |name| is_rules(name))
}

/// Without paths: the games of `--rules`, or of the project. A project without a list of games has the built-in ones.
fn whole(context: &Context, project: Option<&Project>) -> Result<IndexMap<String, Unit>, Diagnostic> {
    if project.is_none() && context.rules.is_none() {
        return Err(paths::no_project());
    }
    let of_rules = context.rules.as_deref().map(game_of_folder).transpose()?.map(|game| vec![game]);
    let of_project = project.map(|project| project.games.clone()).filter(|games| !games.is_empty());
    let mut names: Vec<String> = of_rules.or(of_project).unwrap_or_else(embedded_games);
    // A game that does not exist comes first. Otherwise its scenarios would be checked with another game, and the many errors would hide
    // the true mistake.
    let exists = |name: &String| {
        let folder = project.map(|project| project.folder.join("rules").join(name));
        context.rules.is_some() || folder.is_some_and(|folder| folder.is_dir()) || embedded_games().contains(name)
    };
    names.sort_by_key(exists);
    let mut units: IndexMap<String, Unit> =
        names.into_iter().map(|name| (name, Unit { places: loading::places(context), ..Unit::default() })).collect();
    if let Some(project) = project {
        let pending = project.pending()?;
        let to_check = |path: &PathBuf| paths::kind_of(path) == Some(FileKind::Scenarios) && !pending.contains(path);
        for path in paths::meant(&[], Some(project))?.into_iter().filter(to_check) {
            let bytes = bytes(&path, Purpose::Game);
            let game = bytes.as_ref().ok().and_then(|bytes| game_written(bytes));
            // `--rules` asks for one game, so scenarios of the project's other games are left out.
            if context.rules.is_some() && game.as_ref().is_some_and(|game| !units.contains_key(game)) {
                continue;
            }
            // A file that names another game is checked with that game, or reported if no such game exists. A file without a game is
            // reported with the first game.
            let other = || Unit { places: loading::places(context), ..Unit::default() };
            let unit = match game {
                Some(game) => Some(units.entry(game).or_insert_with(other)),
                None => units.first_mut().map(|(_, unit)| unit),
            };
            if let Some(unit) = unit {
                unit.scenarios.push((path, bytes));
            }
        }
    }
    Ok(units)
}

/// The game whose rules are in a named folder.
fn game_of_folder(folder: &Path) -> Result<String, Diagnostic> {
    let no_game = || Diagnostic::global("E0842").with("name", folder.display()).with("known", embedded_games().join(", "));
    loading::game_in(folder).ok_or_else(|| loading::unread_rules(folder).unwrap_or_else(no_game))
}

/// With paths: the games of the named files. Only findings in these files are shown.
fn named(args: &Args, project: Option<&Project>, context: &Context, sums: &mut Sums) -> Result<IndexMap<String, Unit>, Diagnostic> {
    let mut units: IndexMap<String, Unit> = IndexMap::new();
    // Kept for each folder, because many files are in one folder.
    let mut games: FxHashMap<PathBuf, Option<String>> = FxHashMap::default();
    let mut game_in = |folder: &Path| games.entry(folder.to_path_buf()).or_insert_with_key(|folder| loading::game_in(folder)).clone();
    for path in paths::meant(&args.paths, project)?.into_iter().map(paths::placed) {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let kind = paths::kind_of(&path);
        let bytes = if matches!(kind, Some(FileKind::Cards | FileKind::Scenarios)) { bytes(&path, Purpose::Game) } else { Ok(Vec::new()) };
        let written = bytes.as_deref().unwrap_or_default();
        let game = match kind {
            Some(FileKind::Rules) => game_in(&folder),
            Some(FileKind::Cards) => loading::declared(&String::from_utf8_lossy(written), "cards"),
            Some(FileKind::Scenarios) => game_written(written),
            None if paths::is_deck(&path) => folder.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()),
            None => return Err(Diagnostic::global("E0876").with("file", path.display())),
        };
        let Some(game) = game else {
            alone(&path, context, sums);
            continue;
        };
        let name = game.clone();
        let unit = units.entry(game).or_default();
        match kind {
            Some(FileKind::Rules) => unit.places.rules = Some(folder),
            Some(FileKind::Cards) => unit.places.cards = Some(folder),
            Some(FileKind::Scenarios) => {
                if game_in(page::folder(&path)).is_some_and(|game| game == name) {
                    unit.places.rules = Some(page::folder(&path).to_path_buf());
                }
                unit.scenarios.push((path.clone(), bytes));
            }
            None => unit.places.cards = folder.parent().map(Path::to_path_buf),
        }
        unit.asked.get_or_insert_default().insert(path.display().to_string());
    }
    for unit in units.values_mut() {
        // The rulebook's index does not name its game. It is checked if the folder with the index is named.
        let index = unit.places.rules.as_ref().map(|folder| folder.join("rulebook.tsv")).filter(|index| index.is_file());
        let is_named =
            |index: &PathBuf| args.paths.iter().flat_map(|path| paths::of_game(path, project)).any(|path| index.starts_with(path));
        if let (Some(index), Some(asked)) = (index.filter(is_named), unit.asked.as_mut()) {
            asked.insert(index.display().to_string());
        }
        // A small game may have its cards beside its rules. Then they are already read from there.
        if unit.places.rules == unit.places.cards {
            unit.places.cards = None;
        }
        unit.places.rules = context.rules.clone().or_else(|| unit.places.rules.take());
        unit.places.cards = context.cards.clone().or_else(|| unit.places.cards.take());
    }
    Ok(units)
}

/// Checks a file that belongs to no game: the file is only read.
fn alone(path: &Path, context: &Context, sums: &mut Sums) {
    let mut sources = Sources::default();
    let found = match crate::shared::files::read(path, &mut sources, Purpose::Game) {
        Ok(file) => match (paths::kind_of(path), sources.get(file)) {
            (Some(FileKind::Cards), Some(source)) => lang::syntax::parse_cards(file, &source.text).1,
            (Some(FileKind::Scenarios), Some(source)) => lang::syntax::parse_scenarios(file, &source.text).1,
            (_, Some(source)) => parse_rules(file, &source.text).1,
            (_, None) => Vec::new(),
        },
        Err(finding) => vec![finding],
    };
    show(&found, &sources, None, context, sums);
}

/// The scenario files that can be read, and findings about the others.
fn scenarios(written: Vec<(PathBuf, Result<Vec<u8>, Diagnostic>)>) -> (Files, Vec<Diagnostic>) {
    let (mut files, mut found) = (Vec::new(), Vec::new());
    for (path, bytes) in written {
        match bytes {
            Ok(bytes) => files.push((path.display().to_string(), bytes)),
            Err(finding) => found.push(finding),
        }
    }
    (Files::read(&files), found)
}

/// All findings in a game's files, decks and scenarios.
fn findings(
    game: &Game,
    mut found: Vec<Diagnostic>,
    (files, unread): (Files, Vec<Diagnostic>),
    (back, laid_out): (bool, bool),
) -> (Suite, Vec<Diagnostic>) {
    for deck in &game.decks {
        found.extend(of_deck(deck, game));
    }
    // A deck may name a card that cannot be read.
    found = project::without_what_follows(found, &game.sources);
    let game_is_whole = !found.iter().any(|finding| finding.severity == Severity::Error);
    found.extend(unread);
    let suite = Suite::with_files(game, files);
    found.extend(suite.scenarios.iter().filter_map(scenario::asserts_nothing));
    // If a declaration is broken, its uses are not checked, because each would be reported again.
    let names = || match game_is_whole {
        true => suite.unknown_names(laid_out).into_iter().chain(suite.wrong_default()).collect(),
        false => Vec::new(),
    };
    // These warnings need the scenarios, because cards of scenarios may use things that no other card uses.
    let unused = || if game_is_whole { game.compiler.warnings(&suite.sources, &game.own) } else { Vec::new() };
    found.extend(if game_is_whole { suite.warnings_of_additions(laid_out) } else { Vec::new() });
    let (names, (unused, citations)) = rayon::join(names, || rayon::join(unused, || suite.wrong_citations()));
    found.extend(names.into_iter().chain(unused));
    if game_is_whole {
        let cards = || game.cards.iter().map(|card| (&card.decl, card.abilities.as_slice()));
        found.extend(game.compiler.unprinted(cards()));
        found.extend(game.compiler.nobodys_texts(cards()));
        if !game.decks.is_empty() {
            found.extend(game.compiler.unshuffled(&game.own));
        }
    }
    if game_is_whole && back {
        found.extend(not_said_back(game));
    }
    found.extend(idle_indexes(game));
    found.extend(citations);
    found.extend(suite.found.iter().cloned());
    (suite, found)
}

/// `E0554`: a rulebook's index in a folder that the game uses. Only the index beside the game's own rules is read.
fn idle_indexes(game: &Game) -> Vec<Diagnostic> {
    let used = game.sources.iter().filter(|(file, _)| !game.own.contains(file)).map(|(_, source)| Path::new(&source.name));
    let folders: BTreeSet<&Path> = used.filter(|path| paths::kind_of(path) == Some(FileKind::Rules)).filter_map(Path::parent).collect();
    let indexes = folders.into_iter().map(|folder| folder.join("rulebook.tsv")).filter(|index| index.is_file());
    indexes.map(|index| Diagnostic::warning(Diagnostic::global("E0554").with("file", index.display()))).collect()
}

/// Findings for texts whose scripts the wording cannot print back.
fn not_said_back(game: &Game) -> Vec<Diagnostic> {
    let back = game.back();
    let texts =
        game.cards.iter().filter(|card| card.decl.todos.is_empty()).flat_map(|card| card.decl.texts.iter().map(|text| (&card.decl, text)));
    texts.filter_map(|(card, text)| game.wording.verdict(&back, text, &game.wording.read_of(text, card)).finding(text)).collect()
}

/// A deck's findings, each at its row.
fn of_deck(deck: &Deck, game: &Game) -> Vec<Diagnostic> {
    match deck.card_ids(&game.compiler) {
        Ok(cards) => {
            // A card with a text still to do is only a warning here. The deck is refused when somebody plays with it.
            let to_do = still_to_do(&game.program, &cards).into_iter().map(Diagnostic::warning);
            let nowhere = || Diagnostic::warning(Diagnostic::global("E0882").with("name", &deck.name));
            let nowhere = game.program.deck_zone.is_none().then(nowhere);
            check_deck(&game.program, &cards).into_iter().chain(to_do).chain(nowhere).map(|finding| deck.placed(finding)).collect()
        }
        Err(found) => found,
    }
}

/// `E0888`, once, if a rules or card file that the command does not name has errors. Then nobody can play the game, and the names in its
/// scenarios are not checked.
fn unplayable(found: &[Diagnostic], sources: &Sources, asked: Option<&BTreeSet<String>>) -> Option<Diagnostic> {
    let asked = asked?;
    let stops = |finding: &&Diagnostic| {
        let name = finding.span.and_then(|span| sources.get(span.file)).map_or("", |source| source.name.as_str());
        let kind = paths::kind_of(Path::new(name.trim_matches(['<', '>'])));
        finding.severity == Severity::Error && matches!(kind, Some(FileKind::Rules | FileKind::Cards)) && !asked.contains(name)
    };
    let span = found.iter().find(stops)?.span?;
    let (line, column) = sources.line_column(span);
    let place = format!("{}:{line}:{column}", sources.get(span.file).map_or("", |source| source.name.as_str()));
    Some(Diagnostic::global("E0888").with("count", found.iter().filter(stops).count()).with("place", place))
}

fn show(found: &[Diagnostic], sources: &Sources, asked: Option<&BTreeSet<String>>, context: &Context, sums: &mut Sums) {
    let name_of = |finding: &Diagnostic| finding.span.and_then(|span| sources.get(span.file)).map(|source| source.name.as_str());
    let is_asked = |finding: &&Diagnostic| match (asked, name_of(finding)) {
        (Some(asked), Some(name)) => asked.contains(name),
        _ => true,
    };
    let (all, found) = (found.len(), found.iter().filter(is_asked).cloned().collect::<Vec<Diagnostic>>());
    sums.elsewhere += all - found.len();
    let mut is_new = |finding: &Diagnostic| {
        let (name, start, end) = match finding.span.zip(name_of(finding)) {
            Some((span, name)) => (name.to_owned(), span.start, span.end),
            None => (format!("{:?}", finding.args), 0, 0),
        };
        sums.shown.insert((finding.code, name, start, end))
    };
    let found: Vec<Diagnostic> = found.into_iter().filter(|finding| is_new(finding)).collect();
    context.show(&found, sources);
    sums.unread |= found.iter().any(Diagnostic::is_no_file);
    sums.not_shown += not_shown(&found);
    sums.files += asked.map_or_else(|| sources.iter().count(), BTreeSet::len);
    sums.errors += found.iter().filter(|finding| finding.severity == Severity::Error).count();
    sums.warnings += found.iter().filter(|finding| finding.severity == Severity::Warning).count();
}

fn conclude(sums: &Sums, context: &Context) {
    let object = || {
        serde_json::json!({
            "kind": "check", "files": sums.files, "cards": sums.cards, "errors": sums.errors, "warnings": sums.warnings,
            "not_shown": sums.not_shown, "elsewhere": sums.elsewhere,
        })
    };
    let key = if sums.errors + sums.warnings == 0 { "check.fine" } else { "check.found" };
    let args = [
        ("files", sums.files.to_string()),
        ("cards", sums.cards.to_string()),
        ("errors", sums.errors.to_string()),
        ("warnings", sums.warnings.to_string()),
    ];
    context.result(object, || {
        context.aside(&context.say(key, &args));
        if sums.elsewhere > 0 {
            context.aside(&context.say("check.elsewhere", &[("elsewhere", sums.elsewhere.to_string())]));
        }
    });
}
