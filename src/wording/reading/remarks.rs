//! Remarks in printed text: `annotation 「（」 to 「）」`. They are skipped when a text is read. Headings: `heading 「【」 to 「】」`. They are
//! read, and are no part of an ability's body.

use crate::reading::fold::{fold, fold_text};
use lang::syntax::ast::{Decl, DeclKind, WordingKind};
use std::sync::Arc;

/// The signs that open and close a remark, folded. The signs before the last opening sign say where a remark may stand.
pub type Annotation = (Vec<char>, Vec<char>);

/// The remarks that a game declares.
#[must_use]
pub fn annotations(decls: &[Arc<Decl>]) -> Vec<Annotation> {
    declared(decls).filter_map(annotation).collect()
}

/// The signs that open and close a heading. They are not folded: brackets of another form are no heading.
pub type Heading = (String, String);

/// The headings that a game declares.
#[must_use]
pub fn headings(decls: &[Arc<Decl>]) -> Vec<Heading> {
    let heading = |item: &WordingKind| match item {
        WordingKind::Heading(open, close) if !open.text.is_empty() => Some((open.text.clone(), close.text.clone())),
        _ => None,
    };
    declared(decls).filter_map(heading).collect()
}

/// The lines of the game's wordings.
fn declared(decls: &[Arc<Decl>]) -> impl Iterator<Item = &WordingKind> {
    let wordings = decls.iter().filter_map(|decl| if let DeclKind::Wording(wording) = &decl.kind { Some(wording) } else { None });
    wordings.flat_map(|wording| &wording.items).map(|item| &item.kind)
}

/// The remark that a line of a wording declares.
pub(crate) fn annotation(item: &WordingKind) -> Option<Annotation> {
    match item {
        WordingKind::Annotation(open, close) => Some((fold_text(&open.text), fold_text(&close.text))),
        _ => None,
    }
}

/// A text without its remarks. The signs before a remark stay.
#[must_use]
pub fn without_remarks(text: &str, annotations: &[Annotation]) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for (open, close) in annotations {
        drop_each(&mut signs, (open, close), open.len().saturating_sub(1), |sign| *sign);
    }
    signs.into_iter().collect()
}

/// Removes the remarks from a line that is read, with their whole opening.
pub(crate) fn skip_remarks(printed: &mut Vec<(char, u32)>, (open, close): &Annotation) {
    drop_each(printed, (open, close), 0, |(sign, _)| *sign);
}

/// A printed line after the headings that stand before it. A heading that is not closed is none.
#[must_use]
pub fn without_headings<'t>(line: &'t str, headings: &[Heading]) -> &'t str {
    let behind = |text: &'t str| headings.iter().find_map(|(open, close)| text.strip_prefix(open)?.split_once(close).map(|(_, rest)| rest));
    let mut rest = line.trim_start();
    while let Some(behind) = behind(rest) {
        rest = behind.trim_start();
    }
    rest
}

/// Removes each remark except the first `kept` signs of its opening.
fn drop_each<T>(signs: &mut Vec<T>, (open, close): (&[char], &[char]), kept: usize, sign: impl Fn(&T) -> char) {
    let begins = |signs: &[T], mark: &[char]| signs.len() >= mark.len() && signs.iter().zip(mark).all(|(of, mark)| fold(sign(of)) == *mark);
    let mut at = 0;
    while let Some(rest) = signs.get(at..).filter(|rest| !rest.is_empty()) {
        let length =
            begins(rest, open).then(|| (0..rest.len()).find(|end| rest.get(*end..).is_some_and(|rest| begins(rest, close)))).flatten();
        match length {
            Some(length) if length >= kept => _ = signs.drain(at + kept..at + length + close.len()),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Annotation, skip_remarks, without_headings, without_remarks};

    fn mark(open: &str, close: &str) -> Annotation {
        (open.chars().collect(), close.chars().collect())
    }

    #[test]
    fn headings_stand_before_a_line() {
        let headings = [("【", "】"), ("〔", "〕")].map(|(open, close)| (open.to_owned(), close.to_owned()));
        assert_eq!(without_headings("〔火〕【点】[場]引く。【点】〔火〕", &headings), "[場]引く。【点】〔火〕");
        assert_eq!(without_headings("引く。【点】", &headings), "引く。【点】");
        assert_eq!(without_headings("【点 引く。", &headings), "【点 引く。");
        assert_eq!(without_headings("【点】", &headings), "");
    }

    #[test]
    fn what_stands_before_a_remark_stays() {
        assert_eq!(without_remarks("引く。(一枚)捨てる(二枚)", &[mark("(", ")")]), "引く。捨てる");
        assert_eq!(without_remarks("引く。(一枚)捨てる(二枚)", &[mark("。(", ")")]), "引く。捨てる(二枚)");
        assert_eq!(without_remarks("開いたまま(引く", &[mark("(", ")")]), "開いたまま(引く");
    }

    #[test]
    fn a_line_is_read_without_the_opening() {
        let mut line: Vec<(char, u32)> = "引く。(一枚)".chars().zip(0..).collect();
        skip_remarks(&mut line, &mark("。(", ")"));
        assert_eq!(line, [('引', 0), ('く', 1)]);
    }
}
