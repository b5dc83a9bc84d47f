//! The phrases that the readers of the rulebooks listed (section (g) of each game's needs): the script of each phrase, and the phrases without a template.
//!
//! `tests/fixtures/wording/phrases.tsv` has a row for each phrase: game, number in the list, phrase, and a text with the phrase. A
//! row without a text is a phrase that the language cannot express; tests/fixtures/phrases_open.md names each of them with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, reason = "tests")]

use gyoji::diagnostic::{Diagnostic, Language, Severity, Sources, Span, entry, fill};
use gyoji::project::{Game, Places, find, load};
use gyoji::syntax::ast::{CardDecl, Name, Text};
use gyoji::wording::{Back, Reading, Verdict, show_ability};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const ROWS: &str = "tests/fixtures/wording/phrases.tsv";
const OPEN: &str = "tests/fixtures/phrases_open.md";

struct Row {
    game: String,
    phrase: String,
    text: Option<String>,
}

fn rows() -> Vec<Row> {
    let rows = std::fs::read_to_string(ROWS).unwrap();
    let row = |line: &str| {
        let [game, _, phrase, text] = line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{line}"));
        Row { game: game.to_owned(), phrase: phrase.to_owned(), text: (!text.is_empty()).then(|| text.to_owned()) }
    };
    rows.lines().skip(1).map(row).collect()
}

/// A game of the project, or a page that declares what its phrases need.
fn game(name: &str) -> Game {
    let place = |of: &str| -> PathBuf {
        let own = Path::new(of).join(name);
        if own.is_dir() { own } else { Path::new("tests/fixtures/wording").join(name) }
    };
    let places = Places { rules: Some(place("rules")), cards: Some(place("cards")), on: None };
    let project = find(Path::new(".")).unwrap();
    let (game, found) = load(name, &places, project.as_ref()).unwrap();
    let wrong: Vec<_> =
        found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| told(&game.sources, finding)).collect();
    assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
    game
}

fn told(sources: &Sources, finding: &Diagnostic) -> String {
    let message = fill(&entry(finding.code, Language::English).unwrap().message, &finding.args).unwrap();
    format!("{} [{}] {message}", finding.code, finding.span.map_or("", |span| sources.text(span)))
}

/// The compiler's findings about the script, on the type of card with the fewest findings.
fn misfits(game: &Game, text: &Text, reading: &Reading) -> Vec<Diagnostic> {
    let on_card = |of: &String| {
        let decl = CardDecl {
            of: vec![Name { text: of.clone(), span: text.span }],
            texts: vec![text.clone()],
            ..CardDecl::new(Text { text: "-".to_owned(), span: text.span }, text.span)
        };
        game.compiler.clone().add_card(&decl, &reading.abilities).1
    };
    game.program.card_types.iter().map(on_card).min_by_key(Vec::len).expect("a type of card")
}

/// The phrases of one game with their scripts, and the phrases that failed.
fn scripts(name: &str) -> (String, Vec<String>) {
    let mut game = game(name);
    let wording = game.wording.clone();
    let back = Back::new(&wording);
    let (mut shown, mut wrong) = (String::new(), Vec::new());
    for row in rows().iter().filter(|row| row.game == name) {
        let Some(text) = &row.text else { continue };
        let file = game.sources.add("phrase", text.clone());
        let text = Text { text: text.clone(), span: Span { file, start: 0, end: text.len() as u32 } };
        // As in `gyoji wording --try`: if a text has two meanings, it may still have one meaning on a card of some type.
        let any = wording.read(&text);
        let mut typed = game.program.card_types.iter().map(|of| wording.read_on(&text, vec![of.clone()]));
        let reading = if any.diagnostics.is_empty() { any } else { typed.find(|read| read.diagnostics.is_empty()).unwrap_or(any) };
        let mut found = reading.diagnostics.clone();
        if found.is_empty() && !reading.abilities.is_empty() {
            found = misfits(&game, &text, &reading);
        }
        wrong.extend(found.iter().map(|finding| format!("{}: {}\n  {}", row.phrase, text.text, told(&game.sources, finding))));
        if reading.abilities.is_empty() && found.is_empty() {
            wrong.push(format!("{}: {} is no ability", row.phrase, text.text));
        }
        let lost = matches!(wording.verdict(&back, &text, &reading), Verdict::Mismatch(_));
        writeln!(shown, "{}\n  {}{}", row.phrase, text.text, if lost { "  (not said back)" } else { "" }).unwrap();
        reading.abilities.iter().for_each(|ability| writeln!(shown, "  {}", show_ability(ability)).unwrap());
    }
    (shown, wrong)
}

fn holds(name: &str) {
    let (shown, wrong) = scripts(name);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(name, shown);
}

#[test]
fn kaiun_phrases_have_their_scripts() {
    holds("kaiun");
}

#[test]
fn kiseki_phrases_have_their_scripts() {
    holds("kiseki");
}

#[test]
fn lftcg_phrases_have_their_scripts() {
    holds("lftcg");
}

#[test]
fn victory_spark_phrases_have_their_scripts() {
    holds("victory_spark");
}

#[test]
fn vividz_phrases_have_their_scripts() {
    holds("vividz");
}

/// The page of open phrases names exactly the phrases without a text, each with its reason.
#[test]
fn what_has_no_template_is_named_with_the_reason() {
    let page = std::fs::read_to_string(OPEN).unwrap();
    let named: Vec<(String, String)> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .filter_map(|line| {
            let [game, phrase, reason] = line.split(" | ").collect::<Vec<_>>().try_into().ok()?;
            (!reason.trim().is_empty() && phrase.contains('「')).then(|| (game.to_owned(), phrase.trim_matches(['「', '」']).to_owned()))
        })
        .collect();
    let open: Vec<(String, String)> = rows().into_iter().filter(|row| row.text.is_none()).map(|row| (row.game, row.phrase)).collect();
    assert_eq!(named, open);
}
