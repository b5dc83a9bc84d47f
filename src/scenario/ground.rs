//! What all scenarios of a game stand on: the compiled rules and cards, the default position, the rulebook's index.
//!
//! Compiled once; a scenario that makes up cards or chooses readings gets a copy of its own.

use super::rulebook::Rulebook;
use super::verdict::Failure;
use crate::compile::{Compiler, check_deck};
use crate::diagnostic::{Diagnostic, FileId, Severity, Sources};
use crate::engine::program::Program;
use crate::project::{Deck, Game};
use crate::syntax::ast::{Ability, CardDecl, Decl, DeclKind, Expr, ExprKind, File, Scenario, ScenarioDefault, Step};
use crate::syntax::{parse_cards, parse_rules};
use crate::wording::Wording;
use std::sync::Arc;

/// A game that scenarios are run in.
#[derive(Clone, Debug)]
pub struct Ground {
    compiler: Compiler,
    program: Arc<Program>,
    wording: Arc<Wording>,
    files: Arc<Vec<File<Decl>>>,
    default: Option<ScenarioDefault>,
    book: Option<Arc<Rulebook>>,
    checks_headers: bool,
}

impl Ground {
    /// A game: its rules files, compiled, with its cards added.
    #[must_use]
    pub fn new(compiler: Compiler, wording: Arc<Wording>, files: Arc<Vec<File<Decl>>>) -> Self {
        let decls = files.iter().flat_map(|file| &file.items);
        let default =
            decls.filter_map(|decl| if let DeclKind::GivenDefault(default) = &decl.kind { Some(default) } else { None }).next_back();
        let (program, default) = (Arc::new(compiler.program().clone()), default.cloned());
        Self { compiler, program, wording, files, default, book: None, checks_headers: true }
    }

    /// A loaded game, with its rulebook's index; and what is wrong with that.
    #[must_use]
    pub fn of_game(game: &Game) -> (Self, Vec<Diagnostic>) {
        let ground = Self::new(game.compiler.clone(), Arc::clone(&game.wording), Arc::clone(&game.files));
        let Some((file, source)) = game.index.and_then(|file| Some((file, game.sources.get(file)?))) else { return (ground, Vec::new()) };
        let (book, found) = Rulebook::read(file, &source.text);
        (ground.with_rulebook(book), found)
    }

    /// With the index of its rulebook, which the rules in headers must be in.
    #[must_use]
    pub fn with_rulebook(mut self, book: Rulebook) -> Self {
        self.book = Some(Arc::new(book));
        self
    }

    /// Without the check that every rule in a header is carried out (for rules that were broken on purpose).
    #[must_use]
    pub fn without_header_check(mut self) -> Self {
        self.checks_headers = false;
        self
    }

    /// With another value of a reading, for all scenarios that do not choose it themselves.
    ///
    /// # Errors
    /// What the compiler says to the name and the value.
    pub fn with_reading(mut self, name: &str, value: &str) -> Result<Self, Vec<Diagnostic>> {
        let found = self.compiler.set_reading(name, value);
        if crate::compile::has_errors(&found) {
            return Err(found);
        }
        self.program = Arc::new(self.compiler.program().clone());
        Ok(self)
    }

    /// The index of the rulebook.
    #[must_use]
    pub fn rulebook(&self) -> Option<&Rulebook> {
        self.book.as_deref()
    }

    pub(super) fn checks_headers(&self) -> bool {
        self.checks_headers
    }

    /// The position that a scenario does not describe.
    pub(super) fn default(&self) -> Option<&ScenarioDefault> {
        self.default.as_ref()
    }

    /// How many cards the pool has: those that follow are made up by a scenario.
    pub(super) fn made_up(&self) -> usize {
        self.program.cards.len()
    }

    /// The compiler with the scenario's readings and cards, and the program to play.
    pub(super) fn prepared(&self, scenario: &Scenario) -> Result<(Compiler, Arc<Program>), Box<Failure>> {
        let mut compiler = self.compiler.clone();
        let mut changed = false;
        for step in &scenario.steps {
            let found = match step {
                Step::Reading(name, value) => {
                    let found = compiler.set_reading(&name.text, &word(value));
                    found
                        .into_iter()
                        .map(|finding| if finding.span.is_some() { finding } else { Diagnostic { span: Some(name.span), ..finding } })
                        .collect()
                }
                Step::Card(card) => self.add_card(&mut compiler, card),
                _ => continue,
            };
            changed = true;
            if let Some(first) = found.into_iter().find(|finding| finding.severity == Severity::Error) {
                return Err(first.into());
            }
        }
        let program = if changed { Arc::new(compiler.program().clone()) } else { Arc::clone(&self.program) };
        Ok((compiler, program))
    }

    /// Adds a card; where a script stands beside a text, the text is what the card does, and the script is compared with it.
    fn add_card(&self, compiler: &mut Compiler, card: &CardDecl) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut abilities: Vec<Ability> = Vec::new();
        for text in &card.texts {
            let reading = self.wording.read(text);
            found.extend(reading.diagnostics);
            abilities.extend(reading.abilities);
        }
        match &card.script {
            Some(script) if card.texts.is_empty() => abilities.clone_from(script),
            Some(script) => found.extend(compiler.differs(card, &abilities, script)),
            None => {}
        }
        found.extend(compiler.add_card(card, &abilities).1);
        found
    }

    /// What is wrong with declarations that join the game's rules.
    pub(super) fn findings_in_rules(&self, file: FileId, source: &str) -> Vec<Diagnostic> {
        let (read, mut found) = parse_rules(file, &format!("gyoji 1\n{source}\n"));
        let files: Vec<File<Decl>> = self.files.iter().cloned().chain([read]).collect();
        found.extend(Compiler::new(&files).1);
        found.extend(Wording::new(&files).1);
        found
    }

    /// What is wrong with cards that join the pool.
    pub(super) fn findings_in_cards(&self, compiler: &Compiler, file: FileId, source: &str) -> Vec<Diagnostic> {
        let (read, mut found) = parse_cards(file, &format!("gyoji 1\ncards {}\n{source}\n", compiler.program().name));
        let mut compiler = compiler.clone();
        for card in &read.items {
            found.extend(self.add_card(&mut compiler, card));
        }
        found
    }

    /// What is wrong with a deck's file.
    pub(super) fn findings_in_deck(&self, compiler: &Compiler, source: &str) -> Vec<Diagnostic> {
        let mut sources = Sources::default();
        let file = sources.add("deck", source);
        match Deck::parse(file, &sources).map(|deck| deck.card_ids(compiler)) {
            Ok(Ok(cards)) => check_deck(compiler.program(), &cards),
            Ok(Err(found)) => found,
            Err(finding) => vec![finding],
        }
    }
}

/// A reading's value as it is written.
fn word(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => text.clone(),
        ExprKind::Bool(truth) => truth.to_string(),
        _ => String::new(),
    }
}
