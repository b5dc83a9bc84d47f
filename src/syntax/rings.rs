//! Test: wherever the grammar calls itself, a sign or word comes first that the scan counts. So no text makes the parser recurse without
//! bound. pest itself does not check how much stack is left.

use super::reference::grammar;
use pest_meta::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// Signs that the scan counts as open until the closing sign in `CLOSES`.
const OPENS: [&str; 9] = ["(", "[", "{", "「", "${", "$(", "$[", "left_brace", "left_bracket"];
const CLOSES: [&str; 7] = [")", "]", "}", "」", "right_brace", "right_bracket", "right_paren"];
/// The nesting words that the scan counts.
const COUNTED: [&str; 4] = ["kw_if", "kw_latest", "quantifier", "of_word"];

/// The rules that an expression of the grammar calls while no sign that the scan counts is open.
fn free<'g>(expr: &'g Expr, open: &mut usize, found: &mut BTreeSet<&'g str>) {
    match expr {
        Expr::Str(word) | Expr::Ident(word) => {
            if OPENS.contains(&word.as_str()) || COUNTED.contains(&word.as_str()) {
                *open += 1;
            } else if CLOSES.contains(&word.as_str()) {
                *open = open.saturating_sub(1);
            } else if *open == 0 && matches!(expr, Expr::Ident(_)) {
                found.insert(word);
            }
        }
        Expr::Seq(left, right) => {
            free(left, open, found);
            free(right, open, found);
        }
        Expr::Choice(left, right) => {
            let mut other = *open;
            free(left, &mut other, found);
            free(right, open, found);
        }
        Expr::PosPred(inner) | Expr::NegPred(inner) | Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) => {
            free(inner, &mut open.clone(), found);
        }
        _ => assert!(matches!(expr, Expr::Range(..)), "a form of grammar that this test does not know: {expr:?}"),
    }
}

#[test]
fn what_may_stand_within_itself_is_counted_by_the_scan() {
    let rules = grammar();
    let mut within: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for rule in &rules {
        free(&rule.expr, &mut 0, within.entry(&rule.name).or_default());
    }
    // A rule that calls none of the remaining rules is in no ring. Such rules are removed until only rings are left.
    loop {
        let done: Vec<&str> =
            within.iter().filter(|(_, inner)| !inner.iter().any(|name| within.contains_key(name))).map(|(name, _)| *name).collect();
        if done.is_empty() {
            break;
        }
        done.iter().for_each(|name| _ = within.remove(name));
    }
    assert_eq!(within, BTreeMap::new(), "these rules lead back to themselves");
}
