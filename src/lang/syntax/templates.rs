//! Puts `given NAME { … }` and the cards of a scenario file into the scenarios of that file.
//!
//! Input: the items of a scenario file. Output: its scenarios, each with its whole position. A zone, value, phase or turn in the scenario
//! replaces that of the named position. Fixed random results, effects in force and waiting abilities of the scenario are added after those
//! of the named position.

use super::ast::{CardDecl, Given, GivenSeat, Name, Scenario, Step};
use crate::diagnostic::Diagnostic;
use crate::syntax::build::scenario::Item;
use std::sync::Arc;

/// The scenarios with their positions and cards filled in. A repeated or unknown name of a position is reported.
pub(crate) fn filled_in(items: Vec<Item>, found: &mut Vec<Diagnostic>) -> Vec<Scenario> {
    let mut templates: Vec<(Name, Box<Given>)> = Vec::new();
    let mut cards: Vec<Arc<CardDecl>> = Vec::new();
    let mut scenarios = Vec::new();
    for item in items {
        match item {
            Item::Scenarios(read) => scenarios.extend(read),
            Item::Given(name, _) if templates.iter().any(|(known, _)| known.text == name.text) => {
                found.push(Diagnostic::error("E0135", name.span).with("name", &name.text));
            }
            Item::Given(name, given) => templates.push((name, given)),
            Item::Card(card) => cards.push(card),
        }
    }
    scenarios.iter_mut().for_each(|scenario| with_cards(scenario, &cards));
    for step in scenarios.iter_mut().flat_map(|scenario| &mut scenario.steps) {
        let Step::Given(given) = step else { continue };
        let Some(base) = given.base.take() else { continue };
        match templates.iter().find(|(name, _)| name.text == base.text) {
            Some((_, template)) => **given = with(template, std::mem::take(given)),
            None => {
                let known = templates.iter().map(|(name, _)| name.text.as_str());
                found.push(Diagnostic::error("E0136", base.span).with("name", &base.text).suggest(&base.text, known));
            }
        }
    }
    scenarios
}

/// Puts the cards of the file in front of the scenario's own cards. A scenario's own card replaces the file's card of the same number.
fn with_cards(scenario: &mut Scenario, cards: &[Arc<CardDecl>]) {
    for (at, card) in cards.iter().enumerate() {
        let is = |step: &Step| matches!(step, Step::Card(own) if own.number.text == card.number.text);
        let own = scenario.steps.iter().position(is).map(|own| scenario.steps.remove(own));
        scenario.steps.insert(at, own.unwrap_or_else(|| Step::Card(Arc::clone(card))));
    }
}

/// The named position with the scenario's additions.
fn with(template: &Given, added: Given) -> Given {
    let mut seats = template.seats.clone();
    let mut written: Vec<String> = Vec::new();
    for seat in added.seats {
        let again = written.contains(&seat.seat.text);
        written.push(seat.seat.text.clone());
        match seats.iter_mut().find(|known| known.seat.text == seat.seat.text) {
            // A second block of one seat takes nothing back. A thing that is in both blocks is E0514.
            Some(known) if again => {
                known.zones.extend(seat.zones);
                known.values.extend(seat.values);
            }
            Some(known) => add(known, seat),
            None => seats.push(seat),
        }
    }
    Given {
        base: None,
        phase: added.phase.or_else(|| template.phase.clone()),
        turn: added.turn.or_else(|| template.turn.clone()),
        setup: added.setup || template.setup,
        seed: added.seed.or_else(|| template.seed.clone()),
        seats,
        random: template.random.iter().cloned().chain(added.random).collect(),
        waiting: template.waiting.iter().cloned().chain(added.waiting).collect(),
        effects: template.effects.iter().cloned().chain(added.effects).collect(),
        span: added.span,
    }
}

fn add(known: &mut GivenSeat, added: GivenSeat) {
    known.decider = added.decider.or(known.decider.take());
    known.zones.retain(|(zone, _)| !added.zones.iter().any(|(other, _)| other.text == zone.text));
    known.values.retain(|(name, _)| !added.values.iter().any(|(other, _)| other.text == name.text));
    known.zones.extend(added.zones);
    known.values.extend(added.values);
}
