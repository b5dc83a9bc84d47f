//! Finds the name that may have been meant: the nearest declared one. Japanese signs that look alike count as equal.

use unicode_normalization::UnicodeNormalization;

/// Signs that look alike in print, each with the sign that it counts as.
const LOOK_ALIKES: [(char, char); 10] = [
    ('カ', '力'),
    ('ロ', '口'),
    ('ニ', '二'),
    ('ハ', '八'),
    ('タ', '夕'),
    ('ト', '卜'),
    ('エ', '工'),
    ('一', 'ー'),
    ('―', 'ー'),
    ('へ', 'ヘ'),
];

/// `text` with differences of width, case and look-alike signs removed, to compare names that a person may have mixed up.
#[must_use]
pub(crate) fn fold_for_nearness(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc()
        .flat_map(char::to_lowercase)
        .map(|sign| LOOK_ALIKES.iter().find(|(from, _)| *from == sign).map_or(sign, |(_, to)| *to))
        .collect()
}

/// The longest name that is compared, in bytes. Nobody mistypes a longer name, and comparing takes time in proportion to the product of
/// both lengths.
const LONGEST: usize = 300;

/// The nearest of `names` to `written`, if one is near enough. If several are equally near, a name with the same first sign goes first.
pub fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if written.len() > LONGEST {
        return None;
    }
    let names = names.into_iter().filter(|name| name.len() <= LONGEST);
    let (folded, names) = (without_kana_sets(&fold_for_nearness(written)), names.collect::<Vec<_>>());
    let length = folded.chars().count();
    let allowed = if length <= 2 { 1 } else { (length / 3).max(1) };
    // Of two words with the same letters one is probably meant as the other: `brake`, `break`.
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    let own = letters(&folded);
    let near = |distance: usize, other: &str| distance <= allowed || distance == 2 && length > 3 && letters(other) == own;
    // Folding keeps the length of an ASCII text. So if both texts are ASCII and their lengths differ too much, no comparison is needed.
    let may_be = |name: &str| !(folded.is_ascii() && name.is_ascii()) || folded.len().abs_diff(name.len()) <= allowed;
    let meant = names
        .iter()
        .filter(|name| **name != written && may_be(name))
        .map(|name| (without_kana_sets(&fold_for_nearness(name)), *name))
        .map(|(other, name)| (strsim::damerau_levenshtein(&folded, &other), other, name))
        .filter(|(distance, other, name)| near(*distance, other) && *distance < name.chars().count())
        .map(|(distance, other, name)| (distance, other.chars().next() != folded.chars().next(), name))
        .min_by_key(|(distance, begins_otherwise, _)| (*distance, *begins_otherwise))
        .map(|(_, _, name)| name);
    meant.or_else(|| with_other_marks(&folded, &names)).or_else(|| with_more_around(&folded, &names))
}

/// The name that differs only in the marks between its letters and digits: `5-1-2` finds `5.1.2`.
fn with_other_marks<'a>(folded: &str, names: &[&'a str]) -> Option<&'a str> {
    let parts = |text: &str| text.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let wanted: Vec<String> = parts(folded);
    let alike = |name: &&&str| parts(&without_kana_sets(&fold_for_nearness(name))) == wanted;
    if wanted.len() > 1 { names.iter().find(alike).copied() } else { None }
}

/// The shortest name that contains this text: みかん finds 甘いみかん. ASCII words are left out, because they contain each other by chance.
fn with_more_around<'a>(folded: &str, names: &[&'a str]) -> Option<&'a str> {
    let long = !folded.is_ascii() && folded.chars().count() > 1;
    let around = |name: &&&str| without_kana_sets(&fold_for_nearness(name)).contains(folded);
    if long { names.iter().filter(around).min_by_key(|name| name.chars().count()).copied() } else { None }
}

/// The text with katakana written as hiragana, so that ミカン instead of みかん counts as no mistake.
fn without_kana_sets(text: &str) -> String {
    let hiragana = |sign: char| match sign {
        'ァ'..='ヶ' => char::from_u32(u32::from(sign) - 0x60).unwrap_or(sign),
        _ => sign,
    };
    text.chars().map(hiragana).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_is_too_long_to_be_mistyped_is_held_against_nothing() {
        let (long, longer) = ("a".repeat(400), "a".repeat(401));
        assert_eq!(nearest(&long, [longer.as_str()]), None);
        assert_eq!(nearest("lonf", [longer.as_str(), "long"]), Some("long"));
    }

    #[test]
    fn a_look_alike_is_the_nearest_of_all() {
        assert_eq!(nearest("強さ(力)", ["強さ(カ)", "重さ"]), Some("強さ(カ)"));
        assert_eq!(nearest("ｄraw", ["draw", "row"]), Some("draw"));
    }

    #[test]
    fn of_two_equally_near_names_the_one_with_the_same_first_sign_is_meant() {
        assert_eq!(nearest("K2", ["T2", "K02"]), Some("K02"));
        assert_eq!(nearest("K2", ["T2", "U2"]), Some("T2"));
    }

    #[test]
    fn kana_sets_and_words_around_are_no_distance() {
        assert_eq!(nearest("甘いミカン", ["はるかぜ", "甘いみかん"]), Some("甘いみかん"));
        assert_eq!(nearest("みかん", ["雪の日のみかん籠", "甘いみかん", "風"]), Some("甘いみかん"));
        assert_eq!(nearest("あ", ["あさひ"]), None);
    }

    #[test]
    fn a_number_with_other_marks_is_meant() {
        assert_eq!(nearest("5-1-2-1-2", ["5.12.1.2", "5.1.2.1.2"]), Some("5.1.2.1.2"));
        assert_eq!(nearest("...", ["5.1.2"]), None);
    }

    #[test]
    fn letters_in_another_order_are_near() {
        assert_eq!(nearest("brake", ["break", "draw"]), Some("break"));
    }

    #[test]
    fn what_is_far_away_was_not_meant() {
        assert_eq!(nearest("redraws", ["draw", "hand"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("abc", ["cab"]), None);
    }
}
