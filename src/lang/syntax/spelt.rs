//! The words with which each rule of the grammar begins, read from the grammar files themselves.
//!
//! Input: the text of the grammar files, and the spellings that `expected.rs` writes down. Output: for each rule its spellings. A rule of fixed
//! words is spelt by all of its phrases; any other rule by the beginnings of its parts. So a message names every fixed word that can stand
//! at a place.

use super::expected::{notion, spellings};
use super::parse::{Rule, within};
use pest_meta::ast::{Expr, Rule as Written, RuleType};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const GRAMMAR: [&str; 5] = [
    include_str!("../../../grammar/core.pest"),
    include_str!("../../../grammar/rules.pest"),
    include_str!("../../../grammar/cards.pest"),
    include_str!("../../../grammar/scenario.pest"),
    include_str!("../../../grammar/wording.pest"),
];

/// The rules for a blank and for the end of a word.
const BLANK: &str = "b";
const WORD_END: &str = "w";

/// How deep rules are followed to their first words.
const DEEPEST: usize = 12;

/// The spellings of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spelt {
    /// Words, phrases and signs.
    pub words: Vec<String>,
    /// Whether nothing else can stand there.
    pub whole: bool,
}

impl Spelt {
    fn with(mut self, other: Self) -> Self {
        self.whole &= other.whole;
        self.words.extend(other.words);
        self
    }
}

/// The spellings of a rule.
pub(super) fn spelt(rule: Rule) -> &'static Spelt {
    static NOTHING: Spelt = Spelt { words: Vec::new(), whole: false };
    static ALL: LazyLock<FxHashMap<Rule, Spelt>> = LazyLock::new(|| {
        let grammar = Grammar::new();
        grammar.by_name.iter().map(|(name, rule)| (*rule, grammar.of_rule(name, 0))).collect()
    });
    ALL.get(&rule).unwrap_or(&NOTHING)
}

/// The rules of the grammar files as data. A file that cannot be read would have none, but with it the parser could not have been built.
pub(super) fn grammar() -> Vec<Written> {
    let rules = |text: &&str| {
        let pairs = within(usize::MAX, || pest_meta::parser::parse(pest_meta::parser::Rule::grammar_rules, text));
        pairs.ok().and_then(|pairs| pest_meta::parser::consume_rules(pairs).ok()).unwrap_or_default()
    };
    GRAMMAR.iter().flat_map(rules).collect()
}

struct Grammar {
    rules: FxHashMap<String, Written>,
    by_name: FxHashMap<String, Rule>,
}

impl Grammar {
    fn new() -> Self {
        let rules = grammar().into_iter().map(|rule| (rule.name.clone(), rule)).collect();
        let by_name = Rule::all_rules().iter().map(|rule| (format!("{rule:?}"), *rule)).collect();
        Self { rules, by_name }
    }

    fn of_rule(&self, name: &str, depth: usize) -> Spelt {
        let rule = self.by_name.get(name);
        let written = rule.map_or(&[][..], |rule| spellings(*rule));
        if !written.is_empty() {
            return Spelt { words: written.iter().map(|word| (*word).to_owned()).collect(), whole: true };
        }
        if rule.is_some_and(|rule| notion(*rule).is_some()) { Spelt::default() } else { self.as_in_grammar(name, depth) }
    }

    /// The spellings of a rule by the grammar alone.
    fn as_in_grammar(&self, name: &str, depth: usize) -> Spelt {
        match self.rules.get(name) {
            _ if depth > DEEPEST => Spelt::default(),
            Some(Written { ty: RuleType::Atomic, expr, .. }) => self.phrases(expr, depth).map_or_else(Spelt::default, |phrases| Spelt {
                words: phrases.into_iter().map(|phrase| phrase.trim().to_owned()).filter(|phrase| !phrase.is_empty()).collect(),
                whole: true,
            }),
            Some(Written { expr, .. }) => self.beginning(expr, depth + 1),
            None => Spelt::default(),
        }
    }

    /// All phrases that a part can be. None if it can be anything else.
    fn phrases(&self, part: &Expr, depth: usize) -> Option<Vec<String>> {
        match part {
            Expr::Str(text) => Some(vec![text.clone()]),
            Expr::Ident(name) if name == BLANK => Some(vec![" ".to_owned()]),
            Expr::Ident(name) if name == WORD_END => Some(vec![String::new()]),
            Expr::Ident(name) => match self.rules.get(name) {
                Some(Written { ty: RuleType::Atomic, expr, .. }) if depth < DEEPEST => self.phrases(expr, depth + 1),
                _ => None,
            },
            Expr::Seq(first, then) => {
                let (first, then) = (self.phrases(first, depth)?, self.phrases(then, depth)?);
                Some(first.iter().flat_map(|first| then.iter().map(move |then| format!("{first}{then}"))).collect())
            }
            Expr::Choice(one, other) => Some([self.phrases(one, depth)?, self.phrases(other, depth)?].concat()),
            Expr::Opt(part) => {
                let mut all = self.phrases(part, depth)?;
                all.push(String::new());
                Some(all)
            }
            Expr::PosPred(_) | Expr::NegPred(_) => Some(vec![String::new()]),
            _ => None,
        }
    }

    /// What a part begins with.
    fn beginning(&self, part: &Expr, depth: usize) -> Spelt {
        match part {
            Expr::Str(text) => Spelt { words: vec![text.clone()], whole: true },
            Expr::Ident(name) => self.of_rule(name, depth),
            Expr::Opt(part) | Expr::Rep(part) | Expr::RepOnce(part) => self.beginning(part, depth),
            Expr::Choice(one, other) => self.beginning(one, depth).with(self.beginning(other, depth)),
            // The first part may take nothing. Then the next part begins.
            Expr::Seq(first, then) if can_be_empty(first) => self.beginning(first, depth).with(self.beginning(then, depth)),
            Expr::Seq(first, _) => self.beginning(first, depth),
            Expr::PosPred(_) | Expr::NegPred(_) => Spelt { words: Vec::new(), whole: true },
            _ => Spelt::default(),
        }
    }
}

/// Whether a part may take nothing. Only its own form is looked at.
fn can_be_empty(part: &Expr) -> bool {
    match part {
        Expr::Opt(_) | Expr::Rep(_) | Expr::PosPred(_) | Expr::NegPred(_) => true,
        Expr::Seq(first, then) => can_be_empty(first) && can_be_empty(then),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Grammar, grammar, spelt};
    use crate::syntax::expected::{notion, spellings};
    use crate::syntax::parse::Rule;

    #[test]
    fn every_grammar_file_is_read() {
        assert!(grammar().len() > 300, "{}", grammar().len());
        let declared = |text: &str| text.lines().filter(|line| line.contains(" = ") && !line.starts_with([' ', '/'])).count();
        assert_eq!(grammar().len(), super::GRAMMAR.iter().map(|text| declared(text)).sum::<usize>());
    }

    #[test]
    fn no_spelling_is_written_down_that_the_grammar_gives() {
        let grammar = Grammar::new();
        let sorted = |mut words: Vec<String>| {
            words.sort();
            words
        };
        let mut needless = Vec::new();
        for rule in Rule::all_rules().iter().filter(|rule| notion(**rule).is_none()) {
            let written: Vec<String> = spellings(*rule).iter().map(|word| (*word).to_owned()).collect();
            let read = grammar.as_in_grammar(&format!("{rule:?}"), 0);
            if !written.is_empty() && read.whole && sorted(written) == sorted(read.words) {
                needless.push(rule);
            }
        }
        assert!(needless.is_empty(), "{needless:?}");
    }

    #[test]
    fn a_rule_is_spelt_by_its_words() {
        let words = |rule| spelt(rule).words.join(", ");
        assert_eq!(words(Rule::check_word), "check");
        assert_eq!(words(Rule::event_turn), "falls, rises, changes, becomes true, becomes false");
        assert_eq!(words(Rule::option_body), "attempt, declare, {");
        assert_eq!(words(Rule::or_pass), "or pass");
        assert!(!spelt(Rule::name).whole && words(Rule::name).is_empty());
    }
}
