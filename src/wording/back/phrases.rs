//! Finds the phrases for each part of a script: every template that fits, with the phrases that fill its holes.
//!
//! This is a chart over the script. For each part and category it holds the phrases of that category whose meaning is that part. Each is
//! found once and shared. A template is woven with its parts, as in reading, and kept only if the result is the part again, apart from
//! references. So the search for candidates may be generous. Forms of words and signs are chosen in `say.rs`.

use super::matching::{Fit, Over, unwrapped};
use super::templates::{Filler, Forms, Sayable, Templates};
use super::term::{BLOCK, Term, expr, term};
use super::unbind::{Names, followed, pulled_out};
use crate::declared::grammar::{CategoryId, Grammar, RuleId, ScriptKind, Symbol, TemplateDef};
use crate::script::weave::{Meaning, weave};
use lang::diagnostic::Span;
use lang::syntax::ast::{Arg, Expr, ExprKind, Fragment, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The most ways to print one meaning.
const MOST_WAYS: usize = 24;

/// The most phrases around an ability that put values into its slots, for example a name, a limit or an attribute.
const MOST_WORDS_FOR_SLOTS: usize = 3;

/// The most weavings for one script. A real one takes some hundred.
const MOST_WEAVINGS: usize = 20_000;

/// The rank of a reference that means the text's own card, counted in templates. References to other things are preferred.
const AFAR: u32 = 100;

/// The rank of a template that is `one_way`, counted in templates. Other templates are preferred.
const ONE_WAY: u32 = 1_000;

/// The rank of a way: its number of templates with holes, its kind, and the place of its declaration. The smallest rank is the normal way.
type Rank = (u32, u8, u32);

/// The kinds of ways, best first: joining two phrases or standing before one; a level; an overriding template (the game's own words); any
/// other template of the category.
const JOINS: u8 = 0;
const LEVEL: u8 = 1;
const OVERRIDES: u8 = 2;
const OTHER: u8 = 3;

/// The filling of a hole.
#[derive(Clone, Debug)]
pub(super) enum Filled {
    /// A phrase. The other phrases mean the same there and refer by other words.
    Phrase(Rc<Phrase>, Phrases),
    /// A number.
    Number(i32),
    /// Signs as they are.
    Signs(Rc<str>),
}

/// One way to print a meaning: rules that take the same phrases.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The rules. The first one with the wanted form counts.
    pub rules: Rc<[RuleId]>,
    /// The holes.
    pub holes: Vec<(String, Filled)>,
    /// The way's rank among other ways.
    pub rank: Rank,
}

/// A meaning with the ways to print it.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    /// What the phrase means.
    pub meaning: Rc<Meaning>,
    /// The meaning as a term.
    woven: Term,
    /// The ways, the normal one first.
    pub ways: Vec<Way>,
}

impl Phrase {
    fn rank(&self) -> Rank {
        self.ways.first().map_or((u32::MAX, 0, 0), |way| way.rank)
    }
}

/// Phrases with the same meaning.
pub(super) type Phrases = Rc<Vec<Rc<Phrase>>>;

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// Enough for nearly all texts.
    Usual,
    /// Also phrases that do nothing, and references to the text's own card.
    Rare,
    /// Also many different references: more meanings for each part, and any owner.
    Wide,
}

impl Search {
    /// The most different meanings of one part that are kept. `hand(you)` and `hand(whose(it))` are two meanings.
    fn most_phrases(self) -> usize {
        if self == Search::Wide { 48 } else { 8 }
    }
}

/// The chart of one script.
pub(super) struct Chart<'a> {
    grammar: &'a Grammar,
    templates: &'a Templates,
    names: Names,
    /// The values that phrases may have put into slots of the ability, by slot. For a list, each value too.
    handed: Vec<(String, Term)>,
    search: Search,
    found: FxHashMap<(CategoryId, Term), Phrases>,
    passed: FxHashMap<(CategoryId, Term), Phrases>,
    open: FxHashSet<(CategoryId, Term)>,
    constants: FxHashMap<CategoryId, Phrases>,
    weavings: usize,
}

impl<'a> Chart<'a> {
    /// An empty chart for a script with these names. Phrases may have put these values into the ability's slots.
    pub(super) fn new(
        grammar: &'a Grammar,
        templates: &'a Templates,
        (names, handed): (Names, Vec<(String, Term)>),
        search: Search,
    ) -> Self {
        let (found, passed, open, constants) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Chart { grammar, templates, names, handed, search, found, passed, open, constants, weavings: 0 }
    }

    /// Whether the search was given up. Later results do not count.
    fn given_up(&self) -> bool {
        self.weavings > MOST_WEAVINGS
    }

    /// The phrases of a category for this part, the normal one first.
    pub(super) fn phrases(&mut self, category: CategoryId, script: &Term) -> Phrases {
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

    /// Whether the ability has a value in this slot that a phrase may have put there.
    /// Takes the members of a slot's list that a phrase hands over out of the list. Gives whether nothing is left.
    fn is_all_handed(&self, slot: &mut Arg) -> bool {
        let Some(name) = slot.name.as_ref().filter(|name| self.is_handed(&name.text)) else { return false };
        let ExprKind::List(members) = &mut slot.value.kind else { return true };
        members.retain(|member| !self.handed.iter().any(|(of, value)| *of == name.text && *value == expr(member)));
        members.is_empty()
    }

    fn is_handed(&self, slot: &str) -> bool {
        self.handed.iter().any(|(name, _)| name == slot)
    }

    /// The phrases of a category for this part, with words around them that put the ability's values into its slots, for example its name: the one
    /// with most of these words first.
    pub(super) fn with_words_for_slots(&mut self, category: CategoryId, script: &Term) -> Phrases {
        let mut found = self.phrases(category, script);
        let templates = self.templates;
        let passing = templates.passing.get(category.0 as usize).into_iter().flatten();
        let hands = |template: &&Sayable| !template.hands.is_empty() && template.hands.iter().all(|(slot, _)| self.is_handed(slot));
        let handing: Vec<&Sayable> = passing.filter(hands).collect();
        for _ in 0..handing.len().min(MOST_WORDS_FOR_SLOTS) {
            let mut all = Vec::new();
            for template in &handing {
                self.by_one(template, script, script, &mut all);
            }
            let more = closed(all, self.search.most_phrases());
            if more.is_empty() {
                break;
            }
            found = more.iter().chain(found.iter()).cloned().collect::<Vec<_>>().into();
            self.found.insert((category, script.clone()), Rc::clone(&found));
        }
        found
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

    /// Adds to each phrase the ways in which a template of a lower level passes the phrase on, for example with 自分は. Some places need these
    /// words, because otherwise the sentence would continue the sentence before it.
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

    /// The phrases of a category that pass on a phrase of another category, for a hole that accepts no other.
    fn passed_on(&mut self, category: CategoryId, script: &Term) -> Phrases {
        let Some(passing) = self.templates.passing.get(category.0 as usize).filter(|passing| !passing.is_empty()) else {
            return Rc::default();
        };
        let key = (category, script.clone());
        if let Some(passed) = self.passed.get(&key) {
            return Rc::clone(passed);
        }
        // Marked first, because passing on may lead back here.
        self.passed.insert(key.clone(), Rc::default());
        let mut all = Vec::new();
        self.by(Some(passing), script, script, &mut all);
        let passed = closed(all, self.search.most_phrases());
        self.passed.insert(key, Rc::clone(&passed));
        passed
    }

    fn by(&mut self, templates: Option<&'a Vec<Sayable>>, script: &Term, whole: &Term, all: &mut Vec<Phrase>) {
        for template in templates.into_iter().flatten() {
            self.by_one(template, script, whole, all);
        }
    }

    fn by_one(&mut self, template: &'a Sayable, script: &Term, whole: &Term, all: &mut Vec<Phrase>) {
        let fits = self.fits(template, script);
        let Some(def) = self.grammar.template(template.id).filter(|_| !fits.is_empty()) else { return };
        for forms in &template.forms {
            for fit in &fits {
                self.by_forms(def, forms, fit, whole, all);
            }
        }
    }

    /// The ways in which a template's script fits, with its values for slots. Slots without a value in the ability are not checked.
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

    /// The phrases of a template with each combination of fillings for its holes.
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
        // A made-up place, because the names of two phrases must differ.
        let at = self.weavings as u32;
        let Ok(mut meaning) = weave(self.grammar, def, &holes, Span { start: at, end: at, ..Span::default() }) else { return };
        // Values for slots stand in no script that is compared here. They are checked when the text is read again.
        meaning.hands.clear();
        if let Fragment::Ability(ability) = &mut meaning.script {
            ability.slots.retain_mut(|slot| !self.is_all_handed(slot));
        }
        let woven = followed(&term(&meaning.script));
        if !self.over().agrees(&woven, whole) {
            return;
        }
        let joins = forms.holes.iter().any(|(hole, _)| hole == "second" || hole == "rest");
        let inner = chosen.iter().map(|(filled, _)| if let Filled::Phrase(phrase, _) = filled { phrase.rank().0 } else { 0 });
        // A form that no card prints costs one more template.
        let own = u32::from(!chosen.is_empty()) + u32::from(forms.unprinted) + if fit.names_this() { AFAR } else { 0 };
        let own = own + if def.one_way { ONE_WAY } else { 0 };
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
            // A phrase that only names an owner does not stand in the script.
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

    /// Whether free signs end where the hole ends.
    fn ends_at(&self, forms: &Forms, signs: &str) -> bool {
        let rule = forms.rules.first().and_then(|rule| self.grammar.rule(*rule));
        let free = rule
            .into_iter()
            .flat_map(|rule| &rule.symbols)
            .find_map(|symbol| if let Symbol::Free(until, _) = symbol { Some(until) } else { None });
        let folded = super::super::fold_text(signs);
        !folded.is_empty() && free.is_some_and(|until| !folded.windows(until.len().max(1)).any(|window| window == until.as_slice()))
    }

    /// The phrases of a category without holes.
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

/// Each of these phrases as a filling.
fn filled(phrases: &Phrases) -> Vec<(Filled, Rc<Meaning>)> {
    let one = |phrase: &Rc<Phrase>| (Filled::Phrase(Rc::clone(phrase), Rc::clone(phrases)), Rc::clone(&phrase.meaning));
    phrases.iter().map(one).collect()
}

/// A value without a place.
fn value(kind: ExprKind) -> Rc<Meaning> {
    let script = Fragment::Value(Expr { kind, span: Span::default() });
    Rc::new(Meaning { script, gives: Vec::new(), hands: Vec::new(), cites: Vec::new(), unclear: None, size: 1 })
}

/// Adds a way to the phrase with this meaning.
fn join(all: &mut Vec<Phrase>, meaning: &Rc<Meaning>, woven: &Term, way: Way) {
    match all.iter_mut().find(|phrase| phrase.woven == *woven) {
        Some(phrase) => phrase.ways.push(way),
        None => all.push(Phrase { meaning: Rc::clone(meaning), woven: woven.clone(), ways: vec![way] }),
    }
}

/// Phrases and their ways in order, the normal one first.
fn closed(mut all: Vec<Phrase>, most: usize) -> Phrases {
    for phrase in &mut all {
        phrase.ways.sort_by_key(|way| way.rank);
        phrase.ways.truncate(MOST_WAYS);
    }
    all.sort_by_key(Phrase::rank);
    all.truncate(most);
    Rc::new(all.into_iter().map(Rc::new).collect())
}
