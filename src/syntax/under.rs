//! `under NAME = VALUE { … }` in a scenario: what is played and expected under one value of a reading only.
//!
//! Takes a scenario with such parts; gives one scenario for each value that they name, with what stands outside of them and under
//! that value, so that nothing else has to know of them. Deliberately absent: whether there is such a reading.

use super::ast::{Expr, Name, Scenario, Step};

/// What stands in a scenario.
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
    /// Its value.
    pub value: Expr,
    /// The value as it is written.
    pub said: String,
    /// What is played and expected.
    pub steps: Vec<Step>,
}

/// The scenario once for each value, in the order in which they come first; or as it is where none is named.
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
        // Each is listed by its title.
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
