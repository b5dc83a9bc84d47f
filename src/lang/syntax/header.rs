//! The first lines of a file: the edition of the language, and the game of a card or scenario file.

use super::FileKind;
use super::ast::Name;
use super::cut::Piece;
use super::limits::LONGEST_HEAD;
use super::signs::{is_blank, is_word, is_word_start};
use crate::diagnostic::{Diagnostic, FileId, Span};

/// The edition of the language that this program reads.
pub(crate) const EDITION: u32 = 1;

/// The most words of a wrong first line that a diagnostic shows.
const MOST_WORDS: usize = 4;

/// The contents of the first lines.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// `gyoji 1`.
    pub edition: Option<(u32, Span)>,
    /// `cards duel`, `scenarios duel`.
    pub game: Option<Name>,
    /// How many pieces of the file these lines are.
    pub taken: usize,
}

/// Reads the first lines. Missing or unknown parts are reported.
pub(crate) fn header(kind: FileKind, (file, written): (FileId, &str), pieces: &[Piece<'_>], diagnostics: &mut Vec<Diagnostic>) -> Header {
    let mut header = Header::default();
    let Some(first) = pieces.first() else {
        diagnostics.push(Diagnostic::error("E0113", Span { file, start: 0, end: 0 }).with("edition", EDITION));
        return header;
    };
    let words = words(file, *first);
    if words.first().is_some_and(|word| word.text == "gyoji") {
        header.taken = 1;
        header.edition = edition((file, written), *first, &words, diagnostics);
    } else {
        let end = first.start + first.text.lines().next().map_or(0, |line| line.trim_end().len());
        let span = Span { file, start: first.start as u32, end: end as u32 };
        let line = first.text.lines().next().unwrap_or("");
        let code = if line.starts_with("gyoji") { "E0115" } else { "E0114" };
        let written = line.strip_prefix("gyoji").unwrap_or("").chars().filter(|sign| sign.is_ascii_alphanumeric()).collect::<String>();
        diagnostics.push(Diagnostic::error(code, span).with("edition", EDITION).with("written", written));
    }
    if let Some(word) = game_word(kind) {
        header.game = game(word, file, pieces, &mut header.taken, diagnostics);
    }
    header
}

fn game_word(kind: FileKind) -> Option<&'static str> {
    match kind {
        FileKind::Rules => None,
        FileKind::Cards => Some("cards"),
        FileKind::Scenarios => Some("scenarios"),
    }
}

fn edition((file, source): (FileId, &str), piece: Piece<'_>, words: &[Name], diagnostics: &mut Vec<Diagnostic>) -> Option<(u32, Span)> {
    let whole = Span { file, start: piece.start as u32, end: (piece.start + piece.text.trim_end().len()) as u32 };
    let written = words.get(1);
    let number = written.and_then(|word| word.text.parse::<u32>().ok()).filter(|number| *number == EDITION && words.len() == 2);
    if let Some(number) = number {
        return Some((number, written.map_or(whole, |word| word.span)));
    }
    let span = written.map_or(whole, |word| word.span);
    let text: Vec<&str> = words.iter().skip(1).take(MOST_WORDS).map(|word| word.text.as_str()).collect();
    let finding = Diagnostic::error("E0115", span).with("written", text.join(" ")).with("edition", EDITION);
    // The line is taken from the source, because carriage returns in a piece are already replaced by blanks.
    let line = source.get(piece.start..).and_then(|text| text.lines().next()).unwrap_or("").trim_end();
    diagnostics.push(match line.contains('\r') {
        true => finding.with("ends", "U+000D"),
        false => finding,
    });
    None
}

fn game(word: &'static str, file: FileId, pieces: &[Piece<'_>], taken: &mut usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Name> {
    let piece = pieces.get(*taken);
    let mut words = piece.map_or_else(Vec::new, |piece| words(file, *piece));
    let begins = words.first().is_some_and(|first| first.text == word);
    let is_name = |at: &Name| at.text.starts_with(is_word_start);
    if begins {
        *taken += 1;
        if words.len() == 2 && words.last().is_some_and(is_name) {
            return words.pop();
        }
    }
    let extra = words.iter().enumerate().skip(1).find(|(at, word)| *at > 1 || !is_name(word)).map(|(_, extra)| extra).filter(|_| begins);
    let end = || piece.filter(|_| begins).or(pieces.last()).map(|piece| end_of(file, *piece));
    let before = extra.or(words.first().filter(|_| !begins)).map(|word| word.span);
    let missing = Diagnostic::error("E0116", before.or_else(end).unwrap_or_default()).with("word", word);
    diagnostics.push(match extra {
        Some(extra) => missing.with("extra", extra.text.clone()),
        None => missing,
    });
    None
}

fn end_of(file: FileId, piece: Piece<'_>) -> Span {
    let end = (piece.start + piece.text.trim_end().len()) as u32;
    Span { file, start: end, end }
}

/// The words of a short piece, and its other signs one by one, without comments.
fn words(file: FileId, piece: Piece<'_>) -> Vec<Name> {
    let mut words = Vec::new();
    let mut at = piece.start;
    // A first line may be a whole file of something else.
    let end = (0..=LONGEST_HEAD.min(piece.text.len())).rev().find(|end| piece.text.is_char_boundary(*end)).unwrap_or(0);
    for line in piece.text.get(..end).unwrap_or("").split_inclusive('\n') {
        let code = line.split("--").next().unwrap_or("");
        let mut inside = 0;
        for run in code.split_inclusive(|sign| !is_word(sign)) {
            // A sign that is part of no word stands alone: `duel$` is a word and a sign.
            let (word, sign) = run.split_at(run.trim_end_matches(|sign| !is_word(sign)).len());
            for part in [word, sign] {
                let shown = part.trim_matches(is_blank);
                if !shown.is_empty() {
                    let start = (at + inside) as u32;
                    words.push(Name { text: shown.to_owned(), span: Span { file, start, end: start + shown.len() as u32 } });
                }
                inside += part.len();
            }
        }
        at += line.len();
    }
    words
}
