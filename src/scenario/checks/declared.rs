//! The names of decisions and options that a scenario may use: those of the game, and those of the scenario's own cards and rules.

use crate::ground::Ground;
use crate::running::answers::{AnswerNames, Taken};
use compile::Compiler;
use engine::program::Program;
use lang::syntax::ast::{Outcome, Scenario, Step};
use std::cell::OnceCell;

/// The names of decisions and options.
pub(super) struct Declared<'a> {
    /// The names of the game. None if the scenario loads rules, which may replace declarations.
    game: Option<&'a AnswerNames>,
    /// The game with the additions of the scenario.
    program: Option<&'a Program>,
    /// Its names. They are collected only for a name that the game does not have, because few scenarios use one.
    own: OnceCell<AnswerNames>,
}

impl<'a> Declared<'a> {
    /// The names of a scenario. `own`: the game with the scenario's additions.
    pub(super) fn of(ground: &'a Ground, own: Option<&'a Compiler>, scenario: &Scenario) -> Self {
        let loads = scenario.steps.iter().any(|step| matches!(step, Step::Load(load) if load.outcome == Outcome::Joins));
        let game = (own.is_none() || !loads).then(|| ground.answer_names());
        Self { game, program: own.map(Compiler::program), own: OnceCell::new() }
    }

    /// Whether the test is true for the name.
    pub(super) fn is(&self, test: fn(&AnswerNames, &str) -> bool, name: &str) -> bool {
        self.game.is_some_and(|names| test(names, name)) || self.own().is_some_and(|names| test(names, name))
    }

    /// What the decisions with this name take.
    pub(super) fn taken(&self, name: &str) -> Vec<Taken> {
        self.game.into_iter().chain(self.own()).flat_map(|names| names.taken(name)).copied().collect()
    }

    fn own(&self) -> Option<&AnswerNames> {
        self.program.map(|program| self.own.get_or_init(|| AnswerNames::of(program)))
    }
}
