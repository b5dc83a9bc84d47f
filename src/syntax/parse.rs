//! The grammar at work: one declaration's text to pest's pairs.
//!
//! Takes a text that `scan` found balanced and not too deep; gives pairs or pest's error. Pairs never leave `syntax/`.

use pest::Parser;
use pest::error::Error;
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/core.pest"]
#[grammar = "../grammar/rules.pest"]
#[grammar = "../grammar/cards.pest"]
#[grammar = "../grammar/scenario.pest"]
#[grammar = "../grammar/wording.pest"]
#[expect(missing_docs, reason = "the derive writes the rules' enum, which has no place for words")]
pub(crate) struct Grammar;

/// Rule calls that a text of no length may take: a few hundred are tried before the first word is refused.
const CALLS_AT_LEAST: usize = 100_000;
/// Rule calls for each byte of a text. The dearest fixture takes about 60; a grammar that backtracks without bound takes thousands.
const CALLS_PER_BYTE: usize = 2_000;

/// The greatest limit set so far. pest's limit is one for the process: it is only ever raised, so that a small text that is
/// parsed beside a large one does not cut the large one short.
static LIMIT: AtomicUsize = AtomicUsize::new(0);

/// The pairs of `text` under `rule`.
pub(crate) fn pairs(rule: Rule, text: &str) -> Result<Pair<'_, Rule>, Box<Error<Rule>>> {
    let calls = CALLS_AT_LEAST + text.len() * CALLS_PER_BYTE;
    if LIMIT.fetch_max(calls, Ordering::Relaxed) < calls {
        pest::set_call_limit(NonZeroUsize::new(calls));
    }
    let mut pairs = Grammar::parse(rule, text).map_err(Box::new)?;
    pairs.next().ok_or_else(|| {
        let nowhere = pest::Position::from_start(text);
        let variant = pest::error::ErrorVariant::ParsingError { positives: vec![rule], negatives: Vec::new() };
        Box::new(Error::new_from_pos(variant, nowhere))
    })
}

/// Whether a rule is a mere mark (a keyword, a bracket), which says nothing to the tree.
pub(crate) fn is_mark(rule: Rule) -> bool {
    (Rule::kw_let..=Rule::right_brace).contains(&rule) || rule == Rule::EOI
}
