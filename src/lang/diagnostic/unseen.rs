//! Signs that nobody sees, and signs that a terminal obeys.

use std::borrow::Cow;

/// Whether a sign looks like a blank or like nothing without being a blank of the language: other blanks, signs without width, signs that
/// change the writing direction, line ends of other systems, signs that a terminal obeys.
#[must_use]
pub fn is_unseen(sign: char) -> bool {
    match sign {
        ' ' | '\t' | '\r' | '\n' | '\u{3000}' => false,
        _ => is_hidden(sign) || sign.is_whitespace() || sign.is_control(),
    }
}

/// Whether a sign is shown as nothing: it has no width, changes the writing direction, joins its neighbours, or is a filler.
#[must_use]
pub(super) fn is_hidden(sign: char) -> bool {
    matches!(
        sign,
        '\u{00AD}'
            | '\u{034F}'
            | '\u{061C}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E00FF}'
            | '\u{E01F0}'..='\u{E0FFF}'
    )
}

/// Whether a sign only selects a form of the sign before it. Labels and texts may have such signs (葛 has two forms), words may not.
#[must_use]
pub(crate) fn is_variant(sign: char) -> bool {
    matches!(sign, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Whether the bytes of a text may contain a hidden sign or one that a terminal obeys. Most texts are answered without reading their signs.
#[must_use]
pub fn may_hide(text: &str) -> bool {
    let mut before = 0;
    text.bytes().any(|byte| {
        let alone = matches!(byte, 0..=0x08 | 0x0B..=0x1F | 0x7F | 0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xF3);
        let may = alone || matches!((before, byte), (0xE3, 0x85) | (0xEF, 0xBB | 0xBE | 0xBF) | (0xF0, 0x9B | 0x9D));
        before = byte;
        may
    })
}

/// Whether a terminal obeys a sign: it controls the terminal or changes the writing direction. Line ends and tabs are allowed in texts.
#[must_use]
pub fn is_obeyed(sign: char) -> bool {
    let turns = matches!(sign, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    turns || sign.is_control() && !matches!(sign, '\t' | '\r' | '\n')
}

/// Whether a terminal is given the number of a sign, because it would obey the sign or show nothing.
#[must_use]
pub fn is_shown_by_number(sign: char) -> bool {
    is_obeyed(sign) || is_hidden(sign)
}

/// The text for a terminal: signs that it would obey, or show as nothing, are shown by their numbers.
#[must_use]
pub fn with_numbers(text: &str) -> Cow<'_, str> {
    if !may_hide(text) || !text.contains(is_shown_by_number) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        match is_shown_by_number(sign) {
            true => shown.push_str(&format!("U+{:04X}", u32::from(sign))),
            false => shown.push(sign),
        }
    }
    Cow::Owned(shown)
}

/// The name of a file in one line: line ends, tabs and all signs that nobody sees are shown by their numbers.
#[must_use]
pub fn shown_name(name: &str) -> Cow<'_, str> {
    if !name.contains(is_unseen_in_names) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::with_capacity(name.len());
    for sign in name.chars() {
        match is_unseen_in_names(sign) {
            true => shown.push_str(&format!("U+{:04X}", u32::from(sign))),
            false => shown.push(sign),
        }
    }
    Cow::Owned(shown)
}

fn is_unseen_in_names(sign: char) -> bool {
    is_unseen(sign) || matches!(sign, '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::{is_shown_by_number, may_hide, with_numbers};

    #[test]
    fn what_a_terminal_obeys_is_shown_by_its_number() {
        assert_eq!(with_numbers("a\u{1B}[31mb\u{7}\u{9B}\u{202E}c\td\u{3000}\n"), "aU+001B[31mbU+0007U+009BU+202Ec\td\u{3000}\n");
        assert!(matches!(with_numbers("島守\n「ｱ！」"), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_shown_as_nothing_is_shown_by_its_number() {
        assert_eq!(with_numbers("島\u{200B}守\u{3164}\u{E0041}\u{AD}"), "島U+200B守U+3164U+E0041U+00AD");
    }

    /// The quick look at the bytes overlooks none of the signs.
    #[test]
    fn no_hidden_sign_is_overlooked() {
        let hidden = ('\0'..=char::MAX).filter(|sign| is_shown_by_number(*sign));
        let missed: Vec<char> = hidden.filter(|sign| !may_hide(&format!("島{sign}"))).collect();
        assert!(missed.is_empty(), "{missed:?}");
    }
}
