//! Answers: decides whether an answer is legal, and why not.
//!
//! Input: a branch that asks, and positions in its domain. Nothing is changed.

use crate::engine::choices::joint::Joint;
use crate::engine::program::Program;
use crate::engine::state::{Branch, Doing, Question, State};
use crate::engine::value::Value;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why an answer is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the fields are in the words")]
pub enum Refusal {
    /// There is no such question.
    #[error("there is no such question")]
    NoSuchQuestion,
    /// It was answered before.
    #[error("that question is answered already")]
    AlreadyAnswered,
    /// A position outside of the domain.
    #[error("there is no answer number {position} among {len}")]
    OutOfRange { position: u16, len: u16 },
    /// No way to act that is offered.
    #[error("that way to act is not offered")]
    NotOffered,
    /// Effects demand members that it has not.
    #[error("effects demand the first {must} of the possible answers")]
    Demanded { must: u16 },
    /// They do not satisfy what the choice asks of them together.
    #[error("these do not go together")]
    NotTogether,
    /// They go together and obey fewer demands of effects than others would.
    #[error("effects demand others among the possible answers")]
    ObeysFewer,
    /// A position twice.
    #[error("answer number {position} is given twice")]
    Twice { position: u16 },
    /// Too few.
    #[error("{given} chosen, at least {min} needed")]
    TooFew { min: u16, given: u16 },
    /// Too many.
    #[error("{given} chosen, at most {max} allowed")]
    TooMany { max: u16, given: u16 },
    /// No number of the range.
    #[error("that is none of the numbers from {least} on that are asked for")]
    NoSuchNumber { least: i32, greatest: Option<i32> },
    /// A number of the range that a condition leaves out.
    #[error("that number does not fit")]
    DoesNotFit,
    /// A number with which nothing can be calculated any more.
    #[error("numbers up to {most} can be named")]
    TooGreat { most: i32 },
    /// More rounds than are played.
    #[error("a round can be repeated at most {most} times: each round is played")]
    TooManyRounds { most: u32 },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The game does not let players concede.
    #[error("this game does not let players concede")]
    MayNotConcede,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Given {
    /// Positions in the domain.
    Picks(Vec<u16>),
    /// A number that is named.
    Number(i64),
}

impl Given {
    /// Of a decision that was made: positions in its domain, else the number that has none.
    #[must_use]
    pub fn of(positions: &[u16], picks: &[Value]) -> Self {
        match picks {
            [Value::Number(number)] if positions.is_empty() => Given::Number(i64::from(*number)),
            _ => Given::Picks(positions.to_vec()),
        }
    }
}

/// Whether an answer is one member, or none, of a question that asks no more of it than where it lies. What is not may be legal all
/// the same: see [`check_answer`].
#[inline]
pub(in crate::engine) fn is_plainly_legal(program: &Program, branch: &Branch, picks: &[u16]) -> bool {
    let Doing::Ask(asked) = &branch.doing else { return false };
    let fits = match picks {
        [] => asked.min == 0,
        [pick] => *pick < asked.len && asked.min <= 1 && asked.max >= 1,
        _ => false,
    };
    fits && asked.open && asked.answer.is_none() && asked.must == 0 && !program.choices.get(asked.choice).is_some_and(|def| def.is_joint())
}

/// Whether an answer to what a branch asks is legal.
pub(in crate::engine) fn check_answer(program: &Program, state: &State, branch: &Branch, picks: &[u16]) -> Result<(), Refusal> {
    let Doing::Ask(asked) = &branch.doing else { return Err(Refusal::NoSuchQuestion) };
    let is_joint = program.choices.get(asked.choice).is_some_and(|def| def.is_joint());
    legal(asked, picks, is_joint)?;
    if !is_joint || picks.is_empty() {
        return Ok(());
    }
    match Joint::of(program, state, branch, asked, None) {
        Some(joint) if !joint.holds(picks) => Err(Refusal::NotTogether),
        Some(joint) if !joint.obeys(picks) => Err(Refusal::ObeysFewer),
        _ => Ok(()),
    }
}

/// Whether an answer to a question is legal, but for what it has to satisfy as a whole.
#[inline]
fn legal(asked: &Question, picks: &[u16], is_joint: bool) -> Result<(), Refusal> {
    if !asked.open {
        return Err(Refusal::NoSuchQuestion);
    }
    if asked.answer.is_some() {
        return Err(Refusal::AlreadyAnswered);
    }
    let given = picks.len().min(usize::from(u16::MAX)) as u16;
    for (index, position) in picks.iter().enumerate() {
        if *position >= asked.len {
            return Err(Refusal::OutOfRange { position: *position, len: asked.len });
        }
        if picks.iter().take(index).any(|before| before == position) {
            return Err(Refusal::Twice { position: *position });
        }
    }
    let must = if is_joint { 0 } else { asked.must };
    let has_all = (0..must).all(|wanted| picks.contains(&wanted));
    let takes_none = picks.is_empty() && asked.min == 0;
    if !(has_all || takes_none) {
        return Err(Refusal::Demanded { must });
    }
    if given < asked.min {
        return Err(Refusal::TooFew { min: asked.min, given });
    }
    if given > asked.max {
        return Err(Refusal::TooMany { max: asked.max, given });
    }
    Ok(())
}
