//! The coverage of a rulebook: for each row of its index, how far the game covers it. It uses the citations in the rules and the verdicts
//! of the scenarios.
//!
//! A row is *shown* if a passing scenario names it and does what the row's class asks for ([`shows`]). Else it is *traced* (a passing
//! scenario runs a statement that cites it), *cited*, or *missing*. Whether a scenario would fail without the rule is not checked here; the
//! audit does that.

use super::rulebook::{Class, Row, Rulebook};
use crate::outcome::verdict::Verdict;
use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, Span};
use serde::Serialize;
use std::collections::BTreeMap;

/// How far a row is covered. The best degree is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Degree {
    /// Nothing cites it.
    Missing,
    /// A declaration or statement cites it.
    Cited,
    /// A passing scenario runs something that cites it.
    Traced,
    /// A passing scenario that names it shows it.
    Shown,
}

impl Degree {
    /// All degrees, the best first.
    pub const ALL: [Degree; 4] = [Degree::Shown, Degree::Traced, Degree::Cited, Degree::Missing];

    /// The word in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Degree::Missing => "missing",
            Degree::Cited => "only cited",
            Degree::Traced => "only traced",
            Degree::Shown => "shown",
        }
    }
}

/// A row with its degree.
#[derive(Clone, Debug, Serialize)]
pub struct Covered {
    /// The rule's number.
    pub id: String,
    /// The class of the rule.
    pub class: Class,
    /// Whether the row says that something does not happen.
    pub absent: bool,
    /// The row's text.
    pub text: String,
    /// How far the row is covered.
    pub degree: Degree,
    /// The scenarios that name the row, and whether they pass.
    pub scenarios: Vec<(String, bool)>,
}

/// The number of rows of each degree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Rows that are shown.
    pub shown: usize,
    /// Rows that are only traced.
    pub traced: usize,
    /// Rows that are only cited.
    pub cited: usize,
    /// Rows that nothing cites.
    pub missing: usize,
}

impl Count {
    fn add(&mut self, degree: Degree) {
        *self.of_mut(degree) += 1;
    }

    fn of_mut(&mut self, degree: Degree) -> &mut usize {
        match degree {
            Degree::Missing => &mut self.missing,
            Degree::Cited => &mut self.cited,
            Degree::Traced => &mut self.traced,
            Degree::Shown => &mut self.shown,
        }
    }

    /// All rows.
    #[must_use]
    pub fn all(&self) -> usize {
        self.shown + self.traced + self.cited + self.missing
    }

    /// The percentage of shown rows, rounded down: 100 only if all are shown.
    #[must_use]
    pub fn percent(&self) -> u32 {
        (self.shown * 100).checked_div(self.all()).map_or(100, |percent| percent as u32)
    }
}

/// The coverage of a rulebook.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    /// All rows whose class can be shown.
    pub rows: Vec<Covered>,
    /// Counts for each chapter.
    pub chapters: IndexMap<String, Count>,
    /// Counts for each class.
    pub classes: BTreeMap<Class, Count>,
    /// The counts of all rows.
    pub total: Count,
}

/// The facts that coverage is judged by.
pub struct Evidence<'a> {
    /// Citations in the game's files, with the first place of each.
    pub cited: &'a BTreeMap<String, Span>,
    /// The scenarios of the game.
    pub verdicts: &'a [Verdict],
}

/// Judges every row by what the scenarios carry out.
#[must_use]
pub fn coverage(book: &Rulebook, evidence: &Evidence<'_>) -> Coverage {
    coverage_with(book, evidence, |id, row, passing| shows(id, row, evidence.cited.contains_key(id), passing))
}

/// Judges every row. `shown` says whether a row is shown by the passing scenarios that name it.
#[must_use]
pub fn coverage_with(book: &Rulebook, evidence: &Evidence<'_>, shown: impl Fn(&str, &Row, &[&Verdict]) -> bool) -> Coverage {
    let mut coverage = Coverage::default();
    for (id, row) in book.iter().filter(|(_, row)| row.class != Class::None) {
        let covered = covered(id, row, evidence, &shown);
        coverage.chapters.entry(chapter(id).to_owned()).or_default().add(covered.degree);
        coverage.classes.entry(row.class).or_default().add(covered.degree);
        coverage.total.add(covered.degree);
        coverage.rows.push(covered);
    }
    coverage
}

fn covered(id: &str, row: &Row, evidence: &Evidence<'_>, shown: &impl Fn(&str, &Row, &[&Verdict]) -> bool) -> Covered {
    let naming: Vec<&Verdict> = evidence.verdicts.iter().filter(|verdict| verdict.cites.iter().any(|cite| cite == id)).collect();
    let passing: Vec<&Verdict> = naming.iter().copied().filter(|verdict| verdict.passed()).collect();
    let cited = evidence.cited.contains_key(id);
    let degree = if shown(id, row, &passing) {
        Degree::Shown
    } else if evidence.verdicts.iter().any(|verdict| verdict.passed() && verdict.traced.contains(id)) {
        Degree::Traced
    } else if cited {
        Degree::Cited
    } else {
        Degree::Missing
    };
    let scenarios = naming.iter().map(|verdict| (verdict.title.clone(), verdict.passed())).collect();
    Covered { id: id.to_owned(), class: row.class, absent: row.absent, text: row.text.clone(), degree, scenarios }
}

/// Whether the passing scenarios that name a row show the row. The row's class decides what they must do.
fn shows(id: &str, row: &Row, cited: bool, passing: &[&Verdict]) -> bool {
    let any = |test: &dyn Fn(&Verdict) -> bool| passing.iter().any(|verdict| test(verdict));
    if row.absent {
        return any(&|verdict| verdict.met > 0);
    }
    match row.class {
        Class::Mechanic | Class::Principle => any(&|verdict| verdict.met > 0 && verdict.traced.contains(id)),
        Class::Definition => cited && any(&|verdict| verdict.met > 0),
        Class::Deck => any(&|verdict| verdict.accepts) && any(&|verdict| verdict.refuses),
        Class::None => true,
    }
}

/// The chapter of a rule: the part before the first sign that is no letter or digit.
#[must_use]
pub fn chapter(id: &str) -> &str {
    id.find(|sign: char| !sign.is_alphanumeric()).and_then(|end| id.get(..end)).filter(|chapter| !chapter.is_empty()).unwrap_or(id)
}

/// `E0542` for citations that the rulebook does not have, `E0546` for citations of rows that say that something does not happen.
#[must_use]
pub fn wrong_citations(book: &Rulebook, cited: &[(String, Span)]) -> Vec<Diagnostic> {
    let finding = |(id, span): &(String, Span)| match book.get(id) {
        None if book.mentions(id) => None,
        None => Some(Diagnostic::error("E0542", *span).with("rule", id).suggest(id, book.ids())),
        Some(row) if row.absent => Some(Diagnostic::error("E0546", *span).with("rule", id).note(row.span, "row")),
        Some(_) => None,
    };
    cited.iter().filter_map(finding).collect()
}

/// `E0541` for citations in scenarios that the rulebook does not have.
#[must_use]
pub(crate) fn unknown_citations(book: &Rulebook, cited: &[(String, Span)]) -> Vec<Diagnostic> {
    let unknown = cited.iter().filter(|(id, _)| !book.mentions(id));
    unknown.map(|(id, span)| Diagnostic::error("E0541", *span).with("rule", id).suggest(id, book.ids())).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
    use super::{Degree, Evidence, chapter, coverage, wrong_citations};
    use crate::outcome::verdict::{Sort, Verdict};
    use crate::rulebook::Rulebook;
    use lang::diagnostic::{FileId, Span};
    use std::collections::BTreeMap;

    fn verdict(cites: &[&str], traced: &[&str]) -> Verdict {
        Verdict {
            title: cites.join(" "),
            span: Span::default(),
            cites: cites.iter().map(|id| (*id).to_owned()).collect(),
            sort: Sort::Played,
            met: 1,
            accepts: true,
            refuses: false,
            traced: traced.iter().map(|id| (*id).to_owned()).collect(),
            without_step: std::collections::BTreeSet::new(),
            touched: None,
            play: None,
            failure: None,
        }
    }

    fn check(row: &str, cited: &[&str], verdicts: &[Verdict], expect: Degree) {
        let (book, found) = Rulebook::read(FileId(0), row);
        assert!(found.is_empty());
        let cited: BTreeMap<String, Span> = cited.iter().map(|id| ((*id).to_owned(), Span::default())).collect();
        let coverage = coverage(&book, &Evidence { cited: &cited, verdicts });
        assert_eq!(coverage.rows[0].degree, expect, "{row}");
    }

    #[test]
    fn a_mechanic_must_be_named_and_traced() {
        check("1-2\tmechanic\tx", &["1-2"], &[verdict(&["1-2"], &["1-2"])], Degree::Shown);
        check("1-2\tmechanic\tx", &["1-2"], &[verdict(&["1-2"], &[])], Degree::Cited);
        check("1-2\tmechanic\tx", &["1-2"], &[verdict(&["9"], &["1-2"])], Degree::Traced);
        check("1-2\tmechanic\tx", &[], &[], Degree::Missing);
    }

    #[test]
    fn what_does_not_happen_need_not_be_traced() {
        check("1-2\tmechanic absent\tx", &[], &[verdict(&["1-2"], &[])], Degree::Shown);
        check("1-2\tdefinition\tx", &["1-2"], &[verdict(&["1-2"], &[])], Degree::Shown);
        check("1-2\tdefinition\tx", &[], &[verdict(&["1-2"], &[])], Degree::Missing);
    }

    #[test]
    fn decks_are_accepted_and_refused() {
        let refuses = Verdict { accepts: false, refuses: true, ..verdict(&["5"], &[]) };
        check("5\tdeck\tx", &["5"], &[verdict(&["5"], &[])], Degree::Cited);
        check("5\tdeck\tx", &["5"], &[verdict(&["5"], &[]), refuses], Degree::Shown);
    }

    #[test]
    fn a_citation_of_no_rule_is_found() {
        let (book, _) = Rulebook::read(FileId(0), "6-2-1\tmechanic\tx\n6-2-2\tmechanic absent\tx\n");
        let cited = ["6-2-1", "6-2-2", "6-2-3"].map(|id| (id.to_owned(), Span::default()));
        let found = wrong_citations(&book, &cited);
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["E0546", "E0542"]);
        assert!(found[1].args.iter().any(|(key, value)| *key == "nearest" && value == "6-2-1"));
        // A row that cannot be read is one finding. The citations of its number are none.
        let (book, broken) = Rulebook::read(FileId(0), "6-2-1 mechanic\tx\n6-2-2\tmechanik\tx\n");
        assert_eq!((broken.len(), wrong_citations(&book, &cited).len()), (2, 1));
    }

    #[test]
    fn chapters() {
        assert_eq!(["6-2-1", "804.11a-2", "20-4[6]", "G:x"].map(chapter), ["6", "804", "20", "G"]);
    }
}
