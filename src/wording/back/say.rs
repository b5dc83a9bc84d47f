//! A phrase in signs: each word in the form that its place asks for.
//!
//! Takes phrases found for a script, the form that is wanted and what shall be said in another way than the normal one; gives a
//! text. Deliberately absent: whether a text is read as that script again; that is tried with the whole.

use super::super::grammar::{Grammar, Need, Rule, RuleId, Symbol};
use super::super::inflect::FormId;
use super::phrases::{Filled, Phrase, Way};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Ways and rules that say a phrase in a form: the numbers of the ways, the normal one first.
type Ways = Rc<Vec<(usize, RuleId)>>;

/// Which of the places of a text, where it could be said in several ways, is not said in the normal one. Places are counted from
/// the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    /// The place, and which of its ways is taken.
    other: Option<(usize, usize)>,
    /// How many places have been passed.
    pub places: usize,
}

impl Turn {
    /// All places said in the normal way.
    pub fn none() -> Self {
        Turn::default()
    }

    /// One place said in another way, where it has so many.
    pub fn at(place: usize, way: usize) -> Self {
        Turn { other: Some((place, way)), places: 0 }
    }

    /// Which of so many ways is taken here.
    fn of(&mut self, ways: usize) -> usize {
        let here = self.places;
        self.places += 1;
        self.other.filter(|(place, way)| *place == here && *way < ways).map_or(0, |(_, way)| way)
    }
}

/// Says phrases; how each can be said is remembered.
pub(super) struct Speaker<'a> {
    grammar: &'a Grammar,
    ways: FxHashMap<(*const Phrase, Option<FormId>), Ways>,
}

impl<'a> Speaker<'a> {
    /// For one grammar.
    pub fn new(grammar: &'a Grammar) -> Self {
        Speaker { grammar, ways: FxHashMap::default() }
    }

    /// A phrase in a form, if it has one.
    pub fn say(&mut self, phrase: &Rc<Phrase>, form: Option<FormId>, turn: &mut Turn) -> Option<String> {
        let ways = self.ways(phrase, form);
        let (number, id) = *ways.get(turn.of(ways.len()))?;
        let (way, rule) = (phrase.ways.get(number)?, self.grammar.rule(id)?);
        let mut text = String::new();
        for (at, (symbol, hole)) in rule.symbols.iter().zip(&rule.holes).enumerate() {
            text.push_str(&self.piece(rule, at, symbol, hole.as_deref(), way, form, turn)?);
        }
        Some(text)
    }

    /// The ways that have words for everything in this form.
    fn ways(&mut self, phrase: &Rc<Phrase>, form: Option<FormId>) -> Ways {
        let key = (Rc::as_ptr(phrase), form);
        if let Some(known) = self.ways.get(&key) {
            return Rc::clone(known);
        }
        let mut ways = Vec::new();
        for (number, way) in phrase.ways.iter().enumerate() {
            for id in way.rules.iter() {
                if self.can(*id, way, form) {
                    ways.push((number, *id));
                }
            }
        }
        let ways = Rc::new(ways);
        self.ways.insert(key, Rc::clone(&ways));
        ways
    }

    fn can(&mut self, id: RuleId, way: &Way, form: Option<FormId>) -> bool {
        let grammar = self.grammar;
        let Some(rule) = grammar.rule(id) else { return false };
        if !rule.symbols.iter().any(is_head) && rule.form.is_some() && rule.form != form {
            return false;
        }
        rule.symbols.iter().zip(&rule.holes).all(|(symbol, hole)| match symbol {
            Symbol::Sign(_) | Symbol::Choice(_) => true,
            Symbol::Word(words, need) => !self.words(words, need, form).is_empty(),
            Symbol::Category(_, need) => match filled(way, hole.as_deref()) {
                Some(Filled::Phrase(phrase)) => !self.forms(phrase, need, form).is_empty(),
                _ => false,
            },
            Symbol::Numeral | Symbol::Free(..) => matches!(filled(way, hole.as_deref()), Some(Filled::Number(_) | Filled::Signs(_))),
        })
    }

    /// The forms that do at a place and that the phrase there has.
    fn forms(&mut self, phrase: &Rc<Phrase>, need: &Need, form: Option<FormId>) -> Vec<Option<FormId>> {
        wanted(need, form).into_iter().filter(|wanted| !self.ways(phrase, *wanted).is_empty()).collect()
    }

    fn words(&self, words: &[usize], need: &Need, form: Option<FormId>) -> Vec<String> {
        let mut written = Vec::new();
        for word in words.iter().filter_map(|word| self.grammar.words.get(*word)) {
            for wanted in wanted(need, form) {
                let surface = word.surfaces.iter().find(|surface| Some(surface.form) == wanted);
                written.extend(surface.map(|surface| word.stem.iter().chain(&surface.ending).collect::<String>()));
            }
        }
        written
    }

    #[expect(clippy::too_many_arguments, reason = "a place in a rule, what fills it, and how it is to be said")]
    fn piece(
        &mut self,
        rule: &Rule,
        at: usize,
        symbol: &Symbol,
        hole: Option<&str>,
        way: &Way,
        form: Option<FormId>,
        turn: &mut Turn,
    ) -> Option<String> {
        match symbol {
            Symbol::Sign(sign) => Some(rule.unfolded(at).map_or_else(|| sign.to_string(), str::to_owned)),
            Symbol::Choice(texts) => match turn.of(texts.len()) {
                0 if rule.unfolded(at).is_some() => rule.unfolded(at).map(str::to_owned),
                number => Some(texts.get(number).into_iter().flatten().collect()),
            },
            Symbol::Word(words, need) => {
                let mut written = self.words(words, need, form);
                let number = turn.of(written.len());
                (number < written.len()).then(|| written.swap_remove(number))
            }
            Symbol::Category(_, need) => {
                let Some(Filled::Phrase(phrase)) = filled(way, hole) else { return None };
                let forms = self.forms(phrase, need, form);
                let form = *forms.get(turn.of(forms.len()))?;
                self.say(phrase, form, turn)
            }
            Symbol::Numeral | Symbol::Free(..) => match filled(way, hole)? {
                Filled::Number(number) => Some(self.grammar.numerals.write(*number)),
                Filled::Signs(signs) => Some(signs.to_string()),
                Filled::Phrase(_) => None,
            },
        }
    }
}

/// What stands in a hole; a level's part has none.
fn filled<'w>(way: &'w Way, hole: Option<&str>) -> Option<&'w Filled> {
    way.holes.iter().find(|(name, _)| hole.is_none_or(|hole| name == hole)).map(|(_, filled)| filled)
}

fn is_head(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Category(_, Need::Own | Need::Under(_)) | Symbol::Word(_, Need::Own | Need::Under(_)))
}

/// The forms that do at a place, when the whole is to have a form.
fn wanted(need: &Need, form: Option<FormId>) -> Vec<Option<FormId>> {
    match need {
        Need::Any => vec![None],
        Need::Own => vec![form],
        Need::OneOf(forms) => forms.iter().map(|form| Some(*form)).collect(),
        Need::Under(pairs) => pairs.iter().filter(|(_, rest)| Some(*rest) == form).map(|(whole, _)| Some(*whole)).collect(),
    }
}
