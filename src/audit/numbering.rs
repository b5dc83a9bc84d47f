//! The numbering scheme of a rulebook.
//!
//! A scheme is a pattern. `#` is a number, `a` small letters, `A` capital letters, `…` any words, `(…)*` any number of repetitions, `(…)?`
//! an optional part; every other sign stands for itself. `#(-#)*` reads 6-2-1, `#.#(a)?(-#)?` reads 804.11a-2. The number at the beginning
//! of a line must be followed by a full stop or blanks. The mark of a list may stand before it.
//!
//! `PRINTED=NUMBER` says that the number in the index differs from the printed one: `【…】=G:…` turns 【ドロー】 into G:ドロー. A `+` before a scheme
//! makes its lines items of the rule above, whose number they extend: `+[#]` reads `[3]` below 7-2 as 7-2[3], `+#.=[#]` reads `3.` as
//! `[3]`, `+・=/#` counts. Items of a later scheme are nested deeper. A `!` before a scheme: its lines are no rules, and the lines after
//! them belong to none: `!変更履歴`, `!# 年`.
//!
//! Which lines of a text are rules is decided in `imported.rs`.

/// A part of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Number,
    Small,
    Capital,
    Text,
    Sign(char),
    Repeated(Vec<Part>),
    Optional(Vec<Part>),
}

/// A numbering scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Whether the scheme's lines are items of the rule above.
    pub item: bool,
    /// Whether the scheme's lines are no rules.
    pub none: bool,
    printed: Vec<Part>,
    written: Option<String>,
}

/// A scheme that cannot be read: the place of the mistake, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadScheme(pub usize);

impl Scheme {
    /// Reads a scheme.
    ///
    /// # Errors
    /// The place of a bracket that is not closed or has no `*` or `?` after it, or of an empty side.
    pub fn read(text: &str) -> Result<Self, BadScheme> {
        let none = text.starts_with('!');
        let (item, pattern) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
        let pattern = if none { pattern.get(1..).unwrap_or("") } else { pattern };
        let marked = usize::from(item || none);
        let (printed, written) = pattern.split_once('=').map_or((pattern, None), |(printed, written)| (printed, Some(written)));
        let signs: Vec<char> = printed.chars().collect();
        let mut at = 0;
        let parts = parts(&signs, &mut at, false).map_err(|BadScheme(at)| BadScheme(at + marked))?;
        match (parts.is_empty(), written) {
            (true, _) => Err(BadScheme(marked)),
            (false, Some("")) => Err(BadScheme(text.chars().count())),
            (false, written) => Ok(Scheme { item, none, printed: parts, written: written.map(str::to_owned) }),
        }
    }

    /// Whether the index has the printed numbers, so that the numbers ascend.
    #[must_use]
    pub fn ordered(&self) -> bool {
        !self.item && !self.none && self.written.is_none()
    }

    /// The longest number of this scheme at the beginning of a line, and the rest of the line.
    #[must_use]
    pub fn split<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let line = line.trim_start_matches([' ', '\t', '\u{3000}']);
        self.begins(line).or_else(|| self.begins(without_list_mark(line)))
    }

    fn begins<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let marked = matches!(self.printed.last(), Some(Part::Sign(sign)) if !sign.is_alphanumeric());
        ends(&self.printed, line, 0).into_iter().rev().filter(|end| *end > 0).find_map(|end| {
            let (number, rest) = line.split_at_checked(end)?;
            let behind = rest.strip_prefix(['.', '．', ':', '：']).unwrap_or(rest);
            let parted = marked || behind.is_empty() || behind.starts_with(char::is_whitespace) || behind.len() < rest.len();
            parted.then(|| (number, behind.trim()))
        })
    }

    /// The number as written in an index. `count`: the position of the item among the items of its kind below its rule, from 1.
    #[must_use]
    pub fn write(&self, printed: &str, count: usize) -> String {
        let Some(written) = &self.written else { return printed.to_owned() };
        let sign = |part: &Part| if let Part::Sign(sign) = part { Some(*sign) } else { None };
        let before = self.printed.iter().map_while(sign).count();
        let behind = self.printed.iter().rev().map_while(sign).count();
        let signs = printed.chars().count();
        let words: String = printed.chars().take(signs.saturating_sub(behind)).skip(before).collect();
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        let number = if self.printed.contains(&Part::Number) { digits } else { count.to_string() };
        written.replace('#', &number).replace('…', &words)
    }
}

/// The line without the mark of a list (`- 6-2-1.`) or of a heading (`## 6-2.`).
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
            '…' => found.push(Part::Text),
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

/// Every byte at which a number from `from` on can end, in rising order.
fn ends(parts: &[Part], line: &str, from: usize) -> Vec<usize> {
    let Some((first, rest)) = parts.split_first() else { return vec![from] };
    let next: Vec<usize> = match first {
        Part::Text => {
            let until = |sign: char| !matches!(rest.first(), Some(Part::Sign(stop)) if *stop == sign);
            run(line, from, until)
        }
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
        // A round that takes no sign would repeat forever.
        let more: Vec<usize> = ends(inner, line, start).into_iter().filter(|end| *end > start && !all.contains(end)).collect();
        all.extend(more);
        at += 1;
    }
    all
}

/// Every length of a run of signs for which `is` is true, the longest last.
fn run(line: &str, from: usize, is: impl Fn(char) -> bool) -> Vec<usize> {
    let length: usize = line.get(from..).unwrap_or("").chars().take_while(|sign| is(*sign)).map(char::len_utf8).sum();
    if length > 0 { vec![from + length] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::{BadScheme, Scheme};

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
        assert_eq!(Scheme::read("+"), Err(BadScheme(1)));
        assert_eq!(Scheme::read("+(#"), Err(BadScheme(2)));
        assert_eq!(Scheme::read("・="), Err(BadScheme(2)));
        assert_eq!(Scheme::read("!"), Err(BadScheme(1)));
        assert_eq!(Scheme::read("!(#"), Err(BadScheme(2)));
    }

    #[test]
    fn an_item_goes_on_with_the_number_above_and_a_term_has_a_name() {
        let written = |scheme: &str, line: &str, count: usize| {
            let scheme = Scheme::read(scheme).unwrap();
            scheme.split(line).map(|(printed, behind)| (scheme.write(printed, count), behind.to_owned()))
        };
        let is = |id: &str, behind: &str| Some((id.to_owned(), behind.to_owned()));
        assert_eq!(written("+[#]", "[12] Battle", 1), is("[12]", "Battle"));
        assert_eq!(written("+#.=[#]", "3.名前", 1), is("[3]", "名前"));
        assert_eq!(written("+・=/#", "・猿の札", 4), is("/4", "猿の札"));
        assert_eq!(written("【…】=G:…", "【引く】【取る】", 1), is("G:引く", "【取る】"));
        assert_eq!(written("+[#]", "12 cards", 1), None);
    }
}
