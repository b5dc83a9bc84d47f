//! A file in tokens, for the formatter and the list of citations: comments and line ends are kept, which the tree does not have.

use super::signs::{is_blank, is_word};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `-- …`.
    Comment,
    /// A text or quotation; may hold line ends, is never touched.
    Text,
    /// `@6-2-1`.
    Cite,
    /// A word, number or hole.
    Word,
    /// Anything else.
    Sign,
}

/// A piece of the text and the blanks before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// As it stands in the text.
    pub text: &'t str,
    /// Where it begins.
    pub start: usize,
    /// Line ends before it.
    pub lines: usize,
    /// Blanks before it on its line.
    pub blanks: usize,
}

/// The tokens of a text; what the grammar refuses has some too.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut lines, mut blanks) = (0, 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        if is_blank(first) {
            lines += usize::from(first == '\n');
            blanks = if first == '\n' { 0 } else { blanks + 1 };
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = one(rest, first);
        let token = rest.get(..length.max(first.len_utf8())).unwrap_or(rest);
        at += token.len();
        let shown = if kind == Kind::Comment { token.trim_end_matches(is_blank) } else { token };
        tokens.push(Token { kind, text: shown, start: at - token.len(), lines, blanks });
        (lines, blanks) = (0, 0);
    }
    tokens
}

fn one(rest: &str, first: char) -> (Kind, usize) {
    let until = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    match first {
        '-' if rest.starts_with("--") => (Kind::Comment, until(|sign| sign == '\n')),
        '"' => (Kind::Text, string(rest)),
        '「' => (Kind::Text, quotation(rest)),
        '@' if rest.starts_with("@G:") => (Kind::Cite, until(is_blank)),
        '@' => (Kind::Cite, behind(rest, |sign| sign.is_ascii_alphanumeric() || ".-[]/".contains(sign))),
        '0'..='9' if is_day(rest) => (Kind::Word, DAY.len()),
        '$' => (Kind::Word, behind(rest, is_word)),
        _ if is_word(first) => (Kind::Word, until(|sign| !is_word(sign))),
        _ => (
            Kind::Sign,
            ["==", "!=", "<=", ">=", "->"].iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len()),
        ),
    }
}

/// How a day is written: `0` stands for any digit.
const DAY: &str = "0000-00-00";

fn is_day(rest: &str) -> bool {
    let fits = |(sign, wanted): (u8, u8)| if wanted == b'0' { sign.is_ascii_digit() } else { sign == wanted };
    rest.len() >= DAY.len()
        && rest.bytes().zip(DAY.bytes()).all(fits)
        && !rest.get(DAY.len()..).is_some_and(|more| more.starts_with(is_word))
}

/// The length of the first sign and those of a sort that follow it.
fn behind(rest: &str, of: fn(char) -> bool) -> usize {
    1 + rest.get(1..).map_or(0, |more| more.find(|sign| !of(sign)).unwrap_or(more.len()))
}

fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            // A text that is not closed ends with its line.
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    rest.len()
}

fn quotation(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in rest.char_indices() {
        match sign {
            '「' => depth += 1,
            '」' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + sign.len_utf8();
        }
    }
    rest.len()
}
