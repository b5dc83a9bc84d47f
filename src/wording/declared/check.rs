//! Checks the grammar at its declarations: holes must fit their scripts, and no category may contain itself alone.

use crate::declared::grammar::{CategoryId, Grammar, Rule, ScriptKind, Symbol, TemplateDef};
use crate::script::size::too_large;
use crate::script::weave::{Meaning, Misfit, THIS, Unwoven, kind_of, locals, name_results, weave};
use lang::diagnostic::{Diagnostic, FileId, Span};
use lang::syntax::ast::{Ability, AbilityBody, Amount, Block, EventPattern, Expr, ExprKind, Fragment, Name, Pattern};
use lang::syntax::visit::Visitor;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A place in no file, for nodes that are made only for the check.
const NOWHERE: Span = Span { file: FileId(u32::MAX), start: u32::MAX, end: u32::MAX };

/// Checks that the script uses every hole of the rule, and that every hole of the script is printed and fits. The script is woven once with
/// a stand-in of the right kind in each hole. `used` are the holes of the script (see [`used_holes`]).
pub(crate) fn check_holes(
    grammar: &Grammar,
    rule: &Rule,
    (def, used): (&TemplateDef, &FxHashSet<String>),
    printed: Span,
) -> Vec<Diagnostic> {
    let stands_in = |(symbol, hole): (&Symbol, &str)| {
        let script = stand_in(filler(grammar, symbol));
        (hole.to_owned(), Rc::new(Meaning { script, gives: Vec::new(), hands: Vec::new(), cites: Vec::new(), unclear: None, size: 1 }))
    };
    let holes: Vec<(String, Rc<Meaning>)> = rule.filled().map(stands_in).collect();
    let mut errors = Vec::new();
    // A script without holes fits every printed form without holes.
    let is_plain = holes.is_empty() && used.is_empty();
    match if is_plain { Ok(()) } else { weave(grammar, def, &holes, def.span).map(drop) } {
        Ok(()) => {}
        Err(Unwoven::Misfits(misfits)) => {
            errors.extend(misfits.into_iter().map(|Misfit { name }| Diagnostic::error("E0410", name.span).with("hole", &name.text)));
        }
        Err(Unwoven::TooLarge) => errors.push(too_large(def.span)),
    }
    for (name, _) in &holes {
        // A hole of an `alike` category need not be used: all its phrases stand for one thing.
        if !used.contains(name) && !is_alike(grammar, rule, name) {
            errors.push(Diagnostic::error("E0412", printed).with("hole", name));
        }
    }
    errors.extend(unbound(def));
    let of = grammar.category_def(rule.category).map(|(_, def)| def.of);
    if of.is_some_and(|of| of != kind_of(&def.script)) {
        errors.push(Diagnostic::error("E0413", def.span).with("open", "{").with("close", "}"));
    }
    errors
}

/// The names of the holes in the script of a template, and in the values that it hands on.
pub(crate) fn used_holes(def: &TemplateDef) -> FxHashSet<String> {
    let mut used = Used::default();
    used.fragment(&def.script);
    def.hands.iter().for_each(|hand| used.expr(&hand.value));
    used.names
}

/// `E0451` for `gives CLASS = name` with a name that the script does not bind: no text could refer to the thing.
fn unbound(def: &TemplateDef) -> Vec<Diagnostic> {
    if def.gives.iter().all(|given| given.what.is_none()) {
        return Vec::new();
    }
    let mut script = def.script.clone();
    name_results(&mut script, def);
    let bound = locals(&script);
    let named = def.gives.iter().filter_map(|given| given.what.as_ref());
    let lost = named.filter(|name| name.text != THIS && !bound.contains(&name.text));
    lost.map(|name| Diagnostic::error("E0451", name.span).with("name", &name.text).with("open", "{").with("close", "}")).collect()
}

/// Whether a hole is filled by an `alike` category.
fn is_alike(grammar: &Grammar, rule: &Rule, name: &str) -> bool {
    rule.filled().any(|(symbol, hole)| {
        let Symbol::Category(category, _) = symbol else { return false };
        hole == name && grammar.category_def(*category).is_some_and(|(_, def)| def.alike)
    })
}

/// The kind of each hole. Printed forms of one template with the same kinds need only one check.
pub(crate) fn hole_kinds(grammar: &Grammar, rule: &Rule) -> Vec<(String, ScriptKind)> {
    let kinds = rule.filled().map(|(symbol, hole)| (hole.to_owned(), filler(grammar, symbol)));
    let mut kinds: Vec<_> = kinds.collect();
    kinds.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    kinds
}

/// The kind of script that fills a symbol's hole.
fn filler(grammar: &Grammar, symbol: &Symbol) -> ScriptKind {
    match symbol {
        Symbol::Category(category, _) => grammar.category_def(*category).map_or(ScriptKind::Value, |(_, def)| def.of),
        _ => ScriptKind::Value,
    }
}

fn stand_in(of: ScriptKind) -> Fragment {
    let name = Name { text: "x".to_owned(), span: NOWHERE };
    let value = Expr { kind: ExprKind::Name(name.clone()), span: NOWHERE };
    match of {
        ScriptKind::Value => Fragment::Value(value),
        ScriptKind::Statements => Fragment::Statements(Block::default()),
        ScriptKind::Clauses => Fragment::Clauses(Vec::new()),
        ScriptKind::Ability => Fragment::Ability(Box::new(Ability {
            cites: Vec::new(),
            kind: AbilityBody::Kind(name, Block::default()),
            slots: Vec::new(),
            span: NOWHERE,
        })),
        ScriptKind::Event => Fragment::Event(Pattern {
            events: vec![EventPattern { verb: name, args: Vec::new(), span: NOWHERE }],
            condition: None,
            span: NOWHERE,
        }),
        ScriptKind::Amount => Fragment::Amount(Amount::Exactly(value)),
    }
}

/// Whether a script has this hole.
pub(crate) fn uses(script: &Fragment, hole: &str) -> bool {
    let mut used = Used::default();
    used.fragment(script);
    used.names.contains(hole)
}

/// The names of all holes in a script.
#[derive(Default)]
struct Used {
    names: FxHashSet<String>,
}

impl Visitor<'_> for Used {
    fn name(&mut self, name: &Name) {
        self.names.extend(name.text.strip_prefix('$').map(str::to_owned));
    }

    fn hole(&mut self, name: &Name) {
        self.names.insert(name.text.trim_start_matches('$').to_owned());
    }
}

/// A category must not be a part of itself through rules of one part: it would have endless readings.
pub(crate) fn check_rings(grammar: &Grammar, places: &[Name]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut parts: FxHashMap<CategoryId, Vec<CategoryId>> = FxHashMap::default();
    for rule in grammar.rules.iter() {
        if let Some(part) = only_part(rule) {
            parts.entry(rule.category).or_default().push(part);
        }
    }
    for (index, (name, _)) in grammar.categories.iter().enumerate() {
        if reaches_itself(&parts, CategoryId(index as u16)) {
            let level = places.iter().find(|place| place.text == *name).map(|place| place.span);
            let template = grammar.templates.first().map(|template| template.span);
            if let Some(span) = level.or(template) {
                errors.push(Diagnostic::error("E0406", span).with("name", name));
            }
        }
    }
    errors
}

/// Whether a category can consist of itself alone. `parts`: for each category the ones that it can consist of alone.
fn reaches_itself(parts: &FxHashMap<CategoryId, Vec<CategoryId>>, start: CategoryId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![start];
    while let Some(category) = open.pop() {
        for next in parts.get(&category).into_iter().flatten() {
            if *next == start {
                return true;
            }
            if seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    false
}

/// The category that a rule can consist of alone.
fn only_part(rule: &Rule) -> Option<CategoryId> {
    let mut parts = rule.symbols.iter().filter(|symbol| !matches!(symbol, Symbol::Choice(texts) if texts.iter().any(Vec::is_empty)));
    match (parts.next(), parts.next()) {
        (Some(Symbol::Category(category, _)), None) => Some(*category),
        _ => None,
    }
}
