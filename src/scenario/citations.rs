//! Every citation in a source, with its place.
//!
//! Reads signs, not trees: `@…` outside of texts, quotations and comments is a citation wherever it stands, so that a new
//! construct of the language needs nothing here.

use crate::diagnostic::{FileId, Span};

/// The citations of a source, in order, each without its `@`.
#[must_use]
pub fn citations(file: FileId, text: &str) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '"' => quoted(rest),
            '「' => quotation(rest),
            '@' => {
                let id = id_of(rest);
                let start = (text.len() - rest.len()) as u32;
                if !id.is_empty() {
                    found.push((id.to_owned(), Span { file, start, end: start + 1 + id.len() as u32 }));
                }
                1 + id.len()
            }
            other => other.len_utf8(),
        };
        rest = rest.get(length..).unwrap_or("");
    }
    found
}

/// The length of a text `"…"` with its marks; to the end of the line where it is not closed.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in rest.char_indices().skip(1) {
        match sign {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = sign == '\\' && !escaped,
        }
    }
    rest.len()
}

/// The length of a quotation `「…」`, which may hold others.
fn quotation(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in rest.char_indices() {
        match sign {
            '「' => depth += 1,
            '」' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + sign.len_utf8();
        }
    }
    rest.len()
}

/// The number behind an `@`.
fn id_of(rest: &str) -> &str {
    let behind = rest.get(1..).unwrap_or("");
    let end = if behind.starts_with("G:") {
        behind.find(char::is_whitespace)
    } else {
        behind.find(|sign: char| !(sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '[' | ']' | '/')))
    };
    behind.get(..end.unwrap_or(behind.len())).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::citations;
    use crate::diagnostic::FileId;

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
