//! Finds the words of a printed line that owe something: declared words, numbers with their signs, and names in brackets.

use crate::account::parts::{Part, SIDES, What};
use crate::account::table::Word;
use crate::account::{Account, ON_TYPE};
use crate::reading::fold::begins;
use crate::reading::forest::Line;
use lang::diagnostic::Span;
use std::sync::Arc;

/// The brackets that enclose names.
const BRACKETS: [(char, char); 5] = [('「', '」'), ('『', '』'), ('《', '》'), ('〈', '〉'), ('【', '】')];

/// The bracket that opens the label of a line.
const HEADING: char = '【';

/// The word of an `owes` line for a mark that is printed before each row of a list: the mark of the nth row says the number n.
const NTH: &str = "nth";

/// The name in an `owes` line for words that repeat the number before them.
const AGAIN: &str = "again";

/// The name in an `owes` line for words after which the script may have the number before them less one (2枚目以降).
const LESS_ONE: &str = "less_one";

/// The constructs that give or take an ability.
const HANDED: [&str; 2] = ["strip", "grant"];

/// What a printed word owes.
#[derive(Clone, Debug)]
pub(super) enum Owed {
    /// This number, with either sign.
    Number(u32),
    /// This number, or the number less one.
    About(u32),
    /// One of these names.
    Any(Vec<Arc<str>>),
    /// This name or text, or one of the names behind a label.
    Called(Arc<str>, Vec<Arc<str>>),
}

/// A printed word that owes something.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    /// The word's place.
    pub span: Span,
    /// The word with the number before it (2枚まで).
    pub reach: Span,
    /// What the word owes.
    pub owed: Owed,
    /// Whether the word needs a counterpart. Otherwise the word may have one.
    pub(crate) owes: bool,
    /// Whether any number of parts may have this word.
    pub counts: bool,
    /// The line that says so.
    pub declared: Option<Span>,
}

impl Mention {
    /// Whether the word may be the reader of the text, whom a text may name as often as it likes, or not at all.
    pub(super) fn is_of_reader(&self) -> bool {
        matches!(&self.owed, Owed::Any(names) if names.iter().any(|name| &**name == SIDES[0]))
    }

    /// Whether the word is a name in brackets.
    pub(super) fn is_called(&self) -> bool {
        matches!(self.owed, Owed::Called(..))
    }

    /// Whether the words owe the same thing.
    pub(super) fn is_like(&self, other: &Mention) -> bool {
        match (&self.owed, &other.owed) {
            (Owed::Number(_) | Owed::About(_), Owed::Number(_) | Owed::About(_)) => true,
            (Owed::Any(names), Owed::Any(others)) => names == others,
            (Owed::Called(name, _), Owed::Called(other, _)) => name == other,
            _ => false,
        }
    }

    /// The owed things, for a message.
    pub(super) fn wanted(&self) -> String {
        match &self.owed {
            Owed::Number(number) | Owed::About(number) => number.to_string(),
            Owed::Any(names) => names.join(", "),
            Owed::Called(called, _) => called.to_string(),
        }
    }
}

impl Account {
    /// The words of a line that owe something, in order.
    pub(super) fn mentions(&self, line: &Line, parts: &[Part]) -> Vec<Mention> {
        let mut mentions = Vec::new();
        let named = self.names(line, parts, &mut mentions);
        let mut at = 0;
        let mut rows: Vec<Option<Span>> = Vec::new();
        while let Some(rest) = line.signs.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((_, end)) = named.iter().find(|(start, _)| *start == at) {
                at = *end;
                continue;
            }
            let until = named.iter().map(|(start, _)| *start).filter(|start| *start > at).min().unwrap_or(line.signs.len());
            let rest = rest.get(..until - at).unwrap_or(rest);
            let before = at.checked_sub(1).and_then(|before| line.signs.get(before)).copied();
            let words = rest.first().and_then(|sign| self.words.get(sign)).into_iter().flatten();
            let words = words.filter(|word| begins(rest, &word.signs));
            let mut words = words.filter(|word| word.declared.is_some() || is_apart(before, rest, word.signs.len()));
            let number = self.number(rest);
            let span = |length: usize| line.span(at as u32, (at + length) as u32);
            let mention = |length: usize, owed: Owed, owes: bool, declared: Option<Span>| Mention {
                span: span(length),
                reach: span(length),
                owed,
                owes,
                counts: false,
                declared,
            };
            // A word that may only say something does not hide the words within it.
            let word = words.find(|word| {
                word.may_say(&mut |owed, counts| {
                    mentions.push(Mention { counts, ..mention(word.signs.len(), owed, false, word.declared) })
                });
                word.is_idle || !word.owed.is_empty()
            });
            at += match (word, number) {
                (Some(Word { signs, owed, declared, .. }), number) if number.is_none_or(|(_, length)| length < signs.len()) => {
                    // In quotation marks the text of another card stands.
                    let of_another = quoted(line, at) && owed.iter().any(|name| name.starts_with(ON_TYPE));
                    let says = |name: &str| owed.iter().any(|owed| &**owed == name);
                    let of_number = says(AGAIN) || says(LESS_ONE);
                    if of_number {
                        about_the_number(&mut mentions, span(0), says(AGAIN));
                    }
                    if says(NTH) {
                        let nth = rows.iter().filter(|row| *row == declared).count() as u32 + 1;
                        rows.push(*declared);
                        mentions.push(Mention { counts: true, ..mention(signs.len(), Owed::Number(nth), false, *declared) });
                    } else if !owed.is_empty() && !of_another && !of_number {
                        let mut mention = mention(signs.len(), Owed::Any(owed.clone()), true, *declared);
                        let number = mentions.iter().rev().find(|mention| matches!(mention.owed, Owed::Number(_)) && !mention.counts);
                        if let Some(Mention { span, .. }) = number
                            && span.end == mention.span.start
                        {
                            mention.reach = span.to(mention.span);
                        }
                        mentions.push(mention);
                    }
                    signs.len()
                }
                // One is what a phrase without a number means as well (カードを1枚, 1枚につき).
                (_, Some((number, length))) => {
                    let owes = number != 1 || rest.first() == Some(&'①');
                    mentions.push(mention(length, Owed::Number(number), owes, None));
                    length
                }
                _ => 1,
            };
        }
        mentions.sort_by_key(|mention| mention.span.start);
        // A heading owes nothing.
        let headings = line.places.get(self.headings(line)).copied();
        mentions.iter_mut().filter(|mention| headings.is_some_and(|end| mention.span.start < end)).for_each(|mention| mention.owes = false);
        mentions
    }

    /// Where the headings at the beginning of a line end.
    fn headings(&self, line: &Line) -> usize {
        let mut at = 0;
        while let Some((open, close)) = self.headings.iter().find(|(open, _)| line.signs.get(at..).is_some_and(|rest| begins(rest, open))) {
            let rest = line.signs.get(at + open.len()..).unwrap_or_default();
            let Some(length) = (0..rest.len()).find(|end| rest.get(*end..).is_some_and(|rest| begins(rest, close))) else { break };
            at += open.len() + length + close.len();
        }
        at
    }

    /// A number at the beginning of some signs: in digits, or in a circle.
    fn number(&self, signs: &[char]) -> Option<(u32, usize)> {
        match signs.first()? {
            circled @ '①'..='⑳' => Some((*circled as u32 - '①' as u32 + 1, 1)),
            '⓪' => Some((0, 1)),
            _ => self.numerals.read(signs).and_then(|(number, length)| Some((u32::try_from(number).ok()?, length))),
        }
    }

    /// Names in brackets: those that the script names are skipped as a whole, by the ranges of their signs. A bracket with a phrase in it,
    /// such as a quoted ability, is read like the rest of the line.
    fn names(&self, line: &Line, parts: &[Part], mentions: &mut Vec<Mention>) -> Vec<(usize, usize)> {
        let mut named = Vec::new();
        // Labels in the brackets of headings, at the beginning of a line: what kind of line this is.
        let mut heading = 0;
        for (open, sign) in line.signs.iter().enumerate() {
            let Some((_, closing)) = BRACKETS.iter().find(|(opening, _)| opening == sign) else { continue };
            if named.iter().any(|(start, end)| (*start..*end).contains(&open)) {
                continue;
            }
            let mut depth = 0_usize;
            let close = line.signs.iter().enumerate().skip(open).find(|(_, other)| {
                depth = if *other == sign { depth + 1 } else { depth - usize::from(*other == closing) };
                depth == 0
            });
            let Some((close, _)) = close else { continue };
            if open == heading && *sign == HEADING {
                heading = close + 1;
                continue;
            }
            let span = line.span(open as u32 + 1, close as u32);
            let signs = line.signs.get(open + 1..close).unwrap_or_default();
            let whole = line.signs.get(open..=close).unwrap_or_default();
            let called: Arc<str> = Arc::from(line.printed_at(span).as_str());
            let names: Vec<Arc<str>> = [signs, whole].into_iter().filter_map(|signs| self.labels.get(signs)).flatten().cloned().collect();
            let reach = line.span(open as u32, close as u32 + 1);
            // The ability that is taken or given is a phrase, also if its template keeps no place within it.
            let handed = |part: &Part| {
                let hands = matches!(&part.what, What::Name(name) if HANDED.contains(&&**name));
                hands && part.span.start <= reach.start && reach.end <= part.span.end
            };
            let mut inner =
                parts.iter().filter(|part| !part.carried && reach.start <= part.span.start && part.span.end <= reach.end).peekable();
            let is_called = |part: &Part| matches!(&part.what, What::Name(name) | What::Text(name) if *name == called);
            if !names.is_empty() || inner.peek().is_none() && !parts.iter().any(handed) || inner.any(is_called) {
                named.push((open, close + 1));
                mentions.push(Mention { span, reach, owed: Owed::Called(called, names), owes: true, counts: false, declared: None });
            }
        }
        named
    }
}

/// Some words are about the number right before them. With `again` the number is printed a second time. Otherwise the script may have the
/// number less one.
fn about_the_number(mentions: &mut Vec<Mention>, word: Span, again: bool) {
    let is_number = |mention: &Mention| matches!(mention.owed, Owed::Number(_)) && !mention.counts;
    let Some(at) = mentions.iter().rposition(is_number) else { return };
    let (earlier, later) = mentions.split_at_mut(at);
    let Some(last) = later.first_mut() else { return };
    let Owed::Number(number) = last.owed else { return };
    let same = |mention: &Mention| matches!(mention.owed, Owed::Number(other) if other == number);
    match last.span.end == word.start {
        true if !again => last.owed = Owed::About(number),
        true if earlier.iter().any(same) => _ = mentions.remove(at),
        _ => {}
    }
}

/// Whether a word of some signs stands alone: no sign of the same script is next to it (場 in 登場 does not).
fn is_apart(before: Option<char>, rest: &[char], length: usize) -> bool {
    let script = |sign: char| match sign {
        '\u{4E00}'..='\u{9FFF}' => 1,
        'ァ'..='ヿ' => 2,
        'A'..='Z' | 'a'..='z' => 3,
        _ => 0,
    };
    let joined = |one: Option<char>, other: Option<char>| {
        one.zip(other).is_some_and(|(one, other)| script(one) != 0 && script(one) == script(other))
    };
    let last = length.checked_sub(1).and_then(|last| rest.get(last)).copied();
    !joined(before, rest.first().copied()) && !joined(last, rest.get(length).copied())
}

/// Whether a sign stands in quotation marks.
fn quoted(line: &Line, at: usize) -> bool {
    let before = line.signs.iter().take(at);
    let count = |mark: char| before.clone().filter(|sign| **sign == mark).count();
    count('「') > count('」')
}
