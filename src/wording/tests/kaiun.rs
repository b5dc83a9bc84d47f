use crate::diagnostic::{FileId, Sources};
use crate::syntax::{parse_cards, parse_rules};
use crate::wording::Wording;

pub(super) fn wording() -> (Sources, Wording) {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    for path in ["rules/std/japanese.rules", "rules/kaiun/zones.rules", "rules/kaiun/game.rules", "rules/kaiun/wording.rules"] {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let id = sources.add(path, text.clone());
        let (file, errors) = parse_rules(id, &text);
        for e in &errors { eprintln!("{path}: {} {:?} {:?}", e.code, e.span.map(|s| sources.line_column(s)), e.args); }
        files.push(file);
    }
    let (wording, errors) = Wording::new(&files);
    for e in &errors { eprintln!("{} {:?} {:?} {}", e.code, e.span.map(|s| sources.line_column(s)), e.args, e.span.map_or("", |s| sources.text(s))); }
    (sources, wording)
}

#[test]
fn try_all() {
    let (mut sources, wording) = wording();
    let text = std::fs::read_to_string("cards/kaiun/effects.cards").unwrap();
    let id = sources.add("cards", text.clone());
    let (file, errors) = parse_cards(id, &text);
    eprintln!("{errors:?}");
    let start = std::time::Instant::now();
    let mut ok = 0;
    for card in &file.items {
        for text in &card.texts {
            let reading = wording.read(text);
            for e in &reading.diagnostics { eprintln!("{} {} {:?} {:?}", card.number.text, e.code, e.span.map(|s| sources.text(s)), e.args); }
            ok += reading.abilities.len();
        }
    }
    eprintln!("{ok} abilities {:?}", start.elapsed());
    let _ = FileId(0);
}
