//! Numbers that are named: a question about a range accepts any number of the range, listed or not.
//!
//! Input: a branch that asks. The first numbers of a long range are its domain, for searches, random players and lists. Any other number is
//! checked when a player names it: against the range, its conditions, and the demands of effects.

use crate::choices::answer::{Refusal, check_answer};
use crate::choices::asking::demanded;
use crate::eval::Eval;
use crate::fault::{Fault, broken};
use crate::limits::{NAMED, ROUNDS};
use crate::program::Program;
use crate::run::repeats;
use crate::state::{Branch, Doing, Question, State, Then};
use crate::value::Value;

/// The range of a question that lists only its first numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The first number.
    pub least: i32,
    /// The last number. None: there is no end.
    pub greatest: Option<i32>,
}

impl Numbers {
    /// The range of an open question. None if all its answers are listed.
    #[inline]
    pub(crate) fn of(program: &Program, state: &State, branch: &Branch, asked: &Question) -> Option<Self> {
        match asked.then {
            Then::Repeat(_) => Some(Self { least: 0, greatest: Some(ROUNDS as i32) }),
            Then::Store { .. } => {
                let def = program.choices.get(asked.choice).filter(|def| def.numbers)?;
                let (least, greatest, _) = eval_of(program, state, branch)?.unlisted(def.domain)?;
                Some(Self { least, greatest })
            }
            _ => None,
        }
    }
}

/// The position of a number in the list of a question.
pub(crate) fn place_of(branch: &Branch, asked: &Question, number: i64) -> Option<u16> {
    let domain = branch.lists.get(asked.start as usize..asked.start as usize + usize::from(asked.len))?;
    let place = domain.iter().position(|value| value.number().is_some_and(|listed| i64::from(listed) == number));
    place.map(|place| place as u16)
}

/// Checks whether a number is a legal answer to the question of a branch. Gives the number in the type that the game uses.
pub(crate) fn check_number(program: &Program, state: &State, branch: &Branch, number: i64) -> Result<i32, Refusal> {
    let Doing::Ask(asked) = &branch.doing else { return Err(Refusal::NoSuchQuestion) };
    if let Some(place) = place_of(branch, asked, number) {
        return check_answer(program, state, branch, &[place]).map(|()| number as i32);
    }
    if !asked.open {
        return Err(Refusal::NoSuchQuestion);
    }
    if asked.answer.is_some() {
        return Err(Refusal::AlreadyAnswered);
    }
    let none = Refusal::OutOfRange { position: u16::MAX, len: asked.len };
    let Numbers { least, greatest } = Numbers::of(program, state, branch, asked).ok_or(none)?;
    let outside = Refusal::NoSuchNumber { least, greatest };
    match i32::try_from(number) {
        Ok(number) if number < least => return Err(outside),
        Err(_) if number < 0 => return Err(outside),
        _ => {}
    }
    let named = match (i32::try_from(number), greatest) {
        (Ok(named), Some(greatest)) if named <= greatest => named,
        (_, Some(_)) if matches!(asked.then, Then::Repeat(_)) => return Err(Refusal::TooManyRounds { most: ROUNDS }),
        (_, Some(_)) => return Err(outside),
        (Ok(named), None) if named <= NAMED => named,
        (_, None) => return Err(Refusal::TooGreat { most: NAMED }),
    };
    let Some(def) = program.choices.get(asked.choice).filter(|_| matches!(asked.then, Then::Store { .. })) else { return Ok(named) };
    let mut eval = eval_of(program, state, branch).ok_or(none)?;
    let value = Value::Number(named);
    if !eval.contains(def.domain, value) || repeats::is_chosen_barred(program, state, branch, (asked.choice, asked.player), value) {
        return Err(Refusal::DoesNotFit);
    }
    // All listed numbers have the same number of demands, so the first one is compared.
    let first = branch.lists.get(asked.start as usize).copied().filter(|_| asked.len > 0 && state.effects.requiring > 0);
    if first.is_some_and(|first| demanded(&mut eval, def.declared, value) < demanded(&mut eval, def.declared, first)) {
        return Err(Refusal::Demanded { must: 1 });
    }
    Ok(named)
}

/// Writes a number into the question of a branch as its answer.
pub(crate) fn give_number(branch: &mut Branch, number: i32) {
    let Doing::Ask(asked) = &mut branch.doing else { return };
    asked.answer = Some((branch.lists.len() as u32, 1));
    branch.lists.push(Value::Number(number));
}

/// An evaluation at the place of a branch's question.
pub(super) fn eval_of<'e>(program: &'e Program, state: &'e State, branch: &'e Branch) -> Option<Eval<'e>> {
    let frame = branch.frames.last()?;
    let locals = branch.registers.get(frame.base as usize..).unwrap_or_else(|| broken(Fault::Registers));
    Some(Eval::new(program, state, locals, &branch.lists, frame.you, frame.this))
}
