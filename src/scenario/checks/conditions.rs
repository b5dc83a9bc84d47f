//! Checks the expressions and events in a scenario's expectations: unknown names and fields, wrong types.
//!
//! Input: a game's compiler and a scenario's tree. Output: the compiler's findings; nothing is run. The scenario's names for cards and for
//! waiting abilities get made-up values. For a scenario with cards, rules or readings of its own the compiler has to have these.

use crate::expected_errors;
use crate::expects;
use crate::terms;
use crate::why::unfit_argument;
use compile::{Compiler, Ty};
use engine::value::{ObjectId, Value};
use lang::diagnostic::Diagnostic;
use lang::syntax::ast::{ExpectKind, Scenario, Step, WhyQuestion};

/// The findings about a scenario's expectations. Compiling them adds nodes to the compiler.
pub(crate) fn findings(compiler: &mut Compiler, scenario: &Scenario) -> Vec<Diagnostic> {
    let names = names(scenario);
    let scope = terms::scope(compiler, names.iter().map(|(name, value)| (*name, *value)));
    let mut found = Vec::new();
    for step in &scenario.steps {
        let Step::Expect(expectations) = step else { continue };
        for expect in expectations {
            let more = match &expect.kind {
                ExpectKind::Holds(expr) => compiler.expression_of(expr, Ty::BOOL, &scope).err(),
                ExpectKind::Happened(pattern, _) => compiler.pattern(pattern, &scope).err(),
                ExpectKind::Why(why) => match &why.question {
                    WhyQuestion::Value(expr) => compiler.expression(expr, &scope).err(),
                    WhyQuestion::Happened(pattern, _) => compiler.pattern(pattern, &scope).err(),
                    WhyQuestion::Can(_, _, answer) => unfit_argument(compiler, answer, &scope).map(|finding| vec![finding]),
                },
                _ => None,
            };
            // Only the first finding of each expectation is reported, as when the scenario runs.
            found.extend(more.into_iter().filter_map(|more| more.into_iter().next()));
        }
    }
    found.retain(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code)));
    found
}

/// The names that the positions give to cards and to waiting abilities. Each name stands for a thing of its own, so that two of them are not
/// taken for one thing.
fn names(scenario: &Scenario) -> Vec<(&str, Value)> {
    let mut names = Vec::new();
    for step in &scenario.steps {
        let Step::Given(given) = step else { continue };
        let cards = given.seats.iter().flat_map(|seat| &seat.zones).flat_map(|(_, cards)| cards);
        for alias in cards.filter_map(|given| given.alias.as_ref()) {
            names.push((alias.text.as_str(), Value::Object { id: ObjectId(names.len() as u16), life: 0 }));
        }
        for alias in given.waiting.iter().filter_map(|waiting| waiting.alias.as_ref()) {
            names.push((alias.text.as_str(), Value::Pending(names.len() as u32)));
        }
    }
    names
}
