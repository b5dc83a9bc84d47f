//! Abilities: when one begins to wait, which ones wait, the contents of their slots, whether and how often one can be used.
//!
//! `triggers` hears events; `waiting` holds and performs waiting abilities; `slots` asks for targets and other answers of an ability. Costs
//! of abilities are in [`super::costs`].
//!
//! | file | does |
//! | --- | --- |
//! | `pending.rs` | what the slots of a waiting ability hold, and the values that its expressions read |
//! | `slots.rs` | slots of abilities: their contents, asking for them, checking the answers again |
//! | `triggers.rs` | finds the abilities that begin to wait because their event has happened or their condition has become true |
//! | `unfit.rs` | tells which chosen members of an ability are no longer legal |
//! | `usable.rs` | decides whether an ability of a card, or a waiting ability, can be used now (docs/kernel/abilities.md) |
//! | `use_counts.rs` | counts how often abilities have been used |
//! | `waiting.rs` | abilities that wait: a body is put aside with the values that it captured |
//! | `windows.rs` | windows of timings: abilities that come while a window is open can hear of the timing as well |
//! | `without_effect.rs` | abilities that do nothing where their card lies |

mod pending;
pub(crate) mod slots;
pub(crate) mod triggers;
mod unfit;
pub(crate) mod usable;
pub(crate) mod use_counts;
pub(crate) mod waiting;
mod windows;
pub mod without_effect;
