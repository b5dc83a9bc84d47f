//! The compiler: syntax trees to a [`Program`]: names, types, checks, lowering.
//!
//! Takes the declarations of a game's rules files and its cards (each with its abilities, from the printed text or from a
//! script); gives the program, a map back to the sources, and every finding, never just the first. After an error a program
//! is still there, for the findings of later floors, but nobody should run it. Deliberately absent: files and folders, printed
//! text, running anything.

mod ability;
mod action;
mod already;
mod announced;
mod argument;
mod around;
mod bases;
mod bodies;
mod body;
mod card;
mod clause;
mod coherence;
mod comparison;
mod control;
mod cost;
mod deck;
mod deck_limits;
mod declare;
mod event;
mod expression;
mod function;
mod granting;
mod layers;
mod listing;
mod lookup;
mod matches;
mod mentions;
mod moves;
mod name;
mod names;
mod nodes;
mod option;
mod pattern;
mod paying;
mod pick;
mod policies;
mod policy_words;
mod properties;
mod reads;
mod report;
mod rule;
mod scope;
mod settle;
mod sizes;
mod slot;
mod source_map;
mod statement;
mod table;
mod test_is;
mod types;
mod waiting;
mod warnings;
mod witnessed;

pub use deck::{check_deck, still_to_do, to_do};
pub use listing::{listing, listing_of_card};
pub use names::{Names, Symbols};
pub use policy_words::policy_words;
pub use scope::Scope;
pub use source_map::SourceMap;
pub use types::Ty;
pub use waiting::Fillable;

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::engine::ids::{CardId, CitesId, NodeId, TextId, VerbId};
use crate::engine::machine::Runnable;
use crate::engine::program::Program;
use crate::engine::shared::Shared;
use crate::syntax::ast::{Ability, CardDecl, Decl, Name, RulesFile};
use crate::wording::{Annotation, annotations};
use rustc_hash::{FxHashMap, FxHasher};
use std::fmt::Write;
use std::hash::Hasher;
use std::sync::Arc;

/// A game as far as it has been compiled: its rules, and the cards added so far.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    program: Program,
    symbols: Symbols,
    map: SourceMap,
    found: Vec<Diagnostic>,
    texts: Shared<FxHashMap<String, TextId>>,
    /// What abilities say, each with its number.
    scripts: Shared<FxHashMap<String, u32>>,
    cite_lists: Shared<FxHashMap<Arc<[String]>, CitesId>>,
    card_names: Shared<FxHashMap<String, Vec<CardId>>>,
    decls: Arc<Vec<Arc<Decl>>>,
    /// Of each declared keyword what is left to be done.
    keywords_left: Vec<granting::Left>,
    added: Shared<Vec<Arc<(CardDecl, Vec<Ability>)>>>,
    chosen_readings: Vec<(String, String)>,
    /// Declarations of which there is one, with the place of the first.
    single: Vec<(&'static str, Span)>,
    /// Names that a `mark` sets, and those that a `since` has asked for.
    marks: std::collections::BTreeSet<String>,
    since: Vec<Name>,
    /// What something is done instead of, as long as nobody has looked whether anybody does that.
    replaced: Vec<(VerbId, Name)>,
    /// What each declared layer applies.
    layers: Vec<layers::LayerPart>,
    /// Layers in which some change falls.
    layers_used: std::collections::BTreeSet<usize>,
    /// Names of cards of the pool in rules, which are read before the cards.
    pool_cards: Vec<(TextId, Span)>,
    /// The number of an announced choice is named where it is made; else at the head of the block. And the rules of the latter.
    with_the_choice: bool,
    announced_cites: Vec<crate::syntax::ast::Cite>,
    /// What is so in every position that the rules allow.
    musts: Vec<Must>,
    /// How many findings there have been.
    reported: usize,
    /// Of what there is too much, and it has been said.
    too_many: Vec<&'static str>,
    /// What printed remarks stand between.
    remarks: Vec<Annotation>,
    /// The program at an earlier time, with what is known of it; [`Compiler::finished`] goes on from there.
    earlier: Option<Runnable>,
}

/// What has to be so in every position.
#[derive(Clone, Copy, Debug)]
pub struct Must {
    /// The condition.
    pub condition: NodeId,
    /// The rules that say so.
    pub cites: CitesId,
    /// Where it stands.
    pub span: Span,
}

/// A text as a number, without the text.
#[derive(Default)]
struct Print(FxHasher);

impl Write for Print {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
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
    pub fn new(files: &[RulesFile]) -> (Self, Vec<Diagnostic>) {
        let decls = files.iter().flat_map(|file| file.items.iter().cloned()).collect();
        Self::from_decls(Arc::new(decls), Vec::new())
    }

    fn from_decls(decls: Arc<Vec<Arc<Decl>>>, chosen_readings: Vec<(String, String)>) -> (Self, Vec<Diagnostic>) {
        let mut compiler = Self { decls: Arc::clone(&decls), chosen_readings, remarks: annotations(&decls), ..Self::default() };
        compiler.program.cites.push(Arc::default());
        compiler.declare_all(&decls);
        compiler.lower_all(&decls);
        compiler.check_uncalled(&decls);
        compiler.check_marks();
        compiler.check_replaced();
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
        for added in self.added.iter() {
            found.extend(compiler.add(Arc::clone(added)).1);
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

    /// What has to be so in every position that a scenario puts together.
    #[must_use]
    pub fn musts(&self) -> &[Must] {
        &self.musts
    }

    /// The cards that have been added so far, each with its abilities.
    #[must_use]
    pub fn pool(&self) -> &[Arc<(CardDecl, Vec<Ability>)>] {
        &self.added
    }

    /// A number for all that what is compiled from here on can depend on, but for what rules that join the game, and other readings, would make
    /// of it: two games of one number take the same cards and expressions in the same way.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut print = Print::default();
        let hash = Program { hash: 0, ..self.program.clone() };
        // What is left out is where things stand, what they were made from, and what was wrong.
        let names = (&self.symbols, &self.texts, &self.scripts, &self.cite_lists, &self.card_names, &self.pool_cards);
        let open = (&self.marks, &self.since, &self.replaced, &self.layers, &self.layers_used);
        let rest = (self.with_the_choice, &self.announced_cites, &self.musts);
        // A print takes everything.
        let _ = write!(print, "{hash:?}{names:?}{open:?}{rest:?}");
        print.0.finish()
    }

    /// The way back to the sources.
    #[must_use]
    pub fn map(&self) -> &SourceMap {
        &self.map
    }

    /// `E0228` for cards that the rules name and the pool has not, `E0430` for those whose text is still to do, once all cards have been added.
    #[must_use]
    pub fn missing_cards(&self) -> Vec<Diagnostic> {
        let words = self.card_words();
        let missing = self.pool_cards.iter().filter_map(|(name, span)| {
            let name = self.program.texts.get(*name)?;
            let finding = || Diagnostic::error("E0228", *span).with("name", name).suggest(name, words.iter().map(String::as_str));
            match self.cards_called(name).as_slice() {
                // What the rules bring into play must be known as well.
                [card] => to_do(&self.program, *card).map(|finding| finding.at(*span)),
                _ => Some(finding()),
            }
        });
        missing.collect()
    }

    /// The hash of the sources, by which saves and replays name the program.
    pub fn set_hash(&mut self, hash: u64) {
        self.program.hash = hash;
    }

    /// The program as it is now, ready to be run.
    #[must_use]
    pub fn finished(&self) -> Arc<Program> {
        let mut program = self.program.clone();
        self.settle(&mut program);
        Arc::new(program)
    }

    /// Has later programs be finished from an earlier one, which takes a small part of the time; they come out the same.
    pub fn go_on_from(&mut self, earlier: Runnable) {
        self.earlier = Some(earlier);
    }

    /// The program as it is now, ready to be run where somebody looks on.
    #[must_use]
    pub fn runnable(&self) -> Runnable {
        self.as_runnable(self.finished())
    }

    /// A program of this compiler, ready to be run where somebody looks on.
    #[must_use]
    pub fn as_runnable(&self, program: Arc<Program>) -> Runnable {
        match &self.earlier {
            Some(earlier) => earlier.grown(program),
            None => Runnable::watched(program),
        }
    }

    /// The finished program.
    #[must_use]
    pub fn into_compiled(self) -> Compiled {
        Compiled { program: self.finished(), map: self.map }
    }
}

/// Whether any finding is an error.
#[must_use]
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

#[cfg(test)]
mod tests;
