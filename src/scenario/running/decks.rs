//! `deck { … } accepted` and `refused because @5-1-2`: the deck check in a scenario.

use crate::lookup::Lookup;
use crate::outcome::verdict::Failure;
use crate::position::setup::check_number;
use compile::{Compiler, check_deck};
use lang::diagnostic::{Diagnostic, Language};
use lang::syntax::ast::DeckStep;

/// Checks a deck as the scenario expects.
///
/// # Errors
/// `E0503`, `E0512` and `E0515` for its cards; `E0550`–`E0552` for an unexpected verdict.
pub(crate) fn check(compiler: &Compiler, made_up: usize, step: &DeckStep, language: Language) -> Result<(), Box<Failure>> {
    let lookup = Lookup { compiler, made_up };
    let mut cards = Vec::new();
    for (count, card) in &step.cards {
        check_number(*count, cards.len(), card)?;
        cards.extend(std::iter::repeat_n(lookup.card_listed(&card.text, card.span)?, *count as usize));
    }
    let broken = check_deck(compiler.program(), &cards);
    let rules: Vec<String> = broken.iter().flat_map(rules_of).collect();
    let refused_for = || Diagnostic::error("E0551", step.span).with("rules", named(&rules, language));
    match &step.refused {
        None if broken.is_empty() => Ok(()),
        None => Err(Failure::from(refused_for()).because_of(broken)),
        Some(_) if broken.is_empty() => Err(Failure::from(Diagnostic::error("E0550", step.span)).into()),
        Some(reasons) => match reasons.iter().find(|cite| !rules.iter().any(|rule| rule.strip_prefix('@') == Some(&cite.id))) {
            None => Ok(()),
            Some(cite) => {
                let other = Diagnostic::error("E0552", cite.span).with("rules", named(&rules, language)).with("rule", &cite.id);
                Err(Failure::from(other).because_of(broken))
            }
        },
    }
}

/// The rules of a finding, each with its `@`.
fn rules_of(finding: &Diagnostic) -> Vec<String> {
    let rules = finding.args.iter().filter(|(key, _)| *key == "rules");
    rules.flat_map(|(_, rules)| rules.split_whitespace()).map(str::to_owned).collect()
}

fn named(rules: &[String], language: Language) -> String {
    if rules.is_empty() { tell::Words::new(language).say("scenario.no_rule", &[]) } else { rules.join(" ") }
}
