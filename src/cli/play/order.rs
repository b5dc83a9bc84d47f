//! An order that a person gives in advance for a question that comes again: for example which waiting ability comes next, or which
//! replacement is taken.

use super::question::Question;
use engine::ids::{ChoiceId, PhaseId};
use engine::machine::Machine;
use engine::value::{Player, Value};

/// The order for one question. It is valid until the phase ends or something new can be chosen.
pub(super) struct Order {
    player: Player,
    choice: ChoiceId,
    /// The values in order.
    values: Vec<Value>,
    during: (u32, Option<PhaseId>),
}

impl Order {
    /// The order of the members at these positions; without positions, the order of the list. None if the question does not take exactly
    /// one of several, or if a position does not exist.
    #[must_use]
    pub(super) fn of(question: &Question, places: &[usize], machine: &Machine) -> Option<Self> {
        if !question.takes_one_of_several() {
            return None;
        }
        let all: Vec<usize> = (0..question.domain.len()).collect();
        let places = if places.is_empty() { &all } else { places };
        let values = places.iter().map(|place| question.domain.get(*place).copied()).collect::<Option<Vec<Value>>>()?;
        Some(Self { player: question.player, choice: question.choice, values, during: during(machine) })
    }

    /// Whether the order is for this question.
    #[must_use]
    pub(super) fn is_about(&self, question: &Question) -> bool {
        (self.player, self.choice) == (question.player, question.choice)
    }

    /// The position of the answer: the first value of the order that can be chosen. None if the order does not decide.
    #[must_use]
    pub(super) fn answer(&self, question: &Question, machine: &Machine) -> Option<u16> {
        let known = |value: &Value| self.values.contains(value);
        let says = self.is_about(question) && question.takes_one_of_several() && self.during == during(machine);
        let value =
            self.values.iter().find(|value| question.domain.contains(value)).filter(|_| says && question.domain.iter().all(known))?;
        question.domain.iter().position(|member| member == value).and_then(|at| u16::try_from(at).ok())
    }

    /// The first value of the order, whatever else can be chosen.
    #[must_use]
    pub(super) fn first(&self, question: &Question) -> Option<usize> {
        let first = self.values.first()?;
        question.domain.iter().position(|member| member == first)
    }
}

fn during(machine: &Machine) -> (u32, Option<PhaseId>) {
    let board = &machine.state().board;
    (board.turn, board.phase)
}
