//! What is wrong with a scenario before it runs: unknown names and values, wrong types, rules that nothing carries out.
//!
//! | file | does |
//! | --- | --- |
//! | `arguments.rs` | the arguments of options in answers |
//! | `certain.rs` | denials that hold whatever happens |
//! | `citations.rs` | the citations in a source |
//! | `conditions.rs` | what does not fit in expectations |
//! | `declared.rs` | the names of decisions and options that a scenario may use |
//! | `header.rs` | checks the rules in a scenario's header |
//! | `names.rs` | names that nothing declares |
//! | `values.rs` | written values that can stand for nothing |

mod arguments;
mod certain;
pub mod citations;
pub(super) mod conditions;
mod declared;
pub(super) mod header;
pub(super) mod names;
pub(super) mod values;

use crate::compile::Compiler;
use crate::diagnostic::Diagnostic;
use crate::scenario::ground::Ground;
use crate::syntax::ast::{Scenario, Step};

/// Everything that is wrong with a scenario before it runs. `compiler` is a copy of the game's, to compile expectations into.
///
/// A scenario's own cards, rules and readings are compiled only if the scenario says a name that the game does not have. Reading the texts
/// of all cards that scenarios make up would take longer than everything else.
pub(super) fn findings(ground: &Ground, compiler: &mut Compiler, scenario: &Scenario) -> Vec<Diagnostic> {
    let mut found = names::unknown_names(ground, None, scenario);
    found.extend(conditions::findings(compiler, scenario));
    let has_own = scenario.steps.iter().any(|step| matches!(step, Step::Card(_) | Step::Load(_) | Step::Reading(..)));
    if found.is_empty() || !has_own {
        return found;
    }
    match ground.prepared(scenario) {
        Ok((mut own, _)) => {
            own.knows_all_words();
            let mut found = names::unknown_names(ground, Some(&own), scenario);
            found.extend(conditions::findings(&mut own, scenario));
            found
        }
        Err(failure) => vec![failure.diagnostic],
    }
}
