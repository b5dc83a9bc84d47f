//! Makes the rows of an index from a numbered text: finds the lines that are rules, and their numbers.
//!
//! The numbers of a rulebook ascend. So the longest ascending row among all numbers at the beginnings of lines is taken for the rules. The
//! numbers of a table of contents, of a list of changes and of broken lines are outside this row. A number outside the row is a rule that
//! is printed in the wrong place, if it occurs only once and belongs below a rule or after its neighbour. The class of a rule is only
//! guessed, so a person has to check it.

use super::numbering::Scheme;
use std::collections::{BTreeMap, BTreeSet};

/// A rule of a numbered text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The rule's number.
    pub id: String,
    /// The rule's text, on one line.
    pub text: String,
    /// The line where the rule begins, from 1.
    pub line: usize,
}

/// The rules found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The rules in order.
    pub rules: Vec<Numbered>,
    /// Numbers that occur a second time. They are left out.
    pub twice: Vec<Numbered>,
    /// Numbers in impossible places. They are left out.
    pub stray: Vec<Numbered>,
    /// Rules that are printed in another place than their numbers say.
    pub displaced: Vec<Numbered>,
}

/// A line, or a part of a line, that begins with a number.
struct Found<'t> {
    printed: &'t str,
    /// The number of the scheme that fits.
    scheme: usize,
    text: String,
    line: usize,
    /// The parts of the number, for comparing numbers by size.
    order: Vec<u64>,
    /// Whether the line belongs to a table of contents.
    listed: bool,
}

/// The rules of a text whose numbers follow these schemes.
#[must_use]
pub fn imported(text: &str, schemes: &[Scheme]) -> Imported {
    let found = found(text, schemes);
    let ascends = |found: &Found<'_>| schemes.get(found.scheme).is_some_and(Scheme::ordered);
    let rows: Vec<(usize, &[u64])> =
        found.iter().enumerate().filter(|(_, it)| ascends(it) && !it.listed).map(|(at, it)| (at, it.order.as_slice())).collect();
    let mut chain = longest_ascending(&rows);
    let displaced = displaced(&rows, &chain);
    chain.extend(&displaced);
    let ids: BTreeSet<&str> = chain.iter().filter_map(|at| found.get(*at)).map(|it| it.printed).collect();
    let mut walk = Walk { all: Imported::default(), seen: BTreeSet::new(), above: Vec::new(), counts: BTreeMap::new(), lost: false };
    for (at, it) in found.iter().enumerate() {
        let Some(scheme) = schemes.get(it.scheme) else { continue };
        if scheme.none {
            walk.lost = true;
        } else if scheme.item {
            walk.item(it, scheme);
        } else if !scheme.ordered() {
            walk.rule(it, scheme.write(it.printed, 1));
        } else if chain.contains(&at) {
            walk.rule(it, it.printed.to_owned());
            if displaced.contains(&at) {
                walk.all.displaced.push(Numbered { id: it.printed.to_owned(), text: it.text.clone(), line: it.line });
            }
        } else {
            walk.lost = true;
            let row = Numbered { id: it.printed.to_owned(), text: it.text.clone(), line: it.line };
            match (it.listed, ids.contains(it.printed)) {
                (true, _) => {}
                (false, true) => walk.all.twice.push(row),
                (false, false) => walk.all.stray.push(row),
            }
        }
    }
    let listed = found.iter().filter(|it| it.listed && !ids.contains(it.printed));
    only_listed(&mut walk.all.rules, listed.collect());
    walk.all
}

/// The state of the walk through a text.
struct Walk {
    all: Imported,
    seen: BTreeSet<String>,
    /// The rule that lines belong to, and the items in it: depth and number.
    above: Vec<(usize, String)>,
    /// How many items of a scheme a number has so far.
    counts: BTreeMap<(String, usize), usize>,
    /// Whether the following lines belong to a number that was left out.
    lost: bool,
}

impl Walk {
    fn rule(&mut self, found: &Found<'_>, id: String) {
        self.lost = false;
        self.above = vec![(0, id.clone())];
        self.keep(found, id);
    }

    fn item(&mut self, found: &Found<'_>, scheme: &Scheme) {
        if self.lost {
            return;
        }
        let depth = found.scheme + 1;
        while self.above.last().is_some_and(|(above, _)| *above >= depth) {
            self.above.pop();
        }
        let Some((_, above)) = self.above.last() else { return };
        let count = self.counts.entry((above.clone(), found.scheme)).or_default();
        *count += 1;
        let id = format!("{above}{}", scheme.write(found.printed, *count));
        self.above.push((depth, id.clone()));
        self.keep(found, id);
    }

    fn keep(&mut self, found: &Found<'_>, id: String) {
        let row = Numbered { id, text: found.text.clone(), line: found.line };
        if self.seen.insert(row.id.clone()) { self.all.rules.push(row) } else { self.all.twice.push(row) }
    }
}

/// Every number at the beginning of a line, and numbers inside a line that continue the number before.
fn found<'t>(text: &'t str, schemes: &[Scheme]) -> Vec<Found<'t>> {
    let mut all: Vec<Found<'t>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let listed = is_listed(line);
        let mut rest = line;
        while let Some((scheme, (printed, behind))) = best(schemes, rest) {
            all.push(Found { printed, scheme, text: plain(behind), line: at + 1, order: order(printed), listed });
            // Several terms may stand before one explanation.
            rest = behind;
            if schemes.get(scheme).is_none_or(|scheme| scheme.item || scheme.none || scheme.ordered()) {
                break;
            }
        }
        if rest.len() == line.len() {
            go_on(&mut all, line);
        }
        if !listed {
            within(&mut all, schemes, rest, at + 1);
        }
    }
    all
}

fn best<'l>(schemes: &[Scheme], line: &'l str) -> Option<(usize, (&'l str, &'l str))> {
    let split = schemes.iter().enumerate().filter_map(|(at, scheme)| Some((at, scheme.split(line)?)));
    let none = |at: usize| schemes.get(at).is_some_and(|scheme| scheme.none);
    split.max_by_key(|(at, (printed, _))| (printed.len(), none(*at), usize::MAX - at))
}

/// A line without a number continues the rule before.
fn go_on(all: &mut [Found<'_>], line: &str) {
    let (Some(last), false) = (all.last_mut(), line.trim().is_empty()) else { return };
    let glue = if last.text.ends_with(|sign: char| sign.is_ascii()) && !last.text.is_empty() { " " } else { "" };
    last.text.push_str(glue);
    last.text.push_str(&plain(line));
}

/// Behind a sentence, the next number may stand on the same line.
fn within<'t>(all: &mut Vec<Found<'t>>, schemes: &[Scheme], line: &'t str, number: usize) {
    let mut from = 0;
    while let Some(end) = line.get(from..).and_then(|rest| rest.find('。')).map(|at| from + at + '。'.len_utf8()) {
        from = end;
        let Some(rest) = line.get(end..) else { return };
        let Some(last) = all.last_mut() else { return };
        let ordered = schemes.iter().enumerate().filter(|(_, scheme)| scheme.ordered());
        let next = ordered.filter_map(|(at, scheme)| Some((at, scheme.split(rest)?))).find(|(_, (printed, behind))| {
            let stop = rest.trim_start().strip_prefix(*printed).is_some_and(|rest| rest.starts_with(['.', '．']));
            stop && !behind.is_empty() && follows(&last.order, &order(printed))
        });
        if let Some((scheme, (printed, behind))) = next {
            let kept = last.text.len().saturating_sub(plain(rest).len());
            last.text.truncate(kept);
            last.text.truncate(last.text.trim_end().len());
            all.push(Found { printed, scheme, text: plain(behind), line: number, order: order(printed), listed: false });
        }
    }
}

/// Whether a number is the next one behind another: the first number below it, the next number beside it, or the next number beside one
/// above it.
fn follows(before: &[u64], number: &[u64]) -> bool {
    let Some((last, above)) = number.split_last() else { return false };
    match before.get(above.len()) {
        _ if above.is_empty() => false,
        Some(there) => before.starts_with(above) && *last == there + 1,
        None => before == above && *last == 1,
    }
}

/// The parts of a number as numbers: 804.11b-2 is 804, 11, 2, 2.
fn order(id: &str) -> Vec<u64> {
    let mut parts: Vec<u64> = Vec::new();
    let mut before = ' ';
    for sign in id.chars() {
        let (value, scale) = match sign {
            '0'..='9' => (sign as u64 - '0' as u64, 10),
            'a'..='z' => (sign as u64 - 'a' as u64 + 1, 27),
            'A'..='Z' => (sign as u64 - 'A' as u64 + 1, 27),
            _ => (0, 0),
        };
        let same = before.is_ascii_digit() == sign.is_ascii_digit() && before.is_ascii_alphanumeric();
        match parts.last_mut() {
            Some(last) if scale > 0 && same => *last = last.saturating_mul(scale).saturating_add(value),
            _ if scale > 0 => parts.push(value),
            _ => {}
        }
        before = sign;
    }
    parts
}

/// The longest row of ascending numbers. If two rows have the same length, the later one.
fn longest_ascending(rows: &[(usize, &[u64])]) -> BTreeSet<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (at, (_, number)) in rows.iter().enumerate() {
        let length = ends.partition_point(|end| rows.get(*end).is_some_and(|(_, other)| other < number));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chain = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        chain.extend(rows.get(at).map(|(found, _)| *found));
        next = before.get(at).copied().flatten();
    }
    chain
}

/// The rules that are printed in another place than their numbers say. Each occurs once, and belongs below or behind a rule.
fn displaced(rows: &[(usize, &[u64])], chain: &BTreeSet<usize>) -> BTreeSet<usize> {
    let within = chain.first().copied().unwrap_or(0)..chain.last().copied().unwrap_or(0);
    let mut rules: BTreeSet<&[u64]> = rows.iter().filter(|(at, _)| chain.contains(at)).map(|(_, number)| *number).collect();
    let mut found = BTreeSet::new();
    for (at, number) in rows.iter().filter(|(at, _)| within.contains(at) && !chain.contains(at)) {
        let once = rows.iter().filter(|(_, other)| other == number).count() == 1;
        let Some((last, above)) = number.split_last().filter(|(_, above)| once && !above.is_empty()) else { continue };
        let before: Vec<u64> = above.iter().copied().chain([last.saturating_sub(1)]).collect();
        if rules.contains(above) && (*last == 1 || rules.contains(before.as_slice())) {
            rules.insert(number);
            found.insert(*at);
        }
    }
    found
}

/// Whether a line is one of a table of contents: it ends in a page number after dots or a tab.
fn is_listed(line: &str) -> bool {
    let line = line.trim_end();
    let head = line.trim_end_matches(|sign: char| sign.is_ascii_digit());
    head.len() < line.len() && (head.ends_with('\t') || head.trim_end().ends_with("..") || head.trim_end().ends_with('…'))
}

/// A rule that only the table of contents names is added where its number belongs.
fn only_listed(rules: &mut Vec<Numbered>, listed: Vec<&Found<'_>>) {
    for it in listed {
        let text = it.text.split("..").next().unwrap_or("").trim_end_matches(|sign: char| sign.is_ascii_digit()).trim_end();
        let row = Numbered { id: it.printed.to_owned(), text: text.to_owned(), line: it.line };
        if rules.iter().all(|rule| rule.id != row.id) {
            let at = rules.iter().position(|rule| order(&rule.id) > it.order).unwrap_or(rules.len());
            rules.insert(at, row);
        }
    }
}

/// The text without tabs and repeated blanks, which would separate columns.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of an index. A rule that ends like a sentence is a mechanic, others are headings.
#[must_use]
pub fn rows(rules: &[Numbered]) -> String {
    let ends = ['。', '.', '．', '！', '!', '」', '）', ')'];
    let class = |rule: &Numbered| if rule.text.ends_with(ends) { "mechanic" } else { "none" };
    rules.iter().map(|rule| format!("{}\t{}\t{}\n", rule.id, class(rule), rule.text)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::{Imported, Numbered, imported, rows};
    use crate::numbering::Scheme;

    fn read(schemes: &[&str], text: &str) -> Imported {
        let schemes: Vec<Scheme> = schemes.iter().map(|scheme| Scheme::read(scheme).unwrap()).collect();
        imported(text, &schemes)
    }

    fn ids(rules: &[Numbered]) -> Vec<&str> {
        rules.iter().map(|rule| rule.id.as_str()).collect()
    }

    #[test]
    fn a_text_becomes_an_index() {
        let text = "Rules\n\n1. The game\n1-1 Two players\tplay,\n    never more.\n1-2. They draw.\n1-2. Again.\n";
        let found = read(&["#(-#)*"], text);
        let expected = "1\tnone\tThe game\n1-1\tmechanic\tTwo players play, never more.\n1-2\tmechanic\tAgain.\n";
        assert_eq!(rows(&found.rules), expected);
        assert_eq!(found.twice.iter().map(|rule| rule.line).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn contents_and_changes_are_no_rules() {
        let text = "1. 遊び\t1\n2. 山札.....3\n3. 付録\t9\n\n1-1. 二人で遊ぶ。\n1-2. 交互に引く。\n2. 山札\n2-1. 裏向きに置く。\n\n\
                    変更\n1-2 書き直した。\n1-7 削った。\n";
        let found = read(&["#(-#)*"], text);
        assert_eq!(ids(&found.rules), ["1", "1-1", "1-2", "2", "2-1", "3"]);
        assert_eq!(found.rules.iter().map(|rule| rule.text.as_str()).next(), Some("遊び"));
        assert_eq!((ids(&found.twice), ids(&found.stray)), (vec!["1-2"], vec!["1-7"]));
    }

    #[test]
    fn a_rule_in_the_wrong_place_is_one_and_a_reference_is_none() {
        let text = "1. 遊び\n1-1. 引く。\n2-1-1. 山札から。\n2-1-2. 一枚ずつ。\n2-7 を見よ。\n\
                    1-2. 置く。\n2. 札\n2-1. 引き方。\n3. 終わり\n3-1-1. なし。\n";
        let found = read(&["#(-#)*"], text);
        assert_eq!(ids(&found.rules), ["1", "1-1", "2-1-1", "2-1-2", "1-2", "2", "2-1", "3", "3-1-1"]);
        assert_eq!((ids(&found.displaced), ids(&found.stray)), (vec!["2-1-1", "2-1-2"], vec!["2-7"]));
    }

    #[test]
    fn what_is_said_to_be_no_rule_is_none_nor_what_follows() {
        let text = "101 引く。\n102 置く。\n2022 年 8 月\n- 直した。\n変更\n900 なし\n";
        assert_eq!(ids(&read(&["#(.#)*"], text).rules), ["101", "102", "900"]);
        assert_eq!(ids(&read(&["#(.#)*", "!変更"], text).rules), ["101", "102", "900"]);
        let found = read(&["#(.#)*", "!# 年", "!9#"], text);
        assert_eq!(rows(&found.rules), "101\tmechanic\t引く。\n102\tmechanic\t置く。\n");
    }

    #[test]
    fn a_number_in_the_middle_of_a_line_is_a_rule_where_it_is_the_next_one() {
        let text = "3-1. 置く。 3-1-1. 表向きに。3-1-2. 横向きに。 3-1-9. は別の話。 3-2. 戻す。\n";
        let found = read(&["#(-#)*"], text);
        assert_eq!(
            rows(&found.rules).lines().map(str::to_owned).collect::<Vec<_>>(),
            [
                "3-1\tmechanic\t置く。",
                "3-1-1\tmechanic\t表向きに。",
                "3-1-2\tmechanic\t横向きに。 3-1-9. は別の話。",
                "3-2\tmechanic\t戻す。",
            ]
        );
    }

    #[test]
    fn items_hang_on_the_rule_above_the_deeper_on_the_shallower() {
        let text =
            "2-1 手順\n[1] 名乗る。\n・大声で\n・小声で\n[2] 投げる。\n1.石を\n2.紙を\n2-2 猿\n・鳥\n用語\n【石】【岩】 重いもの。\n";
        let found = read(&["#(-#)*", "【…】=G:…", "+[#]", "+#.=[#]", "+・=/#"], text);
        let expected = ["2-1", "2-1[1]", "2-1[1]/1", "2-1[1]/2", "2-1[2]", "2-1[2][1]", "2-1[2][2]", "2-2", "2-2/1", "G:石", "G:岩"];
        assert_eq!(ids(&found.rules), expected);
        assert_eq!(found.rules.last().map(|rule| rule.text.as_str()), Some("重いもの。"));
    }

    #[test]
    fn five_ways_to_number() {
        let all: [(&[&str], &str, &[&str]); 5] = [
            (&["#(-#)*"], "1. 甲\n- 1-1. 乙\n - 1-1-1. 丙\n", &["1", "1-1", "1-1-1"]),
            (&["#(.#(a)?(-#)?)?"], "100. 甲\n101. 乙\n101.1. 丙\n101.1a 丁\n101.1a-1 戊\n", &["100", "101", "101.1", "101.1a", "101.1a-1"]),
            (&["#(-#)*", "+[#]", "+#.=[#]"], "20 甲\n20-4 乙\n[18] 丙\n1.丁\n", &["20", "20-4", "20-4[18]", "20-4[18][1]"]),
            (&["#(.#)*"], "1. 甲\n1.1. 乙\n - 1.1.1.1. 丙\n", &["1", "1.1", "1.1.1.1"]),
            (&["#(.#(a)?)?"], "201 甲\n- 201.2 乙\n201.2a 丙\n", &["201", "201.2", "201.2a"]),
        ];
        for (schemes, text, expected) in all {
            assert_eq!(ids(&read(schemes, text).rules), expected, "{schemes:?}");
        }
    }
}
