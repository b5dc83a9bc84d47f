//! The scenarios of one game: reads their files and runs them.
//!
//! Input: a loaded game and the texts of scenario files. Output: verdicts in the order of the files, for any number of threads. Finding the
//! files is the task of `cli/`.

use super::coverage::{unknown_citations, wrong_citations};
use super::ground::Ground;
use crate::checks::citations::citations;
use crate::outcome::verdict::Verdict;
use crate::position::musts::BROKEN;
use compile::Compiler;
use lang::diagnostic::{Diagnostic, FileId, Severity, Sources, Span};
use lang::syntax::ast::{Given, Scenario, Step, Text};
use lang::syntax::{on_readers, parse_scenarios};
use project::Game;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use wording::Pool;

/// A game with its scenarios.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The game that the scenarios run in.
    pub ground: Ground,
    /// The game's files and the scenarios' files.
    pub sources: Sources,
    /// The scenarios, in the order of their files.
    pub scenarios: Vec<Scenario>,
    /// Findings about the scenario files and the rulebook's index.
    pub found: Vec<Diagnostic>,
    /// The game's own files.
    of_game: Vec<FileId>,
}

/// Scenario files that are read before their game is loaded.
#[derive(Clone, Debug, Default)]
pub struct Files {
    sources: Sources,
    read: Read,
}

/// The contents of scenario files, in order.
#[derive(Clone, Debug, Default)]
struct Read {
    scenarios: Vec<Scenario>,
    found: Vec<Diagnostic>,
}

impl Files {
    /// Reads files with their names, on all cores.
    #[must_use]
    pub fn read(files: &[(String, Vec<u8>)]) -> Self {
        let mut sources = Sources::beside_others();
        let read = Self::read_into(&mut sources, files);
        Self { sources, read }
    }

    fn read_into(sources: &mut Sources, files: &[(String, Vec<u8>)]) -> Read {
        let (mut added, mut refused) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            match sources.add_bytes(name, bytes) {
                Ok(file) => added.push(file),
                Err(finding) => refused.push(finding),
            }
        }
        let text = |file: FileId| sources.get(file).map_or("", |source| &source.text);
        let files: Vec<_> = on_readers(|| added.par_iter().with_max_len(1).map(|file| parse_scenarios(*file, text(*file))).collect());
        let mut read = Read::default();
        for (scenarios, found) in files {
            read.found.extend(titles_twice(&scenarios.items));
            read.scenarios.extend(scenarios.items);
            read.found.extend(found);
        }
        read.found.extend(refused);
        read
    }
}

/// `E0587` for two scenarios of one file with the same title.
fn titles_twice(scenarios: &[Scenario]) -> Vec<Diagnostic> {
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    let mut found = Vec::new();
    for title in scenarios.iter().map(|scenario| &scenario.title) {
        match first.entry(&title.text) {
            Entry::Occupied(known) => {
                found.push(Diagnostic::error("E0587", title.span).with("title", &title.text).note(*known.get(), "first"));
            }
            Entry::Vacant(free) => _ = free.insert(title.span),
        }
    }
    found
}

impl Suite {
    /// A game's suite, still without scenarios.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let (ground, found) = Ground::of_game(game);
        let of_game = game.sources.iter().map(|(file, _)| file).collect();
        Self { ground, sources: game.sources.clone(), scenarios: Vec::new(), found, of_game }
    }

    /// Keeps only the scenarios whose numbers are wanted.
    pub fn leave_only(&mut self, is_wanted: impl Fn(usize) -> bool) {
        let mut at = 0..;
        self.scenarios.retain(|_| at.next().is_some_and(&is_wanted));
    }

    /// Leaves out the scenarios that have an error in their text. What they would show follows from the error.
    pub fn leave_whole(&mut self) {
        let errors = self.found.iter().filter(|finding| finding.severity == Severity::Error).filter_map(|finding| finding.span);
        let places: Vec<Span> = errors.collect();
        let holds = |outer: Span, at: &Span| outer.file == at.file && outer.start <= at.start && at.start < outer.end;
        self.scenarios.retain(|scenario| !places.iter().any(|at| holds(scenario.span, at)));
    }

    /// Adds a file of scenarios.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        self.add_all(&[(name.to_owned(), bytes.to_vec())]);
    }

    /// Adds files with their names, in this order. They are read on all cores.
    pub fn add_all(&mut self, files: &[(String, Vec<u8>)]) {
        let read = Files::read_into(&mut self.sources, files);
        self.keep(read);
    }

    /// A game's suite with scenarios that were read while the game was loaded.
    #[must_use]
    pub fn with_files(game: &Game, files: Files) -> Self {
        let mut suite = Self::new(game);
        let Files { sources, read } = files;
        suite.sources = suite.sources.with_beside(sources);
        suite.keep(read);
        suite
    }

    fn keep(&mut self, read: Read) {
        self.scenarios.extend(read.scenarios);
        self.found.extend(read.found);
    }

    /// Runs one scenario.
    #[must_use]
    pub fn verdict(&self, scenario: &Scenario) -> Verdict {
        super::run(&self.ground, scenario, &self.sources)
    }

    /// Runs all scenarios.
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.scenarios.par_iter().map(|scenario| self.verdict(scenario)).collect()
    }

    /// The findings about the scenarios: names that nothing declares, and expectations that do not fit. `laid_out`: each scenario is also
    /// prepared as for a run, up to its position. That takes as long as the shorter scenarios.
    #[must_use]
    pub fn unknown_names(&self, laid_out: bool) -> Vec<Diagnostic> {
        let copy = || {
            let mut compiler = self.ground.compiler().clone();
            compiler.knows_all_words();
            compiler
        };
        let findings = |compiler: &mut Compiler, scenario: &Scenario| super::checks::findings(&self.ground, compiler, scenario, laid_out);
        let found: Vec<_> = self.scenarios.par_iter().map_init(copy, findings).collect();
        let mut found: Vec<Diagnostic> = found.into_iter().flatten().collect();
        // A position with a name is looked at in each scenario that uses it. A finding in it is kept once.
        let mut seen = FxHashSet::default();
        found.retain(|finding| {
            seen.insert((finding.code, finding.span.map(|span| (span.file, span.start, span.end)), finding.args.clone()))
        });
        found
    }

    /// The warnings about rules and cards that scenarios add to the game. `texts`: also about cards with printed texts.
    #[must_use]
    pub fn warnings_of_additions(&self, texts: bool) -> Vec<Diagnostic> {
        let has_card = |scenario: &Scenario| scenario.steps.iter().any(|step| matches!(step, Step::Card(_)));
        let pool = self.scenarios.iter().any(has_card).then(|| self.ground.compiler().printed());
        let warnings = |pool: &mut Option<Pool<'_>>, scenario: &Scenario| {
            super::checks::additions::warnings(&self.ground, scenario, (&self.sources, pool.as_mut(), texts))
        };
        let found: Vec<_> = self.scenarios.par_iter().map_init(|| pool.clone(), warnings).collect();
        let mut found: Vec<Diagnostic> = found.into_iter().flatten().collect();
        // A card at the head of a file is a card of each scenario of the file.
        let mut seen = FxHashSet::default();
        found.retain(|finding| {
            seen.insert((finding.code, finding.span.map(|span| (span.file, span.start, span.end)), finding.args.clone()))
        });
        found
    }

    /// What is wrong with the game's `given default`: no scenario can begin there. An empty position is laid out for that. A condition
    /// (`must`) that the empty position breaks is no mistake, because each scenario adds its own cards.
    #[must_use]
    pub fn wrong_default(&self) -> Option<Diagnostic> {
        let span = self.ground.default()?.span;
        let title = Text { text: String::new(), span };
        let given = Step::Given(Box::new(Given { span, ..Given::default() }));
        let empty = Scenario { title, cites: Vec::new(), steps: vec![given], span };
        let found = super::before_play(&self.ground, &empty).err()?.diagnostic;
        let inside = |at: Span| at.file == span.file && at != span && span.start <= at.start && at.end <= span.end;
        (found.code != BROKEN && found.span.is_some_and(inside)).then_some(found)
    }

    /// Every citation in the game's rules and cards, with its place.
    #[must_use]
    pub fn citations(&self) -> Vec<(String, Span)> {
        let sources = self.of_game.iter().filter_map(|file| self.sources.get(*file).map(|source| (*file, source)));
        let written: Vec<_> = sources.filter(|(_, source)| is_written(&source.name)).collect();
        written.par_iter().flat_map_iter(|(file, source)| citations(*file, &source.text)).collect()
    }

    /// Every citation in the scenarios: headers, reasons, orders.
    #[must_use]
    pub(crate) fn citations_in_scenarios(&self) -> Vec<(String, Span)> {
        let others: Vec<_> = self.sources.iter().filter(|(file, _)| !self.of_game.contains(file)).collect();
        others.par_iter().flat_map_iter(|(file, source)| citations(*file, &source.text)).collect()
    }

    /// Findings about citations in the game's files and the scenarios. Empty if the game has no index.
    #[must_use]
    pub fn wrong_citations(&self) -> Vec<Diagnostic> {
        let Some(book) = self.ground.rulebook() else { return Vec::new() };
        let mut found = wrong_citations(book, &self.citations());
        found.extend(unknown_citations(book, &self.citations_in_scenarios()));
        found
    }

    /// The rules cited in the game's files, each with its first place.
    #[must_use]
    pub fn cited(&self) -> BTreeMap<String, Span> {
        let mut cited = BTreeMap::new();
        for (id, span) in self.citations() {
            cited.entry(id).or_insert(span);
        }
        cited
    }
}

/// Whether a file is a rules or cards file (an index or a deck is not).
fn is_written(name: &str) -> bool {
    let name = name.trim_end_matches('>');
    [".rules", ".cards"].iter().any(|ending| name.ends_with(ending))
}

/// The game that a scenario file names in its first lines.
#[must_use]
pub fn game_of(text: &str) -> Option<&str> {
    text.lines().find_map(behind_head).and_then(|rest| rest.split_whitespace().next())
}

/// Why a file of scenarios names no game: the errors in the file.
#[must_use]
pub fn without_game(name: &str, bytes: &[u8]) -> (Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let (file, mut found) = match sources.add_bytes(name, bytes) {
        Ok(file) => (Some(file), parse_scenarios(file, sources.get(file).map_or("", |source| &source.text)).1),
        Err(finding) => (None, vec![finding]),
    };
    found.retain(|finding| finding.severity == Severity::Error);
    if let Some(file) = file.filter(|_| found.is_empty()) {
        found.push(Diagnostic::error("E0116", Span { file, start: 0, end: 0 }));
    }
    (found, sources)
}

/// The game that a scenario file names in its first lines, from the file's bytes. The rest of the file is not looked at.
#[must_use]
pub fn game_written(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(String::from_utf8_lossy);
    let head = lines.find(|line| behind_head(line).is_some())?;
    game_of(&head).map(str::to_owned)
}

fn behind_head(line: &str) -> Option<&str> {
    line.trim_start_matches('\u{FEFF}').strip_prefix("scenarios").filter(|rest| rest.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::{game_of, game_written};

    #[test]
    fn a_file_names_its_game() {
        assert_eq!(game_of("gyoji 1\n\n-- scenarios of x\nscenarios micro -- and more\n"), Some("micro"));
        assert_eq!(game_of("gyoji 1\nscenario \"x\" { }\n"), None);
        assert_eq!(game_written(b"\xEF\xBB\xBFscenarios micro\r\n\xFF").as_deref(), Some("micro"));
    }
}
