//! The texts of tests/fixtures and of the cards, each with one word changed. Another word must give another script, or the text is refused.
#![allow(clippy::unwrap_used, clippy::string_slice, reason = "a test")]

use gyoji::diagnostic::Span;
use gyoji::project::{Game, Places, embedded_games, load};
use gyoji::syntax::ast::{Ability, Text};
use gyoji::wording::{Reading, Wording, fold_text, show_ability};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Words that say opposite things, by kind. Each stands for the other one.
const PAIRS: &[(&str, &str, &str)] = &[
    ("side", "自分", "相手"),
    ("side", "あなた", "相手"),
    ("side", "お互い", "相手"),
    ("side", "各プレイヤー", "相手"),
    ("face", "表向き", "裏向き"),
    ("face", "表に", "裏に"),
    ("bound", "以上", "以下"),
    ("order", "一番上", "一番下"),
    ("order", "上から", "下から"),
    ("order", "デッキの上", "デッキの下"),
    ("not", "できる", "できない"),
    ("not", "いる", "いない"),
    ("not", "がある", "がない"),
    ("sign", "+", "-"),
    ("duration", "このターン", "次のターン"),
    ("duration", "このターン", "このバトル"),
    ("time", "開始時", "終了時"),
];

/// Words that may be left out of a sentence, by kind.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("exclusion", "他の", ""),
    ("exclusion", "ほかの", ""),
    ("exclusion", "以外の", "の"),
    ("exclusion", "を除く", "の"),
    ("random", "ランダムに", ""),
    ("random", "無作為に", ""),
    ("up to", "枚まで", "枚"),
    ("up to", "体まで", "体"),
    ("up to", "つまで", "つ"),
    ("may", "してもよい", "する"),
    ("may", "いてもよい", "く"),
    ("may", "いてよい", "く"),
    ("may", "てよい", "る"),
    ("duration", "このターンの間、", ""),
    ("duration", "このターン中、", ""),
    ("each", "すべての", ""),
];

pub(crate) fn game(name: &str) -> Game {
    let places = Places { rules: Some(format!("rules/{name}").into()), cards: Some(format!("cards/{name}").into()), on: None };
    load(name, &places, None).unwrap().0
}

/// Every text of the fixtures and of the cards.
pub(crate) fn texts(name: &str, game: &Game) -> Vec<String> {
    let of_cards = game.cards.iter().flat_map(|card| &card.decl.texts).map(|text| text.text.clone());
    crate::fixture_texts::texts(name, &["blind", "texts"], of_cards)
}

pub(crate) fn printed(text: &str) -> Text {
    Text { text: text.to_owned(), span: Span { start: 0, end: text.len() as u32, ..Default::default() } }
}

/// The one ability of a text, if it is read.
fn ability(wording: &Wording, text: &str) -> Option<Ability> {
    let Reading { abilities, diagnostics, .. } = wording.read(&printed(text));
    match abilities.as_slice() {
        [one] if diagnostics.is_empty() => Some(one.clone()),
        _ => None,
    }
}

/// The text with one word changed, in every way.
fn changed(text: &str, zones: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut swap = |kind: &str, from: &str, to: &str| {
        for (at, _) in text.match_indices(from) {
            found.push((kind.to_owned(), format!("{}{to}{}", &text[..at], &text[at + from.len()..])));
        }
    };
    for (kind, one, other) in PAIRS {
        swap(kind, one, other);
        swap(kind, other, one);
    }
    for (kind, from, to) in LEFT_OUT {
        swap(kind, from, to);
    }
    for zone in zones {
        for other in zones.iter().filter(|other| *other != zone && !other.contains(zone.as_str())) {
            swap("place", zone, other);
        }
    }
    let digit = |sign: char| sign.is_ascii_digit() || ('０'..='９').contains(&sign);
    let signs: Vec<(usize, char)> = text.char_indices().collect();
    for (index, (at, sign)) in signs.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| signs.get(before));
        if digit(*sign) && !before.is_some_and(|(_, sign)| digit(*sign)) {
            let run: String = text[*at..].chars().take_while(|sign| digit(*sign)).collect();
            let value: u32 = fold_text(&run).iter().collect::<String>().parse().unwrap();
            found.push(("number".to_owned(), format!("{}{}{}", &text[..*at], value + 1, &text[at + run.len()..])));
        }
        if ('①'..='⑧').contains(sign) {
            let next = char::from_u32(*sign as u32 + 1).unwrap();
            found.push(("number".to_owned(), format!("{}{next}{}", &text[..*at], &text[at + sign.len_utf8()..])));
        }
    }
    found
}

fn usual(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |value| value.parse().unwrap())
}

/// For each kind: how many changes were tried, and those that nobody noticed.
type Rates = BTreeMap<String, (usize, Vec<String>)>;

/// The rates of a game, as lines.
fn told(name: &str, rates: &Rates) -> String {
    let mut told = String::new();
    for (kind, (tried, missed)) in rates {
        writeln!(told, "{name} {kind}: {} of {tried} unnoticed", missed.len()).unwrap();
        missed.iter().for_each(|missed| writeln!(told, "    {missed}").unwrap());
    }
    told
}

/// The rates of each game. `GYOJI_WORDS_STRIDE=1` tries every text; the usual test tries each fortieth. `GYOJI_WORDS_OUT=FILE` keeps the
/// changes that nobody noticed.
fn each_game(of: impl Fn(&Game, &[String]) -> Rates) -> Vec<(String, Rates)> {
    let stride = usual("GYOJI_WORDS_STRIDE", 40);
    let run = |name: String| {
        let game = game(&name);
        let texts: Vec<String> = texts(&name, &game).into_iter().step_by(stride).collect();
        (name, of(&game, &texts))
    };
    let rates: Vec<_> = embedded_games().into_iter().map(run).collect();
    if let Ok(file) = std::env::var("GYOJI_WORDS_OUT") {
        std::fs::write(file, rates.iter().map(|(name, rates)| told(name, rates)).collect::<String>()).unwrap();
    }
    rates
}

/// Kinds of words of which no text of the fixtures may lose one.
const NEVER_LOST: [&str; 6] = ["bound", "exclusion", "face", "may", "random", "up to"];

#[test]
fn another_word_gives_another_script() {
    let rates = each_game(|game, texts| {
        let zones: Vec<String> = game.compiler.symbols().zones.rows().filter_map(|(_, label)| label.map(str::to_owned)).collect();
        let one = |text: &String| {
            let mut rates = Rates::new();
            let Some(script) = ability(&game.wording, text).map(|ability| show_ability(&ability)) else { return rates };
            for (kind, other) in changed(text, &zones) {
                let row = rates.entry(kind).or_default();
                row.0 += 1;
                if ability(&game.wording, &other).is_some_and(|ability| show_ability(&ability) == script) {
                    row.1.push(format!("{text}\n    {other}\n        {script}"));
                }
            }
            rates
        };
        let all: Vec<Rates> = texts.par_iter().map(one).collect();
        let mut rates = Rates::new();
        for (kind, (tried, missed)) in all.into_iter().flatten() {
            let row = rates.entry(kind).or_default();
            row.0 += tried;
            row.1.extend(missed);
        }
        rates
    });
    let with_texts: Vec<_> = rates.into_iter().filter(|(_, rates)| !rates.is_empty()).collect();
    assert_eq!(with_texts.len(), 5);
    for (name, rates) in with_texts {
        for kind in NEVER_LOST {
            assert!(rates.get(kind).is_none_or(|(_, missed)| missed.is_empty()), "{}", told(&name, &rates));
        }
        // Among the rest are changes that say the same: +0 and -0, 相手は自分の and 相手は相手の.
        let (tried, missed) = rates.values().fold((0, 0), |(tried, missed), row| (tried + row.0, missed + row.1.len()));
        assert!(tried > 100 && missed * 40 <= tried, "{missed} of {tried}: {}", told(&name, &rates));
    }
}
