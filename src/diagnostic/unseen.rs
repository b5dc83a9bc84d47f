//! Signs that nobody sees, and signs that a terminal obeys.

use std::borrow::Cow;

/// Whether a sign looks like a blank or like nothing without being a blank of the language: other blanks, signs without width, signs that
/// change the writing direction, line ends of other systems, signs that a terminal obeys.
#[must_use]
pub fn is_unseen(sign: char) -> bool {
    match sign {
        ' ' | '\t' | '\r' | '\n' | '\u{3000}' => false,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' => {
            true
        }
        _ => sign.is_whitespace() || sign.is_control(),
    }
}

/// Whether a terminal obeys a sign: it controls the terminal or changes the writing direction. Line ends and tabs are allowed in texts.
#[must_use]
pub fn is_obeyed(sign: char) -> bool {
    let turns = matches!(sign, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    turns || sign.is_control() && !matches!(sign, '\t' | '\r' | '\n')
}

/// The text for a terminal: signs that it would obey are shown by their numbers.
#[must_use]
pub fn with_numbers(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        match is_obeyed(sign) {
            true => shown.push_str(&format!("U+{:04X}", u32::from(sign))),
            false => shown.push(sign),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::with_numbers;

    #[test]
    fn what_a_terminal_obeys_is_shown_by_its_number() {
        assert_eq!(with_numbers("a\u{1B}[31mb\u{7}\u{9B}\u{202E}c\td\u{3000}\n"), "aU+001B[31mbU+0007U+009BU+202Ec\td\u{3000}\n");
        assert!(matches!(with_numbers("島守\n\u{200B}"), std::borrow::Cow::Borrowed(_)));
    }
}
