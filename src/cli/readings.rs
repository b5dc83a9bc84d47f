//! `gyoji readings GAME`: lists the places where the rulebook can be read in more than one way, the chosen reading, and what changes under
//! others.

use super::{Context, Exit};
use crate::shared::audited::{self, Audited};
use audit::readings;
use lang::syntax::ast::{Reading, ReadingChoices, Scenario, Step};
use rayon::prelude::*;
use scenario::Verdict;
use std::path::PathBuf;

/// The arguments of `readings`.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// The game; the project's first one when not given.
    pub game: Option<String>,
    /// Files and folders with scenarios.
    #[arg(long, value_name = "PATH")]
    pub scenarios: Vec<PathBuf>,
}

/// Another value of a reading: the scenarios that fail under it, and the scenarios about it.
struct Other<'a> {
    value: &'a str,
    fails: Vec<&'a Scenario>,
    under: Vec<&'a Scenario>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, context: &Context) -> Exit {
    match listed(args, context) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn listed(args: &Args, context: &Context) -> Result<Exit, Exit> {
    let audited = audited::load(args.game.as_deref(), &args.scenarios, context)?;
    let passed: Vec<bool> = audited.suite.verdicts().iter().map(Verdict::passed).collect();
    let bar = context.bar(readings(&audited.game).count() as u64);
    for reading in readings(&audited.game) {
        let others = others(reading, &audited, &passed);
        bar.inc(1);
        show(reading, &others, &audited, context);
    }
    bar.finish_and_clear();
    Ok(Exit::Fine)
}

fn others<'a>(reading: &'a Reading, audited: &'a Audited, passed: &[bool]) -> Vec<Other<'a>> {
    let ReadingChoices::Names(values) = &reading.choices else { return Vec::new() };
    let name = reading.head.name.text.as_str();
    let other = |value: &'a str, default: bool| {
        let under = audited.suite.scenarios.iter().filter(|scenario| is_under(scenario, name, value)).collect();
        let fails = if default { Vec::new() } else { differing(audited, name, value, passed) };
        Other { value, fails, under }
    };
    values.iter().map(|(value, default)| other(&value.text, *default)).collect()
}

/// The scenarios that pass under the default and fail under this value.
fn differing<'a>(audited: &'a Audited, name: &str, value: &str, passed: &[bool]) -> Vec<&'a Scenario> {
    let suite = &audited.suite;
    let Ok(ground) = suite.ground.clone().with_reading(name, value) else { return Vec::new() };
    let ground = ground.without_header_check();
    let differs = |(scenario, passed): (&'a Scenario, &bool)| {
        let fails = *passed && !scenario::run(&ground, scenario, &suite.sources).passed();
        fails.then_some(scenario)
    };
    suite.scenarios.par_iter().zip(passed).filter_map(differs).collect()
}

/// Whether a scenario itself chooses that value.
fn is_under(scenario: &Scenario, name: &str, value: &str) -> bool {
    let chooses = |step: &Step| match step {
        Step::Reading(chosen, to) => chosen.text == name && scenario::written_value(to) == value,
        _ => false,
    };
    scenario.steps.iter().any(chooses)
}

fn show(reading: &Reading, others: &[Other<'_>], audited: &Audited, context: &Context) {
    let head = &reading.head;
    let why = head.label.as_ref().map_or("", |label| label.text.as_str());
    let place = |scenario: &Scenario| {
        let sources = &audited.suite.sources;
        format!("{}:{}", sources.get(scenario.span.file).map_or("", |source| source.name.as_str()), sources.line_column(scenario.span).0)
    };
    let object = || {
        let titles = |scenarios: &[&Scenario]| scenarios.iter().map(|scenario| scenario.title.text.clone()).collect::<Vec<_>>();
        let values: Vec<_> = others
            .iter()
            .map(|other| serde_json::json!({ "value": other.value, "differs": titles(&other.fails), "under": titles(&other.under) }))
            .collect();
        serde_json::json!({
            "kind": "reading",
            "name": head.name.text,
            "why": why,
            "rules": head.cites.iter().map(|cite| cite.id.as_str()).collect::<Vec<_>>(),
            "default": default_of(reading),
            "values": values,
        })
    };
    context.result(object, || {
        let rules: String = head.cites.iter().map(|cite| format!(" @{}", cite.id)).collect();
        context.out(&format!("{}{rules}: {why}", head.name.text));
        let default = default_of(reading);
        for other in others {
            let key = if other.value == default { "readings.default" } else { "readings.value" };
            let args = [("value", other.value.to_owned()), ("count", other.fails.len().to_string())];
            context.out(&format!("  {}", context.say(key, &args)));
            for scenario in &other.fails {
                context.out(&format!("    {} “{}”", place(scenario), scenario.title.text));
            }
            for scenario in &other.under {
                let args = [("title", scenario.title.text.clone()), ("place", place(scenario))];
                context.out(&format!("    {}", context.say("readings.under", &args)));
            }
        }
    });
}

fn default_of(reading: &Reading) -> String {
    match &reading.choices {
        ReadingChoices::Names(values) => {
            let default = values.iter().find(|(_, default)| *default).or(values.first());
            default.map(|(value, _)| value.text.clone()).unwrap_or_default()
        }
        ReadingChoices::Value(_, value) => scenario::written_value(value),
    }
}
