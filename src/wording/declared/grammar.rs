//! The compiled grammar of a wording: rules over signs, words and categories. Forms are features.
//!
//! The grammar holds everything that the chart needs at each sign. It does not know how a rule was declared (`lower.rs`), nor what becomes
//! of a rule's script (`script/weave.rs`).

use crate::declared::inflect::{FormId, Forms, Word};
use crate::reading::fold::{begins, takes};
use crate::reading::states::States;
use engine::state::shared::Shared;
use indexmap::IndexMap;
use lang::diagnostic::Span;
use lang::syntax::ast::{Arg, Cite, Fragment, Gives};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::sync::Arc;

/// Number of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CategoryId(pub u16);

/// Number of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RuleId(pub u32);

/// Number of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TemplateId(pub u32);

/// The kind of a category's scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScriptKind {
    Value,
    Statements,
    Clauses,
    Ability,
    Event,
    Amount,
}

/// A category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CategoryDef {
    /// The kind of the category's scripts.
    pub of: ScriptKind,
    /// Whether the category has forms.
    pub inflected: bool,
    /// Whether all phrases of the category in one text are printed alike, because they stand for one thing.
    pub alike: bool,
    /// Whether the phrases of the category are declared labels instead of templates.
    pub labels: bool,
}

/// The forms that a symbol allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The symbol has no form, or any form is allowed.
    Any,
    /// Any form. The rule gets the form of this part.
    Own,
    /// One of these.
    OneOf(Box<[FormId]>),
    /// Any form under a voice. The rule gets the form after the voice (た for 受身 た).
    Under(Box<[(FormId, FormId)]>),
}

impl Need {
    /// Whether a form is allowed.
    pub(crate) fn admits(&self, form: Option<FormId>) -> bool {
        match self {
            Need::Any | Need::Own => true,
            Need::OneOf(forms) => form.is_some_and(|form| forms.contains(&form)),
            Need::Under(pairs) => pairs.iter().any(|(whole, _)| Some(*whole) == form),
        }
    }

    /// The form of a rule after a part with this need. `before` is the rule's form so far; it stays if the part is not the head.
    pub(crate) fn own(&self, form: Option<FormId>, before: Option<FormId>) -> Option<FormId> {
        match self {
            Need::Own => form,
            Need::Under(pairs) => pairs.iter().find(|(whole, _)| Some(*whole) == form).map(|(_, rest)| *rest),
            Need::Any | Need::OneOf(_) => before,
        }
    }
}

/// One symbol of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// One sign, folded.
    Sign(char),
    /// One of these folded texts. An empty one means that the symbol may be left out.
    Choice(Box<[Vec<char>]>),
    /// A phrase of a category.
    Category(CategoryId, Need),
    /// A form of one of these words.
    Word(Box<Words>),
    /// A number.
    Numeral,
    /// Free signs up to these signs: a text, or (`true`) a name (`symbol`).
    Free(Vec<char>, bool),
}

impl Symbol {
    /// The forms that the symbol allows. None if the symbol has no forms.
    pub(crate) fn need(&self) -> Option<&Need> {
        match self {
            Symbol::Category(_, need) => Some(need),
            Symbol::Word(words) => Some(&words.need),
            Symbol::Sign(_) | Symbol::Choice(_) | Symbol::Numeral | Symbol::Free(..) => None,
        }
    }

    /// Whether the rule gets its form from this symbol.
    pub(crate) fn is_head(&self) -> bool {
        matches!(self.need(), Some(Need::Own | Need::Under(_)))
    }
}

/// Words of which one stands here, in one of the allowed forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// The words, by number.
    pub of: Vec<usize>,
    /// The allowed forms.
    pub need: Need,
}

/// A rule: one printed form of a template, a level, or a label.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// The category of the phrase.
    pub category: CategoryId,
    /// The rule's symbols in order.
    pub symbols: Vec<Symbol>,
    /// The holes, each with the number of its symbol. Most symbols are signs without a hole.
    pub holes: Vec<(u16, String)>,
    /// The meaning.
    pub meaning: Meaning,
    /// The form of a rule without a head.
    pub form: Option<FormId>,
    /// Whether rules that do not override are ignored in places that this rule fits.
    pub overrides: bool,
    /// The symbols that print other signs than they match (another width): the number of the symbol, and the signs. For a choice, the first
    /// text.
    pub printed: Vec<(u16, String)>,
}

impl Rule {
    /// The hole of a symbol.
    pub(crate) fn hole(&self, symbol: usize) -> Option<&str> {
        self.holes.iter().find(|(at, _)| *at as usize == symbol).map(|(_, hole)| hole.as_str())
    }

    /// The symbols, each with its hole.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&Symbol, Option<&str>)> {
        self.symbols.iter().enumerate().map(|(at, symbol)| (symbol, self.hole(at)))
    }

    /// The holes, each with its symbol.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (&Symbol, &str)> {
        self.holes.iter().filter_map(|(at, hole)| Some((self.symbols.get(*at as usize)?, hole.as_str())))
    }

    /// The printed signs of a symbol, if they differ from the matched ones.
    pub(crate) fn unfolded(&self, symbol: usize) -> Option<&str> {
        self.printed.iter().find(|(at, _)| *at as usize == symbol).map(|(_, signs)| signs.as_str())
    }
}

/// The meaning of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A template's script.
    Template(TemplateId),
    /// The meaning of its only part (levels).
    Same,
    /// A declared name.
    Label(String),
    /// Refused: nobody can say what it means.
    Unclear(UnclearId),
}

/// A phrase that is refused where it is printed.
#[derive(Clone, Debug)]
pub(crate) struct UnclearDef {
    /// Why the phrase is refused.
    pub because: String,
    /// Where the refused phrase is declared.
    pub span: Span,
}

/// A phrase that is refused, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnclearId(pub u32);

/// A template with everything that weaving needs.
#[derive(Clone, Debug)]
pub(crate) struct TemplateDef {
    /// The category of the template's phrases.
    pub category: CategoryId,
    /// The template's first printed form, as written.
    pub shown: String,
    /// The template's script.
    pub script: Fragment,
    /// Whether the template is printed back only where no other template has a text.
    pub one_way: bool,
    /// The things that the template gives to later phrases.
    pub gives: Vec<Gives>,
    /// The card types on which it may stand. Empty: all.
    pub of: Vec<String>,
    /// Values that the template puts into slots of the ability around it.
    pub hands: Vec<Arg>,
    /// The rules beside the template.
    pub cites: Vec<Cite>,
    /// Where the template is declared.
    pub span: Span,
}

/// Signs of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numerals {
    /// Signs for zero to nine, with their values.
    pub digits: FxHashMap<char, i32>,
    /// Signs of units, with their factors.
    pub units: FxHashMap<char, i32>,
    /// The digits in which numbers are printed: the ones declared first.
    pub printed: Vec<char>,
}

impl Numerals {
    /// The number at the beginning of `signs`, with its length. None if there is no number, if it is too large, if its units do not
    /// decrease (`1万2345万`, `十百`), or if too many digits stand around a unit (`12十`, `百500`).
    pub(crate) fn read(&self, signs: &[char]) -> Option<(i32, usize)> {
        let length = signs.iter().take_while(|sign| self.digits.contains_key(sign) || self.units.contains_key(sign)).count();
        let (mut total, mut part, mut pending): (i32, i32, Option<i32>) = (0, 0, None);
        let (mut great, mut small) = (i32::MAX, MYRIAD);
        for sign in signs.iter().take(length) {
            if let Some(digit) = self.digits.get(sign) {
                pending = Some(pending.unwrap_or(0).checked_mul(10)?.checked_add(*digit)?);
            } else if let Some(unit) = self.units.get(sign) {
                if *unit >= MYRIAD {
                    (*unit < great && pending.is_none_or(|pending| pending < small)).then_some(())?;
                    let whole = part.checked_add(pending.take().unwrap_or(0))?.max(1);
                    total = total.checked_add(whole.checked_mul(*unit)?)?;
                    (part, great, small) = (0, *unit, MYRIAD);
                } else {
                    (*unit < small && pending.is_none_or(|pending| (1..10).contains(&pending))).then_some(())?;
                    part = part.checked_add(pending.take().unwrap_or(1).checked_mul(*unit)?)?;
                    small = *unit;
                }
            }
        }
        (length > 0).then_some(())?;
        // Without a unit any number of digits is allowed. After a unit the number must be smaller than the unit.
        let behind = great < i32::MAX || part > 0;
        (!behind || pending.is_none_or(|pending| pending < small)).then_some(())?;
        Some((total.checked_add(part)?.checked_add(pending.unwrap_or(0))?, length))
    }
}

impl Numerals {
    /// A number in the printed digits.
    pub(crate) fn write(&self, number: i32) -> String {
        let digit = |sign: char| sign.to_digit(10).and_then(|digit| self.printed.get(digit as usize)).copied().unwrap_or(sign);
        number.to_string().chars().map(digit).collect()
    }
}

/// Units from this size on multiply everything before them.
const MYRIAD: i32 = 10_000;

/// A compiled wording.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grammar {
    /// Categories by name.
    pub(crate) categories: IndexMap<String, CategoryDef, FxBuildHasher>,
    /// Rules.
    pub rules: Shared<Vec<Rule>>,
    /// Templates.
    pub templates: Vec<Arc<TemplateDef>>,
    /// The declared types of card, each with its label.
    pub card_types: Vec<(String, Option<String>)>,
    /// Phrases that are refused.
    pub unclear: Vec<UnclearDef>,
    /// Words that inflect.
    pub words: Shared<Vec<Word>>,
    /// Signs of numbers.
    pub numerals: Numerals,
    /// Declared zones.
    pub zones: FxHashSet<String>,
    /// The forms.
    pub forms: Shared<Forms>,
    /// The rules, joined into states for the chart.
    pub states: Shared<States>,
}

impl Grammar {
    /// The declared name of a card type with this name or label.
    pub(crate) fn card_type(&self, word: &str) -> Option<&str> {
        let found = self.card_types.iter().find(|(name, label)| name == word || label.as_deref() == Some(word));
        found.map(|(name, _)| name.as_str())
    }

    /// Whether a rule may stand on cards of one of these types.
    pub(crate) fn is_said_on(&self, rule: RuleId, types: &[String]) -> bool {
        let Some(Meaning::Template(id)) = self.rule(rule).map(|rule| &rule.meaning) else { return true };
        let of = self.template(*id).map_or(&[][..], |template| &template.of);
        of.is_empty() || of.iter().any(|of| types.contains(of))
    }
}

impl Grammar {
    /// The rule.
    pub(crate) fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.rules.get(id.0 as usize)
    }

    /// The template.
    pub(crate) fn template(&self, id: TemplateId) -> Option<&Arc<TemplateDef>> {
        self.templates.get(id.0 as usize)
    }

    /// The refused phrase.
    pub(crate) fn unclear(&self, id: UnclearId) -> Option<&UnclearDef> {
        self.unclear.get(id.0 as usize)
    }

    /// The category with this name.
    pub(crate) fn category(&self, name: &str) -> Option<CategoryId> {
        self.categories.get_index_of(name).map(|index| CategoryId(index as u16))
    }

    /// The name and definition of a category.
    pub(crate) fn category_def(&self, id: CategoryId) -> Option<(&str, &CategoryDef)> {
        self.categories.get_index(id.0 as usize).map(|(name, def)| (name.as_str(), def))
    }

    /// Whether the text can begin with a symbol, judged by its first signs.
    pub(crate) fn can_begin(&self, symbol: &Symbol, text: &[char]) -> bool {
        let Some(next) = text.first() else { return matches!(symbol, Symbol::Choice(texts) if texts.iter().any(Vec::is_empty)) };
        match symbol {
            Symbol::Sign(sign) => takes(*sign, *next),
            Symbol::Choice(texts) => texts.iter().any(|choice| begins(text, choice)),
            Symbol::Category(category, _) => self.states.can_begin(*category, *next),
            Symbol::Word(words) => words.of.iter().filter_map(|word| self.words.get(*word)).any(|word| text.starts_with(&word.stem)),
            Symbol::Numeral => self.numerals.digits.contains_key(next) || self.numerals.units.contains_key(next),
            Symbol::Free(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numerals;

    #[test]
    fn a_number_is_written_as_numbers_are() {
        let digits = "0123456789〇一二三四五六七八九".chars().zip((0..10).cycle());
        let units = [('十', 10), ('百', 100), ('千', 1000), ('万', 10_000), ('億', 100_000_000)];
        let numerals = Numerals { digits: digits.collect(), units: units.into_iter().collect(), printed: Vec::new() };
        let rows = [
            ("3枚", Some((3, 1))),
            ("20000", Some((20_000, 5))),
            ("十", Some((10, 1))),
            ("二十三", Some((23, 3))),
            ("五千六百", Some((5600, 4))),
            ("1万2345", Some((12_345, 6))),
            ("12万", Some((120_000, 3))),
            ("千万", Some((10_000_000, 2))),
            ("二億三千万四", Some((230_000_004, 6))),
            ("1万2345万", None),
            ("一億二億", None),
            ("1万23456", None),
            ("百十千", None),
            ("十二十", None),
            ("12十", None),
            ("百500", None),
            ("十12万", None),
            ("〇十", None),
            ("99999999999", None),
            ("枚", None),
        ];
        for (written, expected) in rows {
            assert_eq!(numerals.read(&written.chars().collect::<Vec<_>>()), expected, "{written}");
        }
    }
}
