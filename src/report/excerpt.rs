//! The part of a source that a drawing shows, with the places of the whole source.
//!
//! For every place, miette searches the source from the first byte. This is slow for a file with many findings, so miette gets only the
//! lines around the place. A long line is cut, so that only the parts around its places are shown.

use lang::diagnostic::{Source, shown_name};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Lines before and after the places; more than a drawing shows.
const LINES_AROUND: usize = 3;

/// The longest line that is shown whole, in bytes. In a longer line, nobody would find the place.
const LONGEST_LINE: usize = 1000;

/// How many bytes of a long line are shown on both sides of the beginning and the end of a place.
const BESIDE_A_PLACE: usize = 60;

/// Stands for a part of a line that is left out.
const LEFT_OUT: &str = "…";

/// Some lines of a source.
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The byte of the source where the excerpt begins.
    start: usize,
    /// The number of lines before the excerpt.
    lines_before: usize,
    /// The parts of long lines that are left out, in order.
    cuts: Vec<Cut>,
}

/// A part of the source that is left out.
struct Cut {
    /// The bytes of the source.
    of: Range<usize>,
    /// The byte of the excerpt where the mark stands for them.
    at: usize,
    /// How many more signs the part has than the mark.
    signs: usize,
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
        let lines_before = text.get(..start).unwrap_or("").matches('\n').count();
        let name = shown_name(&source.name).into_owned();
        let mut excerpt = Self { name, text: String::new(), start, lines_before, cuts: Vec::new() };
        let mut at = start;
        for line in text.get(start..end).unwrap_or("").split_inclusive('\n') {
            excerpt.add(line, at, places);
            at += line.len();
        }
        excerpt
    }

    /// Adds a line that begins at this byte of the source.
    fn add(&mut self, line: &str, start: usize, places: &[Range<usize>]) {
        if line.len() <= LONGEST_LINE {
            return self.text.push_str(&printable(line));
        }
        let ends = places.iter().flat_map(|place| [place.start, place.end]);
        let mut shown: Vec<usize> = ends.filter_map(|end| end.checked_sub(start)).filter(|end| *end <= line.len()).collect();
        shown.sort_unstable();
        if shown.is_empty() {
            shown.push(0);
        }
        let boundary = |at: usize| (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        let mut done = 0;
        for end in shown {
            let (from, to) = (boundary(end.saturating_sub(BESIDE_A_PLACE)), boundary(end + BESIDE_A_PLACE));
            self.leave_out(line, done..from, start);
            self.text.push_str(&printable(line.get(done.max(from)..to).unwrap_or("")));
            done = done.max(to);
        }
        let end = line.trim_end_matches('\n').len();
        self.leave_out(line, done..end, start);
        self.text.push_str(line.get(done.max(end)..).unwrap_or(""));
    }

    fn leave_out(&mut self, line: &str, part: Range<usize>, start: usize) {
        let signs = line.get(part.clone()).map_or(0, |part| part.chars().count());
        if signs > 1 {
            self.cuts.push(Cut { of: start + part.start..start + part.end, at: self.text.len(), signs: signs - 1 });
            self.text.push_str(LEFT_OUT);
        } else {
            self.text.push_str(line.get(part).unwrap_or(""));
        }
    }

    /// The place of the excerpt that shows this place of the source.
    pub(super) fn place(&self, place: Range<usize>) -> Range<usize> {
        let shown = |at: usize| {
            let mut left_out = self.start;
            for cut in &self.cuts {
                if at < cut.of.end {
                    return if at > cut.of.start { cut.at } else { at.saturating_sub(left_out) };
                }
                left_out += cut.of.len() - LEFT_OUT.len();
            }
            at.saturating_sub(left_out)
        };
        let start = shown(place.start);
        start..shown(place.end).max(start)
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, before, after)?;
        let (name, line) = (self.name.clone(), read.line() + self.lines_before);
        // miette counts bytes; an editor counts signs.
        let before = self.text.get(..read.span().offset()).unwrap_or(&self.text);
        let of_line = before.rsplit('\n').next().unwrap_or("");
        let cut = self.cuts.iter().filter(|cut| (before.len() - of_line.len()..before.len()).contains(&cut.at));
        let column = of_line.chars().count() + cut.map(|cut| cut.signs).sum::<usize>();
        Ok(Box::new(MietteSpanContents::new_named(name, read.data(), *read.span(), line, column, read.line_count())))
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
