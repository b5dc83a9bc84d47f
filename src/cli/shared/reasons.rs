//! The words of an answer to a `why` question about a scenario.

use crate::shared::context::Context;
use crate::shared::loading::line_of_match;
use compile::Compiler;
use engine::ids::Pc;
use engine::state::State;
use lang::diagnostic::{Diagnostic, Sources};
use report::Reasons;
use scenario::Failure;
use tell::Names;

/// Gives the words for the answer to a question about a position.
pub(crate) fn with_reasons<T>(
    (compiler, state): (&Compiler, &State),
    sources: &Sources,
    context: &Context,
    say: impl FnOnce(&Reasons<'_>) -> T,
) -> T {
    let names = Names::new(compiler.program(), context.words());
    let statement = |at: Pc| {
        let text = compiler.map().code(at).map_or("", |span| sources.text(span));
        text.lines().next().unwrap_or("").trim().to_owned()
    };
    let line_of_match = |of, joins| line_of_match(compiler.map(), sources, of, joins);
    say(&Reasons { names: &names, state, statement: &statement, line_of_match: &line_of_match })
}

/// The finding of a failed scenario. If a player passed unasked, it says why the written way to act was not possible there.
pub(crate) fn finding(failure: &Failure, sources: &Sources, context: &Context) -> Diagnostic {
    let finding = failure.diagnostic.clone();
    match &failure.unasked {
        Some(unasked) => {
            let words = |reasons: &Reasons<'_>| reasons.first(&unasked.answer);
            finding.with("reason", with_reasons((&unasked.compiler, &unasked.state), sources, context, words))
        }
        None => finding,
    }
}
