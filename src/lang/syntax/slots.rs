//! Every word of a file, with the grammar rules around it.

use super::FileKind;
use super::cut::pieces;
use super::parse::{Rule, is_mark, pairs};
use super::read::rule;
use super::scan::scan;
use super::words::declaration_words;
use pest::iterators::Pair;

/// A name, a text, a number, a citation or a word of the language.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The grammar rules around the word, from the outermost one, and the word's own rule.
    pub rules: Vec<String>,
    /// Its place in the file.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl Slot {
    /// Whether a rule stands around the word.
    pub fn is_in(&self, rule: &str) -> bool {
        self.rules.iter().any(|around| around == rule)
    }

    /// The word's own rule.
    pub fn own(&self) -> &str {
        self.rules.last().map_or("", String::as_str)
    }
}

/// The rules that are shown as one word: nothing inside them is a word of its own.
const WORDS: [Rule; 7] = [Rule::name, Rule::word, Rule::string, Rule::quotation, Rule::number, Rule::cite, Rule::boolean];

/// The words of a file, one list for each declaration.
pub fn slots(kind: FileKind, text: &str) -> Vec<Vec<Slot>> {
    let scan = scan(crate::diagnostic::FileId(0), text, declaration_words(kind));
    let mut all = Vec::new();
    for piece in pieces(&scan) {
        let Ok(pair) = pairs(rule(kind), piece) else { continue };
        let mut found = Vec::new();
        collect(pair, &mut Vec::new(), piece.start, &mut found);
        all.push(found);
    }
    all
}

fn collect(pair: Pair<'_, Rule>, around: &mut Vec<String>, from: usize, found: &mut Vec<Slot>) {
    let (rule, span) = (pair.as_rule(), pair.as_span());
    around.push(format!("{rule:?}"));
    let mut inner = pair.into_inner().peekable();
    let is_word = |text: &str| text.starts_with(|sign: char| sign.is_alphabetic());
    if WORDS.contains(&rule) || inner.peek().is_none() && is_word(span.as_str()) && rule != Rule::EOI {
        found.push(Slot { rules: around.clone(), start: from + span.start(), end: from + span.end() });
    } else if !is_mark(rule) {
        inner.for_each(|pair| collect(pair, around, from, found));
    }
    around.pop();
}
