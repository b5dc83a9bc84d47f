//! The fold table: which printed signs count as the same sign when a text is matched.
//!
//! Only matching uses folded signs; places and messages keep the text as printed. The table is not NFKC, because NFKC also joins signs that
//! games print as different ones (① and 1, ㍑ and リットル).

/// Signs that differ only in width or shape, besides the full-width ASCII block.
const SAME: [(char, char); 14] = [
    ('　', ' '),
    ('｡', '。'),
    ('､', '、'),
    ('･', '・'),
    ('｢', '「'),
    ('｣', '」'),
    ('〜', '~'),
    ('～', '~'),
    ('〔', '['),
    ('〕', ']'),
    ('＜', '<'),
    ('＞', '>'),
    ('×', 'x'),
    ('✕', 'x'),
];

/// Signs that are printed as a minus. Only a `-` in a template accepts them, because elsewhere ー is the sign of a long vowel.
const MINUS: [char; 9] = ['-', '－', '−', '‐', '‑', '–', '—', 'ー', '―'];

/// The sign that `sign` counts as.
#[must_use]
pub fn fold(sign: char) -> char {
    // Most signs need no table: ASCII, kana and ideographs.
    if matches!(sign, '\0'..='\x7F' | '\u{3001}'..='\u{3013}' | '\u{3041}'..='\u{9FFF}') {
        return sign;
    }
    if let Some((_, to)) = SAME.iter().find(|(from, _)| *from == sign) {
        return *to;
    }
    match sign {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(sign as u32 - 0xFEE0).unwrap_or(sign),
        _ => sign,
    }
}

/// A text's signs, folded.
#[must_use]
pub fn fold_text(text: &str) -> Vec<char> {
    text.chars().map(fold).collect()
}

/// Whether a template's sign accepts a text's sign (both folded).
#[must_use]
pub(crate) fn takes(template: char, text: char) -> bool {
    template == text || template == '-' && MINUS.contains(&text)
}

/// The signs of texts that a template's sign accepts.
pub(crate) fn taken_by(template: char) -> impl Iterator<Item = char> {
    let minus: &[char] = if template == '-' { &MINUS } else { &[] };
    minus.iter().copied().chain((template != '-').then_some(template))
}

/// Whether a text begins with these signs of a template.
pub(crate) fn begins(text: &[char], template: &[char]) -> bool {
    template.len() <= text.len() && template.iter().zip(text).all(|(template, sign)| takes(*template, *sign))
}

#[cfg(test)]
mod tests {
    use super::{fold, fold_text, takes};

    #[test]
    fn widths_are_one_and_other_signs_stay() {
        for (from, to) in [('２', '2'), ('＋', '+'), ('（', '('), ('）', ')'), ('／', '/'), ('｡', '。'), ('～', '~'), ('〜', '~')]
        {
            assert_eq!(fold(from), to, "{from}");
        }
        for sign in ['①', '㍑', 'カ', '力', '一', 'ー', '【', '《', '〈'] {
            assert_eq!(fold(sign), sign);
        }
    }

    #[test]
    fn a_minus_is_taken_only_where_a_template_has_one() {
        for sign in fold_text("-－−‐–ー") {
            assert!(takes('-', sign), "{sign}");
        }
        assert!(!takes('ー', '-'));
        assert!(!takes('一', 'ー'));
    }
}
