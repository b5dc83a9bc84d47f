//! The entry points of this folder: each function takes a text and gives its tree and its diagnostics.

use super::FileKind;
use super::ast::{CardDecl, Expr, File, Play, RulesFile, Scenario, WhyQuestion};
use super::cut::{Piece, pieces};
use super::errors::{Subject, begins_with_no_declaration, diagnose};
use super::header::header;
use super::limits::{LONGEST_DECLARATION, LONGEST_LINE, MOST_DECLARATIONS};
use super::parse::{Rule, pairs};
use super::scan::scan;
use super::templates;
use super::words::declaration_words;
use crate::diagnostic::{Diagnostic, FileId, Span};
use crate::syntax::build::cards::card;
use crate::syntax::build::decl::declaration;
use crate::syntax::build::scenario::{answer, item, play, why_question};
use crate::syntax::build::{self, Cx, inner, on_boundaries};
use pest::iterators::Pair;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, LazyLock};

type Builder<T> = fn(&mut Cx<'_>, Pair<'_, Rule>) -> Option<T>;

/// Reads a whole rules file.
#[must_use]
pub fn parse_rules(file: FileId, text: &str) -> (RulesFile, Vec<Diagnostic>) {
    whole_file(FileKind::Rules, file, text, |cx, pair| declaration(cx, pair).map(Arc::new))
}

/// Reads a whole card file.
#[must_use]
pub fn parse_cards(file: FileId, text: &str) -> (File<CardDecl>, Vec<Diagnostic>) {
    whole_file(FileKind::Cards, file, text, card)
}

/// Reads a whole scenario file. Named positions, cards of the file and `under` parts are already put into the scenarios.
#[must_use]
pub fn parse_scenarios(file: FileId, text: &str) -> (File<Scenario>, Vec<Diagnostic>) {
    let (read, mut diagnostics) = whole_file(FileKind::Scenarios, file, text, item);
    let items = templates::filled_in(read.items, &mut diagnostics);
    (File { edition: read.edition, game: read.game, items }, diagnostics)
}

/// Reads one expression, for example the one in a question about a finished game.
#[must_use]
pub fn parse_expression(file: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    line(file, text, Rule::only_expr, Subject::Expression, build::expr)
}

/// Reads one decision: `a: lay "X"`, or the answer alone, `lay "X"` or `"X"`. A seat or decision name that is left out is read as an empty
/// name.
#[must_use]
pub fn parse_play(file: FileId, text: &str) -> (Option<Play>, Vec<Diagnostic>) {
    line(file, text, Rule::only_play, Subject::Decision, |cx, pair| {
        if pair.as_rule() == Rule::play {
            return play(cx, pair);
        }
        let span = cx.span(&pair);
        Some(Play { seat: cx.word("", span.start), answer: answer(cx, pair)?, span })
    })
}

/// Reads one question: `value x.power`, `can lay "X"`, `can draw(a, 1)`, `happened take(a)`.
#[must_use]
pub fn parse_question(file: FileId, text: &str) -> (Option<WhyQuestion>, Vec<Diagnostic>) {
    let (question, mut found) = line(file, text, Rule::only_why, Subject::Question, why_question);
    // Somebody who does not know how a question begins is told all forms.
    let begins = ["value", "can", "cannot", "happened"].iter().any(|word| text.split_whitespace().next() == Some(word));
    if let Some(finding) = found.first_mut().filter(|finding| finding.code == "E0101" && !begins) {
        finding.args.push(("asks", "value x.power`, `can lay(\"X\")`, `cannot lay(\"X\")`, `happened draw(a)".to_owned()));
    }
    (question, found)
}

/// The grammar's rule for one declaration in a file of this kind.
pub(super) fn rule(kind: FileKind) -> Rule {
    match kind {
        FileKind::Rules => Rule::only_rules_decl,
        FileKind::Cards => Rule::only_card_decl,
        FileKind::Scenarios => Rule::only_scenario,
    }
}

/// The threads that read files, one for each core. They have a larger stack than usual, because deeply nested texts need one. None if they
/// could not be started.
static READERS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| ThreadPoolBuilder::new().stack_size(STACK).build().ok());

/// Bytes of stack of each reading thread.
const STACK: usize = 32 << 20;

/// Runs `work` on the reading threads. Code that reads many files starts all of them inside one call, so that no core waits for the end of
/// a file.
pub fn on_readers<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match &*READERS {
        Some(readers) if readers.current_thread_index().is_some() => work(),
        // If a rayon worker waits for another pool, it takes up more of its own work on the same stack, again and again. A plain thread
        // that waits does not do this.
        Some(readers) if rayon::current_thread_index().is_some() => std::thread::scope(|scope| {
            let waiting = scope.spawn(|| readers.install(work));
            waiting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }),
        Some(readers) => readers.install(work),
        None => work(),
    }
}

fn whole_file<T: Send>(kind: FileKind, file: FileId, text: &str, builder: Builder<T>) -> (File<T>, Vec<Diagnostic>) {
    if let Some(too_long) = line_too_long(file, text) {
        return (File { edition: None, game: None, items: Vec::new() }, vec![too_long]);
    }
    let mut scan = scan(file, text, declaration_words(kind));
    let mut diagnostics = std::mem::take(&mut scan.diagnostics);
    let mut pieces = pieces(&scan);
    if let Some(rest) = pieces.get(MOST_DECLARATIONS) {
        let place = Span { file, start: rest.start as u32, end: (rest.start + head(rest.text).len()) as u32 };
        diagnostics.push(Diagnostic::error("E0150", place).with("limit", MOST_DECLARATIONS));
        pieces.truncate(MOST_DECLARATIONS);
    }
    let header = header(kind, (file, text), &pieces, &mut diagnostics);
    let reader = Reader { file, written: text, rule: rule(kind), subject: Subject::Declaration(kind), builder };
    let read = |piece: Piece<'_>| {
        let mut found = Vec::new();
        (reader.one(piece, &mut found), found)
    };
    let wanted: Vec<Piece<'_>> = pieces.into_iter().skip(header.taken).filter(|piece| piece.whole).collect();
    let all = || -> Vec<(Option<T>, Vec<Diagnostic>)> { wanted.into_par_iter().with_max_len(4).map(read).collect() };
    let parts = on_readers(all);
    let mut items = Vec::with_capacity(parts.len());
    for (item, found) in parts {
        items.extend(item);
        diagnostics.extend(found);
    }
    for diagnostic in &mut diagnostics {
        diagnostic.span = diagnostic.span.map(|span| on_boundaries(text, span));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    (File { edition: header.edition, game: header.game, items }, diagnostics)
}

/// `E0149` for the first line that is too long. Such a file is not read further.
fn line_too_long(file: FileId, text: &str) -> Option<Diagnostic> {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        if end - start > LONGEST_LINE {
            let place = on_boundaries(text, Span { file, start: start as u32, end: start as u32 + 1 });
            return Some(Diagnostic::error("E0149", place).with("length", end - start).with("limit", LONGEST_LINE));
        }
        start = end + 1;
    }
    None
}

fn line<T>(file: FileId, text: &str, rule: Rule, subject: Subject, builder: Builder<T>) -> (Option<T>, Vec<Diagnostic>) {
    let mut scan = scan(file, text, &[]);
    let mut diagnostics = std::mem::take(&mut scan.diagnostics);
    let piece = Piece { start: 0, text: &scan.text, whole: scan.broken.is_empty(), deep: !scan.deep.is_empty() };
    let reader = Reader { file, written: text, rule, subject, builder };
    let item = if piece.whole { reader.one(piece, &mut diagnostics) } else { None };
    for diagnostic in &mut diagnostics {
        diagnostic.span = diagnostic.span.map(|span| on_boundaries(text, span));
    }
    (item, diagnostics)
}

/// The first line of a declaration.
fn head(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// How one declaration or one line is read: by which grammar rule and which builder.
struct Reader<'t, T> {
    file: FileId,
    written: &'t str,
    rule: Rule,
    subject: Subject,
    builder: Builder<T>,
}

impl<T> Reader<'_, T> {
    fn one(&self, piece: Piece<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
        let (file, base) = (self.file, piece.start as u32);
        // This is checked first, because the grammar would try every rule of a declaration before it refused the word.
        if let Some(diagnostic) = begins_with_no_declaration(file, piece, self.subject) {
            diagnostics.push(diagnostic);
            return None;
        }
        if piece.text.len() > LONGEST_DECLARATION {
            let span = Span { file, start: base, end: base + head(piece.text).len() as u32 };
            diagnostics.push(Diagnostic::error("E0134", span));
            return None;
        }
        let pair = match pairs(self.rule, piece) {
            Ok(pair) => pair,
            Err(error) => {
                diagnostics.push(diagnose(file, piece, self.subject, &error));
                return None;
            }
        };
        let mut cx = Cx { file, base, source: piece.text, written: self.written, diagnostics: Vec::new() };
        let item = inner(pair).next().and_then(|pair| (self.builder)(&mut cx, pair));
        diagnostics.append(&mut cx.diagnostics);
        if item.is_none() {
            let span = Span { file, start: base, end: base + piece.text.trim_end().len() as u32 };
            diagnostics.push(Diagnostic::error("E0119", span));
        }
        item
    }
}
