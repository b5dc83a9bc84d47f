//! The phrases that say a part of a script: every template that fits it, with the phrases that fill its holes.
//!
//! A chart over the script, read the other way: for each part and category the phrases of that category whose meaning is that
//! part, each found once and shared. What a template makes of its parts is woven as when a text is read, and kept only if it is
//! the part again, references aside; so the way back can be as generous as it likes in finding candidates.
//! Deliberately absent: forms of words and signs (`say`).

use super::super::grammar::{CategoryId, Grammar, RuleId, ScriptKind, Symbol, TemplateDef};
use super::super::weave::{Meaning, weave};
use super::matching::{Fit, Over, unwrapped};
use super::templates::{Filler, Forms, Sayable, Templates};
use super::term::{BLOCK, Term, term};
use super::unbind::{Names, followed, pulled_out};
use crate::diagnostic::Span;
use crate::syntax::ast::{Expr, ExprKind, Fragment, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Ways to print one meaning that are kept.
const MOST_WAYS: usize = 24;

/// Weavings for one script; a real one takes some hundred.
const MOST_WEAVINGS: usize = 20_000;

/// So many templates is it worth not to refer to the text's own card as to something else.
const AFAR: u32 = 100;

/// How many templates with holes a way takes, what kind it is, and where it was declared: the least is the normal one.
type Rank = (u32, u8, u32);

/// What joins two phrases, or stands before one, comes before what is one phrase, and that before templates of the category's own, of which those that
/// override others are a game's own words.
const JOINS: u8 = 0;
const LEVEL: u8 = 1;
const OVERRIDES: u8 = 2;
const OTHER: u8 = 3;

/// What stands in a hole.
#[derive(Clone, Debug)]
pub(super) enum Filled {
    /// A phrase, among those that say the same there and refer by other words.
    Phrase(Rc<Phrase>, Phrases),
    /// A number.
    Number(i32),
    /// Signs as they are.
    Signs(Rc<str>),
}

/// One way to print a meaning: rules that take the same phrases.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The rules, the first one counts unless it has not the form that is wanted.
    pub rules: Rc<[RuleId]>,
    /// The holes.
    pub holes: Vec<(String, Filled)>,
    /// Its place among others.
    pub rank: Rank,
}

/// A meaning and the ways to print it.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    /// What it means.
    pub meaning: Rc<Meaning>,
    /// The same as a term.
    woven: Term,
    /// How to print it, the normal one first.
    pub ways: Vec<Way>,
}

impl Phrase {
    fn rank(&self) -> Rank {
        self.ways.first().map_or((u32::MAX, 0, 0), |way| way.rank)
    }
}

/// Phrases that say one thing.
pub(super) type Phrases = Rc<Vec<Rc<Phrase>>>;

/// How far the search for phrases goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// What nearly all texts need.
    Usual,
    /// What few do: phrases that do nothing, and references to the card of the text.
    Rare,
    /// What is referred to in ways that are many: more meanings of each part, and whosever it was said to be.
    Wide,
}

impl Search {
    /// Different meanings of one part that are kept: `hand(you)` and `hand(whose(it))` are two.
    fn most_phrases(self) -> usize {
        if self == Search::Wide { 48 } else { 8 }
    }
}

/// The chart of one script.
pub(super) struct Chart<'a> {
    grammar: &'a Grammar,
    templates: &'a Templates,
    names: Names,
    /// What phrases may have handed up to the ability, by the name of its slot: each value of a list too.
    handed: Vec<(String, Term)>,
    search: Search,
    found: FxHashMap<(CategoryId, Term), Phrases>,
    passed: FxHashMap<(CategoryId, Term), Phrases>,
    open: FxHashSet<(CategoryId, Term)>,
    constants: FxHashMap<CategoryId, Phrases>,
    weavings: usize,
}

impl<'a> Chart<'a> {
    /// An empty chart for a script with these names, whose ability phrases may have handed these values.
    pub fn new(grammar: &'a Grammar, templates: &'a Templates, (names, handed): (Names, Vec<(String, Term)>), search: Search) -> Self {
        let (found, passed, open, constants) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Chart { grammar, templates, names, handed, search, found, passed, open, constants, weavings: 0 }
    }

    /// Whether the search was given up: what would still be found does not count.
    fn given_up(&self) -> bool {
        self.weavings > MOST_WEAVINGS
    }

    /// The phrases of a category that say this, the normal one first.
    pub fn phrases(&mut self, category: CategoryId, script: &Term) -> Phrases {
        let key = (category, script.clone());
        if let Some(found) = self.found.get(&key) {
            return Rc::clone(found);
        }
        if self.given_up() || !self.open.insert(key.clone()) {
            return Rc::default();
        }
        let mut all = Vec::new();
        self.by_templates(category, script, script, &mut all);
        if let Term::Row(BLOCK, statements) = script {
            let rare = self.search == Search::Rare;
            let mut other = pulled_out(statements, rare);
            while let Some(statements) = other {
                self.by_templates(category, &Term::row(BLOCK, statements.clone()), script, &mut all);
                other = pulled_out(&statements, rare);
            }
        }
        self.by_levels(category, script, &mut all);
        if self.search != Search::Usual {
            self.with_words_added(category, &mut all);
        }
        self.open.remove(&key);
        let found = closed(all, self.search.most_phrases());
        self.found.insert(key, Rc::clone(&found));
        found
    }

    fn over(&self) -> Over<'_> {
        let (rare, anybodys) = (self.search == Search::Rare, self.search == Search::Wide);
        Over { names: &self.names, classes: &self.templates.classes, rare, anybodys }
    }

    fn by_levels(&mut self, category: CategoryId, script: &Term, all: &mut Vec<Phrase>) {
        let templates = self.templates;
        for (rule, below) in templates.levels.get(category.0 as usize).into_iter().flatten() {
            let phrases = self.phrases(*below, script);
            for phrase in phrases.iter() {
                let holes = vec![(String::new(), Filled::Phrase(Rc::clone(phrase), Rc::clone(&phrases)))];
                let way = Way { rules: Rc::from([*rule]), holes, rank: (phrase.rank().0, LEVEL, rule.0) };
                join(all, &phrase.meaning, &phrase.woven, way);
            }
        }
    }

    fn by_templates(&mut self, category: CategoryId, script: &Term, whole: &Term, all: &mut Vec<Phrase>) {
        if let Term::Name(name) = script
            && let Some(rule) = self.templates.labels.get(&(category, name.to_string()))
        {
            let meaning = value(ExprKind::Name(Name { text: name.to_string(), span: Span::default() }));
            join(all, &meaning, script, Way { rules: Rc::from([*rule]), holes: Vec::new(), rank: (0, LEVEL, rule.0) });
        }
        self.by(self.templates.of.get(category.0 as usize), script, whole, all);
    }

    /// To each phrase the ways in which a template of a level below it passes it on: 自分は, where what stands before would else be about another.
    fn with_words_added(&self, category: CategoryId, all: &mut [Phrase]) {
        let templates = self.templates;
        let none = Phrases::default();
        for (level, below) in templates.levels.get(category.0 as usize).into_iter().flatten() {
            let passing = templates.passing.get(below.0 as usize).into_iter().flatten().flat_map(|template| &template.forms);
            for forms in passing {
                let ([(hole, Filler::Phrase(inner))], Some(first)) = (forms.holes.as_slice(), forms.rules.first()) else { continue };
                if *inner != category {
                    continue;
                }
                for phrase in all.iter_mut() {
                    let taken = phrase.ways.iter().map(|way| way.rank.0).min().unwrap_or(0).saturating_add(1);
                    let holes = vec![(hole.clone(), Filled::Phrase(Rc::new(phrase.clone()), Rc::clone(&none)))];
                    let way = Way { rules: forms.rules.as_slice().into(), holes, rank: (taken, OTHER, first.0) };
                    let longer = Phrase { meaning: Rc::clone(&phrase.meaning), woven: phrase.woven.clone(), ways: vec![way] };
                    let holes = vec![(String::new(), Filled::Phrase(Rc::new(longer), Rc::clone(&none)))];
                    phrase.ways.push(Way { rules: Rc::from([*level]), holes, rank: (taken, LEVEL, level.0) });
                }
            }
        }
    }

    /// The phrases of a category that say this by passing another category's phrase on: for a hole that takes no other.
    fn passed_on(&mut self, category: CategoryId, script: &Term) -> Phrases {
        let Some(passing) = self.templates.passing.get(category.0 as usize).filter(|passing| !passing.is_empty()) else {
            return Rc::default();
        };
        let key = (category, script.clone());
        if let Some(passed) = self.passed.get(&key) {
            return Rc::clone(passed);
        }
        // What is passed on may be passed on round to here.
        self.passed.insert(key.clone(), Rc::default());
        let mut all = Vec::new();
        self.by(Some(passing), script, script, &mut all);
        let passed = closed(all, self.search.most_phrases());
        self.passed.insert(key, Rc::clone(&passed));
        passed
    }

    fn by(&mut self, templates: Option<&'a Vec<Sayable>>, script: &Term, whole: &Term, all: &mut Vec<Phrase>) {
        for template in templates.into_iter().flatten() {
            let fits = self.fits(template, script);
            let Some(def) = self.grammar.template(template.id).filter(|_| !fits.is_empty()) else { continue };
            for forms in &template.forms {
                for fit in &fits {
                    self.by_forms(def, forms, fit, whole, all);
                }
            }
        }
    }

    /// The ways in which a template's script fits, with what it hands up. What the ability was not handed it is not asked for.
    fn fits(&self, template: &Sayable, script: &Term) -> Vec<Fit> {
        let over = self.over();
        let mut ways: Vec<Vec<(&Term, &Term)>> = vec![Vec::new()];
        for (slot, hand) in &template.hands {
            let values: Vec<&Term> = self.handed.iter().filter(|(name, _)| name == slot).map(|(_, value)| value).collect();
            if values.is_empty() {
                continue;
            }
            let before = std::mem::take(&mut ways);
            for value in values {
                ways.extend(before.iter().map(|way| way.iter().copied().chain([(hand, value)]).collect::<Vec<_>>()));
            }
        }
        ways.iter().flat_map(|hands| over.fits(&template.script, script, hands)).collect()
    }

    /// The phrases that a template makes with each combination of what can fill its holes.
    fn by_forms(&mut self, def: &TemplateDef, forms: &Forms, fit: &Fit, whole: &Term, all: &mut Vec<Phrase>) {
        let mut fillings: Vec<Vec<(Filled, Rc<Meaning>)>> = Vec::new();
        for (hole, filler) in &forms.holes {
            let can = self.fillings(fit.hole(hole), *filler, forms);
            if can.is_empty() {
                return;
            }
            fillings.push(can);
        }
        let mut taken = vec![0_usize; fillings.len()];
        loop {
            let chosen: Vec<&(Filled, Rc<Meaning>)> = fillings.iter().zip(&taken).filter_map(|(can, taken)| can.get(*taken)).collect();
            self.weave(def, forms, fit, &chosen, whole, all);
            let next = taken.iter_mut().zip(&fillings).find_map(|(taken, can)| {
                *taken += 1;
                if *taken < can.len() {
                    return Some(());
                }
                *taken = 0;
                None
            });
            if next.is_none() || self.given_up() {
                return;
            }
        }
    }

    fn weave(
        &mut self,
        def: &TemplateDef,
        forms: &Forms,
        fit: &Fit,
        chosen: &[&(Filled, Rc<Meaning>)],
        whole: &Term,
        all: &mut Vec<Phrase>,
    ) {
        self.weavings += 1;
        let holes: Vec<(String, Rc<Meaning>)> =
            forms.holes.iter().zip(chosen).map(|((hole, _), (_, meaning))| (hole.clone(), Rc::clone(meaning))).collect();
        // No place, but one of its own: the names of two phrases must differ.
        let at = self.weavings as u32;
        let Ok(mut meaning) = weave(self.grammar, def, &holes, Span { start: at, end: at, ..Span::default() }) else { return };
        // What it hands up stands in no script that is laid over the ability's; whether it is the same is seen when the text is read.
        meaning.hands.clear();
        let woven = followed(&term(&meaning.script));
        if !self.over().agrees(&woven, whole) {
            return;
        }
        let joins = forms.holes.iter().any(|(hole, _)| hole == "second" || hole == "rest");
        let inner = chosen.iter().map(|(filled, _)| if let Filled::Phrase(phrase, _) = filled { phrase.rank().0 } else { 0 });
        // What no card prints is said by something that cards print, where that is but one template more.
        let own = u32::from(!chosen.is_empty()) + u32::from(forms.unprinted) + if fit.names_this() { AFAR } else { 0 };
        let taken = inner.fold(own, u32::saturating_add);
        let first = forms.rules.first().copied();
        let overrides = first.and_then(|rule| self.grammar.rule(rule)).is_some_and(|rule| rule.overrides);
        let kind = if joins {
            JOINS
        } else if overrides {
            OVERRIDES
        } else {
            OTHER
        };
        let rank = (taken, kind, first.map_or(0, |rule| rule.0));
        let holes = forms.holes.iter().zip(chosen).map(|((hole, _), (filled, _))| (hole.clone(), filled.clone())).collect();
        join(all, &Rc::new(meaning), &woven.unmarked(), Way { rules: forms.rules.as_slice().into(), holes, rank });
    }

    fn fillings(&mut self, script: Option<&Term>, filler: Filler, forms: &Forms) -> Vec<(Filled, Rc<Meaning>)> {
        match (filler, script.map(unwrapped)) {
            (Filler::Phrase(category), Some(inner)) => {
                let of = self.grammar.category_def(category).map(|(_, def)| def.of);
                let inner = if of == Some(ScriptKind::Amount) { script.unwrap_or(inner) } else { inner };
                let mut phrases = self.phrases(category, inner);
                if phrases.is_empty() && self.search != Search::Usual {
                    phrases = self.passed_on(category, inner);
                }
                filled(&phrases)
            }
            // What only says whose something is does not stand in the script.
            (Filler::Phrase(category), None) => {
                let phrases = self.constants(category);
                filled(&phrases)
            }
            (Filler::Number, Some(Term::Number(number))) if *number >= 0 => {
                vec![(Filled::Number(*number), value(ExprKind::Number(*number)))]
            }
            (Filler::Signs(true), Some(Term::Name(name))) if self.ends_at(forms, name) => {
                let meant = Name { text: name.to_string(), span: Span::default() };
                vec![(Filled::Signs(Rc::clone(name)), value(ExprKind::Name(meant)))]
            }
            (Filler::Signs(false), Some(Term::Text(text))) if self.ends_at(forms, text) => {
                vec![(Filled::Signs(Rc::clone(text)), value(ExprKind::Text(text.to_string())))]
            }
            _ => Vec::new(),
        }
    }

    /// Whether free signs end where the hole does.
    fn ends_at(&self, forms: &Forms, signs: &str) -> bool {
        let rule = forms.rules.first().and_then(|rule| self.grammar.rule(*rule));
        let free = rule
            .into_iter()
            .flat_map(|rule| &rule.symbols)
            .find_map(|symbol| if let Symbol::Free(until, _) = symbol { Some(until) } else { None });
        let folded = super::super::fold_text(signs);
        !folded.is_empty() && free.is_some_and(|until| !folded.windows(until.len().max(1)).any(|window| window == until.as_slice()))
    }

    /// The phrases of a category that take no others.
    fn constants(&mut self, category: CategoryId) -> Phrases {
        if let Some(known) = self.constants.get(&category) {
            return Rc::clone(known);
        }
        let mut all = Vec::new();
        let templates = self.templates;
        for template in templates.of.get(category.0 as usize).into_iter().flatten() {
            for forms in template.forms.iter().filter(|forms| forms.holes.is_empty()) {
                if let Some(def) = self.grammar.template(template.id) {
                    self.by_forms(def, forms, &Fit::default(), &template.script, &mut all);
                }
            }
        }
        let found = closed(all, self.search.most_phrases());
        self.constants.insert(category, Rc::clone(&found));
        found
    }
}

/// Each of these phrases in a hole.
fn filled(phrases: &Phrases) -> Vec<(Filled, Rc<Meaning>)> {
    let one = |phrase: &Rc<Phrase>| (Filled::Phrase(Rc::clone(phrase), Rc::clone(phrases)), Rc::clone(&phrase.meaning));
    phrases.iter().map(one).collect()
}

/// A value without a place.
fn value(kind: ExprKind) -> Rc<Meaning> {
    let script = Fragment::Value(Expr { kind, span: Span::default() });
    Rc::new(Meaning { script, gives: Vec::new(), hands: Vec::new(), cites: Vec::new(), unclear: None })
}

/// Adds a way to the phrase of this meaning.
fn join(all: &mut Vec<Phrase>, meaning: &Rc<Meaning>, woven: &Term, way: Way) {
    match all.iter_mut().find(|phrase| phrase.woven == *woven) {
        Some(phrase) => phrase.ways.push(way),
        None => all.push(Phrase { meaning: Rc::clone(meaning), woven: woven.clone(), ways: vec![way] }),
    }
}

/// Phrases and their ways, the normal one first.
fn closed(mut all: Vec<Phrase>, most: usize) -> Phrases {
    for phrase in &mut all {
        phrase.ways.sort_by_key(|way| way.rank);
        phrase.ways.truncate(MOST_WAYS);
    }
    all.sort_by_key(Phrase::rank);
    all.truncate(most);
    Rc::new(all.into_iter().map(Rc::new).collect())
}
