//! The formatter: gives a file one style of blanks, margins and indentation.
//!
//! Input: a file that the grammar accepts. Output: the same tokens in the same order. The author decides only about line ends between the
//! statements of a block. A block with such a line end takes several lines; a block without one stays on its line while it fits. Everything
//! else is decided here. Only the margin of citations is aligned.
//!
//! | file | does |
//! | --- | --- |
//! | `lines.rs` | line breaks and columns |
//! | `marks.rs` | what it needs from the grammar |
//! | `tokens.rs` | a file as tokens |

mod lines;
mod marks;
pub(super) mod tokens;

use crate::diagnostic::{Diagnostic, FileId};
use crate::syntax::FileKind;
use crate::syntax::cut::pieces;
use crate::syntax::format::lines::Layout;
use crate::syntax::format::marks::Marks;
use crate::syntax::format::tokens::tokens;
use crate::syntax::parse::pairs;
use crate::syntax::read::{self, parse_cards, parse_rules, parse_scenarios};
use crate::syntax::scan::scan;
use crate::syntax::words::declaration_words;

/// The most columns of a line. A longer line is broken where a break is possible.
pub(in crate::syntax) const WIDEST_LINE: usize = 140;

/// The formatted text.
///
/// # Errors
/// The diagnostics of a file that cannot be read. Nothing is formatted then.
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
        // The first lines of a file are no declarations: the grammar refuses them, so they have no marks.
        if let Ok(pair) = pairs(read::rule(kind), piece) {
            marks.collect(piece.start, piece.text, pair);
        }
    }
    Ok(Layout::new(tokens(text).collect(), &marks).text())
}
