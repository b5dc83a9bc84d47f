//! Finds names in a scenario that nothing declares: seats, phases, zones, cards, states of its positions and decks, decisions and options,
//! and the values in answers.
//!
//! Input: a game's ground and a scenario's tree. Output: all unknown names; nothing is run. Errors that only the whole position shows (too
//! many cards, a turn before the first) are found elsewhere. Whether a decision is really asked is not checked.

use crate::checks::certain;
use crate::checks::declared::Declared;
use crate::checks::values::{self, Own};
use crate::expected_errors;
use crate::expects;
use crate::ground::Ground;
use crate::lookup::{Lookup, fold};
use crate::running::answers::{self, AnswerNames, CONCEDE, Taken};
use compile::{Compiler, to_do};
use engine::ids::{CardId, StateId, ZoneId};
use engine::program::Type;
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{
    Expect, ExpectKind, Expr, ExprKind, Given, GivenBegun, GivenCard, GivenSeat, Name, PlayAnswer, Plays, Scenario, Step, Text, Why,
    WhyQuestion,
};
use std::borrow::Cow;

/// All names of a scenario that nothing declares. Names that the scenario expects to be refused are left out. `own`: the game with the
/// scenario's own cards, rules and readings.
pub(crate) fn unknown_names(ground: &Ground, own: Option<&Compiler>, scenario: &Scenario) -> Vec<Diagnostic> {
    let mut names = Names::of(ground, own, scenario);
    names.likes(ground, scenario);
    for step in &scenario.steps {
        match step {
            Step::Given(given) => names.given(given),
            Step::Play(plays) => names.plays(plays),
            Step::Deck(deck) => deck.cards.iter().for_each(|(_, card)| _ = names.card(card)),
            Step::Expect(expectations) => expectations.iter().for_each(|expect| names.expectation(expect)),
            Step::Card(_) | Step::Reading(..) | Step::Load(_) => {}
        }
    }
    names.found.retain(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code)));
    names.found
}

/// The first name in a scenario's expectations and answers that means nothing: a decision that the game never asks, an unknown card or word
/// in an answer, a rule that nothing cites. `not asked a: X` and `refused a: X` would always hold for it. `own`: see [`unknown_names`].
///
/// The run itself reports a wrong answer together with the possible ones. Only the mistakes of [`IN_PLAY`] would pass there, and all
/// mistakes behind an expected error.
pub(crate) fn unknown_said(ground: &Ground, own: Option<&Compiler>, scenario: &Scenario) -> Option<Diagnostic> {
    let mut names = Names::of(ground, own, scenario);
    let every = expected_errors(scenario).next().is_some();
    for step in &scenario.steps {
        match step {
            Step::Play(plays) => {
                let before = names.found.len();
                names.plays(plays);
                let of_plays = names.found.split_off(before);
                names.found.extend(of_plays.into_iter().filter(|finding| every || IN_PLAY.contains(&finding.code)));
            }
            Step::Expect(expectations) => expectations.iter().for_each(|expect| names.expectation(expect)),
            _ => {}
        }
    }
    names.found.into_iter().find(|finding| !expected_errors(scenario).any(|expect| expects(expect, finding.code)))
}

/// The first name in a question about a scenario that means nothing.
pub(crate) fn unknown_asked(
    ground: &Ground,
    own: Option<&Compiler>,
    (scenario, question): (&Scenario, &WhyQuestion),
) -> Option<Diagnostic> {
    let mut names = Names::of(ground, own, scenario);
    // Whether somebody may concede is a question that the rules answer.
    if !matches!(question, WhyQuestion::Can(_, _, PlayAnswer::Concede)) {
        names.question(question, scenario.title.span);
    }
    names.found.into_iter().next()
}

/// The mistakes in answers of `play` that a run does not notice: an argument that is given twice, an answer without a name.
const IN_PLAY: [&str; 2] = ["E0207", "E0597"];

/// The name of an offer whose options come as a parameter.
const ACT: &str = "act";

/// A look through a scenario.
pub(super) struct Names<'a> {
    /// The game.
    pub lookup: Lookup<'a>,
    /// The names of decisions and options.
    pub declared: Declared<'a>,
    ground: &'a Ground,
    /// The names and words that the scenario brings with it.
    pub own: Own<'a>,
    /// The findings so far.
    pub found: Vec<Diagnostic>,
}

impl<'a> Names<'a> {
    fn of(ground: &'a Ground, own: Option<&'a Compiler>, scenario: &'a Scenario) -> Self {
        let lookup = match own {
            Some(compiler) => Lookup { compiler, made_up: ground.made_up() },
            None => Lookup { compiler: ground.compiler(), made_up: usize::MAX },
        };
        let default = ground.default().into_iter().flat_map(|default| &default.zones).flat_map(|(_, cards)| cards);
        Self { lookup, ground, declared: Declared::of(ground, own, scenario), own: Own::of(scenario, default), found: Vec::new() }
    }

    /// Checks the cards that made-up cards are like: cards of the pool, or cards made up earlier. So there can be no circle.
    fn likes(&mut self, ground: &'a Ground, scenario: &Scenario) {
        let all = std::mem::take(&mut self.own.cards);
        let lookup = std::mem::replace(&mut self.lookup, Lookup { compiler: ground.compiler(), made_up: usize::MAX });
        for step in &scenario.steps {
            let Step::Card(card) = step else { continue };
            card.like.iter().for_each(|like| _ = self.card(like));
            self.own.cards.push(Cow::Owned(fold(&card.number.text).into_owned()));
            self.own.cards.extend(card.name.as_ref().map(|name| Cow::Owned(fold(&name.text).into_owned())));
        }
        self.own.cards = all;
        self.lookup = lookup;
    }

    fn plays(&mut self, plays: &Plays) {
        plays.passing.iter().for_each(|seat| self.seat(seat));
        for play in &plays.lines {
            self.seat(&play.seat);
            self.answer(&play.answer, play.span);
        }
    }

    fn given(&mut self, given: &Given) {
        self.found.extend(given.phase.as_ref().and_then(|phase| self.lookup.phase(phase).err()));
        given.seats.iter().for_each(|seat| self.things(seat));
        let program = self.lookup.compiler.program();
        self.found.extend(given.random.iter().filter_map(|fixed| crate::position::lots::impossible(program, fixed)));
        let began = given.effects.iter().flat_map(|effect| {
            let came = if let GivenBegun::Came(cards) = &effect.kind { cards.as_slice() } else { &[] };
            effect.source.iter().chain(came)
        });
        // Before the set-up nothing waits. The scenario is refused for that (`E0628`), whatever names stand there.
        let waiting = given.waiting.iter().filter(|_| !given.setup).flat_map(|waiting| waiting.sources.iter().chain(&waiting.from));
        began.chain(waiting).for_each(|name| self.named(name));
        // A card comes to its zone once.
        let mut came: Vec<&str> = Vec::new();
        for name in given.effects.iter().flat_map(|effect| if let GivenBegun::Came(cards) = &effect.kind { cards.as_slice() } else { &[] })
        {
            if came.contains(&name.text.as_str()) {
                self.found.push(Diagnostic::error("E0514", name.span).with("name", &name.text));
            }
            came.push(&name.text);
        }
    }

    /// The name of a card of the position.
    fn named(&mut self, name: &Name) {
        if !self.own.names(&name.text) {
            let finding = Diagnostic::error("E0538", name.span).with("name", &name.text);
            self.found.push(finding.suggest(&name.text, self.own.aliases()));
        }
    }

    fn things(&mut self, seat: &GivenSeat) {
        let shared = seat.seat.text == "shared";
        if !shared {
            self.seat(&seat.seat);
        }
        for (zone, cards) in &seat.zones {
            let zone = self.zone(zone, &seat.seat, shared);
            cards.iter().for_each(|card| self.given_card(card, zone));
        }
        for (name, value) in &seat.values {
            let found = self.lookup.state_of(name, &seat.seat, shared);
            self.state(found, value);
        }
    }

    fn given_card(&mut self, given: &GivenCard, zone: Option<ZoneId>) {
        if let Some(card) = self.card(&given.card) {
            self.found.extend(to_do(self.lookup.compiler.program(), card).map(|finding| finding.at(given.card.span)));
        }
        given.like.iter().for_each(|like| _ = self.card(like));
        given.owner.iter().for_each(|owner| self.seat(owner));
        given.host.iter().chain(given.made.iter().flatten()).for_each(|name| self.named(name));
        if let (Some(zone), Some(place)) = (zone, &given.place) {
            self.found.extend(crate::position::setup::slot(self.lookup, zone, place).err());
        }
        for (name, value) in &given.states {
            match self.lookup.controller(name, value) {
                Some(seat) => self.found.extend(seat.err()),
                None => {
                    let found = self.lookup.state(name, false);
                    self.state(found, value);
                }
            }
        }
    }

    fn expectation(&mut self, expect: &Expect) {
        self.found.extend(certain::finding(self.lookup.compiler.program(), expect));
        if let ExpectKind::Wins(seat) | ExpectKind::Asked(seat, _) = &expect.kind {
            self.seat(seat);
        }
        match &expect.kind {
            // Under another reading the game may ask it.
            ExpectKind::Asked(_, Some(name)) if expect.negated && self.ground.declares_decision(&name.text) => {}
            ExpectKind::Asked(_, Some(name)) => self.decision(name, true),
            ExpectKind::SeesAnswer(reader, _, seat, name) => {
                self.seat(reader);
                self.seat(seat);
                self.decision(name, false);
            }
            ExpectKind::Possible(seat, answer) | ExpectKind::Refused(seat, answer) => {
                self.seat(seat);
                self.answer(answer, expect.span);
            }
            ExpectKind::Why(why) => self.why(why, expect.span),
            _ => {}
        }
    }

    /// The cards of a question, and those that its answer must name. Names in questions are read as expressions when the scenario runs.
    fn why(&mut self, why: &Why, span: Span) {
        let unknown = |card: &Text| values::unknown_text(self.lookup, &self.own, &card.text, card.span);
        self.found.extend(why.cards.iter().filter_map(unknown));
        self.question(&why.question, span);
    }

    fn question(&mut self, question: &WhyQuestion, span: Span) {
        let WhyQuestion::Can(_, seat, answer) = question else { return };
        seat.iter().for_each(|seat| self.seat(seat));
        // Without arguments, and in an answer to a decision, an action that is no option stands for nothing.
        match answer {
            PlayAnswer::Option(name, args) if self.lookup.compiler.symbols().verbs.find(&name.text).is_some() => self.arguments(name, args),
            PlayAnswer::Option(name, _) => self.decision(name, false),
            PlayAnswer::Choice(name, picks) => {
                self.decision(name, false);
                self.picks(name, picks);
            }
            PlayAnswer::Concede => self.concession(span),
        }
        let of_decision = matches!(answer, PlayAnswer::Choice(name, _) if self.declared.is(AnswerNames::is_choice, &name.text));
        // Elsewhere an expression may stand. A plain name in an option is a word of answers.
        let of_option = self.declared.is(AnswerNames::is_option, answers::called(answer));
        let is_text = |value: &&Expr| match value.kind {
            ExprKind::Text(_) | ExprKind::Ordinal(..) => true,
            ExprKind::Name(_) => of_decision || of_option,
            _ => of_decision,
        };
        if !self.takes_words(answer) {
            self.values(&values::of_answer(answer).into_iter().filter(is_text).collect::<Vec<_>>());
        }
    }

    fn values(&mut self, values: &[&Expr]) {
        values.iter().for_each(|value| values::unknown(self.lookup, &self.own, value, &mut self.found));
    }

    /// `span`: the place of the whole answer.
    fn answer(&mut self, answer: &PlayAnswer, span: Span) {
        let before = self.found.len();
        match answer {
            PlayAnswer::Concede => self.concession(span),
            PlayAnswer::Choice(name, picks) => {
                self.decision(name, false);
                // A place among the ways to act (`march [2]`) and `none` are no arguments.
                let is_argument = |pick: &Expr| match &pick.kind {
                    ExprKind::Name(name) => name.text != "none",
                    other => !matches!(other, ExprKind::List(_)),
                };
                self.option_without_brackets(name, picks.iter().any(is_argument));
                self.picks(name, picks);
            }
            PlayAnswer::Option(name, args) => {
                self.decision(name, false);
                self.choice_with_brackets(name, !args.is_empty());
                self.arguments(name, args);
            }
        }
        if self.found.len() == before && !self.takes_words(answer) {
            self.values(&values::of_answer(answer));
        }
    }

    /// Whether the answer is a declared word, as in 「カード名を1つ宣言する」. A ruling may show that a word is refused because nobody has it.
    fn takes_words(&self, answer: &PlayAnswer) -> bool {
        let PlayAnswer::Choice(name, _) = answer else { return false };
        self.declared.taken(&name.text).iter().any(|taken| matches!(taken, Taken::Words(_)))
    }

    /// `E0526` for a concession in a game in which nobody may concede.
    fn concession(&mut self, span: Span) {
        if self.lookup.compiler.program().concede.is_none() {
            self.found.push(Diagnostic::error("E0526", span).with("name", CONCEDE));
        }
    }

    /// Checks the name of a decision, an option, or a pass.
    fn decision(&mut self, name: &Name, asked: bool) {
        if name.text.is_empty() {
            return self.found.push(Diagnostic::error("E0597", name.span));
        }
        if self.declared.is(AnswerNames::is_known, &name.text) {
            return;
        }
        let finding = Diagnostic::error("E0526", name.span).with("name", &name.text);
        // If a procedure gets its options as a parameter, the offer is called `act`.
        let finding = if asked && self.declared.is(AnswerNames::is_known, ACT) { finding.with("act", ACT) } else { finding };
        self.found.push(finding.suggest(&name.text, answers::known(self.lookup.compiler.program())));
    }

    /// An option whose arguments stand after its name like the cards of a choice. Nothing asks such a choice, so `refused` would always hold.
    fn option_without_brackets(&mut self, name: &Name, has_picks: bool) {
        let is = |test| self.declared.is(test, &name.text);
        if has_picks && is(AnswerNames::is_option) && !is(AnswerNames::is_choice) {
            self.found.push(Diagnostic::error("E0557", name.span).with("name", &name.text));
        }
    }

    /// A choice whose answer stands in brackets like the arguments of an option. Nobody can take such an option, so `refused` would always
    /// hold.
    fn choice_with_brackets(&mut self, name: &Name, has_arguments: bool) {
        let is = |test| self.declared.is(test, &name.text);
        if has_arguments && !is(AnswerNames::is_option) && is(AnswerNames::is_choice) {
            self.found.push(Diagnostic::error("E0558", name.span).with("name", &name.text));
        }
    }

    fn seat(&mut self, seat: &Name) {
        self.found.extend(self.lookup.seat(seat).err());
    }

    /// A zone under a seat. None for an unknown one.
    fn zone(&mut self, zone: &Name, seat: &Name, shared: bool) -> Option<ZoneId> {
        match self.lookup.zone(zone) {
            Ok(id) if self.lookup.compiler.program().zones.get(id).is_some_and(|def| def.each_player == shared) => {
                self.found.push(Diagnostic::error("E0513", zone.span).with("zone", &zone.text).with("seat", &seat.text));
                None
            }
            Ok(id) => Some(id),
            Err(finding) => {
                self.found.push(finding);
                None
            }
        }
    }

    /// The card of the pool, if only one has that name. None for a card that the scenario makes up.
    fn card(&mut self, card: &Text) -> Option<CardId> {
        if !self.own.cards.is_empty() && self.own.cards.contains(&fold(&card.text)) {
            return None;
        }
        // The index finds nearly all names. Only other names are compared with every card.
        if let [known] = self.lookup.compiler.cards_called(&card.text).as_slice() {
            return Some(*known);
        }
        self.found.extend(self.lookup.card_listed(&card.text, card.span).err());
        None
    }

    /// Checks the value of a state that was looked up.
    fn state(&mut self, state: Result<StateId, Diagnostic>, value: &Expr) {
        let states = &self.lookup.compiler.program().states;
        match state {
            // Names may be names of this scenario. Only seats are known in advance.
            Ok(state)
                if matches!(value.kind, ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Text(_))
                    || states.get(state).is_some_and(|def| def.of == Type::Player && def.members.is_none())
                        && matches!(value.kind, ExprKind::Name(_)) =>
            {
                self.found.extend(crate::terms::of_state(self.lookup.compiler, state, value).err());
            }
            Ok(_) => {}
            Err(finding) => self.found.push(finding),
        }
    }
}
