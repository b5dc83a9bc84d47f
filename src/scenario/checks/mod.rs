//! What is wrong with a scenario before it runs: unknown names and values, wrong types, rules that nothing carries out.
//!
//! | file | does |
//! | --- | --- |
//! | `additions.rs` | warnings about rules that a scenario adds |
//! | `arguments.rs` | the arguments of options in answers |
//! | `certain.rs` | denials that hold whatever happens |
//! | `citations.rs` | the citations in a source |
//! | `conditions.rs` | what does not fit in expectations |
//! | `declared.rs` | the names of decisions and options that a scenario may use |
//! | `header.rs` | checks the rules in a scenario's header |
//! | `names.rs` | names that nothing declares |
//! | `values.rs` | written values that can stand for nothing |

pub(super) mod additions;
mod arguments;
mod certain;
pub mod citations;
pub(super) mod conditions;
mod declared;
pub(super) mod header;
pub(super) mod names;
pub(super) mod values;

use crate::ground::Ground;
use crate::{expected_errors, expects};
use compile::Compiler;
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{Scenario, Step};

/// Everything that is wrong with a scenario before it runs. `compiler` is a copy of the game's, to compile expectations into. `laid_out`: where
/// all names are known, the scenario is also prepared as for a run, up to its position.
pub(super) fn findings(ground: &Ground, compiler: &mut Compiler, scenario: &Scenario, laid_out: bool) -> Vec<Diagnostic> {
    let mut found = said(ground, compiler, scenario);
    if found.is_empty() && laid_out {
        found.extend(crate::before_play(ground, scenario).err().map(|failure| failure.diagnostic));
    }
    found
}

/// The findings about what a scenario says.
///
/// A scenario's own cards, rules and readings are compiled only if the scenario says a name that the game does not have. Reading the texts
/// of all cards that scenarios make up would take longer than everything else. If a card cannot be compiled, everything is told that this
/// card cannot bring.
fn said(ground: &Ground, compiler: &mut Compiler, scenario: &Scenario) -> Vec<Diagnostic> {
    let mut found = names::unknown_names(ground, None, scenario);
    found.extend(conditions::findings(compiler, scenario));
    let has_own = scenario.steps.iter().any(|step| matches!(step, Step::Card(_) | Step::Load(_) | Step::Reading(..)));
    if found.is_empty() || !has_own {
        return found;
    }
    let mut own = match ground.with_rules(scenario) {
        Ok((own, _)) => own,
        // These rules could declare every name that is unknown.
        Err(failure) => return vec![failure.diagnostic],
    };
    let broken = ground.add_cards(&mut own, scenario);
    own.knows_all_words();
    let mut found = names::unknown_names(ground, Some(&own), scenario);
    let mut unfit = conditions::findings(&mut own, scenario);
    // A `like` that names no card has been found as a name. The rest of such a card has been compiled.
    let likes = |finding: &Diagnostic| {
        let mut spans = scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { card.like.as_ref() } else { None });
        finding.span.is_some_and(|span| spans.any(|like| like.span == span))
    };
    let broken: Vec<Diagnostic> = broken.into_iter().filter(|finding| !likes(finding)).collect();
    if !broken.is_empty() {
        found.retain(|finding| !OF_CARDS.contains(&finding.code));
        unfit.retain(|finding| finding.code != "E0588");
    }
    found.extend(broken.into_iter().filter(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code))));
    found.extend(unfit);
    found
}

/// The findings about decisions and options. A card that could not be compiled might ask for what they miss.
const OF_CARDS: [&str; 4] = ["E0526", "E0555", "E0557", "E0558"];
