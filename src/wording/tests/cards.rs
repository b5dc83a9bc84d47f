//! Printed texts of whole cards, and the scripts that they become.

use super::{outcome, read, told, wording_of};
use crate::diagnostic::Sources;
use crate::syntax::parse_cards;
use crate::wording::chart::Chart;
use crate::wording::{Wording, fold_text};

fn game() -> (Sources, Wording) {
    let mut sources = Sources::default();
    let paths = ["rules/std/japanese.rules", "src/wording/tests/labels.rules", "rules/kaiun/wording.rules"];
    let texts = paths.map(|path| (path, std::fs::read_to_string(path).unwrap()));
    let (wording, errors) = wording_of(&mut sources, &texts);
    let told: Vec<_> = errors.iter().map(|error| told(&sources, error)).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    (sources, wording)
}

#[test]
fn every_printed_card_has_its_script() {
    let (mut sources, wording) = game();
    let path = "cards/kaiun/effects.cards";
    let text = std::fs::read_to_string(path).unwrap();
    let (file, errors) = parse_cards(sources.add(path, text.clone()), &text);
    assert_eq!(errors, []);
    let mut lines = Vec::new();
    for card in &file.items {
        for text in &card.texts {
            let reading = wording.read(text);
            lines.push(format!("{} {}\n  {}", card.number.text, text.text, outcome(&sources, &reading)));
        }
    }
    insta::assert_snapshot!("cards", lines.join("\n"));
}

#[test]
fn varied_texts_have_one_script_or_a_finding() {
    let (mut sources, wording) = game();
    let mut lines = Vec::new();
    for text in std::fs::read_to_string("src/wording/tests/varied.txt").unwrap().lines() {
        let reading = read(&mut sources, &wording, text);
        assert!(
            reading.abilities.len() == 1 && reading.diagnostics.is_empty()
                || reading.abilities.is_empty() && !reading.diagnostics.is_empty(),
            "{text}"
        );
        lines.push(format!("{text}\n  {}", outcome(&sources, &reading)));
    }
    insta::assert_snapshot!("varied", lines.join("\n"));
}

#[test]
fn words_have_their_forms() {
    let (_, wording) = game();
    let written = |word: &str, form: &str| wording.forms().find(|row| row.word == word && row.form == form).map(|row| row.written);
    for (word, form, expected) in [
        ("引く", "終止", "引く"),
        ("引く", "て", "引いて"),
        ("引く", "受身 否定 た", "引かれなかった"),
        ("引く", "可能 否定 終止", "引けない"),
        ("置く", "受身 て", "置かれて"),
        ("戻す", "連用", "戻し"),
        ("選ぶ", "た", "選んだ"),
        ("勝つ", "た", "勝った"),
        ("行う", "ば", "行えば"),
        ("減らす", "使役 受身 た", "減らさせられた"),
        ("捨てる", "連用", "捨て"),
        ("捨てる", "継続 た", "捨てていた"),
        ("加える", "否定 連用", "加えなく"),
        ("公開する", "受身 終止", "公開される"),
        ("シャッフルする", "て", "シャッフルして"),
        ("ある", "否定 終止", "ない"),
        ("多い", "ば", "多ければ"),
    ] {
        assert_eq!(written(word, form).as_deref(), Some(expected), "{word} {form}");
    }
}

#[test]
fn phrases_show_what_became_of_them() {
    let (mut sources, wording) = game();
    let reading = read(&mut sources, &wording, "【開運時】カード２枚を引く。そして、手札1枚を捨てる。");
    let shown: Vec<_> = reading
        .phrases
        .iter()
        .map(|phrase| {
            let cites = phrase.cites.iter().map(|cite| format!(" @{}", cite.id)).collect::<String>();
            format!("{}[{}] {}{cites}", "  ".repeat(phrase.depth), sources.text(phrase.span), crate::wording::show_fragment(&phrase.script))
        })
        .collect();
    insta::assert_snapshot!("phrases", shown.join("\n"));
}

#[test]
fn a_text_costs_few_items_a_sign() {
    let (_, wording) = game();
    let goal = wording.grammar.category("ability").unwrap();
    for line in std::fs::read_to_string("src/wording/tests/varied.txt").unwrap().lines() {
        let signs = fold_text(line);
        let chart = Chart::parse(&wording.grammar, &signs, goal);
        assert!(chart.size < signs.len() * 120, "{line}: {} items", chart.size);
    }
}
