//! The index of a rulebook: each rule's number, its class, and its content in our own words.
//!
//! The file has tab-separated rows `number, class, text`. The class `… absent` marks a row that says that something does *not* happen; no
//! rules file cites such a row. A column after the text gives the reason for an unusual class. Lines that begin with `#` are comments.

use indexmap::IndexMap;
use lang::diagnostic::{Diagnostic, FileId, Span, is_shown_by_number, may_hide};
use serde::Serialize;
use std::collections::BTreeSet;

/// The class of a row. It decides how a scenario can show the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Something happens. A statement carries it out.
    Mechanic,
    /// A principle over several rules.
    Principle,
    /// A notion is declared.
    Definition,
    /// The rule is about decks.
    Deck,
    /// A heading or an example: nothing can be shown.
    None,
}

impl Class {
    /// All classes, in the order of reports.
    pub const ALL: [Class; 5] = [Class::Mechanic, Class::Principle, Class::Definition, Class::Deck, Class::None];

    /// The word in the file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Class::Mechanic => "mechanic",
            Class::Principle => "principle",
            Class::Definition => "definition",
            Class::Deck => "deck",
            Class::None => "none",
        }
    }

    fn named(word: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.word() == word)
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The class of the rule.
    pub class: Class,
    /// Whether the row says that something does not happen.
    pub absent: bool,
    /// The row's content in our own words.
    pub text: String,
    /// Why the row's class or mark is unusual; empty if nothing is said.
    pub why: String,
    /// Where the row stands.
    pub span: Span,
}

/// All rows by number, in the rulebook's order.
#[derive(Clone, Debug, Default)]
pub struct Rulebook {
    rows: IndexMap<String, Row>,
    /// The first words of the rows that cannot be read. Whoever cites such a number makes no second mistake.
    unread: BTreeSet<String>,
}

impl Rulebook {
    /// Reads an index. Rows that cannot be read are left out and reported.
    #[must_use]
    pub fn read(file: FileId, text: &str) -> (Self, Vec<Diagnostic>) {
        let mut book = Rulebook::default();
        let mut found = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = Span { file, start, end: start + line.trim_end().len() as u32 };
            start += line.len() as u32;
            if let Err(finding) = book.row(line.trim_end_matches(['\n', '\r']), span) {
                if ["E0142", "E0544"].contains(&finding.code) {
                    book.unread.extend(line.split_whitespace().next().map(str::to_owned));
                }
                found.push(finding);
            }
        }
        (book, found)
    }

    fn row(&mut self, line: &str, span: Span) -> Result<(), Diagnostic> {
        let looked_at = if may_hide(line) { line } else { "" };
        if let Some((at, sign)) = looked_at.char_indices().find(|(_, sign)| is_shown_by_number(*sign)) {
            let place = Span { start: span.start + at as u32, end: span.start + (at + sign.len_utf8()) as u32, ..span };
            return Err(Diagnostic::error("E0142", place).with("found", sign));
        }
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let mut columns = line.split('\t');
        let (Some(id), Some(class)) = (columns.next(), columns.next()) else {
            return Err(Diagnostic::error("E0544", span));
        };
        let rest: Vec<&str> = columns.collect();
        let mut words = class.split([' ', ',']).filter(|word| !word.is_empty());
        let word = words.next();
        let Some(class) = word.and_then(Class::named) else {
            let Some(word) = word else { return Err(Diagnostic::error("E0544", span)) };
            // Only the class is pointed at. A row with blanks in the place of tabs has none.
            let start = span.start + (id.len() + 1 + class.find(word).unwrap_or(0)) as u32;
            let place = Span { start, end: start + word.len() as u32, ..span };
            return Err(Diagnostic::error("E0544", place).with("class", word).suggest(word, Class::ALL.map(Class::word)));
        };
        // The mark stands beside the class, or in a column of its own.
        let absent = words.any(|word| word == "absent") || rest.contains(&"absent");
        let mut said = rest.into_iter().filter(|column| *column != "absent");
        let text = said.next().unwrap_or("").to_owned();
        if !can_be_cited(id) || text.trim().is_empty() {
            return Err(Diagnostic::error("E0544", span));
        }
        let why = said.next().unwrap_or("").to_owned();
        let row = Row { class, absent, text, why, span };
        match self.rows.insert(id.to_owned(), row) {
            None => Ok(()),
            Some(first) => Err(Diagnostic::error("E0545", span).with("rule", id).note(first.span, "first")),
        }
    }

    /// Whether the index has a row of this number, one that cannot be read included.
    #[must_use]
    pub fn mentions(&self, id: &str) -> bool {
        self.rows.contains_key(id) || self.unread.contains(id)
    }

    /// The row of a rule.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Row> {
        self.rows.get(id)
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.rows.iter().map(|(id, row)| (id.as_str(), row))
    }

    /// All numbers, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Whether `@id` is a citation (grammar/core.pest, `cite`).
fn can_be_cited(id: &str) -> bool {
    match id.strip_prefix("G:") {
        Some(word) => !word.is_empty() && !word.contains(char::is_whitespace),
        None => !id.is_empty() && id.chars().all(|sign| sign.is_ascii_alphanumeric() || ".-[]/".contains(sign)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::{Class, Rulebook};
    use lang::diagnostic::FileId;

    #[test]
    fn rows_are_read_with_their_marks() {
        let (book, found) = Rulebook::read(
            FileId(0),
            "# index\n1-1\tdeck\ttwo players\n1-2\tmechanic absent\tnothing is drawn\r\n1-3\tprinciple\tabsent\tno\n",
        );
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(book.get("1-1").unwrap().class, Class::Deck);
        assert!(book.get("1-2").unwrap().absent);
        assert_eq!((book.get("1-3").unwrap().absent, book.get("1-3").unwrap().text.as_str()), (true, "no"));
        assert_eq!(book.ids().collect::<Vec<_>>(), ["1-1", "1-2", "1-3"]);
        let (book, _) = Rulebook::read(FileId(0), "1\tnone\ta heading\tours: nothing is done\n2\tnone\ta\n");
        assert_eq!((book.get("1").unwrap().why.as_str(), book.get("2").unwrap().why.as_str()), ("ours: nothing is done", ""));
    }

    #[test]
    fn a_broken_row_and_a_doubled_one_are_found() {
        let (book, found) = Rulebook::read(FileId(0), "1-1\tdeck\tx\n1-1\tdeck\ty\nnonsense\n2\tfoo\tz\n");
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["E0545", "E0544", "E0544"]);
        for row in ["\tmechanic\tx\n", "1\tmechanic\n", "1\tmechanic\t \n", "1\tmechanic\tabsent\n"] {
            let (none, found) = Rulebook::read(FileId(0), row);
            assert_eq!((none.is_empty(), found.len()), (true, 1), "{row}");
        }
        assert_eq!(book.ids().count(), 1);
    }
}
