//! Signs that nobody sees.

/// A sign that looks like a blank or like nothing and is no blank of the language: other blanks, signs without width, signs that turn
/// the direction of writing, line ends of other systems, signs that a terminal obeys.
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
