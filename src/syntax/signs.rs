//! Signs: blanks, signs of words, full-width signs and their half-width forms; how far words, texts and quotations go.

use pest::unicode::{XID_CONTINUE, XID_START};
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfkc};

/// Blanks between words; U+3000 is one.
pub(crate) fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\r' | '\n' | '\u{3000}')
}

/// A sign that can begin a word.
pub(crate) fn is_word_start(sign: char) -> bool {
    sign == '_' || if sign.is_ascii() { sign.is_ascii_alphabetic() } else { XID_START(sign) }
}

/// A sign of a word.
pub(crate) fn is_word(sign: char) -> bool {
    if sign.is_ascii() { sign == '_' || sign.is_ascii_alphanumeric() } else { XID_CONTINUE(sign) }
}

/// The form in which names and labels are compared: NFKC. Nearly every text is written in it, and to see that costs a tenth of making it.
#[must_use]
pub fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// The half-width form of a full-width sign, digit or letter.
pub(crate) fn half_width(sign: char) -> Option<char> {
    match sign {
        '、' => Some(','),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(sign as u32 - 0xFF01 + 0x21),
        _ => None,
    }
}

/// The length of the word that a text begins with; most signs of most words are ASCII.
pub(crate) fn word(text: &str) -> usize {
    let ascii = text.bytes().take_while(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()).count();
    match text.get(ascii..) {
        Some(rest) if !rest.is_empty() && !rest.starts_with(|sign: char| sign.is_ascii()) => {
            ascii + rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())
        }
        _ => ascii,
    }
}

/// The length of the text in `"…"` that begins here; none when its line ends before it does.
pub(crate) fn string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'\n' => return None,
            b'"' if !escaped => return Some(at + 1),
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    None
}

/// The corner marks of a text and their places, found by the last of their bytes, E3 80 8C and E3 80 8D.
pub(crate) fn corners(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.bytes().enumerate().filter(|(_, byte)| matches!(byte, 0x8C | 0x8D)).filter_map(|(at, _)| {
        let start = at.checked_sub(2)?;
        let sign = text.get(start..=at)?.chars().next()?;
        matches!(sign, '「' | '」').then_some((start, sign))
    })
}

/// The length of the quotation that a text begins with; all of the text when it does not end.
pub(crate) fn quotation(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in corners(text) {
        depth = if sign == '「' { depth + 1 } else { depth.saturating_sub(1) };
        if depth == 0 {
            return at + sign.len_utf8();
        }
    }
    text.len()
}
