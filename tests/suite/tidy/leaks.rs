//! Finds words of games in a source. Code, quoted text and prose are told apart.
//!
//! Only whole words are compared. A word of small letters only (`battle`) looks like a word of prose. It may
//! stand in sentences for people, but not in code and not in quotations, where it would be the game's word. Any
//! other word (Japanese, or several words in one, such as `cost_area`) may stand nowhere, also not in comments.

/// A part of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch<'a> {
    /// Rust code without its strings and comments.
    Code(&'a str),
    /// The contents of a string literal, or of backticks.
    Quoted(&'a str),
    /// Sentences for people.
    Prose(&'a str),
}

/// The parts of a file. The ending of the file's name says how it is read.
pub(super) fn stretches<'a>(ending: &str, text: &'a str) -> Vec<Stretch<'a>> {
    match ending {
        "rs" => rust(text),
        "rules" | "cards" | "scenarios" => vec![Stretch::Quoted(text)],
        _ => prose(text),
    }
}

/// The words of a text: runs of letters, digits and `_`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter(|word| !word.is_empty())
}

fn prose(text: &str) -> Vec<Stretch<'_>> {
    text.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { Stretch::Prose(part) } else { Stretch::Quoted(part) }).collect()
}

fn rust(text: &str) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let quote = rest.find('"').unwrap_or(rest.len());
        let comment = rest.find("//").unwrap_or(rest.len());
        let start = quote.min(comment);
        found.push(Stretch::Code(&rest[..start]));
        if start == rest.len() {
            return found;
        }
        if comment < quote {
            let end = rest[start..].find('\n').map_or(rest.len(), |end| start + end);
            found.extend(prose(&rest[start..end]));
            rest = &rest[end..];
        } else if rest[..start].ends_with('\'') {
            // The sign '"'.
            rest = &rest[start + 1..];
        } else {
            let (inner, after) = literal(&rest[..start], &rest[start + 1..]);
            found.push(Stretch::Quoted(inner));
            rest = after;
        }
    }
}

/// The contents of a string literal that begins after `before`, and the text after it.
fn literal<'a>(before: &str, text: &'a str) -> (&'a str, &'a str) {
    let hashes = before.len() - before.trim_end_matches('#').len();
    if before.trim_end_matches('#').ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        let end = text.find(&close).unwrap_or(text.len());
        return (&text[..end], text.get(end + close.len()..).unwrap_or(""));
    }
    let mut escaped = false;
    let end = text.find(|sign: char| {
        let closes = sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
        closes
    });
    end.map_or((text, ""), |end| (&text[..end], &text[end + 1..]))
}

/// A word of a game. `plain`: it has small letters only.
#[derive(Clone, Debug)]
pub(super) struct Word {
    text: String,
    plain: bool,
}

impl Word {
    /// A word of one game.
    pub(super) fn new(text: String) -> Word {
        let plain = text.chars().all(|sign| sign.is_ascii_lowercase());
        Word { text, plain }
    }

    /// Whether the signs of the word stand anywhere in a text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(self.text.as_str())
    }

    /// Whether the word stands in a part in which it may not stand.
    pub(super) fn leaks(&self, stretch: Stretch<'_>) -> bool {
        match stretch {
            Stretch::Prose(text) => !self.plain && self.stands_in(text),
            Stretch::Code(text) | Stretch::Quoted(text) => self.stands_in(text),
        }
    }

    /// Whether the word stands in the text as a whole word. Japanese is printed without blanks, so a
    /// word may also end where another kind of sign begins (`デッキ` in `デッキの上`, but not `手` in `手札`).
    fn stands_in(&self, text: &str) -> bool {
        let kind = |sign: Option<char>| sign.map_or(Script::Other, script);
        text.match_indices(self.text.as_str()).any(|(at, found)| {
            let before = kind(text[..at].chars().next_back());
            let after = kind(text[at + found.len()..].chars().next());
            let joins = |outer: Script, inner: Option<char>| outer != Script::Other && outer == kind(inner);
            !joins(before, found.chars().next()) && !joins(after, found.chars().next_back())
        })
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Hiragana,
    Katakana,
    Kanji,
    Other,
}

fn script(sign: char) -> Script {
    match sign {
        '_' => Script::Latin,
        '\u{3041}'..='\u{309F}' => Script::Hiragana,
        '\u{30A1}'..='\u{30FA}' | 'ー' => Script::Katakana,
        '\u{4E00}'..='\u{9FFF}' | '々' => Script::Kanji,
        _ if sign.is_ascii_alphanumeric() => Script::Latin,
        _ => Script::Other,
    }
}

#[test]
fn a_source_is_cut_into_what_it_is() {
    use Stretch::{Code, Prose, Quoted};
    let text = "let a = \"b\\\"c\"; // one `two`\nlet d = r#\"e\"f\"#;\nlet g = '\"';";
    let expected =
        [Code("let a = "), Quoted("b\\\"c"), Code("; "), Prose("// one "), Quoted("two"), Prose(""), Code("\nlet d = r#"), Quoted("e\"f")];
    assert_eq!(stretches("rs", text)[..8], expected);
    assert_eq!(stretches("rs", text)[8..], [Code(";\nlet g = '"), Code("';")]);
}

#[test]
fn a_word_is_compared_whole() {
    let word = |text: &str| Word::new(text.to_owned());
    for (text, stretch, leaks) in [
        ("手", Stretch::Prose("手札から"), false),
        ("手札", Stretch::Prose("手札から"), true),
        ("cost_area", Stretch::Prose("the cost_area"), true),
        ("cost_area", Stretch::Code("cost_areas"), false),
        ("janken", Stretch::Prose("janken"), false),
        ("janken", Stretch::Code("let janken"), true),
        ("janken", Stretch::Quoted("enum janken"), true),
    ] {
        assert_eq!(word(text).leaks(stretch), leaks, "{text} {stretch:?}");
    }
}
