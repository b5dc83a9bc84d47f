//! pest's errors in a designer's words (first form).
use super::FileKind;
use super::cut::Piece;
use super::parse::Rule;
use crate::diagnostic::{Diagnostic, FileId, Span};
use pest::error::{Error, InputLocation};

/// What was being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A declaration of such a file.
    Declaration(FileKind),
    /// An expression.
    Expression,
    /// A decision.
    Decision,
}

/// One diagnostic for what pest could not read.
pub(crate) fn diagnose(file: FileId, piece: Piece<'_>, _subject: Subject, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let start = (piece.start + at) as u32;
    Diagnostic::error("E0101", Span { file, start, end: start }).with("found", format!("{:?}", error.variant))
}
