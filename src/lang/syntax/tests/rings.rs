//! Test: wherever the grammar calls itself, a sign or word comes first that the scan counts, and has not forgotten. So no text makes the parser recurse without
//! bound. pest itself does not check how much stack is left.

use super::spelt::grammar;
use pest_meta::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// Signs that the scan counts as open until the closing sign in `CLOSES`.
const OPENS: [&str; 9] = ["(", "[", "{", "「", "${", "$(", "$[", "left_brace", "left_bracket"];
const CLOSES: [&str; 7] = [")", "]", "}", "」", "right_brace", "right_bracket", "right_paren"];
/// The nesting words that the scan counts.
const COUNTED: [&str; 4] = ["kw_if", "kw_latest", "quantifier", "of_word"];

/// Signs at which the scan forgets the nesting words of the bracket that it is in.
const FORGETS: [&str; 6] = [",", "=", "{", "}", "left_brace", "right_brace"];

/// What the scan counts at a place: open brackets, and nesting words that it has not forgotten.
#[derive(Clone, Copy, Default)]
struct Open {
    brackets: usize,
    words: usize,
}

/// The rules that an expression of the grammar calls while no sign that the scan counts is open. `forgetful`: the rules that may contain a
/// sign of `FORGETS` outside of brackets.
fn free<'g>(expr: &'g Expr, open: &mut Open, forgetful: &BTreeSet<&str>, found: &mut BTreeSet<&'g str>) {
    match expr {
        Expr::Str(word) | Expr::Ident(word) => {
            let word = word.as_str();
            if OPENS.contains(&word) {
                open.brackets += 1;
            } else if CLOSES.contains(&word) {
                open.brackets = open.brackets.saturating_sub(1);
            } else if COUNTED.contains(&word) {
                open.words += 1;
            } else if open.brackets + open.words == 0 && matches!(expr, Expr::Ident(_)) {
                found.insert(word);
            }
            if open.brackets == 0 && (FORGETS.contains(&word) || forgetful.contains(word)) {
                open.words = 0;
            }
        }
        Expr::Seq(left, right) => {
            free(left, open, forgetful, found);
            free(right, open, forgetful, found);
        }
        Expr::Choice(left, right) => {
            let mut other = *open;
            free(left, &mut other, forgetful, found);
            free(right, open, forgetful, found);
        }
        Expr::PosPred(inner) | Expr::NegPred(inner) | Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) => {
            free(inner, &mut open.clone(), forgetful, found);
        }
        _ => assert!(matches!(expr, Expr::Range(..)), "a form of grammar that this test does not know: {expr:?}"),
    }
}

/// Whether an expression of the grammar may contain a sign of `FORGETS` outside of brackets. A brace forgets the words before it.
fn forgets(expr: &Expr, brackets: &mut usize, forgetful: &BTreeSet<&str>) -> bool {
    match expr {
        Expr::Str(word) | Expr::Ident(word) => {
            let word = word.as_str();
            let forgets = *brackets == 0 && (FORGETS.contains(&word) || forgetful.contains(word));
            if OPENS.contains(&word) {
                *brackets += 1;
            } else if CLOSES.contains(&word) {
                *brackets = brackets.saturating_sub(1);
            }
            forgets
        }
        Expr::Seq(left, right) => {
            let left = forgets(left, brackets, forgetful);
            forgets(right, brackets, forgetful) || left
        }
        Expr::Choice(left, right) => {
            let left = forgets(left, &mut brackets.clone(), forgetful);
            forgets(right, brackets, forgetful) || left
        }
        Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) => forgets(inner, &mut brackets.clone(), forgetful),
        _ => false,
    }
}

#[test]
fn what_may_stand_within_itself_is_counted_by_the_scan() {
    let rules = grammar();
    let mut forgetful: BTreeSet<&str> = BTreeSet::new();
    loop {
        let more = rules.iter().filter(|rule| !forgetful.contains(rule.name.as_str()) && forgets(&rule.expr, &mut 0, &forgetful));
        let more: Vec<&str> = more.map(|rule| rule.name.as_str()).collect();
        if more.is_empty() {
            break;
        }
        forgetful.extend(more);
    }
    let mut within: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for rule in &rules {
        free(&rule.expr, &mut Open::default(), &forgetful, within.entry(&rule.name).or_default());
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
