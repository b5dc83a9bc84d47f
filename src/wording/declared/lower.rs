//! Turns wording declarations into the grammar: categories, levels, words and templates become rules.
//!
//! Findings about declarations are made here and in `draft.rs`: unknown categories, words and forms, frames that do not fit, levels in a
//! circle. `draft.rs` turns templates into rules, on all cores, because they are the largest part of a wording.

use crate::declared::check::check_rings;
use crate::declared::draft::{Draft, Tables};
use crate::declared::expand::{Expansion, Lines, MISCOUNTED, TOO_MANY};
use crate::declared::frames::Frames;
use crate::declared::grammar::{
    CategoryDef, CategoryId, Grammar, Meaning, Need, Rule, ScriptKind, Symbol, TemplateDef, TemplateId, UnclearDef, UnclearId,
};
use crate::declared::inflect::Classes;
use crate::declared::lexicon::{KINDS, enums, labels, zones};
use crate::reading::chart::MOST_SIGNS;
use crate::reading::fold::fold_text;
use crate::reading::remarks::{Annotation, annotation};
use crate::script::bare::Bare;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{
    Category, DeclKind, Fragment, Frame, Gives, Name, Printed, PrintedPart, RulesFile, Template, WordingItem, WordingKind,
};
use lang::syntax::on_readers;
use lang::syntax::rewrite::Rewriter;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// The result for all wordings of a game.
pub(crate) struct Lowered {
    /// The grammar of all wordings.
    pub grammar: Grammar,
    /// Remarks that are skipped.
    pub annotations: Vec<Annotation>,
    /// For each template, by its place: the places of the meanings that it uses.
    pub through: FxHashMap<Span, Vec<Span>>,
    /// All findings.
    pub errors: Vec<Diagnostic>,
}

/// The most categories. Their numbers have 16 bits.
const MOST_CATEGORIES: usize = 65_000;

/// `E0229` for a label or a printed form that is longer than any text that is read.
pub(crate) fn too_many_signs(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(TOO_MANY, span).with("what", what).with("most", MOST_SIGNS)
}

/// The grammar of all wordings in the declarations, with all findings.
pub(crate) fn lower(files: &[RulesFile]) -> Lowered {
    let declared: Vec<&WordingItem> = wording_items(files).collect();
    let taken = taken_for_meanings(files, &declared);
    let (expansion, found) = Expansion::of(&declared);
    let Lines { lines, through, errors: more } = expansion.lines(&declared);
    let items: Vec<&WordingItem> = lines.iter().map(AsRef::as_ref).collect();
    let mut lowering = Lowering { errors: found.into_iter().chain(more).collect(), ..Lowering::default() };
    lowering.labels(files);
    lowering.words(&items);
    items.iter().for_each(|item| lowering.declare(item));
    items.iter().for_each(|item| lowering.levels(item));
    lowering.tables.close_forms();
    let mut frames = Frames::of(&items);
    let groups: Vec<Group<'_>> = items.iter().filter_map(|item| Group::of(&mut frames, item)).collect();
    let drafted: Vec<_> = on_readers(|| groups.par_iter().with_max_len(1).map(|group| group.drafts(&frames, &lowering.tables)).collect());
    for (group, drafts) in groups.into_iter().zip(drafted) {
        lowering.errors.extend(group.wrong);
        lowering.add(drafts, group.frame.is_some());
    }
    items.iter().for_each(|item| lowering.unclear(item));
    let Lowering { tables: Tables { mut grammar, .. }, level_places, annotations, mut errors, .. } = lowering;
    errors.extend(check_rings(&grammar, &level_places));
    if !taken.is_empty() {
        // Where the lines of the family use the name, they have errors too. These say nothing more.
        errors.retain(|error| error.code != MISCOUNTED);
        errors.extend(taken);
    }
    grammar.close();
    Lowered { grammar, annotations, through, errors }
}

/// `E0455` at each name of a `take` that belongs to an action or procedure and to a meaning. In the lines of the family the meaning counts, so
/// the action would never be performed.
fn taken_for_meanings(files: &[RulesFile], items: &[&WordingItem]) -> Vec<Diagnostic> {
    let meaning = |item: &&WordingItem| if let WordingKind::Meaning(meaning) = &item.kind { Some(meaning.name.text.clone()) } else { None };
    let meanings: FxHashSet<String> = items.iter().filter_map(meaning).collect();
    let done = files.iter().flat_map(|file| &file.items).filter_map(|decl| match &decl.kind {
        DeclKind::Action(action) => Some(&action.head.name),
        DeclKind::Procedure(routine) => Some(&routine.head.name),
        _ => None,
    });
    let doubtful: FxHashMap<&str, Span> =
        done.filter(|name| meanings.contains(&name.text)).map(|name| (name.text.as_str(), name.span)).collect();
    let names = items.iter().flat_map(|item| if let WordingKind::Take { names, .. } = &item.kind { names.as_slice() } else { &[] });
    let finding = |name: &Name| {
        let declared = doubtful.get(name.text.as_str())?;
        Some(Diagnostic::error("E0455", name.span).with("name", &name.text).note(*declared, "action"))
    };
    names.filter_map(finding).collect()
}

/// The lines of all wordings in the declarations.
pub(crate) fn wording_items(files: &[RulesFile]) -> impl Iterator<Item = &WordingItem> {
    files.iter().flat_map(|file| &file.items).flat_map(|decl| match &decl.kind {
        DeclKind::Wording(wording) => wording.items.as_slice(),
        _ => &[],
    })
}

/// Templates that are declared together.
struct Group<'a> {
    /// Findings about all of them. If there are any, the group has no templates.
    wrong: Vec<Diagnostic>,
    item: &'a WordingItem,
    frame: Option<&'a Frame>,
    /// Templates besides the frame's own.
    more: Vec<(&'a WordingItem, Cow<'a, Template>)>,
}

impl<'a> Group<'a> {
    fn of(frames: &mut Frames<'a>, item: &'a WordingItem) -> Option<Self> {
        let (wrong, more) = (Vec::new(), Vec::new());
        match &item.kind {
            WordingKind::Template(template) => Some(Group { wrong, item, frame: None, more: vec![(item, Cow::Borrowed(template))] }),
            WordingKind::Frame(frame) => {
                let wrong = frames.check(frame);
                if !wrong.is_empty() {
                    return Some(Group { wrong, item, frame: None, more });
                }
                let more = frames.relatives(frame).into_iter().map(|(item, template)| (item, Cow::Owned(template))).collect();
                Some(Group { wrong, item, frame: Some(frame), more })
            }
            _ => None,
        }
    }

    fn drafts(&self, frames: &Frames<'a>, tables: &Tables) -> Vec<Draft<'a>> {
        let of_frame = self.frame.into_iter().flat_map(|frame| frames.templates(frame)).map(|template| (self.item, Cow::Owned(template)));
        of_frame.chain(self.more.iter().cloned()).map(|(item, template)| tables.draft(item, template)).collect()
    }
}

#[derive(Default)]
struct Lowering<'a> {
    tables: Tables,
    level_places: Vec<Name>,
    /// Where each enum is declared. Its name is a category: the printed labels of its values.
    enum_places: FxHashMap<String, Span>,
    /// Where each category is declared first.
    category_places: FxHashMap<String, Span>,
    annotations: Vec<Annotation>,
    /// The templates so far, by their first printed form for readers.
    said: FxHashMap<String, Vec<(Cow<'a, Template>, TemplateId)>>,
    errors: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn labels(&mut self, files: &[RulesFile]) {
        for kind in KINDS.into_iter().chain(enums(files)) {
            let def = CategoryDef { of: ScriptKind::Value, inflected: false, alike: false, labels: true };
            self.tables.grammar.categories.insert(kind.to_owned(), def);
        }
        self.tables.grammar.zones = zones(files).map(str::to_owned).collect();
        for decl in files.iter().flat_map(|file| &file.items) {
            match &decl.kind {
                DeclKind::CardType(head, _) => {
                    let label = head.label.as_ref().map(|label| label.text.clone());
                    self.tables.grammar.card_types.push((head.name.text.clone(), label));
                }
                DeclKind::Enum(head, _) => {
                    self.enum_places.insert(head.name.text.clone(), head.name.span);
                }
                _ => {}
            }
        }
        for label in labels(files) {
            let Some(category) = self.tables.grammar.category(&label.kind) else { continue };
            let symbols: Vec<Symbol> = fold_text(&label.text.text).into_iter().map(Symbol::Sign).collect();
            if symbols.len() > MOST_SIGNS {
                self.errors.push(too_many_signs("signs of one label", label.text.span));
            } else if !symbols.is_empty() {
                let printed = unfolded(&symbols, label.text.text.chars());
                self.tables.grammar.rules.push(Rule {
                    printed,
                    category,
                    symbols,
                    holes: Vec::new(),
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
                if self.tables.base_form.is_none() {
                    self.tables.base_form = class.forms.first().map(|form| self.tables.grammar.forms.id(&form.name.text));
                }
                classes.add(class);
            }
        }
        self.errors.extend(classes.check());
        for item in items {
            let WordingKind::Verb { word, class } = &item.kind else { continue };
            match classes.inflect(word, class, &mut self.tables.grammar.forms) {
                Ok(forms) => {
                    self.tables.words.insert(word.text.clone(), self.tables.grammar.words.len());
                    self.tables.grammar.words.push(forms);
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
                if self.tables.grammar.numerals.printed.is_empty() {
                    self.tables.grammar.numerals.printed = text.text.chars().collect();
                }
                self.tables.grammar.numerals.digits.extend(digits);
            }
            WordingKind::Unit(text, value) => {
                self.tables.grammar.numerals.units.extend(fold_text(&text.text).first().map(|sign| (*sign, *value)));
            }
            WordingKind::Annotation(..) => self.annotations.extend(annotation(&item.kind)),
            WordingKind::Levels(_)
            | WordingKind::Class(_)
            | WordingKind::Verb { .. }
            | WordingKind::Template(_)
            | WordingKind::Unclear(_)
            // Templates read headings like other words.
            | WordingKind::Heading(..)
            // `account/` reads these.
            | WordingKind::Owes(..)
            // These are put into other lines already.
            | WordingKind::Spelling(..)
            | WordingKind::Meaning(_)
            | WordingKind::Family(_)
            | WordingKind::Take { .. }
            | WordingKind::TakeMeaning { .. } => {}
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
        // A category must not replace the labels of that kind, which nobody would notice.
        if self.tables.grammar.categories.get(&category.name.text).is_some_and(|known| known.labels) {
            let finding = Diagnostic::error("E0419", category.name.span).with("name", &category.name.text);
            let declared = self.enum_places.get(&category.name.text);
            self.errors.push(declared.into_iter().fold(finding, |finding, place| finding.note(*place, "enum")));
            return;
        }
        if self.tables.grammar.categories.len() >= MOST_CATEGORIES {
            let finding = Diagnostic::error(TOO_MANY, category.name.span).with("what", "categories").with("most", MOST_CATEGORIES);
            self.errors.push(finding);
            return;
        }
        let def = CategoryDef { of, inflected: category.inflected, alike: category.alike, labels: false };
        // A wording may declare a category of another wording again, but not with another meaning: its templates would fit no longer.
        if let Some(first) = self.category_places.get(&category.name.text)
            && self.tables.grammar.categories.get(&category.name.text).is_some_and(|known| *known != def)
        {
            let finding = Diagnostic::error("E0202", category.name.span).with("what", "category").with("name", &category.name.text);
            self.errors.push(finding.note(*first, "first"));
            return;
        }
        self.category_places.entry(category.name.text.clone()).or_insert(category.name.span);
        self.tables.grammar.categories.insert(category.name.text.clone(), def);
    }

    fn find(&mut self, name: &Name) -> Option<CategoryId> {
        self.tables.find(name, &mut self.errors)
    }

    fn unclear(&mut self, item: &WordingItem) {
        let WordingKind::Unclear(unclear) = &item.kind else { return };
        let (rules, errors) = self.tables.unclear(unclear);
        let grammar = &mut self.tables.grammar;
        let meaning = Meaning::Unclear(UnclearId(grammar.unclear.len() as u32));
        grammar.unclear.push(UnclearDef { because: unclear.because.text.clone(), span: item.span });
        grammar.rules.extend(rules.into_iter().map(|rule| Rule { meaning: meaning.clone(), ..rule }));
        self.errors.extend(errors);
    }

    fn levels(&mut self, item: &WordingItem) {
        let WordingKind::Levels(names) = &item.kind else { return };
        for pair in names.windows(2) {
            let [upper, lower] = pair else { continue };
            let (Some(category), Some(below)) = (self.find(upper), self.find(lower)) else { continue };
            let kind = |category: CategoryId| self.tables.grammar.category_def(category).map(|(_, def)| def.of);
            // The clauses of a lasting effect may stand where statements stand.
            let both_act = [category, below].into_iter().all(|of| matches!(kind(of), Some(ScriptKind::Statements | ScriptKind::Clauses)));
            if kind(category) != kind(below) && !both_act {
                let error = Diagnostic::error("E0453", lower.span).with("upper", &upper.text).with("lower", &lower.text);
                self.errors.push(error);
                continue;
            }
            let need = if self.tables.inflected(category) {
                Need::Own
            } else if self.tables.inflected(below) {
                self.tables.base()
            } else {
                Need::Any
            };
            self.tables.below.insert(category, below);
            self.level_places.push(upper.clone());
            let symbols = vec![Symbol::Category(below, need)];
            self.tables.grammar.rules.push(Rule {
                printed: Vec::new(),
                category,
                symbols,
                holes: Vec::new(),
                meaning: Meaning::Same,
                form: None,
                overrides: false,
            });
        }
    }

    /// Adds drafts to the grammar, except templates that exist already. If `once`, findings that several templates of a frame share are
    /// reported once.
    fn add(&mut self, drafts: Vec<Draft<'a>>, once: bool) {
        let before = self.errors.len();
        for Draft { template, def, rules, errors } in drafts {
            if let Some(def) = def {
                let known = self.said.get(&def.shown).into_iter().flatten().find(|(known, _)| same(known, &template));
                if let Some((_, id)) = known {
                    self.tables.grammar.cite_again(*id, def);
                    continue;
                }
                let id = TemplateId(self.tables.grammar.templates.len() as u32);
                self.said.entry(def.shown.clone()).or_default().push((template, id));
                self.tables.grammar.templates.push(def.into());
                self.tables.grammar.rules.extend(rules.into_iter().map(|rule| Rule { meaning: Meaning::Template(id), ..rule }));
            }
            self.errors.extend(errors);
        }
        if once {
            for error in self.errors.split_off(before) {
                if !self.errors.iter().skip(before).any(|known| *known == error) {
                    self.errors.push(error);
                }
            }
        }
    }
}

impl Grammar {
    /// A wording may repeat a template of another wording word for word, to give it the rules of its own game.
    fn cite_again(&mut self, id: TemplateId, again: TemplateDef) {
        let Some(def) = self.templates.get_mut(id.0 as usize) else { return };
        let def = Arc::make_mut(def);
        def.cites.extend(again.cites);
        def.script = again.script;
    }
}

/// The signs of a label that are printed differently from how they are matched.
fn unfolded(symbols: &[Symbol], printed: impl Iterator<Item = char>) -> Vec<(u16, String)> {
    let differs = |(symbol, sign): (&Symbol, char)| matches!(symbol, Symbol::Sign(folded) if *folded != sign).then(|| sign.to_string());
    (0..).zip(symbols.iter().zip(printed)).filter_map(|(at, pair)| Some((at, differs(pair)?))).collect()
}

/// Whether two templates are the same apart from places and citations.
fn same(one: &Template, other: &Template) -> bool {
    let heads = |template: &Template| (template.scope, template.printed.len(), template.gives.len());
    let given = |(one, other): (&Gives, &Gives)| {
        one.class.text == other.class.text && one.what.as_ref().map(|what| &what.text) == other.what.as_ref().map(|what| &what.text)
    };
    let texts = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
    let hands = |template: &Template| {
        let hand = |hand: &lang::syntax::ast::Arg| (hand.name.as_ref().map(|name| name.text.clone()), crate::show_expr(&hand.value));
        template.hands.iter().map(hand).collect::<Vec<_>>()
    };
    heads(one) == heads(other)
        && texts(&one.of) == texts(&other.of)
        && hands(one) == hands(other)
        && one.category.text == other.category.text
        && one.printed.iter().zip(&other.printed).all(|(one, other)| alike(one, other))
        && one.gives.iter().zip(&other.gives).all(given)
        && bare(&one.script) == bare(&other.script)
}

/// A script without places and citations.
pub(super) fn bare(script: &Fragment) -> Fragment {
    let mut bare = script.clone();
    Bare.fragment(&mut bare);
    bare
}

/// Whether two printed forms print the same.
fn alike(one: &Printed, other: &Printed) -> bool {
    let names = |one: &[Name], other: &[Name]| one.iter().map(|name| &name.text).eq(other.iter().map(|name| &name.text));
    let paths =
        |one: &[Vec<Name>], other: &[Vec<Name>]| one.len() == other.len() && one.iter().zip(other).all(|(one, other)| names(one, other));
    let parts = |(one, other): (&Arc<PrintedPart>, &Arc<PrintedPart>)| match (&**one, &**other) {
        (PrintedPart::Text(one), PrintedPart::Text(other)) => one.text == other.text,
        (PrintedPart::Choice(one, _), PrintedPart::Choice(other, _)) => {
            one.iter().map(|text| &text.text).eq(other.iter().map(|text| &text.text))
        }
        (PrintedPart::Word(one, forms), PrintedPart::Word(other, others)) => names(one, other) && paths(forms, others),
        (PrintedPart::Hole(one), PrintedPart::Hole(other)) => {
            one.name.text == other.name.text && one.category.text == other.category.text && paths(&one.forms, &other.forms)
        }
        _ => false,
    };
    one.parts.len() == other.parts.len() && one.parts.iter().zip(&other.parts).all(parts)
}
