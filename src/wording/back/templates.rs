//! The templates of a wording, looked at from their scripts: made once for all scripts that are said back.
//!
//! Takes a grammar; gives for each category the templates that can say something of it, each with the printed forms that need
//! the same kinds of phrases. Deliberately absent: any script of a card.

use super::super::grammar::{CategoryId, Grammar, Meaning, RuleId, Symbol, TemplateDef, TemplateId};
use super::super::weave::{Fragments, MARK, name_results};
use super::term::{BLOCK, CLAUSES, Term, base, expr, term};
use crate::syntax::ast::Name;
use crate::wording::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// What fills a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filler {
    /// A phrase.
    Phrase(CategoryId),
    /// A number.
    Number,
    /// Free signs, as a name or as a text.
    Signs(bool),
}

/// Printed forms of a template with the same holes.
#[derive(Clone, Debug)]
pub(super) struct Forms {
    /// The holes.
    pub holes: Vec<(String, Filler)>,
    /// The rules, those first that the game's own cards print, else in the declared order.
    pub rules: Vec<RuleId>,
    /// No card prints any of them, though there are cards that could.
    pub unprinted: bool,
}

/// How often printed forms stand on cards.
pub(super) type Printed = FxHashMap<RuleId, u32>;

/// A template from its script.
#[derive(Clone, Debug)]
pub(super) struct Sayable {
    /// Which one.
    pub id: TemplateId,
    /// Its script, names that it binds marked.
    pub script: Term,
    /// What it hands up, by the name of the slot.
    pub hands: Vec<(String, Term)>,
    /// Its printed forms.
    pub forms: Vec<Forms>,
}

/// All templates.
#[derive(Clone, Debug, Default)]
pub(super) struct Templates {
    /// For each category the templates, in the declared order; of those that only pass a phrase on, the ones that lead further.
    pub of: Vec<Vec<Sayable>>,
    /// The others, which only add words: some places want them (「…し、自分は、…」, where without 自分は no condition could follow).
    pub passing: Vec<Vec<Sayable>>,
    /// For each category those below it, by the rule.
    pub levels: Vec<Vec<(RuleId, CategoryId)>>,
    /// Declared labels by category and name.
    pub labels: FxHashMap<(CategoryId, String), RuleId>,
    /// Which class a bound name may be referred to by.
    pub classes: FxHashSet<(String, String)>,
}

impl Templates {
    /// The templates of a grammar, whose cards print these forms so often.
    pub fn new(grammar: &Grammar, printed: &Printed) -> Templates {
        let count = grammar.categories.len();
        let none = || vec![Vec::new(); count];
        let mut templates = Templates { of: none(), passing: none(), levels: vec![Vec::new(); count], ..Templates::default() };
        let mut forms: Vec<Vec<Forms>> = vec![Vec::new(); grammar.templates.len()];
        for (id, rule) in (0..).map(RuleId).zip(grammar.rules.iter()) {
            match &rule.meaning {
                Meaning::Label(name) => _ = templates.labels.entry((rule.category, name.clone())).or_insert(id),
                Meaning::Unclear(_) => {}
                Meaning::Same => {
                    let below = rule.symbols.first().and_then(category_of);
                    let levels = templates.levels.get_mut(rule.category.0 as usize);
                    levels.into_iter().for_each(|levels| levels.extend(below.map(|below| (id, below))));
                }
                Meaning::Template(template) => {
                    let Some(forms) = forms.get_mut(template.0 as usize) else { continue };
                    let holes: Vec<(String, Filler)> =
                        rule.filled().filter_map(|(symbol, hole)| Some((hole.to_owned(), filler(symbol)?))).collect();
                    match forms.iter_mut().find(|known| known.holes == holes) {
                        Some(known) => known.rules.push(id),
                        None => forms.push(Forms { holes, rules: vec![id], unprinted: false }),
                    }
                }
            }
        }
        let count = |rule: &RuleId| printed.get(rule).copied().unwrap_or(0);
        for forms in forms.iter_mut().flatten() {
            forms.unprinted = !printed.is_empty() && forms.rules.iter().all(|rule| count(rule) == 0);
            forms.rules.sort_by_key(|rule| Reverse(count(rule)));
        }
        for ((id, def), forms) in (0..).map(TemplateId).zip(&grammar.templates).zip(forms) {
            let script = script_of(def);
            templates.give(def);
            let leads_on = templates.leads_on(grammar, def.category, &script, &forms);
            let all = if leads_on { &mut templates.of } else { &mut templates.passing };
            if let Some(of) = all.get_mut(def.category.0 as usize) {
                let hands = def.hands.iter().filter_map(|hand| Some((hand.name.as_ref()?.text.clone(), expr(&hand.value))));
                of.push(Sayable { id, script, hands: hands.collect(), forms });
            }
        }
        templates
    }

    /// What is a template's and passes its only phrase on is no way to print anything where that phrase can be one of its own
    /// category: it would only add words.
    fn leads_on(&self, grammar: &Grammar, category: CategoryId, script: &Term, forms: &[Forms]) -> bool {
        let Some(hole) = passed_on(script) else { return true };
        let fillers = forms.iter().flat_map(|forms| &forms.holes).filter(|(name, _)| name == hole);
        !fillers.into_iter().any(|(_, filler)| matches!(filler, Filler::Phrase(inner) if self.reaches(grammar, *inner, category)))
    }

    /// Whether a phrase of one category can be, as it is, one of another: through levels and templates that pass it on.
    fn reaches(&self, grammar: &Grammar, from: CategoryId, to: CategoryId) -> bool {
        let mut seen = vec![from];
        let mut at = 0;
        while let Some(category) = seen.get(at).copied() {
            if category == to {
                return true;
            }
            let index = category.0 as usize;
            let below = self.levels.get(index).into_iter().flatten().map(|(_, below)| *below);
            let passing = self.of.get(index).into_iter().flatten().filter(|template| passed_on(&template.script).is_some());
            let inner = passing.flat_map(|template| &template.forms).flat_map(|forms| &forms.holes);
            let inner = inner.filter_map(|(_, filler)| if let Filler::Phrase(inner) = filler { Some(*inner) } else { None });
            for next in below.chain(inner) {
                if !seen.contains(&next) {
                    seen.push(next);
                }
            }
            at += 1;
        }
        debug_assert!(seen.len() <= grammar.categories.len());
        false
    }

    fn give(&mut self, def: &TemplateDef) {
        let unnamed = def.gives.iter().find(|given| given.what.is_none()).map_or("", |given| given.class.text.as_str());
        for given in &def.gives {
            let local = given.what.as_ref().map_or(unnamed, |what| what.text.as_str());
            self.classes.insert((given.class.text.clone(), base(local).to_owned()));
        }
    }
}

/// The hole that a template's script consists of.
fn passed_on(script: &Term) -> Option<&str> {
    match script {
        Term::Hole(name) => Some(name),
        Term::Row(BLOCK | CLAUSES, parts) => match &**parts {
            [Term::Hole(name)] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn category_of(symbol: &Symbol) -> Option<CategoryId> {
    if let Symbol::Category(category, _) = symbol { Some(*category) } else { None }
}

fn filler(symbol: &Symbol) -> Option<Filler> {
    match symbol {
        Symbol::Category(category, _) => Some(Filler::Phrase(*category)),
        Symbol::Numeral => Some(Filler::Number),
        Symbol::Free(_, as_name) => Some(Filler::Signs(*as_name)),
        Symbol::Sign(_) | Symbol::Choice(_) | Symbol::Word(..) => None,
    }
}

/// The script with results named and the names that it binds marked.
fn script_of(def: &TemplateDef) -> Term {
    let mut script = def.script.clone();
    name_results(&mut script, def);
    let mut own = Own::default();
    own.fragment(&mut script);
    Marks { own: own.names }.fragment(&mut script);
    term(&script)
}

#[derive(Default)]
struct Own {
    names: FxHashSet<String>,
}

impl Rewriter for Own {
    fn binder(&mut self, name: &mut Name) {
        self.names.insert(name.text.clone());
    }
}

struct Marks {
    own: FxHashSet<String>,
}

impl Rewriter for Marks {
    fn name(&mut self, name: &mut Name) {
        if self.own.contains(&name.text) {
            name.text.push(MARK);
        }
    }
}
