//! `gyoji test --trace`: shows every step of a scenario, like `gyoji replay --trace` for a recorded game.
//!
//! The scenario's decisions are given again to a machine at the scenario's position. Its verdict is already known.

use crate::Context;
use crate::play::Chronicle;
use crate::shared::written::answer_again;
use engine::machine::Machine;
use scenario::Verdict;
use scenario::suite::Suite;
use std::sync::Arc;
use tell::{Detail, Statements};

/// Shows the steps, if the verdict kept the play.
pub(super) fn show(verdict: &Verdict, suite: &Suite, context: &Context) {
    let Some(play) = verdict.play.as_deref() else { return };
    let (line, _) = suite.sources.line_column(verdict.span);
    let file = suite.sources.get(verdict.span.file).map_or("", |source| &source.name);
    let args = [("title", verdict.title.clone()), ("file", file.to_owned()), ("line", line.to_string())];
    let object = || serde_json::json!({ "kind": "scenario", "title": verdict.title, "file": file, "line": line });
    context.result_in_one_line(object, || context.say("test.traced", &args));
    let mut chronicle = Chronicle::new(context.words(), Statements::new(play.compiler.map().statements(&play.program, &suite.sources)))
        .read_by(None, Detail::All, context.log());
    answer_again(&mut Machine::with_state(Arc::clone(&play.program), play.state.clone()), &play.decisions, &mut chronicle);
    for line in chronicle.take_lines(None) {
        context.out_of_log(&line);
    }
    let rules = chronicle.not_shown(verdict.without_step.iter());
    if !rules.is_empty() {
        let line = || context.say("test.without_step", &[("rules", rules.join(" "))]);
        context.result_in_one_line(|| serde_json::json!({ "kind": "without_step", "rules": rules }), line);
    }
    if verdict.passed() {
        context.for_people(|| context.out(&context.say("test.passed", &[("expectations", verdict.met.to_string())])));
    }
}
