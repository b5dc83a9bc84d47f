//! Wording: printed card text to effect scripts, through templates that are data.
//!
//! Takes the wording declarations of a game (and the labels that its other declarations print) and a card's text; gives
//! abilities in the language's own tree, placed in the card's file, with the phrases they come from. A text is read whole, in
//! exactly one meaning, or it is an error: nothing is ever left out. One printed line is one ability.
//! Deliberately absent: any word of a game, any Japanese ending, any idea of what a script does.

mod alike;
mod back;
mod bare;
mod bind;
mod chart;
mod check;
mod draft;
mod expand;
mod families;
mod firsts;
mod fold;
mod follow;
mod forest;
mod frames;
mod generate;
mod grammar;
mod inflect;
mod lexicon;
mod lower;
mod meant;
mod print;
mod remarks;
mod report;
mod rescript;
mod rewrite;
mod sayings;
mod states;
mod stuck;
mod verdict;
mod weave;

#[cfg(test)]
mod tests;

pub use alike::said_plainly;
pub use back::{Back, Said};
pub use families::fill_takes;
pub use fold::{fold, fold_text};
pub use generate::Generator;
pub use print::{show_ability, show_expr, show_fragment};
pub use remarks::{Annotation, annotations, without_remarks};
pub use verdict::Verdict;

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{self, Ability, Cite, Fragment};
use bare::{bare, plain};
use bind::bind;
use chart::{Chart, NodeId};
use expand::Expansion;
use forest::{Forest, Line};
use grammar::{CategoryId, Grammar};
use lower::{Lowered, wording_items};
use remarks::skip_remarks;
use rustc_hash::{FxHashMap, FxHashSet};

/// The category that a printed line is one of.
const GOAL: &str = "ability";

/// The code of a text with two meanings.
const AMBIGUOUS: &str = "E0408";

/// The code of a text with a phrase that the wording refuses.
const UNCLEAR: &str = "E0442";

/// The code of a category that leads back to itself.
const RING: &str = "E0406";

/// What a game's declarations say about printed text.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    grammar: Grammar,
    annotations: Vec<Annotation>,
    /// The places of the meanings that templates are said by, by the template's place.
    through: FxHashMap<Span, Vec<Span>>,
    /// Some category leads back to itself: every phrase of it would have readings without end, so no text is read.
    rings: bool,
}

/// A card's text, read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// One for each printed line that could be read.
    pub abilities: Vec<Ability>,
    /// The phrases of these abilities, outer before inner.
    pub phrases: Vec<Phrase>,
    /// What could not be read, and why.
    pub diagnostics: Vec<Diagnostic>,
    /// The types of the card on which it was read; none: it may be any.
    pub types: Vec<String>,
}

/// A phrase of a printed text with what it became.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Where it is printed.
    pub span: Span,
    /// The template that covers it, as declared (its first printed form).
    pub template: String,
    /// Where that template is declared.
    pub declared: Span,
    /// Which of its printed forms stands there, by a number that only the wording knows.
    pub form: u32,
    /// Its script; references are not bound in it.
    pub script: Fragment,
    /// The rules beside the template.
    pub cites: Vec<Cite>,
    /// How many phrases it stands in.
    pub depth: usize,
}

/// A template, or a frame, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The category that its phrases are of.
    pub category: &'a str,
    /// Its first printed form.
    pub shown: &'a str,
    /// Where it is declared: what [`Phrase::declared`] says.
    pub span: Span,
    /// The rules beside it.
    pub cites: &'a [Cite],
}

/// A declared word with one of its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRow {
    /// The dictionary form.
    pub word: String,
    /// The form's path.
    pub form: String,
    /// The word in that form.
    pub written: String,
}

impl Wording {
    /// The wording of all declarations, with whatever is wrong with them.
    #[must_use]
    pub fn new(files: &[ast::RulesFile]) -> (Wording, Vec<Diagnostic>) {
        let Lowered { grammar, annotations, through, errors } = lower::lower(files);
        let rings = errors.iter().any(|error| error.code == RING);
        (Wording { grammar, annotations, through, rings }, errors)
    }

    /// The wording in which a line of these declarations says something else, where nothing but its script is otherwise. None where that is not
    /// sure: then all of it is to be compiled.
    #[must_use]
    pub fn with_script(&self, files: &[ast::RulesFile], before: &ast::WordingItem, now: &ast::WordingItem) -> Option<Wording> {
        let (expansion, errors) = Expansion::of(&wording_items(files).collect::<Vec<_>>());
        let mut more = Vec::new();
        let mut put = |line: &ast::WordingItem| expansion.line(line, &mut more).unwrap_or_else(|| line.clone());
        let (before, now) = families::changed_line(before, now)?;
        let (before, now) = (put(before), put(now));
        let grammar = (errors.is_empty() && more.is_empty()).then(|| rescript::rescripted(&self.grammar, (&before, &now)))??;
        Some(Wording { grammar, annotations: self.annotations.clone(), through: self.through.clone(), rings: self.rings })
    }

    /// The places of the meanings by which the template that is declared there says what it says.
    #[must_use]
    pub fn through(&self, declared: Span) -> &[Span] {
        self.through.get(&declared).map_or(&[], Vec::as_slice)
    }

    /// The declared names of a card's types: those of its head, or the game's first type where it names none. None are known of a card that is like
    /// another and says no type itself.
    #[must_use]
    pub fn types_of(&self, card: &ast::CardDecl) -> Vec<String> {
        let declared = card.of.iter().filter_map(|of| self.grammar.card_type(&of.text)).map(str::to_owned).collect();
        match (card.of.is_empty() && card.like.is_none(), self.grammar.card_types.first()) {
            (true, Some((first, _))) => vec![first.clone()],
            _ => declared,
        }
    }

    /// Reads a card's text: each of its lines. Whatever the type of the card may be, templates that ask for one count too.
    #[must_use]
    pub fn read(&self, text: &ast::Text) -> Reading {
        self.read_on(text, Vec::new())
    }

    /// Reads a text that is printed on that card.
    #[must_use]
    pub fn read_of(&self, text: &ast::Text, card: &ast::CardDecl) -> Reading {
        self.read_on(text, self.types_of(card))
    }

    /// Reads a text that is printed on a card of these types; none: of whichever.
    #[must_use]
    pub fn read_on(&self, text: &ast::Text, types: Vec<String>) -> Reading {
        let mut reading = Reading { types, ..Reading::default() };
        if self.rings {
            return reading;
        }
        let Some(goal) = self.grammar.category(GOAL) else {
            if !text.text.trim().is_empty() {
                reading.diagnostics.push(Diagnostic::error("E0407", text.span).with("text", &text.text));
            }
            return reading;
        };
        let mut start = 0;
        for line in text.text.split('\n') {
            let line = self.line(text, start, line);
            if !line.signs.is_empty() {
                self.read_line(&line, goal, &mut reading);
            }
            start += line.bytes;
        }
        reading
    }

    /// What a phrase of a category means by itself, in any form: none, one, or two where it is read in several ways.
    fn alone(&self, category: CategoryId, phrase: &str) -> Vec<Fragment> {
        let span = Span { start: 0, end: phrase.len() as u32, ..Span::default() };
        let line = self.line(&ast::Text { text: phrase.to_owned(), span }, 0, phrase);
        let chart = Chart::parse(&self.grammar, &line.signs, category);
        let Some(root) = chart.whole(category).filter(|_| !chart.too_large) else { return Vec::new() };
        let ways = Forest::new(&self.grammar, &chart, &line).ways(root);
        ways.iter().map(|way| plain(&way.meaning.script)).collect()
    }

    /// Every form of every declared word, for tables that a designer reads.
    pub fn forms(&self) -> impl Iterator<Item = FormRow> {
        self.grammar.words.iter().flat_map(|word| {
            word.surfaces.iter().map(|surface| FormRow {
                word: word.dictionary.clone(),
                form: self.grammar.forms.name(surface.form).to_owned(),
                written: word.stem.iter().chain(&surface.ending).collect(),
            })
        })
    }

    /// The templates as declared, a frame's and a relative clause's many forms as one.
    pub fn templates(&self) -> impl Iterator<Item = Declared<'_>> {
        let mut seen = FxHashSet::default();
        let once = move |template: &&std::sync::Arc<grammar::TemplateDef>| seen.insert(template.span);
        self.grammar.templates.iter().filter(once).map(|template| Declared {
            category: self.grammar.category_def(template.category).map_or("", |(name, _)| name),
            shown: &template.shown,
            span: template.span,
            cites: &template.cites,
        })
    }

    /// How many dotted rules the chart of a line has: what reading it costs, whatever the machine.
    #[must_use]
    pub fn items(&self, line: &str) -> usize {
        self.grammar.category(GOAL).map_or(0, |goal| Chart::parse(&self.grammar, &fold_text(line), goal).size)
    }

    fn read_line(&self, line: &Line, goal: CategoryId, reading: &mut Reading) {
        let chart = Chart::parse(&self.grammar, &line.signs, goal);
        if chart.too_large {
            reading.diagnostics.push(Diagnostic::error("E0409", line.span));
            return;
        }
        let Some(root) = chart.whole(goal) else {
            let chart = Chart::with_dead_ends(&self.grammar, &line.signs, goal);
            reading.diagnostics.push(report::uncovered(&self.grammar, &chart, line));
            return;
        };
        let types = reading.types.clone();
        let mut forest = Forest::new(&self.grammar, &chart, line).on(&types);
        let ways = forest.ways(root);
        if ways.is_empty() && !types.is_empty() {
            reading.diagnostics.push(self.of_other_types(&chart, root, line, &types));
            return;
        }
        if let Some((span, id)) = ways.iter().find_map(|way| way.meaning.unclear) {
            reading.diagnostics.extend(self.grammar.unclear(id).map(|unclear| {
                let text = line.printed_at(span);
                Diagnostic::error(UNCLEAR, span).with("text", text).with("because", &unclear.because).note(unclear.span, "declared")
            }));
            return;
        }
        let abilities: Vec<_> = ways.iter().filter_map(|way| ability_of(&way.meaning)).collect();
        match abilities.as_slice() {
            [(ability, errors)] => {
                self.phrases(&mut forest, root, 0, 0, &mut reading.phrases);
                let mut errors = errors.clone();
                errors.extend(self.printed_apart(&mut forest, root));
                reading.diagnostics.extend(errors.iter().cloned());
                if errors.is_empty() {
                    reading.abilities.push(ability.clone());
                }
            }
            // Two meanings that only references told apart, and that are one when these are bound.
            [(first, errors), (second, _)] if errors.is_empty() && bare(first.clone()) == bare(second.clone()) => {
                self.phrases(&mut forest, root, 0, 0, &mut reading.phrases);
                reading.abilities.push(first.clone());
            }
            [..] => reading.diagnostics.push(ambiguous(&mut forest, root, line)),
        }
    }

    /// What is said of a text that only cards of other types print so: the innermost phrase that is.
    fn of_other_types(&self, chart: &Chart, root: NodeId, line: &Line, types: &[String]) -> Diagnostic {
        let mut phrases = Vec::new();
        self.phrases(&mut Forest::new(&self.grammar, chart, line), root, 0, 0, &mut phrases);
        let of = |phrase: &Phrase| {
            let template = self.grammar.templates.iter().find(|template| template.span == phrase.declared)?;
            (!template.of.is_empty() && !template.of.iter().any(|of| types.contains(of))).then(|| template.of.join(", "))
        };
        let found = phrases.iter().filter_map(|phrase| Some((phrase, of(phrase)?))).max_by_key(|(phrase, _)| phrase.depth);
        let (span, of, declared) = found.map_or((line.span, String::new(), None), |(phrase, of)| (phrase.span, of, Some(phrase.declared)));
        let error = Diagnostic::error("E0444", span).with("text", line.printed_at(span)).with("of", of).with("types", types.join(", "));
        declared.map_or(error.clone(), |declared| error.note(declared, "declared"))
    }

    fn phrases(&self, forest: &mut Forest<'_>, node: NodeId, meaning: usize, depth: usize, phrases: &mut Vec<Phrase>) {
        let ways = forest.ways(node);
        let Some(way) = ways.get(meaning) else { return };
        let template = way.template.and_then(|id| self.grammar.template(id));
        if let Some(template) = template {
            phrases.push(Phrase {
                span: forest.span(node),
                template: template.shown.clone(),
                declared: template.span,
                form: way.rule.0,
                script: plain(&way.meaning.script),
                cites: weave::all_cites(template),
                depth,
            });
        }
        let depth = depth + usize::from(template.is_some());
        for (part, meaning) in &way.parts {
            self.phrases(forest, *part, *meaning, depth, phrases);
        }
    }

    /// Two phrases of a category whose phrases stand for one thing, printed in different signs.
    fn printed_apart(&self, forest: &mut Forest<'_>, root: NodeId) -> Option<Diagnostic> {
        let mut found = Vec::new();
        self.alike(forest, root, 0, &mut found);
        let mut first: FxHashMap<CategoryId, NodeId> = FxHashMap::default();
        found.into_iter().find_map(|(category, node)| {
            let known = *first.entry(category).or_insert(node);
            let printed = |node: NodeId| forest.printed(node).iter().collect::<String>();
            let error = Diagnostic::error("E0441", forest.span(node)).with("first", printed(known)).with("second", printed(node));
            (printed(known) != printed(node)).then(|| error.note(forest.span(known), "first"))
        })
    }

    /// The phrases of such categories, in the order of the text.
    fn alike(&self, forest: &mut Forest<'_>, node: NodeId, meaning: usize, found: &mut Vec<(CategoryId, NodeId)>) {
        let ways = forest.ways(node);
        let Some(way) = ways.get(meaning) else { return };
        let category = way.template.and_then(|id| self.grammar.template(id)).map(|template| template.category);
        if let Some(category) = category.filter(|category| self.grammar.category_def(*category).is_some_and(|(_, def)| def.alike)) {
            found.push((category, node));
        }
        for (part, meaning) in &way.parts {
            self.alike(forest, *part, *meaning, found);
        }
    }

    /// A printed line without its indentation and remarks.
    fn line(&self, text: &ast::Text, start: usize, line: &str) -> Line {
        let mut printed: Vec<(char, u32)> = Vec::new();
        for (index, sign) in line.char_indices() {
            printed.push((sign, text.span.start + (start + index) as u32));
        }
        while printed.last().is_some_and(|(sign, _)| sign.is_whitespace()) {
            printed.pop();
        }
        let indent = printed.iter().take_while(|(sign, _)| sign.is_whitespace()).count();
        printed.drain(..indent);
        for annotation in &self.annotations {
            skip_remarks(&mut printed, annotation);
        }
        let end = printed.last().map_or(text.span.start, |(sign, place)| place + sign.len_utf8() as u32);
        let begin = printed.first().map_or(end, |(_, place)| *place);
        Line {
            signs: printed.iter().map(|(sign, _)| fold(*sign)).collect(),
            printed: printed.iter().map(|(sign, _)| *sign).collect(),
            places: printed.iter().map(|(_, place)| *place).chain([end]).collect(),
            span: Span { file: text.span.file, start: begin, end },
            bytes: line.len() + 1,
        }
    }
}

/// The bound ability of a whole line's meaning.
fn ability_of(meaning: &weave::Meaning) -> Option<(Ability, Vec<Diagnostic>)> {
    match &meaning.script {
        Fragment::Ability(ability) => Some(bind(ability.as_ref().clone(), &meaning.gives)),
        _ => None,
    }
}

/// The error for a text with two meanings, at the smallest phrase that has them.
fn ambiguous(forest: &mut Forest<'_>, root: NodeId, line: &Line) -> Diagnostic {
    let count = forest.count(root);
    let node = forest.ambiguous(root);
    let ways = forest.ways(node);
    let mut error =
        Diagnostic::error(AMBIGUOUS, forest.span(node)).with("text", line.printed.iter().collect::<String>()).with("count", count);
    let mut scripts = ways.iter().map(|way| show_fragment(&plain(&way.meaning.script)));
    if let (Some(first), Some(second)) = (scripts.next(), scripts.next()) {
        error = error.with("first", first).with("second", second);
    }
    error
}
