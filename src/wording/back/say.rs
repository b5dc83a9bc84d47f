//! Prints a phrase in signs: each word in the form that its place asks for.
//!
//! Input: phrases for a script, the wanted form, and the places that are to be printed in another way than the normal one. Output: a text.
//! Whether the text is read as the script again is checked for the whole text only.

use super::phrases::{Filled, Phrase, Phrases, Way};
use crate::declared::grammar::{CategoryId, Grammar, Meaning, Need, Rule, RuleId, Symbol, Words};
use crate::declared::inflect::FormId;
use lang::syntax::ast::Fragment;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The ways and rules that print a phrase in a form, the normal one first: a number for the pair that does not depend on the form, the
/// number of the way, and the rule.
type Ways = Rc<Vec<(usize, usize, RuleId)>>;

/// A place where a text could be printed in several ways. Number 0 is the way of a phrase, in any form. Other numbers are the symbols of a
/// phrase in one form: the symbol before this number.
pub(super) type Place = (*const Phrase, Option<FormId>, usize);

/// A place in a printed text.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The place.
    pub place: Place,
    /// The phrase at this place, or the phrase that contains this place.
    phrase: Rc<Phrase>,
    /// The possible ways, the normal one first.
    pub ways: Vec<usize>,
    /// For a phrase: the rule of each way.
    rules: Vec<RuleId>,
    /// How many ways are the phrase's own. The others belong to phrases that refer by other words.
    pub own: usize,
    /// Where the spot begins in the text.
    pub start: usize,
    /// Where the spot ends.
    pub end: usize,
}

impl Spot {
    /// Whether the spot is a whole phrase, not a part of one.
    pub(super) fn is_phrase(&self) -> bool {
        self.place.2 == 0
    }

    /// The category as which it is printed.
    pub(super) fn category(&self, grammar: &Grammar) -> Option<CategoryId> {
        self.rules.first().and_then(|id| grammar.rule(*id)).map(|rule| rule.category)
    }

    /// The script of the phrase.
    pub(super) fn meaning(&self) -> &Fragment {
        &self.phrase.meaning.script
    }
}

/// A text with the places where it could be different.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// The text.
    pub text: String,
    /// The places, outer ones before inner ones.
    pub spots: Vec<Spot>,
}

/// Places to be printed in another way than the normal (first) one. A place that does not have this way, because the surrounding phrase is
/// in another form now, is printed in the normal way.
pub(super) type Turns = Vec<(Place, usize)>;

/// Prints phrases, and remembers the ways of each.
pub(super) struct Speaker<'a> {
    grammar: &'a Grammar,
    ways: FxHashMap<(*const Phrase, Option<FormId>), Ways>,
}

impl<'a> Speaker<'a> {
    /// For one grammar.
    pub(super) fn new(grammar: &'a Grammar) -> Self {
        Speaker { grammar, ways: FxHashMap::default() }
    }

    /// Prints a phrase that has no form. None if the phrase cannot be printed without a form.
    pub(super) fn say(&mut self, phrase: &Rc<Phrase>, turns: &Turns) -> Option<Spoken> {
        let mut spoken = Spoken::default();
        self.phrase(phrase, &Phrases::default(), None, turns, &mut spoken)?;
        Some(spoken)
    }

    /// Whether a phrase, printed in this way, gives something of this class.
    pub(super) fn gives(&self, spot: &Spot, way: usize, class: &str) -> bool {
        let at = spot.ways.iter().position(|known| *known == way);
        let rule = at.and_then(|at| spot.rules.get(at)).and_then(|id| self.grammar.rule(*id));
        let template = rule.and_then(|rule| match rule.meaning {
            Meaning::Template(template) => self.grammar.template(template),
            Meaning::Same | Meaning::Label(_) | Meaning::Unclear(_) => None,
        });
        template.is_some_and(|template| template.gives.iter().any(|given| given.class.text == class))
    }

    fn phrase(&mut self, phrase: &Rc<Phrase>, among: &Phrases, form: Option<FormId>, turns: &Turns, spoken: &mut Spoken) -> Option<()> {
        let own = self.ways(phrase, form);
        // Phrases that refer by other words, each in its normal way. Their numbers stand after all ways of the phrase itself.
        let behind: usize = phrase.ways.iter().map(|way| way.rules.len()).sum();
        let mut ways: Vec<(usize, &Rc<Phrase>, usize, RuleId)> = own.iter().map(|(called, way, id)| (*called, phrase, *way, *id)).collect();
        for (at, other) in among.iter().enumerate().filter(|(_, other)| !Rc::ptr_eq(other, phrase)) {
            ways.extend(self.ways(other, form).first().map(|(_, way, id)| (behind + at, other, *way, *id)));
        }
        let known = ways.iter().map(|(way, ..)| *way).collect();
        let (taken, spot) = take(phrase, (Rc::as_ptr(phrase), None, 0), known, turns, spoken);
        let (_, said, number, id) = *ways.iter().find(|(way, ..)| *way == taken)?;
        if let Some(spot) = spot.and_then(|spot| spoken.spots.get_mut(spot)) {
            spot.phrase = Rc::clone(said);
            spot.rules = ways.iter().map(|(.., id)| *id).collect();
            spot.own = own.len();
        }
        let (way, rule) = (said.ways.get(number)?, self.grammar.rule(id)?);
        for at in 0..rule.symbols.len() {
            self.piece(said, form, (rule, way, at), turns, spoken)?;
        }
        close(spoken, spot);
        Some(())
    }

    /// The ways that have words for everything in this form.
    fn ways(&mut self, phrase: &Rc<Phrase>, form: Option<FormId>) -> Ways {
        let key = (Rc::as_ptr(phrase), form);
        if let Some(known) = self.ways.get(&key) {
            return Rc::clone(known);
        }
        let mut ways = Vec::new();
        let all = phrase.ways.iter().enumerate().flat_map(|(number, way)| way.rules.iter().map(move |id| (number, way, *id)));
        for (called, (number, way, id)) in all.enumerate() {
            if self.can(id, way, form) {
                ways.push((called, number, id));
            }
        }
        let ways = Rc::new(ways);
        self.ways.insert(key, Rc::clone(&ways));
        ways
    }

    fn can(&mut self, id: RuleId, way: &Way, form: Option<FormId>) -> bool {
        let grammar = self.grammar;
        let Some(rule) = grammar.rule(id) else { return false };
        if !rule.symbols.iter().any(Symbol::is_head) && rule.form.is_some() && rule.form != form {
            return false;
        }
        rule.parts().all(|(symbol, hole)| match symbol {
            Symbol::Sign(_) | Symbol::Choice(_) => true,
            Symbol::Word(words) => !self.words(words, form).is_empty(),
            Symbol::Category(_, need) => match filled(way, hole) {
                Some(Filled::Phrase(phrase, _)) => !self.forms(phrase, need, form).is_empty(),
                _ => false,
            },
            Symbol::Numeral | Symbol::Free(..) => matches!(filled(way, hole), Some(Filled::Number(_) | Filled::Signs(_))),
        })
    }

    /// The forms that fit a place and that the phrase there has.
    fn forms(&mut self, phrase: &Rc<Phrase>, need: &Need, form: Option<FormId>) -> Vec<Option<FormId>> {
        wanted(need, form).into_iter().filter(|wanted| !self.ways(phrase, *wanted).is_empty()).collect()
    }

    fn words(&self, words: &Words, form: Option<FormId>) -> Vec<String> {
        let mut written = Vec::new();
        for word in words.of.iter().filter_map(|word| self.grammar.words.get(*word)) {
            for wanted in wanted(&words.need, form) {
                let surface = word.surfaces.iter().find(|surface| Some(surface.form) == wanted);
                written.extend(surface.map(|surface| word.stem.iter().chain(&surface.ending).collect::<String>()));
            }
        }
        written
    }

    fn piece(
        &mut self,
        phrase: &Rc<Phrase>,
        form: Option<FormId>,
        (rule, way, at): (&Rule, &Way, usize),
        turns: &Turns,
        spoken: &mut Spoken,
    ) -> Option<()> {
        let place = (Rc::as_ptr(phrase), form, at + 1);
        let hole = rule.hole(at);
        match rule.symbols.get(at)? {
            Symbol::Sign(sign) => match rule.unfolded(at) {
                Some(signs) => spoken.text.push_str(signs),
                None => spoken.text.push(*sign),
            },
            Symbol::Choice(texts) => {
                let (number, spot) = take(phrase, place, (0..texts.len()).collect(), turns, spoken);
                match rule.unfolded(at).filter(|_| number == 0) {
                    Some(signs) => spoken.text.push_str(signs),
                    None => spoken.text.extend(texts.get(number)?),
                }
                close(spoken, spot);
            }
            Symbol::Word(words) => {
                let written = self.words(words, form);
                let (number, spot) = take(phrase, place, (0..written.len()).collect(), turns, spoken);
                spoken.text.push_str(written.get(number)?);
                close(spoken, spot);
            }
            Symbol::Category(_, need) => {
                let Some(Filled::Phrase(inner, among)) = filled(way, hole) else { return None };
                let forms = self.forms(inner, need, form);
                let (number, spot) = take(phrase, place, (0..forms.len()).collect(), turns, spoken);
                self.phrase(inner, among, *forms.get(number)?, turns, spoken)?;
                close(spoken, spot);
            }
            Symbol::Numeral | Symbol::Free(..) => match filled(way, hole)? {
                Filled::Number(number) => spoken.text.push_str(&self.grammar.numerals.write(*number)),
                Filled::Signs(signs) => spoken.text.push_str(signs),
                Filled::Phrase(..) => return None,
            },
        }
        Some(())
    }
}

/// Chooses one of these ways at a place. The place is noted if there are several.
fn take(phrase: &Rc<Phrase>, place: Place, ways: Vec<usize>, turns: &Turns, spoken: &mut Spoken) -> (usize, Option<usize>) {
    let normal = ways.first().copied().unwrap_or(0);
    if ways.len() < 2 {
        return (normal, None);
    }
    let turn = turns.iter().find(|(turned, way)| *turned == place && ways.contains(way)).map_or(normal, |(_, way)| *way);
    let start = spoken.text.len();
    let own = ways.len();
    spoken.spots.push(Spot { place, phrase: Rc::clone(phrase), ways, rules: Vec::new(), own, start, end: start });
    (turn, Some(spoken.spots.len() - 1))
}

fn close(spoken: &mut Spoken, spot: Option<usize>) {
    let end = spoken.text.len();
    if let Some(spot) = spot.and_then(|spot| spoken.spots.get_mut(spot)) {
        spot.end = end;
    }
}

/// The filling of a hole. A level has one filling without a hole.
fn filled<'w>(way: &'w Way, hole: Option<&str>) -> Option<&'w Filled> {
    way.holes.iter().find(|(name, _)| hole.is_none_or(|hole| name == hole)).map(|(_, filled)| filled)
}

/// The forms that fit a place if the whole is to have a form.
fn wanted(need: &Need, form: Option<FormId>) -> Vec<Option<FormId>> {
    match need {
        Need::Any => vec![None],
        Need::Own => vec![form],
        Need::OneOf(forms) => forms.iter().map(|form| Some(*form)).collect(),
        Need::Under(pairs) => pairs.iter().filter(|(_, rest)| Some(*rest) == form).map(|(whole, _)| Some(*whole)).collect(),
    }
}
