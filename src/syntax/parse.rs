//! The grammar at work: one declaration's text to pest's pairs.
//!
//! Takes a text that `scan` found balanced and not too deep; gives pairs or pest's error. Pairs never leave `syntax/`.

use super::cut::Piece;
use pest::Parser;
use pest::error::{Error, ErrorVariant};
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/core.pest"]
#[grammar = "../grammar/rules.pest"]
#[grammar = "../grammar/cards.pest"]
#[grammar = "../grammar/scenario.pest"]
#[grammar = "../grammar/wording.pest"]
pub(crate) struct Grammar;

/// Rule calls that a text of no length may take: a few hundred are tried before the first word is refused.
const CALLS_AT_LEAST: usize = 100_000;
/// Rule calls for each byte of a text: far more than a sound text takes, far less than a grammar that backtracks without bound.
const CALLS_PER_BYTE: usize = 600;

/// The limits of the texts being parsed now. pest's limit is one for the process and is read when a parser begins: it is kept
/// at the greatest of these, so that a small text beside a large one does not cut the large one short.
static LIMITS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn change_limits(change: impl FnOnce(&mut Vec<usize>)) {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut limits);
    pest::set_call_limit(limits.iter().max().copied().and_then(NonZeroUsize::new));
}

/// Parses with so many rule calls.
pub(super) fn within<T>(calls: usize, parse: impl FnOnce() -> T) -> T {
    change_limits(|limits| limits.push(calls));
    let parsed = parse();
    change_limits(|limits| {
        let own = limits.iter().position(|limit| *limit == calls);
        own.map(|own| limits.swap_remove(own));
    });
    parsed
}

/// The pairs of a piece under `rule`. Only where it is deep are rule calls counted, which takes a thirtieth of a parser's time; a text
/// that another one's limit has cut short is read again with its own.
pub(crate) fn pairs(rule: Rule, Piece { text, deep, .. }: Piece<'_>) -> Result<Pair<'_, Rule>, Box<Error<Rule>>> {
    let uncounted = if deep { None } else { Some(Grammar::parse(rule, text)) };
    let parsed = match uncounted {
        Some(parsed) if !matches!(&parsed, Err(error) if was_cut(error)) => parsed,
        _ => within(CALLS_AT_LEAST + text.len() * CALLS_PER_BYTE, || Grammar::parse(rule, text)),
    };
    parsed.map_err(Box::new)?.next().ok_or_else(|| {
        let nowhere = pest::Position::from_start(text);
        let variant = ErrorVariant::ParsingError { positives: vec![rule], negatives: Vec::new() };
        Box::new(Error::new_from_pos(variant, nowhere))
    })
}

/// Whether a limit has ended the parser's work.
fn was_cut(error: &Error<Rule>) -> bool {
    matches!(error.variant, ErrorVariant::CustomError { .. })
}

/// Whether a rule is a mere mark (a keyword, a bracket), which says nothing to the tree.
pub(crate) fn is_mark(rule: Rule) -> bool {
    (Rule::kw_let..=Rule::right_brace).contains(&rule) || rule == Rule::EOI
}
