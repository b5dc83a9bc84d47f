//! Keeps what was found out while one offer is listed. The state does not change in between, so each thing is computed once.
//!
//! Only plain reads are kept: reads of a card that is there, as it is now, with all effects counted (see [`Eval::members_of`]).

use crate::ids::FieldId;
use crate::value::{Few, ObjectId, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

#[cfg(doc)]
use crate::eval::Eval;

/// What was found out about the fields of cards.
#[derive(Debug, Default)]
pub struct FieldCache {
    members: RefCell<FxHashMap<(ObjectId, FieldId), Few>>,
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
    }

    /// Reads the members of a field of a card, if they were read before.
    pub fn read<T>(&self, card: ObjectId, field: FieldId, read: impl FnOnce(&[Value]) -> T) -> Option<T> {
        self.members.borrow().get(&(card, field)).map(|members| read(members))
    }

    /// Keeps members that were read.
    pub fn keep(&self, card: ObjectId, field: FieldId, members: Few) {
        self.members.borrow_mut().insert((card, field), members);
    }
}
