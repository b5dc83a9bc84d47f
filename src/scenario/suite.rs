//! The scenarios of one game: its files read, all of them run.
//!
//! Takes a loaded game and the texts of scenario files; gives verdicts in the files' order, however many threads run them.
//! Deliberately absent: finding the files.

use super::citations::citations;
use super::ground::Ground;
use super::verdict::Verdict;
use crate::diagnostic::{Diagnostic, FileId, Sources, Span};
use crate::project::Game;
use crate::syntax::ast::Scenario;
use crate::syntax::parse_scenarios;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A game with its scenarios.
#[derive(Clone, Debug)]
pub struct Suite {
    /// What the scenarios stand on.
    pub ground: Ground,
    /// The game's files and the scenarios' files.
    pub sources: Sources,
    /// The scenarios, in the order of their files.
    pub scenarios: Vec<Scenario>,
    /// What is wrong with the scenario files and the rulebook's index.
    pub found: Vec<Diagnostic>,
    /// The game's own files.
    of_game: Vec<FileId>,
}

impl Suite {
    /// A game's suite, still without scenarios.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        let (ground, found) = Ground::of_game(game);
        let of_game = game.sources.iter().map(|(file, _)| file).collect();
        Self { ground, sources: game.sources.clone(), scenarios: Vec::new(), found, of_game }
    }

    /// Adds a file of scenarios.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        match self.sources.add_bytes(name, bytes) {
            Ok(file) => {
                let (read, found) = parse_scenarios(file, self.sources.get(file).map_or("", |source| &source.text));
                self.scenarios.extend(read.items);
                self.found.extend(found);
            }
            Err(finding) => self.found.push(finding),
        }
    }

    /// Runs one scenario.
    #[must_use]
    pub fn verdict(&self, scenario: &Scenario) -> Verdict {
        super::run(&self.ground, scenario, &self.sources)
    }

    /// Runs all of them.
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.scenarios.par_iter().map(|scenario| self.verdict(scenario)).collect()
    }

    /// Every citation in the game's rules and cards, with its place.
    #[must_use]
    pub fn citations(&self) -> Vec<(String, Span)> {
        let sources = self.of_game.iter().filter_map(|file| self.sources.get(*file).map(|source| (*file, source)));
        let written = sources.filter(|(_, source)| is_written(&source.name));
        written.flat_map(|(file, source)| citations(file, &source.text)).collect()
    }

    /// The same, each rule once with its first place.
    #[must_use]
    pub fn cited(&self) -> BTreeMap<String, Span> {
        let mut cited = BTreeMap::new();
        for (id, span) in self.citations() {
            cited.entry(id).or_insert(span);
        }
        cited
    }
}

/// Whether a file is in the language (an index or a deck is not).
fn is_written(name: &str) -> bool {
    let name = name.trim_end_matches('>');
    [".rules", ".cards"].iter().any(|ending| name.ends_with(ending))
}

/// The game that a scenario file names in its head.
#[must_use]
pub fn game_of(text: &str) -> Option<&str> {
    let mut heads = text.lines().filter_map(|line| line.trim_start_matches('\u{FEFF}').strip_prefix("scenarios "));
    heads.next().and_then(|rest| rest.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::game_of;

    #[test]
    fn a_file_names_its_game() {
        assert_eq!(game_of("gyoji 1\n\n-- scenarios of x\nscenarios micro -- and more\n"), Some("micro"));
        assert_eq!(game_of("gyoji 1\nscenario \"x\" { }\n"), None);
    }
}
