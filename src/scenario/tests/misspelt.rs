//! Every word of a scenario, misspelt once, is reported at its line: with and without a card of its own in the scenario. A run reports it, and
//! so does the check without a run.
//!
//! The scenarios are those of the conformance pages. Of each form that occurs there (the grammar rules around a word) some words are
//! misspelt.

use crate::checks::findings;
use crate::ground::Ground;
use crate::run;
use lang::diagnostic::{Severity, Sources};
use lang::syntax::slots::{Slot, slots};
use lang::syntax::{FileKind, parse_scenarios};
use project::{self, Places, Project};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How many words of one form are misspelt.
const OF_A_FORM: usize = 2;

/// A page: its game, the text of its scenarios.
struct Page {
    ground: Ground,
    sources: Sources,
    text: String,
    name: String,
    /// A card of the game, for a card of the scenario's own.
    card: Option<String>,
}

impl Page {
    fn read(folder: &Path) -> Option<Self> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
        files.sort();
        let path = files.iter().find(|path| path.extension().is_some_and(|ending| ending == "scenarios"))?;
        let text = std::fs::read_to_string(path).unwrap();
        let game = crate::suite::game_of(&text)?;
        let project = Project { folder: Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned(), ..Project::default() };
        let places = Places { rules: Some(folder.to_owned()), cards: None, on: None };
        let (game, _) = project::load(game, &places, Some(&project)).ok()?;
        let card = game.program.cards.rows().first().map(|card| card.number.clone());
        let (ground, _) = Ground::of_game(&game);
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Some(Self { ground, sources: game.sources.clone(), text, name, card })
    }

    /// What is reported when the scenario at this place of the file is read, run and checked. None: it passes.
    fn reported(&self, text: &str, at: usize) -> Option<Reported> {
        let mut sources = self.sources.clone();
        let file = sources.add("page.scenarios", text);
        let (read, found) = parse_scenarios(file, text);
        let line = |place: u32| text.get(..place as usize).map_or(0, |before| before.matches('\n').count());
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
        let mut lines: Vec<usize> =
            errors.filter_map(|finding| finding.span).filter(|span| span.file == file).map(|span| line(span.start)).collect();
        let mut by_check = !lines.is_empty();
        let holds = |span: lang::diagnostic::Span| (span.start as usize) <= at && at < span.end as usize;
        for scenario in read.items.iter().filter(|scenario| holds(scenario.span)) {
            if let Some(failure) = run(&self.ground, scenario, &sources).failure {
                lines.extend(failure.diagnostic.span.filter(|span| span.file == file).map(|span| line(span.start)));
                lines.push(usize::MAX);
            }
            let mut compiler = self.ground.compiler().clone();
            compiler.knows_all_words();
            by_check |= !findings(&self.ground, &mut compiler, scenario, true).is_empty();
        }
        (!lines.is_empty()).then_some(Reported { lines, by_check })
    }
}

/// What is reported about a scenario.
struct Reported {
    /// The lines at which the run reports something.
    lines: Vec<usize>,
    /// Whether the check reports something without a run.
    by_check: bool,
}

/// Whether a word says something that can be wrong. A title, a name that is given here, and an amount are whatever they are.
fn is_examined(slot: &Slot) -> bool {
    let given = ["alias", "any", "card_decl"].iter().any(|rule| slot.is_in(rule));
    let free = slot.rules.len() == 3 && slot.own() == "string";
    !given && !free && slot.own() != "number"
}

/// Whether only a run can show that a word is wrong: a rule of a game without an index, or a text in a function, which takes any text.
fn is_shown_by_a_run(slot: &Slot) -> bool {
    slot.own() == "cite" || slot.is_in("why_value") && slot.own() == "string"
}

/// Whether the scenario expects that its position or its run is an error. Then a second error in the position is no news.
fn expects_an_error(words: &[Slot]) -> bool {
    words.iter().any(|slot| slot.is_in("run_error"))
}

fn misspelt(text: &str, slot: &Slot) -> String {
    let (before, word, after) = (&text[..slot.start], &text[slot.start..slot.end], &text[slot.end..]);
    let word = match slot.own() {
        "string" | "quotation" => {
            let mut signs: Vec<char> = word.chars().collect();
            signs.insert(signs.len() - 1, 'q');
            signs.into_iter().collect()
        }
        "cite" => format!("{word}-99"),
        _ => format!("{word}q"),
    };
    format!("{before}{word}{after}")
}

#[test]
fn every_word_that_is_misspelt_is_reported_at_its_line() {
    let pages = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/kernel");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(pages).unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut slips = Vec::new();
    for page in folders.iter().filter_map(|folder| Page::read(folder)) {
        let scenarios =
            slots(FileKind::Scenarios, &page.text).into_iter().filter(|words| words.first().is_some_and(|slot| slot.is_in("scenario")));
        for (words, card) in scenarios.flat_map(|words| [(words.clone(), None), (words, page.card.clone())]) {
            // A card of the scenario's own, in the line of the scenario's first brace.
            let brace = words.first().and_then(|title| page.text[title.start..].find('{').map(|at| title.start + at + 1)).unwrap();
            let own = card.as_ref().map(|card| format!(" card \"写し\" like \"{card}\" {{ }}")).unwrap_or_default();
            let text = format!("{}{own}{}", &page.text[..brace], &page.text[brace..]);
            let moved = |slot: &Slot| {
                let by = if slot.start >= brace { own.len() } else { 0 };
                Slot { rules: slot.rules.clone(), start: slot.start + by, end: slot.end + by }
            };
            let mut passes = None;
            let in_wrong_position = |slot: &&Slot| slot.is_in("given") && expects_an_error(&words);
            for slot in words.iter().filter(|slot| is_examined(slot) && !in_wrong_position(slot)).map(moved) {
                let form = format!("{}{}", slot.rules.join(" "), if own.is_empty() { "" } else { " (own card)" });
                let count = tried.entry(form.clone()).or_default();
                if *count >= OF_A_FORM || !*passes.get_or_insert_with(|| page.reported(&text, slot.start).is_none()) {
                    continue;
                }
                *count += 1;
                let line = text[..slot.start].matches('\n').count();
                let written = text.lines().nth(line).unwrap_or("").trim();
                let reported = page.reported(&misspelt(&text, &slot), slot.start);
                // Without a word of the language, the grammar waits for a later one. The mistake is reported there.
                let is_name = !slot.own().starts_with("kw_");
                let how = match &reported {
                    None => Some("PASSES"),
                    Some(Reported { lines, .. }) if is_name && !lines.contains(&line) => Some("elsewhere"),
                    Some(Reported { by_check: false, .. }) if !is_shown_by_a_run(&slot) => Some("NOT CHECKED"),
                    Some(_) => None,
                };
                if let Some(how) = how {
                    slips.push(format!("{how}: {}:{} `{}` in {written}\n    {form}", page.name, line + 1, &text[slot.start..slot.end]));
                }
            }
        }
    }
    slips.sort();
    assert!(slips.is_empty(), "{} of {} forms:\n{}", slips.len(), tried.len(), slips.join("\n"));
}
