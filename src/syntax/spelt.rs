//! The words with which each rule of the grammar begins, read from the grammar files themselves.
//!
//! Input: the text of the grammar files, and the spellings that `expected.rs` writes down. Output: for each rule its spellings. A rule of fixed
//! words is spelt by all of its phrases; any other rule by the beginnings of its parts. So a message names every fixed word that can stand
//! at a place.

use super::expected::{notion, spellings};
use super::parse::Rule;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const GRAMMAR: [&str; 5] = [
    include_str!("../../grammar/core.pest"),
    include_str!("../../grammar/rules.pest"),
    include_str!("../../grammar/cards.pest"),
    include_str!("../../grammar/scenario.pest"),
    include_str!("../../grammar/wording.pest"),
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

/// The spellings of a rule.
pub(super) fn spelt(rule: Rule) -> &'static Spelt {
    static NOTHING: Spelt = Spelt { words: Vec::new(), whole: false };
    static ALL: LazyLock<FxHashMap<Rule, Spelt>> = LazyLock::new(|| {
        let rules = GRAMMAR.iter().flat_map(|text| declared(text)).collect();
        let by_name: FxHashMap<String, Rule> = Rule::all_rules().iter().map(|rule| (format!("{rule:?}"), *rule)).collect();
        let grammar = Grammar { rules, by_name };
        grammar.by_name.iter().map(|(name, rule)| (*rule, grammar.of_rule(name, 0))).collect()
    });
    ALL.get(&rule).unwrap_or(&NOTHING)
}

/// A part of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Rule(String),
    Row(Vec<Part>),
    Either(Vec<Part>),
    /// May be left out.
    Maybe(Box<Part>),
    /// Several of it.
    Many(Box<Part>),
    /// A look ahead. It takes nothing.
    Ahead,
}

struct Grammar {
    /// Whether a rule is one word, and its parts.
    rules: FxHashMap<String, (bool, Part)>,
    by_name: FxHashMap<String, Rule>,
}

impl Grammar {
    fn of_rule(&self, name: &str, depth: usize) -> Spelt {
        let rule = self.by_name.get(name);
        let written = rule.map_or(&[][..], |rule| spellings(*rule));
        if !written.is_empty() {
            return Spelt { words: written.iter().map(|word| (*word).to_owned()).collect(), whole: true };
        }
        match self.rules.get(name) {
            _ if depth > DEEPEST || rule.is_some_and(|rule| notion(*rule).is_some()) => Spelt::default(),
            Some((true, part)) => self.phrases(part, depth).map_or_else(Spelt::default, |phrases| Spelt {
                words: phrases.into_iter().map(|phrase| phrase.trim().to_owned()).filter(|phrase| !phrase.is_empty()).collect(),
                whole: true,
            }),
            Some((false, part)) => self.beginning(part, depth + 1),
            None => Spelt::default(),
        }
    }

    /// All phrases that a part can be. None if it can be anything else.
    fn phrases(&self, part: &Part, depth: usize) -> Option<Vec<String>> {
        match part {
            Part::Text(text) => Some(vec![text.clone()]),
            Part::Rule(name) if name == BLANK => Some(vec![" ".to_owned()]),
            Part::Rule(name) if name == WORD_END => Some(vec![String::new()]),
            Part::Rule(name) => match self.rules.get(name) {
                Some((true, part)) if depth < DEEPEST => self.phrases(part, depth + 1),
                _ => None,
            },
            Part::Row(parts) => parts.iter().try_fold(vec![String::new()], |before, part| {
                let next = self.phrases(part, depth)?;
                Some(before.iter().flat_map(|before| next.iter().map(move |next| format!("{before}{next}"))).collect())
            }),
            Part::Either(parts) => {
                let all: Option<Vec<Vec<String>>> = parts.iter().map(|part| self.phrases(part, depth)).collect();
                Some(all?.concat())
            }
            Part::Maybe(part) => {
                let mut all = self.phrases(part, depth)?;
                all.push(String::new());
                Some(all)
            }
            Part::Many(_) => None,
            Part::Ahead => Some(vec![String::new()]),
        }
    }

    /// What a part begins with.
    fn beginning(&self, part: &Part, depth: usize) -> Spelt {
        let mut spelt = Spelt { words: Vec::new(), whole: true };
        let mut add = |of: Spelt| {
            spelt.whole &= of.whole;
            spelt.words.extend(of.words);
        };
        match part {
            Part::Text(text) => add(Spelt { words: vec![text.clone()], whole: true }),
            Part::Rule(name) => add(self.of_rule(name, depth)),
            Part::Maybe(part) | Part::Many(part) => add(self.beginning(part, depth)),
            Part::Either(parts) => parts.iter().for_each(|part| add(self.beginning(part, depth))),
            Part::Row(parts) => {
                for part in parts {
                    add(self.beginning(part, depth));
                    if !matches!(part, Part::Maybe(_) | Part::Ahead) {
                        break;
                    }
                }
            }
            Part::Ahead => {}
        }
        spelt
    }
}

/// The rules of a grammar file: name, whether the rule is one word, parts.
fn declared(text: &str) -> Vec<(String, (bool, Part))> {
    let mut reader = Reader { signs: signs(text), at: 0 };
    let mut rules = Vec::new();
    while let (Some(name), Some("=")) = (reader.peek(0).map(str::to_owned), reader.peek(1)) {
        reader.at += 2;
        let is_word = reader.takes("@");
        let _ = reader.takes("_") || reader.takes("$") || reader.takes("!");
        if !reader.takes("{") {
            break;
        }
        let part = reader.either();
        rules.push((name, (is_word, part)));
        if !reader.takes("}") {
            break;
        }
    }
    rules
}

/// The signs and words of a grammar file. A text keeps its opening quotation mark.
fn signs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().map(|line| line.trim_start()).filter(|line| !line.starts_with("//")) {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
            let length = match first {
                '"' | '\'' => 1 + quoted_length(rest.get(1..).unwrap_or(""), first),
                _ if rest.starts_with("..") => 2,
                _ if rest.starts_with("//") => rest.len(),
                _ if is_name(first) => rest.find(|sign| !is_name(sign)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (sign, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            match first {
                '"' => found.push(sign.strip_suffix('"').unwrap_or(sign).replace('\\', "")),
                _ if first.is_whitespace() || sign.starts_with("//") => {}
                _ => found.push(sign.to_owned()),
            }
            rest = behind;
        }
    }
    found
}

/// The length of a text behind its opening mark, with its closing one.
fn quoted_length(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices() {
        match sign {
            _ if sign == mark && !escaped => return at + 1,
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    text.len()
}

struct Reader {
    signs: Vec<String>,
    at: usize,
}

impl Reader {
    fn peek(&self, by: usize) -> Option<&str> {
        self.signs.get(self.at + by).map(String::as_str)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.peek(0) == Some(sign);
        self.at += usize::from(is);
        is
    }

    fn either(&mut self) -> Part {
        // The first alternative may have a bar before it too.
        self.takes("|");
        let mut parts = vec![self.row()];
        while self.takes("|") {
            parts.push(self.row());
        }
        Part::Either(parts)
    }

    fn row(&mut self) -> Part {
        let mut parts = vec![self.part()];
        while self.takes("~") {
            parts.push(self.part());
        }
        Part::Row(parts)
    }

    fn part(&mut self) -> Part {
        if self.takes("!") || self.takes("&") {
            self.part();
            return Part::Ahead;
        }
        let mut part = if self.takes("(") {
            let inner = self.either();
            self.takes(")");
            inner
        } else {
            let sign = self.peek(0).unwrap_or_default().to_owned();
            self.at += 1;
            match sign.strip_prefix('"') {
                Some(text) => Part::Text(text.to_owned()),
                None => Part::Rule(sign),
            }
        };
        if self.takes("..") {
            self.at += 1;
        }
        loop {
            if self.takes("?") || self.takes("*") {
                part = Part::Maybe(Box::new(part));
            } else if self.takes("+") {
                part = Part::Many(Box::new(part));
            } else {
                return part;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GRAMMAR, declared, spelt};
    use crate::syntax::parse::Rule;

    #[test]
    fn every_rule_of_the_grammar_is_read() {
        let names: Vec<String> = GRAMMAR.iter().flat_map(|text| declared(text)).map(|(name, _)| name).collect();
        for (file, text) in GRAMMAR.iter().enumerate() {
            for line in text.lines() {
                if let Some((name, _)) = line.split_once(" = ").filter(|(name, _)| !name.contains([' ', '/'])) {
                    assert!(names.iter().any(|known| known == name), "{file}: {name}");
                }
            }
        }
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
