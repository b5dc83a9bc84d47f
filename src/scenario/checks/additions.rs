//! Warnings about what a scenario adds to its game. A misspelt declaration of its rules replaces nothing, and nothing uses it. A name or value
//! in a script or text of its cards may be one that no card has.

use crate::ground::Ground;
use crate::running::{loads, overlay};
use compile::Compiler;
use lang::diagnostic::{Diagnostic, FileId, Severity, Sources, Span};
use lang::syntax::ast::{Load, Name, Outcome, Scenario, Step};
use lang::syntax::parse_rules;
use std::sync::Arc;
use wording::{Pool, quotes};

/// Warnings that are about more than a name: a layer without effects, a duration that nothing ends, a question without a label. Rules that
/// are loaded for one ruling need not be complete.
const OF_WHOLE_GAMES: [&str; 3] = ["E0266", "E0274", "E0377"];

/// The warnings. Those about rules stand at the loaded source, because their own places belong to the changed text. `sources`: the files of the
/// game and its scenarios. `pool`: what the game's cards have. `texts`: printed texts of the scenario's cards are read too.
pub(crate) fn warnings(
    ground: &Ground,
    scenario: &Scenario,
    (sources, pool, texts): (&Sources, Option<&mut Pool<'_>>, bool),
) -> Vec<Diagnostic> {
    let joins = || scenario.steps.iter().filter_map(|step| if let Step::Load(load) = step { Some(load) } else { None });
    let joins: Vec<&Load> = joins().filter(|load| load.outcome == Outcome::Joins && load.what.text == "rules").collect();
    let Some(last) = joins.last() else {
        return pool.map(|pool| unprinted(ground, scenario, pool, texts)).unwrap_or_default();
    };
    // The loaded rules are a file of their own here. They are no words of the scenario, because a name is used if something else says it.
    let mut with_rules = Sources::default();
    for (file, source) in sources.iter() {
        let mut text = source.text.to_string();
        if file == scenario.span.file {
            joins.iter().for_each(|load| blank(&mut text, load.source.span));
        }
        with_rules.add(source.name.clone(), text);
    }
    let rules: Vec<String> = joins.iter().map(|load| loads::flush_left(&load.source.text)).collect();
    let text = format!("gyoji 1\n{}\n", rules.join("\n"));
    let file = with_rules.add("loaded.rules", text.as_str());
    let mut files = ground.files().to_vec();
    overlay::join(&mut files, parse_rules(file, &text).0);
    let (mut compiler, mut found) = Compiler::new(&files);
    for card in ground.compiler().pool() {
        compiler.add(Arc::clone(card));
    }
    ground.add_cards(&mut compiler, scenario);
    found.extend(compiler.warnings(&with_rules, &[file]));
    let all = compiler.pool().iter().map(|added| (&added.0, added.1.as_slice()));
    let (of_rules, others) = compiler.unprinted(all).into_iter().partition::<Vec<_>, _>(|finding| is_in(finding, file));
    let is_of_card = |finding: &Diagnostic| finding.span.is_some_and(|span| own_cards(scenario).any(|card| is_inside(card, span)));
    let of_cards = others.into_iter().filter(is_of_card);
    found.extend(of_rules);
    let is_meant = |finding: &Diagnostic| finding.severity == Severity::Warning && !OF_WHOLE_GAMES.contains(&finding.code);
    found.retain(|finding| is_meant(finding) && is_in(finding, file));
    found.into_iter().map(|finding| Diagnostic { span: Some(last.source.span), ..finding }).chain(of_cards).collect()
}

/// `E0452` for names and values in the abilities of the scenario's own cards.
fn unprinted(ground: &Ground, scenario: &Scenario, pool: &mut Pool<'_>, texts: bool) -> Vec<Diagnostic> {
    let cards = ground.own_cards(scenario, texts);
    if cards.iter().all(|(_, abilities)| abilities.is_empty()) {
        return Vec::new();
    }
    if !cards.iter().flat_map(|(_, abilities)| abilities).any(quotes) {
        return pool.unprinted_on(&cards, &[]);
    }
    // Which names stand beside cards is known from the types.
    let mut compiler = ground.compiler().clone();
    cards.iter().for_each(|(card, abilities)| _ = compiler.add_card(card, abilities));
    let words: Vec<&Name> = compiler.asked_words().filter(|word| own_cards(scenario).any(|card| is_inside(card, word.span))).collect();
    pool.unprinted_on(&cards, &words)
}

fn is_in(finding: &Diagnostic, file: FileId) -> bool {
    finding.span.is_some_and(|span| span.file == file)
}

fn is_inside(around: Span, span: Span) -> bool {
    around.file == span.file && around.start <= span.start && span.end <= around.end
}

/// The places of the scenario's own cards.
fn own_cards(scenario: &Scenario) -> impl Iterator<Item = Span> {
    scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { Some(card.span) } else { None })
}

/// Puts blanks in the place of a text.
fn blank(text: &mut String, span: Span) {
    let place = span.start as usize..span.end as usize;
    if let Some(old) = text.get(place.clone()) {
        let blanks = " ".repeat(old.len());
        text.replace_range(place, &blanks);
    }
}
