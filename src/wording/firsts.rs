//! What rules begin with and what they must print: found once for a grammar, so that the chart begins few rules in vain.
//!
//! Takes the rules of a grammar; gives for each category its rules by first sign, and for each dotted rule the signs that it
//! still needs. Both only ever let too much pass. Deliberately absent: second signs, and what phrases must print.

use super::fold::takes;
use super::grammar::{CategoryId, Grammar, Rule, RuleId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of signs, of which some may look alike: what has no part in it is not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs(u128);

impl Signs {
    /// One sign.
    pub fn one(sign: char) -> Self {
        // The highest bits of Fibonacci hashing spread neighbouring signs (kana) best.
        Signs(1 << ((sign as u32).wrapping_mul(0x9E37_79B1) >> 25))
    }

    /// The signs of both.
    pub fn or(self, other: Self) -> Self {
        Signs(self.0 | other.0)
    }

    /// Whether all of these are among others.
    pub fn within(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// What a template's signs need of a text; a minus is printed in many ways.
    fn of_template(signs: &[char]) -> Self {
        signs.iter().filter(|sign| **sign != '-').fold(Signs::default(), |all, sign| all.or(Signs::one(*sign)))
    }

    /// What each of several needs.
    fn common(all: impl Iterator<Item = Self>) -> Self {
        all.reduce(|a, b| Signs(a.0 & b.0)).unwrap_or_default()
    }
}

/// The rules of a category by what they begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    by_sign: FxHashMap<char, Vec<RuleId>>,
    any: Vec<RuleId>,
}

impl Starts {
    /// The rules that can begin with a sign.
    pub fn rules(&self, sign: char) -> impl Iterator<Item = RuleId> {
        let minus = takes('-', sign) && sign != '-';
        let signs = [Some(sign), minus.then_some('-')];
        signs.into_iter().flatten().filter_map(|sign| self.by_sign.get(&sign)).flatten().chain(&self.any).copied()
    }
}

/// With what a rule or a category can begin, other categories by their names.
#[derive(Clone, Debug, Default)]
struct Heads {
    signs: FxHashSet<char>,
    categories: FxHashSet<CategoryId>,
    /// Any sign will do.
    any: bool,
}

impl Heads {
    fn extend(&mut self, other: &Heads) {
        self.signs.extend(&other.signs);
        self.categories.extend(&other.categories);
        self.any |= other.any;
    }
}

impl Grammar {
    /// Finds with which signs rules can begin and which they need. To be called once, when all rules are there.
    pub fn close(&mut self) {
        let heads: Vec<Heads> = self.rules.iter().map(|rule| self.heads(rule)).collect();
        let firsts = self.firsts(&heads);
        self.starts = vec![Starts::default(); self.categories.len()];
        for (index, (rule, heads)) in (0..).zip(self.rules.iter().zip(heads)) {
            let Some(starts) = self.starts.get_mut(rule.category.0 as usize) else { continue };
            let mut all = heads.clone();
            heads.categories.iter().filter_map(|category| firsts.get(category.0 as usize)).for_each(|firsts| all.extend(firsts));
            if all.any {
                starts.any.push(RuleId(index));
            } else {
                // The order of signs does not matter: each has a list of its own.
                all.signs.iter().for_each(|sign| starts.by_sign.entry(*sign).or_default().push(RuleId(index)));
            }
        }
        let needs: Vec<Vec<Signs>> = self.rules.iter().map(|rule| self.needs(rule)).collect();
        self.rules.iter_mut().zip(needs).for_each(|(rule, needs)| rule.needs = needs);
    }

    /// For each category all that its phrases can begin with, through other categories too.
    fn firsts(&self, heads: &[Heads]) -> Vec<Heads> {
        let mut own = vec![Heads::default(); self.categories.len()];
        for (rule, heads) in self.rules.iter().zip(heads) {
            if let Some(own) = own.get_mut(rule.category.0 as usize) {
                own.extend(heads);
            }
        }
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

    fn heads(&self, rule: &Rule) -> Heads {
        let mut all = Heads::default();
        for symbol in &rule.symbols {
            let mut may_be_left_out = false;
            match symbol {
                Symbol::Sign(sign) => _ = all.signs.insert(*sign),
                Symbol::Choice(texts) => {
                    may_be_left_out = texts.iter().any(Vec::is_empty);
                    all.signs.extend(texts.iter().filter_map(|text| text.first()));
                }
                Symbol::Category(category, _) => _ = all.categories.insert(*category),
                Symbol::Word(words, _) => {
                    for word in words.iter().filter_map(|word| self.words.get(*word)) {
                        match word.stem.first() {
                            Some(sign) => _ = all.signs.insert(*sign),
                            None => all.signs.extend(word.surfaces.iter().filter_map(|surface| surface.ending.first())),
                        }
                    }
                }
                Symbol::Numeral => all.signs.extend(self.numerals.digits.keys().chain(self.numerals.units.keys())),
                Symbol::Free(..) => all.any = true,
            }
            if !may_be_left_out {
                break;
            }
        }
        all
    }

    /// For each symbol of a rule, and its end, the signs that must be printed from there on.
    fn needs(&self, rule: &Rule) -> Vec<Signs> {
        let mut needs = vec![Signs::default()];
        for symbol in rule.symbols.iter().rev() {
            let own = match symbol {
                Symbol::Sign(sign) => Signs::of_template(&[*sign]),
                Symbol::Choice(texts) => Signs::common(texts.iter().map(|text| Signs::of_template(text))),
                Symbol::Word(words, _) => {
                    Signs::common(words.iter().filter_map(|word| self.words.get(*word)).map(|word| Signs::of_template(&word.stem)))
                }
                Symbol::Free(until, _) => Signs::of_template(until),
                Symbol::Category(..) | Symbol::Numeral => Signs::default(),
            };
            let after = needs.last().copied().unwrap_or_default();
            needs.push(own.or(after));
        }
        needs.reverse();
        needs
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
