//! The formatter: one style for blanks, margins and indentation.
//!
//! Takes a file that the grammar takes; gives the same tokens in the same order. Line ends between the statements of a block
//! are the writer's (a block with one is written over several lines, one without stays on its line while it fits); all
//! else is decided here. Only the margin of citations is aligned. Deliberately absent: any change to a token.

use super::FileKind;
use super::cut::pieces;
use super::format_lines::Layout;
use super::format_marks::Marks;
use super::format_tokens::tokens;
use super::parse::pairs;
use super::read::{self, parse_cards, parse_rules, parse_scenarios};
use super::scan::scan;
use super::words::declaration_words;
use crate::diagnostic::{Diagnostic, FileId};

/// Columns that a line may take; longer ones are broken where they can be.
pub(super) const WIDEST_LINE: usize = 140;

/// The text in the one style.
///
/// # Errors
/// The diagnostics of a file that cannot be read; nothing is formatted then.
pub fn format(kind: FileKind, text: &str) -> Result<String, Vec<Diagnostic>> {
    let file = FileId(0);
    let diagnostics = match kind {
        FileKind::Rules => parse_rules(file, text).1,
        FileKind::Cards => parse_cards(file, text).1,
        FileKind::Scenarios => parse_scenarios(file, text).1,
    };
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let scan = scan(file, text, declaration_words(kind));
    let mut marks = Marks::default();
    for piece in pieces(&scan) {
        marks.items.insert(piece.start);
        // The first lines are no declarations, and the grammar refuses them.
        if let Ok(pair) = pairs(read::rule(kind), piece) {
            marks.collect(piece.start, piece.text, pair);
        }
    }
    Ok(Layout::new(tokens(text).collect(), &marks).text())
}
