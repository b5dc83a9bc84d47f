//! The texts of tests/fixtures, each with one word changed, and their scripts, each with one node changed. Another word must give another
//! script, or the text is refused. A changed node must be reported, because the text does not say what the script then does.

use crate::project::{Game, Places, load};
use crate::syntax::ast::{Ability, Amount, BinaryOp, DeclKind, Expr, ExprKind, Manner, Name, Stmt, StmtKind, Text};
use crate::wording::reading::fold::fold_text;
use crate::wording::script::rewrite::{Rewriter, walk_amount, walk_expr, walk_stmt};
use crate::wording::{GOAL, Reading, Wording, show_ability};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::fmt::Write;

const GAMES: [&str; 5] = ["kaiun", "kiseki", "lftcg", "victory_spark", "vividz"];

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

fn game(name: &str) -> Game {
    let places = Places { rules: Some(format!("rules/{name}").into()), cards: Some(format!("cards/{name}").into()), on: None };
    load(name, &places, None).unwrap().0
}

/// Every text of the fixtures and of the cards.
fn texts(name: &str, game: &Game) -> Vec<String> {
    let mut found: Vec<String> = game.cards.iter().flat_map(|card| &card.decl.texts).map(|text| text.text.clone()).collect();
    for folder in ["blind", "texts"] {
        let mut files: Vec<_> = std::fs::read_dir(format!("tests/fixtures/{folder}")).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))) {
            let table = std::fs::read_to_string(file).unwrap();
            let mut rows = table.lines().map(|row| row.split('\t'));
            let Some(text) = rows.next().unwrap().position(|name| name == "text") else { continue };
            found.extend(rows.filter_map(|mut row| row.nth(text)).map(str::to_owned));
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|text| !text.contains('\n') && seen.insert(text.clone()));
    found
}

fn printed(text: &str) -> Text {
    Text { text: text.to_owned(), span: crate::diagnostic::Span { start: 0, end: text.len() as u32, ..Default::default() } }
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

/// A change of the node with this number, in the order of the walk.
struct Changer<'g> {
    at: usize,
    next: usize,
    kind: Option<&'static str>,
    durations: &'g [String],
}

impl Changer<'_> {
    /// Whether this node is the one to change.
    fn hit(&mut self, kind: &'static str) -> bool {
        let hit = self.next == self.at;
        self.next += 1;
        if hit {
            self.kind = Some(kind);
        }
        hit
    }
}

impl Rewriter for Changer<'_> {
    fn hole(&mut self, name: &mut Name) {
        let other = |name: &str| self.durations.iter().find(|other| *other != name).cloned();
        if self.durations.contains(&name.text) {
            let other = other(&name.text);
            if self.hit("duration") {
                name.text = other.unwrap_or_default();
            }
        }
        match name.text.as_str() {
            "up" | "down" => {
                if self.hit("face") {
                    name.text = if name.text == "up" { "down" } else { "up" }.to_owned();
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, name: &mut Name) {
        if matches!(name.text.as_str(), "up" | "down") && self.hit("face") {
            name.text = if name.text == "up" { "down" } else { "up" }.to_owned();
        }
    }

    fn amount(&mut self, amount: &mut Amount) {
        if let Amount::UpTo(number) = amount
            && self.hit("up to")
        {
            *amount = Amount::Exactly(number.clone());
        }
        walk_amount(self, amount);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Choose(choose) if choose.manner == Manner::Blindly => {
                if self.hit("random") {
                    choose.manner = Manner::Openly;
                }
            }
            StmtKind::May(_, body, _) => {
                if self.hit("may") {
                    stmt.kind = StmtKind::Atomically(body.clone());
                }
            }
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &mut Expr) {
        let replaced = match &mut expr.kind {
            ExprKind::Number(number) => {
                if self.hit("number") {
                    *number += 1;
                }
                None
            }
            ExprKind::Where { set, .. } => self.hit("filter").then(|| set.kind.clone()),
            ExprKind::Not(inner) => self.hit("not").then(|| inner.kind.clone()),
            ExprKind::Call(name, args) if name.text == "opponent" && args.len() == 1 => {
                self.hit("side").then(|| args[0].value.kind.clone())
            }
            ExprKind::Name(name) if name.text == "you" => {
                let of = Name { text: "opponent".to_owned(), ..name.clone() };
                self.hit("side").then_some(ExprKind::Name(of))
            }
            ExprKind::Binary(left, BinaryOp::And, right) => {
                let first = self.hit("filter").then(|| right.kind.clone());
                if first.is_some() { first } else { self.hit("filter").then(|| left.kind.clone()) }
            }
            ExprKind::Binary(_, op, _) => {
                let (kind, other) = match op {
                    BinaryOp::NotEqual => ("not", BinaryOp::Equal),
                    BinaryOp::GreaterEqual => ("bound", BinaryOp::LessEqual),
                    BinaryOp::LessEqual => ("bound", BinaryOp::GreaterEqual),
                    _ => ("", *op),
                };
                if !kind.is_empty() && self.hit(kind) {
                    *op = other;
                }
                None
            }
            _ => None,
        };
        match replaced {
            Some(kind) => expr.kind = kind,
            None => walk_expr(self, expr),
        }
    }
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
fn each_game(out: &str, of: impl Fn(&Game, &[String]) -> Rates) -> Vec<(&'static str, Rates)> {
    let stride = usual("GYOJI_WORDS_STRIDE", 40);
    let run = |name: &'static str| {
        let game = game(name);
        let texts: Vec<String> = texts(name, &game).into_iter().step_by(stride).collect();
        (name, of(&game, &texts))
    };
    let rates: Vec<_> = GAMES.iter().map(|name| run(name)).collect();
    if let Ok(file) = std::env::var("GYOJI_WORDS_OUT") {
        std::fs::write(format!("{file}.{out}"), rates.iter().map(|(name, rates)| told(name, rates)).collect::<String>()).unwrap();
    }
    rates
}

fn durations_of(game: &Game) -> Vec<String> {
    let declared = game.files.iter().flat_map(|file| &file.items);
    declared.filter_map(|decl| if let DeclKind::Duration(head, _) = &decl.kind { Some(head.name.text.clone()) } else { None }).collect()
}

/// Kinds of words of which no text of the fixtures may lose one.
const NEVER_LOST: [&str; 6] = ["bound", "exclusion", "face", "may", "random", "up to"];

#[test]
fn another_word_gives_another_script() {
    let rates = each_game("words", |game, texts| {
        let zones = game.wording.account.zone_labels();
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
    for (name, rates) in rates {
        for kind in NEVER_LOST {
            assert!(rates.get(kind).is_none_or(|(_, missed)| missed.is_empty()), "{}", told(name, &rates));
        }
        // Among the rest are changes that say the same: +0 and -0, 相手は自分の and 相手は相手の.
        let (tried, missed) = rates.values().fold((0, 0), |(tried, missed), row| (tried + row.0, missed + row.1.len()));
        assert!(tried > 100 && missed * 40 <= tried, "{missed} of {tried}: {}", told(name, &rates));
    }
}

/// The comparison asks whether each printed word has a counterpart. It does not ask whether each node has a printed word. So it finds a
/// part of the changed nodes only, and this is the least part.
#[test]
fn changed_nodes_are_reported() {
    let rates = each_game("nodes", |game, texts| {
        let mut rates = Rates::new();
        let durations = durations_of(game);
        for text in texts {
            let Some(ability) = ability(&game.wording, text) else { continue };
            let goal = game.wording.grammar.category(GOAL).unwrap();
            let charted = game.wording.charted(&printed(text), goal);
            let [(line, _)] = charted.as_slice() else { continue };
            for at in 0.. {
                let mut changed = ability.clone();
                let mut changer = Changer { at, next: 0, kind: None, durations: &durations };
                changer.ability(&mut changed);
                let Some(kind) = changer.kind else { break };
                let row = rates.entry(kind.to_owned()).or_default();
                row.0 += 1;
                if game.wording.account.unaccounted((line, &[]), &changed, &[], &mut FxHashSet::default()).is_empty() {
                    row.1.push(format!("{text}\n    {}\n        {}", show_ability(&ability), show_ability(&changed)));
                }
            }
        }
        rates
    });
    for (name, rates) in rates {
        let (tried, missed) = rates.get("number").map_or((0, 0), |row| (row.0, row.1.len()));
        assert!(tried > 50 && (tried - missed) * 10 >= tried, "{}", told(name, &rates));
    }
}
