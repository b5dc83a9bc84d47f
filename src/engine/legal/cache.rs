//! Keeps what was found out while one offer is listed. The state does not change in between, so each thing is computed once.
//!
//! Only plain reads are kept: reads of a card that is there, as it is now, with all effects counted (see [`Eval::members_of`]).

use crate::effects::can_only_apply_to;
use crate::ids::{FieldId, Id};
use crate::program::{ClauseKind, Program};
use crate::state::State;
use crate::value::{Few, ObjectId, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

#[cfg(doc)]
use crate::eval::Eval;

/// An effect that names more cards than this counts as one that may apply to any card. Listing it under each of its cards would take as
/// long.
const MOST_CARDS: usize = 4;

/// What was found out about the fields of cards.
#[derive(Debug, Default)]
pub struct FieldCache {
    members: RefCell<FxHashMap<(ObjectId, FieldId), Few>>,
    changing: RefCell<FxHashMap<FieldId, Option<Arc<Changing>>>>,
    /// The fields, one bit each, for which no effect is listed by cards.
    unlisted: Cell<u64>,
}

/// The most fields of cards whose memory is kept from one offer to the next.
const MOST_KEPT: usize = 4096;

impl FieldCache {
    /// Forgets everything. The memory is kept, unless it has become large.
    pub fn clear(&mut self) {
        if self.members.get_mut().capacity() > MOST_KEPT {
            return *self = Self::default();
        }
        self.members.get_mut().clear();
        self.changing.get_mut().clear();
        self.unlisted.set(0);
    }

    /// Reads the members of a field of a card, if they were read before.
    pub fn read<T>(&self, card: ObjectId, field: FieldId, read: impl FnOnce(&[Value]) -> T) -> Option<T> {
        self.members.borrow().get(&(card, field)).map(|members| read(members))
    }

    /// Keeps members that were read.
    pub fn keep(&self, card: ObjectId, field: FieldId, members: Few) {
        self.members.borrow_mut().insert((card, field), members);
    }

    /// The effects in force that change a field, by card. `None` if all of them may apply to any card.
    pub(crate) fn changing(&self, program: &Program, state: &State, field: FieldId) -> Option<Arc<Changing>> {
        let bit = u32::try_from(field.index()).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0);
        if self.unlisted.get() & bit != 0 {
            return None;
        }
        let made = || Some(Changing::new(program, state, field)).filter(|found| !found.by_card.is_empty()).map(Arc::new);
        let listed = self.changing.borrow_mut().entry(field).or_insert_with(made).clone();
        if listed.is_none() {
            self.unlisted.set(self.unlisted.get() | bit);
        }
        listed
    }
}

/// The effects in force that change a field, by the cards to which they can apply. Without this, each card of a table would be compared
/// with each effect.
#[derive(Debug, Default)]
pub(crate) struct Changing {
    /// The indices, in the row of effects, of the effects that may apply to any card.
    anywhere: Vec<usize>,
    /// The indices of the effects that can apply only to this card.
    by_card: FxHashMap<ObjectId, Vec<usize>>,
}

impl Changing {
    fn new(program: &Program, state: &State, field: FieldId) -> Self {
        let mut found = Self::default();
        for (at, effect) in state.effects.in_force.iter().enumerate() {
            let Some(ClauseKind::Modify { what, changes }) = program.clauses.get(effect.clause).map(|clause| &clause.kind) else {
                continue;
            };
            if !changes.iter().any(|change| change.field == field) {
                continue;
            }
            let cards = can_only_apply_to(program, effect, *what);
            let Some(cards) = cards.filter(|cards| cards.iter().map(|cards| cards.len()).sum::<usize>() <= MOST_CARDS) else {
                found.anywhere.push(at);
                continue;
            };
            for card in cards.iter().flat_map(|cards| cards.iter()) {
                let Value::Object { id, .. } = card else { continue };
                let places = found.by_card.entry(*id).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        found
    }

    /// The indices of the effects that may apply to a card, in order.
    pub(crate) fn on(&self, card: ObjectId) -> Places<'_> {
        Places { own: self.by_card.get(&card).map_or(&[], Vec::as_slice), anywhere: &self.anywhere }
    }
}

/// Indices in the row of effects, in order.
#[derive(Clone, Copy, Debug)]
pub struct Places<'c> {
    own: &'c [usize],
    anywhere: &'c [usize],
}

impl Iterator for Places<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let list = match (self.own.first(), self.anywhere.first()) {
            (Some(own), Some(other)) if own > other => &mut self.anywhere,
            (None, _) => &mut self.anywhere,
            _ => &mut self.own,
        };
        let (first, rest) = list.split_first()?;
        *list = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use super::{Changing, ObjectId};

    #[test]
    fn effects_of_a_card_and_of_all_cards_come_in_the_order_of_the_row() {
        let mut changing = Changing { anywhere: vec![1, 4, 5], ..Changing::default() };
        changing.by_card.insert(ObjectId(7), vec![0, 2, 6]);
        assert_eq!(changing.on(ObjectId(7)).collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
        assert_eq!(changing.on(ObjectId(8)).collect::<Vec<_>>(), [1, 4, 5]);
    }
}
