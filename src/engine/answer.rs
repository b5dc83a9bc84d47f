//! Answers: whether one is legal.
//!
//! Takes a branch that asks and positions in the domain; says what is wrong with them. Changes nothing.

use super::joint::Joint;
use super::machine::Refusal;
use super::program::Program;
use super::state::{Branch, Doing, Question, State};

/// Whether an answer is one member, or none, of a question that asks no more of it than where it lies. What is not may be legal all
/// the same: see [`check_answer`].
#[inline]
pub(super) fn is_plainly_legal(program: &Program, branch: &Branch, picks: &[u16]) -> bool {
    let Doing::Ask(asked) = &branch.doing else { return false };
    let fits = match picks {
        [] => asked.min == 0,
        [pick] => *pick < asked.len && asked.min <= 1 && asked.max >= 1,
        _ => false,
    };
    fits && asked.open && asked.answer.is_none() && asked.must == 0 && !program.choices.get(asked.choice).is_some_and(|def| def.is_joint())
}

/// Whether an answer to what a branch asks is legal.
pub(super) fn check_answer(program: &Program, state: &State, branch: &Branch, picks: &[u16]) -> Result<(), Refusal> {
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
