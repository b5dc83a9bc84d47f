//! The effects in force that have prevented an action or changed a price, also where no step tells it: in conditions, in the domains of
//! choices and in trial runs.
//!
//! Each thread keeps its own notes, and only while somebody is [`Watching`].

use crate::ids::ClauseId;
use crate::state::Effect;
use crate::value::Value;
use std::cell::{Cell, RefCell};

thread_local! {
    static WATCHING: Cell<u32> = const { Cell::new(0) };
    static NOTED: RefCell<Vec<(ClauseId, Value)>> = const { RefCell::new(Vec::new()) };
}

/// Somebody who reads the notes of this thread.
#[derive(Debug)]
pub(crate) struct Watching(());

impl Watching {
    /// From now on effects are noted.
    #[must_use]
    pub(crate) fn begin() -> Self {
        WATCHING.set(WATCHING.get() + 1);
        Watching(())
    }

    /// Takes the notes: for each effect its clause and its card.
    #[must_use]
    pub(crate) fn taken(&self) -> Vec<(ClauseId, Value)> {
        NOTED.take()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        WATCHING.set(WATCHING.get().saturating_sub(1));
        NOTED.take();
    }
}

/// Notes that an effect has prevented an action or changed a price.
#[inline]
pub(crate) fn note(effect: &Effect) {
    if WATCHING.get() > 0 {
        put((effect.clause, effect.source));
    }
}

#[cold]
#[inline(never)]
fn put(noted: (ClauseId, Value)) {
    NOTED.with_borrow_mut(|all| {
        if all.last() != Some(&noted) {
            all.push(noted);
        }
    });
}
