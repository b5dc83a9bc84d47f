//! Printed texts of made-up cards that are read once for all scenarios.
//!
//! A card that is made up at the head of a file belongs to each scenario of the file. Reading its text takes longer than most scenarios.
//! (The audit brings readings of its own, [`super::ReadTexts`]. It needs no places.)

use lang::diagnostic::{Diagnostic, Span};
use lang::syntax::ast::{Ability, Text};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};
use wording::Wording;

/// A text with its place and the types of its card. The place belongs to it because abilities and findings name their places.
type Key = (Arc<str>, Span, Vec<String>);

/// What a text says, and the findings about it.
pub(crate) type Read = (Arc<[Ability]>, Arc<[Diagnostic]>);

/// Texts that a wording has read; see the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTexts(Arc<Mutex<FxHashMap<Key, Read>>>);

impl KnownTexts {
    /// What the text says on a card of these types. The wording must be the same at each call.
    pub(crate) fn read(&self, wording: &Wording, text: &Text, types: Vec<String>) -> Read {
        let key = (text.text.as_str().into(), text.span, types);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let reading = wording.read_on(text, key.2.clone());
        let read: Read = (reading.abilities.into(), reading.diagnostics.into());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, read.clone());
        read
    }
}
