//! Makes random texts from the templates. A seed gives the same texts each time.
//!
//! Input: a wording and a seed. Output: lines that its templates print, made from random rules, in the forms that their places ask for.
//! Most lines mean something; some have references to nothing or are ambiguous. [`Generator::readable`] gives only lines that can be read.
//! Tests and benchmarks use the generator for pools of any size. The texts need not make sense for a game.

use super::{GOAL, Reading, Wording};
use crate::declared::grammar::{CategoryId, Grammar, Meaning, Need, Rule, RuleId, Symbol};
use crate::declared::inflect::FormId;
use crate::reading::fold::fold_text;
use engine::random::Generator as Random;
use lang::diagnostic::Span;
use lang::syntax::ast::Text;

/// Numbers as cards print them, small ones more often.
const NUMBERS: [i32; 10] = [1, 1, 1, 2, 2, 3, 4, 5, 10, 1000];

/// Signs for free texts where no declared name is possible.
const SIGNS: [&str; 4] = ["天", "地", "人", "星"];

/// The most attempts at one readable line.
const MOST_ATTEMPTS: usize = 1000;

/// The most pieces of one line; a longer one is given up.
const MOST_PIECES: usize = 400;

/// A seeded source of texts.
#[derive(Clone, Debug)]
pub struct Generator<'a> {
    wording: &'a Wording,
    random: Random,
    /// For each category the rules of its templates, grouped by template.
    rules: Vec<Vec<Vec<RuleId>>>,
    /// For each category the smallest depth of a phrase.
    depths: Vec<usize>,
    /// Declared labels, as names for free signs.
    names: Vec<String>,
    pieces: usize,
}

impl<'a> Generator<'a> {
    /// A source of texts of this wording.
    #[must_use]
    pub fn new(wording: &'a Wording, seed: u64) -> Self {
        let grammar = &wording.grammar;
        let mut rules: Vec<Vec<Vec<RuleId>>> = vec![Vec::new(); grammar.categories.len()];
        let mut last = None;
        let mut names = Vec::new();
        let readable = |(_, rule): &(RuleId, &Rule)| !matches!(rule.meaning, Meaning::Unclear(_));
        for (id, rule) in (0..).map(RuleId).zip(grammar.rules.iter()).filter(readable) {
            let Some(own) = rules.get_mut(rule.category.0 as usize) else { continue };
            let template = if let Meaning::Template(template) = rule.meaning { Some((rule.category, template)) } else { None };
            match own.last_mut() {
                Some(group) if template.is_some() && template == last => group.push(id),
                _ => own.push(vec![id]),
            }
            last = template;
            if let Meaning::Label(name) = &rule.meaning {
                names.push(name.clone());
            }
        }
        let depths = depths(grammar);
        Generator { wording, random: Random::new(seed), rules, depths, names, pieces: 0 }
    }

    /// A line whose phrases are nested about `depth` deep at most. None if no template prints one.
    pub fn line(&mut self, depth: usize) -> Option<String> {
        let goal = self.wording.grammar.category(GOAL).filter(|_| !self.wording.rings)?;
        self.pieces = 0;
        self.phrase(goal, None, depth)
    }

    /// A line of at most this many signs that can be read, with its reading. None if no attempt succeeds.
    pub fn readable(&mut self, depth: usize, signs: usize) -> Option<(String, Reading)> {
        for _ in 0..MOST_ATTEMPTS {
            let Some(line) = self.line(depth).filter(|line| line.chars().count() <= signs) else { continue };
            let span = Span { start: 0, end: line.len() as u32, ..Span::default() };
            let reading = self.wording.read(&Text { text: line.clone(), span });
            if reading.diagnostics.is_empty() && !reading.abilities.is_empty() {
                return Some((line, reading));
            }
        }
        None
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u32) as usize
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let index = self.below(all.len());
        all.get(index).cloned()
    }

    fn phrase(&mut self, category: CategoryId, form: Option<FormId>, depth: usize) -> Option<String> {
        let grammar = &self.wording.grammar;
        self.pieces += 1;
        if self.pieces > MOST_PIECES {
            return None;
        }
        let groups = self.rules.get(category.0 as usize)?.clone();
        // Several attempts, because not every rule has every form.
        for _ in 0..6 {
            let fits = |group: &&Vec<RuleId>| {
                let rule = group.first().and_then(|id| grammar.rule(*id));
                rule.is_some_and(|rule| depth_of(rule, &self.depths).is_some_and(|own| own <= depth.max(self.least(category))))
            };
            let shallow: Vec<Vec<RuleId>> = groups.iter().filter(fits).cloned().collect();
            let group = self.one_of(&shallow)?;
            let Some(rule) = self.one_of(&group).and_then(|id| grammar.rule(id)) else { continue };
            if let Some(text) = self.printed(rule, form, depth.saturating_sub(1)) {
                return Some(text);
            }
        }
        None
    }

    fn least(&self, category: CategoryId) -> usize {
        self.depths.get(category.0 as usize).copied().unwrap_or(usize::MAX)
    }

    fn printed(&mut self, rule: &Rule, form: Option<FormId>, depth: usize) -> Option<String> {
        let grammar = &self.wording.grammar;
        let has_head = rule.symbols.iter().any(Symbol::is_head);
        if !has_head && rule.form.is_some() && form.is_some() && rule.form != form {
            return None;
        }
        let mut text = String::new();
        for (at, symbol) in rule.symbols.iter().enumerate() {
            match symbol {
                Symbol::Sign(sign) => match rule.unfolded(at) {
                    Some(signs) => text.push_str(signs),
                    None => text.push(*sign),
                },
                Symbol::Choice(texts) => text.extend(self.one_of(texts)?),
                Symbol::Word(words) => {
                    let word = self.one_of(&words.of).and_then(|word| grammar.words.get(word))?;
                    let wanted = self.wanted(&words.need, form)?;
                    let surface = word.surfaces.iter().find(|surface| wanted.is_none_or(|wanted| surface.form == wanted))?;
                    text.extend(word.stem.iter().chain(&surface.ending));
                }
                Symbol::Category(category, need) => {
                    let wanted = self.wanted(need, form)?;
                    text.push_str(&self.phrase(*category, wanted, depth)?);
                }
                Symbol::Numeral => text.push_str(&grammar.numerals.write(self.one_of(&NUMBERS)?)),
                Symbol::Free(until, as_name) => {
                    let names = if *as_name && !self.names.is_empty() && self.below(2) == 0 { self.names.clone() } else { Vec::new() };
                    let signs = self.one_of(&names).or(self.one_of(&SIGNS).map(str::to_owned))?;
                    if fold_text(&signs).iter().any(|sign| until.contains(sign)) {
                        return None;
                    }
                    text.push_str(&signs);
                }
            }
        }
        Some(text)
    }

    /// A form that fits a place. The outer `None` means that none fits.
    fn wanted(&mut self, need: &Need, form: Option<FormId>) -> Option<Option<FormId>> {
        match need {
            Need::Any => Some(None),
            Need::Own => Some(form),
            Need::OneOf(forms) => self.one_of(forms).map(Some),
            Need::Under(pairs) => {
                let fitting: Vec<FormId> =
                    pairs.iter().filter(|(_, rest)| form.is_none_or(|form| *rest == form)).map(|(whole, _)| *whole).collect();
                self.one_of(&fitting).map(Some)
            }
        }
    }
}

/// The smallest depth of a rule's phrases, its own level included. None while it is not known.
fn depth_of(rule: &Rule, depths: &[usize]) -> Option<usize> {
    let inner = rule.symbols.iter().map(|symbol| match symbol {
        Symbol::Category(category, _) => depths.get(category.0 as usize).copied().unwrap_or(usize::MAX),
        _ => 0,
    });
    inner.max().unwrap_or(0).checked_add(1)
}

fn depths(grammar: &Grammar) -> Vec<usize> {
    let mut depths = vec![usize::MAX; grammar.categories.len()];
    // Each round finds the depth of at least one more category.
    for _ in 0..=depths.len() {
        for rule in grammar.rules.iter().filter(|rule| !matches!(rule.meaning, Meaning::Unclear(_))) {
            let Some(depth) = depth_of(rule, &depths) else { continue };
            if let Some(own) = depths.get_mut(rule.category.0 as usize) {
                *own = depth.min(*own);
            }
        }
    }
    depths
}
