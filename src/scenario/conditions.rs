//! Checks the expressions and events in a scenario's expectations: unknown names and fields, wrong types.
//!
//! Input: a game's compiler and a scenario's tree. Output: the compiler's findings; nothing is run. The scenario's names for cards and for
//! waiting abilities get made-up values. Scenarios with cards, rules or readings of their own are not checked, because they may declare
//! anything.

use super::{expected_errors, expects, terms};
use crate::compile::{Compiler, Ty};
use crate::diagnostic::Diagnostic;
use crate::engine::value::{ObjectId, Value};
use crate::syntax::ast::{ExpectKind, Scenario, Step};

/// The findings about a scenario's expectations. Compiling them adds nodes to the compiler.
pub(super) fn findings(compiler: &mut Compiler, scenario: &Scenario) -> Vec<Diagnostic> {
    if scenario.steps.iter().any(|step| matches!(step, Step::Card(_) | Step::Load(_) | Step::Reading(..))) {
        return Vec::new();
    }
    let names = names(scenario);
    let scope = terms::scope(compiler, names.iter().map(|(name, value)| (*name, *value)));
    let mut found = Vec::new();
    for step in &scenario.steps {
        let Step::Expect(expectations) = step else { continue };
        for expect in expectations {
            let more = match &expect.kind {
                ExpectKind::Holds(expr) => compiler.expression_of(expr, Ty::BOOL, &scope).err(),
                ExpectKind::Happened(pattern, _) => compiler.pattern(pattern, &scope).err(),
                _ => None,
            };
            // Only the first finding of each expectation is reported, as when the scenario runs.
            found.extend(more.into_iter().filter_map(|more| more.into_iter().next()));
        }
    }
    found.retain(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code)));
    found
}

/// The names that the positions give to cards and to waiting abilities.
fn names(scenario: &Scenario) -> Vec<(&str, Value)> {
    let card = Value::Object { id: ObjectId(0), life: 0 };
    let mut names = Vec::new();
    for step in &scenario.steps {
        let Step::Given(given) = step else { continue };
        let cards = given.seats.iter().flat_map(|seat| &seat.zones).flat_map(|(_, cards)| cards);
        names.extend(cards.filter_map(|given| given.alias.as_ref()).map(|alias| (alias.text.as_str(), card)));
        let waiting = given.waiting.iter().filter_map(|waiting| waiting.alias.as_ref());
        names.extend(waiting.map(|alias| (alias.text.as_str(), Value::Pending(0))));
    }
    names
}
