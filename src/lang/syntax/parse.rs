//! Runs the grammar: one declaration's text becomes pest's pairs.
//!
//! Input: a text that `scan.rs` found balanced and not too deep. Output: pairs, or pest's error. Pairs never leave `syntax/`.

use super::cut::Piece;
use pest::Parser;
use pest::error::{Error, ErrorVariant};
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/core.pest"]
#[grammar = "../../grammar/rules.pest"]
#[grammar = "../../grammar/cards.pest"]
#[grammar = "../../grammar/scenario.pest"]
#[grammar = "../../grammar/wording.pest"]
pub(crate) struct Grammar;

/// The least number of rule calls that any text may take. The grammar tries a few hundred rules before it refuses a first word.
const CALLS_AT_LEAST: usize = 100_000;
/// The number of rule calls for each byte of a text. A correct text takes far fewer; a grammar that backtracks without bound takes far
/// more.
const CALLS_PER_BYTE: usize = 600;

/// The limits of the texts that are being parsed at this moment. pest has one limit for the whole process and reads it when a parser
/// starts. So the greatest of these limits is set. Then a small text does not cut short a large text that is parsed at the same time.
static LIMITS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn change_limits(change: impl FnOnce(&mut Vec<usize>)) {
    let mut limits = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
    change(&mut limits);
    pest::set_call_limit(limits.iter().max().copied().and_then(NonZeroUsize::new));
}

/// Parses with this limit of rule calls.
pub(super) fn within<T>(calls: usize, parse: impl FnOnce() -> T) -> T {
    change_limits(|limits| limits.push(calls));
    let parsed = parse();
    change_limits(|limits| {
        let own = limits.iter().position(|limit| *limit == calls);
        own.map(|own| limits.swap_remove(own));
    });
    parsed
}

/// The pairs of a piece under `rule`. Rule calls are counted only for a deeply nested piece, because counting takes about 3 % of the time.
/// If the limit of another text cut this text short, the text is parsed again with its own limit.
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

/// Whether the parser stopped because of the limit.
fn was_cut(error: &Error<Rule>) -> bool {
    matches!(error.variant, ErrorVariant::CustomError { .. })
}

/// Whether a rule is only a mark (a keyword, a bracket) that adds nothing to the tree.
pub(crate) fn is_mark(rule: Rule) -> bool {
    (Rule::kw_let..=Rule::right_brace).contains(&rule) || rule == Rule::EOI
}
