//! Turns one template into its rules, before it has a number.
//!
//! Input: a template, and the tables of the wording (categories, words, forms, levels). Output: its rules and all findings: holes that the
//! script does not use (nothing printed may be without meaning) or cannot hold, and unknown forms. Drafts do not depend on each other, so
//! they are made on all cores.

use crate::declared::check::{check_holes, hole_kinds, used_holes};
use crate::declared::grammar::{CategoryId, Grammar, Meaning, Need, Rule, Symbol, TemplateDef, Words};
use crate::declared::inflect::FormId;
use crate::declared::lower::too_many_signs;
use crate::reading::chart::MOST_SIGNS;
use crate::reading::fold::{fold, fold_text};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Name, Printed, PrintedHole, PrintedPart, Template, TemplateScope, Text, Unclear, WordingItem};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// Everything known of a wording before its templates.
#[derive(Default)]
pub(crate) struct Tables {
    /// Categories, words and forms; the rules of levels and labels.
    pub grammar: Grammar,
    /// The numbers of words.
    pub words: FxHashMap<String, usize>,
    /// For each category, the next lower category of its levels.
    pub below: FxHashMap<CategoryId, CategoryId>,
    /// The dictionary form.
    pub(crate) base_form: Option<FormId>,
    /// The forms under each voice.
    voices: FxHashMap<String, Vec<(FormId, FormId)>>,
}

/// A template and its rules.
pub(crate) struct Draft<'a> {
    /// The template as declared.
    pub template: Cow<'a, Template>,
    /// The template for weaving. None if the template's category is not declared.
    pub def: Option<TemplateDef>,
    /// One rule for each printed form. The template's number is filled in later.
    pub rules: Vec<Rule>,
    /// The findings.
    pub errors: Vec<Diagnostic>,
}

impl Tables {
    /// To be called once all words are added.
    pub(crate) fn close_forms(&mut self) {
        self.voices = self.grammar.forms.by_voice();
    }

    /// The category of that name.
    pub(crate) fn find(&self, name: &Name, errors: &mut Vec<Diagnostic>) -> Option<CategoryId> {
        let found = self.grammar.category(&name.text);
        if found.is_none() {
            let known = self.grammar.categories.keys().map(String::as_str);
            errors.push(Diagnostic::error("E0401", name.span).with("name", &name.text).suggest(&name.text, known));
        }
        found
    }

    /// Whether a category has forms.
    pub(crate) fn inflected(&self, id: CategoryId) -> bool {
        self.grammar.category_def(id).is_some_and(|(_, def)| def.inflected)
    }

    /// The need of a part in the base form.
    pub(crate) fn base(&self) -> Need {
        Need::OneOf(self.base_form.into_iter().collect())
    }

    /// The draft of a template.
    pub(crate) fn draft<'a>(&self, item: &WordingItem, template: Cow<'a, Template>) -> Draft<'a> {
        let mut drafting = Drafting { tables: self, errors: Vec::new() };
        let Some(category) = self.find(&template.category, &mut drafting.errors) else {
            return Draft { template, def: None, rules: Vec::new(), errors: drafting.errors };
        };
        let def = TemplateDef {
            category,
            shown: template.printed.first().map_or_else(String::new, shown),
            script: template.script.clone(),
            one_way: template.one_way,
            gives: template.gives.clone(),
            of: drafting.card_types(&template.of),
            hands: template.hands.clone(),
            cites: item.cites.clone(),
            span: item.span,
        };
        let used = used_holes(&def);
        let (mut rules, mut checked) = (Vec::with_capacity(template.printed.len()), Vec::new());
        for printed in &template.printed {
            if let Some(rule) = drafting.printed(category, template.scope, printed) {
                let kinds = (hole_kinds(&self.grammar, &rule), printed.span);
                if !checked.contains(&kinds) {
                    drafting.errors.extend(check_holes(&self.grammar, &rule, (&def, &used), printed.span));
                    checked.push(kinds);
                }
                rules.push(rule);
            }
        }
        Draft { template, def: Some(def), rules, errors: drafting.errors }
    }

    /// The rules of a refused phrase; they have no script.
    pub(crate) fn unclear(&self, unclear: &Unclear) -> (Vec<Rule>, Vec<Diagnostic>) {
        let mut drafting = Drafting { tables: self, errors: Vec::new() };
        let Some(category) = self.find(&unclear.category, &mut drafting.errors) else { return (Vec::new(), drafting.errors) };
        let printed = unclear.printed.iter().filter_map(|printed| drafting.printed(category, TemplateScope::Plain, printed)).collect();
        (printed, drafting.errors)
    }

    /// The need of a part without a given form, before the head is chosen.
    fn open(&self, category: CategoryId) -> Need {
        if self.inflected(category) { Need::Own } else { Need::Any }
    }

    /// In a category with forms, the last part without a given form is the template's head. All other such parts stand in the base form.
    fn choose_head(&self, category: CategoryId, symbols: &mut [Symbol]) {
        let mut head = self.inflected(category);
        for symbol in symbols.iter_mut().rev().filter(|symbol| symbol.is_head()) {
            if std::mem::replace(&mut head, false) {
                continue;
            }
            match symbol {
                Symbol::Category(_, need) => *need = self.based(need),
                Symbol::Word(words) => words.need = self.based(&words.need),
                Symbol::Sign(_) | Symbol::Choice(_) | Symbol::Numeral | Symbol::Free(..) => {}
            }
        }
    }

    /// The need of a part that is not the head: the base form, under its voice if it has one.
    fn based(&self, need: &Need) -> Need {
        match need {
            Need::Under(pairs) => {
                Need::OneOf(pairs.iter().filter(|(_, rest)| Some(*rest) == self.base_form).map(|(whole, _)| *whole).collect())
            }
            _ => self.base(),
        }
    }
}

/// One printed form while it is drafted.
struct Form {
    symbols: Vec<Symbol>,
    holes: Vec<(u16, String)>,
}

impl Form {
    /// The number of symbols: one for each sign, and those that the scope adds.
    fn length(printed: &Printed, scope: TemplateScope) -> usize {
        let signs = |part: &PrintedPart| if let PrintedPart::Text(text) = part { text.text.chars().count() } else { 1 };
        let added = match scope {
            TemplateScope::Plain | TemplateScope::Override => 0,
            TemplateScope::Prefix => 1,
            TemplateScope::Connective => 2,
        };
        printed.parts.iter().map(|part| signs(part)).sum::<usize>() + added
    }

    /// An empty form with room for all its symbols.
    fn of(printed: &Printed, scope: TemplateScope) -> Self {
        Form { symbols: Vec::with_capacity(Form::length(printed, scope)), holes: Vec::new() }
    }

    fn push(&mut self, symbol: Symbol, hole: Option<&str>) {
        self.holes.extend(hole.map(|hole| (self.symbols.len() as u16, hole.to_owned())));
        self.symbols.push(symbol);
    }
}

/// One template while it is drafted.
struct Drafting<'t> {
    tables: &'t Tables,
    errors: Vec<Diagnostic>,
}

impl Drafting<'_> {
    /// The declared names of the card types that a template is limited to.
    fn card_types(&mut self, of: &[Name]) -> Vec<String> {
        let known = &self.tables.grammar.card_types;
        let mut found = Vec::new();
        for name in of {
            match self.tables.grammar.card_type(&name.text) {
                Some(known) => found.push(known.to_owned()),
                None => {
                    let words = known.iter().map(|(name, _)| name.as_str());
                    let finding = Diagnostic::error("E0201", name.span).with("what", "card type").with("name", &name.text);
                    self.errors.push(finding.suggest(&name.text, words));
                }
            }
        }
        found
    }

    fn printed(&mut self, category: CategoryId, scope: TemplateScope, printed: &Printed) -> Option<Rule> {
        let tables = self.tables;
        if Form::length(printed, scope) > MOST_SIGNS {
            self.errors.push(too_many_signs("signs of one printed form", printed.span));
            return None;
        }
        let mut form = Form::of(printed, scope);
        if scope == TemplateScope::Connective {
            let need = if tables.inflected(category) { tables.base() } else { Need::Any };
            form.push(Symbol::Category(category, need), Some("first"));
        }
        for (index, part) in printed.parts.iter().enumerate() {
            self.part(part, printed.parts.get(index + 1).map(AsRef::as_ref), &mut form)?;
        }
        match scope {
            TemplateScope::Plain | TemplateScope::Override => {}
            TemplateScope::Prefix => form.push(Symbol::Category(category, tables.open(category)), Some("rest")),
            TemplateScope::Connective => {
                let below = tables.below.get(&category).copied().unwrap_or(category);
                form.push(Symbol::Category(below, tables.open(below)), Some("second"));
            }
        }
        let Form { mut symbols, holes } = form;
        tables.choose_head(category, &mut symbols);
        let as_printed = as_printed(printed, usize::from(scope == TemplateScope::Connective));
        let empty = symbols.iter().all(|symbol| matches!(symbol, Symbol::Choice(texts) if texts.iter().any(Vec::is_empty)));
        if empty {
            self.errors.push(Diagnostic::error("E0403", printed.span));
            return None;
        }
        let headless = !symbols.iter().any(Symbol::is_head);
        let form = tables.base_form.filter(|_| headless && tables.inflected(category));
        let overrides = scope == TemplateScope::Override;
        Some(Rule { category, symbols, holes, meaning: Meaning::Same, form, overrides, printed: as_printed })
    }

    fn part(&mut self, part: &PrintedPart, next: Option<&PrintedPart>, form: &mut Form) -> Option<()> {
        match part {
            PrintedPart::Text(text) => form.symbols.extend(text.text.chars().map(|sign| Symbol::Sign(fold(sign)))),
            PrintedPart::Choice(texts, _) => {
                let holes = texts.iter().filter(|text| text.text.contains("${"));
                self.errors.extend(holes.map(|text| Diagnostic::error("E0449", text.span).with("text", &text.text)));
                form.push(Symbol::Choice(texts.iter().map(|Text { text, .. }| fold_text(text)).collect()), None);
            }
            PrintedPart::Word(words, forms) => {
                let of = words.iter().map(|word| self.word(word)).collect::<Option<Vec<_>>>()?;
                let need = self.need(forms, Need::Own)?;
                form.push(Symbol::Word(Box::new(Words { of, need })), None);
            }
            PrintedPart::Hole(hole) => {
                let symbol = self.hole(hole, next)?;
                form.push(symbol, Some(&hole.name.text));
            }
        }
        Some(())
    }

    fn word(&mut self, word: &Name) -> Option<usize> {
        let number = self.tables.words.get(&word.text).copied();
        if number.is_none() {
            let known = self.tables.grammar.words.iter().map(|word| word.dictionary.as_str());
            self.errors.push(Diagnostic::error("E0401", word.span).with("name", &word.text).suggest(&word.text, known));
        }
        number
    }

    fn hole(&mut self, hole: &PrintedHole, next: Option<&PrintedPart>) -> Option<Symbol> {
        match hole.category.text.as_str() {
            "numeral" => return Some(Symbol::Numeral),
            kind @ ("text" | "symbol") => {
                let Some(PrintedPart::Text(until)) = next else {
                    self.errors.push(Diagnostic::error("E0414", hole.span).with("hole", &hole.name.text));
                    return None;
                };
                return Some(Symbol::Free(fold_text(&until.text).into_iter().take(1).collect(), kind == "symbol"));
            }
            _ => {}
        }
        let category = self.tables.find(&hole.category, &mut self.errors)?;
        let need = self.need(&hole.forms, self.tables.open(category))?;
        Some(Symbol::Category(category, need))
    }

    fn need(&mut self, paths: &[Vec<Name>], none: Need) -> Option<Need> {
        if paths.is_empty() {
            return Some(none);
        }
        let (mut forms, mut under) = (Vec::new(), Vec::new());
        for path in paths {
            let written = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ");
            if let Some(form) = self.tables.grammar.forms.find(&written) {
                forms.push(form);
                continue;
            }
            match self.tables.voices.get(&written) {
                Some(pairs) => under.extend(pairs.iter().copied()),
                None => return self.no_form(path),
            }
        }
        if forms.is_empty() {
            return Some(Need::Under(under.into()));
        }
        let Need::OneOf(based) = self.tables.based(&Need::Under(under.into())) else { return None };
        forms.extend(based);
        Some(Need::OneOf(forms.into()))
    }

    /// The finding for a form that no word has.
    fn no_form(&mut self, path: &[Name]) -> Option<Need> {
        let written = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ");
        let span = path.iter().map(|name| name.span).reduce(|first, next| first.to(next)).unwrap_or_default();
        self.errors.push(Diagnostic::error("E0411", span).with("form", &written).suggest(&written, self.tables.grammar.forms.iter()));
        None
    }
}

/// The signs of a template that are printed differently from how they are matched. Its symbols stand after `before` others.
fn as_printed(printed: &Printed, before: usize) -> Vec<(u16, String)> {
    let (mut at, mut found) = (before as u16, Vec::new());
    for part in &printed.parts {
        match &**part {
            PrintedPart::Text(text) => {
                for sign in text.text.chars() {
                    if fold(sign) != sign {
                        found.push((at, sign.to_string()));
                    }
                    at += 1;
                }
                continue;
            }
            PrintedPart::Choice(texts, _) => {
                if let Some(first) = texts.first().filter(|first| first.text.chars().any(|sign| fold(sign) != sign)) {
                    found.push((at, first.text.clone()));
                }
            }
            PrintedPart::Word(..) | PrintedPart::Hole(_) => {}
        }
        at += 1;
    }
    found
}

/// A printed form for readers: holes as `${name}`.
fn shown(printed: &Printed) -> String {
    let part = |part: &Arc<PrintedPart>| match &**part {
        PrintedPart::Text(text) => text.text.clone(),
        PrintedPart::Hole(hole) => format!("${{{}}}", hole.name.text),
        PrintedPart::Word(words, _) => words.first().map_or_else(String::new, |word| word.text.clone()),
        // A part that may be left out is shown. The pauses that every frame has are not shown; they have the place of their own
        // declaration.
        PrintedPart::Choice(texts, span) if texts.iter().any(|text| !text.text.is_empty() && text.span == *span) => String::new(),
        PrintedPart::Choice(texts, _) => texts.iter().find(|text| !text.text.is_empty()).map_or_else(String::new, |text| text.text.clone()),
    };
    printed.parts.iter().map(part).collect()
}
