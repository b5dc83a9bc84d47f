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
    let all: Vec<&str> = own.iter().chain(shared).copied().collect();
    let outlines: Option<Vec<Outline>> = on_readers(|| all.into_par_iter().map(outline).collect());
    let untaken = outlines.and_then(|outlines| {
        let (own, shared) = outlines.split_at(own.len().min(outlines.len()));
        untaken(own, shared)
    });
    let Some(untaken) = untaken else { return shared.iter().map(|text| Cow::Borrowed(*text)).collect() };
    shared.iter().zip(&untaken).map(|(text, places)| blanked(Cow::Borrowed(*text), places)).collect()
}

/// The places of the untaken families, for each shared text, to be filled with blanks. None if a name is taken that no family has, or if two families share a name.
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
    let family = |place: &Range<usize>| Some(Family { name: name_behind(scan.text.get(place.clone())?, "family")?, place: place.clone() });
    let families = scan.families.iter().filter_map(family).collect();
    let takes = scan.text.match_indices("take").filter_map(|(at, _)| {
        let stands_alone = !scan.text.get(..at)?.chars().next_back().is_some_and(is_word);
        let name = name_behind(scan.text.get(at..)?, "take")?;
        (stands_alone && name != "meaning").then_some((at, name))
    });
    let takes = takes.collect();
    Some(Outline { families, takes })
}

/// The name after a word with which the text begins.
fn name_behind(text: &str, begins_with: &str) -> Option<String> {
    let rest = text.strip_prefix(begins_with).filter(|rest| rest.starts_with(is_blank))?.trim_start_matches(is_blank);
    rest.get(..word(rest)).filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::without_untaken;
    use std::borrow::Cow;

    const SHARED: &str = "gyoji 1\n\nwording w {\n  family one(a) { take two(a) }\n  family two(a) { a 「x」 -> 1 }\n  family three(a) {\n    a 「}」 -> { b() }\n  }\n  category c: value\n}\n";

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
