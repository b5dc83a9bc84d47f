//! The words of an answer to a `why` question about a scenario.

use crate::cli::shared::context::Context;
use crate::cli::shared::loading::line_of_match;
use crate::compile::Compiler;
use crate::diagnostic::{Diagnostic, Sources};
use crate::engine::ids::Pc;
use crate::engine::state::State;
use crate::report::{Names, Reasons};
use crate::scenario::Failure;

/// Gives the words for the answer to a question about a position.
pub(in crate::cli) fn with_reasons<T>(
    (compiler, state): (&Compiler, &State),
    sources: &Sources,
    context: &Context,
    say: impl FnOnce(&Reasons<'_>) -> T,
) -> T {
    let names = Names { program: compiler.program(), words: context.words(), known: None };
    let statement = |at: Pc| {
        let text = compiler.map().code(at).map_or("", |span| sources.text(span));
        text.lines().next().unwrap_or("").trim().to_owned()
    };
    let line_of_match = |of, joins| line_of_match(compiler.map(), sources, of, joins);
    say(&Reasons { names: &names, state, statement: &statement, line_of_match: &line_of_match })
}

/// The finding of a failed scenario. If a player passed unasked, it says why the written way to act was not possible there.
pub(in crate::cli) fn finding(failure: &Failure, sources: &Sources, context: &Context) -> Diagnostic {
    let finding = failure.diagnostic.clone();
    match &failure.unasked {
        Some(unasked) => {
            let words = |reasons: &Reasons<'_>| reasons.first(&unasked.answer);
            finding.with("reason", with_reasons((&unasked.compiler, &unasked.state), sources, context, words))
        }
        None => finding,
    }
}
