//! The numbering scheme of a rulebook, and a numbered text read by it.
//!
//! A scheme is a pattern: `#` is a number, `a` small and `A` capital letters, `(…)*` as often as wanted, `(…)?` once or not, everything
//! else stands for itself. `#(-#)*` reads 6-2-1, `#.#(a)?(-#)?` reads 804.11a-2, `#-#([#])*` reads 20-4[18][1]. A line that begins with
//! such a number, a full stop or blanks behind it, begins a rule, also behind the mark of a list; other lines go on with it. Deliberately absent: what a rule means; its
//! class is guessed, and somebody has to look.

/// A part of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Number,
    Small,
    Capital,
    Sign(char),
    Repeated(Vec<Part>),
    Optional(Vec<Part>),
}

/// A numbering scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme(Vec<Part>);

/// Why a scheme cannot be read: the place in it, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadScheme(pub usize);

impl Scheme {
    /// Reads a scheme.
    ///
    /// # Errors
    /// Where a bracket is not closed, or has no `*` or `?` behind it.
    pub fn read(text: &str) -> Result<Self, BadScheme> {
        let signs: Vec<char> = text.chars().collect();
        let mut at = 0;
        let parts = parts(&signs, &mut at, false)?;
        if parts.is_empty() { Err(BadScheme(0)) } else { Ok(Scheme(parts)) }
    }

    /// The number with which a line begins, and what stands behind it; the longest there is.
    #[must_use]
    pub fn split<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let line = without_list_mark(line.trim_start_matches([' ', '\t', '\u{3000}']));
        let ends = ends(&self.0, line, 0);
        ends.into_iter().rev().filter(|end| *end > 0).find_map(|end| {
            let (number, rest) = line.split_at_checked(end)?;
            let behind = rest.strip_prefix(['.', '．', ':', '：']).unwrap_or(rest);
            let parted = behind.is_empty() || behind.starts_with(char::is_whitespace) || behind.len() < rest.len();
            parted.then(|| (number, behind.trim()))
        })
    }
}

/// `- 6-2-1.` is how a text that was made into a list has it, `## 6-2.` how one with marked headings has it.
fn without_list_mark(line: &str) -> &str {
    let rest = line.trim_start_matches(['-', '*', '•', '・', '#']);
    if rest.starts_with(char::is_whitespace) { rest.trim_start() } else { line }
}

fn parts(signs: &[char], at: &mut usize, inside: bool) -> Result<Vec<Part>, BadScheme> {
    let begin = *at;
    let mut found = Vec::new();
    while let Some(sign) = signs.get(*at) {
        *at += 1;
        match sign {
            '#' => found.push(Part::Number),
            'a' => found.push(Part::Small),
            'A' => found.push(Part::Capital),
            ')' if inside => return Ok(found),
            '(' => {
                let inner = parts(signs, at, true)?;
                let how = signs.get(*at);
                *at += 1;
                match how {
                    Some('*') => found.push(Part::Repeated(inner)),
                    Some('?') => found.push(Part::Optional(inner)),
                    _ => return Err(BadScheme(*at - 1)),
                }
            }
            other => found.push(Part::Sign(*other)),
        }
    }
    if inside { Err(BadScheme(begin)) } else { Ok(found) }
}

/// Every byte at which a number that begins at `from` can end, in rising order.
fn ends(parts: &[Part], line: &str, from: usize) -> Vec<usize> {
    let Some((first, rest)) = parts.split_first() else { return vec![from] };
    let next: Vec<usize> = match first {
        Part::Number => run(line, from, |sign| sign.is_ascii_digit()),
        Part::Small => run(line, from, |sign| sign.is_ascii_lowercase()),
        Part::Capital => run(line, from, |sign| sign.is_ascii_uppercase()),
        Part::Sign(sign) => {
            let there = line.get(from..).is_some_and(|rest| rest.starts_with(*sign));
            if there { vec![from + sign.len_utf8()] } else { Vec::new() }
        }
        Part::Optional(inner) => std::iter::once(from).chain(ends(inner, line, from)).collect(),
        Part::Repeated(inner) => repeated(inner, line, from),
    };
    let mut all: Vec<usize> = next.into_iter().flat_map(|from| ends(rest, line, from)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn repeated(inner: &[Part], line: &str, from: usize) -> Vec<usize> {
    let mut all = vec![from];
    let mut at = 0;
    while let Some(start) = all.get(at).copied() {
        // A round that takes nothing would be taken for ever.
        let more: Vec<usize> = ends(inner, line, start).into_iter().filter(|end| *end > start && !all.contains(end)).collect();
        all.extend(more);
        at += 1;
    }
    all
}

/// A run of such signs, as far as it goes.
fn run(line: &str, from: usize, is: impl Fn(char) -> bool) -> Vec<usize> {
    let length: usize = line.get(from..).unwrap_or("").chars().take_while(|sign| is(*sign)).map(char::len_utf8).sum();
    if length > 0 { vec![from + length] } else { Vec::new() }
}

/// A rule of a numbered text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// Its number.
    pub id: String,
    /// What it says, on one line.
    pub text: String,
    /// The line that it begins on, from 1.
    pub line: usize,
}

/// The rules of a text whose numbers are of one of the schemes.
#[must_use]
pub fn numbered(text: &str, schemes: &[Scheme]) -> Vec<Numbered> {
    let mut rules: Vec<Numbered> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let found = schemes.iter().filter_map(|scheme| scheme.split(line)).max_by_key(|(number, _)| number.len());
        match (found, rules.last_mut()) {
            (Some((id, rest)), _) => rules.push(Numbered { id: id.to_owned(), text: plain(rest), line: at + 1 }),
            (None, Some(rule)) if !line.trim().is_empty() => {
                let more = plain(line);
                let glue = if rule.text.ends_with(|sign: char| sign.is_ascii()) && !rule.text.is_empty() { " " } else { "" };
                rule.text.push_str(glue);
                rule.text.push_str(&more);
            }
            _ => {}
        }
    }
    rules
}

/// Without tabs and runs of blanks, which would part columns.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An index from numbered rules. A rule that ends like a sentence is a mechanic; one that does not is a heading. A number that comes
/// twice is left out the second time, and given back.
#[must_use]
pub fn index(rules: &[Numbered]) -> (String, Vec<&Numbered>) {
    let mut rows = String::new();
    let (mut seen, mut twice) = (std::collections::BTreeSet::new(), Vec::new());
    for rule in rules {
        if !seen.insert(rule.id.as_str()) {
            twice.push(rule);
            continue;
        }
        let sentence = rule.text.ends_with(['。', '.', '．', '！', '!', '」', '）', ')']);
        let class = if sentence { "mechanic" } else { "none" };
        rows.push_str(&format!("{}\t{class}\t{}\n", rule.id, rule.text));
    }
    (rows, twice)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::{BadScheme, Scheme, index, numbered};

    fn check(scheme: &str, line: &str, expect: Option<(&str, &str)>) {
        assert_eq!(Scheme::read(scheme).unwrap().split(line), expect, "{scheme} {line}");
    }

    #[test]
    fn numbers_of_several_rulebooks() {
        check("#(-#)*", "6-2-1. Both draw.", Some(("6-2-1", "Both draw.")));
        check("#(-#)*", "6-2-1　各プレイヤーは引く。", Some(("6-2-1", "各プレイヤーは引く。")));
        check("#(-#)*", "- 6-2-1. Both draw.", Some(("6-2-1", "Both draw.")));
        check("#(-#)*", "  ## 6-2. Drawing", Some(("6-2", "Drawing")));
        check("#(-#)*", "-2 is less than nothing", None);
        check("#(-#)*", "30 cards", Some(("30", "cards")));
        check("#-#(-#)*", "30 cards", None);
        check("#.#(a)?(-#)?", "804.11a-2 When", Some(("804.11a-2", "When")));
        check("#.#(a)?(-#)?", "804.11 When", Some(("804.11", "When")));
        check("#-#([#])*", "20-4[18][1] then", Some(("20-4[18][1]", "then")));
        check("#(-#)*", "6-2-1x", None);
        check("#(-#)*", "no number", None);
    }

    #[test]
    fn a_broken_scheme_is_told_with_its_place() {
        assert_eq!(Scheme::read("#(-#"), Err(BadScheme(2)));
        assert_eq!(Scheme::read("#(-#)+"), Err(BadScheme(5)));
        assert_eq!(Scheme::read(""), Err(BadScheme(0)));
    }

    #[test]
    fn a_text_becomes_an_index() {
        let text = "Rules\n\n1. The game\n1-1 Two players\tplay,\n    never more.\n1-2. They draw.\n1-2. Again.\n";
        let rules = numbered(text, &[Scheme::read("#(-#)*").unwrap()]);
        let (rows, twice) = index(&rules);
        assert_eq!(rows, "1\tnone\tThe game\n1-1\tmechanic\tTwo players play, never more.\n1-2\tmechanic\tThey draw.\n");
        assert_eq!(twice.iter().map(|rule| rule.line).collect::<Vec<_>>(), [7]);
    }
}
