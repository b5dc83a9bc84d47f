//! The part of a source that a drawing shows, with the places of the whole source.
//!
//! For every place, miette searches the source from the first byte. This is slow for a file with many findings, so miette gets only the
//! lines around the place.

use crate::diagnostic::Source;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Lines before and after the places; more than a drawing shows.
const LINES_AROUND: usize = 3;

/// Some lines of a source.
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The byte of the source where the excerpt begins.
    start: usize,
    /// The number of lines before the excerpt.
    lines_before: usize,
}

impl Excerpt {
    /// The lines around `places`.
    pub(super) fn around(source: &Source, places: &[Range<usize>]) -> Self {
        let text = source.text.as_str();
        let first = places.iter().map(|place| place.start).min().unwrap_or(0);
        let last = places.iter().map(|place| place.end).max().unwrap_or(text.len());
        let before = text.get(..first).unwrap_or("").rmatch_indices('\n').nth(LINES_AROUND);
        let start = before.map_or(0, |(at, _)| at + 1);
        let after = text.get(last..).unwrap_or("").match_indices('\n').nth(LINES_AROUND);
        let end = after.map_or(text.len(), |(at, _)| last + at + 1);
        Self {
            name: crate::diagnostic::with_numbers(&source.name).into_owned(),
            text: printable(text.get(start..end).unwrap_or("")),
            start,
            lines_before: text.get(..start).unwrap_or("").matches('\n').count(),
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let offset = span.offset().checked_sub(self.start).ok_or(MietteError::OutOfBounds)?;
        let read = self.text.read_span(&(offset, span.len()).into(), before, after)?;
        let place = (read.span().offset() + self.start, read.span().len()).into();
        let (name, line) = (self.name.clone(), read.line() + self.lines_before);
        // miette counts bytes; an editor counts signs.
        let before = self.text.get(..read.span().offset()).unwrap_or(&self.text);
        let column = before.rsplit('\n').next().unwrap_or("").chars().count();
        Ok(Box::new(MietteSpanContents::new_named(name, read.data(), place, line, column, read.line_count())))
    }
}

/// The text for a terminal, with all bytes in the same places. Carriage returns and other control signs would move the cursor, or worse.
fn printable(text: &str) -> String {
    text.chars()
        .map(|sign| match sign {
            '\n' | '\t' => sign,
            '\r' => ' ',
            sign if sign.is_ascii_control() => '?',
            // These signs would reverse the line. The replacement has as many bytes.
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
            sign => sign,
        })
        .collect()
}
