//! The templates of a wording, ordered by their scripts: made once for all scripts that are printed back.
//!
//! Input: a grammar. Output: for each category the templates that can print something of it, each with its printed forms grouped by the
//! kinds of their holes.

use super::term::{BLOCK, CLAUSES, Term, base, expr, term};
use crate::declared::grammar::{CategoryId, Grammar, Meaning, RuleId, Symbol, TemplateDef, TemplateId};
use crate::script::weave::{MARK, locals, name_results};
use lang::syntax::ast::Name;
use lang::syntax::rewrite::Rewriter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// The kind of filling of a hole.
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
    /// The rules. Forms that the game's cards print stand first; the others follow in the declared order.
    pub rules: Vec<RuleId>,
    /// Whether there are cards, and none prints any of them.
    pub unprinted: bool,
}

/// How often printed forms stand on cards.
pub(super) type Printed = FxHashMap<RuleId, u32>;

/// A template seen from its script.
#[derive(Clone, Debug)]
pub(super) struct Sayable {
    /// Which one.
    pub id: TemplateId,
    /// The template's script. Names that it binds are marked.
    pub script: Term,
    /// The template's values for slots, by slot.
    pub hands: Vec<(String, Term)>,
    /// The template's printed forms.
    pub forms: Vec<Forms>,
}

/// All templates.
#[derive(Clone, Debug, Default)]
pub(super) struct Templates {
    /// For each category its templates in declared order. Templates that only pass a phrase on are left out here, unless they lead to
    /// another category.
    pub of: Vec<Vec<Sayable>>,
    /// The templates that only add words. Some places need them (「…し、自分は、…」, where no condition could follow without 自分は).
    pub passing: Vec<Vec<Sayable>>,
    /// For each category the lower categories, with the rule of the level.
    pub(crate) levels: Vec<Vec<(RuleId, CategoryId)>>,
    /// Declared labels by category and name.
    pub labels: FxHashMap<(CategoryId, String), RuleId>,
    /// The classes by which each bound name may be referred to.
    pub classes: FxHashSet<(String, String)>,
}

impl Templates {
    /// The templates of a grammar, with the number of times that cards print each form.
    pub(super) fn new(grammar: &Grammar, printed: &Printed) -> Templates {
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

    /// Whether a template leads to other phrases. A template that only passes on its phrase does not, if that phrase can already be one of
    /// the template's category: the template would only add words.
    fn leads_on(&self, grammar: &Grammar, category: CategoryId, script: &Term, forms: &[Forms]) -> bool {
        let Some(hole) = passed_on(script) else { return true };
        let fillers = forms.iter().flat_map(|forms| &forms.holes).filter(|(name, _)| name == hole);
        !fillers.into_iter().any(|(_, filler)| matches!(filler, Filler::Phrase(inner) if self.reaches(grammar, *inner, category)))
    }

    /// Whether a phrase of one category can be, unchanged, one of another: through levels and templates that pass it on.
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

/// The hole, if a template's script consists of one hole.
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

/// The script with its results named and its bound names marked.
fn script_of(def: &TemplateDef) -> Term {
    let mut script = def.script.clone();
    name_results(&mut script, def);
    Marks { own: locals(&script) }.fragment(&mut script);
    term(&script)
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
