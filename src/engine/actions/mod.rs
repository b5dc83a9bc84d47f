//! Actions: from the arguments of an action to its changes and its event.
//!
//! An action is checked, perhaps forbidden or replaced, carried out alone or in a batch with others, and told as an event (docs/kernel.md,
//! "Actions"). `perform` is the way in; `builtin` holds the actions of the engine itself; `change` carries out a change of the board or of
//! effects; `moves`, `made_objects` and `capacity` hold the parts of changes, and `contested` what several branches want. Questions to players are in [`super::choices`].

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
