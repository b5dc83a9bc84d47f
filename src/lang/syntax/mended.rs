//! Full-width signs where the language has half-width ones: they are read as the half-width signs, and each run of them is reported.

use super::signs::{half_width, is_word};
use crate::diagnostic::{Diagnostic, FileId, Span};
use std::borrow::Cow;

/// The text with half-width signs for full-width ones outside of texts, quotations and comments. Gives one diagnostic for each run of such
/// signs.
pub(super) fn mend(file: FileId, text: &str) -> (Cow<'_, str>, Vec<Diagnostic>) {
    if !is_to_be_mended(text) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut mended = String::with_capacity(text.len());
    let (mut diagnostics, mut owed, mut quoted) = (Vec::new(), 0, Quoted::No);
    let mut run: Option<(usize, String)> = None;
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        quoted = quoted.after(sign, signs.peek().map(|(_, next)| *next));
        let half = half_width(sign).filter(|_| quoted == Quoted::No);
        match (half, &mut run) {
            (Some(half), Some((_, parts))) => parts.push(half),
            (Some(half), None) => run = Some((at, half.to_string())),
            (None, _) => close_run(file, text, at, &mut run, &mut diagnostics),
        }
        // A half-width sign has fewer bytes. The saved bytes are filled with blanks after the word, not inside it.
        if owed > 0 && !half.is_some_and(is_word) && !is_word(sign) {
            mended.extend(std::iter::repeat_n(' ', owed));
            owed = 0;
        }
        mended.push(half.unwrap_or(sign));
        owed += half.map_or(0, |half| sign.len_utf8() - half.len_utf8());
    }
    close_run(file, text, text.len(), &mut run, &mut diagnostics);
    mended.extend(std::iter::repeat_n(' ', owed));
    (Cow::Owned(mended), diagnostics)
}

/// Whether a full-width sign stands outside of texts, quotations and comments. Only signs whose first byte can matter are decoded:
/// full-width signs and corner marks begin with E3 or EF.
fn is_to_be_mended(text: &str) -> bool {
    let mut quoted = Quoted::No;
    for (at, byte) in text.bytes().enumerate() {
        let may_count = matches!(byte, b'"' | b'\\' | b'\n' | b'-' | 0xE3 | 0xEF);
        if !may_count && (quoted != Quoted::Escape || !text.is_char_boundary(at)) {
            continue;
        }
        let mut signs = text.get(at..).unwrap_or("").chars();
        let sign = signs.next().unwrap_or(' ');
        quoted = quoted.after(sign, signs.next());
        if quoted == Quoted::No && half_width(sign).is_some() {
            return true;
        }
    }
    false
}

fn close_run(file: FileId, text: &str, end: usize, run: &mut Option<(usize, String)>, diagnostics: &mut Vec<Diagnostic>) {
    let Some((start, parts)) = run.take() else { return };
    let span = Span { file, start: start as u32, end: end as u32 };
    let written = text.get(start..end).unwrap_or("");
    diagnostics.push(Diagnostic::error("E0103", span).with("sign", written).with("half", parts));
}

/// What surrounds a sign. Signs inside texts, quotations and comments are not mended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Comment,
    Text,
    Escape,
    Quotation(u32),
}

impl Quoted {
    fn after(self, sign: char, next: Option<char>) -> Self {
        match (self, sign) {
            (Quoted::No, '"') => Quoted::Text,
            (Quoted::No, '「') => Quoted::Quotation(1),
            (Quoted::No, '-') if next == Some('-') => Quoted::Comment,
            (Quoted::Comment | Quoted::Text, '\n') | (Quoted::Text, '"') => Quoted::No,
            (Quoted::Text, '\\') => Quoted::Escape,
            (Quoted::Escape, _) => Quoted::Text,
            (Quoted::Quotation(1), '」') => Quoted::No,
            (Quoted::Quotation(depth), '」') => Quoted::Quotation(depth - 1),
            (Quoted::Quotation(depth), '「') => Quoted::Quotation(depth.saturating_add(1)),
            _ => self,
        }
    }
}
