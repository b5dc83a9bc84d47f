//! Costs: fixed under the prices in force, then paid part by part (docs/kernel/costs.md).
//!
//! `paying` fixes and pays; `parts` makes sure that a card pays only one part of a cost; `assignment` pays requirements with units one by
//! one; `matching` decides whether each requirement can still have a unit of its own, and `demands` whether several demands can be met with
//! the same units.
//!
//! | file | does |
//! | --- | --- |
//! | `assignment.rs` | payment by assignment: the requirements get their units one after the other |
//! | `bodies.rs` | bodies of the actions that pay: whether an action surely fails |
//! | `demands.rs` | several demands that share their units: decides whether all can be met at once |
//! | `matching.rs` | requirements and units: decides whether each requirement can have a unit of its own |
//! | `parts.rs` | parts of a cost that are paid at the same time |
//! | `paying.rs` | costs: the amounts due for each part under the prices in force |

pub(crate) mod assignment;
pub(crate) mod bodies;
pub(crate) mod demands;
pub(crate) mod matching;
pub(crate) mod parts;
pub(crate) mod paying;
