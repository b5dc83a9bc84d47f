//! Marks in a rules file: they say that a break makes no difference, and name the rule that hides it.
//!
//! ```text
//! -- equivalent left_out, swapped "expire(luck)" @6-6-4: nothing reads a luck value before it ends anyway
//! ```
//!
//! A mark is a comment on the line of the place, or on a line before it. It names the kinds of breaks, the text of the place if the line
//! has several places, the rules, and a reason. Scenarios and random games check whether a mark is true.

use super::kind::Kind;
use super::mutant::Mutant;
use lang::diagnostic::{Diagnostic, FileId, Sources, Span};

/// The beginning of a mark.
const WORD: &str = "-- equivalent ";

/// A mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The kinds of breaks that make no difference here.
    pub kinds: Vec<Kind>,
    /// The text of the place.
    pub text: Option<String>,
    /// The rules that hide the difference.
    pub rules: Vec<String>,
    /// Why.
    pub why: String,
    /// The comment.
    pub span: Span,
    /// The line that the mark is about.
    line: Span,
}

impl Mark {
    /// Whether the mark is about a break.
    #[must_use]
    pub fn covers(&self, mutant: &Mutant, sources: &Sources) -> bool {
        let site = &mutant.site;
        let here = site.span.file == self.line.file && (self.line.start..self.line.end).contains(&site.span.start);
        let said = |text: &String| one_line(sources.text(site.span)) == one_line(text);
        here && self.kinds.contains(&site.kind) && self.text.as_ref().is_none_or(said)
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The marks of a file, and findings about them: `E0570` for an unknown kind, `E0571` for a mark without a rule.
#[must_use]
pub fn marks(file: FileId, text: &str) -> (Vec<Mark>, Vec<Diagnostic>) {
    let (mut marks, mut found): (Vec<Mark>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut waiting: Vec<usize> = Vec::new();
    let mut start = 0_u32;
    for line in text.split_inclusive('\n') {
        let end = start + line.len() as u32;
        let whole = Span { file, start, end };
        let comment = line.find(WORD).filter(|at| !in_a_text(line, *at));
        if let Some(at) = comment {
            let span = Span { file, start: start + at as u32, end: start + line.trim_end().len() as u32 };
            match mark(line.get(at + WORD.len()..).unwrap_or(""), span) {
                Ok(mark) => {
                    waiting.push(marks.len());
                    marks.push(mark);
                }
                Err(finding) => found.push(finding),
            }
        }
        let code = line.split("--").next().unwrap_or("");
        if !code.trim().is_empty() {
            for at in waiting.drain(..) {
                if let Some(mark) = marks.get_mut(at) {
                    mark.line = whole;
                }
            }
        }
        start = end;
    }
    (marks, found)
}

/// Whether a place of the line is inside a text.
fn in_a_text(line: &str, at: usize) -> bool {
    line.get(..at).unwrap_or("").matches('"').count() % 2 == 1
}

fn mark(rest: &str, span: Span) -> Result<Mark, Diagnostic> {
    let (head, why) = rest.split_once(": ").unwrap_or((rest, ""));
    let (head, text) = match head.split_once('"') {
        Some((before, behind)) => {
            let (text, after) = behind.rsplit_once('"').unwrap_or((behind, ""));
            (format!("{before} {after}"), Some(text.to_owned()))
        }
        None => (head.to_owned(), None),
    };
    let (mut kinds, mut rules) = (Vec::new(), Vec::new());
    for word in head.split([' ', ',']).map(str::trim).filter(|word| !word.is_empty()) {
        match (word.strip_prefix('@'), Kind::named(word)) {
            (Some(rule), _) => rules.push(rule.to_owned()),
            (None, Some(kind)) => kinds.push(kind),
            (None, None) => {
                let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.word()).collect();
                let finding = Diagnostic::error("E0570", span).with("word", word).with("known", words.join("`, `"));
                return Err(finding.suggest(word, words));
            }
        }
    }
    if rules.is_empty() || why.trim().is_empty() {
        return Err(Diagnostic::error("E0571", span));
    }
    Ok(Mark { kinds, text, rules, why: why.trim().to_owned(), span, line: span })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
    use super::{Kind, marks};
    use lang::diagnostic::FileId;

    #[test]
    fn a_mark_speaks_of_its_line_or_of_the_next_one() {
        let text = "a {\n  -- equivalent left_out, one_more \"x 1\" @1-2 @3: nobody sees it\n\n  -- more\n@4  x 1\n  y  -- equivalent swapped @5: so\n}\n";
        let (marks, found) = marks(FileId(0), text);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(marks[0].kinds, [Kind::LeftOut, Kind::OneMore]);
        assert_eq!((marks[0].rules.as_slice(), marks[0].text.as_deref()), (["1-2".to_owned(), "3".to_owned()].as_slice(), Some("x 1")));
        assert_eq!(marks[0].why, "nobody sees it");
        let line = |at: usize| text.get(marks[at].line.start as usize..marks[at].line.end as usize).unwrap();
        assert_eq!(line(0), "@4  x 1\n");
        assert!(line(1).starts_with("  y"));
    }

    #[test]
    fn a_mark_names_known_kinds_and_a_rule() {
        let codes = |text: &str| marks(FileId(0), text).1.iter().map(|finding| finding.code).collect::<Vec<_>>();
        assert_eq!(codes("-- equivalent left_uot @1: x\na\n"), ["E0570"]);
        assert_eq!(codes("-- equivalent left_out: x\na\n"), ["E0571"]);
        assert_eq!(codes("-- equivalent left_out @1\na\n"), ["E0571"]);
        assert_eq!(codes("x \"-- equivalent y\"\n"), Vec::<&str>::new());
    }
}
