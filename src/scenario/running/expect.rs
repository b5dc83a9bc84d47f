//! `expect`: conditions where the run stands.
//!
//! A failed expectation shows what was expected, what came instead, and both sides of a comparison. A name for a card means the card as it
//! is now; in `happened` it means the card in any of its lives.

use crate::lookup::fold;
use crate::outcome::recorder::Record;
use crate::running::answers;
use crate::running::run::Run;
use crate::terms;
use crate::why::scopes_in_all_lives;
use compile::{Scope, Ty};
use engine::eval::Eval;
use engine::eval::watch::Happening;
use engine::ids::{ChoiceId, CitesId, PatternId, VerbId};
use engine::machine::{Asked, Refusal};
use engine::state::{Outcome, Status};
use engine::steps::{Silent, Step};
use engine::value::{Player, Value};
use engine::why::{Done, Fact};
use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{BinaryOp, Cite, Expect, ExpectKind, Expr, ExprKind, Name, Pattern, PlayAnswer, Why, WhyQuestion};
use tell::failure_code;

/// The result of an expectation.
struct Found {
    met: bool,
    came: String,
    /// The rules of the decision that the expectation is about, for `because`.
    cites: Vec<CitesId>,
    /// Whether that decision is open. True if the expectation is about no decision.
    asked: bool,
}

impl Found {
    fn new(met: bool, came: impl Into<String>) -> Self {
        Self { met, came: came.into(), cites: Vec::new(), asked: true }
    }
}

impl Run<'_> {
    /// Checks one expectation.
    ///
    /// # Errors
    /// `E0530` if it fails, `E0531` if no step gives the reason, and findings about its own text.
    pub(crate) fn expect(&mut self, expect: &Expect) -> Result<(), Diagnostic> {
        let found = self.look(expect)?;
        if matches!(expect.kind, ExpectKind::Wins(_) | ExpectKind::Drawn) && !expect.because.is_empty() {
            return self.ended_because(expect, found);
        }
        if found.met == expect.negated {
            let came = if expect.negated { found.came } else { self.with_what_waits(found.came, &expect.kind) };
            let unmet = Diagnostic::error("E0530", expect.span).with("expected", self.text(expect.span)).with("came", came);
            return Err(self.with_sides(unmet, &expect.kind));
        }
        match expect.because.iter().find(|cite| !self.gives_reason(&found, cite)) {
            Some(cite) => Err(Diagnostic::error("E0531", cite.span).with("rule", &cite.id).with("expected", self.text(expect.span))),
            None => Ok(()),
        }
    }

    /// Checks how the game ended and why: each rule after `because` must be cited by a step that ended the game. `not` denies both
    /// together.
    fn ended_because(&self, expect: &Expect, found: Found) -> Result<(), Diagnostic> {
        let other = expect.because.iter().find(|cite| !self.recorder.ended_by(self.machine.program(), &cite.id));
        match other {
            _ if expect.negated != (found.met && other.is_none()) => Ok(()),
            Some(cite) if found.met => {
                Err(Diagnostic::error("E0531", cite.span).with("rule", &cite.id).with("expected", self.text(expect.span)))
            }
            _ => Err(Diagnostic::error("E0530", expect.span).with("expected", self.text(expect.span)).with("came", found.came)),
        }
    }

    /// The result of a failed expectation, with the open decisions. The scenario may have forgotten to answer one of them.
    fn with_what_waits(&self, came: String, kind: &ExpectKind) -> String {
        let of_the_future = matches!(kind, ExpectKind::Happened(..) | ExpectKind::Holds(_) | ExpectKind::Before(..));
        if of_the_future && self.machine.questions().any(|asked| !asked.answered) {
            self.say("scenario.so_far", &[("came", came), ("asked", self.asked_in_words())])
        } else {
            came
        }
    }

    /// The source at a place, on one line.
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn look(&mut self, expect: &Expect) -> Result<Found, Diagnostic> {
        match &expect.kind {
            ExpectKind::Wins(seat) => {
                let player = self.lookup().seat(seat)?;
                Ok(self.ended(|status| matches!(status, Status::Over(outcome) if outcome.is_won_by(player))))
            }
            ExpectKind::Drawn => Ok(self.ended(|status| status == Status::Over(Outcome::Drawn))),
            ExpectKind::GoesOn => Ok(self.ended(|status| !matches!(status, Status::Over(_) | Status::Failed(_)))),
            ExpectKind::Happened(pattern, times) => self.happened(pattern, times.as_ref()),
            ExpectKind::Asked(seat, name) => self.asked(seat, name.as_ref()),
            ExpectKind::Possible(seat, answer) => self.takes(seat, answer, true, expect.span),
            ExpectKind::Refused(seat, answer) => self.takes(seat, answer, false, expect.span),
            ExpectKind::SeesAnswer(reader, seen, seat, name) => self.sees_answer((reader, *seen), seat, name),
            ExpectKind::Before(first, then) => Ok(self.before(first, then, expect.negated)),
            ExpectKind::Holds(expr) => {
                let value = self.value(expr)?;
                if let Some(kind) = self.machine.state().effects.asked.too_much() {
                    return Err(Diagnostic::error(failure_code(kind), expect.span));
                }
                let came = self.value_in_words(value);
                Ok(Found::new(value.is_true(), came))
            }
            ExpectKind::Error(code) => Ok(self.error(code)),
            ExpectKind::Why(why) => self.why(why),
        }
    }

    fn ended(&self, as_expected: impl Fn(Status) -> bool) -> Found {
        let came = match self.status() {
            Status::Over(outcome) => self.names().outcome(outcome),
            Status::Failed(failure) => self.say("scenario.rules_error", &[("code", failure_code(failure.kind).to_owned())]),
            _ => self.say("scenario.goes_on", &[("asked", self.asked_in_words())]),
        };
        Found::new(as_expected(self.status()), came)
    }

    fn error(&self, code: &Name) -> Found {
        let mut found = self.ended(|status| matches!(status, Status::Failed(failure) if failure_code(failure.kind) == code.text));
        if !found.met && !matches!(self.status(), Status::Failed(_)) {
            found.came = self.say("scenario.no_error", &[]);
        }
        found
    }

    fn happened(&mut self, pattern: &Pattern, times: Option<&Expr>) -> Result<Found, Diagnostic> {
        let wanted = times.map(|times| terms::number(&self.compiler, times)).transpose()?;
        let mut patterns = Vec::new();
        for scope in scopes_in_all_lives(&self.compiler, &self.machine, &self.aliases) {
            let found = self.compiler.pattern(pattern, &scope);
            patterns.push(found.map_err(|found| terms::first(found, pattern.span, "pattern"))?);
        }
        // An action that was cut off by the end of the game has no event of its own.
        self.wants.causes |= self.recorder.history().is_none() && matches!(self.status(), Status::Over(_));
        let count = self.count(&patterns).ok_or_else(|| terms::too_large(pattern.span))?;
        let met = match wanted {
            Some(wanted) => usize::try_from(wanted) == Ok(count),
            None => count > 0,
        };
        self.wants.causes |= !met && count > 0 && self.recorder.history().is_none();
        let came = match self.parts_of_others(&patterns) {
            Some((parts, whole)) => {
                self.say("scenario.happened.parts", &[("parts", parts.to_string()), ("whole", whole), ("n", count.to_string())])
            }
            None => self.say("scenario.happened", &[("n", count.to_string())]),
        };
        Ok(Found::new(met, came))
    }

    /// The number of events that match one of the patterns. Events cut off by the end of the game are counted. None if a number in a
    /// condition of the pattern is too large.
    fn count(&self, patterns: &[PatternId]) -> Option<usize> {
        let (program, state) = (self.program(), self.machine.state());
        let mut eval = Eval::new(program, state, &[], &[], Player(0), Value::Undefined);
        let history = self.recorder.history();
        let cut_off = history.into_iter().flat_map(|history| history.cut_off().map(|(_, done)| happening(done, history.lists())));
        let events = state.events.history.iter();
        let happenings =
            events.map(|event| Happening { verb: event.verb, args: &event.args, lists: &state.events.lists, cause: event.cause });
        let count = happenings.chain(cut_off).filter(|what| patterns.iter().any(|pattern| eval.matches(*pattern, *what))).count();
        (!eval.overflow).then_some(count)
    }

    /// The number of matching events that were parts of other actions, and the other action of the first of them.
    fn parts_of_others(&self, patterns: &[PatternId]) -> Option<(usize, String)> {
        let history = self.recorder.history()?;
        let mut eval = self.eval();
        let mut wholes = Vec::new();
        for (at, step) in history.events() {
            let Step::Performed(verb, args, cause) = step else { continue };
            let what = happening((*verb, args, *cause), history.lists());
            if let Some((verb, args, _)) = history.part_of(at).filter(|_| patterns.iter().any(|pattern| eval.matches(*pattern, what))) {
                wholes.push((verb, args));
            }
        }
        let (verb, args) = wholes.first()?;
        Some((wholes.len(), self.names().call(self.machine.state(), history.lists(), *verb, *args)))
    }

    /// Whether a seat saw another seat's last answer to a decision.
    fn sees_answer(&self, (reader, wanted): (&Name, bool), seat: &Name, name: &Name) -> Result<Found, Diagnostic> {
        let (reader, player) = (self.lookup().seat(reader)?, self.lookup().seat(seat)?);
        // Nobody else has seen an answer that is not yet carried out.
        let waits = self
            .machine
            .questions()
            .any(|asked| asked.answered && asked.player == player && answers::is_called(self.machine.program(), &asked, &name.text));
        let seen =
            if waits { Some(reader == player) } else { self.decided(player, &name.text).map(|record| record.seen & (1 << reader.0) != 0) };
        let key = match seen {
            Some(true) => "scenario.sees.answer",
            Some(false) => "scenario.sees.answer.not",
            None => "scenario.sees.answer.none",
        };
        let args = [("reader", tell::seat(reader)), ("seat", tell::seat(player)), ("name", name.text.clone())];
        Ok(Found::new(seen == Some(wanted), self.say(key, &args)))
    }

    /// The last decision of that seat with that name.
    fn decided(&self, seat: Player, name: &str) -> Option<&Record> {
        let program = self.program();
        let called = |choice: ChoiceId, picks: &[Value]| {
            let declared = program.choices.get(choice);
            declared.is_some_and(|known| answers::says(&known.name, name) || known.offer && name == answers::PASS && picks.is_empty())
                || declared.is_none() && name == answers::REPLACEMENT
                || picks.iter().any(|pick| answers::is_play_called(program, *pick, name))
        };
        self.recorder.records().iter().rev().find(|record| match &record.traced.step {
            Step::Decides { player, choice, picks, .. } => *player == seat && called(*choice, picks),
            _ => false,
        })
    }

    /// The scenario's names, for the cards as they are now.
    fn scope(&self) -> Scope {
        let board = &self.machine.state().board;
        terms::scope(&self.compiler, self.aliases.iter().map(|(name, named)| (name.as_str(), named.now(board))))
    }

    /// Whether the answer to a `why` question says the expected words, and names these cards and rules.
    fn why(&mut self, why: &Why) -> Result<Found, Diagnostic> {
        let answer = self.ask(&why.question)?;
        let program = self.compiler.program();
        let is = match why.question {
            WhyQuestion::Value(_) => true,
            WhyQuestion::Happened(..) => !answer.lines.iter().any(|line| matches!(line.fact, Fact::Never(_))),
            WhyQuestion::Can(can, ..) => answer.is_possible() == can,
        };
        let rules = why.rules.iter().all(|rule| answer.names_rule(program, &rule.id));
        let (names, state) = (self.names(), self.machine.state());
        let mut cards: Vec<String> = Vec::new();
        for card in answer.cards() {
            let (Value::Object { id, .. } | Value::Ability { of: id, .. }) = card else { continue };
            let name = names.object(state, id);
            if !cards.contains(&name) {
                cards.push(name);
            }
        }
        let named = why.cards.iter().all(|card| cards.iter().any(|name| fold(name) == fold(&card.text)));
        let mut cites: Vec<String> = Vec::new();
        for rule in answer.lines.iter().flat_map(|line| &line.cites).flat_map(|list| program.rules_beside(*list)) {
            if !cites.contains(rule) {
                cites.push(rule.clone());
            }
        }
        let said = [("cards", cards.join(", ")), ("rules", cites.iter().map(|rule| format!("@{rule}")).collect::<Vec<_>>().join(" "))];
        let came = self.say(if is { "scenario.why.names" } else { "scenario.why.not" }, &said);
        Ok(Found::new(is && rules && named, came))
    }

    fn asked(&self, seat: &Name, name: Option<&Name>) -> Result<Found, Diagnostic> {
        let player = self.lookup().seat(seat)?;
        let open: Vec<Asked<'_>> = self.open(player, name.map(|name| name.text.as_str())).collect();
        let mut found = Found::new(!open.is_empty(), self.say("scenario.is_asked", &[("asked", self.asked_in_words())]));
        found.cites = open.iter().filter_map(|asked| self.cites_of(asked)).collect();
        Ok(found)
    }

    fn cites_of(&self, asked: &Asked<'_>) -> Option<CitesId> {
        self.program().choices.get(asked.choice).map(|choice| choice.name.cites)
    }

    /// `possible` (`wanted`) and `refused`: the answer is given to a copy of the machine.
    fn takes(&mut self, seat: &Name, answer: &PlayAnswer, wanted: bool, span: Span) -> Result<Found, Diagnostic> {
        let mut found = self.taken(seat, answer, wanted, span)?;
        if let (PlayAnswer::Option(..), true, true) = (answer, found.met, found.asked) {
            let rules = self.judging(seat, answer);
            let names = rules.iter().flat_map(|list| self.compiler.program().rules_beside(*list)).cloned();
            self.judged.extend(names.collect::<Vec<_>>());
            found.cites.extend(rules);
        }
        Ok(found)
    }

    /// The rules that allow or block a way to act: the option's own rules, and those in the answer to `can`.
    fn judging(&mut self, seat: &Name, answer: &PlayAnswer) -> Vec<CitesId> {
        let PlayAnswer::Option(name, _) = answer else { return Vec::new() };
        let verb = self.compiler.symbols().verbs.id::<VerbId>(&name.text);
        let Some(verb) = verb.and_then(|verb| self.program().verbs.get(verb)).filter(|verb| verb.option.is_some()) else {
            return Vec::new();
        };
        let own = verb.name.cites;
        let question = WhyQuestion::Can(true, Some(seat.clone()), answer.clone());
        let answer = self.ask(&question).unwrap_or_default();
        std::iter::once(own).chain(answer.tried).chain(answer.lines.into_iter().flat_map(|line| line.cites)).collect()
    }

    fn taken(&self, seat: &Name, answer: &PlayAnswer, wanted: bool, span: Span) -> Result<Found, Diagnostic> {
        let player = self.lookup().seat(seat)?;
        if let PlayAnswer::Concede = answer {
            let taken = self.machine.clone().concede(player, &mut Silent).is_ok();
            return Ok(Found::new(taken == wanted, self.say(if taken { "scenario.possible" } else { "scenario.refused" }, &[])));
        }
        let (name, picks) = answers::choice_of(answer);
        let picks = picks.as_ref();
        let open: Vec<Asked<'_>> = self.open(player, Some(name)).collect();
        if open.is_empty() && wanted {
            return Err(self.not_asked(player, answer, span));
        }
        if open.is_empty() {
            let asked = self.say("scenario.is_asked", &[("asked", self.asked_in_words())]);
            return Ok(Found { asked: false, ..Found::new(true, asked) });
        }
        let verdicts: Vec<Result<(), Refusal>> = open
            .iter()
            .filter_map(|asked| Some((asked.id, self.given(asked, name, picks).ok()?)))
            .map(|(question, given)| self.machine.check_given(question, &given))
            .collect();
        let taken = verdicts.contains(&Ok(()));
        if !taken && verdicts.contains(&Err(Refusal::NotDecided)) {
            return Err(Diagnostic::error("E0661", span));
        }
        let mut found = Found::new(taken == wanted, self.say(if taken { "scenario.possible" } else { "scenario.refused" }, &[]));
        found.cites = open.iter().filter_map(|asked| self.cites_of(asked)).collect();
        Ok(found)
    }

    /// Whether the first rule was carried out before the other. The denial needs a step with the other rule too: without one, it would hold
    /// whatever happens.
    fn before(&self, first: &Cite, then: &Cite, denied: bool) -> Found {
        let place = |cite: &Cite| self.recorder.first(self.machine.program(), &cite.id);
        let in_words = |cite: &Cite, place: Option<usize>| match place {
            Some(at) => format!("@{} in step {}", cite.id, at + 1),
            None => format!("@{} in no step", cite.id),
        };
        let (a, b) = (place(first), place(then));
        let met = a.zip(b).is_some_and(|(a, b)| a < b);
        let met = if b.is_none() { denied } else { met };
        Found::new(met, format!("{}, {}", in_words(first, a), in_words(then, b)))
    }

    /// Whether a rule is cited by the expectation's decision or by a step so far.
    fn gives_reason(&self, found: &Found, cite: &Cite) -> bool {
        let lists = |list: &CitesId| self.program().rules_beside(*list).contains(&cite.id);
        found.cites.iter().any(lists) || self.recorder.cites(self.machine.program(), &cite.id)
    }

    /// The value of a condition here.
    ///
    /// # Errors
    /// The compiler's findings about it.
    fn value(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        let scope = self.scope();
        let node = self.compiler.expression_of(expr, Ty::BOOL, &scope).map_err(|found| terms::first(found, expr.span, "condition"))?;
        let mut eval = self.eval();
        let value = eval.value(node);
        if eval.overflow { Err(terms::too_large(expr.span)) } else { Ok(value) }
    }

    fn eval(&self) -> Eval<'_> {
        Eval::new(self.compiler.program(), self.machine.state(), &[], &[], Player(0), Value::Undefined)
    }

    /// Adds both sides of a failed comparison.
    fn with_sides(&mut self, unmet: Diagnostic, kind: &ExpectKind) -> Diagnostic {
        let ExpectKind::Holds(expr) = kind else { return unmet };
        let ExprKind::Binary(left, op, right) = &expr.kind else { return unmet };
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return unmet;
        }
        let mut unmet = unmet;
        for (key, side) in [("left", left), ("right", right)] {
            if let Some(shown) = self.shown(side) {
                unmet = unmet.with(key, self.say("scenario.side", &[("side", self.text(side.span).to_owned()), ("value", shown)]));
            }
        }
        unmet
    }

    /// The value of a side; the members of a set. None if the side is a plain number, text or truth.
    fn shown(&mut self, side: &Expr) -> Option<String> {
        if matches!(side.kind, ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Bool(_)) {
            return None;
        }
        let scope = self.scope();
        let (node, ty) = self.compiler.expression(side, &scope).ok()?;
        let mut eval = self.eval();
        if !ty.set && ty != Ty::ZONE {
            let value = eval.value(node);
            return Some(self.value_in_words(value));
        }
        let mut members = Vec::new();
        eval.each(node, &mut |_, member| {
            members.push(member);
            false
        });
        Some(self.names().list(self.machine.state(), &[], &members))
    }
}

/// An action in the form that patterns are compared with.
fn happening<'h>((verb, args, cause): Done<'h>, lists: &'h [Value]) -> Happening<'h> {
    Happening { verb, args, lists, cause }
}
