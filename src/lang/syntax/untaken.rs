//! Blanks the families that no file takes, before the files are parsed.
//!
//! A shared wording declares many more families than one game takes, and parsing takes most of the time before a game begins. Input: the
//! game's own texts and the shared texts. Output: the shared texts with blanks in the place of the untaken families, so every place in the
//! texts stays true. If in doubt (a text with an error, a name that no family has), nothing is blanked, so that diagnostics are complete.

use super::FileKind;
use super::read::on_readers;
use super::scan::{blanked, scan};
use super::signs::{is_blank, is_word, word};
use super::words::declaration_words;
use crate::diagnostic::FileId;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;

/// A family of a text: its name and its place.
struct Family {
    name: String,
    place: Range<usize>,
}

/// The families of a text, and the names that it takes.
struct Outline {
    families: Vec<Family>,
    /// The places of the names after `take`, and these names.
    takes: Vec<(usize, String)>,
}

/// The shared texts, without the families that neither an own text nor a taken family takes.
pub fn without_untaken<'t>(own: &[&str], shared: &[&'t str]) -> Vec<Cow<'t, str>> {
    let of_own: Option<Vec<Outline>> = on_readers(|| own.into_par_iter().map(|text| outline(text)).collect());
    let of_shared: Vec<Outline> = shared.iter().map(|text| formatted_outline(text)).collect();
    let untaken = of_own.and_then(|of_own| untaken(&of_own, &of_shared));
    let Some(untaken) = untaken else { return shared.iter().map(|text| Cow::Borrowed(*text)).collect() };
    shared.iter().zip(&untaken).map(|(text, places)| blanked(Cow::Borrowed(*text), places)).collect()
}

/// The places of the untaken families, for each shared text, to be filled with blanks. None if a name is taken that no family has, or if two
/// families share a name.
fn untaken(own: &[Outline], shared: &[Outline]) -> Option<Vec<Vec<(usize, usize, char)>>> {
    let of_own: FxHashSet<&str> = own.iter().flat_map(|outline| &outline.families).map(|family| family.name.as_str()).collect();
    let mut declared: FxHashMap<&str, (&Outline, &Range<usize>)> = FxHashMap::default();
    for outline in shared {
        for family in &outline.families {
            if declared.insert(&family.name, (outline, &family.place)).is_some() {
                return None;
            }
        }
    }
    // Takes outside of families always count.
    let inside = |outline: &Outline, at: usize| outline.families.iter().any(|family| family.place.contains(&at));
    let of_own_texts = own.iter().flat_map(|outline| &outline.takes);
    let outside = shared.iter().flat_map(|outline| outline.takes.iter().filter(|(at, _)| !inside(outline, *at)));
    let mut wanted: Vec<&str> = of_own_texts.chain(outside).map(|(_, name)| name.as_str()).collect();
    let mut taken: FxHashSet<&str> = FxHashSet::default();
    while let Some(name) = wanted.pop() {
        if !taken.insert(name) {
            continue;
        }
        match declared.get(name) {
            Some((outline, place)) => {
                wanted.extend(outline.takes.iter().filter(|(at, _)| place.contains(at)).map(|(_, name)| name.as_str()));
            }
            None if of_own.contains(name) => {}
            None => return None,
        }
    }
    let left_out = |outline: &Outline| {
        let families = outline.families.iter().filter(|family| !taken.contains(family.name.as_str()));
        families.map(|family| (family.place.start, family.place.end, ' ')).collect()
    };
    Some(shared.iter().map(left_out).collect())
}

/// The outline of a text. None if the text has an error.
fn outline(text: &str) -> Option<Outline> {
    let scan = scan(FileId(0), text, declaration_words(FileKind::Rules));
    if !scan.diagnostics.is_empty() {
        return None;
    }
    Some(outline_of(&scan.text, scan.families.iter().cloned()))
}

/// The outline of a shared text. Shared texts have no errors and are formatted, so a family is found by its indentation. That takes a
/// hundredth of the time of a scan.
fn formatted_outline(text: &str) -> Outline {
    let begins = text.match_indices("\n  family ").map(|(at, _)| at + "\n  ".len());
    let family = |start: usize| {
        let rest = text.get(start..)?;
        // A family without a line end inside of it stands on its line.
        let line = rest.find('\n').unwrap_or(rest.len());
        let end = if rest.get(..line)?.ends_with('}') { line } else { rest.find("\n  }")? + "\n  }".len() };
        Some(start..start + end)
    };
    let mut outline = outline_of(text, begins.filter_map(family));
    let in_comment = |at: usize| {
        let before = text.get(..at).unwrap_or("");
        before.get(before.rfind('\n').map_or(0, |end| end + 1)..).is_some_and(|line| line.trim_start().starts_with("--"))
    };
    outline.takes.retain(|(at, _)| !in_comment(*at));
    outline
}

/// The outline of a text with families at these places.
fn outline_of(text: &str, places: impl Iterator<Item = Range<usize>>) -> Outline {
    let family = |place: Range<usize>| Some(Family { name: name_behind(text.get(place.clone())?, "family")?, place });
    let takes = text.match_indices("take").filter_map(|(at, _)| {
        let stands_alone = !text.get(..at)?.chars().next_back().is_some_and(is_word);
        let name = name_behind(text.get(at..)?, "take")?;
        (stands_alone && name != "meaning").then_some((at, name))
    });
    Outline { families: places.filter_map(family).collect(), takes: takes.collect() }
}

/// The name after a word with which the text begins.
fn name_behind(text: &str, begins_with: &str) -> Option<String> {
    let rest = text.strip_prefix(begins_with).filter(|rest| rest.starts_with(is_blank))?.trim_start_matches(is_blank);
    rest.get(..word(rest)).filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Outline, formatted_outline, outline, without_untaken};
    use std::borrow::Cow;
    use std::path::Path;

    const SHARED: &str = "gyoji 1\n\nwording w {\n  -- Who may take nothing.\n  family one(a) { take two(a) }\n  family two(a) { a 「x」 -> 1 }\n  family three(a) {\n    a 「}」 -> { b() }\n  }\n  category c: value\n}\n";

    fn left(own: &str) -> String {
        let left = without_untaken(&[own], &[SHARED]);
        left.concat()
    }

    #[test]
    fn what_is_taken_stays_with_what_it_takes() {
        let left = left("gyoji 1\n\nwording g {\n  take one(b)\n}\n");
        assert_eq!(left.len(), SHARED.len());
        assert!(left.contains("family one") && left.contains("family two") && left.contains("category c"), "{left}");
        assert!(!left.contains("three") && !left.contains("b()"), "{left}");
    }

    #[test]
    fn every_shared_text_has_the_outline_that_a_scan_finds() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("rules/std");
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut families = 0;
        for file in files.filter(|path| path.is_file()) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let shown = |of: &Outline| {
                let families: Vec<_> = of.families.iter().map(|family| (family.name.clone(), family.place.clone())).collect();
                (families, of.takes.clone())
            };
            let quick = formatted_outline(&text);
            assert_eq!(Some(shown(&quick)), outline(&text).as_ref().map(shown), "{}", file.display());
            families += quick.families.len();
        }
        assert!(families > 100);
    }

    #[test]
    fn a_family_without_a_take_is_left_out() {
        let left = left("gyoji 1\n\nwording g {\n  -- take three(b)\n  take meaning m\n}\n");
        assert!(!left.contains("family"), "{left}");
    }

    #[test]
    fn an_unknown_name_and_an_error_leave_the_texts_whole() {
        for own in ["gyoji 1\n\nwording g {\n  take on(b)\n}\n", "gyoji 1\n\nwording g {\n  take one(b)\n"] {
            assert!(without_untaken(&[own], &[SHARED]).iter().all(|text| matches!(text, Cow::Borrowed(text) if *text == SHARED)));
        }
    }
}
