//! Where a game's words would stand in a source: what is code, what is quoted, what is prose.
//!
//! A word is compared whole. One that looks like a word of prose (small letters only: `battle`) may stand in sentences for
//! people, but in no code and in nothing that is quoted, where it is a game's; any other (Japanese, or several words in
//! one, as `cost_area`) may stand nowhere, in comments neither.

/// A stretch of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch<'a> {
    /// Rust code without its strings and comments.
    Code(&'a str),
    /// What a string literal says, or what stands in backticks.
    Quoted(&'a str),
    /// Sentences for people.
    Prose(&'a str),
}

/// The stretches of a file, by what its ending says it is.
pub fn stretches<'a>(ending: &str, text: &'a str) -> Vec<Stretch<'a>> {
    match ending {
        "rs" => rust(text),
        "rules" | "cards" | "scenarios" => vec![Stretch::Quoted(text)],
        _ => prose(text),
    }
}

/// The words of a text: runs of letters, digits and `_`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
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

/// What a string literal says that begins after `before`, and what follows it.
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

/// A game's word, by how it may be met.
#[derive(Clone, Debug)]
pub struct Word {
    text: String,
    plain: bool,
}

impl Word {
    /// A word of one game.
    pub fn new(text: String) -> Word {
        let plain = text.chars().all(|sign| sign.is_ascii_lowercase());
        Word { text, plain }
    }

    /// Whether it stands in a stretch where it must not.
    pub fn leaks(&self, stretch: Stretch<'_>) -> bool {
        match stretch {
            Stretch::Prose(text) => !self.plain && self.stands_in(text),
            Stretch::Code(text) | Stretch::Quoted(text) => self.stands_in(text),
        }
    }

    /// Between signs of another script: Japanese is printed without blanks, so a label's neighbours are what another kind of
    /// sign begins (`デッキの上`, but not `手` in `手札`).
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
