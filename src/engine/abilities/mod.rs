//! Abilities: what makes one begin to wait, what waits, what is in its slots, whether and how often it can be used.
//!
//! `triggers` hears events; `waiting` holds and performs what waits; `slots` asks for targets and other answers of an ability.
//! What an ability costs is in [`super::costs`].

pub(in crate::engine) mod slots;
pub(in crate::engine) mod triggers;
pub(in crate::engine) mod usable;
pub(in crate::engine) mod use_counts;
pub(in crate::engine) mod waiting;
pub mod without_effect;
