//! The grammar that a wording compiles to: rules over signs, words and categories, with forms as features.
//!
//! Takes nothing of the surface but the scripts of templates; gives the chart what it needs at each sign. Deliberately
//! absent: how a rule was declared (`lower`), and what its script becomes (`weave`).

use super::fold::takes;
use super::inflect::{FormId, Forms, Word};
use crate::diagnostic::Span;
use crate::syntax::ast::{Cite, Fragment, Gives};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CategoryId(pub u16);

/// Number of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RuleId(pub u32);

/// Number of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TemplateId(pub u32);

/// What a category's scripts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScriptKind {
    Value,
    Statements,
    Clauses,
    Ability,
    Event,
    Amount,
}

/// A category.
#[derive(Clone, Debug)]
pub(super) struct CategoryDef {
    /// What its scripts are.
    pub of: ScriptKind,
    /// It has forms.
    pub inflected: bool,
    /// Its phrases are declared labels, not templates.
    pub labels: bool,
}

/// Which forms a symbol admits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It has none, or any will do.
    Any,
    /// Any; the rule's own form is this one's.
    Own,
    /// One of these.
    OneOf(Vec<FormId>),
    /// Any form under a voice; the rule's own form is what follows the voice (of 受身 た it is た).
    Under(Vec<(FormId, FormId)>),
}

impl Need {
    /// Whether a form is admitted.
    pub fn admits(&self, form: Option<FormId>) -> bool {
        match self {
            Need::Any | Need::Own => true,
            Need::OneOf(forms) => form.is_some_and(|form| forms.contains(&form)),
            Need::Under(pairs) => pairs.iter().any(|(whole, _)| Some(*whole) == form),
        }
    }

    /// The form of a rule after a part of this need in some form; `before` when the part is not its head.
    pub fn own(&self, form: Option<FormId>, before: Option<FormId>) -> Option<FormId> {
        match self {
            Need::Own => form,
            Need::Under(pairs) => pairs.iter().find(|(whole, _)| Some(*whole) == form).map(|(_, rest)| *rest),
            Need::Any | Need::OneOf(_) => before,
        }
    }
}

/// What stands at one place of a rule.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// One sign, folded.
    Sign(char),
    /// One of these texts, folded; an empty one may be left out.
    Choice(Vec<Vec<char>>),
    /// A phrase of a category.
    Category(CategoryId, Need),
    /// A form of one of these words.
    Word(Vec<usize>, Need),
    /// A number.
    Numeral,
    /// Free signs up to these: a text, or a name (`symbol`).
    Free(Vec<char>, bool),
}

/// A rule: one printed form of a template, a level, or a label.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// What it is one of.
    pub category: CategoryId,
    /// What it consists of.
    pub symbols: Vec<Symbol>,
    /// For each symbol the hole that it fills.
    pub holes: Vec<Option<String>>,
    /// What it means.
    pub meaning: Meaning,
    /// The form that it has without a head.
    pub form: Option<FormId>,
    /// Where it fits, rules that are not overriding do not count.
    pub overrides: bool,
    /// The signs that it can begin with; none when any.
    pub first: Option<FxHashSet<char>>,
}

/// What a rule means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A template's script.
    Template(TemplateId),
    /// What its only part means (levels).
    Same,
    /// A declared name.
    Label(String),
}

/// A template as the weaver needs it.
#[derive(Clone, Debug)]
pub(super) struct TemplateDef {
    /// Its first printed form, as written.
    pub shown: String,
    /// Its script.
    pub script: Fragment,
    /// What it gives.
    pub gives: Vec<Gives>,
    /// The rules beside it.
    pub cites: Vec<Cite>,
    /// Where it is declared.
    pub span: Span,
}

/// Signs of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numerals {
    /// Sign and its value, zero to nine.
    pub digits: FxHashMap<char, i32>,
    /// Sign and what it multiplies by.
    pub units: FxHashMap<char, i32>,
}

impl Numerals {
    /// The number that begins `signs`, with its length; none when there is none or it is too large.
    pub fn read(&self, signs: &[char]) -> Option<(i32, usize)> {
        let length = signs.iter().take_while(|sign| self.digits.contains_key(sign) || self.units.contains_key(sign)).count();
        let (mut total, mut part, mut pending): (i32, i32, Option<i32>) = (0, 0, None);
        for sign in signs.iter().take(length) {
            if let Some(digit) = self.digits.get(sign) {
                pending = Some(pending.unwrap_or(0).checked_mul(10)?.checked_add(*digit)?);
            } else if let Some(unit) = self.units.get(sign) {
                if *unit >= 10_000 {
                    let whole = part.checked_add(pending.take().unwrap_or(0))?.max(1);
                    total = total.checked_add(whole.checked_mul(*unit)?)?;
                    part = 0;
                } else {
                    part = part.checked_add(pending.take().unwrap_or(1).checked_mul(*unit)?)?;
                }
            }
        }
        (length > 0).then_some(())?;
        Some((total.checked_add(part)?.checked_add(pending.unwrap_or(0))?, length))
    }
}

/// A compiled wording.
#[derive(Clone, Debug, Default)]
pub(super) struct Grammar {
    /// Categories by name.
    pub categories: IndexMap<String, CategoryDef>,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Templates.
    pub templates: Vec<TemplateDef>,
    /// Words that inflect.
    pub words: Vec<Word>,
    /// Signs of numbers.
    pub numerals: Numerals,
    /// Declared zones.
    pub zones: FxHashSet<String>,
    /// The forms.
    pub forms: Forms,
    /// For each category its rules by first sign, and those that any sign may begin.
    pub starts: Vec<Starts>,
}

/// The rules of a category by what they begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    by_sign: FxHashMap<char, Vec<RuleId>>,
    any: Vec<RuleId>,
}

impl Starts {
    /// The rules that can begin with a sign.
    pub fn rules(&self, sign: char) -> impl Iterator<Item = RuleId> {
        let minus = takes('-', sign) && sign != '-';
        let signs = [Some(sign), minus.then_some('-')];
        signs.into_iter().flatten().filter_map(|sign| self.by_sign.get(&sign)).flatten().chain(&self.any).copied()
    }
}

impl Grammar {
    /// The rule.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.0 as usize)
    }

    /// The template.
    pub fn template(&self, id: TemplateId) -> Option<&TemplateDef> {
        self.templates.get(id.0 as usize)
    }

    /// The category of a name.
    pub fn category(&self, name: &str) -> Option<CategoryId> {
        self.categories.get_index_of(name).map(|index| CategoryId(index as u16))
    }

    /// What a category is.
    pub fn category_def(&self, id: CategoryId) -> Option<(&str, &CategoryDef)> {
        self.categories.get_index(id.0 as usize).map(|(name, def)| (name.as_str(), def))
    }

    /// Computes with which signs rules can begin, and sorts them by these. To be called once, when all rules are there.
    pub fn close(&mut self) {
        let firsts = self.category_firsts();
        let own: Vec<_> = self.rules.iter().map(|rule| self.rule_first(rule, &firsts)).collect();
        self.starts = vec![Starts::default(); self.categories.len()];
        for (index, (rule, first)) in self.rules.iter_mut().zip(own).enumerate() {
            let Some(starts) = self.starts.get_mut(rule.category.0 as usize) else { continue };
            let id = RuleId(index as u32);
            match &first {
                None => starts.any.push(id),
                Some(signs) => {
                    let mut sorted: Vec<char> = signs.iter().copied().collect();
                    sorted.sort_unstable();
                    sorted.into_iter().for_each(|sign| starts.by_sign.entry(sign).or_default().push(id));
                }
            }
            rule.first = first;
        }
    }

    /// The least sets of first signs: repeated until nothing grows.
    fn category_firsts(&self) -> Vec<Option<FxHashSet<char>>> {
        let mut firsts: Vec<Option<FxHashSet<char>>> = vec![Some(FxHashSet::default()); self.categories.len()];
        loop {
            let mut grown = false;
            for rule in &self.rules {
                let first = self.rule_first(rule, &firsts);
                let Some(slot) = firsts.get_mut(rule.category.0 as usize) else { continue };
                match (slot.as_mut(), first) {
                    (None, _) => {}
                    (Some(_), None) => {
                        *slot = None;
                        grown = true;
                    }
                    (Some(signs), Some(more)) => {
                        let before = signs.len();
                        signs.extend(more);
                        grown |= signs.len() > before;
                    }
                }
            }
            if !grown {
                return firsts;
            }
        }
    }

    fn rule_first(&self, rule: &Rule, firsts: &[Option<FxHashSet<char>>]) -> Option<FxHashSet<char>> {
        let mut all = FxHashSet::default();
        for symbol in &rule.symbols {
            let mut may_be_left_out = false;
            match symbol {
                Symbol::Sign(sign) => _ = all.insert(*sign),
                Symbol::Choice(texts) => {
                    may_be_left_out = texts.iter().any(Vec::is_empty);
                    all.extend(texts.iter().filter_map(|text| text.first()));
                }
                Symbol::Category(category, _) => all.extend(firsts.get(category.0 as usize)?.as_ref()?),
                Symbol::Word(words, _) => {
                    for word in words.iter().filter_map(|word| self.words.get(*word)) {
                        match word.stem.first() {
                            Some(sign) => _ = all.insert(*sign),
                            None => all.extend(word.surfaces.iter().filter_map(|surface| surface.ending.first())),
                        }
                    }
                }
                Symbol::Numeral => all.extend(self.numerals.digits.keys().chain(self.numerals.units.keys())),
                Symbol::Free(..) => return None,
            }
            if !may_be_left_out {
                break;
            }
        }
        Some(all)
    }
}
