//! `expect`: what must be so where the run stands.
//!
//! An expectation that is not met gives what was expected, what came instead, and both sides of a comparison. A name for a card
//! means the card as it is now; in `happened` the card in any of its lives.

use super::answers;
use super::constant;
use super::run::Run;
use super::words;
use crate::diagnostic::{Diagnostic, Span};
use crate::engine::eval::Eval;
use crate::engine::ids::{CitesId, PatternId};
use crate::engine::machine::Asked;
use crate::engine::state::{Outcome, Status};
use crate::engine::value::{Player, Value};
use crate::engine::watch::Happening;
use crate::syntax::ast::{BinaryOp, Cite, Expect, ExpectKind, Expr, ExprKind, Name, Pattern, PlayAnswer};

/// What an expectation came to.
struct Found {
    met: bool,
    came: String,
    /// The decision that it is about, for `because`.
    cites: Vec<CitesId>,
}

impl Found {
    fn new(met: bool, came: impl Into<String>) -> Self {
        Self { met, came: came.into(), cites: Vec::new() }
    }
}

impl Run<'_> {
    /// Looks at one expectation.
    ///
    /// # Errors
    /// `E0530` when it is not met, `E0531` when no step gives the reason; what is wrong with its own text.
    pub fn expect(&mut self, expect: &Expect) -> Result<(), Diagnostic> {
        let found = self.look(expect)?;
        if found.met == expect.negated {
            let unmet = Diagnostic::error("E0530", expect.span).with("expected", self.text(expect.span)).with("came", found.came);
            return Err(self.with_sides(unmet, &expect.kind));
        }
        match expect.because.iter().find(|cite| !self.gives_reason(&found, cite)) {
            Some(cite) => Err(Diagnostic::error("E0531", cite.span).with("rule", &cite.id).with("expected", self.text(expect.span))),
            None => Ok(()),
        }
    }

    /// The source of a place on one line.
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn look(&mut self, expect: &Expect) -> Result<Found, Diagnostic> {
        match &expect.kind {
            ExpectKind::Wins(seat) => {
                let player = self.lookup().seat(seat)?;
                Ok(self.ended(|status| status == Status::Over(Outcome::Won(player))))
            }
            ExpectKind::Drawn => Ok(self.ended(|status| status == Status::Over(Outcome::Drawn))),
            ExpectKind::GoesOn => Ok(self.ended(|status| !matches!(status, Status::Over(_) | Status::Failed(_)))),
            ExpectKind::Happened(pattern, times) => self.happened(pattern, times.as_ref()),
            ExpectKind::Asked(seat, name) => self.asked(seat, name.as_ref()),
            ExpectKind::Possible(seat, answer) => self.takes(seat, answer, true, expect.span),
            ExpectKind::Refused(seat, answer) => self.takes(seat, answer, false, expect.span),
            ExpectKind::Before(first, then) => Ok(self.before(first, then)),
            ExpectKind::Holds(expr) => {
                let value = self.value(expr)?;
                let came = self.speaker().value(value);
                Ok(Found::new(value.is_true(), came))
            }
            ExpectKind::Error(code) => Ok(self.error(code)),
        }
    }

    fn ended(&self, as_expected: impl Fn(Status) -> bool) -> Found {
        let came = match self.status() {
            Status::Over(outcome) => words::outcome_in_words(outcome),
            Status::Failed(failure) => format!("rules error {}", super::failure_code(failure.kind)),
            _ => format!("game goes on, asked {}", self.asked_in_words()),
        };
        Found::new(as_expected(self.status()), came)
    }

    fn error(&self, code: &Name) -> Found {
        let mut found = self.ended(|status| matches!(status, Status::Failed(failure) if super::failure_code(failure.kind) == code.text));
        if !found.met && !matches!(self.status(), Status::Failed(_)) {
            found.came = "no error".to_owned();
        }
        found
    }

    fn happened(&mut self, pattern: &Pattern, times: Option<&Expr>) -> Result<Found, Diagnostic> {
        let wanted = times.map(|times| constant::number(&self.compiler, times)).transpose()?;
        let id = constant::pattern(&mut self.compiler, pattern, &self.aliases)?;
        let count = self.count(id);
        let met = match wanted {
            Some(wanted) => usize::try_from(wanted) == Ok(count),
            None => count > 0,
        };
        Ok(Found::new(met, format!("happened {count} times")))
    }

    /// How many events match, the scenario's cards in any of their lives.
    fn count(&self, pattern: PatternId) -> usize {
        let lives = self.locals_in_all_lives();
        let (program, state) = (self.program(), self.machine.state());
        let matched = |locals: &[Value], what: Happening<'_>| {
            Eval::new(program, state, locals, &[], Player(0), Value::Undefined).matches(pattern, what).is_some()
        };
        let events = state.events.history.iter();
        let happenings = events.map(|event| Happening { verb: event.verb, args: &event.args, lists: &state.events.lists, cause: event.cause });
        happenings.filter(|what| lives.iter().any(|locals| matched(locals, *what))).count()
    }

    /// The scenario's cards as they are now.
    fn locals(&self) -> Vec<Value> {
        self.aliases.iter().map(|(_, id)| self.machine.state().board.reference(*id)).collect()
    }

    fn locals_in_all_lives(&self) -> Vec<Vec<Value>> {
        let mut all = vec![Vec::new()];
        for value in self.locals() {
            let lives: Vec<Value> = match value {
                Value::Object { id, life } => (0..=life).map(|life| Value::Object { id, life }).collect(),
                other => vec![other],
            };
            all = all.iter().flat_map(|row: &Vec<Value>| lives.iter().map(|life| row.iter().copied().chain([*life]).collect())).collect();
        }
        all
    }

    fn asked(&self, seat: &Name, name: Option<&Name>) -> Result<Found, Diagnostic> {
        let player = self.lookup().seat(seat)?;
        let open: Vec<Asked<'_>> = self.open(player, name.map(|name| name.text.as_str())).collect();
        let mut found = Found::new(!open.is_empty(), format!("asked {}", self.asked_in_words()));
        found.cites = open.iter().flat_map(|asked| self.cites_of(asked)).collect();
        Ok(found)
    }

    fn cites_of(&self, asked: &Asked<'_>) -> Vec<CitesId> {
        let choice = self.program().choices.get(asked.choice).map(|choice| choice.name.cites);
        std::iter::once(asked.cites).chain(choice).collect()
    }

    /// `possible` (wanted) and `refused`: a copy of the machine is given the answer.
    fn takes(&self, seat: &Name, answer: &PlayAnswer, wanted: bool, span: Span) -> Result<Found, Diagnostic> {
        let player = self.lookup().seat(seat)?;
        if let PlayAnswer::Concede = answer {
            let taken = self.machine.clone().concede(player).is_ok();
            return Ok(Found::new(taken == wanted, if taken { "it is possible" } else { "it is refused" }));
        }
        let Some((name, picks)) = answers::choice_of(answer) else { return Err(Diagnostic::error("E0526", span)) };
        let open: Vec<Asked<'_>> = self.open(player, Some(name)).collect();
        if open.is_empty() {
            let finding = Diagnostic::error("E0520", span).with("seat", words::seat(player)).with("name", name);
            return Err(finding.with("answer", answers::written(picks)).with("asked", self.asked_in_words()));
        }
        let taken = open.iter().any(|asked| {
            self.positions(asked, picks).is_ok_and(|positions| self.machine.clone().answer(asked.id, &positions).is_ok())
        });
        let mut found = Found::new(taken == wanted, if taken { "it is possible" } else { "it is refused" });
        found.cites = open.iter().flat_map(|asked| self.cites_of(asked)).collect();
        Ok(found)
    }

    fn before(&self, first: &Cite, then: &Cite) -> Found {
        let place = |cite: &Cite| self.recorder.first(self.machine.program(), &cite.id);
        let in_words = |cite: &Cite, place: Option<usize>| match place {
            Some(at) => format!("@{} in step {}", cite.id, at + 1),
            None => format!("@{} in no step", cite.id),
        };
        let (a, b) = (place(first), place(then));
        let met = a.zip(b).is_some_and(|(a, b)| a < b);
        Found::new(met, format!("{}, {}", in_words(first, a), in_words(then, b)))
    }

    /// Whether the decision that an expectation is about, or some step so far, cites the rule.
    fn gives_reason(&self, found: &Found, cite: &Cite) -> bool {
        let lists = |list: &CitesId| self.program().cites.get(*list).is_some_and(|ids| ids.contains(&cite.id));
        found.cites.iter().any(lists) || self.recorder.first(self.machine.program(), &cite.id).is_some()
    }

    /// The value of an expression here.
    ///
    /// # Errors
    /// What the compiler finds in it.
    fn value(&mut self, expr: &Expr) -> Result<Value, Diagnostic> {
        let node = constant::expression(&mut self.compiler, expr, &self.aliases)?;
        let locals = self.locals();
        let mut eval = Eval::new(self.compiler.program(), self.machine.state(), &locals, &[], Player(0), Value::Undefined);
        Ok(eval.value(node))
    }

    /// Both sides of a comparison that is not met.
    fn with_sides(&mut self, unmet: Diagnostic, kind: &ExpectKind) -> Diagnostic {
        let ExpectKind::Holds(expr) = kind else { return unmet };
        let ExprKind::Binary(left, op, right) = &expr.kind else { return unmet };
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return unmet;
        }
        let mut unmet = unmet;
        for (key, side) in [("left", left), ("right", right)] {
            if let Some(shown) = self.shown(side) {
                unmet = unmet.with(key, format!("{} is {shown}", self.text(side.span)));
            }
        }
        unmet
    }

    /// A side's value, a set by its members; none where the side means nothing by itself.
    fn shown(&mut self, side: &Expr) -> Option<String> {
        if matches!(side.kind, ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Bool(_)) {
            return None;
        }
        let node = constant::expression(&mut self.compiler, side, &self.aliases).ok()?;
        let locals = self.locals();
        let mut eval = Eval::new(self.compiler.program(), self.machine.state(), &locals, &[], Player(0), Value::Undefined);
        let value = eval.value(node);
        if !matches!(value, Value::Undefined | Value::Zone(_) | Value::List { .. }) {
            return Some(self.speaker().value(value));
        }
        let mut members = Vec::new();
        eval.each(node, &mut |_, member| {
            members.push(member);
            false
        });
        let speaker = self.speaker();
        let said: Vec<String> = members.into_iter().map(|member| speaker.value(member)).collect();
        Some(if said.is_empty() { "nothing".to_owned() } else { said.join(", ") })
    }
}
