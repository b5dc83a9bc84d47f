//! Finds names in a scenario that nothing declares: seats, phases, zones, cards, states of its positions and decks, decisions and options.
//!
//! Input: a game's ground and a scenario's tree. Output: all unknown names; nothing is run. Errors that only the whole position shows (too
//! many cards, a turn before the first) are found elsewhere. Whether a decision is really asked is not checked.

use super::ground::Ground;
use super::lookup::{Lookup, fold};
use super::{answers, expected_errors, expects};
use crate::compile::to_do;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::CardId;
use crate::syntax::ast::{
    CardDecl, Expect, ExpectKind, Expr, ExprKind, Given, GivenCard, GivenSeat, Name, Outcome, PlayAnswer, Scenario, Step, Text,
};
use std::borrow::Cow;

/// All names of a scenario that nothing declares. Names that the scenario expects to be refused are left out.
#[must_use]
pub fn unknown_names(ground: &Ground, scenario: &Scenario) -> Vec<Diagnostic> {
    let lookup = Lookup { compiler: ground.compiler(), made_up: usize::MAX };
    let mut names = Names { lookup, own: own_cards(scenario), own_rules: has_own_rules(scenario), found: Vec::new() };
    names.likes(scenario);
    for step in &scenario.steps {
        match step {
            Step::Given(given) => names.given(given),
            Step::Play(plays) => {
                plays.passing.iter().for_each(|seat| names.seat(seat));
                for play in &plays.lines {
                    names.seat(&play.seat);
                    names.answer(&play.answer);
                }
            }
            Step::Deck(deck) => deck.cards.iter().for_each(|(_, card)| _ = names.card(card)),
            Step::Expect(expectations) => expectations.iter().for_each(|expect| names.expectation(expect)),
            Step::Card(_) | Step::Reading(..) | Step::Load(_) => {}
        }
    }
    names.found.retain(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code)));
    names.found
}

/// The first decision in a scenario's expectations that the game never asks. `not asked a: X` would always hold for it.
pub(super) fn unknown_expected(ground: &Ground, scenario: &Scenario) -> Option<Diagnostic> {
    let lookup = Lookup { compiler: ground.compiler(), made_up: usize::MAX };
    let mut names = Names { lookup, own: own_cards(scenario), own_rules: has_own_rules(scenario), found: Vec::new() };
    let expectations = scenario.steps.iter().filter_map(|step| if let Step::Expect(all) = step { Some(all) } else { None });
    expectations.flatten().for_each(|expect| names.expectation(expect));
    names.found.into_iter().next()
}

/// The numbers and names of the cards that a scenario makes up.
fn own_cards(scenario: &Scenario) -> Vec<Cow<'_, str>> {
    let cards = scenario.steps.iter().filter_map(|step| if let Step::Card(card) = step { Some(&**card) } else { None });
    fn called(card: &CardDecl) -> [Option<Cow<'_, str>>; 2] {
        [Some(fold(&card.number.text)), card.name.as_ref().map(|name| fold(&name.text))]
    }
    cards.flat_map(called).flatten().collect()
}

/// Whether the scenario loads rules. They may declare phases, zones and states.
fn has_own_rules(scenario: &Scenario) -> bool {
    scenario.steps.iter().any(|step| matches!(step, Step::Load(load) if load.outcome == Outcome::Joins))
}

/// The name of an offer whose options come as a parameter.
const ACT: &str = "act";

struct Names<'a> {
    lookup: Lookup<'a>,
    own: Vec<Cow<'a, str>>,
    own_rules: bool,
    found: Vec<Diagnostic>,
}

impl Names<'_> {
    /// Checks the cards that made-up cards are like: cards of the pool, or cards made up earlier. So there can be no circle.
    fn likes(&mut self, scenario: &Scenario) {
        let all = std::mem::take(&mut self.own);
        for step in &scenario.steps {
            let Step::Card(card) = step else { continue };
            card.like.iter().for_each(|like| _ = self.card(like));
            self.own.push(Cow::Owned(fold(&card.number.text).into_owned()));
            self.own.extend(card.name.as_ref().map(|name| Cow::Owned(fold(&name.text).into_owned())));
        }
        self.own = all;
    }

    fn given(&mut self, given: &Given) {
        if let Some(phase) = given.phase.as_ref().filter(|_| !self.own_rules) {
            self.found.extend(self.lookup.phase(phase).err());
        }
        given.seats.iter().for_each(|seat| self.things(seat));
        if self.own.is_empty() && !self.own_rules {
            let program = self.lookup.compiler.program();
            self.found.extend(given.random.iter().filter_map(|fixed| super::lots::impossible(program, fixed)));
        }
    }

    fn things(&mut self, seat: &GivenSeat) {
        let shared = seat.seat.text == "shared";
        if !shared {
            self.seat(&seat.seat);
        }
        for (zone, cards) in &seat.zones {
            self.zone(zone, &seat.seat, shared);
            cards.iter().for_each(|card| self.given_card(card));
        }
        seat.values.iter().for_each(|(name, value)| self.state(name, value, true));
    }

    fn given_card(&mut self, given: &GivenCard) {
        if let Some(card) = self.card(&given.card) {
            self.found.extend(to_do(self.lookup.compiler.program(), card).map(|finding| finding.at(given.card.span)));
        }
        given.owner.iter().for_each(|owner| self.seat(owner));
        for (name, value) in &given.states {
            match self.lookup.controller(name, value) {
                Some(seat) => self.found.extend(seat.err()),
                None => self.state(name, value, false),
            }
        }
    }

    fn expectation(&mut self, expect: &Expect) {
        match &expect.kind {
            ExpectKind::Asked(_, Some(name)) => self.decision(name, true),
            ExpectKind::SeesAnswer(reader, _, seat, name) => {
                self.seat(reader);
                self.seat(seat);
                self.decision(name, false);
            }
            ExpectKind::Possible(_, answer) | ExpectKind::Refused(_, answer) => self.answer(answer),
            _ => {}
        }
    }

    fn answer(&mut self, answer: &PlayAnswer) {
        if let PlayAnswer::Choice(name, _) | PlayAnswer::Option(name, _) = answer {
            self.decision(name, false);
        }
    }

    /// Checks the name of a decision, an option, or a pass. The name is not checked if the scenario has cards or rules of its own, because
    /// these may ask under other names.
    fn decision(&mut self, name: &Name, asked: bool) {
        let program = self.lookup.compiler.program();
        if self.own_rules || !self.own.is_empty() || answers::is_known(program, &name.text) {
            return;
        }
        let finding = Diagnostic::error("E0526", name.span).with("name", &name.text);
        // If a procedure gets its options as a parameter, the offer is called `act`.
        let finding = if asked && answers::is_known(program, ACT) { finding.with("act", ACT) } else { finding };
        self.found.push(finding.suggest(&name.text, answers::known(program)));
    }

    fn seat(&mut self, seat: &Name) {
        self.found.extend(self.lookup.seat(seat).err());
    }

    fn zone(&mut self, zone: &Name, seat: &Name, shared: bool) {
        if self.own_rules {
            return;
        }
        match self.lookup.zone(zone) {
            Ok(id) if self.lookup.compiler.program().zones.get(id).is_some_and(|def| def.each_player == shared) => {
                self.found.push(Diagnostic::error("E0513", zone.span).with("zone", &zone.text).with("seat", &seat.text));
            }
            Ok(_) => {}
            Err(finding) => self.found.push(finding),
        }
    }

    /// The card of the pool, if only one has that name. None for a card that the scenario makes up.
    fn card(&mut self, card: &Text) -> Option<CardId> {
        if !self.own.is_empty() && self.own.contains(&fold(&card.text)) {
            return None;
        }
        // The index finds nearly all names. Only other names are compared with every card.
        if let [known] = self.lookup.compiler.cards_called(&card.text).as_slice() {
            return Some(*known);
        }
        self.found.extend(self.lookup.card_listed(&card.text, card.span).err());
        None
    }

    fn state(&mut self, state: &Name, value: &Expr, on_players: bool) {
        if self.own_rules {
            return;
        }
        match self.lookup.state(state, on_players) {
            // Names may be names of this scenario.
            Ok(state) if matches!(value.kind, ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Text(_)) => {
                self.found.extend(super::terms::of_state(self.lookup.compiler, state, value).err());
            }
            Ok(_) => {}
            Err(finding) => self.found.push(finding),
        }
    }
}
