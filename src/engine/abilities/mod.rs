//! Abilities: when one begins to wait, which ones wait, the contents of their slots, whether and how often one can be used.
//!
//! `triggers` hears events; `waiting` holds and performs waiting abilities; `slots` asks for targets and other answers of an ability. Costs
//! of abilities are in [`super::costs`].

pub(in crate::engine) mod slots;
pub(in crate::engine) mod triggers;
pub(in crate::engine) mod usable;
pub(in crate::engine) mod use_counts;
pub(in crate::engine) mod waiting;
pub mod without_effect;
