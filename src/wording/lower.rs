//! From wording declarations to the grammar: categories, levels, words and templates become rules.
//!
//! Whatever is wrong with a declaration is found here, at the declaration: unknown categories, words and forms, holes that the
//! script does not use (nothing printed may be without meaning) or cannot hold, templates that print nothing, levels in a ring.

use super::bind::Bare;
use super::check::{check_holes, check_rings, hole_kinds};
use super::fold::{fold, fold_text};
use super::frames::Frames;
use super::grammar::{CategoryDef, CategoryId, Grammar, Meaning, Need, Rule, ScriptKind, Symbol, TemplateDef, TemplateId};
use super::inflect::{Classes, FormId};
use super::lexicon::{KINDS, enums, labels, zones};
use super::weave::Fragments;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{
    Category, Decl, DeclKind, File, Frame, Name, Printed, PrintedHole, PrintedPart, Template, TemplateScope, Text, WordingItem, WordingKind,
};
use rustc_hash::FxHashMap;

/// Signs of remarks that are skipped.
pub(super) type Annotation = (Vec<char>, Vec<char>);

/// The grammar of all wordings in the declarations, with everything that is wrong with them.
pub(super) fn lower(files: &[File<Decl>]) -> (Grammar, Vec<Annotation>, Vec<Diagnostic>) {
    let items: Vec<&WordingItem> = wording_items(files).collect();
    let mut lowering = Lowering::default();
    lowering.labels(files);
    lowering.words(&items);
    items.iter().for_each(|item| lowering.declare(item));
    items.iter().for_each(|item| lowering.levels(item));
    let mut frames = Frames::of(&items);
    for item in &items {
        match &item.kind {
            WordingKind::Template(template) => lowering.template(item, template.clone()),
            WordingKind::Frame(frame) => lowering.frame(&mut frames, item, frame),
            _ => {}
        }
    }
    lowering.errors.extend(check_rings(&lowering.grammar, &lowering.level_places));
    lowering.grammar.close();
    (lowering.grammar, lowering.annotations, lowering.errors)
}

fn wording_items(files: &[File<Decl>]) -> impl Iterator<Item = &WordingItem> {
    files.iter().flat_map(|file| &file.items).flat_map(|decl| match &decl.kind {
        DeclKind::Wording(wording) => wording.items.as_slice(),
        _ => &[],
    })
}

#[derive(Default)]
struct Lowering {
    grammar: Grammar,
    words: FxHashMap<String, usize>,
    /// The category below each, where levels say so.
    below: FxHashMap<CategoryId, CategoryId>,
    level_places: Vec<Name>,
    base_form: Option<FormId>,
    /// The forms under each voice that was asked for.
    voices: FxHashMap<String, Vec<(FormId, FormId)>>,
    annotations: Vec<Annotation>,
    /// Templates by the first printed form, as a reader knows it.
    said: FxHashMap<String, Vec<(Template, TemplateId)>>,
    errors: Vec<Diagnostic>,
}

impl Lowering {
    fn labels(&mut self, files: &[File<Decl>]) {
        for kind in KINDS.into_iter().chain(enums(files)) {
            let def = CategoryDef { of: ScriptKind::Value, inflected: false, labels: true };
            self.grammar.categories.insert(kind.to_owned(), def);
        }
        self.grammar.zones = zones(files).map(str::to_owned).collect();
        for label in labels(files) {
            let Some(category) = self.grammar.category(&label.kind) else { continue };
            let symbols: Vec<Symbol> = fold_text(&label.text.text).into_iter().map(Symbol::Sign).collect();
            if !symbols.is_empty() {
                let holes = vec![None; symbols.len()];
                let printed = unfolded(&symbols, label.text.text.chars());
                self.grammar.rules.push(Rule {
                    printed,
                    category,
                    symbols,
                    holes,
                    meaning: Meaning::Label(label.name),
                    form: None,
                    overrides: false,
                });
            }
        }
    }

    fn words(&mut self, items: &[&WordingItem]) {
        let mut classes = Classes::default();
        for item in items {
            if let WordingKind::Class(class) = &item.kind {
                if self.base_form.is_none() {
                    self.base_form = class.forms.first().map(|form| self.grammar.forms.id(&form.name.text));
                }
                classes.add(class);
            }
        }
        self.errors.extend(classes.check());
        for item in items {
            let WordingKind::Verb { word, class } = &item.kind else { continue };
            match classes.inflect(word, class, &mut self.grammar.forms) {
                Ok(forms) => {
                    self.words.insert(word.text.clone(), self.grammar.words.len());
                    self.grammar.words.push(forms);
                }
                Err(error) => self.errors.push(error),
            }
        }
    }

    fn declare(&mut self, item: &WordingItem) {
        match &item.kind {
            WordingKind::Category(category) => self.category(category),
            WordingKind::Digits(text) => {
                let digits = fold_text(&text.text).into_iter().zip(0..);
                if self.grammar.numerals.printed.is_empty() {
                    self.grammar.numerals.printed = text.text.chars().collect();
                }
                self.grammar.numerals.digits.extend(digits);
            }
            WordingKind::Unit(text, value) => {
                self.grammar.numerals.units.extend(fold_text(&text.text).first().map(|sign| (*sign, *value)));
            }
            WordingKind::Annotation(open, close) => self.annotations.push((fold_text(&open.text), fold_text(&close.text))),
            WordingKind::Levels(_) | WordingKind::Class(_) | WordingKind::Verb { .. } | WordingKind::Template(_) => {}
            WordingKind::Particles(..) | WordingKind::Voice(_) | WordingKind::Relative(_) | WordingKind::Frame(_) => {}
        }
    }

    fn category(&mut self, category: &Category) {
        let of = match category.of.text.as_str() {
            "value" => ScriptKind::Value,
            "statements" => ScriptKind::Statements,
            "clauses" => ScriptKind::Clauses,
            "ability" => ScriptKind::Ability,
            "event" => ScriptKind::Event,
            "amount" => ScriptKind::Amount,
            other => {
                let known = ["value", "statements", "clauses", "ability", "event", "amount"];
                self.errors.push(Diagnostic::error("E0401", category.of.span).with("name", other).suggest(other, known));
                return;
            }
        };
        // The labels of that kind would be gone, without a word to whoever asks for them.
        if self.grammar.categories.get(&category.name.text).is_some_and(|known| known.labels) {
            self.errors.push(Diagnostic::error("E0419", category.name.span).with("name", &category.name.text));
            return;
        }
        self.grammar.categories.insert(category.name.text.clone(), CategoryDef { of, inflected: category.inflected, labels: false });
    }

    fn find(&mut self, name: &Name) -> Option<CategoryId> {
        let found = self.grammar.category(&name.text);
        if found.is_none() {
            let known = self.grammar.categories.keys().map(String::as_str);
            self.errors.push(Diagnostic::error("E0401", name.span).with("name", &name.text).suggest(&name.text, known));
        }
        found
    }

    fn inflected(&self, id: CategoryId) -> bool {
        self.grammar.category_def(id).is_some_and(|(_, def)| def.inflected)
    }

    fn levels(&mut self, item: &WordingItem) {
        let WordingKind::Levels(names) = &item.kind else { return };
        for pair in names.windows(2) {
            let [upper, lower] = pair else { continue };
            let (Some(category), Some(below)) = (self.find(upper), self.find(lower)) else { continue };
            let need = if self.inflected(category) {
                Need::Own
            } else if self.inflected(below) {
                self.base()
            } else {
                Need::Any
            };
            self.below.insert(category, below);
            self.level_places.push(upper.clone());
            let symbols = vec![Symbol::Category(below, need)];
            self.grammar.rules.push(Rule {
                printed: Vec::new(),
                category,
                symbols,
                holes: vec![None],
                meaning: Meaning::Same,
                form: None,
                overrides: false,
            });
        }
    }

    fn base(&self) -> Need {
        Need::OneOf(self.base_form.into_iter().collect())
    }

    /// A frame's templates; what is wrong with several of them is said once.
    fn frame<'a>(&mut self, frames: &mut Frames<'a>, item: &WordingItem, frame: &'a Frame) {
        let wrong = frames.check(frame);
        if !wrong.is_empty() {
            self.errors.extend(wrong);
            return;
        }
        let before = self.errors.len();
        frames.templates(frame).into_iter().for_each(|template| self.template(item, template));
        for (relative, template) in frames.relatives(frame) {
            self.template(relative, template);
        }
        for error in self.errors.split_off(before) {
            if !self.errors.iter().skip(before).any(|known| *known == error) {
                self.errors.push(error);
            }
        }
    }

    fn template(&mut self, item: &WordingItem, template: Template) {
        let Some(category) = self.find(&template.category) else { return };
        let shown = template.printed.first().map_or_else(String::new, shown);
        let alike = |known: &Template| known.category.text == template.category.text && known.printed.len() == template.printed.len();
        let mut known = self.said.get(&shown).into_iter().flatten().filter(|(known, _)| alike(known));
        if let Some((_, id)) = known.find(|(known, _)| written(known) == written(&template)) {
            return self.grammar.cite_again(*id, item, &template);
        }
        let def = TemplateDef {
            category,
            shown: shown.clone(),
            script: template.script.clone(),
            gives: template.gives.clone(),
            cites: item.cites.clone(),
            span: item.span,
        };
        let id = TemplateId(self.grammar.templates.len() as u32);
        self.grammar.templates.push(def);
        let mut checked = Vec::new();
        for printed in &template.printed {
            if let Some(rule) = self.printed(category, &template, printed, id) {
                let kinds = (hole_kinds(&self.grammar, &rule), printed.span);
                if !checked.contains(&kinds) {
                    self.errors.extend(check_holes(&self.grammar, &rule, id, printed.span));
                    checked.push(kinds);
                }
                self.grammar.rules.push(rule);
            }
        }
        self.said.entry(shown).or_default().push((template, id));
    }

    fn printed(&mut self, category: CategoryId, template: &Template, printed: &Printed, id: TemplateId) -> Option<Rule> {
        let mut symbols: Vec<(Symbol, Option<String>)> = Vec::new();
        if template.scope == TemplateScope::Connective {
            let need = if self.inflected(category) { self.base() } else { Need::Any };
            symbols.push((Symbol::Category(category, need), Some("first".to_owned())));
        }
        for (index, part) in printed.parts.iter().enumerate() {
            self.part(part, printed.parts.get(index + 1), &mut symbols)?;
        }
        match template.scope {
            TemplateScope::Plain | TemplateScope::Override => {}
            TemplateScope::Prefix => symbols.push((Symbol::Category(category, self.open(category)), Some("rest".to_owned()))),
            TemplateScope::Connective => {
                let below = self.below.get(&category).copied().unwrap_or(category);
                symbols.push((Symbol::Category(below, self.open(below)), Some("second".to_owned())));
            }
        }
        self.choose_head(category, &mut symbols);
        let as_printed = as_printed(printed, usize::from(template.scope == TemplateScope::Connective));
        let empty = symbols.iter().all(|(symbol, _)| matches!(symbol, Symbol::Choice(texts) if texts.iter().any(Vec::is_empty)));
        if empty {
            self.errors.push(Diagnostic::error("E0403", printed.span));
            return None;
        }
        let headless = !symbols.iter().any(|(symbol, _)| {
            matches!(symbol, Symbol::Category(_, Need::Own | Need::Under(_)) | Symbol::Word(_, Need::Own | Need::Under(_)))
        });
        let form = self.base_form.filter(|_| headless && self.inflected(category));
        let (symbols, holes) = symbols.into_iter().unzip();
        let overrides = template.scope == TemplateScope::Override;
        Some(Rule { category, symbols, holes, meaning: Meaning::Template(id), form, overrides, printed: as_printed })
    }

    /// The need of a part that says none, until the head is chosen.
    fn open(&self, category: CategoryId) -> Need {
        if self.inflected(category) { Need::Own } else { Need::Any }
    }

    /// The last part without a form of its own is the head of a template whose category has forms; the others stand in the
    /// base form.
    fn choose_head(&self, category: CategoryId, symbols: &mut [(Symbol, Option<String>)]) {
        let mut head = self.inflected(category);
        for (symbol, _) in symbols.iter_mut().rev() {
            if let Symbol::Category(_, need) | Symbol::Word(_, need) = symbol
                && matches!(need, Need::Own | Need::Under(_))
                && !std::mem::replace(&mut head, false)
            {
                *need = self.based(need);
            }
        }
    }

    /// The need of a part that is no head: the base form, under its voice if it has one.
    fn based(&self, need: &Need) -> Need {
        match need {
            Need::Under(pairs) => {
                Need::OneOf(pairs.iter().filter(|(_, rest)| Some(*rest) == self.base_form).map(|(whole, _)| *whole).collect())
            }
            _ => self.base(),
        }
    }

    fn part(&mut self, part: &PrintedPart, next: Option<&PrintedPart>, symbols: &mut Vec<(Symbol, Option<String>)>) -> Option<()> {
        match part {
            PrintedPart::Text(text) => symbols.extend(fold_text(&text.text).into_iter().map(|sign| (Symbol::Sign(sign), None))),
            PrintedPart::Choice(texts, _) => {
                symbols.push((Symbol::Choice(texts.iter().map(|Text { text, .. }| fold_text(text)).collect()), None));
            }
            PrintedPart::Word(words, forms) => {
                let numbers = words.iter().map(|word| self.word(word)).collect::<Option<Vec<_>>>()?;
                let need = self.need(forms, Need::Own)?;
                symbols.push((Symbol::Word(numbers, need), None));
            }
            PrintedPart::Hole(hole) => {
                let symbol = self.hole(hole, next)?;
                symbols.push((symbol, Some(hole.name.text.clone())));
            }
        }
        Some(())
    }

    fn word(&mut self, word: &Name) -> Option<usize> {
        let number = self.words.get(&word.text).copied();
        if number.is_none() {
            let known = self.grammar.words.iter().map(|word| word.dictionary.as_str());
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
        let category = self.find(&hole.category)?;
        let need = self.need(&hole.forms, self.open(category))?;
        Some(Symbol::Category(category, need))
    }

    fn need(&mut self, paths: &[Vec<Name>], none: Need) -> Option<Need> {
        if paths.is_empty() {
            return Some(none);
        }
        let (mut forms, mut under) = (Vec::new(), Vec::new());
        for path in paths {
            let written = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ");
            if let Some(form) = self.grammar.forms.find(&written) {
                forms.push(form);
                continue;
            }
            let pairs = self.voices.entry(written).or_insert_with_key(|voice| self.grammar.forms.under(voice));
            if pairs.is_empty() {
                return self.no_form(path);
            }
            under.extend(pairs.iter().copied());
        }
        if forms.is_empty() {
            return Some(Need::Under(under));
        }
        let Need::OneOf(based) = self.based(&Need::Under(under)) else { return None };
        forms.extend(based);
        Some(Need::OneOf(forms))
    }

    /// A form that no word has.
    fn no_form(&mut self, path: &[Name]) -> Option<Need> {
        let written = path.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ");
        let span = path.iter().map(|name| name.span).reduce(|first, next| first.to(next)).unwrap_or_default();
        self.errors.push(Diagnostic::error("E0411", span).with("form", &written).suggest(&written, self.grammar.forms.iter()));
        None
    }
}

impl Grammar {
    /// A wording says a template of another one again, word for word, to give it the rules of its own game.
    fn cite_again(&mut self, id: TemplateId, item: &WordingItem, template: &Template) {
        let Some(def) = self.templates.get_mut(id.0 as usize) else { return };
        def.cites.extend(item.cites.iter().cloned());
        def.script.clone_from(&template.script);
    }
}

/// The signs of a label that are printed otherwise than they are matched.
fn unfolded(symbols: &[Symbol], printed: impl Iterator<Item = char>) -> Vec<(u16, String)> {
    let differs = |(symbol, sign): (&Symbol, char)| matches!(symbol, Symbol::Sign(folded) if *folded != sign).then(|| sign.to_string());
    (0..).zip(symbols.iter().zip(printed)).filter_map(|(at, pair)| Some((at, differs(pair)?))).collect()
}

/// The same of a template, whose symbols begin with `before` others.
fn as_printed(printed: &Printed, before: usize) -> Vec<(u16, String)> {
    let (mut at, mut found) = (before as u16, Vec::new());
    for part in &printed.parts {
        match part {
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

/// A template without places and citations: two that are equal are one.
fn written(template: &Template) -> Template {
    let mut plain = template.clone();
    let nowhere = |name: &mut Name| name.span = Span::default();
    nowhere(&mut plain.category);
    for printed in &mut plain.printed {
        printed.span = Span::default();
        for part in &mut printed.parts {
            match part {
                PrintedPart::Text(text) => text.span = Span::default(),
                PrintedPart::Choice(texts, span) => {
                    *span = Span::default();
                    texts.iter_mut().for_each(|text| text.span = Span::default());
                }
                PrintedPart::Word(words, forms) => words.iter_mut().chain(forms.iter_mut().flatten()).for_each(nowhere),
                PrintedPart::Hole(hole) => {
                    hole.span = Span::default();
                    [&mut hole.name, &mut hole.category].into_iter().chain(hole.forms.iter_mut().flatten()).for_each(nowhere);
                }
            }
        }
    }
    Bare.fragment(&mut plain.script);
    for given in &mut plain.gives {
        nowhere(&mut given.class);
        given.what.iter_mut().for_each(nowhere);
    }
    plain
}

/// A printed form as a reader knows it: holes as `${name}`.
fn shown(printed: &Printed) -> String {
    let part = |part: &PrintedPart| match part {
        PrintedPart::Text(text) => text.text.clone(),
        PrintedPart::Hole(hole) => format!("${{{}}}", hole.name.text),
        PrintedPart::Word(words, _) => words.first().map_or_else(String::new, |word| word.text.clone()),
        // What may be left out is shown; the pauses that every frame has, which stand where they are declared, are not.
        PrintedPart::Choice(texts, span) if texts.iter().any(|text| !text.text.is_empty() && text.span == *span) => String::new(),
        PrintedPart::Choice(texts, _) => texts.iter().find(|text| !text.text.is_empty()).map_or_else(String::new, |text| text.text.clone()),
    };
    printed.parts.iter().map(part).collect()
}
