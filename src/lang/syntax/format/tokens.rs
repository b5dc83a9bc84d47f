//! Cuts a file into tokens with comments and line ends, which the tree does not have. Used by the formatter and the list of citations.

use crate::syntax::signs::{is_blank, is_word, quotation, string, word};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `-- …`.
    Comment,
    /// A text or quotation. It may hold line ends and is never changed.
    Text,
    /// `@6-2-1`.
    Cite,
    /// A word, number or hole.
    Word,
    /// Anything else.
    Sign,
}

/// A token and the blanks before it.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// The kind of token.
    pub kind: Kind,
    /// The text of the token.
    pub text: &'t str,
    /// Where the token begins.
    pub start: usize,
    /// Line ends before it.
    pub lines: usize,
    /// Blanks before it on its line.
    pub blanks: usize,
}

/// The tokens of a text in order. A text that the grammar refuses has tokens too.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut lines, mut blanks) = (0, 0);
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            if is_blank(first) {
                lines += usize::from(first == '\n');
                blanks = if first == '\n' { 0 } else { blanks + 1 };
                at += first.len_utf8();
                continue;
            }
            let (kind, length) = one(rest, first);
            let token = rest.get(..length.max(first.len_utf8())).unwrap_or(rest);
            let start = at;
            at += token.len();
            let shown = if kind == Kind::Comment { token.trim_end_matches(is_blank) } else { token };
            return Some(Token { kind, text: shown, start, lines, blanks });
        }
    })
}

/// The tokens of a text that are citations. Text that cannot hold a citation is skipped without being cut into tokens.
pub fn cites(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            // A comment, a text, a quotation (its mark begins with E3) or a citation.
            at += text.bytes().skip(at).position(|byte| matches!(byte, b'-' | b'"' | b'@' | 0xE3))?;
            let (start, rest) = (at, text.get(at..)?);
            // Every kana begins with E3 too.
            if rest.as_bytes().first() == Some(&0xE3) && !rest.starts_with('「') {
                at += '「'.len_utf8();
                continue;
            }
            let first = rest.chars().next()?;
            let (kind, length) = one(rest, first);
            at += length;
            if kind == Kind::Cite {
                return Some(Token { kind, text: rest.get(..length)?, start, lines: 0, blanks: 0 });
            }
        }
    })
}

fn one(rest: &str, first: char) -> (Kind, usize) {
    match first {
        '-' if rest.starts_with("--") => (Kind::Comment, line_end(rest)),
        '"' => (Kind::Text, string(rest).unwrap_or_else(|| line_end(rest))),
        '「' => (Kind::Text, quotation(rest)),
        '@' if rest.starts_with("@G:") => (Kind::Cite, rest.find(is_blank).unwrap_or(rest.len())),
        '@' => (Kind::Cite, 1 + rest.bytes().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || b".-[]/".contains(byte)).count()),
        '0'..='9' if is_day(rest) => (Kind::Word, DAY.len()),
        '$' => (Kind::Word, 1 + word(rest.get(1..).unwrap_or(""))),
        _ if is_word(first) => (Kind::Word, word(rest)),
        '=' | '!' | '<' | '>' | '-' if ["==", "!=", "<=", ">=", "->"].iter().any(|sign| rest.starts_with(*sign)) => (Kind::Sign, 2),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

/// The form of a day: `0` stands for any digit.
const DAY: &str = "0000-00-00";

fn is_day(rest: &str) -> bool {
    let fits = |(sign, wanted): (u8, u8)| if wanted == b'0' { sign.is_ascii_digit() } else { sign == wanted };
    rest.len() >= DAY.len()
        && rest.bytes().zip(DAY.bytes()).all(fits)
        && !rest.get(DAY.len()..).is_some_and(|more| more.starts_with(is_word))
}

fn line_end(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}
