//! The open questions of a machine, and answers to them.
//!
//! Whether an answer is legal is decided in `answer.rs`.

use super::Machine;
use crate::choices::answer::{Given, Refusal, check_answer, is_plainly_legal};
use crate::choices::asking::{blind, secret, yes_no};
use crate::choices::joint::Joint;
use crate::choices::numbers::{Numbers, check_number, give_number, place_of};
use crate::choices::shown::Shown;
use crate::ids::Pc;
use crate::ids::{ChoiceId, ClauseId};
use crate::legal::attempt::give;
use crate::program::{ChoiceDef, Op, PartKey};
use crate::state::{Branch, Doing, Frame, Question, Source, Status, Then};
use crate::value::{Player, Value};

/// The number of a question: the number of the branch that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub u16);

/// An open question.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its number.
    pub id: QuestionId,
    /// The player who chooses.
    pub player: Player,
    /// The choice. [`ChoiceId::REPLACEMENT`] is a choice of the engine itself.
    pub choice: ChoiceId,
    /// The values to choose from. An answer is a set of positions among them.
    pub domain: &'a [Value],
    /// The arena with the lists and the arguments of values in the domain.
    pub lists: &'a [Value],
    /// Whether ways to act are offered. An empty answer is then a pass.
    pub offer: bool,
    /// Whether the domain is complete. The domain of an offer that is not listed is empty ([`Machine::list`]).
    pub listed: bool,
    /// The least number of members of an answer.
    pub min: u16,
    /// The greatest number of members of an answer.
    pub max: u16,
    /// The numbers that can be named ([`Machine::name`]), if the domain does not list all of them.
    pub numbers: Option<Numbers>,
    /// How many of the first members of the domain an answer must contain, unless it is empty.
    pub must: u16,
    /// The condition that an answer must satisfy as a whole, unless it is empty.
    pub joint: Option<Joint<'a>>,
    /// If an answer may have fewer members than demanded: the members that it cannot leave out then.
    pub shown: Option<Shown<'a>>,
    /// Whether the answers are yes (position 0) and no (position 1).
    pub yes_no: bool,
    /// Whether the chooser may be shown positions only.
    pub blind: bool,
    /// Whether others may not see the answer.
    pub secret: bool,
    /// Whether the order of the answer counts.
    pub ranked: bool,
    /// Whether the question has an answer already, and waits for the other questions.
    pub answered: bool,
}

/// What a payment is for.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The ability.
    pub of: Value,
    /// The parts of its costs of which something is due, with the amounts.
    pub due: Vec<(PartKey, i32)>,
    /// The units that are named already.
    pub named: Vec<Value>,
}

impl Machine {
    /// The open questions, in the order of their branches. Answered questions stay until all questions are answered.
    #[inline] // inlined, so that fields that the caller does not read are not computed
    pub fn questions(&self) -> impl Iterator<Item = Asked<'_>> {
        let branches = match self.state.control.status {
            Status::Asking => self.state.control.branches.as_slice(),
            _ => &[],
        };
        branches.iter().enumerate().filter_map(|(index, branch)| {
            let Doing::Ask(question) = &branch.doing else { return None };
            let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len))?;
            let def = self.program.choices.get(question.choice);
            let joint = Joint::of(&self.program, &self.state, branch, question, None);
            question.open.then_some(Asked {
                id: QuestionId(index as u16),
                player: question.player,
                choice: question.choice,
                domain,
                lists: &branch.lists,
                offer: matches!(question.then, Then::Offer(_)),
                listed: question.source != Source::Unlisted,
                min: question.min,
                max: question.max,
                numbers: Numbers::of(&self.program, &self.state, branch, question),
                must: if joint.is_some() { 0 } else { question.must },
                joint,
                shown: Shown::of(&self.program, &self.state, branch, question),
                yes_no: yes_no(question),
                blind: blind(def),
                secret: secret(&self.program, &self.state.board, def, domain),
                ranked: def.is_some_and(ChoiceDef::is_ranked),
                answered: question.answer.is_some(),
            })
        })
    }

    /// The present members of the loops around a question's statement, the outermost loop first. For example, a question that is asked once
    /// for each card is about that card.
    #[must_use]
    pub fn asked_in_loops(&self, question: QuestionId) -> Vec<Value> {
        let Some(branch) = self.state.control.branches.get(usize::from(question.0)) else { return Vec::new() };
        let Some(frame) = branch.frames.last() else { return Vec::new() };
        let start = self.plan.routine(frame.routine).start;
        let around = (start.0..frame.pc.0).filter_map(|at| match self.program.code.get(Pc(at)) {
            Some(Op::Next { item, end, .. }) if end.0 > frame.pc.0 => Some(*item),
            _ => None,
        });
        around.filter_map(|item| branch.registers.get(frame.base as usize + usize::from(item.0)).copied()).collect()
    }

    /// The abilities among the arguments of the routine that asks. For example, a yes-or-no question about a price is about the ability
    /// that is to be paid.
    #[must_use]
    pub fn asked_with(&self, question: QuestionId) -> Vec<Value> {
        let Some(branch) = self.state.control.branches.get(usize::from(question.0)) else { return Vec::new() };
        let Some(frame) = branch.frames.last() else { return Vec::new() };
        let parameters = self.program.routines.get(frame.routine).map_or(0, |routine| routine.parameters);
        let arguments = branch.registers.get(frame.base as usize..).unwrap_or_default().iter().take(usize::from(parameters));
        arguments.filter(|value| matches!(value, Value::Pending(_) | Value::Ability { .. })).copied().collect()
    }

    /// If a match asks a question about a payment: the ability that is paid for, what is due for it, and the units that are named already.
    #[must_use]
    pub fn asked_payment(&self, question: QuestionId) -> Option<Payment> {
        let branch = self.state.control.branches.get(usize::from(question.0))?;
        let frame = branch.frames.last()?;
        let Some(Op::Match { taken, .. }) = self.program.code.get(Pc(frame.pc.0.checked_sub(1)?)) else { return None };
        let named = match branch.registers.get(frame.base as usize + usize::from(taken.0)) {
            Some(Value::List { start, len }) => branch.lists.get(*start as usize..*start as usize + usize::from(*len)),
            _ => None,
        };
        let of = *self.asked_with(question).first()?;
        Some(Payment { of, due: self.eval().dues(of), named: named.unwrap_or_default().to_vec() })
    }

    /// The card whose effect, ability or cost asks the question. Undefined if the rules ask.
    #[must_use]
    pub fn asked_by(&self, question: QuestionId) -> Value {
        let Some(branch) = self.state.control.branches.get(usize::from(question.0)) else { return Value::Undefined };
        let number = match branch.doing {
            Doing::Ask(Question { then: Then::Replace(number), .. }) => Some(number),
            _ => None,
        };
        if let Some(effect) = number.and_then(|number| self.state.effects.get(number)) {
            return effect.source;
        }
        let of_frame = |frame: &Frame| match (frame.this, frame.cause.source()) {
            (this @ Value::Object { .. }, _) => this,
            (_, source @ Value::Object { .. }) => source,
            (_, Value::Ability { of, .. }) => self.state.board.reference(of),
            _ => Value::Undefined,
        };
        let of_ability = |ability: &Value| match ability {
            Value::Ability { of, .. } => Some(self.state.board.reference(*of)),
            Value::Pending(number) => self.state.events.waiting(*number).map(|waiting| waiting.source),
            _ => None,
        };
        match branch.frames.last().map_or(Value::Undefined, of_frame) {
            // A procedure of the rules, such as the payment for an ability.
            Value::Undefined => self.asked_with(question).first().and_then(of_ability).unwrap_or_default(),
            card => card,
        }
    }

    /// The clauses of the replacements that a question is about. If a player may decline a replacement, the result is its clause. If a
    /// player chooses among several, their clauses come in the order of the answers. For every other question the result is empty.
    #[must_use]
    pub fn replacements_asked(&self, question: QuestionId) -> Vec<ClauseId> {
        let Some(branch) = self.state.control.branches.get(usize::from(question.0)) else { return Vec::new() };
        let numbers = match branch.doing {
            Doing::Ask(Question { then: Then::Replace(number), .. }) => vec![number],
            Doing::Ask(Question { then: Then::PickReplacement, .. }) => {
                branch.deciding.last().map_or_else(Vec::new, |deciding| deciding.candidates.clone())
            }
            _ => Vec::new(),
        };
        numbers.iter().filter_map(|number| self.state.effects.get(*number).map(|effect| effect.clause)).collect()
    }

    /// Answers a question with positions in its domain, in any order.
    ///
    /// # Errors
    /// A [`Refusal`] if the answer is not legal. Then nothing has changed.
    pub fn answer(&mut self, question: QuestionId, picks: &[u16]) -> Result<(), Refusal> {
        if !self.asking_branch(question).is_some_and(|branch| is_plainly_legal(&self.program, branch, picks)) {
            self.check(question, picks)?;
        }
        if let Some(branch) = self.state.control.branches.get_mut(usize::from(question.0)) {
            give(branch, picks);
        }
        Ok(())
    }

    /// Answers a question with a number: a listed number, or another number of the range.
    ///
    /// # Errors
    /// A [`Refusal`] if the answer is not legal. Then nothing has changed.
    pub fn name(&mut self, question: QuestionId, number: i64) -> Result<(), Refusal> {
        let named = self.check_number(question, number)?;
        if let Some(branch) = self.state.control.branches.get_mut(usize::from(question.0)) {
            let Doing::Ask(asked) = &branch.doing else { return Err(Refusal::NoSuchQuestion) };
            match place_of(branch, asked, number) {
                Some(place) => give(branch, &[place]),
                None => give_number(branch, named),
            }
        }
        Ok(())
    }

    /// Answers a question.
    ///
    /// # Errors
    /// A [`Refusal`] if the answer is not legal. Then nothing has changed.
    pub fn give(&mut self, question: QuestionId, given: &Given) -> Result<(), Refusal> {
        match given {
            Given::Picks(picks) => self.answer(question, picks),
            Given::Number(number) => self.name(question, *number),
        }
    }

    /// Checks whether an answer is legal.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Machine::give`] would give.
    pub fn check_given(&self, question: QuestionId, given: &Given) -> Result<(), Refusal> {
        match given {
            Given::Picks(picks) => self.check(question, picks),
            Given::Number(number) => self.check_number(question, *number).map(drop),
        }
    }

    /// Checks whether an answer of positions is legal.
    ///
    /// # Errors
    /// The [`Refusal`] that [`Machine::answer`] would give.
    pub fn check(&self, question: QuestionId, picks: &[u16]) -> Result<(), Refusal> {
        self.decided(question, |branch| check_answer(&self.program, &self.state, branch, picks))
    }

    fn check_number(&self, question: QuestionId, number: i64) -> Result<i32, Refusal> {
        self.decided(question, |branch| check_number(&self.program, &self.state, branch, number))
    }

    /// Checks an answer within limits of its own. If one of them is passed, nothing that was found counts, yes or no.
    fn decided<T>(&self, question: QuestionId, check: impl FnOnce(&Branch) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let branch = self.asking_branch(question).ok_or(Refusal::NoSuchQuestion)?;
        self.state.effects.asked.apart(|| check(branch)).unwrap_or(Err(Refusal::NotDecided))
    }

    #[inline]
    fn asking_branch(&self, question: QuestionId) -> Option<&Branch> {
        let branch = self.state.control.branches.get(usize::from(question.0));
        branch.filter(|_| matches!(self.state.control.status, Status::Asking)).map(Box::as_ref)
    }
}
