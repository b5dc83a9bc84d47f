//! Undoes what was computed when a script was woven: sums and products of known numbers, and the opponent of the opponent.
//!
//! Input: a part of a template's script that computes, and the part of the script over which it lies. Output: every way to fill the holes so that
//! the one gives the other.

use super::matching::{Fit, Over};
use super::term::{CALL, THEIR_OPPONENT, Term, YOU_OR};

impl Over<'_> {
    /// Undoes computing: `x` may be `1 * x` in the template.
    pub(super) fn reckoned(&self, tag: &str, parts: &[Term], script: &Term, fit: Fit) -> Vec<Fit> {
        let both = |left: &Term, with: &Term, right: &Term, over: &Term| -> Vec<Fit> {
            self.lay(left, with, fit.clone()).into_iter().flat_map(|fit| self.lay(right, over, fit)).collect()
        };
        match (tag, parts, script) {
            // The template says `opponent(x)` and the script names a player. In a game of two, `x` is then the opponent of that player.
            (CALL, [Term::Name(name), of], Term::Name(_)) if **name == *"opponent" => {
                self.lay(of, &Term::call("opponent", script.clone()), fit)
            }
            (CALL, [Term::Name(name), of], Term::Node(tag @ (YOU_OR | THEIR_OPPONENT), _)) if **name == *"opponent" => {
                let others = if *tag == YOU_OR { THEIR_OPPONENT } else { YOU_OR };
                self.lay(of, &Term::node(others, Vec::new()), fit)
            }
            // Adding a negative number was turned into subtracting. Subtracting nothing stays as printed.
            ("add", [field, by], Term::Node("subtract", of)) => match &**of {
                [other, less] if *less != Term::Number(0) => both(field, other, by, &negative(less)),
                _ => Vec::new(),
            },
            ("*", [left, right], Term::Node("minus", of)) => {
                of.first().map_or_else(Vec::new, |inner| both(left, &Term::Number(-1), right, inner))
            }
            ("*", [left, right], _) => {
                let one = Term::Number(1);
                let mut fits = both(left, &one, right, script);
                fits.extend(both(left, script, right, &one));
                fits
            }
            ("/", [left, right], _) => both(left, script, right, &Term::Number(1)),
            // `$n - 1` stands as a number where the number of the hole is known: the tenth card is the top ten without the top nine.
            ("-", [left, Term::Number(less)], Term::Number(number)) => {
                number.checked_add(*less).map_or_else(Vec::new, |number| self.lay(left, &Term::Number(number), fit))
            }
            ("minus", [inner], Term::Number(number)) => {
                number.checked_neg().map_or_else(Vec::new, |number| self.lay(inner, &Term::Number(number), fit))
            }
            _ => Vec::new(),
        }
    }
}

/// The negated term.
fn negative(term: &Term) -> Term {
    match term {
        Term::Number(number) => Term::Number(number.saturating_neg()),
        Term::Node("*", parts) => match &**parts {
            [Term::Number(number), right] => Term::node("*", vec![Term::Number(number.saturating_neg()), right.clone()]),
            _ => Term::node("minus", vec![term.clone()]),
        },
        _ => Term::node("minus", vec![term.clone()]),
    }
}
