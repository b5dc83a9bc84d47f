//! Cuts a file into its declarations. Each is parsed by itself, so that a broken one does not hide the others.

use super::scan::Scan;

/// The text of one declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// Where the piece begins in the file.
    pub start: usize,
    /// The text.
    pub text: &'t str,
    /// Whether the grammar may see it. If not, its error is already reported.
    pub whole: bool,
    /// Whether something in the text is nested so deeply that the grammar's rule calls are counted.
    pub deep: bool,
}

/// The declarations in order. Text before the first declaration is a piece too, unless it is only blanks and comments.
pub(crate) fn pieces<'t>(scan: &'t Scan<'_>) -> Vec<Piece<'t>> {
    let first = scan.starts.first().copied().unwrap_or(scan.text.len());
    let before = significant(scan.text.get(..first).unwrap_or(""));
    let starts: Vec<usize> = before.into_iter().chain(scan.starts.iter().copied()).collect();
    let ends = starts.iter().skip(1).copied().chain([scan.text.len()]);
    // Sorted, so that each piece finds its broken places by a binary search.
    let mut broken = scan.broken.clone();
    broken.sort_unstable();
    let within = |places: &[usize], (start, end): (usize, usize)| {
        let next = places.get(places.partition_point(|place| *place < start));
        next.is_some_and(|place| *place < end)
    };
    let piece = |(start, end): (usize, usize)| Piece {
        start,
        text: scan.text.get(start..end).unwrap_or(""),
        whole: !within(&broken, (start, end)),
        deep: within(&scan.deep, (start, end)),
    };
    starts.iter().copied().zip(ends).map(piece).collect()
}

/// The place of the first sign that is neither a blank nor in a comment.
fn significant(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let blanks = line.len() - line.trim_start_matches(super::signs::is_blank).len();
        let rest = line.get(blanks..).unwrap_or("");
        if !rest.is_empty() && !rest.starts_with("--") {
            return Some(at + blanks);
        }
        at += line.len();
    }
    None
}
