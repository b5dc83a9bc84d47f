//! The things that players take in rounds: what an answer takes, when two things are the same, and uses that were taken back.

use crate::choices::answer::Given;
use crate::ids::{ChoiceId, OptionId};
use crate::legal::options::Row;
use crate::program::{AmountDef, ChoiceDef, MannerDef};
use crate::run::Run;
use crate::state::{Answered, Barred, Branch, Cycle, Question, Taken};
use crate::steps::Observer;
use crate::value::{Player, Value};

impl<O: Observer> Run<'_, O> {
    /// Called when a way to act has failed. The way has not happened, so nobody has taken it or anything in it. If the player took the use
    /// back instead of paying, this is what the player has taken: it can be done again and again.
    pub(crate) fn note_taken_back(&mut self, option: OptionId, row: &Row) {
        let Some(cycle) = self.state.control.cycle_mut() else { return };
        let is_it = |answer: &Answered| matches!(&answer.taken, Some(Taken::Option(of, what, _)) if *of == option && is_alike(what, row));
        let Some(at) = cycle.answers.iter().rposition(is_it) else { return };
        let there = cycle.answers.get(at).map(|answer| answer.seen);
        let undone = cycle.answers.get_mut(at..).unwrap_or(&mut []);
        undone.iter_mut().for_each(|answer| answer.undone = true);
        if let (Some(last), Some(there)) = (undone.last_mut(), there)
            && last.chosen.is_some_and(|chosen| chosen.is_taking_back())
        {
            (last.undone, last.taken, last.seen) = (false, last.chosen, there);
        }
    }

    /// Whether a player may not take back a use instead of paying, because the player has repeated this as often as named.
    pub(crate) fn is_taking_back_barred(&self, branch: &Branch, choice: ChoiceId, player: Player) -> bool {
        let back = Taken::Chosen(choice, source_of(branch), Value::Undefined, player);
        self.program.policies.optional_loops.is_some() && self.barred_things().any(|barred| barred.is_the_same(&back))
    }
}

/// Whether the last answers are the answers after which a thing is barred, given from the same position on.
pub(super) fn comes_behind(cycle: &Cycle, barred: &Barred) -> bool {
    let (behind, answers) = (barred.behind.as_slice(), cycle.answers.as_slice());
    let Some(last) = answers.len().checked_sub(behind.len()).and_then(|from| answers.get(from..)) else { return false };
    let begins = behind.first().zip(last.first()).is_some_and(|(then, now)| then.seen == now.seen);
    begins && behind.iter().zip(last).all(|(then, now)| then.is_the_same(now))
}

/// Whether a choice is of exactly one member and made openly.
pub(super) fn must_be_one(def: &ChoiceDef) -> bool {
    let one = AmountDef::Fixed(1);
    def.min == one && def.max == one && !def.or_none && !def.may_fail && def.manner == MannerDef::Openly
}

pub(super) fn source_of(branch: &Branch) -> Value {
    branch.frames.last().map_or(Value::Undefined, |frame| frame.this)
}

/// What a player took of an offer: the option, its arguments, and the index of the player among the arguments.
pub(super) fn taken(branch: &Branch, play: Value) -> Option<Taken> {
    let Value::Play { count, option, start } = play else { return None };
    let row = branch.lists.get(start as usize..start as usize + usize::from(count))?;
    Some(Taken::Option(option, crate::actions::perform::copied(row), count.saturating_sub(1)))
}

/// The same answer to a question of the repeated round: for an offer the same way to act, otherwise the same places in the domain.
pub(super) fn again(branch: &Branch, question: &Question, answer: &Answered) -> Option<Given> {
    let Some(Taken::Option(option, row, _)) = answer.taken else { return Some(answer.given.clone()) };
    let domain = branch.lists.get(question.start as usize..question.start as usize + usize::from(question.len))?;
    let same = |play: &Value| matches!(taken(branch, *play), Some(Taken::Option(of, what, _)) if of == option && is_alike(&what, &row));
    Some(Given::Picks(vec![domain.iter().position(same)? as u16]))
}

impl Answered {
    /// What the player took, unless it has not happened after all.
    pub(super) fn takes(&self) -> Option<Taken> {
        self.taken.filter(|_| !self.undone)
    }

    /// Whether two answers are the same answer to the same question.
    pub(super) fn is_the_same(&self, other: &Self) -> bool {
        let same = |a: &Option<Taken>, b: &Option<Taken>| match (a, b) {
            (Some(a), Some(b)) => a.is_the_same(b),
            // A pass is noted as taken in some rounds only. So both notes of the same pass are equal.
            (None, None) => self.given == other.given,
            (None, Some(pass)) | (Some(pass), None) => pass.is_pass() && self.given == other.given,
        };
        (self.player, self.choice) == (other.player, other.choice) && same(&self.taken, &other.taken) && same(&self.chosen, &other.chosen)
    }
}

impl Taken {
    /// The player who took it.
    #[must_use]
    pub fn by(&self) -> Option<Player> {
        match self {
            Taken::Option(_, row, by) => row.get(usize::from(*by)).and_then(|value| value.player()),
            Taken::Step(.., player) | Taken::Chosen(.., player) | Taken::Pass(_, player) => Some(*player),
        }
    }

    /// Whether the player took back a use instead of paying.
    pub(super) fn is_taking_back(&self) -> bool {
        matches!(self, Taken::Chosen(_, _, Value::Undefined, _))
    }

    pub(super) fn is_pass(&self) -> bool {
        matches!(self, Taken::Pass(..))
    }

    /// Whether two things are the same, whichever lives their cards are in.
    pub(super) fn is_the_same(&self, other: &Taken) -> bool {
        match (self, other) {
            (Taken::Step(choice, source, player), Taken::Step(of, from, by)) => choice == of && player == by && are_alike(source, from),
            (Taken::Chosen(choice, source, what, player), Taken::Chosen(of, from, chosen, by)) => {
                choice == of && player == by && are_alike(source, from) && are_alike(what, chosen)
            }
            (Taken::Option(option, row, _), Taken::Option(of, what, _)) => option == of && is_alike(row, what),
            (Taken::Pass(choice, player), Taken::Pass(of, by)) => choice == of && player == by,
            _ => false,
        }
    }
}

/// Whether two rows hold the same cards, whichever lives these are in, and the same other values.
pub(super) fn is_alike(a: &Row, b: &Row) -> bool {
    a.iter().zip(b).all(|(a, b)| are_alike(a, b))
}

pub(super) fn are_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object { id, .. }, Value::Object { id: other, .. }) => id == other,
        (a, b) => a == b,
    }
}
