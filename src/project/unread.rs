//! Drops findings that only follow from an unreadable declaration.
//!
//! One misspelt word makes a declaration unreadable. Then each use of the declaration's names would be a finding, and the cause would be
//! hard to see among them. Input: all findings of a game. Output: the findings without those about unknown names that occur in an
//! unreadable declaration. The findings about the declaration itself come from `syntax/`.

use crate::diagnostic::{Diagnostic, Severity, Sources};
use std::collections::BTreeSet;
use std::ops::Range;

/// The codes of unknown names.
const UNKNOWN: [&str; 5] = ["E0201", "E0220", "E0222", "E0223", "E0401"];

/// The findings without those about names that occur in unreadable declarations.
pub(super) fn without_what_follows(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let torn = |finding: &&Diagnostic| finding.severity == Severity::Error && finding.code.starts_with("E01");
    let mut unread: BTreeSet<String> = BTreeSet::new();
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
    if !unread.is_empty() {
        let follows = |finding: &Diagnostic| UNKNOWN.contains(&finding.code) && finding.args.iter().any(|(_, name)| unread.contains(name));
        found.retain(|finding| !follows(finding));
    }
    found
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
