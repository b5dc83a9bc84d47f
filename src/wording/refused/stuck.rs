//! Why a text cannot be read further: an unknown word, or phrases that can be read alone but not together.
//!
//! Input: a line, and the sign at which reading stops. `meant.rs` searches for what may have been meant; `report.rs` finds the nearest
//! templates.

use crate::declared::grammar::{CategoryId, Grammar, Symbol};
use crate::reading::chart::Chart;
use crate::reading::forest::Line;

/// Signs that separate phrases.
const MARKS: [char; 7] = ['。', '、', '」', '】', '・', ':', '〈'];

/// The shortest phrase for which the category is named.
const SHORTEST: usize = 4;

/// The first word after the place that nothing in the wording prints: ideographs, katakana or letters, or hiragana if there is nothing
/// else. Signs in 〈…〉 are ignored, because any are allowed there.
pub(crate) fn unknown_word(grammar: &Grammar, line: &Line, reached: usize) -> Option<String> {
    let signs = line.signs.get(reached..)?;
    let rest: &[char] = signs.split(|sign| MARKS.contains(sign)).next()?;
    let printed = all_printed(grammar);
    let rest = without_free_signs(grammar, rest);
    let runs = rest.chunk_by(|one, other| Script::of(*one) == Script::of(*other)).collect::<Vec<_>>();
    let content = runs.iter().filter(|run| Script::of_run(run).is_content()).collect::<Vec<_>>();
    let words = if content.is_empty() { runs.iter().filter(|run| Script::of_run(run) == Script::Hiragana).collect() } else { content };
    words.into_iter().find_map(|run| unprinted(run, &printed))
}

/// The signs with a blank for each sign between two signs around a free hole: 《…》, if a template prints 《${t: symbol}》. Any word may be
/// printed there.
fn without_free_signs(grammar: &Grammar, signs: &[char]) -> Vec<char> {
    let around = |pair: &[Symbol]| match pair {
        [Symbol::Sign(open), Symbol::Free(until, _)] => until.first().map(|close| (*open, *close)),
        _ => None,
    };
    let holes: Vec<(char, char)> = grammar.rules.iter().flat_map(|rule| rule.symbols.windows(2).filter_map(around)).collect();
    let mut end = None;
    let blank = |sign: &char| match end {
        Some(close) if *sign == close => {
            end = None;
            *sign
        }
        Some(_) => ' ',
        None => {
            end = holes.iter().find(|(open, _)| open == sign).map(|(_, close)| *close);
            *sign
        }
    };
    signs.iter().map(blank).collect()
}

/// The part of a word that nothing prints. Ideographs are checked one by one, because both 数 and 対象 of 数対象 may be printed somewhere.
fn unprinted(run: &[char], printed: &str) -> Option<String> {
    let known = |signs: &[char]| printed.contains(signs.iter().collect::<String>().as_str());
    if Script::of_run(run) == Script::Ideograph {
        let unknown: String = run.iter().skip_while(|sign| known(&[**sign])).take_while(|sign| !known(&[**sign])).collect();
        return Some(unknown).filter(|word| !word.is_empty());
    }
    (!known(run)).then(|| run.iter().collect())
}

pub(crate) fn is_ideograph(sign: char) -> bool {
    Script::of(sign) == Script::Ideograph
}

/// Whether a sign belongs to a word that says something by itself: an ideograph, katakana or a letter.
pub(crate) fn is_content(sign: char) -> bool {
    Script::of(sign).is_content()
}

/// The phrase before the place that can be read alone, with its category. The text after it cannot be joined to it.
pub(crate) fn read_before<'g>(grammar: &'g Grammar, line: &Line, reached: usize) -> Option<(String, &'g str)> {
    let before = line.signs.get(..reached)?;
    let start = before.iter().rposition(|sign| MARKS.contains(sign)).map_or(0, |mark| mark + 1);
    let phrase = before.get(start..).filter(|phrase| phrase.len() >= SHORTEST)?;
    let printed: String = line.printed.get(start..reached)?.iter().collect();
    (0..).map(CategoryId).zip(grammar.categories.iter()).find_map(|(id, (name, def))| {
        let reads = !def.labels && Chart::parse(grammar, phrase, id).is_whole(id);
        reads.then_some((printed.clone(), name.as_str()))
    })
}

/// All signs that templates, labels and words print, one run per line.
fn all_printed(grammar: &Grammar) -> String {
    let mut all = String::new();
    for rule in grammar.rules.iter() {
        for symbol in &rule.symbols {
            match symbol {
                Symbol::Sign(sign) => all.push(*sign),
                Symbol::Choice(texts) => texts.iter().for_each(|text| all.extend(['\n'].iter().chain(text))),
                _ => all.push('\n'),
            }
        }
        all.push('\n');
    }
    for word in grammar.words.iter() {
        for surface in &word.surfaces {
            all.extend(word.stem.iter().chain(&surface.ending).chain(&['\n']));
        }
    }
    all
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Ideograph,
    Katakana,
    Letter,
    Hiragana,
    Other,
}

impl Script {
    fn of(sign: char) -> Script {
        match sign {
            '\u{4E00}'..='\u{9FFF}' | '々' => Script::Ideograph,
            '\u{30A1}'..='\u{30FA}' | 'ー' => Script::Katakana,
            '\u{3041}'..='\u{3096}' => Script::Hiragana,
            sign if sign.is_ascii_alphabetic() => Script::Letter,
            _ => Script::Other,
        }
    }

    fn of_run(run: &[char]) -> Script {
        run.first().map_or(Script::Other, |sign| Script::of(*sign))
    }

    fn is_content(self) -> bool {
        matches!(self, Script::Ideograph | Script::Katakana | Script::Letter)
    }
}
