//! Actions: from the arguments of an action to its changes and its event.
//!
//! An action is checked, perhaps forbidden or replaced, carried out alone or in a batch with others, and told as an event (docs/kernel.md,
//! "Actions").
//!
//! | file | what it does |
//! | --- | --- |
//! | `perform.rs` | the way in: the steps of every action |
//! | `builtin.rs` | the engine's own actions |
//! | `deciding.rs`, `replacements.rs`, `shared_replacements.rs`, `failed_replacements.rs` | actions that effects forbid or replace |
//! | `change.rs`, `batch.rs` | changes of the board and of effects, alone or together |
//! | `moves.rs`, `made_objects.rs`, `capacity.rs`, `carried_over.rs` | parts of changes |
//! | `contested.rs` | a card, or the top of a zone, that several branches want |
//!
//! Questions to players are in [`super::choices`].
//!
//! | file | does |
//! | --- | --- |
//! | `batch.rs` | batches: the changes that the branches of a lockstep make together |
//! | `builtin.rs` | the engine's own actions: leaves out things that the action cannot be done to |
//! | `capacity.rs` | room: decides which cards of a batch have room in their new place (docs/kernel.md, "Simultaneity") |
//! | `carried_over.rs` | keeps what lasts when a card moves |
//! | `change.rs` | makes changes of the board and of effects, one at a time or as the batch of a lockstep |
//! | `contested.rs` | what several branches of a lockstep want at the same time |
//! | `deciding.rs` | decides what happens to an action that an effect in force watches |
//! | `failed_replacements.rs` | replacements that are attempts |
//! | `made_objects.rs` | changes that only some games make |
//! | `moves.rs` | moves: cards leave their places and arrive elsewhere, and the moves are told |
//! | `perform.rs` | actions: the steps of each action (docs/kernel.md, "Actions"), from its arguments to its event |
//! | `replacements.rs` | replacements: asks whether an effect replaces an action |
//! | `shared_replacements.rs` | one `next time instead of` effect could replace several events of one step |

pub(in crate::engine) mod batch;
pub(in crate::engine) mod builtin;
pub(in crate::engine) mod capacity;
pub(in crate::engine) mod carried_over;
pub(in crate::engine) mod change;
pub(in crate::engine) mod contested;
pub(in crate::engine) mod deciding;
pub(in crate::engine) mod failed_replacements;
pub(in crate::engine) mod made_objects;
pub(in crate::engine) mod moves;
pub(in crate::engine) mod perform;
pub(in crate::engine) mod replacements;
pub(in crate::engine) mod shared_replacements;
