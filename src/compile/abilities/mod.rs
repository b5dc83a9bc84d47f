//! Abilities and cards: kinds of abilities with their slots, clauses of continuous effects, costs, and the cards of a pool.

pub(in crate::compile) mod ability;
pub(in crate::compile) mod card;
pub(in crate::compile) mod clause;
pub(in crate::compile) mod cost;
pub(in crate::compile) mod granting;
pub(in crate::compile) mod idle_cost_parts;
pub(in crate::compile) mod paying;
pub(in crate::compile) mod scripts;
pub(in crate::compile) mod slot;
pub(in crate::compile) mod waiting;
