//! All breaks of a game's rules, and the broken game.
//!
//! A game is prepared once: which templates each printed text uses, and its reading. A broken game is then compiled from the existing
//! trees. Only texts with a broken template are read again; all texts are, if printed labels are exchanged. Nothing is run here.

use super::break_decl::Left;
use super::breaker::{Breaker, Reach, Site};
use super::kind::Kind;
use compile::{Compiler, has_errors};
use engine::program::Program;
use lang::diagnostic::{FileId, Sources, Span};
use lang::syntax::ast::{self, Ability, CardDecl, Decl, DeclKind, Head, ReadingChoices, RulesFile, Text, WordingItem};
use project::{Game, LoadedCard, SHARED, fnv1a};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use scenario::rulebook::Rulebook;
use scenario::{Ground, Lacking, Printed, ReadTexts};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use wording::{Reading, Rescripted, Wording};

/// The most statements between two decisions of a broken game: far more than a correct game takes, few enough to be quick.
pub(super) const BUDGET: u32 = 20_000;
/// The most statements between two decisions for scenarios about long runs, which need more than `BUDGET` even with the original rules.
pub(super) const LONG_BUDGET: u32 = 10 * BUDGET;

/// A break: one way to break the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The place, and the kind of break.
    pub site: Site,
    /// All rules that are broken: the rules of everything around the place, and the rules of names that the place uses and that have only a
    /// declaration.
    pub rules: BTreeSet<String>,
    file: usize,
    item: usize,
    nth: usize,
}

impl Mutant {
    /// The key of the break in a stored list: file, place and kind, and a number if several breaks agree in these.
    #[must_use]
    pub fn key(&self, sources: &Sources) -> String {
        let name = sources.get(self.site.span.file).map_or("", |source| &source.name);
        format!("{}:{}:{}:{}", file_name(name), self.site.span.start, self.site.kind.word(), self.nth)
    }
}

fn file_name(name: &str) -> &str {
    name.trim_matches(['<', '>']).rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A shared template that the game repeats to add its own rules. Both are one template.
#[derive(Clone, Copy, Debug)]
struct Twin {
    /// The game's own template.
    own: Span,
    /// The shared template.
    shared: Span,
    /// The place of the shared template in the trees.
    place: (usize, usize, usize),
}

/// A game prepared for breaking.
#[derive(Clone, Debug)]
pub struct Bench<'g> {
    game: &'g Game,
    book: Option<Rulebook>,
    /// For each printed text, the templates that it uses.
    templates: BTreeMap<String, Vec<Span>>,
    twins: Vec<Twin>,
    abilities: Arc<ReadTexts>,
    /// The texts of the game's cards.
    on_cards: FxHashSet<Printed>,
    /// The cards with the abilities of their texts.
    pool: Vec<Arc<(CardDecl, Vec<Ability>)>>,
    /// The game's rules, compiled; used when only a template is broken. Below, the rules with the game's cards, if all cards compile.
    rules: Compiler,
    with_cards: Option<Compiler>,
}

impl<'g> Bench<'g> {
    /// Prepares a game. `made_up`: texts of cards that scenarios make up.
    #[must_use]
    pub fn new(game: &'g Game, book: Option<Rulebook>, made_up: impl IntoIterator<Item = Printed>) -> Self {
        let on_card = |card: &'g LoadedCard| {
            let types = game.wording.types_of(&card.decl);
            card.decl.texts.iter().map(move |text| Printed { text: text.text.as_str().into(), types: types.clone() })
        };
        let on_cards: FxHashSet<Printed> = game.cards.iter().flat_map(on_card).collect();
        let mut texts: Vec<Printed> = on_cards.iter().cloned().chain(made_up).collect();
        texts.sort();
        texts.dedup();
        let readings: Vec<_> = texts.into_par_iter().map(|text| (read(&game.wording, &text), text)).collect();
        let (rules, pool) = (Compiler::new(&game.files).0, Vec::new());
        let (templates, abilities) = (BTreeMap::new(), Arc::default());
        let mut bench = Self { game, book, templates, twins: Vec::new(), abilities, on_cards, pool, rules, with_cards: None };
        bench.twins = bench.all_twins();
        let mut abilities = ReadTexts::default();
        for (reading, text) in readings {
            let used = bench.templates_in(&reading);
            bench.templates.entry(text.text.to_string()).or_default().extend(used);
            // If the text cannot be read, this is reported elsewhere.
            if !has_errors(&reading.diagnostics) {
                abilities.insert(text, reading.abilities.into());
            }
        }
        bench.pool = game.cards.iter().map(|card| Arc::new((card.decl.clone(), card.abilities.clone()))).collect();
        bench.with_cards = with_cards(bench.rules.clone(), bench.pool.iter().cloned());
        bench.abilities = Arc::new(abilities);
        bench
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The unbroken game, for runs beside broken ones.
    #[must_use]
    pub fn whole(&self) -> Ground {
        let ground = Ground::new(self.game.compiler.clone(), Arc::clone(&self.game.wording), Arc::clone(&self.game.files));
        self.with_book(ground).with_texts(Arc::clone(&self.abilities))
    }

    /// The unbroken game, compiled in the same way as broken ones. A broken game with the same [`Ground::fingerprint`] is equal to it.
    #[must_use]
    pub fn unbroken(&self) -> Ground {
        let compiler = self.with_cards.as_ref().unwrap_or(&self.game.compiler).clone();
        Ground::new(compiler, Arc::clone(&self.game.wording), Arc::clone(&self.game.files))
    }

    fn with_book(&self, ground: Ground) -> Ground {
        match &self.book {
            Some(book) => ground.with_rulebook(book.clone()),
            None => ground,
        }
    }

    /// Every break of the game's own rules. The standard modules belong to other games too and are left out.
    #[must_use]
    pub fn mutants(&self) -> Vec<Mutant> {
        self.places().into_iter().filter(|mutant| mutant.site.kind != Kind::Always).collect()
    }

    /// Each condition of the game's own rules and templates, broken so that it is always true. The conditions of a shared frame are left
    /// out, because they belong to other games too. This also applies where the frame is filled in with the game's words.
    #[must_use]
    pub fn conditions(&self) -> Vec<Mutant> {
        let is_own = |mutant: &Mutant| mutant.site.kind == Kind::Always && self.is_own(mutant.site.span.file);
        self.places().into_iter().filter(is_own).collect()
    }

    fn places(&self) -> Vec<Mutant> {
        let bare = self.only_declared();
        let mut mutants = Vec::new();
        for (file, tree) in self.game.files.iter().enumerate() {
            for (item, decl) in tree.items.iter().enumerate().filter(|(_, decl)| self.is_own(decl.span.file)) {
                let mut breaker = Breaker::listing();
                breaker.decl(&mut decl.as_ref().clone());
                let sites = breaker.sites.into_iter().enumerate();
                mutants.extend(sites.map(|(nth, site)| Mutant { rules: self.rules_of(&site, &bare), site, file, item, nth }));
            }
        }
        mutants
    }

    fn decls(&self) -> impl Iterator<Item = &'g Decl> {
        self.game.files.iter().flat_map(|file| &file.items).map(AsRef::as_ref)
    }

    /// The declarations of the game's own files.
    pub(crate) fn own_decls(&self) -> impl Iterator<Item = &Decl> {
        self.decls().filter(|decl| self.is_own(decl.span.file))
    }

    /// The declarations of the standard modules.
    pub(crate) fn shared_decls(&self) -> impl Iterator<Item = &Decl> {
        self.decls().filter(|decl| !self.is_own(decl.span.file))
    }

    /// Whether the game repeats a shared template to add its own rules.
    #[must_use]
    pub(crate) fn is_said_again(&self, shared: Span) -> bool {
        self.twins.iter().any(|twin| twin.shared == shared)
    }

    /// Whether a file belongs to the game: to its own folder, or to a folder that variants of the game share. The standard modules do not.
    fn is_own(&self, file: FileId) -> bool {
        let folder = self.game.sources.get(file).and_then(|source| Path::new(source.name.trim_start_matches('<')).parent());
        !folder.is_some_and(|folder| folder.ends_with(SHARED))
    }

    /// Names that have only a declaration (a choice, a moment and so on), each with the rules of its declaration. A break of their uses
    /// counts as a break of these rules.
    fn only_declared(&self) -> FxHashMap<&str, Vec<String>> {
        let bare = self.decls().filter(|decl| {
            matches!(
                decl.kind,
                DeclKind::Choice(..)
                    | DeclKind::Moment(_)
                    | DeclKind::Cause(_)
                    | DeclKind::Duration(..)
                    | DeclKind::State { .. }
                    | DeclKind::Pool(..)
                    | DeclKind::AbilityKind(_)
            )
        });
        let heads = bare.filter_map(|decl| decl.kind.head());
        heads.map(|head| (head.name.text.as_str(), head.cites.iter().map(|cite| cite.id.clone()).collect())).collect()
    }

    fn rules_of(&self, site: &Site, bare: &FxHashMap<&str, Vec<String>>) -> BTreeSet<String> {
        let text = self.game.sources.text(site.part_of);
        let words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
        let used = words.filter_map(|word| bare.get(word)).flatten();
        site.under.iter().chain(used).cloned().collect()
    }

    /// The templates that read a card's printed text.
    #[must_use]
    pub(crate) fn templates_of(&self, text: &str) -> Vec<Span> {
        let parts = std::iter::once(text).chain(text.split('\n'));
        let known: Vec<Span> = parts.filter_map(|part| self.templates.get(part)).flatten().copied().collect();
        if !known.is_empty() {
            return known;
        }
        let text = Text { text: text.to_owned(), span: Span::default() };
        self.templates_in(&self.game.wording.read(&text))
    }

    fn templates_in(&self, reading: &Reading) -> Vec<Span> {
        let own = |declared: Span| self.twins.iter().find(|twin| twin.shared == declared).map_or(declared, |twin| twin.own);
        let through = |declared: Span| self.game.wording.through(declared).iter().copied();
        reading.phrases.iter().flat_map(|phrase| through(phrase.declared).chain([own(phrase.declared)])).collect()
    }

    fn all_twins(&self) -> Vec<Twin> {
        let own: FxHashMap<String, Span> = self.own_decls().flat_map(items_of).map(|item| (self.said(item.span), item.span)).collect();
        let mut twins = Vec::new();
        for (file, tree) in self.game.files.iter().enumerate() {
            for (decl, found) in tree.items.iter().enumerate() {
                for (at, item) in items_of(found).iter().enumerate() {
                    let twin = own.get(&self.said(item.span)).filter(|own| own.file != item.span.file);
                    twins.extend(twin.map(|own| Twin { own: *own, shared: item.span, place: (file, decl, at) }));
                }
            }
        }
        twins
    }

    /// The text of a template without citations and comments.
    fn said(&self, span: Span) -> String {
        let lines = self.game.sources.text(span).lines().map(|line| line.split("--").next().unwrap_or(""));
        lines.flat_map(str::split_whitespace).filter(|word| !word.starts_with('@')).collect::<Vec<_>>().join(" ")
    }

    /// The broken game. None if it does not compile.
    #[must_use]
    pub fn broken(&self, mutant: &Mutant) -> Option<Ground> {
        let files = self.files_of(mutant)?;
        let (compiler, wording, texts, lacking) = if let Reach::Template(template) = mutant.site.reach {
            let (wording, texts) = self.reworded(&files, (mutant, template))?;
            let read_anew = |text: &str| self.is_read_by(text, template);
            let compiler = match self.game.cards.iter().any(|card| changes(card, read_anew)) {
                true => self.with_texts(self.rules.clone(), &texts, read_anew)?,
                false => self.with_cards.clone()?,
            };
            (compiler, wording, texts, None)
        } else {
            let (rules, found) = Compiler::new(&files);
            if has_errors(&found) {
                return None;
            }
            if self.is_of_labels(mutant) {
                let (wording, texts) = self.relabelled(&files)?;
                (self.with_texts(rules, &texts, |_| true)?, wording, texts, None)
            } else {
                let lacking = self.lacking(mutant);
                let compiler = match &lacking {
                    Some(lacking) => {
                        let without =
                            |card: &(CardDecl, Vec<Ability>)| Arc::new((lacking.card(&card.0, &rules), lacking.abilities(card.1.clone())));
                        let cards: Vec<_> = self.pool.iter().map(|card| without(card)).collect();
                        with_cards(rules, cards)?
                    }
                    None => with_cards(rules, self.pool.iter().cloned())?,
                };
                (compiler, Arc::clone(&self.game.wording), Arc::clone(&self.abilities), lacking)
            }
        };
        let ground = Ground::new(compiler, wording, Arc::new(files)).without_header_check().with_budget(BUDGET);
        let ground = self.with_book(ground).with_texts(texts);
        Some(match lacking {
            Some(lacking) => ground.lacking(lacking),
            None => ground,
        })
    }

    /// These rules with the cards, where the abilities of texts that are `read_anew` come from `texts`. None if a card does not compile.
    fn with_texts(&self, rules: Compiler, texts: &ReadTexts, read_anew: impl Fn(&str) -> bool) -> Option<Compiler> {
        let cards = self.game.cards.iter().zip(&self.pool).map(|(card, known)| match changes(card, &read_anew) {
            true => Arc::new((card.decl.clone(), self.abilities_of(card, texts))),
            false => Arc::clone(known),
        });
        with_cards(rules, cards)
    }

    /// A card's abilities, from its texts as read.
    fn abilities_of(&self, card: &LoadedCard, texts: &ReadTexts) -> Vec<Ability> {
        let types = self.game.wording.types_of(&card.decl);
        let printed = |text: &Text| Printed { text: text.text.as_str().into(), types: types.clone() };
        card.decl.texts.iter().filter_map(|text| texts.get(&printed(text))).flat_map(|read| read.iter()).cloned().collect()
    }

    /// Whether a template reads the text, or a part of the text.
    fn is_read_by(&self, text: &str, template: Span) -> bool {
        self.templates.get(text).is_some_and(|used| used.iter().any(|used| lies_in(*used, template)))
    }

    /// Numbers that stand for the meaning of a game: one for its program under the default readings, and one for each other value of a
    /// reading. They are computed one by one.
    pub fn programs(&self, ground: &Ground) -> impl Iterator<Item = u64> {
        // The hash of the sources does not belong to the meaning.
        let of = |ground: &Ground| fnv1a([format!("{:?}", Program { hash: 0, ..ground.program().as_ref().clone() }).as_str()]);
        let others = self.other_readings().filter_map(|(name, value)| ground.clone().with_reading(name, value).ok());
        std::iter::once_with(move || of(ground)).chain(others.map(move |ground| of(&ground)))
    }

    /// Every value of a reading that is not the default.
    pub(crate) fn other_readings(&self) -> impl Iterator<Item = (&str, &str)> {
        let readings = self.decls().filter_map(|decl| if let DeclKind::Reading(reading) = &decl.kind { Some(reading) } else { None });
        readings.flat_map(|reading| {
            let values = if let ReadingChoices::Names(values) = &reading.choices { values.as_slice() } else { &[] };
            let others = values.iter().filter(|(_, default)| !default);
            others.map(|(value, _)| (reading.head.name.text.as_str(), value.text.as_str()))
        })
    }

    /// The declaration of a reading by name.
    #[must_use]
    pub fn reading(&self, name: &str) -> Option<&ast::Reading> {
        let mut readings = self.decls().filter_map(|decl| if let DeclKind::Reading(reading) = &decl.kind { Some(reading) } else { None });
        readings.find(|reading| reading.head.name.text == name)
    }

    /// If a condition asks only for the default value of a reading: the place of the reading's name.
    #[must_use]
    pub(crate) fn holds_by_default(&self, condition: Span) -> Option<Span> {
        let words: Vec<&str> = self.game.sources.text(condition).split_whitespace().collect();
        let [name, "is", value] = words.as_slice() else { return None };
        let reading = self.reading(name)?;
        let ReadingChoices::Names(values) = &reading.choices else { return None };
        let (default, _) = values.iter().find(|(_, default)| *default)?;
        (default.text == *value).then_some(reading.head.name.span)
    }

    fn files_of(&self, mutant: &Mutant) -> Option<Vec<RulesFile>> {
        let mut files = self.game.files.as_ref().clone();
        let items = &mut files.get_mut(mutant.file)?.items;
        let left = Breaker::breaking(mutant.nth, self.rules.program().players > 2).decl(Arc::make_mut(items.get_mut(mutant.item)?));
        if left == Left::Nothing {
            items.remove(mutant.item);
        }
        if let Reach::Template(template) = mutant.site.reach {
            let broken: Vec<WordingItem> = items
                .get(mutant.item)
                .into_iter()
                .flat_map(|decl| items_of(decl))
                .filter(|item| lies_in(item.span, template))
                .cloned()
                .collect();
            broken.iter().for_each(|item| self.break_twin(&mut files, item));
        }
        Some(files)
    }

    /// If the game repeats a shared template, breaks both. Otherwise the text would have two meanings.
    fn break_twin(&self, files: &mut [RulesFile], broken: &WordingItem) {
        for twin in self.twins.iter().filter(|twin| twin.own == broken.span) {
            let (file, decl, at) = twin.place;
            let shared = files.get_mut(file).and_then(|file| file.items.get_mut(decl));
            if let Some(DeclKind::Wording(wording)) = shared.map(|decl| &mut Arc::make_mut(decl).kind)
                && let Some(item) = Arc::make_mut(wording).items.get_mut(at)
            {
                item.kind = broken.kind.clone();
            }
        }
    }

    /// The broken wording, and the readings of the texts by it.
    fn reworded(&self, files: &[RulesFile], (mutant, template): (&Mutant, Span)) -> Option<(Arc<Wording>, Arc<ReadTexts>)> {
        let wording = match self.rescripted(files, mutant) {
            Rescripted::Done(wording) => wording,
            Rescripted::Wrong => return None,
            Rescripted::Unsure => {
                let (wording, found) = Wording::new(files);
                (!has_errors(&found)).then_some(wording)?
            }
        };
        // A scenario shall notice what the broken script does. The comparison would refuse the text before any scenario is run.
        let wording = wording.without_account();
        let is_broken = |text: &Printed| self.is_read_by(&text.text, template);
        let whole = self.abilities.iter().filter(|(text, _)| !is_broken(text));
        let mut texts: ReadTexts = whole.map(|(text, read)| (text.clone(), Arc::clone(read))).collect();
        // A text that only scenarios print is read when a scenario needs it. Most breaks are noticed by one of the first scenarios.
        for text in self.on_cards.iter().filter(|text| self.abilities.contains_key(*text) && is_broken(text)) {
            let reading = read(&wording, text);
            if has_errors(&reading.diagnostics) {
                return None;
            }
            texts.insert(text.clone(), reading.abilities.into());
        }
        Some((Arc::new(wording), Arc::new(texts)))
    }

    /// Whether the break exchanges printed labels of values, so that printed texts mean something else.
    fn is_of_labels(&self, mutant: &Mutant) -> bool {
        let decl = self.game.files.get(mutant.file).and_then(|file| file.items.get(mutant.item));
        mutant.site.kind == Kind::Swapped && decl.is_some_and(|decl| matches!(decl.kind, DeclKind::Enum(..)))
    }

    /// The wording of broken files, and the readings of all texts by it. None if one of the texts cannot be read.
    fn relabelled(&self, files: &[RulesFile]) -> Option<(Arc<Wording>, Arc<ReadTexts>)> {
        let (wording, found) = Wording::new(files);
        if has_errors(&found) {
            return None;
        }
        let wording = wording.without_account();
        let of = |text: &Printed| {
            let reading = read(&wording, text);
            (!has_errors(&reading.diagnostics)).then(|| (text.clone(), reading.abilities.into()))
        };
        let texts: Option<ReadTexts> = self.abilities.keys().map(of).collect();
        Some((Arc::new(wording), Arc::new(texts?)))
    }

    /// The broken wording, if only one line's script is broken.
    fn rescripted(&self, files: &[RulesFile], mutant: &Mutant) -> Rescripted<Wording> {
        fn lines<'f>(files: &'f [RulesFile], mutant: &Mutant) -> &'f [WordingItem] {
            files.get(mutant.file).and_then(|file| file.items.get(mutant.item)).map_or(&[], |decl| items_of(decl))
        }
        let (before, now) = (lines(&self.game.files, mutant), lines(files, mutant));
        let mut broken = before.iter().zip(now).filter(|(before, now)| before != now);
        match broken.next().filter(|_| before.len() == now.len() && broken.next().is_none()) {
            Some((before, now)) => self.game.wording.with_script(files, before, now),
            None => Rescripted::Unsure,
        }
    }

    /// The things that all cards lack after this break.
    fn lacking(&self, mutant: &Mutant) -> Option<Lacking> {
        let head_here = |head: &Head| head.span == mutant.site.span;
        let decl = self.game.files.get(mutant.file)?.items.get(mutant.item)?;
        match (&decl.kind, mutant.site.kind) {
            (DeclKind::AbilityKind(kind), Kind::Removed) if head_here(&kind.head) => Some(Lacking::Kind(kind.head.name.text.clone())),
            (DeclKind::CardType(head, _), Kind::Blank) if head_here(head) => Some(Lacking::Texts),
            (DeclKind::CardType(_, fields), Kind::Blank) => {
                let field = fields.iter().map(|field| &field.head).find(|head| head_here(head));
                field.map(|head| Lacking::Field(head.name.text.clone()))
            }
            _ => None,
        }
    }
}

/// Whether a card's abilities come from a text that is read anew.
fn changes(card: &LoadedCard, read_anew: impl Fn(&str) -> bool) -> bool {
    card.decl.todos.is_empty() && card.decl.texts.iter().any(|text| read_anew(&text.text))
}

/// Reads a text as it stands on a card.
fn read(wording: &Wording, printed: &Printed) -> Reading {
    wording.read_on(&Text { text: printed.text.to_string(), span: Span::default() }, printed.types.clone())
}

/// Rules with cards. None if one of the cards does not compile.
fn with_cards(mut rules: Compiler, cards: impl IntoIterator<Item = Arc<(CardDecl, Vec<Ability>)>>) -> Option<Compiler> {
    cards.into_iter().all(|card| !has_errors(&rules.add(card).1)).then_some(rules)
}

/// The lines of a wording; empty for other declarations.
fn items_of(decl: &Decl) -> &[WordingItem] {
    if let DeclKind::Wording(wording) = &decl.kind { &wording.items } else { &[] }
}

/// Whether a place lies in another one.
#[must_use]
pub(crate) fn lies_in(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end
}
