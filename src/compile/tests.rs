//! Small sources and what they become: findings with their places, listings of what runs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{Compiler, listing, listing_of_card};
use crate::diagnostic::{Diagnostic, Language, Sources, entry, fill};
use crate::syntax::ast::CardDecl;
use crate::syntax::{parse_cards, parse_rules};

/// The compiler after these rules (and cards, their abilities from scripts), with all findings.
fn compiled(sources: &mut Sources, rules: &str, cards: &str) -> (Compiler, Vec<Diagnostic>) {
    let file = sources.add("a.rules", rules);
    let (tree, mut found) = parse_rules(file, rules);
    let (mut compiler, more) = Compiler::new(&[tree]);
    found.extend(more);
    if !cards.is_empty() {
        let file = sources.add("a.cards", cards);
        let (tree, more) = parse_cards(file, cards);
        found.extend(more);
        for card in &tree.items {
            found.extend(compiler.add_card(card, script(card)).1);
        }
    }
    (compiler, found)
}

fn script(card: &CardDecl) -> &[crate::syntax::ast::Ability] {
    card.script.as_deref().unwrap_or_default()
}

/// One line a finding: code, place, the underlined text, the message, the help.
fn shown(sources: &Sources, found: &[Diagnostic]) -> String {
    let lines = found.iter().map(|diagnostic| {
        let words = entry(diagnostic.code, Language::English);
        let message = words.and_then(|words| fill(&words.message, &diagnostic.args)).unwrap_or_else(|| "(no words)".to_owned());
        let help: Vec<String> = words.into_iter().flat_map(|words| &words.help).filter_map(|line| fill(line, &diagnostic.args)).collect();
        let place = diagnostic.span.map_or_else(String::new, |span| {
            let (line, column) = sources.line_column(span);
            format!(" {line}:{column} [{}]", sources.text(span))
        });
        format!("{}{place} {message}{}\n", diagnostic.code, if help.is_empty() { String::new() } else { format!(" ({})", help.join("; ")) })
    });
    lines.collect()
}

#[test]
fn experiment() {
    let mut sources = Sources::default();
    let mut trees = Vec::new();
    let mut found = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir("/tmp/kr/rules/kaiun").unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for path in files {
        if path.extension().is_none_or(|e| e != "rules") { continue }
        let text = std::fs::read_to_string(&path).unwrap();
        let file = sources.add(path.file_name().unwrap().to_string_lossy(), &text);
        let (tree, more) = parse_rules(file, &text);
        found.extend(more);
        trees.push(tree);
    }
    let (compiler, more) = Compiler::new(&trees);
    found.extend(more);
    for f in &found { if let Some(s)=f.span { print!("{} ", sources.get(s.file).unwrap().name); } print!("{}", shown(&sources, std::slice::from_ref(f))); }
    println!("{}", listing(compiler.program()));
    let _ = listing_of_card;
}
