//! Breaks lines of text between words. Japanese lines may break between signs, as the rules for line ends (禁則) allow. A name in 「」 stays in
//! one line if it fits. A number stays with the word that it counts (`コスト 3`, `デッキ（3）`).

use super::Widths;
use textwrap::WordSeparator;

/// A phrase is short if it takes at most this part of a line.
const SHORT: usize = 3;
/// Signs after which a line may well end.
const RESTS: [char; 7] = [' ', '　', '、', '。', '：', '→', '―'];
/// Signs with which no line begins.
const CLOSING: [char; 6] = ['」', '』', '）', '】', '》', '〉'];

/// The most signs of a word in brackets that stays with the word before it.
const BRACKETED: usize = 8;

/// The most columns by which lines after the first are indented.
const DEEPEST: usize = 24;

/// The text in lines of at most this many columns. Later lines are indented as far as the text of the first line, and two columns more.
#[must_use]
pub fn wrapped(text: &str, columns: usize, widths: Widths) -> Vec<String> {
    if widths.of(text) <= columns {
        return vec![text.to_owned()];
    }
    let (head, rest) = text.split_at(beginning(text));
    let margin = " ".repeat((widths.of(head) + 2).min(DEEPEST).min(columns / 2));
    let room = columns.saturating_sub(widths.of(&margin));
    let mut lines = vec![head.to_owned()];
    let mut is_begun = false;
    for phrase in phrases(rest) {
        // A short phrase goes into the next line as a whole.
        let is_short = widths.of(phrase.trim_end()) <= room / SHORT;
        let parts = if is_short { vec![phrase] } else { pieces(phrase, room, widths) };
        for part in parts {
            let Some(line) = lines.last_mut() else { break };
            if is_begun && widths.of(line) + widths.of(part.trim_end()) > columns {
                line.truncate(line.trim_end().len());
                lines.push(format!("{margin}{part}"));
            } else {
                line.push_str(part);
            }
            is_begun = true;
        }
    }
    if let Some(line) = lines.last_mut() {
        line.truncate(line.trim_end().len());
    }
    lines
}

/// The parts of a text that end with a blank or with a sign after which a reader rests.
fn phrases(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut last) = (0, ' ');
    for (at, sign) in text.char_indices() {
        // Signs that close something belong to the phrase before them, as does a number.
        let (before, rest) = text.split_at(at);
        if RESTS.contains(&last) && !RESTS.contains(&sign) && !CLOSING.contains(&sign) && at > start && !is_counted(before, rest) {
            parts.push(text.get(start..at).unwrap_or_default());
            start = at;
        }
        last = sign;
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Where the text of a line begins: after blanks, numbers of rules or an item, and the blanks behind them.
fn beginning(text: &str) -> usize {
    let blanks = text.len() - text.trim_start().len();
    let rest = text.get(blanks..).unwrap_or_default();
    let gap = rest.find("  ").filter(|_| rest.split("  ").next().is_some_and(|head| head.is_ascii()));
    if let Some(gap) = gap {
        let after = rest.get(gap..).unwrap_or_default();
        return blanks + gap + (after.len() - after.trim_start().len());
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let item = rest.get(digits..).is_some_and(|after| digits > 0 && after.starts_with(' '));
    blanks + if item { digits + 1 } else { 0 }
}

/// The parts of a text that no line end divides. A part that is wider than a line is divided nevertheless.
fn pieces(text: &str, columns: usize, widths: Widths) -> Vec<&str> {
    let mut ends = Vec::new();
    let mut end = 0;
    for word in WordSeparator::UnicodeBreakProperties.find_words(text) {
        end += word.word.len() + word.whitespace.len();
        ends.push(end);
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, end) in ends.iter().enumerate() {
        let part = text.get(start..*end).unwrap_or_default();
        let next = ends.get(at + 1).and_then(|next| text.get(start..*next));
        // An opened name, and a phrase, goes on with the next piece, as long as both fit into a line.
        let rest = text.get(*end..).unwrap_or_default();
        let goes_on = is_open(part) || is_within_phrase(part.chars().last(), rest.chars().next()) || is_counted(part, rest);
        if goes_on && next.is_some_and(|next| widths.of(next.trim_end()) <= columns) {
            continue;
        }
        parts.push(part);
        start = *end;
    }
    parts
}

/// The scripts of Japanese words.
#[derive(PartialEq, Eq)]
enum Script {
    Hiragana,
    Katakana,
    Kanji,
}

fn script(sign: char) -> Option<Script> {
    match sign {
        'ぁ'..='ゖ' => Some(Script::Hiragana),
        'ァ'..='ヺ' | 'ー' => Some(Script::Katakana),
        '々' | '一'..='鿿' => Some(Script::Kanji),
        _ => None,
    }
}

/// Hiragana with which the first part of a compound word ends (控え室, 繰り返す).
const JOINING: &str = "いえきぎけげしじせちぢねびべみめりれ";

/// Whether a phrase goes on between two signs: within one script, before hiragana, which end a phrase, within a name of katakana and kanji
/// (ゴミ箱), within a compound word, and between a number and its counter (1枚).
fn is_within_phrase(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    match (script(before), script(after)) {
        (Some(_), Some(Script::Hiragana)) | (Some(Script::Katakana | Script::Kanji), Some(Script::Katakana | Script::Kanji)) => true,
        (Some(Script::Hiragana), Some(_)) => JOINING.contains(before),
        (None, Some(Script::Kanji)) => before.is_ascii_digit(),
        _ => false,
    }
}

/// Whether the text goes on with a number that belongs to the word before it (`コスト 3`, `パス -`), or with a short word in brackets
/// (`デッキ（3）`, `手札(a)`). A number after a number begins a word of its own.
fn is_counted(before: &str, rest: &str) -> bool {
    let word = before.strip_suffix(' ').unwrap_or(before);
    let follows_word = word.chars().last().is_some_and(|sign| sign.is_alphabetic() || [')', '）', '」'].contains(&sign));
    let goes_on = if word == before {
        let inside = rest.strip_prefix(['（', '(']).and_then(|rest| rest.split_once(['）', ')']));
        inside.is_some_and(|(inside, _)| inside.chars().count() <= BRACKETED && !inside.contains([' ', '、', ',']))
    } else {
        rest.starts_with(|sign: char| sign.is_ascii_digit() || ['-', '−', '+', '×'].contains(&sign))
    };
    follows_word && goes_on
}

fn is_open(part: &str) -> bool {
    part.matches('「').count() > part.matches('」').count()
}

#[cfg(test)]
mod tests {
    use super::{Widths, wrapped};

    fn lines(text: &str, columns: usize) -> Vec<String> {
        wrapped(text, columns, Widths::new(1))
    }

    #[test]
    fn latin_words_and_numbers_stay_whole() {
        assert_eq!(lines("ABの説明 WORD 12345 abc", 16), ["ABの説明", "  WORD 12345 abc"]);
        assert_eq!(lines("運値が高いカードをトラッシュに置く", 24), ["運値が高いカードを", "  トラッシュに置く"]);
    }

    #[test]
    fn words_stay_whole() {
        let words = ["ゴミ箱送り", "控え室", "繰り返し", "置き換え", "キャラクター", "入れ替え", "12枚"];
        for one in words {
            for other in words {
                let text = format!("このターンの間{one}と{other}を{one}にするか{other}にする");
                for columns in 24..60 {
                    let lines = lines(&text, columns);
                    let whole = |word: &str| lines.iter().map(|line| line.matches(word).count()).sum::<usize>();
                    assert!(whole(one) >= 2 && whole(other) >= 2, "{columns}: {lines:?}");
                }
            }
        }
    }

    /// Whatever stands around a count, and wherever the line ends, the count stands in one line with its word.
    #[test]
    fn a_count_stays_with_its_word() {
        let words = ["デッキ", "ゴミ置き場", "数値(あ)", "手札", "VP", "パスは", "「石」"];
        let counts = [" 3", "（3）", "(12)", " 3枚", " -", " ×2", " −1"];
        for (word, count) in words.into_iter().flat_map(|word| counts.map(|count| (word, count))) {
            for (before, after) in [("ベンチ なし ", " 属性 火"), ("捨てるカードは、", "である"), ("長い名前のカード ", "")]
            {
                let counted = format!("{word}{count}");
                for columns in 26..60 {
                    let lines = lines(&format!("{before}{counted} {after}{before}{counted}{after}"), columns);
                    let whole: usize = lines.iter().map(|line| line.matches(&counted).count()).sum();
                    assert_eq!(whole, 2, "{columns}: {lines:?}");
                }
            }
        }
    }

    #[test]
    fn no_line_begins_with_a_closing_sign_or_ends_with_an_opening_one() {
        for columns in 12..40 {
            for line in lines("あいう、えお。（かき）くけこ、さしすせそ（たち）つて。と", columns) {
                let line = line.trim();
                assert!(!line.starts_with(['、', '。', '）', '」']) && !line.ends_with(['（', '「']), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn a_name_stays_in_one_line_if_it_fits() {
        assert_eq!(lines("手札の「一つの長い名前」を捨てる", 22), ["手札の", "  「一つの長い名前」を", "  捨てる"]);
    }

    #[test]
    fn no_line_is_wider_and_nothing_is_lost() {
        let text = "  3 「一つの長い名前」 別の名 短い語 ABコスト 3 ABC 2 XYZ 3 所属 初めの所属、次の所属";
        for columns in 30..90 {
            let lines = lines(text, columns);
            assert!(lines.iter().all(|line| Widths::new(1).of(line) <= columns), "{columns}: {lines:?}");
            let signs = |text: &str| text.chars().filter(|sign| *sign != ' ').collect::<String>();
            assert_eq!(signs(&lines.concat()), signs(text));
        }
    }
}
