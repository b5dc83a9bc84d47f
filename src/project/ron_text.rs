//! Reads RON files (decks, `gyoji.ron`, saves, replays). Errors are described in words for authors, without names of Rust types.

use lang::diagnostic::{Diagnostic, FileId, Sources, Span, is_shown_by_number, may_hide};
use lang::syntax::half_width;
use ron::error::{Error, Position, SpannedError};
use serde::de::DeserializeOwned;

/// Reads the value of a file that the program wrote.
///
/// # Errors
/// `E0824` and `E0852` to `E0857` with the place, if the text is no value of this type.
pub fn ron_value<T: DeserializeOwned>(file: FileId, sources: &Sources) -> Result<T, Diagnostic> {
    read(file, sources, &ron::Options::default())
}

/// Reads the value of a file that a person writes. Optional values are written plainly, without `Some(…)`.
///
/// # Errors
/// The errors of [`ron_value`]; `E0142` for a sign that nobody sees.
pub(super) fn by_hand<T: DeserializeOwned>(file: FileId, sources: &Sources) -> Result<T, Diagnostic> {
    if let Some(finding) = hidden_sign(file, sources.get(file).map_or("", |source| source.text.as_str())) {
        return Err(finding);
    }
    read(file, sources, &ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME))
}

/// `E0142` for the first sign that nobody sees, in the names, texts and comments of a file.
fn hidden_sign(file: FileId, text: &str) -> Option<Diagnostic> {
    let looked_at = if may_hide(text) { text } else { "" };
    let (at, sign) = looked_at.char_indices().find(|(_, sign)| is_shown_by_number(*sign))?;
    let place = Span { file, start: at as u32, end: (at + sign.len_utf8()) as u32 };
    Some(Diagnostic::error("E0142", place).with("found", sign))
}

fn read<T: DeserializeOwned>(file: FileId, sources: &Sources, options: &ron::Options) -> Result<T, Diagnostic> {
    let (name, text) = sources.get(file).map_or(("", ""), |source| (source.name.as_str(), source.text.as_str()));
    options.from_str(text).map_err(|error| finding(&error, file, name, text))
}

fn finding(error: &SpannedError, file: FileId, name: &str, text: &str) -> Diagnostic {
    let (start, end) = (offset(text, &error.span.start), offset(text, &error.span.end));
    let span = Span { file, start, end: end.max(start) };
    let of = |code: &'static str| Diagnostic::error(code, span).with("file", name);
    let at_error = text.get(start as usize..).and_then(|rest| rest.chars().next());
    if let Some((sign, half)) = at_error.and_then(|sign| Some((sign, half_width(sign)?))) {
        let end = start + sign.len_utf8() as u32;
        return Diagnostic::error("E0103", Span { file, start, end }).with("sign", sign).with("half", half);
    }
    let unknown = |word: &str, known: &[&str]| {
        let finding = of("E0853").with("word", word).suggest(word, known.iter().copied());
        if known.is_empty() { finding } else { finding.with("known", known.join("`, `")) }
    };
    match &error.code {
        Error::MissingStructField { field, .. } => of("E0852").with("word", field),
        Error::NoSuchStructField { expected, found, .. } | Error::NoSuchEnumVariant { expected, found, .. } => unknown(found, expected),
        Error::DuplicateStructField { field, .. } => of("E0855").with("word", field),
        Error::IntegerOutOfBounds => of("E0856"),
        Error::Eof => of("E0857"),
        Error::ExpectedDifferentStructName { found, .. } => unknown(found, &[]),
        code => match wanted(code) {
            Some(wanted) => of("E0854").with("wanted", wanted),
            None => of("E0824").with("reason", code),
        },
    }
}

/// The text that is expected at the place of the error.
fn wanted(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::ExpectedArray => "[…]",
        Error::ExpectedArrayEnd => "]",
        Error::ExpectedBoolean => "true",
        Error::ExpectedComma => ",",
        Error::ExpectedInteger | Error::ExpectedFloat | Error::InvalidIntegerDigit { .. } => "3",
        Error::ExpectedMap => "{…}",
        Error::ExpectedMapColon => ":",
        Error::ExpectedMapEnd => "}",
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) | Error::ExpectedUnit | Error::ExpectedDifferentLength { .. } => {
            "(…)"
        }
        Error::ExpectedStructLikeEnd => ")",
        Error::ExpectedString => "\"…\"",
        Error::ExpectedStringEnd => "\"",
        Error::InvalidValueForType { expected, .. } => written(expected)?,
        Error::Message(message) => written(message.rsplit("expected ").next()?)?,
        _ => return None,
    })
}

/// How a value of this kind is written. The names of the kinds come from serde.
fn written(kind: &str) -> Option<&'static str> {
    let kinds: [(&[&str], &str); 5] = [
        (&["string", "char"], "\"…\""),
        (&["bool"], "true"),
        (&["tuple", "struct", "option"], "(…)"),
        (&["sequence", "array"], "[…]"),
        (&["integer", "u8", "u16", "u32", "u64", "i32", "i64", "usize", "float"], "3"),
    ];
    kinds.into_iter().find(|(words, _)| words.iter().any(|word| kind.contains(word))).map(|(_, written)| written)
}

/// The byte at a line and column. Both count from 1, columns in characters.
fn offset(text: &str, place: &Position) -> u32 {
    let before: usize = text.split_inclusive('\n').take(place.line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..).unwrap_or("");
    let within = rest.char_indices().nth(place.col.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    (before + within) as u32
}

/// A finding for readers without its sources: the line and column stand after the file's name, and the place is removed.
#[must_use]
pub fn placed_in_words(mut finding: Diagnostic, sources: &Sources) -> Diagnostic {
    if let Some(span) = finding.span.take() {
        let (line, column) = sources.line_column(span);
        match finding.args.iter_mut().find(|(key, _)| *key == "file") {
            Some((_, name)) => *name = format!("{name}:{line}:{column}"),
            None => {
                let name = sources.get(span.file).map_or("", |source| source.name.as_str());
                finding = finding.with("place", format!("{name}:{line}:{column}"));
            }
        }
    }
    finding
}
