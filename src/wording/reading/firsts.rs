//! The signs that a symbol can begin with, and the signs that it must print. With them the chart begins fewer rules that cannot succeed.
//!
//! Both may let through too much, but never too little. Only first signs are known, and only the printed signs of single symbols.

use crate::declared::grammar::{CategoryId, Grammar, Symbol};
use rustc_hash::FxHashSet;

/// A set of signs as bits. Different signs may share a bit, so the set may seem to contain more signs than it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs(u128);

impl Signs {
    /// One sign.
    pub(crate) fn one(sign: char) -> Self {
        // The highest bits of Fibonacci hashing spread neighbouring signs (kana) best.
        Signs(1 << ((sign as u32).wrapping_mul(0x9E37_79B1) >> 25))
    }

    /// The signs in either set.
    pub(crate) fn or(self, other: Self) -> Self {
        Signs(self.0 | other.0)
    }

    /// The signs in both sets.
    pub(crate) fn and(self, other: Self) -> Self {
        Signs(self.0 & other.0)
    }

    /// Whether all these signs are in the other set.
    pub(crate) fn within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// The signs that a template needs in a text. A minus is left out, because it is printed in many ways.
    fn of_template(signs: &[char]) -> Self {
        signs.iter().filter(|sign| **sign != '-').fold(Signs::default(), |all, sign| all.or(Signs::one(*sign)))
    }

    /// The signs that each of several alternatives needs.
    pub(crate) fn common(all: impl Iterator<Item = Self>) -> Self {
        all.reduce(Signs::and).unwrap_or_default()
    }
}

/// The beginnings of a symbol or category. Other categories are listed by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    /// Signs that can stand first.
    pub signs: FxHashSet<char>,
    /// Categories that can stand first.
    pub(crate) categories: FxHashSet<CategoryId>,
    /// Whether any sign can stand first.
    pub any: bool,
}

impl Heads {
    /// Adds the beginnings of another symbol.
    pub(crate) fn extend(&mut self, other: &Heads) {
        self.signs.extend(&other.signs);
        self.categories.extend(&other.categories);
        self.any |= other.any;
    }

    /// For each category, everything that its phrases can begin with, also through other categories.
    pub(crate) fn closed(own: impl Iterator<Item = Heads>) -> Vec<Heads> {
        let own: Vec<Heads> = own.collect();
        let reached = |start: &Heads| {
            let mut all = start.clone();
            let mut open: Vec<CategoryId> = all.categories.iter().copied().collect();
            while let Some(heads) = open.pop().and_then(|category| own.get(category.0 as usize)) {
                open.extend(heads.categories.difference(&all.categories));
                all.extend(heads);
            }
            all
        };
        own.iter().map(reached).collect()
    }
}

impl Grammar {
    /// Adds the beginnings of a symbol. Gives whether the symbol may be left out.
    pub(crate) fn heads(&self, symbol: &Symbol, all: &mut Heads) -> bool {
        match symbol {
            Symbol::Sign(sign) => _ = all.signs.insert(*sign),
            Symbol::Choice(texts) => {
                all.signs.extend(texts.iter().filter_map(|text| text.first()));
                return texts.iter().any(Vec::is_empty);
            }
            Symbol::Category(category, _) => _ = all.categories.insert(*category),
            Symbol::Word(words) => {
                for word in words.of.iter().filter_map(|word| self.words.get(*word)) {
                    match word.stem.first() {
                        Some(sign) => _ = all.signs.insert(*sign),
                        None => all.signs.extend(word.surfaces.iter().filter_map(|surface| surface.ending.first())),
                    }
                }
            }
            Symbol::Numeral => all.signs.extend(self.numerals.digits.keys().chain(self.numerals.units.keys())),
            Symbol::Free(..) => all.any = true,
        }
        false
    }

    /// The signs that a symbol must print.
    pub(crate) fn printed(&self, symbol: &Symbol) -> Signs {
        match symbol {
            Symbol::Sign(sign) => Signs::of_template(&[*sign]),
            Symbol::Choice(texts) => Signs::common(texts.iter().map(|text| Signs::of_template(text))),
            Symbol::Word(words) => {
                Signs::common(words.of.iter().filter_map(|word| self.words.get(*word)).map(|word| Signs::of_template(&word.stem)))
            }
            Symbol::Free(until, _) => Signs::of_template(until),
            Symbol::Category(..) | Symbol::Numeral => Signs::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Signs;

    #[test]
    fn what_has_no_part_in_a_set_is_not_among_it() {
        let of = |text: &str| text.chars().fold(Signs::default(), |all, sign| all.or(Signs::one(sign)));
        assert!(of("引く").within(of("札を引く。")));
        assert!(!of("置く").within(of("札を引く。")));
        assert!(Signs::default().within(Signs::default()));
    }

    #[test]
    fn what_several_need_is_what_each_needs() {
        let both = [Signs::of_template(&['を', '引']), Signs::of_template(&['を', '置'])];
        assert_eq!(Signs::common(both.into_iter()), Signs::one('を'));
        assert_eq!(Signs::of_template(&['-', '1']), Signs::one('1'));
    }
}
