//! Tests with small sources: findings with their places, listings of compiled programs.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "tests")]

mod decks;
mod findings;
mod listings;
mod misspelt;
mod unused;
mod warnings;

use super::Compiler;
use lang::diagnostic::{Diagnostic, Language, Sources, Span, entry, fill};
use lang::syntax::ast::{Ability, CardDecl};
use lang::syntax::{parse_cards, parse_rules};

/// The base of most tests: zones, a card type, an action, a duration.
const BASE: &str = "gyoji 1\n\n\
    game tiny \"小\" @1 { players 2 }\n\
    param size \"枚数\" = 5\n\
    enum hand_sign \"手\" { red \"アカ\"  blue \"アオ\" }\n\
    zone deck \"デッキ\" { each player  ordered  hidden  starts with deck }\n\
    zone hand \"手札\" { each player  hidden except to owner }\n\
    zone field \"場\" { each player  at most 1  public  face up or down }\n\
    zone heap { shared  public }\n\
    card unit \"カード\" {\n  sign \"手\" : hand_sign\n  win \"強さ\" : number  reads at least 0\n  kinds \"種類\" : set of symbol\n}\n\
    state tired : bool on card\n\
    state shown : hand_sign on player\n\
    pool score { each player  at least 0 }\n\
    ability on_show \"開\" { zones: set of zone = [field]  limit: uses per turn = 1 }\n\
    ability static { zones: set of zone = [field] }\n\
    ability automatic { zones: set of zone = [field] }\n\
    ability replacement { zones: set of zone = [field] }\n\
    moment later \"後で\"\n\
    duration this_turn \"この番の間\"\n\
    reading way \"which way\" @9 { left default  right }\n\
    function outranks(a: hand_sign, b: hand_sign) -> bool = (a, b) in [(red, blue)]\n\
    action draw(p: player, n: number) \"引く\" @4-3 { repeat n { @4-3-2 move(top of deck(p), hand(p)) } }\n\
    action discard(what: set of card) \"捨てる\" { move(what, heap) }\n\
    procedure won(w: player, c: card) { c.tired = true }\n";

/// The compiler after these rules and cards (with abilities from scripts), and all findings.
fn compiled(sources: &mut Sources, rules: &str, cards: &str) -> (Compiler, Vec<Diagnostic>) {
    let file = sources.add("a.rules", rules);
    let (tree, mut found) = parse_rules(file, rules);
    let (mut compiler, more) = Compiler::new(&[tree]);
    found.extend(more);
    if !cards.is_empty() {
        let cards = format!("gyoji 1\n\ncards tiny\n{cards}");
        let file = sources.add("a.cards", &cards);
        let (tree, more) = parse_cards(file, &cards);
        found.extend(more);
        for card in &tree.items {
            found.extend(compiler.add_card(card, script(card)).1);
        }
    }
    (compiler, found)
}

fn script(card: &CardDecl) -> &[Ability] {
    card.script.as_deref().unwrap_or_default()
}

/// One line for each finding: code, the underlined text, the message, the help.
fn shown(sources: &Sources, found: &[Diagnostic]) -> String {
    let lines = found.iter().map(|diagnostic| {
        let words = entry(diagnostic.code, Language::English);
        let message = words.and_then(|words| fill(&words.message, &diagnostic.args)).unwrap_or_else(|| "(no words)".to_owned());
        let help: Vec<String> = words.into_iter().flat_map(|words| &words.help).filter_map(|line| fill(line, &diagnostic.args)).collect();
        let place = diagnostic.span.map_or_else(String::new, |span| format!(" [{}]", sources.text(span)));
        let help = if help.is_empty() { String::new() } else { format!(" ({})", help.join("; ")) };
        format!("{}{place} {message}{help}\n", diagnostic.code)
    });
    lines.collect()
}

/// The findings in `more` after the base, and in these cards.
fn check(more: &str, cards: &str) -> String {
    let mut sources = Sources::default();
    let (_, found) = compiled(&mut sources, &format!("{BASE}{more}\n"), cards);
    shown(&sources, &found)
}

/// The warnings in `more` after the base. Names that nothing reads stand in many of these examples.
fn warned(more: &str) -> String {
    warned_of(more, "").lines().filter(|line| !line.starts_with("E0278")).map(|line| format!("{line}\n")).collect()
}

/// The warnings in `more` after the base, and in these cards.
fn warned_of(more: &str, cards: &str) -> String {
    let mut sources = Sources::default();
    let (compiler, _) = compiled(&mut sources, &format!("{BASE}{more}\n"), cards);
    let own: Vec<_> = sources.iter().map(|(file, _)| file).collect();
    let mut found = compiler.warnings(&sources, &own);
    // The base brings no card to the field and reads hardly any value.
    found.retain(|finding| !["E0344", "E0346"].contains(&finding.code));
    let is_of_cards = |span: Span| own.first() != Some(&span.file);
    found.retain(|finding| finding.span.is_some_and(|span| is_of_cards(span) || span.start as usize >= BASE.len()));
    shown(&sources, &found)
}

/// The listing of the body of `procedure probe`, with the declarations around it.
fn lowered(more: &str) -> String {
    let mut sources = Sources::default();
    let (compiler, found) = compiled(&mut sources, &format!("{BASE}{more}\n"), "");
    let all = super::listing(compiler.program());
    let parts =
        all.split("\nroutine ").filter(|part| !["won ", "draw ", "discard "].iter().any(|name| part.contains(&format!(" {name}("))));
    let kept: Vec<String> = parts.filter(|part| !part.starts_with("routine ")).map(|part| format!("routine {part}")).collect();
    format!("{}{}", shown(&sources, &found), kept.join("\n").trim_end())
}
