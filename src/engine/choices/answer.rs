//! Answers: decides whether an answer is legal, and why not.
//!
//! Input: a branch that asks, and positions in its domain. Nothing is changed.

use crate::choices::joint::{Joint, TooMany};
use crate::choices::shown::Shown;
use crate::program::Program;
use crate::state::{Branch, Doing, Question, State};
use crate::value::Value;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why an answer is refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the fields are in the words")]
pub enum Refusal {
    /// No open question has this number.
    #[error("there is no such question")]
    NoSuchQuestion,
    /// The question was answered before.
    #[error("that question is answered already")]
    AlreadyAnswered,
    /// A position outside of the domain.
    #[error("there is no answer number {position} among {len}")]
    OutOfRange { position: u16, len: u16 },
    /// The way to act is not offered.
    #[error("that way to act is not offered")]
    NotOffered,
    /// Effects demand members that the answer does not have.
    #[error("effects demand the first {must} of the possible answers")]
    Demanded { must: u16 },
    /// The picked members do not fulfil the choice's condition on the whole answer.
    #[error("these do not go together")]
    NotTogether,
    /// It takes too much work to find out whether the answer is legal.
    #[error("it takes too long to find out whether this answer is legal")]
    NotDecided,
    /// The members fulfil the condition, but another answer would obey more demands of effects.
    #[error("effects demand others among the possible answers")]
    ObeysFewer,
    /// Fewer members than wanted are chosen, and a member is left out that the chooser cannot claim not to find.
    #[error("{given} of {wanted} chosen without answer number {position}, which the others see")]
    LeavesOut { position: u16, member: Value, given: u16, wanted: u16 },
    /// A position stands twice.
    #[error("answer number {position} is given twice")]
    Twice { position: u16 },
    /// Too few members.
    #[error("{given} chosen, at least {min} needed")]
    TooFew { min: u16, given: u16 },
    /// Too many members.
    #[error("{given} chosen, at most {max} allowed")]
    TooMany { max: u16, given: u16 },
    /// The number is outside of the range.
    #[error("that is none of the numbers from {least} on that are asked for")]
    NoSuchNumber { least: i32, greatest: Option<i32> },
    /// A condition excludes this number of the range.
    #[error("that number does not fit")]
    DoesNotFit,
    /// The number is too great to calculate with.
    #[error("numbers up to {most} can be named")]
    TooGreat { most: i32 },
    /// More rounds than the engine plays.
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
    /// A number of a range.
    Number(i64),
}

impl Given {
    /// The answer of a past decision: positions in the domain. A number that has no position is kept as the number.
    #[must_use]
    pub fn of(positions: &[u16], picks: &[Value]) -> Self {
        match picks {
            [Value::Number(number)] if positions.is_empty() => Given::Number(i64::from(*number)),
            _ => Given::Picks(positions.to_vec()),
        }
    }
}

/// Whether an answer is surely legal. This is so if it has at most one member, and the question asks for nothing but a valid position. An
/// answer for which this is false may still be legal: see [`check_answer`].
#[inline]
pub(crate) fn is_plainly_legal(program: &Program, branch: &Branch, picks: &[u16]) -> bool {
    let Doing::Ask(asked) = &branch.doing else { return false };
    let fits = match picks {
        [] => asked.min == 0,
        [pick] => *pick < asked.len && asked.min <= 1 && asked.max >= 1 && asked.wanted() <= 1,
        _ => false,
    };
    fits && asked.open && asked.answer.is_none() && asked.must == 0 && !program.choices.get(asked.choice).is_some_and(|def| def.is_joint())
}

/// Checks whether an answer to the question of a branch is legal.
pub(crate) fn check_answer(program: &Program, state: &State, branch: &Branch, picks: &[u16]) -> Result<(), Refusal> {
    let Doing::Ask(asked) = &branch.doing else { return Err(Refusal::NoSuchQuestion) };
    let is_joint = program.choices.get(asked.choice).is_some_and(|def| def.is_joint());
    legal(asked, picks, is_joint)?;
    if !picks.is_empty()
        && let Some(joint) = Joint::of(program, state, branch, asked, None)
    {
        match joint.holds(picks) {
            Err(TooMany) => return Err(Refusal::NotDecided),
            Ok(false) => return Err(Refusal::NotTogether),
            Ok(true) if !joint.obeys(picks) => return Err(Refusal::ObeysFewer),
            Ok(true) => {}
        }
    }
    Shown::of(program, state, branch, asked).map_or(Ok(()), |shown| shown.check(picks))
}

/// Checks whether an answer is legal, without the condition on the whole answer.
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
    let takes_none = picks.is_empty() && (asked.min == 0 || asked.backs_out);
    if !(has_all || takes_none) {
        return Err(Refusal::Demanded { must });
    }
    if given < asked.min && !takes_none {
        return Err(Refusal::TooFew { min: asked.min, given });
    }
    if given > asked.max {
        return Err(Refusal::TooMany { max: asked.max, given });
    }
    Ok(())
}
