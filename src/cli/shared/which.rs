//! The scenarios of a file that a path names: `FILE`, `FILE:LINE`, `FILE:PART OF THE TITLE`.

use lang::diagnostic::Sources;
use lang::syntax::ast::Scenario;
use std::path::{Path, PathBuf};

/// A choice of scenarios in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The scenario at this line.
    Line(usize),
    /// The scenarios with this text in their titles.
    Title(String),
}

impl Which {
    /// The file, and the chosen scenarios in it. If a file has the whole path as its name, that file is meant.
    #[must_use]
    pub(crate) fn of(written: &Path) -> (PathBuf, Option<Self>) {
        let name = written.display().to_string();
        // A title may contain a colon. The ending of a file cannot.
        let of_title = name.split_once(".scenarios:").map(|(file, title)| (format!("{file}.scenarios"), Self::Title(title.to_owned())));
        // A line number does not begin with 0: `FILE:02` is a part of a title.
        let number = |line: &str| line.parse().ok().filter(|_| !line.starts_with('0'));
        let of_line = name.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), Self::Line(number(line)?))));
        match of_line.or(of_title) {
            Some((file, which)) if !written.exists() => (PathBuf::from(file), Some(which)),
            _ => (written.to_path_buf(), None),
        }
    }

    /// Whether a scenario is chosen.
    #[must_use]
    pub(crate) fn fits(&self, scenario: &Scenario, sources: &Sources) -> bool {
        match self {
            Self::Title(part) => scenario.title.text.contains(part),
            Self::Line(line) => {
                let first = sources.line_column(scenario.span).0;
                (first..=first + sources.text(scenario.span).trim_end().matches('\n').count()).contains(line)
            }
        }
    }
}
