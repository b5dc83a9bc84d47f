//! Wording: turns printed card text into effect scripts, by templates that a game declares as data.
//!
//! Input: the wording declarations of a game, the printed labels of its other declarations, and a card's text. Output: abilities as syntax
//! trees, with places in the card's file, and the phrases that they come from. Each printed line is one ability. A text is read completely
//! and in exactly one meaning, or it is an error; no part of it is ever skipped. The code knows no word of a game and no ending of Japanese
//! words, and does not know what a script does.
//!
//! The way of a text: `reading/fold.rs` makes its signs alike. `reading/chart.rs` finds every way to read it. `reading/forest.rs` finds the
//! meanings of these ways. `script/weave.rs` fills the templates' scripts. `script/bind.rs` binds references to earlier phrases.
//!
//! | file | does |
//! | --- | --- |
//! | `lib.rs` | `Wording`: the compiled declarations, and reading a text |
//! | `account/` | compares a text with its script: no word that carries meaning may be lost |
//! | `declared/` | from declarations to a grammar |
//! | `reading/` | from a printed text to its phrases |
//! | `script/` | from phrases to one script |
//! | `print.rs` | a script as one line of text |
//! | `back/` | from a script back to its printed text |
//! | `verdict.rs` | the verdict on a text that was read and printed back |
//! | `amounts.rs` | warns of amounts below zero |
//! | `unprinted.rs` | warns of names and values in scripts that no card of the game has |
//! | `refused/` | what is said of a text that cannot be read |
//! | `generate.rs` | makes random texts, for tests and benchmarks |

mod account;
mod amounts;
mod back;
mod declared;
mod generate;
mod print;
mod reading;
mod refused;
mod script;
mod unprinted;
mod verdict;

#[cfg(test)]
mod tests;

pub use amounts::amounts;
pub use back::{Back, Said};
pub use declared::families::fill_takes;
pub use declared::rescript::Rescripted;
pub use declared::scripts::{Mention, Sort, unread};
pub use generate::Generator;
pub use print::{show_ability, show_expr, show_fragment};
pub use reading::fold::{fold, fold_text};
pub use reading::remarks::{Annotation, Heading, annotations, headings, without_headings, without_remarks};
pub use script::alike::said_plainly;
pub use unprinted::{Pool, quotes, unprinted};
pub use verdict::Verdict;

use account::Account;
use declared::expand::Expansion;
use declared::grammar::{CategoryId, Grammar};
use declared::lower::{Lowered, wording_items};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{self, Ability, Cite, Fragment, Name};
use reading::chart::{Chart, NodeId};
use reading::forest::{Forest, Line};
use rustc_hash::{FxHashMap, FxHashSet};
use script::bare::{bare, plain};
use script::bind::{Bound, bind};
use std::sync::Arc;

/// The category of a whole printed line.
const GOAL: &str = "ability";

/// The code of a text with two meanings.
const AMBIGUOUS: &str = "E0408";

/// The code of a text with a phrase that the wording refuses (`unclear`).
const UNCLEAR: &str = "E0442";

/// The code of a category that contains itself.
const RING: &str = "E0406";

/// A game's wording, compiled.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    grammar: Grammar,
    annotations: Vec<Annotation>,
    /// What the words of a text must have in its script.
    account: Arc<Account>,
    /// For each template, by its place: the places of the meanings that it uses.
    through: FxHashMap<Span, Vec<Span>>,
    /// Whether some category contains itself. Each of its phrases would have endless readings, so no text is read.
    rings: bool,
}

/// The result of reading a card's text.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// One ability for each printed line that could be read.
    pub abilities: Vec<Ability>,
    /// The phrases of these abilities, outer ones before inner ones.
    pub phrases: Vec<Phrase>,
    /// Findings about the rest.
    pub diagnostics: Vec<Diagnostic>,
    /// Zones of the acting player that cards are sent to, where the text does not say whose the cards are.
    pub guessed: Vec<Name>,
    /// The types of the card with the text. Empty: any card.
    pub types: Vec<String>,
    /// The printed words that need no counterpart in the script (`unsaid` of the card).
    unsaid: Vec<ast::Text>,
    /// The places of the `unsaid` lines that were needed.
    pub needed: FxHashSet<Span>,
}

/// A phrase of a printed text with its script.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Where the phrase is printed.
    pub span: Span,
    /// The template of the phrase, as its first printed form.
    pub template: String,
    /// Where the template is declared.
    pub declared: Span,
    /// Which printed form of the template stands here, by a number of this wording.
    pub form: u32,
    /// The script. References are not bound in it.
    pub script: Fragment,
    /// The rules beside the template.
    pub cites: Vec<Cite>,
    /// The number of phrases around this phrase.
    pub depth: usize,
}

/// A declared template or frame.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The category of the template's phrases.
    pub category: &'a str,
    /// The template's first printed form.
    pub shown: &'a str,
    /// Where the template is declared, as in [`Phrase::declared`].
    pub span: Span,
    /// The rules beside the template.
    pub cites: &'a [Cite],
}

/// A declared word with one of its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormRow {
    /// The dictionary form.
    pub word: String,
    /// The path of the form.
    pub form: String,
    /// The word as written in that form.
    pub written: String,
}

impl Wording {
    /// Compiles the wordings in all declarations. All findings come with the result.
    #[must_use]
    pub fn new(files: &[ast::RulesFile]) -> (Wording, Vec<Diagnostic>) {
        let Lowered { grammar, annotations, through, errors } = declared::lower::lower(files);
        let rings = errors.iter().any(|error| error.code == RING);
        let account = Arc::new(Account::new(files, &grammar.numerals));
        (Wording { grammar, annotations, account, through, rings }, errors)
    }

    /// This wording with another script in one line, if nothing else has changed.
    #[must_use]
    pub fn with_script(&self, files: &[ast::RulesFile], before: &ast::WordingItem, now: &ast::WordingItem) -> Rescripted<Wording> {
        let (expansion, errors) = Expansion::of(&wording_items(files).collect::<Vec<_>>());
        let mut more = Vec::new();
        let mut put = |line: &ast::WordingItem| expansion.line(line, &mut more).unwrap_or_else(|| line.clone());
        let Some((before, now)) = declared::families::changed_line(before, now) else { return Rescripted::Unsure };
        let (before, now) = (put(before), put(now));
        if !errors.is_empty() || !more.is_empty() {
            return Rescripted::Unsure;
        }
        let (annotations, account) = (self.annotations.clone(), Arc::clone(&self.account));
        let (through, rings) = (self.through.clone(), self.rings);
        declared::rescript::rescripted(&self.grammar, (&before, &now)).map(|grammar| Wording {
            grammar,
            annotations,
            account,
            through,
            rings,
        })
    }

    /// The places of the meanings that the template declared here uses.
    #[must_use]
    pub fn through(&self, declared: Span) -> &[Span] {
        self.through.get(&declared).map_or(&[], Vec::as_slice)
    }

    /// The declared names of a card's types: the types in its head, or the game's first type if it names none. Empty for a card with `like`
    /// and no type of its own.
    #[must_use]
    pub fn types_of(&self, card: &ast::CardDecl) -> Vec<String> {
        let declared = card.of.iter().filter_map(|of| self.grammar.card_type(&of.text)).map(str::to_owned).collect();
        match (card.of.is_empty() && card.like.is_none(), self.grammar.card_types.first()) {
            (true, Some((first, _))) => vec![first.clone()],
            _ => declared,
        }
    }

    /// This wording without the comparison of texts with their scripts.
    #[must_use]
    pub fn without_account(self) -> Self {
        Self { account: Arc::default(), ..self }
    }

    /// Reads each line of a text for any card. Templates for certain card types count too.
    #[must_use]
    pub fn read(&self, text: &ast::Text) -> Reading {
        self.read_on(text, Vec::new())
    }

    /// Reads a text that is printed on this card.
    #[must_use]
    pub fn read_of(&self, text: &ast::Text, card: &ast::CardDecl) -> Reading {
        let unsaid = card.unsaid.iter().map(|(word, _)| word.clone()).collect();
        self.read_into(text, Reading { types: self.types_of(card), unsaid, ..Reading::default() })
    }

    /// Reads a text that is printed on a card of these types. Empty: any card.
    #[must_use]
    pub fn read_on(&self, text: &ast::Text, types: Vec<String>) -> Reading {
        self.read_into(text, Reading { types, ..Reading::default() })
    }

    fn read_into(&self, text: &ast::Text, mut reading: Reading) -> Reading {
        if self.rings {
            return reading;
        }
        let Some(goal) = self.grammar.category(GOAL) else {
            if !text.text.trim().is_empty() {
                reading.diagnostics.push(Diagnostic::error("E0407", text.span).with("text", &text.text).with("none", GOAL));
            }
            return reading;
        };
        for (line, chart) in self.charted(text, goal) {
            self.read_line(&line, &chart, goal, &mut reading);
        }
        reading
    }

    /// The meanings of a single phrase of a category, in any form: none, one, or two if it is ambiguous.
    fn alone(&self, category: CategoryId, phrase: &str) -> Vec<Fragment> {
        let span = Span { start: 0, end: phrase.len() as u32, ..Span::default() };
        let line = self.line(&ast::Text { text: phrase.to_owned(), span }, 0, phrase);
        let chart = Chart::parse(&self.grammar, &line.signs, category);
        let Some(root) = chart.whole(category).filter(|_| !chart.too_large) else { return Vec::new() };
        let ways = Forest::new(&self.grammar, &chart, &line).ways(root);
        ways.iter().map(|way| plain(&way.meaning.script)).collect()
    }

    /// All forms of all declared words, for tables.
    pub fn forms(&self) -> impl Iterator<Item = FormRow> {
        self.grammar.words.iter().flat_map(|word| {
            word.surfaces.iter().map(|surface| FormRow {
                word: word.dictionary.clone(),
                form: self.grammar.forms.name(surface.form).to_owned(),
                written: word.stem.iter().chain(&surface.ending).collect(),
            })
        })
    }

    /// The declared templates. The many templates of a frame or a relative clause count as one.
    pub fn templates(&self) -> impl Iterator<Item = Declared<'_>> {
        let mut seen = FxHashSet::default();
        let once = move |template: &&std::sync::Arc<declared::grammar::TemplateDef>| seen.insert(template.span);
        self.grammar.templates.iter().filter(once).map(|template| Declared {
            category: self.grammar.category_def(template.category).map_or("", |(name, _)| name),
            shown: &template.shown,
            span: template.span,
            cites: &template.cites,
        })
    }

    /// Whether each word of a text of one line has its part in an ability, and each part of the ability its word.
    #[must_use]
    pub fn accounts_for(&self, text: &ast::Text, ability: &Ability) -> bool {
        let line = self.line(text, 0, &text.text);
        self.account.unaccounted((&line, &[]), ability, &[], &mut FxHashSet::default()).is_empty()
    }

    /// The number of items in the chart of a line. It measures the cost of reading, on any machine.
    #[must_use]
    pub fn items(&self, line: &str) -> usize {
        self.grammar.category(GOAL).map_or(0, |goal| Chart::parse(&self.grammar, &fold_text(line), goal).size)
    }

    fn read_line(&self, line: &Line, chart: &Chart, goal: CategoryId, reading: &mut Reading) {
        if chart.too_large {
            reading.diagnostics.push(Diagnostic::error("E0409", line.span));
            return;
        }
        let Some(root) = chart.whole(goal) else {
            let chart = Chart::with_dead_ends(&self.grammar, &line.signs, goal);
            reading.diagnostics.push(refused::report::uncovered(&self.grammar, &chart, line));
            return;
        };
        let types = reading.types.clone();
        let mut forest = Forest::new(&self.grammar, chart, line).on(&types);
        let ways = forest.ways(root);
        if let Some(span) = forest.too_large {
            reading.diagnostics.push(script::size::too_large(span));
            return;
        }
        if ways.is_empty() && !types.is_empty() {
            reading.diagnostics.push(self.of_other_types(chart, root, line, &types));
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
            [one] => {
                self.phrases(&mut forest, root, 0, 0, &mut reading.phrases);
                let mut errors = one.errors.clone();
                errors.extend(self.printed_apart(&mut forest, root));
                if errors.is_empty() {
                    errors = self.account.unaccounted((line, &types), &one.ability, &reading.unsaid, &mut reading.needed);
                }
                errors.extend(self.account.asked_early(&one.ability));
                reading.diagnostics.extend(errors.iter().cloned());
                if errors.is_empty() {
                    reading.abilities.push(one.ability.clone());
                    reading.guessed.extend(one.guessed.iter().cloned());
                }
            }
            // Two meanings that differ only in their references, and are equal once these are bound.
            [first, second] if first.errors.is_empty() && bare(first.ability.clone()) == bare(second.ability.clone()) => {
                self.phrases(&mut forest, root, 0, 0, &mut reading.phrases);
                let mut lost = self.account.unaccounted((line, &types), &first.ability, &reading.unsaid, &mut reading.needed);
                lost.extend(self.account.asked_early(&first.ability));
                if lost.is_empty() {
                    reading.abilities.push(first.ability.clone());
                    reading.guessed.extend(first.guessed.iter().cloned());
                }
                reading.diagnostics.extend(lost);
            }
            [..] => reading.diagnostics.push(ambiguous(&mut forest, root, line)),
        }
    }

    /// The finding for a text that only cards of other types can have. The finding names the innermost phrase that is limited to other
    /// types.
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
                cites: script::weave::all_cites(template),
                depth,
            });
        }
        let depth = depth + usize::from(template.is_some());
        for (part, meaning) in &way.parts {
            self.phrases(forest, *part, *meaning, depth, phrases);
        }
    }

    /// The finding for two phrases of an `alike` category that are printed in different signs.
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

    /// The phrases of `alike` categories, in the order of the text.
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
}

/// The ability of a whole line, with its references bound.
fn ability_of(meaning: &script::weave::Meaning) -> Option<Bound> {
    match &meaning.script {
        Fragment::Ability(ability) => Some(bind(ability.as_ref().clone(), &meaning.gives)),
        _ => None,
    }
}

/// The finding for an ambiguous text, at the smallest ambiguous phrase.
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
    if let [first, second, ..] = ways.as_slice()
        && let Some((cut, other)) = forest.cuts(node, first, second)
    {
        error = error.with("cut", cut).with("other_cut", other);
    }
    let mut templates = ways.iter().map(|way| forest.templates(way));
    if let (Some(first), Some(second)) = (templates.next(), templates.next()) {
        // The outermost templates in which the readings differ. If the templates are equal, the readings apply one template to different
        // parts; then the note names that template.
        let apart = first.iter().zip(&second).find(|(one, other)| one != other);
        let apart = apart.or_else(|| first.first().zip(second.first()));
        error = match apart {
            Some((one, other)) if one == other => error.note(*one, "both"),
            Some((one, other)) => error.note(*one, "first").note(*other, "second"),
            None => error,
        };
    }
    error
}
