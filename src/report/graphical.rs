//! A diagnostic as a drawing, made with miette: the source with the place underlined, label and help.
//!
//! The words come from the catalogue; miette only draws. A drawing shows one file, so notes in other files become lines of help.

use super::concise::note_text;
use super::excerpt::Excerpt;
use lang::diagnostic::{Diagnostic, Language, Severity, Sources, Span, Told, shown_name};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt;

/// The widest drawing, in columns.
const WIDTH: usize = 120;

/// The most lines of a source that one mark covers. A longer mark covers its first line: all its lines would be drawn.
const MOST_LINES: usize = 40;

/// The drawing, with a line end. `colour`: with terminal colours.
#[must_use]
pub fn graphical(finding: &Diagnostic, sources: &Sources, language: Language, colour: bool) -> String {
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(WIDTH).tab_width(4).with_links(false).with_cause_chain();
    let mut drawn = String::new();
    match handler.render_report(&mut drawn, &Drawing::of(finding, sources, language)) {
        Ok(()) => with_help_in(language, drawn),
        // miette refuses a place outside of the text. The finding in one line can still be shown.
        Err(fmt::Error) => super::concise(finding, sources, language) + "\n",
    }
}

/// The drawing with the word before its lines of help in the language. miette has only an English word. The other word is as wide, so
/// further lines stand below the first.
fn with_help_in(language: Language, drawn: String) -> String {
    const HELP: &str = "help: ";
    let begins = |line: &str| {
        line.trim_start_matches([' ', '\x1b', '[', ';', 'm', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']).starts_with(HELP)
    };
    if language != Language::Japanese || !drawn.lines().any(begins) {
        return drawn;
    }
    let mut lines: Vec<String> = drawn.split('\n').map(str::to_owned).collect();
    // The help stands behind the source, whose lines may begin with the same word.
    if let Some(line) = lines.iter_mut().rfind(|line| begins(line)) {
        *line = line.replacen(HELP, "案内: ", 1);
    }
    lines.join("\n")
}

struct Drawing {
    code: &'static str,
    severity: Severity,
    words: Told,
    source: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
}

impl Drawing {
    fn of(finding: &Diagnostic, sources: &Sources, language: Language) -> Self {
        let mut words = finding.told(language);
        let file = finding.span.map(|span| span.file);
        let source = file.and_then(|file| sources.get(file));
        let (mut texts, mut places) = (Vec::new(), Vec::new());
        if let (Some(span), Some(source)) = (finding.span, source) {
            texts.push(Some(words.label.clone()).filter(|label| !label.is_empty()));
            places.push(range(span, &source.text));
        }
        for (span, key) in &finding.notes {
            let text = note_text(finding, key, language);
            match source.filter(|_| Some(span.file) == file) {
                Some(source) => {
                    places.push(range(*span, &source.text));
                    texts.push(Some(text));
                }
                None => words.help.push(elsewhere(*span, &text, sources)),
            }
        }
        let source = source.map(|source| Excerpt::around(source, &places));
        let shown = |place: &std::ops::Range<usize>| source.as_ref().map_or_else(|| place.clone(), |source| source.place(place.clone()));
        // The finding's own place comes first, the notes after it.
        let label = |(at, (text, place)): (usize, (Option<String>, &std::ops::Range<usize>))| match at {
            0 => LabeledSpan::new_primary_with_span(text, shown(place)),
            _ => LabeledSpan::new_with_span(text, shown(place)),
        };
        let labels: Vec<LabeledSpan> = texts.into_iter().zip(&places).enumerate().map(label).collect();
        Self { code: finding.code, severity: finding.severity, words, source, labels }
    }
}

fn elsewhere(span: Span, text: &str, sources: &Sources) -> String {
    let (line, column) = sources.line_column(span);
    let name = shown_name(sources.get(span.file).map_or("?", |source| source.name.as_str()));
    format!("{name}:{line}:{column}: {text}")
}

/// The bytes of a span inside a text, on character boundaries, whatever the span says. A span of too many lines is cut to the first one.
fn range(span: Span, text: &str) -> std::ops::Range<usize> {
    let inside = |at: u32| {
        let at = (at as usize).min(text.len());
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let start = inside(span.start);
    let end = inside(span.end).max(start);
    let mut ends = text.get(start..end).unwrap_or("").match_indices('\n').map(|(at, _)| start + at);
    let first = ends.next().filter(|_| ends.nth(MOST_LINES).is_some());
    start..first.unwrap_or(end)
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.message)
    }
}

impl std::error::Error for Drawing {}

impl miette::Diagnostic for Drawing {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.words.help.is_empty()).then(|| Box::new(self.words.help.join("\n")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

#[cfg(test)]
mod tests {
    use super::graphical;
    use crate::Widths;
    use lang::diagnostic::{Diagnostic, Language, Sources, Span};

    #[test]
    fn the_underline_stands_under_full_width_text() {
        let mut sources = Sources::default();
        let file = sources.add("x.rules", "gyoji 1\nゾーン「手札」と①を ここ で\n");
        let start = sources.get(file).and_then(|source| source.text.find("ここ")).map_or(0, |at| at as u32);
        let finding = Diagnostic::error("E0802", Span { file, start, end: start + 6 }).with("file", "x.rules");
        let drawn = graphical(&finding, &sources, Language::Japanese, false);
        let column_of = |mark: &str| drawn.lines().find_map(|line| Some(Widths::new(1).of(line.split_once(mark)?.0)));
        assert_eq!(column_of("ここ で"), column_of("──┬─"), "{drawn}");
    }

    #[test]
    fn a_place_far_down_has_its_line_and_the_lines_around_it() {
        let mut sources = Sources::default();
        let text: String = (1..=5000).map(|line| format!("line {line}\n")).collect();
        let start = text.find("line 4321").map_or(0, |at| at as u32);
        let first = text.find("line 4300\n").map_or(0, |at| at as u32);
        let file = sources.add("x.rules", text);
        let finding = Diagnostic::error("E0210", Span { file, start, end: start + 9 });
        let drawn = graphical(&finding, &sources, Language::English, false);
        assert!(drawn.contains("x.rules:4321:1") && drawn.contains("4322 │ line 4322"), "{drawn}");
        let drawn = graphical(&finding.note(Span { file, start: first, end: first + 9 }, "first"), &sources, Language::English, false);
        assert!(drawn.contains("4300 │ line 4300") && drawn.contains("4321 │ line 4321"), "{drawn}");
    }

    #[test]
    fn columns_count_signs_and_not_bytes() {
        let mut sources = Sources::default();
        let text: String = (1..=20).map(|line| format!("{line} 行\n")).collect::<String>() + "「手札」を 引く\n";
        let start = text.find("引く").map_or(0, |at| at as u32);
        let file = sources.add("x.cards", text);
        let finding = Diagnostic::error("E0210", Span { file, start, end: start + 6 });
        for language in [Language::English, Language::Japanese] {
            let drawn = graphical(&finding, &sources, language, false);
            assert!(drawn.contains("x.cards:21:7"), "{drawn}");
        }
    }

    #[test]
    fn a_place_outside_of_the_text_is_no_panic() {
        let mut sources = Sources::default();
        let file = sources.add("x.rules", "漢");
        let finding = Diagnostic::error("E0802", Span { file, start: 1, end: 900 }).with("file", "x.rules");
        assert!(graphical(&finding, &sources, Language::English, false).contains("E0802"));
    }
}
