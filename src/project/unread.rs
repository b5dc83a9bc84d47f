//! Drops findings that only follow from an unreadable declaration.
//!
//! One misspelt word makes a declaration unreadable. Then each use of the declaration's names would be a finding, and the cause would be
//! hard to see among them. Input: all findings of a game. Output: the findings without those about unknown names that occur in an
//! unreadable declaration. The findings about the declaration itself come from `syntax/`.

use crate::diagnostic::{Diagnostic, Severity, Sources};
use std::collections::BTreeSet;

/// The codes of unknown names.
const UNKNOWN: [&str; 5] = ["E0201", "E0220", "E0222", "E0223", "E0401"];

/// The findings without those about names that occur in unreadable declarations.
pub(super) fn without_what_follows(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let torn = |finding: &&Diagnostic| finding.severity == Severity::Error && finding.code.starts_with("E01");
    let mut unread: BTreeSet<String> = BTreeSet::new();
    for span in found.iter().filter(torn).filter_map(|finding| finding.span) {
        let text = sources.get(span.file).map_or("", |source| source.text.as_str());
        words(declaration(text, span.start as usize), &mut unread);
    }
    if !unread.is_empty() {
        let follows = |finding: &Diagnostic| UNKNOWN.contains(&finding.code) && finding.args.iter().any(|(_, name)| unread.contains(name));
        found.retain(|finding| !follows(finding));
    }
    found
}

/// The text of the declaration around a place. Declarations begin in the first column. Inside a declaration, only closing braces and
/// citations in the margin stand there.
fn declaration(text: &str, at: usize) -> &str {
    let begins = |line: &str| line.starts_with(|sign: char| sign.is_alphabetic());
    let (mut start, mut end, mut offset) = (0, text.len(), 0);
    for line in text.split_inclusive('\n') {
        if begins(line) {
            if offset <= at {
                start = offset;
            } else {
                end = offset;
                break;
            }
        }
        offset += line.len();
    }
    text.get(start..end).unwrap_or("")
}

/// Adds the words of the declaration to `into`, and its texts in quotation marks, because labels are names too.
fn words(text: &str, into: &mut BTreeSet<String>) {
    let names = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_').filter(|word| !word.is_empty());
    into.extend(names.map(str::to_owned));
    into.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use super::declaration;

    #[test]
    fn a_declaration_goes_to_the_next_one() {
        let text = "game g { }\n\nenmu sign {\n@1 red\n}\n-- Another.\nzone hand { }\n";
        assert_eq!(declaration(text, 12), "enmu sign {\n@1 red\n}\n-- Another.\n");
        assert_eq!(declaration(text, 27), "enmu sign {\n@1 red\n}\n-- Another.\n");
        assert_eq!(declaration(text, 0), "game g { }\n\n");
        assert_eq!(declaration(text, 999), "zone hand { }\n");
    }
}
