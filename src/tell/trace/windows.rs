//! Joins empty windows into one line. In an empty window several seats, one after the other, had nothing to choose, with only statements of
//! the rules in between.
//!
//! Input: lines in order. Output: the same lines. A line is held back as long as it may belong to a window. JSON lines are not joined.

/// A window in which nobody has acted so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    open: Option<Window>,
}

#[derive(Clone, Debug)]
struct Window {
    /// The text before the words: the margin and the indentation.
    before: String,
    choice: String,
    branch: u16,
    /// The seats that passed.
    seats: Vec<String>,
    /// The statements since then.
    since: Vec<String>,
}

/// The kind of a line, as far as windows need it.
pub(super) enum Sort {
    /// A pass of a seat that had nothing to choose: the seat, and the choice.
    Pass(String, String),
    /// A statement of the rules.
    Statement,
    /// Anything else.
    Other,
}

impl Windows {
    /// Takes a line: `before` is its margin, `text` its words. Gives the lines to be shown now. `said` makes the line of a window from the
    /// seats and the choice.
    pub(super) fn line(
        &mut self,
        (sort, branch): (Sort, u16),
        (before, text): (String, String),
        said: impl Fn(&str, &str) -> String,
    ) -> Option<String> {
        match (sort, &mut self.open) {
            (Sort::Pass(seat, choice), Some(open)) if open.choice == choice && open.branch == branch => {
                open.seats.push(seat);
                open.since.clear();
                None
            }
            (Sort::Pass(seat, choice), _) => {
                let shown = self.rest(said);
                self.open = Some(Window { before, choice, branch, seats: vec![seat], since: Vec::new() });
                shown
            }
            (Sort::Statement, Some(open)) if open.branch == branch => {
                open.since.push(format!("{before}{text}"));
                None
            }
            _ => {
                let line = format!("{before}{text}");
                Some(self.rest(said).map_or(line.clone(), |shown| format!("{shown}\n{line}")))
            }
        }
    }

    /// The lines kept back.
    pub(super) fn rest(&mut self, said: impl Fn(&str, &str) -> String) -> Option<String> {
        let Window { before, choice, seats, since, .. } = self.open.take()?;
        let pass = format!("{before}{}", said(&seats.join(", "), &choice));
        Some(std::iter::once(pass).chain(since).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, Windows};

    #[test]
    fn passes_with_nothing_but_statements_between_are_one_line() {
        let said = |seats: &str, choice: &str| format!("{seats} pass {choice}");
        let mut windows = Windows::default();
        let mut line = |sort: Sort, text: &str| windows.line((sort, 0), ("@1 ".to_owned(), text.to_owned()), said);
        let pass = |seat: &str| Sort::Pass(seat.to_owned(), "plays".to_owned());
        assert_eq!(line(Sort::Statement, "offer"), Some("@1 offer".to_owned()));
        assert_eq!(line(pass("a"), ""), None);
        assert_eq!(line(Sort::Statement, "passes = 1"), None);
        assert_eq!(line(pass("b"), ""), None);
        assert_eq!(line(Sort::Statement, "passes = 2"), None);
        assert_eq!(line(Sort::Other, "draw"), Some("@1 a, b pass plays\n@1 passes = 2\n@1 draw".to_owned()));
        assert_eq!(line(pass("a"), ""), None);
        assert_eq!(windows.rest(said), Some("@1 a pass plays".to_owned()));
        assert_eq!(windows.rest(said), None);
    }
}
