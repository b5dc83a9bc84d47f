//! Single signs: blanks, signs of words, half-width forms. Also the lengths of words, texts and quotations.

use memchr::{memchr2, memchr2_iter};
use pest::unicode::{XID_CONTINUE, XID_START};
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfkc};

/// Whether the sign is a blank between words. The ideographic space U+3000 is one.
pub(crate) fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\r' | '\n' | '\u{3000}')
}

/// Whether a word can begin with the sign.
pub(crate) fn is_word_start(sign: char) -> bool {
    sign == '_' || if sign.is_ascii() { sign.is_ascii_alphabetic() } else { XID_START(sign) }
}

/// Whether a word can contain the sign.
pub(crate) fn is_word(sign: char) -> bool {
    if sign.is_ascii() { sign == '_' || sign.is_ascii_alphanumeric() } else { XID_CONTINUE(sign) }
}

/// The NFKC form, in which names and labels are compared. Most texts consist of signs that are normal anyway. The test for this takes a
/// hundredth of the time of Unicode's tables.
#[must_use]
pub fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(is_normal) || is_nfkc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfkc().collect()) }
}

/// Whether the sign stays unchanged in NFKC, next to any other sign for which this function is true: ASCII, Japanese marks, kana,
/// ideographs.
fn is_normal(sign: char) -> bool {
    matches!(sign, '\0'..='\x7F' | '\u{3001}'..='\u{3015}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FE}' | '\u{4E00}'..='\u{9FFF}')
}

/// The half-width form of a full-width sign, digit or letter. None for other signs.
pub fn half_width(sign: char) -> Option<char> {
    match sign {
        '、' => Some(','),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(sign as u32 - 0xFF01 + 0x21),
        _ => None,
    }
}

/// The ASCII letter or digit that a letter of another script looks like, as Unicode's table of confusable signs says. Japanese signs, and
/// full-width letters (see [`half_width`]), are none of these letters.
pub fn look_alike(sign: char) -> Option<char> {
    if sign.is_ascii() || matches!(sign, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..) {
        return None;
    }
    let written = sign.to_string();
    let mut looks = unicode_security::skeleton(&written);
    looks.next().filter(|letter| letter.is_ascii_alphanumeric() && looks.next().is_none())
}

/// The length in bytes of the word at the beginning of the text. ASCII is tried first, because most words are ASCII.
pub(crate) fn word(text: &str) -> usize {
    let ascii = text.bytes().take_while(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()).count();
    match text.get(ascii..) {
        Some(rest) if !rest.is_empty() && !rest.starts_with(|sign: char| sign.is_ascii()) => {
            ascii + rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())
        }
        _ => ascii,
    }
}

/// The length in bytes of the text `"…"` at the beginning. None if the line ends before the text does.
pub(crate) fn string(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        let end = at + memchr2(b'"', b'\n', bytes.get(at..)?)?;
        if bytes.get(end) == Some(&b'\n') {
            return None;
        }
        // A quotation mark after an odd number of `\` belongs to the text.
        let escapes = bytes.get(1..end)?.iter().rev().take_while(|byte| **byte == b'\\').count();
        if escapes.is_multiple_of(2) {
            return Some(end + 1);
        }
        at = end + 1;
    }
}

/// The corner marks of a text with their places. They are found by their last byte: E3 80 8C and E3 80 8D.
pub(crate) fn corners(text: &str) -> impl Iterator<Item = (usize, char)> {
    memchr2_iter(0x8C, 0x8D, text.as_bytes()).filter_map(|at| {
        let start = at.checked_sub(2)?;
        let sign = text.get(start..=at)?.chars().next()?;
        matches!(sign, '「' | '」').then_some((start, sign))
    })
}

/// The length in bytes of the quotation at the beginning; the whole text if the quotation does not end.
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

#[cfg(test)]
mod tests {
    use super::{is_normal, normal, string, word};
    use unicode_normalization::UnicodeNormalization;

    #[test]
    fn a_normal_sign_is_its_own_normal_form_behind_every_other() {
        let signs = || ('\0'..='\u{A000}').filter(|sign| is_normal(*sign));
        for first in ['a', 'か', 'ヽ', '々', '力'] {
            let all: String = signs().flat_map(|sign| [first, sign]).collect();
            assert!(all.nfkc().eq(all.chars()));
        }
        assert_eq!(normal("ｶﾞｰ１"), "ガー1");
        assert_eq!(normal("か\u{3099}"), "が");
    }

    #[test]
    fn a_text_ends_at_the_first_mark_that_is_not_its_own() {
        let rows = [
            (r#""" x"#, Some(2)),
            (r#""a" "b""#, Some(3)),
            (r#""a\"b" c""#, Some(6)),
            (r#""a\\" b""#, Some(5)),
            (r#""a\\\"b" "#, Some(8)),
            (r#""\"\"" "#, Some(6)),
            (r#""a"#, None),
            (r#""a\""#, None),
            ("\"a\nb\"", None),
        ];
        for (text, length) in rows {
            assert_eq!(string(text), length, "{text}");
        }
    }

    #[test]
    fn a_word_ends_where_none_of_its_signs_stands() {
        assert_eq!(["count(a)", "手札 2", "a手札b.c", "x_1", "-", ""].map(word), [5, 6, 8, 3, 0, 0]);
    }
}
