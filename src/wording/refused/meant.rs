//! Finds what may have been meant by a text that no template covers: the text with one small change that makes it readable.
//!
//! Changes are tried near the place where the text cannot be read further, smaller ones first. A change leaves out signs, replaces a word
//! or label by a similar declared one, or inserts signs that some template waits for. A change counts only if the whole line can then be
//! read without a finding. So every suggestion can be written as it stands.

use crate::GOAL;
use crate::Wording;
use crate::declared::grammar::{CategoryId, Meaning, Rule, Symbol};
use crate::reading::chart::Chart;
use crate::reading::fold::{fold, takes};
use crate::reading::forest::Line;
use crate::refused::stuck::{is_content, is_ideograph, read_before, unknown_word};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast;
use std::collections::BTreeSet;

/// The code of a text that no template covers.
pub(crate) const UNCOVERED: &str = "E0407";

/// How many signs before the failing place are changed.
const BEFORE: usize = 6;

/// The most signs that one change leaves out.
const MOST_OUT: usize = 5;

/// The most changes that are tried for one text. Each costs one reading.
const MOST_TRIED: usize = 150;

/// Signs that say in which direction a number changes.
const TURNING: [char; 3] = ['+', '増', '減'];

/// Signs that stand around a name, or after it.
const NAMING: [char; 12] = ['〈', '〉', '《', '》', '〔', '〕', '[', ']', '【', '】', ':', '：'];

/// Words in hiragana that say how many, or which: 2枚まで without まで says something else.
const AMOUNTS: [&str; 8] = ["まで", "すべて", "ずつ", "だけ", "のみ", "しか", "もう", "ほか"];

/// A change of a line: from sign `at` on, `out` signs are replaced by the signs `put`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    at: usize,
    out: usize,
    put: Vec<char>,
    size: usize,
    /// Whether a whole declared word stands in the place of a similar one.
    is_word: bool,
}

impl Change {
    /// Whether the change touches a digit or the direction of a change, adds or takes away a negation, puts another word in the place of
    /// a word, or drops a word. A text with +1 for -1, 失う for 貰う or 捨てない for 捨てたなら is near in signs, and says something else.
    fn turns_round(&self, line: &Line) -> bool {
        let behind = line.signs.get(self.at + self.out).copied();
        line.signs.get(self.at..self.at + self.out).is_none_or(|out| {
            weights(out, behind) != weights(&self.put, behind)
                || negates(out) != negates(&self.put)
                || is_another_word(out, &self.put)
                || drops(out, &self.put, self.is_word)
        })
    }
}

/// Whether signs that say something are left out: ideographs, katakana, letters, brackets, colons, or a word that says how many. A text
/// without its zone, its trait or its 〈…〉 says something else. A declared word may stand in the place of a word that is written wrongly, if
/// most signs are the same.
fn drops(out: &[char], put: &[char], is_word: bool) -> bool {
    let says = |sign: &&char| is_content(**sign) || NAMING.contains(sign);
    let kept = out.iter().filter(|sign| put.contains(sign)).count();
    let dropped = out.iter().filter(says).filter(|sign| !put.contains(sign)).count();
    let added = put.iter().filter(says).filter(|sign| !out.contains(sign)).count();
    let amounts = |signs: &[char]| {
        let text: String = signs.iter().collect();
        AMOUNTS.map(|word| text.contains(word))
    };
    let others = if is_word { dropped > added && kept < 2 * dropped } else { dropped > 0 };
    others || amounts(out) != amounts(put)
}

fn negates(signs: &[char]) -> bool {
    signs.windows(2).any(|pair| matches!(pair, ['な', 'い'] | ['せ', 'ん']))
}

/// Whether both have ideographs, and none in common.
fn is_another_word(out: &[char], put: &[char]) -> bool {
    let ideographs = |signs: &[char]| signs.iter().copied().filter(|sign| is_ideograph(*sign)).collect::<Vec<_>>();
    let (out, put) = (ideographs(out), ideographs(put));
    !out.is_empty() && !put.is_empty() && !out.iter().any(|sign| put.contains(sign))
}

/// The signs that decide how much a text changes a number, and in which direction. `behind` is the sign after these signs.
fn weights(signs: &[char], behind: Option<char>) -> Vec<char> {
    let next = signs.iter().skip(1).copied().map(Some).chain([behind]);
    let weight = |(sign, next): (&char, Option<char>)| match fold(*sign) {
        // The sign of a long vowel is a minus only before a number.
        sign if takes('-', sign) => (sign == '-' || next.is_some_and(|next| fold(next).is_ascii_digit())).then_some('-'),
        sign if sign.is_ascii_digit() || TURNING.contains(&sign) => Some(sign),
        _ => None,
    };
    signs.iter().zip(next).filter_map(weight).collect()
}

impl Wording {
    /// Adds to the finding the phrase that could be read instead. Without such a phrase, adds the unknown word or the phrase before it, if
    /// there is one.
    #[must_use]
    pub fn with_phrase(&self, text: &ast::Text, mut finding: Diagnostic) -> Diagnostic {
        let Some((line, reached)) = self.stopped(text, &finding) else { return finding };
        if let Some(phrase) = self.meant(&line, reached) {
            finding.args.retain(|(key, _)| !["first", "second", "third"].contains(key));
            return finding.with("phrase", phrase);
        }
        if let Some(word) = unknown_word(&self.grammar, &line, reached) {
            finding = finding.with("unknown", word);
        }
        match read_before(&self.grammar, &line, reached) {
            Some((phrase, category)) => finding.with("before", phrase).with("category", category),
            None => finding,
        }
    }

    /// The line that no template covers, and the sign at which reading stops.
    fn stopped(&self, text: &ast::Text, finding: &Diagnostic) -> Option<(Line, usize)> {
        let place = finding.span.filter(|_| finding.code == UNCOVERED)?.start;
        let value = |key| finding.args.iter().find(|(known, _)| *known == key).map(|(_, value)| value);
        let at_end = value("ended").is_some() && value("ended") == value("text");
        self.lines(text).into_iter().find_map(|line| {
            let reached = line.places.iter().position(|at| *at == place)?;
            // A text that ends too early is marked from the last phrase on, and reading stops at its end.
            let reached = if at_end { line.signs.len() } else { reached };
            Some((line, reached))
        })
    }

    fn meant(&self, line: &Line, reached: usize) -> Option<String> {
        let goal = self.grammar.category(GOAL)?;
        let mut changes = self.changes(line, reached, goal);
        changes.retain(|change| !change.turns_round(line));
        changes.sort_by_key(|change| change.size);
        changes.iter().take(MOST_TRIED).find_map(|change| self.read_so(line, change, goal))
    }

    /// The changes that are tried.
    fn changes(&self, line: &Line, reached: usize, goal: CategoryId) -> Vec<Change> {
        let mut changes = Vec::new();
        for at in reached.saturating_sub(BEFORE)..=reached {
            let most = MOST_OUT.min(line.signs.len().saturating_sub(at));
            changes.extend((1..=most).map(|out| Change { at, out, put: Vec::new(), size: out * 2, is_word: false }));
        }
        self.nearly_written(line, reached, &mut changes);
        let chart = Chart::with_dead_ends(&self.grammar, &line.signs, goal);
        for at in reached.saturating_sub(2)..=reached {
            for put in self.wanted(&chart, at) {
                let most = MOST_OUT.min(line.signs.len().saturating_sub(at));
                changes.extend((0..=most).map(|out| Change {
                    at,
                    out,
                    put: put.clone(),
                    size: 1 + 2 * out.max(put.len()),
                    is_word: false,
                }));
            }
        }
        changes
    }

    /// Adds the declared labels, and the words in all their forms, that are similar to the text there.
    fn nearly_written(&self, line: &Line, reached: usize, changes: &mut Vec<Change>) {
        let labels = self.grammar.rules.iter().filter(|rule| self.is_label(rule)).map(|rule| signs_from(rule, 0));
        let forms = self.grammar.words.iter().flat_map(|word| {
            word.surfaces.iter().map(move |surface| {
                let signs: Vec<char> = word.stem.iter().chain(&surface.ending).copied().collect();
                signs
            })
        });
        let words: BTreeSet<Vec<char>> = labels.chain(forms).filter(|put: &Vec<char>| put.len() > 1).collect();
        for put in &words {
            for at in reached.saturating_sub(put.len())..=reached {
                for out in put.len() - 1..=put.len() + 1 {
                    // A word that is declared itself was not mistyped.
                    let Some(signs) = line.signs.get(at..at + out).filter(|signs| !words.contains(*signs)) else { continue };
                    // Computing a distance is slow, and few words share half of their signs with the text. So words that miss too many
                    // signs are skipped first.
                    let missing = put.iter().filter(|sign| !signs.contains(sign)).count();
                    if missing * 2 > put.len() {
                        continue;
                    }
                    let distance = strsim::generic_damerau_levenshtein(signs, put);
                    if distance > 0 && distance * 2 <= put.len() {
                        changes.push(Change { at, out, put: put.clone(), size: distance, is_word: true });
                    }
                }
            }
        }
    }

    fn is_label(&self, rule: &Rule) -> bool {
        self.grammar.category_def(rule.category).is_some_and(|(_, def)| def.labels)
    }

    /// The signs that templates wait for at a place, if they began before it.
    fn wanted(&self, chart: &Chart, at: usize) -> Vec<Vec<char>> {
        let mut wanted: Vec<Vec<char>> = Vec::new();
        let states = &self.grammar.states;
        for item in chart.sets.get(at).into_iter().flat_map(|set| &set.items) {
            let dot = states.get(item.state).map_or(0, |state| state.dot as usize);
            for rule in states.rules(item.state).into_iter().filter_map(|rule| self.grammar.rule(rule)) {
                if dot == 0 || !matches!(rule.meaning, Meaning::Template(_)) {
                    continue;
                }
                let texts = match rule.symbols.get(dot) {
                    Some(Symbol::Sign(_)) => vec![signs_from(rule, dot)],
                    Some(Symbol::Choice(texts)) => texts.to_vec(),
                    _ => Vec::new(),
                };
                for text in texts.into_iter().filter(|text| !text.is_empty()) {
                    if !wanted.contains(&text) {
                        wanted.push(text);
                    }
                }
            }
        }
        wanted
    }

    /// The smallest phrase around a change, if the whole line can be read with the change.
    fn read_so(&self, line: &Line, change: &Change, goal: CategoryId) -> Option<String> {
        let (before, after) = (line.printed.get(..change.at)?, line.printed.get(change.at + change.out..)?);
        let signs: Vec<char> = before.iter().chain(&change.put).chain(after).copied().collect();
        let folded: Vec<char> = signs.iter().map(|sign| fold(*sign)).collect();
        let chart = Chart::parse(&self.grammar, &folded, goal);
        chart.whole(goal).filter(|_| !chart.too_large)?;
        let bytes = |signs: &[char]| signs.iter().map(|sign| sign.len_utf8() as u32).sum::<u32>();
        let (from, to) = (bytes(before), bytes(before) + bytes(&change.put));
        let written: String = signs.iter().collect();
        let span = Span { start: 0, end: written.len() as u32, ..Span::default() };
        let reading = self.read(&ast::Text { text: written.clone(), span });
        if !reading.diagnostics.is_empty() {
            return None;
        }
        // The phrase must be longer than the inserted signs, so that a reader sees where they belong.
        let holds = |span: Span| span.start <= from && span.end >= to && span.end - span.start > to - from;
        let around = |span: Span| holds(span) && (to > from || span.start < from && span.end > to);
        let spans = reading.phrases.iter().map(|phrase| phrase.span).filter(|span| around(*span));
        let Span { start, end, .. } = spans.min_by_key(|span| span.end - span.start).unwrap_or(span);
        written.get(start as usize..end as usize).map(str::to_owned)
    }
}

/// The signs of a rule from a symbol on, up to the next symbol that is no sign.
fn signs_from(rule: &Rule, dot: usize) -> Vec<char> {
    rule.symbols.iter().skip(dot).map_while(|symbol| if let Symbol::Sign(sign) = symbol { Some(*sign) } else { None }).collect()
}
