//! From phrases to one script: holes are filled, references are bound, scripts are compared.

pub(super) mod alike;
pub(super) mod bare;
pub(super) mod bind;
pub(super) mod follow;
pub(super) mod rewrite;
pub(super) mod sayings;
pub(super) mod weave;
