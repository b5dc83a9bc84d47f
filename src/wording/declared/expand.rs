//! Puts spellings, meanings and families into the lines that use them.
//!
//! Input: the lines of all wordings. Output: lines without spellings, meanings, families and `take`. A spelling becomes a choice of signs
//! in each printed form. A meaning's script replaces its call (`putting.rs`). `take` becomes the lines of the family with its names. All
//! later code sees only templates.

use crate::declared::families::{once_for_all, taken};
use crate::declared::putting::Putting;
use crate::script::weave::{SAID, SAYINGS, add};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Cite, Family, Filler, Fragment, Name, NamedMeaning, Printed, PrintedPart, Text, WordingItem, WordingKind};
use lang::syntax::rewrite::Rewriter;
use lang::syntax::visit::Visitor;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The code of the finding that there is more of something than a limit allows.
pub(crate) const TOO_MANY: &str = "E0229";

/// The most lines that one `take` gives.
const MOST_LINES: usize = 10_000;

/// The declared spellings, meanings and families.
#[derive(Default)]
pub(crate) struct Expansion<'a> {
    spellings: FxHashMap<&'a str, Vec<&'a Text>>,
    meanings: FxHashMap<&'a str, Meaning<'a>>,
    families: FxHashMap<&'a str, &'a Family>,
}

/// A meaning as declared, or as a game declares it again.
#[derive(Clone)]
pub(crate) struct Meaning<'a> {
    pub(crate) declared: &'a NamedMeaning,
    /// The meaning's script, with the scripts of called meanings put in.
    pub(crate) script: Fragment,
    pub(crate) cites: &'a [Cite],
    span: Span,
}

/// The lines of the wordings after the expansion.
#[derive(Default)]
pub(crate) struct Lines<'a> {
    /// The lines with everything put in.
    pub lines: Vec<Cow<'a, WordingItem>>,
    /// For each line, by its place: the places of the meanings that it uses.
    pub through: FxHashMap<Span, Vec<Span>>,
    /// The findings.
    pub errors: Vec<Diagnostic>,
}

impl<'a> Expansion<'a> {
    /// Collects all declarations. All findings come with the result.
    pub(crate) fn of(items: &[&'a WordingItem]) -> (Self, Vec<Diagnostic>) {
        let (mut expansion, mut errors) = (Expansion::default(), Vec::new());
        let mut declared: Vec<(&'a WordingItem, &'a NamedMeaning)> = Vec::new();
        let mut taken: Vec<(&'a WordingItem, &'a Name, Option<&'a NamedMeaning>)> = Vec::new();
        for item in items {
            match &item.kind {
                WordingKind::Spelling(name, texts) => {
                    // The last declared spelling is the printed one: a game declares the spelling of its own cards after `rules/std`.
                    let known = expansion.spellings.entry(&name.text).or_default();
                    known.retain(|other| !texts.iter().any(|text| text.text == other.text));
                    known.splice(..0, texts);
                }
                WordingKind::Family(family) => {
                    let known = expansion.families.insert(&family.name.text, family);
                    errors.extend(known.map(|_| twice("family", &family.name)));
                    errors.extend(
                        family
                            .items
                            .iter()
                            .filter_map(|inner| once_for_all(inner).map(|what| Diagnostic::error("E0450", inner.span).with("what", what))),
                    );
                }
                WordingKind::Meaning(meaning) => declared.push((item, meaning)),
                WordingKind::TakeMeaning { name, meaning } => taken.push((item, name, meaning.as_ref())),
                _ => {}
            }
        }
        errors.extend(items.iter().filter_map(|item| match &item.kind {
            WordingKind::Verb { word, .. } if expansion.spellings.contains_key(word.text.as_str()) => Some(twice("word", word)),
            _ => None,
        }));
        expansion.declare(&declared, &taken, &mut errors);
        (expansion, errors)
    }

    /// Chooses the meaning that counts for each name: the overriding or taken one, else the declared one. A taken meaning is the declared
    /// one with other citations. It stands in its line once `fill_takes` has filled it in.
    fn declare(
        &mut self,
        declared: &[(&'a WordingItem, &'a NamedMeaning)],
        taken: &[(&'a WordingItem, &'a Name, Option<&'a NamedMeaning>)],
        errors: &mut Vec<Diagnostic>,
    ) {
        let mut counts: FxHashMap<&'a str, (&'a WordingItem, &'a NamedMeaning)> = FxHashMap::default();
        let (overriding, plain): (Vec<_>, Vec<_>) = declared.iter().copied().partition(|(_, meaning)| meaning.overrides);
        for (item, meaning) in plain {
            errors.extend(is_saying(&meaning.name.text).then(|| twice("saying", &meaning.name)));
            if counts.insert(&meaning.name.text, (item, meaning)).is_some() {
                errors.push(twice("meaning", &meaning.name));
            }
        }
        let mut overridden: Vec<&str> = Vec::new();
        for (item, meaning) in overriding {
            let name = meaning.name.text.as_str();
            match counts.get(name) {
                None => errors.push(unknown(&meaning.name, counts.keys().copied())),
                Some(_) if overridden.contains(&name) => errors.push(twice("meaning", &meaning.name)),
                Some((_, other)) if other.params.len() != meaning.params.len() => {
                    errors.push(miscounted(&meaning.name, other.params.len(), meaning.params.len()));
                }
                Some(_) => {
                    overridden.push(name);
                    counts.insert(name, (item, meaning));
                }
            }
        }
        for (item, name, filled) in taken {
            match counts.get(name.text.as_str()) {
                None => errors.push(unknown(name, counts.keys().copied())),
                Some(_) if overridden.contains(&name.text.as_str()) => errors.push(twice("meaning", name)),
                Some((_, shared)) => {
                    overridden.push(&name.text);
                    counts.insert(&name.text, (item, filled.unwrap_or(shared)));
                }
            }
        }
        let mut order: Vec<&'a str> = counts.keys().copied().collect();
        order.sort_unstable();
        for name in order {
            self.close(name, &counts, &mut Vec::new(), errors);
        }
    }

    /// Puts the called meanings into a meaning's script.
    fn close(
        &mut self,
        name: &'a str,
        counts: &FxHashMap<&'a str, (&'a WordingItem, &'a NamedMeaning)>,
        open: &mut Vec<&'a str>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let Some((item, meaning)) = counts.get(name).copied() else { return };
        if self.meanings.contains_key(name) {
            return;
        }
        if open.contains(&name) {
            errors.push(in_a_ring("meaning", &meaning.name));
            return;
        }
        open.push(name);
        let mut called = Called::default();
        called.fragment(&meaning.script);
        // If a meaning calls its own name, the call means the game's action of that name.
        for inner in called.names.iter().filter_map(|called| counts.get_key_value(called.as_str()).map(|(key, _)| *key)) {
            if inner != name {
                self.close(inner, counts, open, errors);
            }
        }
        open.pop();
        let mut script = meaning.script.clone();
        let mut putting = Putting::new(&self.meanings, &item.cites);
        putting.fragment(&mut script);
        errors.append(&mut putting.errors);
        self.meanings.insert(name, Meaning { declared: meaning, script, cites: &item.cites, span: item.span });
    }

    /// All lines with everything put in.
    pub(crate) fn lines(&self, items: &[&'a WordingItem]) -> Lines<'a> {
        let mut all = Lines::default();
        for item in items {
            match &item.kind {
                WordingKind::Take { family, names, lines } => {
                    let taken = if lines.is_empty() { self.taken(family, names, &mut Vec::new(), &mut all.errors) } else { lines.clone() };
                    for mut line in taken {
                        // The rules beside `take` also count for parts that no meaning with own rules writes.
                        let own = line.cites.clone();
                        add(&mut line.cites, &item.cites);
                        self.add(Cow::Owned(line), &own, &mut all);
                    }
                }
                WordingKind::Spelling(..) | WordingKind::Meaning(_) | WordingKind::TakeMeaning { .. } | WordingKind::Family(_) => {}
                _ => self.add(Cow::Borrowed(*item), &item.cites, &mut all),
            }
        }
        all
    }

    /// The lines of a family with these names. `open` are the families whose lines take this one.
    pub(crate) fn taken<'o>(
        &'o self,
        family: &Name,
        names: &[Name],
        open: &mut Vec<&'o str>,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<WordingItem> {
        let Some(declared) = self.families.get(family.text.as_str()) else {
            errors.push(unknown(family, self.families.keys().copied()));
            return Vec::new();
        };
        if declared.params.len() != names.len() {
            errors.push(miscounted(family, declared.params.len(), names.len()));
            return Vec::new();
        }
        if open.contains(&declared.name.text.as_str()) {
            errors.push(in_a_ring("family", &declared.name));
            return Vec::new();
        }
        open.push(&declared.name.text);
        let mut lines = Vec::new();
        for line in &declared.items {
            // A family that takes another family twice doubles its lines, so a chain of these families grows very fast.
            if lines.len() > MOST_LINES {
                if !errors.iter().any(|error| error.code == TOO_MANY) {
                    errors.push(Diagnostic::error(TOO_MANY, declared.name.span).with("what", "lines of a family").with("most", MOST_LINES));
                }
                break;
            }
            let line = taken(line, declared, names);
            let WordingKind::Take { family, names, .. } = &line.kind else {
                lines.push(line);
                continue;
            };
            for mut inner in self.taken(family, names, open, errors) {
                add(&mut inner.cites, &line.cites);
                lines.push(inner);
            }
        }
        open.pop();
        lines
    }

    fn add(&self, line: Cow<'a, WordingItem>, around: &[Cite], all: &mut Lines<'a>) {
        let through = self.spans(&line);
        if !through.is_empty() {
            all.through.insert(line.span, through);
        }
        let put = self.put(&line, around, &mut all.errors);
        all.lines.push(put.map_or(line, Cow::Owned));
    }

    /// A line with everything put in; none if nothing had to be put in.
    pub(crate) fn line(&self, item: &WordingItem, errors: &mut Vec<Diagnostic>) -> Option<WordingItem> {
        self.put(item, &item.cites, errors)
    }

    /// A line with everything put in; none if nothing had to be put in. The rules `around` are added beside the own rules of a meaning.
    fn put(&self, item: &WordingItem, around: &[Cite], errors: &mut Vec<Diagnostic>) -> Option<WordingItem> {
        let mut line = item.clone();
        let mut putting = Putting::new(&self.meanings, around);
        let mut spelled = false;
        match &mut line.kind {
            WordingKind::Template(template) => {
                spelled = self.spell(&mut template.printed);
                putting.template(template);
            }
            WordingKind::Frame(frame) => {
                for slot in &mut frame.slots {
                    spelled |= self.spell(&mut slot.floating);
                    if let Filler::Printed(printed) = &mut slot.filler {
                        spelled |= self.spell(printed);
                    }
                }
                putting.frame(frame);
            }
            WordingKind::Unclear(unclear) => spelled = self.spell(&mut unclear.printed),
            WordingKind::Relative(relative) => spelled = self.spell(&mut relative.printed),
            _ => {}
        }
        errors.append(&mut putting.errors);
        let found = putting.found;
        add(&mut line.cites, &found);
        (spelled || line.kind != item.kind).then_some(line)
    }

    /// The places of all meanings that a line's script uses, directly or through others.
    fn spans(&self, item: &WordingItem) -> Vec<Span> {
        let mut called = Called::default();
        match &item.kind {
            WordingKind::Template(template) => called.fragment(&template.script),
            WordingKind::Frame(frame) => called.fragment(&frame.script),
            _ => {}
        }
        let (mut spans, mut open) = (Vec::new(), called.names);
        while let Some(name) = open.pop() {
            let Some(meaning) = self.meanings.get(name.as_str()) else { continue };
            if !spans.contains(&meaning.span) {
                spans.push(meaning.span);
                let mut inner = Called::default();
                inner.fragment(&meaning.declared.script);
                open.append(&mut inner.names);
            }
        }
        spans
    }

    /// Puts spellings into printed forms. Gives whether there were any.
    fn spell(&self, forms: &mut [Printed]) -> bool {
        let mut spelled = false;
        for part in forms.iter_mut().flat_map(|printed| &mut printed.parts) {
            if let PrintedPart::Word(words, forms) = &**part
                && let ([word], true) = (words.as_slice(), forms.is_empty())
                && let Some(texts) = self.spellings.get(word.text.as_str())
            {
                *part = Arc::new(PrintedPart::Choice(texts.iter().map(|text| (*text).clone()).collect(), word.span));
                spelled = true;
            }
        }
        spelled
    }
}

fn twice(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::error("E0445", name.span).with("what", what).with("name", &name.text)
}

fn in_a_ring(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::error("E0448", name.span).with("what", what).with("name", &name.text)
}

fn unknown<'n>(name: &Name, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    Diagnostic::error("E0401", name.span).with("name", &name.text).suggest(&name.text, known)
}

/// The finding for a wrong number of values.
pub(crate) const MISCOUNTED: &str = "E0446";

pub(crate) fn miscounted(name: &Name, wanted: usize, found: usize) -> Diagnostic {
    Diagnostic::error(MISCOUNTED, name.span).with("name", &name.text).with("wanted", wanted).with("found", found)
}

fn is_saying(name: &str) -> bool {
    SAYINGS.contains(&name) || name == SAID
}

/// The names that a script mentions; holes with their `$`.
#[derive(Default)]
struct Called {
    names: Vec<String>,
}

impl Visitor<'_> for Called {
    fn name(&mut self, name: &Name) {
        self.names.push(name.text.clone());
    }

    fn hole(&mut self, name: &Name) {
        self.names.push(format!("${}", name.text.trim_start_matches('$')));
    }
}
