//! `wording/` on a real game: the scripts of the printed cards, and the scripts or errors of varied texts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, clippy::indexing_slicing, reason = "tests")]

use gyoji::diagnostic::{Diagnostic, Language, Sources, Span, entry, fill};
use gyoji::syntax::ast::Text;
use gyoji::syntax::{parse_cards, parse_rules};
use gyoji::wording::{Reading, Wording, show_ability, show_fragment};

const VARIED: &str = include_str!("../fixtures/wording/varied.txt");
const CONNECTIVES: &str = include_str!("../fixtures/texts/connectives.tsv");

/// The wording of std and of the game's own rules files.
fn game() -> (Sources, Wording) {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    let in_order = |dir| {
        let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let paths = ["rules/std", "rules/kaiun"].into_iter().flat_map(in_order);
    for path in paths.filter(|path| path.extension().is_some_and(|end| end == "rules")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let (file, errors) = parse_rules(sources.add(path.to_string_lossy(), text.clone()), &text);
        assert_eq!(errors, []);
        files.push(file);
    }
    let (wording, errors) = Wording::new(&files);
    assert!(errors.is_empty(), "{}", errors.iter().map(|error| told(&sources, error)).collect::<Vec<_>>().join("\n"));
    (sources, wording)
}

/// Reads a text as if the text were alone in a file.
fn read(sources: &mut Sources, wording: &Wording, text: &str) -> Reading {
    let file = sources.add("text", text);
    wording.read(&Text { text: text.to_owned(), span: Span { file, start: 0, end: text.len() as u32 } })
}

/// The result of a reading: scripts, then findings with the signs that they underline.
fn outcome(sources: &Sources, reading: &Reading) -> String {
    let scripts = reading.abilities.iter().map(show_ability);
    scripts.chain(reading.diagnostics.iter().map(|finding| told(sources, finding))).collect::<Vec<_>>().join("\n")
}

fn told(sources: &Sources, finding: &Diagnostic) -> String {
    let words = entry(finding.code, Language::English).unwrap();
    let message = fill(&words.message, &finding.args).unwrap();
    let help = words.help.iter().filter_map(|help| fill(help, &finding.args)).map(|help| format!("\n    {help}"));
    let place = finding.span.map_or("", |span| sources.text(span));
    format!("{} [{place}] {message}{}", finding.code, help.collect::<String>())
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
    for text in VARIED.lines() {
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
        ("加える", "否定 連用", "加えず"),
        ("加える", "否定 て", "加えなくて"),
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
            format!("{}[{}] {}{cites}", "  ".repeat(phrase.depth), sources.text(phrase.span), show_fragment(&phrase.script))
        })
        .collect();
    insta::assert_snapshot!("phrases", shown.join("\n"));
}

#[test]
fn a_text_costs_few_items_a_sign() {
    let (_, wording) = game();
    for line in VARIED.lines() {
        let (signs, items) = (line.chars().count(), wording.items(line));
        assert!(items < signs * 30, "{line}: {items} items");
    }
}

#[test]
fn a_hundred_conditions_inside_each_other_are_read_at_once() {
    let (mut sources, wording) = game();
    let text =
        format!("【開運時】{}手札1枚を捨ててもよい。そうしたら、カード1枚を引く。", "相手が《グー》なら、手札1枚を捨てたなら、".repeat(50));
    let reading = read(&mut sources, &wording, &text);
    assert!(reading.diagnostics.is_empty(), "{}", outcome(&sources, &reading));
    assert_eq!(reading.abilities.len(), 1);
}

/// Each connective inside each other one, before it and after it, and with choices inside. The table says what each connective covers.
#[test]
fn nested_connectives_cover_what_is_listed() {
    let (mut sources, wording) = game();
    let mut wrong = Vec::new();
    for row in CONNECTIVES.lines().skip(1) {
        let [nesting, text, script] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let reading = read(&mut sources, &wording, text);
        let out = outcome(&sources, &reading);
        if out != script {
            wrong.push(format!("{nesting} {text}\n  listed {script}\n  is {out}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_finding_about_an_unreadable_line_names_a_part_of_it() {
    let (mut sources, wording) = game();
    let parts = ["。", "、", "「", "」", "【", "】", "（", "）", " ", "　", "札", "カード1枚を引く"];
    let mut lines: Vec<String> = vec![String::new()];
    let mut at = 0;
    while lines.len() < 2_000 {
        let longer: Vec<String> = parts.iter().map(|part| format!("{}{part}", lines[at])).collect();
        lines.extend(longer);
        at += 1;
    }
    for line in lines.iter().skip(1) {
        let reading = read(&mut sources, &wording, line);
        for finding in &reading.diagnostics {
            let words = entry(finding.code, Language::English).unwrap();
            let message = fill(&words.message, &finding.args).unwrap();
            assert!(!message.contains("``"), "{line}: {message}");
            let text = finding.args.iter().find(|(key, _)| *key == "text");
            assert!(text.is_none_or(|(_, text)| !text.is_empty()), "{line}: {message}");
            let span = finding.span.unwrap();
            assert!(span.start < span.end, "{line}: {message}");
        }
    }
}
