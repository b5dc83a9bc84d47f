//! Splits a scenario with `under NAME = VALUE { … }`, whose steps hold only under one value of a reading.
//!
//! Input: a scenario with such parts. Output: one scenario for each value that the parts name. Each has the steps outside of the parts and
//! the steps under its value, so no other code has to know `under`. Whether the reading exists is checked elsewhere.

use super::ast::{Expr, Name, Scenario, Step};

/// A part of a scenario's braces.
pub(super) enum Part {
    /// A step.
    Step(Box<Step>),
    /// Steps under a value of a reading.
    Under(Under),
}

/// `under NAME = VALUE { … }`.
pub(super) struct Under {
    /// The reading.
    pub name: Name,
    /// The value of the reading.
    pub value: Expr,
    /// The value as it is written.
    pub said: String,
    /// The steps in the braces.
    pub steps: Vec<Step>,
}

/// One scenario for each value, in the order in which the values first appear. A scenario without `under` is given back unchanged.
pub(super) fn one_for_each(bare: Scenario, parts: Vec<Part>) -> Vec<Scenario> {
    let mut values: Vec<(&Name, &Expr, &str)> = Vec::new();
    for part in &parts {
        if let Part::Under(under) = part
            && !values.iter().any(|(name, _, said)| is(under, name, said))
        {
            values.push((&under.name, &under.value, &under.said));
        }
    }
    if values.is_empty() {
        let plain = parts.into_iter().filter_map(|part| if let Part::Step(step) = part { Some(*step) } else { None });
        return vec![Scenario { steps: plain.collect(), ..bare }];
    }
    let one = |(name, value, said): &(&Name, &Expr, &str)| {
        let mut scenario = bare.clone();
        // Titles differ, because scenarios are listed by title.
        scenario.title.text = format!("{} ({} = {said})", bare.title.text, name.text);
        scenario.steps.push(Step::Reading((*name).clone(), (*value).clone()));
        for part in &parts {
            match part {
                Part::Step(step) => scenario.steps.push(Step::clone(step)),
                Part::Under(under) if is(under, name, said) => scenario.steps.extend(under.steps.iter().cloned()),
                Part::Under(_) => {}
            }
        }
        scenario
    };
    values.iter().map(one).collect()
}

fn is(under: &Under, name: &Name, said: &str) -> bool {
    under.name.text == name.text && under.said == said
}
