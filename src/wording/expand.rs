//! Puts spellings, meanings and families into the lines that use them.
//!
//! Input: the lines of all wordings. Output: lines without spellings, meanings, families and `take`. A spelling becomes a choice of signs
//! in each printed form. A meaning's script replaces its call. `take` becomes the lines of the family with its names. All later code sees
//! only templates. Names that a meaning binds are not made unique, because the calling templates may give them to later phrases.

use super::families::{once_for_all, taken};
use super::rewrite::{Rewriter, walk_expr, walk_pattern, walk_stmt};
use super::sayings::also;
use super::weave::{Fragments, SAID, SAYINGS, add};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{
    Absent, Arg, Block, Cite, EventPattern, Expr, ExprKind, Family, Filler, Fragment, Frame, Name, NamedMeaning, Pattern, Printed,
    PrintedPart, Stmt, StmtKind, Template, Text, WordingItem, WordingKind,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The code of the finding that there is more of something than a limit allows.
const TOO_MANY: &str = "E0229";

/// The most lines that one `take` gives.
const MOST_LINES: usize = 10_000;

/// The most parts of expressions and statements that meanings put into one line.
const MOST_PARTS: usize = 100_000;

/// The declared spellings, meanings and families.
#[derive(Default)]
pub(super) struct Expansion<'a> {
    spellings: FxHashMap<&'a str, Vec<&'a Text>>,
    meanings: FxHashMap<&'a str, Meaning<'a>>,
    families: FxHashMap<&'a str, &'a Family>,
}

/// A meaning as declared, or as a game declares it again.
#[derive(Clone)]
struct Meaning<'a> {
    declared: &'a NamedMeaning,
    /// The meaning's script, with the scripts of called meanings put in.
    script: Fragment,
    cites: &'a [Cite],
    span: Span,
}

/// The lines of the wordings after the expansion.
#[derive(Default)]
pub(super) struct Lines<'a> {
    /// The lines with everything put in.
    pub lines: Vec<Cow<'a, WordingItem>>,
    /// For each line, by its place: the places of the meanings that it uses.
    pub through: FxHashMap<Span, Vec<Span>>,
    /// The findings.
    pub errors: Vec<Diagnostic>,
}

impl<'a> Expansion<'a> {
    /// Collects all declarations. All findings come with the result.
    pub fn of(items: &[&'a WordingItem]) -> (Self, Vec<Diagnostic>) {
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
        called.fragment(&mut meaning.script.clone());
        // If a meaning calls its own name, the call means the game's action of that name.
        for inner in called.names.iter().filter_map(|called| counts.get_key_value(called.as_str()).map(|(key, _)| *key)) {
            if inner != name {
                self.close(inner, counts, open, errors);
            }
        }
        open.pop();
        let mut script = meaning.script.clone();
        let mut putting = Putting { expansion: self, around: &item.cites, found: Vec::new(), parts: 0, errors: Vec::new() };
        putting.fragment(&mut script);
        errors.append(&mut putting.errors);
        self.meanings.insert(name, Meaning { declared: meaning, script, cites: &item.cites, span: item.span });
    }

    /// All lines with everything put in.
    pub fn lines(&self, items: &[&'a WordingItem]) -> Lines<'a> {
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
    pub(super) fn taken<'o>(
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
    pub fn line(&self, item: &WordingItem, errors: &mut Vec<Diagnostic>) -> Option<WordingItem> {
        self.put(item, &item.cites, errors)
    }

    /// A line with everything put in; none if nothing had to be put in. The rules `around` are added beside the own rules of a meaning.
    fn put(&self, item: &WordingItem, around: &[Cite], errors: &mut Vec<Diagnostic>) -> Option<WordingItem> {
        let mut line = item.clone();
        let mut putting = Putting { expansion: self, around, found: Vec::new(), parts: 0, errors: Vec::new() };
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
            WordingKind::Template(template) => called.fragment(&mut template.script.clone()),
            WordingKind::Frame(frame) => called.fragment(&mut frame.script.clone()),
            _ => {}
        }
        let (mut spans, mut open) = (Vec::new(), called.names);
        while let Some(name) = open.pop() {
            let Some(meaning) = self.meanings.get(name.as_str()) else { continue };
            if !spans.contains(&meaning.span) {
                spans.push(meaning.span);
                let mut inner = Called::default();
                inner.fragment(&mut meaning.declared.script.clone());
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

fn miscounted(name: &Name, wanted: usize, found: usize) -> Diagnostic {
    Diagnostic::error("E0446", name.span).with("name", &name.text).with("wanted", wanted).with("found", found)
}

fn is_saying(name: &str) -> bool {
    SAYINGS.contains(&name) || name == SAID
}

/// The names that a script mentions; holes with their `$`.
#[derive(Default)]
struct Called {
    names: Vec<String>,
}

impl Rewriter for Called {
    fn name(&mut self, name: &mut Name) {
        self.names.push(name.text.clone());
    }

    fn hole(&mut self, name: &mut Name) {
        self.names.push(format!("${}", name.text.trim_start_matches('$')));
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        self.names.extend(pattern.events.iter().map(|event| event.verb.text.clone()));
        walk_pattern(self, pattern);
    }
}

/// Replaces calls of meanings by their scripts.
struct Putting<'e, 'a> {
    expansion: &'e Expansion<'a>,
    /// The rules beside the line.
    around: &'e [Cite],
    /// The rules of meanings that were put in, until a statement takes them.
    found: Vec<Cite>,
    /// How many parts of scripts have been put in.
    parts: usize,
    errors: Vec<Diagnostic>,
}

/// Counts the expressions and statements of a script with its arguments.
#[derive(Default)]
struct Parts<'f> {
    /// The parts of each argument.
    of_args: FxHashMap<&'f str, usize>,
    count: usize,
}

impl Rewriter for Parts<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        let filled = if let ExprKind::Hole(name) = &expr.kind { self.of_args.get(name.text.as_str()).copied() } else { None };
        self.count = self.count.saturating_add(filled.unwrap_or(1));
        walk_expr(self, expr);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        self.count = self.count.saturating_add(1);
        walk_stmt(self, stmt);
    }
}

impl<'a> Putting<'_, 'a> {
    fn template(&mut self, template: &mut Template) {
        self.fragment(&mut template.script);
        template.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
    }

    fn frame(&mut self, frame: &mut Frame) {
        self.fragment(&mut frame.script);
        frame.hands.iter_mut().for_each(|hand| self.expr(&mut hand.value));
        for slot in &mut frame.slots {
            if let Absent::Default(value) = &mut slot.absent {
                self.expr(value);
            }
        }
    }

    /// The script of the meaning with this name, with its arguments filled in.
    fn called(&mut self, name: &Name, args: &[Arg]) -> Option<Fragment> {
        let meaning = self.expansion.meanings.get(name.text.as_str())?.clone();
        let Meaning { declared, mut script, cites, .. } = meaning;
        if declared.params.len() != args.len() || args.iter().any(|arg| arg.name.is_some()) {
            self.errors.push(miscounted(name, declared.params.len(), args.len()));
            return None;
        }
        if !self.has_room(name, declared, args, &mut script) {
            return None;
        }
        let params = declared.params.iter().map(|param| param.text.as_str());
        let mut filling = Filling { args: params.zip(args.iter().map(|arg| &arg.value)).collect(), misfit: false };
        filling.fragment(&mut script);
        if filling.misfit {
            self.misplaced(name);
            return None;
        }
        add(&mut self.found, cites);
        Some(script)
    }

    /// Counts the parts of a meaning's script with its arguments. False if they are too many. (A meaning that calls another meaning twice
    /// doubles the script, so a chain of these meanings grows very fast.)
    fn has_room(&mut self, name: &Name, meaning: &NamedMeaning, args: &[Arg], script: &mut Fragment) -> bool {
        let size = |arg: &Arg| {
            let mut parts = Parts::default();
            parts.expr(&mut arg.value.clone());
            parts.count
        };
        let of_args = meaning.params.iter().map(|param| param.text.as_str()).zip(args.iter().map(size)).collect();
        let mut parts = Parts { of_args, count: 0 };
        parts.fragment(script);
        let had_room = self.parts <= MOST_PARTS;
        self.parts = self.parts.saturating_add(parts.count);
        if had_room && self.parts > MOST_PARTS {
            self.errors.push(Diagnostic::error(TOO_MANY, name.span).with("what", "parts of a script").with("most", MOST_PARTS));
        }
        self.parts <= MOST_PARTS
    }

    fn misplaced(&mut self, name: &Name) {
        self.errors.push(Diagnostic::error("E0447", name.span).with("name", &name.text));
    }

    /// The statements of a meaning that a statement calls. If the statement names the result, the name goes to the last statement. None if
    /// the statement calls no meaning of statements.
    fn statements(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let (bound, name, args) = match &stmt.kind {
            StmtKind::Call(name, args) => (None, name, args),
            StmtKind::Let(bound, Expr { kind: ExprKind::Call(name, args), .. }) => (Some(bound), name, args),
            _ => return None,
        };
        let meaning = self.expansion.meanings.get(name.text.as_str())?;
        if !matches!(meaning.script, Fragment::Statements(_)) {
            return None;
        }
        let mut args = args.clone();
        args.iter_mut().for_each(|arg| self.expr(&mut arg.value));
        let Some(Fragment::Statements(Block { mut statements, .. })) = self.called(name, &args) else { return Some(Vec::new()) };
        if let (Some(bound), Some(last)) = (bound, statements.last_mut()) {
            match &last.kind {
                StmtKind::Call(head, args) => {
                    let call = Expr { kind: ExprKind::Call(head.clone(), args.clone()), span: last.span };
                    last.kind = StmtKind::Let(bound.clone(), call);
                }
                StmtKind::Let(_, value) => last.kind = StmtKind::Let(bound.clone(), value.clone()),
                _ => self.misplaced(name),
            }
        }
        Some(statements)
    }

    /// A meaning's statement with its citations: those of the meaning, and those of the calling statement.
    fn cited(&self, mut inner: Stmt, stmt: &Stmt, found: &[Cite]) -> Stmt {
        if inner.cites.is_empty() && found.is_empty() {
            inner.cites.clone_from(&stmt.cites);
        } else {
            add(&mut inner.cites, if stmt.cites.is_empty() { self.around } else { &stmt.cites });
            add(&mut inner.cites, found);
        }
        inner
    }

    /// Gives a statement the rules of the meanings put into it. A statement without rules also gets the rules of its line.
    fn cite(&mut self, stmt: &mut Stmt, outer: Vec<Cite>) {
        let found = std::mem::replace(&mut self.found, outer);
        if !found.is_empty() {
            if stmt.cites.is_empty() {
                stmt.cites = self.around.to_vec();
            }
            add(&mut stmt.cites, &found);
        }
    }
}

impl Rewriter for Putting<'_, '_> {
    fn expr(&mut self, expr: &mut Expr) {
        walk_expr(self, expr);
        let ExprKind::Call(name, args) = &expr.kind else { return };
        match self.called(&name.clone(), &args.clone()) {
            Some(Fragment::Value(value)) => *expr = value,
            Some(_) => self.misplaced(&name.clone()),
            None => {}
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let outer = std::mem::take(&mut self.found);
        walk_stmt(self, stmt);
        if let StmtKind::Call(name, args) = &stmt.kind {
            match self.called(&name.clone(), &args.clone()) {
                Some(Fragment::Value(Expr { kind: ExprKind::Call(head, args), .. })) => stmt.kind = StmtKind::Call(head, args),
                Some(_) => self.misplaced(&name.clone()),
                None => {}
            }
        }
        self.cite(stmt, outer);
    }

    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.statements) {
            let outer = std::mem::take(&mut self.found);
            match self.statements(&stmt) {
                Some(inner) => {
                    let found = std::mem::replace(&mut self.found, outer);
                    block.statements.extend(inner.into_iter().map(|inner| self.cited(inner, &stmt, &found)));
                }
                None => {
                    self.found = outer;
                    self.stmt(&mut stmt);
                    block.statements.push(stmt);
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        walk_pattern(self, pattern);
        let [EventPattern { verb, args, .. }] = pattern.events.as_slice() else { return };
        match self.called(&verb.clone(), &args.clone()) {
            Some(Fragment::Event(mut said)) => {
                if let Some(condition) = pattern.condition.take() {
                    said.condition = Some(also(said.condition, condition));
                }
                *pattern = said;
            }
            Some(_) => self.misplaced(&verb.clone()),
            None => {}
        }
    }
}

/// Fills the holes of a meaning's script with the arguments of the call.
struct Filling<'f> {
    args: FxHashMap<&'f str, &'f Expr>,
    /// Whether an argument stands where only a name or a hole is possible.
    misfit: bool,
}

impl Filling<'_> {
    fn fill(&mut self, name: &mut Name, bare: bool) {
        let Some(value) = self.args.get(name.text.trim_start_matches('$')) else { return };
        match &value.kind {
            ExprKind::Hole(hole) => name.text = if bare { hole.text.clone() } else { format!("${}", hole.text) },
            ExprKind::Name(word) if !bare => name.text.clone_from(&word.text),
            _ => self.misfit = true,
        }
    }
}

impl Rewriter for Filling<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Hole(name) = &expr.kind {
            if let Some(value) = self.args.get(name.text.as_str()) {
                *expr = (*value).clone();
            }
            return;
        }
        walk_expr(self, expr);
    }

    fn name(&mut self, name: &mut Name) {
        if name.text.starts_with('$') {
            self.fill(name, false);
        }
    }

    fn hole(&mut self, name: &mut Name) {
        let bare = !name.text.starts_with('$');
        self.fill(name, bare);
    }
}
