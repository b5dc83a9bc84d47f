//! The compiler: turns the syntax trees of a game and its cards into a [`Program`] that the engine runs.
//!
//! Input: the declarations of a game's rules files, and its cards, each with its abilities (compiled from the printed text, or taken from a
//! script). Output: the program, a map from its parts back to the sources, and all findings, not only the first one. After an error there
//! is still a program, so that later stages can report their findings; nobody should run it. The compiler opens no files, reads no printed
//! text and runs nothing.
//!
//! Compiling goes in two passes. `declare.rs` gives everything with a name its number. Then `bodies.rs` lowers bodies, conditions and
//! defaults to the engine's statements (`Op`) and expressions (`Node`); "lower" has this meaning everywhere in the crate.
//!
//! The folders:
//!
//! | folder | does |
//! | --- | --- |
//! | `declarations/` | first pass: names and their numbers; policies, layers, the table; what needs all declarations together |
//! | `statements/` | second pass: bodies, control flow, rules, options |
//! | `expressions/` | expressions, types, event patterns, choices |
//! | `abilities/` | kinds of abilities, slots, clauses, costs, cards |
//! | `decks/` | limits for decks, and the check of a list of cards |
//! | `analysis/` | what clauses and bodies read |
//! | `warnings/` | things that are probably not meant |
//! | `listing/` | a program as text |
//!
//! `lib.rs` is the `Compiler`: its state, and the functions for other folders. `report.rs` holds findings that several files report.

mod abilities;
mod analysis;
mod decks;
mod declarations;
mod expressions;
mod listing;
mod report;
mod statements;
mod warnings;

pub use abilities::waiting::Fillable;
pub use decks::deck::{check_deck, still_to_do, to_do};
pub use declarations::names::Names;
pub(crate) use declarations::names::Symbols;
pub use declarations::own_words::is_own_word;
pub use declarations::policy_words::policy_words;
pub use declarations::source_map::SourceMap;
pub use expressions::scope::Scope;
pub use expressions::types::Ty;
pub use listing::listing;

use self::abilities::slot::CommonFill;
use engine::ids::{CardId, CitesId, NodeId, TextId, VerbId};
use engine::machine::Runnable;
use engine::program::{Fill, Program};
use engine::state::shared::Shared;
use lang::diagnostic::{Diagnostic, FileId, Severity, Span};
use lang::syntax::ast::{Ability, CardDecl, Decl, Name, RulesFile};
use rustc_hash::{FxHashMap, FxHasher};
use std::fmt::Write;
use std::hash::Hasher;
use std::sync::Arc;
use wording::{Annotation, Heading, annotations, headings};

/// A game as far as it has been compiled: its rules, and the cards added so far.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    program: Program,
    symbols: Symbols,
    map: SourceMap,
    found: Vec<Diagnostic>,
    texts: Shared<FxHashMap<String, TextId>>,
    /// The number of each different ability text.
    scripts: Shared<FxHashMap<String, u32>>,
    cite_lists: Shared<FxHashMap<Arc<[String]>, CitesId>>,
    card_names: Shared<FxHashMap<String, Vec<CardId>>>,
    decls: Arc<Vec<Arc<Decl>>>,
    /// Defaults of slots that mean the same on all cards, as they were compiled first.
    common_fills: Shared<FxHashMap<CommonFill, Fill>>,
    /// For each declared keyword, whether its abilities are compiled already.
    keywords_left: Vec<abilities::granting::Left>,
    added: Shared<Vec<Arc<(CardDecl, Vec<Ability>)>>>,
    chosen_readings: Vec<(String, String)>,
    /// Declarations that a game can have only once, with the place of the first one.
    single: Vec<(&'static str, Span)>,
    /// Names that a `mark` sets, and names that a `since` asks for.
    marks: std::collections::BTreeSet<String>,
    since: Vec<Name>,
    /// The verbs that some clause replaces. Whether anybody performs them is checked later.
    replaced: Vec<(VerbId, Name)>,
    /// The changes that each declared layer applies.
    layers: Vec<declarations::layers::LayerPart>,
    /// The layers that some change belongs to.
    layers_used: std::collections::BTreeSet<usize>,
    /// Symbols that rules ask for (`c has X`, `X in c.FIELD`, `c.FIELD == X`), and names that are compared with cards (`c == "X"`, `"X" in S`). Whether any
    /// card has them is known when the cards have been read.
    asked_words: Vec<Name>,
    /// The ranges without an end from which slots take a number.
    endless: Vec<Span>,
    /// Names of cards that rules mention. The rules are read before the cards.
    pool_cards: Vec<(TextId, Span)>,
    /// True: the number of an announced choice is named at the choice itself. False: the number is named at the head of the block. Then
    /// `announced_cites` has the rules for that.
    with_the_choice: bool,
    announced_cites: Vec<lang::syntax::ast::Cite>,
    /// Conditions that hold in every position that the rules allow.
    musts: Vec<Must>,
    /// How many findings have been reported.
    reported: usize,
    /// The kinds of things for which "too many" is already reported.
    too_many: Vec<&'static str>,
    /// The signs that enclose printed remarks.
    remarks: Vec<Annotation>,
    /// The headings of printed lines that the wording declares.
    headings: Vec<Heading>,
    /// If set, texts and symbols from this number on are words that nothing in the game has: `E0588`.
    unknown_words_from: Option<usize>,
    /// An earlier version of the program with everything that is known about it. [`Compiler::finished`] starts from there.
    earlier: Option<Runnable>,
}

/// A condition that must hold in every position.
#[derive(Clone, Debug)]
pub struct Must {
    /// The condition.
    pub condition: NodeId,
    /// The rules that state the demand.
    pub cites: CitesId,
    /// Where the demand stands.
    pub span: Span,
    /// The condition as written.
    pub written: String,
}

/// A hasher that can be written to as text, so that the text itself is never built.
#[derive(Default)]
struct Print(FxHasher);

impl Write for Print {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl Compiler {
    /// Compiles the declarations of a game's rules files, in the order given.
    #[must_use]
    pub fn new(files: &[RulesFile]) -> (Self, Vec<Diagnostic>) {
        let decls = files.iter().flat_map(|file| file.items.iter().cloned()).collect();
        Self::from_decls(Arc::new(decls), Vec::new())
    }

    fn from_decls(decls: Arc<Vec<Arc<Decl>>>, chosen_readings: Vec<(String, String)>) -> (Self, Vec<Diagnostic>) {
        let mut compiler = Self {
            decls: Arc::clone(&decls),
            chosen_readings,
            remarks: annotations(&decls),
            headings: headings(&decls),
            ..Self::default()
        };
        compiler.program.cites.push(Arc::default());
        compiler.declare_all(&decls);
        compiler.lower_all(&decls);
        // While rules are lowered, a default can still be incomplete.
        compiler.common_fills = Shared::default();
        compiler.check_uncalled(&decls);
        compiler.check_marks();
        compiler.check_replaced();
        let found = std::mem::take(&mut compiler.found);
        (compiler, found)
    }

    /// Gives a reading a value, as written (`once`, `40`). Rules and cards are compiled again, because a reading is a constant.
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

    /// From here on, a word that no card and no rule has is an error (`E0588`). A scenario compares with words of the game only.
    pub fn knows_all_words(&mut self) {
        self.unknown_words_from = Some(self.program.texts.len());
    }

    /// The program so far.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The declared names.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The types of a verb's parameters. None for a set.
    #[must_use]
    pub fn parameter_types(&self, verb: VerbId) -> Vec<Option<engine::program::Type>> {
        let signature = self.symbols.verb_signatures.get(usize::from(verb.0));
        signature.map_or_else(Vec::new, |signature| signature.params.iter().map(|param| (!param.ty.set).then_some(param.ty.of)).collect())
    }

    /// Conditions that must hold in every position that a scenario sets up.
    #[must_use]
    pub fn musts(&self) -> &[Must] {
        &self.musts
    }

    /// The cards that have been added so far, each with its abilities.
    #[must_use]
    pub fn pool(&self) -> &[Arc<(CardDecl, Vec<Ability>)>] {
        &self.added
    }

    /// A number for everything that code compiled from here on can depend on. Two games with the same number compile cards and expressions
    /// in the same way. The number does not cover rules that a scenario adds, and changes of readings.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut print = Print::default();
        let hash = Program { hash: 0, ..self.program.clone() };
        // Places in the sources, source trees and findings are left out.
        let names = (&self.symbols, &self.texts, &self.scripts, &self.cite_lists, &self.card_names, &self.pool_cards);
        let open = (&self.marks, &self.since, &self.replaced, &self.layers, &self.layers_used);
        let rest = (self.with_the_choice, &self.announced_cites, &self.musts);
        // Writing into a hasher cannot fail.
        let _ = write!(print, "{hash:?}{names:?}{open:?}{rest:?}");
        print.0.finish()
    }

    /// The way back to the sources.
    #[must_use]
    pub fn map(&self) -> &SourceMap {
        &self.map
    }

    /// To be called once all cards are added. `E0228` for cards that the rules name and the pool does not have; `E0430` for named cards
    /// whose text is still to do. `of`: the file that names them; every file if none is given.
    #[must_use]
    pub fn missing_cards(&self, of: Option<FileId>) -> Vec<Diagnostic> {
        let missing = self.pool_cards.iter().filter(|(_, span)| of.is_none_or(|file| file == span.file)).filter_map(|(name, span)| {
            let name = self.program.texts.get(*name)?;
            let words = || self.card_words();
            let finding = || Diagnostic::error("E0228", *span).with("name", name).suggest(name, words().iter().map(String::as_str));
            match self.cards_called(name).as_slice() {
                // Cards that rules bring into the game must be compiled too.
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

    /// The program so far, ready to run.
    #[must_use]
    pub fn finished(&self) -> Arc<Program> {
        let mut program = self.program.clone();
        self.complete(&mut program);
        Arc::new(program)
    }

    /// Finishes later programs by starting from `earlier`. The result is the same, and takes much less time.
    pub fn go_on_from(&mut self, earlier: Runnable) {
        self.earlier = Some(earlier);
    }

    /// The program so far, ready to run with an observer.
    #[must_use]
    pub fn runnable(&self) -> Runnable {
        self.as_runnable(self.finished())
    }

    /// A program of this compiler, ready to run with an observer.
    #[must_use]
    pub fn as_runnable(&self, program: Arc<Program>) -> Runnable {
        match &self.earlier {
            Some(earlier) => earlier.grown(program),
            None => Runnable::new(program),
        }
    }
}

/// Whether any finding is an error.
#[must_use]
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

#[cfg(test)]
mod tests;
