//! A phrase in signs: each word in the form that its place asks for.
//!
//! Takes phrases found for a script and the form that is wanted; gives texts, the normal one first. Deliberately absent: whether
//! a text is read as that script again; that is tried with the whole.

use super::super::grammar::{Grammar, Need, Rule, RuleId, Symbol};
use super::super::inflect::FormId;
use super::phrases::{Filled, Phrase, Way};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Texts that are kept for one phrase in one form.
const MOST_TEXTS: usize = 6;

type Texts = Rc<Vec<String>>;

/// Says phrases; what has been said once is remembered.
pub(super) struct Speaker<'a> {
    grammar: &'a Grammar,
    said: FxHashMap<(*const Phrase, Option<FormId>), Texts>,
}

impl<'a> Speaker<'a> {
    /// For one grammar.
    pub fn new(grammar: &'a Grammar) -> Self {
        Speaker { grammar, said: FxHashMap::default() }
    }

    /// A phrase in a form.
    pub fn say(&mut self, phrase: &Rc<Phrase>, form: Option<FormId>) -> Texts {
        let key = (Rc::as_ptr(phrase), form);
        if let Some(texts) = self.said.get(&key) {
            return Rc::clone(texts);
        }
        let mut texts = Vec::new();
        for way in &phrase.ways {
            for rule in way.rules.iter() {
                for text in self.rule(*rule, way, form) {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                if texts.len() >= MOST_TEXTS {
                    break;
                }
            }
            if texts.len() >= MOST_TEXTS {
                break;
            }
        }
        texts.truncate(MOST_TEXTS);
        let texts = Rc::new(texts);
        self.said.insert(key, Rc::clone(&texts));
        texts
    }

    fn rule(&mut self, id: RuleId, way: &Way, form: Option<FormId>) -> Vec<String> {
        let grammar = self.grammar;
        let Some(rule) = grammar.rule(id) else { return Vec::new() };
        let mut texts = vec![String::new()];
        let has_head = rule.symbols.iter().any(is_head);
        if !has_head && rule.form.is_some() && rule.form != form {
            return Vec::new();
        }
        for (at, (symbol, hole)) in rule.symbols.iter().zip(&rule.holes).enumerate() {
            let pieces = self.piece(rule, at, symbol, hole.as_deref(), way, form);
            let (Some(first), true) = (pieces.first(), !texts.is_empty()) else { return Vec::new() };
            // The normal text with each piece, then the other texts with the normal piece.
            let mut next: Vec<String> = Vec::new();
            for (number, before) in texts.iter().enumerate() {
                let can = if number == 0 { pieces.as_slice() } else { std::slice::from_ref(first) };
                next.extend(can.iter().map(|piece| format!("{before}{piece}")));
            }
            next.truncate(MOST_TEXTS);
            texts = next;
        }
        texts
    }

    fn piece(&mut self, rule: &Rule, at: usize, symbol: &Symbol, hole: Option<&str>, way: &Way, form: Option<FormId>) -> Vec<String> {
        let grammar = self.grammar;
        match symbol {
            Symbol::Sign(sign) => vec![rule.unfolded(at).map_or_else(|| sign.to_string(), str::to_owned)],
            Symbol::Choice(texts) => {
                let first = rule.unfolded(at).map(str::to_owned);
                vec![first.unwrap_or_else(|| texts.first().into_iter().flatten().collect())]
            }
            Symbol::Word(words, need) => {
                let mut pieces = Vec::new();
                for word in words.iter().filter_map(|word| grammar.words.get(*word)) {
                    for wanted in wanted(need, form, rule.form) {
                        let surface = word.surfaces.iter().find(|surface| Some(surface.form) == wanted);
                        pieces.extend(surface.map(|surface| word.stem.iter().chain(&surface.ending).collect::<String>()));
                    }
                }
                pieces
            }
            Symbol::Category(_, need) => {
                // A level's part has no hole.
                let filled = way.holes.iter().find(|(name, _)| hole.is_none_or(|hole| name == hole)).map(|(_, filled)| filled);
                let Some(Filled::Phrase(phrase)) = filled else { return Vec::new() };
                let mut pieces = Vec::new();
                for wanted in wanted(need, form, rule.form) {
                    pieces.extend(self.say(phrase, wanted).iter().cloned());
                }
                pieces
            }
            Symbol::Numeral | Symbol::Free(..) => match way.holes.iter().find(|(name, _)| Some(name.as_str()) == hole) {
                Some((_, Filled::Number(number))) => vec![grammar.numerals.write(*number)],
                Some((_, Filled::Signs(signs))) => vec![signs.to_string()],
                _ => Vec::new(),
            },
        }
    }
}

fn is_head(symbol: &Symbol) -> bool {
    matches!(symbol, Symbol::Category(_, Need::Own | Need::Under(_)) | Symbol::Word(_, Need::Own | Need::Under(_)))
}

/// The forms that do at a place, when the whole is to have a form.
fn wanted(need: &Need, form: Option<FormId>, base: Option<FormId>) -> Vec<Option<FormId>> {
    match need {
        Need::Any => vec![base.filter(|_| false)],
        Need::Own => vec![form],
        Need::OneOf(forms) => forms.iter().map(|form| Some(*form)).collect(),
        Need::Under(pairs) => pairs.iter().filter(|(_, rest)| Some(*rest) == form).map(|(whole, _)| Some(*whole)).collect(),
    }
}
