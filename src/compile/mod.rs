//! The compiler: syntax trees to a [`Program`]: names, types, checks, lowering.
//!
//! Takes the declarations of a game's rules files and its cards (each with its abilities, from the printed text or from a
//! script); gives the program, a map back to the sources, and every finding, never just the first. After an error a program
//! is still there, for the findings of later floors, but nobody should run it. Deliberately absent: files and folders, printed
//! text, running anything.

mod ability;
mod action;
mod argument;
mod bodies;
mod body;
mod card;
mod clause;
mod comparison;
mod control;
mod deck;
mod declare;
mod expression;
mod function;
mod listing;
mod lookup;
mod mentions;
mod name;
mod names;
mod nodes;
mod pattern;
mod pick;
mod properties;
mod report;
mod scope;
mod source_map;
mod statement;
mod test_is;
mod types;

pub use deck::check_deck;
pub use listing::{listing, listing_of_card};
pub use names::{Names, Symbols};
pub use scope::Scope;
pub use source_map::SourceMap;
pub use types::Ty;

use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::ids::{CardId, CitesId, TextId};
use crate::engine::program::Program;
use crate::syntax::ast::{Ability, CardDecl, Decl, File};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A game as far as it has been compiled: its rules, and the cards added so far.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    program: Program,
    symbols: Symbols,
    map: SourceMap,
    found: Vec<Diagnostic>,
    texts: FxHashMap<String, TextId>,
    cite_lists: FxHashMap<Vec<String>, CitesId>,
    card_names: FxHashMap<String, Vec<CardId>>,
    decls: Arc<Vec<Decl>>,
    added: Vec<Arc<(CardDecl, Vec<Ability>)>>,
    chosen_readings: Vec<(String, String)>,
}

/// A finished program with the way back to its sources.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What the machine runs.
    pub program: Arc<Program>,
    /// Where its parts stand.
    pub map: SourceMap,
}

impl Compiler {
    /// Compiles the declarations of a game's rules files, in the order given.
    #[must_use]
    pub fn new(files: &[File<Decl>]) -> (Self, Vec<Diagnostic>) {
        let decls = files.iter().flat_map(|file| file.items.iter().cloned()).collect();
        Self::from_decls(Arc::new(decls), Vec::new())
    }

    fn from_decls(decls: Arc<Vec<Decl>>, chosen_readings: Vec<(String, String)>) -> (Self, Vec<Diagnostic>) {
        let mut compiler = Self { decls: Arc::clone(&decls), chosen_readings, ..Self::default() };
        compiler.program.cites.push(Vec::new());
        compiler.declare_all(&decls);
        compiler.lower_all(&decls);
        let found = std::mem::take(&mut compiler.found);
        (compiler, found)
    }

    /// The same game with a reading as named (its value as written: `once`, `40`); its rules and cards are compiled anew,
    /// because a reading is a constant.
    pub fn set_reading(&mut self, name: &str, value: &str) -> Vec<Diagnostic> {
        let mut readings = std::mem::take(&mut self.chosen_readings);
        readings.retain(|(known, _)| known != name);
        readings.push((name.to_owned(), value.to_owned()));
        let (mut compiler, mut found) = Self::from_decls(Arc::clone(&self.decls), readings);
        for added in &self.added {
            found.extend(compiler.add_card(&added.0, &added.1).1);
        }
        if compiler.symbols.readings.find(name).is_none() {
            let words: Vec<String> = compiler.symbols.readings.words().map(str::to_owned).collect();
            found.push(Diagnostic::global("E0253").with("name", name).suggest(name, words.iter().map(String::as_str)));
        }
        compiler.program.hash = self.program.hash;
        *self = compiler;
        found
    }

    /// The program as it is now.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What has been declared.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The way back to the sources.
    #[must_use]
    pub fn map(&self) -> &SourceMap {
        &self.map
    }

    /// The hash of the sources, by which saves and replays name the program.
    pub fn set_hash(&mut self, hash: u64) {
        self.program.hash = hash;
    }

    /// The finished program.
    #[must_use]
    pub fn into_compiled(self) -> Compiled {
        Compiled { program: Arc::new(self.program), map: self.map }
    }
}

/// Whether any finding is an error.
#[must_use]
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

#[cfg(test)]
mod tests;
