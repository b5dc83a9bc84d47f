//! Finds every citation in a source, with its place.
//!
//! It reads signs, not trees: `@…` outside of texts, quotations and comments is a citation anywhere. So new constructs of the language need
//! no change here.

use lang::diagnostic::{FileId, Span};
use lang::syntax::cites;

/// The citations of a source in order, without `@`.
#[must_use]
pub fn citations(file: FileId, text: &str) -> Vec<(String, Span)> {
    let cites = cites(text).filter(|token| token.text.len() > 1);
    let place = |start: usize, length: usize| Span { file, start: start as u32, end: (start + length) as u32 };
    cites.map(|token| (token.text.trim_start_matches('@').to_owned(), place(token.start, token.text.len()))).collect()
}

#[cfg(test)]
mod tests {
    use super::citations;
    use lang::diagnostic::FileId;

    fn check(text: &str, expect: &[&str]) {
        let found = citations(FileId(0), text);
        assert_eq!(found.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), expect);
        assert!(found.iter().all(|(id, span)| text.get(span.start as usize + 1..span.end as usize) == Some(id)));
    }

    #[test]
    fn citations_stand_anywhere_but_in_texts_and_comments() {
        check("@6-2-1   judge { @4-3-2 move(a, b) }", &["6-2-1", "4-3-2"]);
        check("param x \"デッキ @1\" @5-2 = 5 -- see @9\n@20-4[18][1] stop", &["5-2", "20-4[18][1]"]);
        check("text 「@3「@4」@5」 @6 \"a\\\"@7\" @202.2a", &["6", "202.2a"]);
        check("keyword k @G:〜の対象にならない { }", &["G:〜の対象にならない"]);
        check("\"not closed @1\n@2", &["2"]);
        check("a @ b", &[]);
    }
}
