//! Single signs: blanks, signs of words, full-width signs and their half-width forms.

use pest::unicode::{XID_CONTINUE, XID_START};

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

/// The half-width form of a full-width sign, digit or letter.
pub(crate) fn half_width(sign: char) -> Option<char> {
    match sign {
        '、' => Some(','),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(sign as u32 - 0xFF01 + 0x21),
        _ => None,
    }
}
