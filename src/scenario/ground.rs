//! The game that scenarios run in: compiled rules and cards, the default position, the rulebook's index.
//!
//! It is compiled once. A scenario that makes up cards or chooses readings gets a copy.
//!
//! Copies share the parts that seldom change (`engine/state/shared.rs`). A program with cards of a scenario extends the game's program
//! (`Compiler::go_on_from`), so facts about the game are not worked out again.

use super::known_texts::KnownTexts;
use super::rulebook::Rulebook;
use super::under::Under;
use crate::lookup::fold;
use crate::outcome::touched::telling_all;
use crate::outcome::verdict::Failure;
use crate::running::answers::AnswerNames;
use crate::running::lacking::Lacking;
use crate::running::overlay;
use compile::{Compiler, check_deck};
use engine::machine::{Machine, Runnable};
use engine::program::Program;
use lang::diagnostic::{Diagnostic, FileId, Language, Severity, Sources};
use lang::syntax::ast::{Ability, CardDecl, DeclKind, Expr, ExprKind, Head, Name, RulesFile, Scenario, ScenarioDefault, Step, Text};
use lang::syntax::{parse_cards, parse_rules};
use project::{Deck, Game, script_of_todo};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use wording::{Wording, unread};

/// A game for scenarios.
#[derive(Clone, Debug)]
pub struct Ground {
    compiler: Compiler,
    /// The program, compiled on first use. A scenario that makes up cards plays another program.
    program: OnceLock<Arc<Program>>,
    /// The program prepared for machines, for scenarios that add nothing to it.
    runnable: OnceLock<Runnable>,
    /// The names of decisions and options, collected on first use.
    answer_names: OnceLock<AnswerNames>,
    under: Under,
    wording: Arc<Wording>,
    files: Arc<Vec<RulesFile>>,
    default: Option<ScenarioDefault>,
    readings: Vec<(String, String)>,
    book: Option<Arc<Rulebook>>,
    checks_headers: bool,
    tells_all: bool,
    says_phrases: bool,
    keeps_play: bool,
    budget: Option<u32>,
    texts: Option<Arc<ReadTexts>>,
    known_texts: KnownTexts,
    lacking: Option<Lacking>,
    language: Language,
}

/// A text as it stands on a card: one text can mean different things on cards of different types.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Printed {
    /// The text.
    pub text: Arc<str>,
    /// The types of the card (see [`Wording::read_on`]).
    pub types: Vec<String>,
}

/// Printed texts with their readings, so that texts of made-up cards need not be read again and again.
pub type ReadTexts = FxHashMap<Printed, Arc<[Ability]>>;

impl Ground {
    /// A ground for a game: its compiled rules files, with its cards added.
    #[must_use]
    pub fn new(compiler: Compiler, wording: Arc<Wording>, files: Arc<Vec<RulesFile>>) -> Self {
        let decls = files.iter().flat_map(|file| &file.items);
        let default =
            decls.filter_map(|decl| if let DeclKind::GivenDefault(default) = &decl.kind { Some(default) } else { None }).next_back();
        let default = default.cloned();
        Self {
            compiler,
            program: OnceLock::new(),
            runnable: OnceLock::new(),
            answer_names: OnceLock::new(),
            under: Under::default(),
            wording,
            files,
            default,
            readings: Vec::new(),
            book: None,
            checks_headers: true,
            language: Language::default(),
            tells_all: false,
            says_phrases: false,
            keeps_play: false,
            budget: None,
            texts: None,
            known_texts: KnownTexts::default(),
            lacking: None,
        }
    }

    /// A ground for a loaded game with its rulebook's index. Findings about the index come with it.
    #[must_use]
    pub fn of_game(game: &Game) -> (Self, Vec<Diagnostic>) {
        let ground = Self::new(game.compiler.clone(), Arc::clone(&game.wording), Arc::clone(&game.files));
        let Some((file, source)) = game.index.and_then(|file| Some((file, game.sources.get(file)?))) else { return (ground, Vec::new()) };
        let (book, found) = Rulebook::read(file, &source.text);
        (ground.with_rulebook(book), found)
    }

    /// With the index of its rulebook. Rules in headers must be in it.
    #[must_use]
    pub fn with_rulebook(mut self, book: Rulebook) -> Self {
        self.book = Some(Arc::new(book));
        self
    }

    /// With failures in that language.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The language of failures.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Without the check that every rule in a header is carried out. Used for rules broken on purpose.
    #[must_use]
    pub fn without_header_check(mut self) -> Self {
        self.checks_headers = false;
        self
    }

    /// A verdict about an unreadable text suggests a readable phrase. Finding such a phrase takes far longer than running a scenario.
    #[must_use]
    pub fn saying_phrases(mut self) -> Self {
        self.says_phrases = true;
        self
    }

    /// Verdicts contain everything that was touched.
    #[must_use]
    pub fn telling_all(mut self) -> Self {
        self.tells_all = true;
        self
    }

    /// Verdicts contain how the scenario was played.
    #[must_use]
    pub fn keeping_play(mut self) -> Self {
        self.keeps_play = true;
        self
    }

    /// With another limit for the statements between two decisions.
    #[must_use]
    pub fn with_budget(mut self, statements: u32) -> Self {
        self.budget = Some(statements);
        self
    }

    /// With earlier readings of printed texts. The wording must read them in the same way.
    #[must_use]
    pub fn with_texts(mut self, texts: Arc<ReadTexts>) -> Self {
        self.texts = Some(texts);
        self
    }

    /// Made-up cards lack something.
    #[must_use]
    pub fn lacking(mut self, lacking: Lacking) -> Self {
        self.lacking = Some(lacking);
        self
    }

    /// The program, without the additions of scenarios.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        self.program.get_or_init(|| self.compiler.finished())
    }

    /// The wording, which reads printed texts.
    #[must_use]
    pub fn wording(&self) -> &Wording {
        &self.wording
    }

    /// With another value of a reading, for all scenarios that do not choose the reading themselves.
    ///
    /// # Errors
    /// The compiler's findings about the name and the value.
    pub fn with_reading(mut self, name: &str, value: &str) -> Result<Self, Vec<Diagnostic>> {
        let found = self.compiler.set_reading(name, value);
        if compile::has_errors(&found) {
            return Err(found);
        }
        self.readings.push((name.to_owned(), value.to_owned()));
        (self.program, self.runnable, self.answer_names, self.under) = Default::default();
        Ok(self)
    }

    /// A number for everything that a scenario can depend on, if the scenario loads no rules and chooses no readings. Grounds with equal
    /// numbers give equal verdicts, provided that they read texts in the same way and are equally strict.
    #[must_use]
    pub fn fingerprint(&self) -> (u64, String) {
        (self.compiler.fingerprint(), format!("{:?}", self.default))
    }

    /// The index of the rulebook.
    #[must_use]
    pub fn rulebook(&self) -> Option<&Rulebook> {
        self.book.as_deref()
    }

    /// Whether made-up cards lack something.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        self.lacking.is_some()
    }

    pub(super) fn checks_headers(&self) -> bool {
        self.checks_headers
    }

    pub(super) fn tells_all(&self) -> bool {
        self.tells_all
    }

    pub(super) fn keeps_play(&self) -> bool {
        self.keeps_play
    }

    pub(super) fn budget(&self) -> Option<u32> {
        self.budget
    }

    /// The default position (`given default`).
    pub(super) fn default(&self) -> Option<&ScenarioDefault> {
        self.default.as_ref()
    }

    /// The names of decisions and options, without the additions of scenarios.
    pub(super) fn answer_names(&self) -> &AnswerNames {
        self.answer_names.get_or_init(|| AnswerNames::of(self.compiler.program()))
    }

    /// Whether the rules declare a choice or an option with this name or label. Perhaps they ask it only under another reading.
    pub(super) fn declares_decision(&self, name: &str) -> bool {
        let heads = self.files.iter().flat_map(|file| &file.items).filter_map(|decl| match &decl.kind {
            DeclKind::Choice(head, _) => Some(head),
            DeclKind::Option(option) => Some(&option.head),
            _ => None,
        });
        let called =
            |head: &Head| fold(&head.name.text) == fold(name) || head.label.as_ref().is_some_and(|label| fold(&label.text) == fold(name));
        heads.into_iter().any(called)
    }

    /// The trees of the rules files.
    pub(super) fn files(&self) -> &[RulesFile] {
        &self.files
    }

    /// The compiled game, without the additions of scenarios.
    pub(super) fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// The number of cards of the pool. Cards with higher numbers are made up by a scenario.
    pub(super) fn made_up(&self) -> usize {
        self.compiler.program().cards.len()
    }

    /// The compiler with the scenario's rules, readings and cards, and whether it has any.
    pub(super) fn prepared(&self, scenario: &Scenario) -> Result<(Compiler, bool), Box<Failure>> {
        let (mut compiler, changed) = self.with_rules(scenario)?;
        let changed = changed || scenario.steps.iter().any(|step| matches!(step, Step::Card(_)));
        let broken = self.add_cards(&mut compiler, scenario).into_iter().next();
        // The game's own files have been checked when the game was loaded.
        let missing =
            || compiler.missing_cards(Some(scenario.span.file)).into_iter().next().map(|finding| overlay::placed(scenario, finding));
        match broken.or_else(|| if changed { missing() } else { None }) {
            Some(first) => Err(first.into()),
            None => Ok((compiler, changed)),
        }
    }

    /// The compiler with the scenario's rules and readings, and whether it has any.
    pub(super) fn with_rules(&self, scenario: &Scenario) -> Result<(Compiler, bool), Box<Failure>> {
        let overlaid = overlay::of(scenario, &self.files, self.compiler.pool(), &self.readings)?;
        let mut readings: Vec<(&Name, String)> = Vec::new();
        for step in &scenario.steps {
            let Step::Reading(name, value) = step else { continue };
            if readings.iter().any(|(known, _)| known.text == name.text) {
                return Err(Diagnostic::error("E0514", name.span).with("name", &name.text).into());
            }
            readings.push((name, written_value(value)));
        }
        let changed = overlaid.is_some() || !readings.is_empty();
        let compiler = match overlaid {
            // Rules that join the game for this scenario are not shared with others.
            Some(game) if readings.is_empty() => game,
            Some(game) => Under::default().readings(&game, &readings)?,
            None if readings.is_empty() => {
                let mut compiler = self.compiler.clone();
                compiler.go_on_from(self.runnable().clone());
                compiler
            }
            None => self.under.readings(&self.compiler, &readings)?,
        };
        Ok((compiler, changed))
    }

    /// Adds the scenario's own cards. Gives the first error of each card that has errors; an unknown `like` goes first, because others may
    /// follow from it. A card with errors is added as far as it is right.
    pub(super) fn add_cards(&self, compiler: &mut Compiler, scenario: &Scenario) -> Vec<Diagnostic> {
        let cards = scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { Some(card) } else { None });
        let first_of = |card: &Arc<CardDecl>| {
            let found = self.add_card(compiler, card);
            let errors = found.into_iter().filter(|finding| finding.severity == Severity::Error);
            let first = errors.min_by_key(|finding| finding.span != card.like.as_ref().map(|like| like.span) || card.like.is_none());
            first.map(|first| self.with_phrase(card, first))
        };
        cards.filter_map(first_of).collect()
    }

    /// The scenario's own cards with their abilities. `texts`: printed texts are read too, which takes long where nothing has read them.
    pub(super) fn own_cards<'s>(&self, scenario: &'s Scenario, texts: bool) -> Vec<(&'s CardDecl, Vec<Ability>)> {
        let cards = scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { Some(card) } else { None });
        let abilities = |card: &CardDecl| match &card.script {
            _ if !card.todos.is_empty() => Vec::new(),
            Some(script) => script.clone(),
            None if texts => {
                let types = self.types_of(&self.compiler, card);
                card.texts.iter().flat_map(|text| self.known_texts.read(&self.wording, text, types.clone()).0.to_vec()).collect()
            }
            None => Vec::new(),
        };
        cards.map(|card| (&**card, abilities(card))).collect()
    }

    /// A machine for a program to which a scenario has added more than cards and readings.
    pub(super) fn machine_of(&self, compiler: &Compiler) -> Machine {
        let program = compiler.finished();
        let program = if self.tells_all { Arc::new(telling_all(&program)) } else { program };
        compiler.as_runnable(program).machine()
    }

    /// A machine for the program without the additions of scenarios. Nothing has begun in it.
    pub(super) fn machine(&self) -> Machine {
        self.runnable().machine()
    }

    fn runnable(&self) -> &Runnable {
        self.runnable.get_or_init(|| Runnable::new(Arc::clone(self.program())))
    }

    /// The types of the card for reading its text: its own, or those of the card that it is like.
    fn types_of(&self, compiler: &Compiler, card: &CardDecl) -> Vec<String> {
        let like = card.like.as_ref().filter(|_| card.of.is_empty()).map(|like| compiler.cards_called(&like.text));
        let program = compiler.program();
        match like.as_deref() {
            Some([like, ..]) => program.types_of(*like).iter().filter_map(|of| program.card_types.get(usize::from(*of)).cloned()).collect(),
            _ => self.wording.types_of(card),
        }
    }

    /// The texts of a card that a scenario makes up, as they stand on this card. A card like another made-up card has no types here.
    pub fn printed_on<'c>(&self, card: &'c CardDecl) -> impl Iterator<Item = Printed> + use<'c> {
        let types = self.types_of(&self.compiler, card);
        card.texts.iter().map(move |text| Printed { text: text.text.as_str().into(), types: types.clone() })
    }

    fn with_phrase(&self, card: &CardDecl, finding: Diagnostic) -> Diagnostic {
        let holds = |text: &&Text| finding.span.is_some_and(|span| text.span.start <= span.start && span.end <= text.span.end);
        match card.texts.iter().find(holds).filter(|_| self.says_phrases) {
            Some(text) => self.wording.with_phrase(text, finding),
            None => finding,
        }
    }

    /// Adds a card. If it has a text and a script, the text counts, and the script is compared with it.
    fn add_card(&self, compiler: &mut Compiler, card: &CardDecl) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut abilities: Vec<Ability> = Vec::new();
        for text in card.texts.iter().filter(|_| card.todos.is_empty()) {
            let types = self.types_of(compiler, card);
            if let Some(texts) = &self.texts
                && let Some(read) = texts.get(&Printed { text: text.text.as_str().into(), types: types.clone() })
            {
                abilities.extend(read.iter().cloned());
                continue;
            }
            let (said, findings) = self.known_texts.read(&self.wording, text, types);
            found.extend(findings.iter().cloned());
            abilities.extend(said.iter().cloned());
        }
        match &card.script {
            _ if !card.todos.is_empty() => found.extend(script_of_todo(card)),
            Some(script) if card.texts.is_empty() => abilities.clone_from(script),
            Some(script) => found.extend(compiler.differs(card, &abilities, script)),
            None => {}
        }
        let of_scripts = match &self.lacking {
            Some(lacking) => {
                let card = lacking.card(card, compiler);
                compiler.add_card(&card, &lacking.abilities(abilities)).1
            }
            None => compiler.add_card(card, &abilities).1,
        };
        found.extend(of_scripts.into_iter().map(|finding| unread(finding, &card.texts)));
        found
    }

    /// Findings about declarations that are added to the game's rules.
    pub(super) fn findings_in_rules(&self, file: FileId, source: &str) -> Vec<Diagnostic> {
        let (read, mut found) = parse_rules(file, &format!("gyoji 1\n{source}\n"));
        let files: Vec<RulesFile> = self.files.iter().cloned().chain([read]).collect();
        found.extend(Compiler::new(&files).1);
        found.extend(Wording::new(&files).1);
        found
    }

    /// Findings about cards that are added to the pool.
    pub(super) fn findings_in_cards(&self, compiler: &Compiler, file: FileId, source: &str) -> Vec<Diagnostic> {
        let (read, mut found) = parse_cards(file, &format!("gyoji 1\ncards {}\n{source}\n", compiler.program().name));
        let mut compiler = compiler.clone();
        for card in &read.items {
            found.extend(self.add_card(&mut compiler, card));
        }
        found.extend(compiler.missing_cards(None));
        found
    }

    /// Findings about a deck file.
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

/// A reading's value as written.
#[must_use]
pub fn written_value(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Text(text) => text.clone(),
        ExprKind::Bool(truth) => truth.to_string(),
        _ => String::new(),
    }
}
