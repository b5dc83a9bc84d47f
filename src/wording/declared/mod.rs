//! From declarations to a grammar: spellings, families, words and templates become rules.

pub(super) mod check;
pub(super) mod draft;
pub(super) mod expand;
pub(super) mod families;
pub(super) mod frames;
pub(super) mod grammar;
pub(super) mod inflect;
pub(super) mod lexicon;
pub(super) mod lower;
pub(super) mod putting;
pub(super) mod rescript;
pub(super) mod scripts;
