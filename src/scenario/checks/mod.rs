//! What is wrong with a scenario before it runs: unknown names and values, wrong types, rules that nothing carries out.

pub mod citations;
pub(super) mod conditions;
pub(super) mod header;
pub(super) mod names;
pub(super) mod values;
