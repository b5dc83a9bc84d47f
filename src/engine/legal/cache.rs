//! Members of fields that were read while one offer is listed. The state does not change in between, so each is computed once.
//!
//! Only plain reads are kept: of a card that is there, as it is now, with all effects counted (see [`Eval::members_of`]).

use crate::engine::ids::FieldId;
use crate::engine::value::{ObjectId, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

#[cfg(doc)]
use crate::engine::eval::Eval;

/// The members of fields of cards, by card and field.
#[derive(Debug, Default)]
pub struct FieldCache(RefCell<FxHashMap<(ObjectId, FieldId), Rc<[Value]>>>);

impl FieldCache {
    /// What was read before.
    pub fn get(&self, card: ObjectId, field: FieldId) -> Option<Rc<[Value]>> {
        self.0.borrow().get(&(card, field)).map(Rc::clone)
    }

    /// Keeps what was read.
    pub fn keep(&self, card: ObjectId, field: FieldId, members: &[Value]) {
        self.0.borrow_mut().insert((card, field), members.into());
    }
}
