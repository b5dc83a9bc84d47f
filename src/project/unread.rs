//! Drops findings that only follow from another one: from an unreadable file or declaration, a folder that `use` does not find, a verb without a
//! class, or a slip in the arguments of `take`.
//!
//! One misspelt word makes a declaration unreadable. Then each use of the declaration's names would be a finding, and the cause would be
//! hard to see among them. Input: all findings of a game. Output: the findings without those about unknown names that occur in an
//! unreadable declaration. The findings about the declaration itself come from `syntax/`. A finding that came several times, once for each
//! call of a function, is kept once.

use lang::diagnostic::{Diagnostic, Severity, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;

/// The codes of unknown names.
const UNKNOWN: [&str; 6] = ["E0201", "E0220", "E0222", "E0223", "E0401", "E0703"];
/// The code of a `use` that finds no folder.
const NO_FOLDER: &str = "E0850";
/// The codes of a word without forms.
const NO_FORMS: [&str; 2] = ["E0402", "E0454"];
/// The codes of findings that may come of phrases which a declaration says and nobody could read.
const OF_PARTS: [&str; 2] = ["E0355", "E0882"];

/// The codes of a file that was found and is no text.
const NO_TEXT: [&str; 4] = ["E0149", "E0801", "E0802", "E0895"];

/// The findings, each once, without those about names that occur in unreadable declarations.
#[must_use]
pub fn without_what_follows(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let mut seen = FxHashSet::default();
    found.retain(|finding| seen.insert((finding.code, finding.span.map(|span| (span.file, span.start, span.end)), finding.args.clone())));
    // Whatever a whole file declares is not known anywhere. The mistakes in the writing of other files are still their own.
    let is_no_text = |finding: &Diagnostic| finding.is_no_file() || NO_TEXT.contains(&finding.code);
    if found.iter().any(|finding| is_no_text(finding) && declares(finding, sources)) {
        found.retain(|finding| is_no_text(finding) || finding.code.starts_with("E01"));
    }
    // The names of a folder that is missing are not known anywhere.
    if found.iter().any(|finding| finding.code == NO_FOLDER) {
        found.retain(|finding| !UNKNOWN.contains(&finding.code) && !NO_FORMS.contains(&finding.code));
    }
    let mut found = at_the_take(found, sources);
    let torn = |finding: &&Diagnostic| finding.severity == Severity::Error && finding.code.starts_with("E01");
    let mut unread: BTreeSet<String> = BTreeSet::new();
    let without_forms = found.iter().filter(|finding| NO_FORMS.contains(&finding.code));
    unread.extend(without_forms.flat_map(|finding| finding.args.iter().filter(|(key, _)| *key == "word").map(|(_, word)| word.clone())));
    // Most findings of one declaration stand side by side: its words are added once.
    let mut known = None;
    for span in found.iter().filter(torn).filter_map(|finding| finding.span) {
        let at = span.start as usize;
        if known.as_ref().is_some_and(|(file, range): &(_, Range<usize>)| *file == span.file && range.contains(&at)) {
            continue;
        }
        let text = sources.get(span.file).map_or("", |source| source.text.as_str());
        let range = declaration(text, at);
        words(text.get(range.clone()).unwrap_or(""), &mut unread);
        known = Some((span.file, range));
    }
    // A declaration that is read in part lacks its further phrases: a zone without `each player` is compared with itself, for example.
    if found.iter().any(|finding| torn(&finding)) {
        found.retain(|finding| !OF_PARTS.contains(&finding.code));
    }
    if !unread.is_empty() {
        let follows = |finding: &Diagnostic| UNKNOWN.contains(&finding.code) && finding.args.iter().any(|(_, name)| unread.contains(name));
        found.retain(|finding| !follows(finding));
    }
    found
}

/// Whether the file of a finding has declarations. Decks, scenarios and an index have none that another file needs.
fn declares(finding: &Diagnostic, sources: &Sources) -> bool {
    let of_place = finding.span.and_then(|span| sources.get(span.file)).map(|source| source.name.as_str());
    let named = finding.args.iter().find(|(key, _)| *key == "file").map(|(_, name)| name.as_str());
    let name = of_place.or(named).unwrap_or("");
    ![".ron", ".scenarios", ".tsv"].iter().any(|ending| name.ends_with(ending))
}

/// Puts an unknown name in a shared wording at the `take` that hands it. Further findings in that wording follow from it.
fn at_the_take(found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let is_shared = |finding: &Diagnostic| {
        let name = finding.span.and_then(|span| sources.get(span.file)).map_or("", |source| source.name.as_str());
        is_shared_file(name)
    };
    let mut placed: FxHashMap<String, Option<Span>> = FxHashMap::default();
    let mut taken = |finding: &Diagnostic| {
        let unknown = UNKNOWN.contains(&finding.code) && is_shared(finding);
        let (_, name) = finding.args.iter().find(|(key, _)| unknown && *key == "name")?;
        *placed.entry(name.clone()).or_insert_with(|| handed(name, sources))
    };
    if !found.iter().any(|finding| taken(finding).is_some()) {
        return found;
    }
    let mut told: BTreeSet<Span> = BTreeSet::new();
    let place = |finding: Diagnostic| match taken(&finding) {
        Some(span) => told.insert(span).then(|| Diagnostic { notes: Vec::new(), ..finding.at(span) }),
        None if is_shared(&finding) && finding.severity == Severity::Error => None,
        None => Some(finding),
    };
    found.into_iter().filter_map(place).collect()
}

/// Whether a source belongs to the shared wording: built in, or in a project's own folder.
fn is_shared_file(name: &str) -> bool {
    name.starts_with("<std/") || name.contains("rules/std/")
}

/// The place of a word among the arguments of a `take` in the game's own files.
fn handed(word: &str, sources: &Sources) -> Option<Span> {
    for (file, source) in sources.iter().filter(|(_, source)| !is_shared_file(&source.name)) {
        let mut start = 0;
        for line in source.text.split_inclusive('\n') {
            let (begin, is_take) = (start, line.trim_start().starts_with("take "));
            start += line.len();
            let Some(open) = line.find('(').filter(|_| is_take) else { continue };
            let behind = line.get(open..)?;
            let is_part = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
            let whole = |at: &usize| {
                let (before, after) = (behind.get(..*at).unwrap_or(""), behind.get(at + word.len()..).unwrap_or(""));
                !is_part(before.chars().next_back()) && !is_part(after.chars().next())
            };
            if let Some(at) = behind.match_indices(word).map(|(at, _)| at).find(whole) {
                let start = begin + open + at;
                return Some(Span { file, start: u32::try_from(start).ok()?, end: u32::try_from(start + word.len()).ok()? });
            }
        }
    }
    None
}

/// Where the declaration around a place begins and ends. Declarations begin in the first column. Inside a declaration, only closing braces
/// and citations in the margin stand there.
fn declaration(text: &str, at: usize) -> Range<usize> {
    let begins = |line: &str| line.starts_with(|sign: char| sign.is_alphabetic());
    let before = text.get(..at).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let mut start = line;
    while start > 0 && !text.get(start..).is_some_and(begins) {
        start = text.get(..start - 1).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    }
    let mut end = line;
    for rest in text.get(line..).unwrap_or("").split_inclusive('\n') {
        if end > line && begins(rest) {
            break;
        }
        end += rest.len();
    }
    start..end
}

/// Adds the words of the declaration to `into`, and its texts in quotation marks, because labels are names too.
fn words(text: &str, into: &mut BTreeSet<String>) {
    let names = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty());
    into.extend(names.map(str::to_owned));
    into.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
}

#[cfg(test)]
#[allow(clippy::string_slice, reason = "a test")]
mod tests {
    use super::declaration;

    #[test]
    fn a_declaration_goes_to_the_next_one() {
        let text = "game g { }\n\nenmu sign {\n@1 red\n}\n-- Another.\nzone hand { }\n";
        let around = |at| &text[declaration(text, at)];
        assert_eq!(around(12), "enmu sign {\n@1 red\n}\n-- Another.\n");
        assert_eq!(around(27), "enmu sign {\n@1 red\n}\n-- Another.\n");
        assert_eq!(around(0), "game g { }\n\n");
        assert_eq!(around(999), "zone hand { }\n");
    }
}
