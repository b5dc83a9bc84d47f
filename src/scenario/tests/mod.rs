//! Tests of scenarios with a game made up for them: what passes, and what a failure shows.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, reason = "tests")]

use super::ground::Ground;
use super::outcome::show;
use super::rulebook::Rulebook;
use super::run;
use crate::outcome::verdict::Verdict;
use compile::Compiler;
use lang::diagnostic::{Diagnostic, Language, Severity, Sources};
use lang::syntax::{parse_cards, parse_rules, parse_scenarios};
use std::sync::Arc;
use wording::Wording;

mod cited;
mod failing;
mod misspelt;
mod never;
mod passing;
mod whole;

fn no_errors(found: &[Diagnostic], what: &str) {
    let errors: Vec<&Diagnostic> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

fn ground(sources: &mut Sources) -> Ground {
    ground_of(sources, include_str!("micro.rules"))
}

fn ground_of(sources: &mut Sources, rules: &str) -> Ground {
    let (file, found) = parse_rules(sources.add("micro.rules", rules), rules);
    no_errors(&found, "micro.rules");
    let files = vec![file];
    let (mut compiler, found) = Compiler::new(&files);
    no_errors(&found, "micro.rules");
    let cards = include_str!("micro.cards");
    let (cards, found) = parse_cards(sources.add("micro.cards", cards), cards);
    no_errors(&found, "micro.cards");
    for card in &cards.items {
        let found = compiler.add_card(card, card.script.as_deref().unwrap_or_default()).1;
        no_errors(&found, "micro.cards");
    }
    let (wording, _) = Wording::new(&files);
    let index = include_str!("micro.tsv");
    let (book, found) = Rulebook::read(sources.add("micro.tsv", index), index);
    no_errors(&found, "micro.tsv");
    Ground::new(compiler, Arc::new(wording), Arc::new(files)).with_rulebook(book)
}

/// The verdicts of scenarios, and the texts of their failures.
fn verdicts(scenarios: &str) -> (Vec<Verdict>, String) {
    let mut sources = Sources::default();
    let ground = ground(&mut sources);
    verdicts_on(&ground, sources, scenarios)
}

fn verdicts_on(ground: &Ground, mut sources: Sources, scenarios: &str) -> (Vec<Verdict>, String) {
    let text = format!("gyoji 1\nscenarios micro\n{scenarios}");
    let (file, found) = parse_scenarios(sources.add("test.scenarios", text.as_str()), &text);
    no_errors(&found, "test.scenarios");
    let verdicts: Vec<Verdict> = file.items.iter().map(|scenario| run(ground, scenario, &sources)).collect();
    let said = verdicts.iter().map(|verdict| show::failure(verdict, &sources, Language::English)).collect();
    (verdicts, said)
}
